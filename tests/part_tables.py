"""Tables that are explained in parts and as a whole, and splits of their rows."""

from __future__ import annotations

import numpy as np
import pandas as pd

SPLITS = {1: [], 3: [300, 310], 7: [1, 1, 40, 333, 334, 799]}
"""Where parts begin, by their number: unequal ones, one of one row, one empty."""


def split(frame: pd.DataFrame, begins: list[int]) -> list[pd.DataFrame]:
    """Cut a table at some rows."""
    ends = zip([0, *begins], [*begins, len(frame)], strict=True)
    return [frame.iloc[begin:end] for begin, end in ends]


def numbers(n: int = 800, seed: int = 0, digits: int = 1) -> pd.DataFrame:
    """Normal columns, rounded so that rows repeat, and one row that leaves a correlation."""
    X = np.random.default_rng(seed).normal(size=(n, 5))
    X[:, 3] = X[:, 1] + 0.1 * X[:, 3]
    X[7, [1, 3]] = [1.0, -1.0]
    return pd.DataFrame(np.round(X, digits), columns=list("abcde"))


def mixed(n: int = 800) -> pd.DataFrame:
    """Numbers, categories, times, missing values, labels of rows."""
    rng = np.random.default_rng(5)
    frame = numbers(n, seed=5, digits=2)
    frame["colour"] = rng.choice(["red", "green", "blue"], n)
    frame.loc[3, "colour"] = "pink"
    frame["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 400, n), unit="D")
    frame.loc[rng.choice(n, 50, replace=False), "a"] = np.nan
    frame.index = pd.Index([f"row {i}" for i in range(n)])
    return frame


def skewed(n: int = 800) -> pd.DataFrame:
    """Heavy tails, atoms, few distinct rows, a constant and a duplicate column."""
    rng = np.random.default_rng(9)
    tail = np.round(np.exp(2.0 * rng.normal(size=n)), 1)
    atoms = np.where(rng.random(n) < 0.6, 0.0, rng.integers(0, 9, n))
    few = rng.integers(0, 3, n).astype(float)
    columns = {"tail": tail, "atoms": atoms, "few": few, "one": 1.0, "again": tail, "no": few % 2}
    return pd.DataFrame(columns)


TABLES = {"numbers": numbers, "mixed": mixed, "skewed": skewed}


def scores_of(frame: pd.DataFrame) -> np.ndarray:
    """How far rows are out, with ties."""
    values = frame.select_dtypes("number").to_numpy(dtype=float)
    spread = np.nanstd(values, axis=0)
    away = np.abs(values - np.nanmedian(values, axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.round(np.nansum(away, axis=1), 1)
