"""Tables that are explained in parts and as a whole, and splits of their rows."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pyod_aspects.datasets import make_hics

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


def gaps(n: int = 800) -> pd.DataFrame:
    """Missing values in every column, in one of them nearly everywhere."""
    rng = np.random.default_rng(11)
    frame = numbers(n, seed=11, digits=2)
    for name, share in zip(frame.columns, (0.02, 0.1, 0.3, 0.6, 0.98), strict=True):
        frame.loc[rng.random(n) < share, name] = np.nan
    return frame


def whole(n: int = 800) -> pd.DataFrame:
    """Integers: small ones, unsigned ones, counts with a tail, ids beyond float64."""
    rng = np.random.default_rng(12)
    base = rng.poisson(30, n)
    return pd.DataFrame(
        {
            "small": rng.integers(-5, 6, n).astype(np.int8),
            "counts": rng.geometric(0.05, n),
            "base": base,
            "near": (base + rng.integers(0, 3, n)).astype(np.uint16),
            "id": 2**60 + rng.permutation(n),
        }
    )


def labels(n: int = 800) -> pd.DataFrame:
    """Categories alone: text, ordered ones, ones that nobody has, missing ones."""
    rng = np.random.default_rng(13)
    city = rng.choice(["Graz", "Linz", "Wien"], n, p=[0.2, 0.2, 0.6])
    land = np.where(city == "Wien", "W", np.where(city == "Graz", "ST", "O"))
    land[5] = "ST" if land[5] == "W" else "W"
    size = pd.Categorical(rng.choice(list("SML"), n), categories=list("SMLX"), ordered=True)
    some = pd.Series(rng.choice(["a", "b", None], n), dtype=object)
    return pd.DataFrame({"city": city, "land": land, "size": size, "some": some})


def times(n: int = 800) -> pd.DataFrame:
    """Times with a zone and gaps, in nanoseconds, and durations."""
    rng = np.random.default_rng(14)
    seconds = rng.integers(0, 10**7, n)
    begun = pd.Series(pd.Timestamp("2024-03-01", tz="Europe/Vienna") + _seconds(seconds))
    ended = pd.Series(pd.Timestamp("2024-03-01") + _seconds(seconds + rng.integers(1, 99_999, n)))
    fine = pd.Series(np.datetime64("2024-03-05", "ns") + rng.integers(0, 999, n).astype("m8[ns]"))
    took = pd.Series(_seconds(rng.integers(0, 5000, n)))
    frame = pd.DataFrame({"begun": begun, "ended": ended, "fine": fine, "took": took})
    return frame.mask(pd.DataFrame(rng.random(frame.shape) < 0.02, columns=frame.columns))


def _seconds(numbers: np.ndarray) -> pd.TimedeltaIndex:
    return pd.to_timedelta(numbers, unit="s")


def switches(n: int = 800) -> pd.DataFrame:
    """Booleans, with gaps too, of which one follows from two others but for one row."""
    rng = np.random.default_rng(15)
    a, b, c = rng.random((3, n)) < [[0.5], [0.3], [0.02]]
    both = a & b
    both[9] = ~both[9]
    gap = pd.array(np.where(c, None, a), dtype="boolean")
    return pd.DataFrame({"a": a, "b": b, "c": c, "both": both, "gap": gap, "x": rng.random(n)})


def repeated(n: int = 800) -> pd.DataFrame:
    """Few distinct rows, each many times; constant columns, duplicate columns."""
    rng = np.random.default_rng(16)
    frame = pd.DataFrame(rng.integers(0, 3, (20, 4)).astype(float), columns=list("abcd"))
    frame = frame.iloc[rng.integers(0, 20, n)].reset_index(drop=True)
    frame.loc[17] = [0.0, 2.0, 2.0, 9.0]
    return frame.assign(one=1.0, again=frame["a"], gone=np.nan)


def hics(n: int = 800) -> pd.DataFrame:
    """A table with planted subspaces."""
    X = make_hics(n_rows=n, n_features=8, random_state=3).X
    return pd.DataFrame(np.asarray(X)).rename(columns="x{}".format)


TABLES = {
    "numbers": numbers,
    "mixed": mixed,
    "skewed": skewed,
    "gaps": gaps,
    "whole": whole,
    "labels": labels,
    "times": times,
    "switches": switches,
    "repeated": repeated,
    "hics": hics,
}
"""Ten tables, by what they have."""


def scores_of(frame: pd.DataFrame) -> np.ndarray:
    """How far rows are out, with ties; of a table without numbers, how rare their values are."""
    values = frame.select_dtypes(["number", "timedelta"]).to_numpy(dtype=float, na_value=np.nan)
    values = values[:, ~np.isnan(values).all(axis=0)]
    if not values.size:
        rare = [-frame[name].map(frame[name].value_counts()).astype(float) for name in frame]
        values = np.column_stack(rare)
    spread = np.nanstd(values, axis=0)
    away = np.abs(values - np.nanmedian(values, axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.round(np.nansum(away, axis=1), 1)
