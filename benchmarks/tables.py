"""The tables of the benchmarks: real ones if available, generated ones otherwise."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from pyod.models.iforest import IForest

from pyod_aspects._util.types import FloatArray, IntArray
from pyod_aspects.datasets import HiCS, load_hics, make_hics

from .results import Skipped

REPOSITORY = Path(__file__).resolve().parents[1]


def data_folder() -> Path:
    """Return the folder of the data: beside the checkout, or PYOD_ASPECTS_DATA; may not exist."""
    named = os.environ.get("PYOD_ASPECTS_DATA")
    return Path(named) if named else REPOSITORY.parent / "shared" / "data"


@lru_cache(maxsize=1)
def shuttle() -> tuple[FloatArray, str]:
    """Return the shuttle table, 49,097 x 9 whole numbers, or one like it, and which of the two."""
    path = data_folder() / "real" / "shuttle.npz"
    if path.is_file():
        with np.load(path, allow_pickle=False) as file:
            return file["X"].astype(np.float64), "shuttle"
    return make_shuttle(49_097), "generated, shaped like shuttle"


def make_shuttle(n: int, seed: int = 0) -> FloatArray:
    """Nine columns of whole numbers as in shuttle: a few regimes, narrow peaks, very long tails."""
    rng = np.random.default_rng(seed)
    regime = rng.choice(5, size=n, p=[0.5, 0.25, 0.15, 0.08, 0.02])
    centres = rng.integers(25, 90, size=(5, 9))
    X = centres[regime] + rng.normal(0.0, [1, 1, 1.5, 1, 1, 1, 1, 1.5, 1], size=(n, 9))
    X[:, 6] = X[:, 2] - X[:, 0]  # the real table has such columns, too
    X[:, 8] = X[:, 7] - X[:, 4]
    for a, scale in ((1, 0.3), (3, 0.3), (5, 4.0)):
        X[:, a] = np.clip(scale * rng.standard_t(1.2, size=n), -25_000, 15_000)
    return np.asarray(np.rint(X))


def grown_shuttle(n: int, seed: int = 0) -> tuple[FloatArray, str]:
    """The shuttle table at any size: its rows drawn again, one value in nine moved by 1 or -1.

    So rows repeat about as often as in the real table, whose 49,097 rows have 24,014 different
    combinations of bins.
    """
    rng = np.random.default_rng(seed)
    base, name = shuttle()
    X = base[rng.integers(len(base), size=n)]
    X += rng.choice([-1, 1], size=X.shape) * (rng.random(X.shape) < 1 / 9)
    return X, f"{name}, resampled with jitter"


def kdd_like(n: int = 60_821, d: int = 34, seed: int = 0) -> FloatArray:
    """Connections as in KDD Cup 99: flags, counters and rates in bursts, two thirds nearly all 0.

    A connection belongs to a kind of traffic, and most of its columns follow from the kind. Columns
    come in four sorts: numbers of bytes with a tail of nine digits, rare flags, counters up to 511
    and rates with two decimals. About three rows in four differ in their bins from all others,
    as in the real table.
    """
    rng = np.random.default_rng(seed)
    n_kinds = 40
    kind = rng.choice(n_kinds, size=n, p=_falling(n_kinds))
    burst = rng.random(n) < 0.27  # scans and floods: hardly anything varies
    X = np.zeros((n, d))
    for a in range(d):
        sort = ("bytes", "flag", "flag", "counter", "rate", "rate")[a % 6]
        rare = a % 3 != 0  # two thirds of the columns: quartiles 0
        active = rng.random(n_kinds) < (0.12 if rare else 0.9)
        on = active[kind] & (rng.random(n) < (0.5 if rare else 0.97))
        level = rng.random(n_kinds)[kind]
        if sort == "bytes":
            value = np.floor(np.exp(4.0 + 3.0 * level + 0.8 * rng.standard_normal(n)))
            value *= np.where(rng.random(n) < 1e-4, 1e4, 1.0)
        elif sort == "flag":
            value = np.ones(n)
        elif sort == "counter":
            value = np.minimum(511, np.floor(1 + 300 * level**3 * rng.exponential(size=n)))
        else:
            value = np.round(np.clip(level + 0.1 * rng.standard_normal(n), 0, 1), 2)
        typical = np.floor(10 * level) / (1 if sort in {"bytes", "counter"} else 10)
        X[:, a] = np.where(on, np.where(burst, typical, value), 0.0)
    return X


def _falling(n: int) -> FloatArray:
    """Shares that fall as one over the rank."""
    share = 1.0 / np.arange(1, n + 1)
    return np.asarray(share / share.sum())


def hics(n: int, d: int) -> FloatArray:
    """A continuous table of any size in which cells hardly repeat: HiCS."""
    return make_hics(n, d, random_state=0).X


def shuffled_hics(n: int, d: int) -> FloatArray:
    """The same with its rows in random order: its first rows are a sample."""
    return hics(n, d)[np.random.default_rng(0).permutation(n)]


def log_normal(n: int, d: int, seed: int = 0) -> FloatArray:
    """Independent columns with long tails, like incomes and sizes."""
    return np.asarray(np.exp(np.random.default_rng(seed).standard_normal((n, d))))


def hics_040() -> HiCS:
    """The 40-D set of the paper; raises `Skipped` if it is absent."""
    folder = data_folder() / "hics"
    if not (folder / "hics_040.npz").is_file():
        raise Skipped(f"needs hics_040 of the paper, which is not in {folder}")
    return load_hics(folder, "hics_040")


def factors(n: int, d: int, seed: int = 0) -> FloatArray:
    """A wide continuous table: normal columns that share 20 hidden factors."""
    rng = np.random.default_rng(seed)
    hidden = rng.standard_normal((n, 20))
    X = rng.standard_normal((n, d))
    X += hidden @ rng.normal(0.0, 0.3, size=(20, d))
    return X


def correlated_pairs(n: int, d: int, seed: int = 0) -> FloatArray:
    """Normal columns, of which each odd one has a correlation of 0.9 with the one before."""
    X: FloatArray = np.random.default_rng(seed).standard_normal((n, d))
    X[:, 1::2] = 0.9 * X[:, ::2][:, : d // 2] + np.sqrt(0.19) * X[:, 1::2]
    return X


def detector_for(X: FloatArray) -> Any:
    """An isolation forest with PyOD's settings."""
    return IForest(random_state=0).fit(X)


def top_rows(detector: Any, n: int) -> IntArray:
    """The rows with the detector's highest scores."""
    return np.argsort(-detector.decision_scores_, kind="stable")[:n]


def queries(X: FloatArray, n: int) -> FloatArray:
    """The most anomalous rows of a table, by an isolation forest."""
    return np.ascontiguousarray(X[top_rows(detector_for(X), n)])
