"""Check of p-values: uniform for ordinary rows, and few wrong rows among the convincing ones.

A p-value of an ordinary row must be at most u with a probability of at most u. It is uniform if no
two rows are equally strong; ties make it larger, never smaller.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import sqrt
from statistics import mean, stdev
from time import perf_counter
from typing import Any
from zlib import crc32

import numpy as np
from scipy.stats import kstest

from pyod_aspects import AspectExplainer
from pyod_aspects._util.types import Subspace

from .cells import Cell, Result
from .structures import gaps, no_outlier, xor
from .structures.base import N_ROWS, SEED, Trial, ordinary_row
from .structures.correlated import OFF_PAIR, breaking
from .structures.far_out import FAR
from .structures.measure import NoDetector
from .structures.miners import OURS

N_UNIFORM, N_PLANTED, SHORT = 50, 100, 5
"""Tables without outliers, tables with outliers, and tables of a short run."""

SIZE = (200, 5)
"""Rows and columns of a table without outliers: small enough for every miner."""

MAX_DIM = 3

UNIFORM = tuple(no_outlier.DRAW)
"""Distributions of the tables without outliers."""

N_EXPLAINED = {"uniform": 4, "planted": 10}
"""Rows of a table to explain, for either question."""

N_REFERENCE = {"uniform": 99, "planted": 199}

ALPHA = 0.1
"""Accepted share of wrong rows among the convincing ones."""

CORRELATION = 0.95


def cells(short: bool = False) -> list[Cell]:
    """Cells of ordinary rows, then those of planted outliers."""
    return list(_cells(short))


def _cells(short: bool) -> Iterator[Cell]:
    n = SHORT if short else N_UNIFORM
    for kind in UNIFORM:
        for miner in OURS:
            name = f"uniform-{kind}/{miner}"
            yield Cell(name, uniform, (kind, miner, n), inputs=f"{n}", apart=False)
    n = SHORT if short else N_PLANTED
    for miner, how in OURS.items():
        if how.n_reference:  # the others take too long on these tables
            yield Cell(f"planted/{miner}", planted, (miner, n), inputs=f"{n}", apart=False)


def uniform(kind: str, miner: str, n_tables: int) -> Result:
    """The p-values of ordinary rows, and tests of them against a uniform distribution."""
    begin = perf_counter()
    p = [value for i in range(n_tables) for value in _ordinary(kind, miner, i)]
    return {"seconds": round(perf_counter() - begin, 2), **kolmogorov_smirnov(p), "p": p}


def kolmogorov_smirnov(p: list[float]) -> dict[str, float]:
    """Tests of p-values against a uniform distribution.

    `smaller` is the p-value of the one-sided test: it is small if values are smaller than uniform
    ones. `differs` is the two-sided test's, small also if they are larger.

    >>> values = [(i + 1) / 100 for i in range(100)]
    >>> kolmogorov_smirnov(values)
    {'smaller': 1.0, 'differs': 1.0}
    >>> kolmogorov_smirnov([0.5 * value for value in values])["smaller"] < 1e-6
    True
    """
    tests = {"smaller": "greater", "differs": "two-sided"}  # of the distribution function
    return {
        name: round(float(kstest(p, "uniform", alternative=which).pvalue), 4)
        for name, which in tests.items()
    }


def _ordinary(kind: str, miner: str, number: int) -> list[float]:
    rng = _rng(kind, number)
    X = no_outlier.DRAW[kind](rng, SIZE)
    rows = rng.choice(len(X), N_EXPLAINED["uniform"], replace=False).tolist()
    make = partial(OURS[miner].make, max_dim=MAX_DIM)
    explainer = AspectExplainer(NoDetector(), make(), n_reference=N_REFERENCE["uniform"])
    explanation = explainer.fit(X).explain(rows=rows)
    return [round(query.p_value or 0.0, 6) for query in explanation]


def planted(miner: str, n_tables: int) -> Result:
    """Count the convincing rows among ordinary rows and planted outliers.

    `wrong` is the mean share of ordinary rows among the kept rows of a table, `error` its standard
    error. Each table has an entry: rows planted, planted rows kept, ordinary rows kept, and planted
    rows with their true set first.
    """
    begin = perf_counter()
    tables = [_kept(miner, i) for i in range(n_tables)]
    wrong = [t["ordinary"] / max(1, t["found"] + t["ordinary"]) for t in tables]
    n_planted = sum(t["planted"] for t in tables)
    return {
        "seconds": round(perf_counter() - begin, 2),
        "wrong": round(mean(wrong), 4),
        "error": round(stdev(wrong) / sqrt(n_tables), 4),
        "found": round(sum(t["found"] for t in tables) / n_planted, 4),
        "exact": round(sum(t["exact"] for t in tables) / n_planted, 4),
        "n_kept": sum(t["found"] + t["ordinary"] for t in tables),
        "tables": tables,
    }


def _kept(miner: str, number: int) -> dict[str, int]:
    rng = _rng("planted", number)
    trial = with_outliers(rng)
    explainer = AspectExplainer(
        NoDetector(), OURS[miner].make(), n_reference=N_REFERENCE["planted"]
    )
    explanation = explainer.fit(trial.X).explain(rows=list(trial.truth)).convincing(ALPHA)
    kept = {query.row: query.aspects[0].subspace for query in explanation if query.aspects}
    outliers = {row: subspaces for row, subspaces in trial.truth.items() if subspaces}
    return {
        "planted": len(outliers),
        "found": len(outliers.keys() & kept),
        "ordinary": len(kept.keys() - outliers),
        "exact": sum(kept.get(row) in subspaces for row, subspaces in outliers.items()),
    }


def with_outliers(rng: np.random.Generator) -> Trial:
    """A table with three to five planted outliers of several kinds, and ordinary rows to explain.

    Columns: two normal ones, a correlated pair, three whose product is positive, one with two
    clusters, and two with three clusters on the diagonal.
    """
    pair = rng.multivariate_normal(
        [0.0, 0.0], [[1.0, CORRELATION], [CORRELATION, 1.0]], size=N_ROWS
    )
    blocks = [rng.normal(size=(N_ROWS, 2)), pair, xor.block(3, rng)]
    blocks += [gaps.two_clusters(rng), gaps.on_the_diagonal(rng)]
    X = np.hstack(blocks)
    truth: dict[int, list[Subspace]] = {}
    for kind in rng.choice(5, rng.integers(3, 6), replace=False):
        row = ordinary_row(X, rng)
        while row in truth:
            row = ordinary_row(X, rng)
        subspace, values = _outlier(int(kind), rng)
        X[row, subspace] = values
        truth[row] = [subspace]
    others = np.setdiff1d(np.arange(N_ROWS), list(truth))
    n_others = N_EXPLAINED["planted"] - len(truth)
    truth |= {int(row): [] for row in rng.choice(others, n_others, replace=False)}
    return Trial(X, truth)


def _outlier(kind: int, rng: np.random.Generator) -> tuple[Subspace, Any]:
    """Columns and values of an outlier, by the number of its block."""
    if kind == 0:
        return (int(rng.integers(2)),), rng.uniform(*FAR["normal"], size=1)
    if kind == 1:
        covariance = np.array([[1.0, CORRELATION], [CORRELATION, 1.0]])
        return (2, 3), breaking(covariance, OFF_PAIR[CORRELATION], rng)
    if kind == 2:
        return (4, 5, 6), xor.outlier(3, rng)
    if kind == 3:
        return (7,), gaps.in_between(rng)
    return (8, 9), gaps.off_the_diagonal(rng)


def _rng(name: str, number: int) -> np.random.Generator:
    return np.random.default_rng([SEED, crc32(f"p-values {name}".encode()), number])
