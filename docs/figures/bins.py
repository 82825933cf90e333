"""Measure "fd" and "auto" on real and generated tables and print the tables of bins.md."""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from pyod_aspects.binning.cuts import Cut, StretchedBins
from pyod_aspects.density import SGrid
from pyod_aspects.scoring import zscore

REPOSITORY = Path(__file__).resolve().parents[2]
NAMES = "shuttle thyroid cardio_ctg musk mnist pendigits winequality_red nba_guards wdbc glass wine"
RULES = ("fd", "auto")
MOST_PAIRS = 1000


def data_folder() -> Path:
    """The real tables beside the checkout, or where PYOD_ASPECTS_DATA says."""
    named = os.environ.get("PYOD_ASPECTS_DATA")
    return (Path(named) if named else REPOSITORY.parent / "shared" / "data") / "real"


def tables():
    """Name, values and labels (None if there are none) of each table."""
    for name in NAMES.split():
        with np.load(data_folder() / f"{name}.npz", allow_pickle=False) as file:
            y = file["y"].astype(bool) if "y" in file else None
            yield name, file["X"].astype(np.float64), y
    yield "connections (generated)", connections(), None


def connections(n: int = 20_000, seed: int = 0):
    """Columns as in records of network traffic: mostly 0, with counters, bytes and rates."""
    rng = np.random.default_rng(seed)
    columns = []
    for share in (0.99, 0.9, 0.6, 0.3):
        on = rng.random(n) >= share
        size = np.floor(np.exp(rng.normal(6.0, 2.0, n)))
        columns += [
            np.where(on, size, 0.0),
            np.where(on, np.minimum(511, np.floor(rng.pareto(1.0, n) + 1)), 0.0),
            np.where(on, np.round(rng.beta(0.4, 0.8, n), 2), 0.0),
        ]
    return np.column_stack(columns)


def shape_of(X):
    """Shares of columns with quartiles that coincide, with atoms, and with values far out."""
    quartiles = np.percentile(X, [25, 75], axis=0)
    cuts = [Cut.of(np.ascontiguousarray(column), "auto") for column in X.T]
    return (
        np.mean(quartiles[0] == quartiles[1]),
        np.mean([cut.own.size > 0 for cut in cuts]),
        np.mean([isinstance(cut.bins, StretchedBins) for cut in cuts]),
    )


def alone(X, rule):
    """Share of the values far out that have no row nearby but their own one, in their column."""
    shares = []
    for column in np.ascontiguousarray(X.T):
        bins = Cut.of(column, "auto").bins
        if not isinstance(bins, StretchedBins):
            continue
        index = Cut.of(column, rule).index(column)
        ordered = np.sort(index)
        last = np.searchsorted(ordered, index + 1, side="right")
        near = last - np.searchsorted(ordered, index - 1)
        low, high = bins.fences
        shares.append(near[(column < low) | (column > high)] == 1)
    return np.mean(np.concatenate(shares)) if shares else np.nan


def planted(X, rule, n=200, seed=0):
    """How often a rare value in place of the commonest is among the first three that are found.

    In a row that has the commonest value in a column, which holds at least half of the rows, it
    is exchanged for another value of the same column.
    """
    rng = np.random.default_rng(seed)
    commonest, often = [], []
    for column in X.T:
        values, counts = np.unique(column, return_counts=True)
        commonest.append(values[counts.argmax()])
        often.append(0.5 <= counts.max() / len(X) < 1)
    usable = np.flatnonzero(often)
    if not usable.size:
        return np.nan
    density = SGrid(bins=rule).fit(X)
    singles = np.arange(X.shape[1])[:, None]
    found = []
    for a in rng.choice(usable, n):
        row = X[rng.choice(np.flatnonzero(X[:, a] == commonest[a]))].copy()
        row[a] = rng.choice(X[X[:, a] != commonest[a], a])
        z = zscore(density, singles, row[None])[:, 0]
        found.append(np.sum(z < z[a]) < 3 and z[a] < 0)
    return np.mean(found)


def area(X, y, rule):
    """Area under the ROC curve of the lowest Z-score of a row, over single columns and pairs."""
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.permutation(np.flatnonzero(y == label))[:1000] for label in (0, 1)])
    density = SGrid(bins=rule).fit(X)
    d = X.shape[1]
    pairs = np.array(list(combinations(range(d), 2)))
    if len(pairs) > MOST_PAIRS:
        pairs = pairs[np.sort(rng.choice(len(pairs), MOST_PAIRS, replace=False))]
    lowest = np.zeros(len(rows))
    for subspaces in (np.arange(d)[:, None], pairs):
        for begin in range(0, len(rows), 200):
            part = slice(begin, begin + 200)
            z = zscore(density, subspaces, X[rows[part]])
            lowest[part] = np.minimum(lowest[part], z.min(axis=0))
    return roc_auc_score(y[rows], -lowest)


def main() -> None:
    print("| table | rows x columns | quartiles equal | with atoms | with tails |", end="")
    print(" alone fd | alone auto | planted fd | planted auto | AUC fd | AUC auto |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name, X, y in tables():
        cells = [name, f"{len(X):,} x {X.shape[1]}", *(f"{s:.0%}" for s in shape_of(X))]
        cells += [f"{alone(X, rule):.0%}" for rule in RULES]
        cells += [f"{planted(X, rule):.0%}" for rule in RULES]
        if y is not None:
            cells += [f"{area(X, y, rule):.3f}" for rule in RULES]
        else:
            cells += ["", ""]
        print("| " + " | ".join(cells).replace("nan%", "") + " |", flush=True)


if __name__ == "__main__":
    main()
