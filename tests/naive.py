"""The definitions of the paper in slow loops: the oracle of the tests.

Written from the text of Wells & Ting alone, it shares no line with the package and
imports nothing from it. Every function is meant to be checked by reading; use it on
small tables. A subspace is a sorted tuple of column numbers, and a lower score is
more outlying everywhere.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

Subspace = tuple[int, ...]
"""Column numbers in increasing order."""

Found = list[tuple[Subspace, float]]
"""What a search returns: subspaces with their scores, best first."""

SAME = 1e-9
"""Relative difference up to which two kernel densities count as equal."""


# Bins and the grids


def bin_edges(column: Any, bins: str | int = "fd") -> np.ndarray:
    """Edges of the equal-width bins of a column, from its minimum to its maximum.

    They are numpy's, except that "fd" gives way to Sturges where the quartiles coincide
    and that a constant column c is one bin, drawn from c - 0.5 to c + 0.5.
    """
    column = np.asarray(column, dtype=np.float64)
    if column.min() == column.max():
        return np.array([column[0] - 0.5, column[0] + 0.5])
    if bins == "fd" and _iqr(column) == 0:
        return np.histogram_bin_edges(column, "sturges")
    return np.histogram_bin_edges(column, bins)


def bin_index(column_data: Any, value: float, bins: str | int = "fd") -> int | None:
    """The bin i of a value, edges[i] <= value < edges[i + 1], the last bin closed on the right.

    Outside the data the grid goes on in bins of the same width: -1, -2, ... and n_bins, ...
    None means far from every bin: any other value than that of a constant column.
    """
    return _bin_indices(column_data, [value], bins)[0]


def counts(
    X: Any, subspace: Sequence[int], points: Any = None, reach: int = 1, bins: str | int = "fd"
) -> list[int]:
    """|N_s| of each point: the rows of X within `reach` bins of it in every dimension of s.

    No points given: of each row of X. reach=1 is sGrid, reach=0 the plain grid.
    """
    X = np.asarray(X, dtype=np.float64)
    points = X if points is None else np.asarray(points, dtype=np.float64)
    bins_of_rows = {a: _bin_indices(X[:, a], X[:, a], bins) for a in subspace}
    bins_of_points = {a: _bin_indices(X[:, a], points[:, a], bins) for a in subspace}
    result = []
    for p in range(len(points)):
        neighbours = 0
        for r in range(len(X)):
            if all(_near(bins_of_points[a][p], bins_of_rows[a][r], reach) for a in subspace):
                neighbours += 1
        result.append(neighbours)
    return result


def grid_moments(counts: Sequence[int]) -> tuple[float, float]:
    """Mean and population standard deviation of integer counts, from their exact sums."""
    n = len(counts)
    s1 = sum(int(c) for c in counts)
    s2 = sum(int(c) * int(c) for c in counts)
    return s1 / n, math.sqrt(n * s2 - s1 * s1) / n


def _bin_indices(column: Any, values: Any, bins: str | int) -> list[int | None]:
    """The bin of each value in the grid of one column, see `bin_index`."""
    low, high = float(np.min(column)), float(np.max(column))
    edges = [float(e) for e in bin_edges(column, bins)]
    n_bins = len(edges) - 1
    width = (high - low) / n_bins

    def index(v: float) -> int | None:
        if low == high:
            return 0 if v == low else None
        if v < low:
            return -1 - math.floor((low - v) / width)
        if v > high:
            return n_bins + math.floor((v - high) / width)
        for i in range(n_bins):
            if edges[i] <= v < edges[i + 1]:
                return i
        return n_bins - 1  # only the maximum gets here

    return [index(float(v)) for v in values]


def _near(i: int | None, j: int | None, reach: int) -> bool:
    """Whether two bins of one column are at most `reach` apart."""
    return i is not None and j is not None and abs(i - j) <= reach


# Kernel density


def bandwidth(column: Any) -> float:
    """Haerdle's rule of thumb, 1.06 min(sigma, IQR / 1.34) n^(-1/5).

    Sigma alone where the quartiles coincide; 0 for a constant column.
    """
    column = np.asarray(column, dtype=np.float64)
    if column.min() == column.max():
        return 0.0
    sigma, iqr = float(np.std(column)), _iqr(column)
    spread = sigma if iqr == 0 else min(sigma, iqr / 1.34)
    return 1.06 * spread * math.pow(len(column), -1 / 5)


def kde(X: Any, subspace: Sequence[int], points: Any = None) -> list[float]:
    """Density of each point (each row of X if none are given) by a product of Gaussian kernels.

    A constant column is left out of it: neither kernel nor bandwidth.
    """
    X = np.asarray(X, dtype=np.float64)
    points = X if points is None else np.asarray(points, dtype=np.float64)
    h = {a: bandwidth(X[:, a]) for a in subspace}
    scaled = [a for a in subspace if h[a] > 0]
    n = len(X)
    volume = math.prod(h[a] for a in scaled)
    result = []
    for q in points.tolist():
        total = 0.0
        for x in X.tolist():
            total += math.prod(_gauss((q[a] - x[a]) / h[a]) for a in scaled)
        result.append(total / (n * volume))
    return result


def _gauss(u: float) -> float:
    """The standard normal density."""
    return math.exp(-u * u / 2) / math.sqrt(2 * math.pi)


def _iqr(column: Any) -> float:
    """Third minus first quartile, both interpolated linearly."""
    return float(np.percentile(column, 75) - np.percentile(column, 25))


# Scores


def zscore(value: float, mean: float, std: float) -> float:
    """How many standard deviations a value lies above the mean; 0 if nothing deviates."""
    return 0.0 if std == 0 else (value - mean) / std


def zscore_grid(
    X: Any, subspace: Sequence[int], point: Any, reach: int = 1, bins: str | int = "fd"
) -> float:
    """Z-score of |N_s(point)| among the |N_s| of all rows."""
    (value,) = counts(X, subspace, [point], reach, bins)
    mean, std = grid_moments(counts(X, subspace, None, reach, bins))
    return zscore(value, mean, std)


def zscore_kde(X: Any, subspace: Sequence[int], point: Any) -> float:
    """Z-score of the kernel density at a point among those at all rows.

    A standard deviation below 1e-9 of the mean is rounding and counts as 0.
    """
    (value,) = kde(X, subspace, [point])
    densities = kde(X, subspace)
    n = len(densities)
    mean = math.fsum(densities) / n
    std = math.sqrt(math.fsum((f - mean) * (f - mean) for f in densities) / n)
    return zscore(value, mean, 0.0 if std < SAME * mean else std)


def rank(densities: Iterable[float], value: float) -> int:
    """One more than the number of rows of lower density; equal up to rounding is not lower."""
    lower = 0
    for f in densities:
        equal = abs(f - value) <= SAME * max(abs(f), abs(value))
        if f < value and not equal:
            lower += 1
    return 1 + lower


# Searches


def beam(
    score: Callable[[Subspace], float],
    n_features: int,
    max_dim: int = 5,
    width: int = 100,
    top_k: int = 10,
    tau: float = math.inf,
) -> Found:
    """Algorithm 1: score all single attributes and pairs, then grow the best pairs level by level.

    Each level keeps its best `width`; the result is the best of everything that was scored.
    """
    seen = {s: score(s) for s in _subspaces(n_features, min(2, max_dim))}
    level = _sorted({s: z for s, z in seen.items() if len(s) == 2})[:width]
    for _ in range(3, max_dim + 1):
        children: dict[Subspace, float] = {}
        for parent, _score in level:
            for a in range(n_features):
                child = tuple(sorted({*parent, a}))
                if a not in parent and child not in children:
                    children[child] = score(child)
        seen.update(children)
        level = _sorted(children)[:width]
    return _best(seen, top_k, tau)


def exhaustive(
    score: Callable[[Subspace], float],
    n_features: int,
    max_dim: int = 5,
    top_k: int = 10,
    tau: float = math.inf,
) -> Found:
    """The best of all subspaces of up to `max_dim` attributes."""
    return _best({s: score(s) for s in _subspaces(n_features, max_dim)}, top_k, tau)


def oaminer(
    rank_of: Callable[[Subspace], float], n_features: int, max_dim: int = 5, top_k: int = 10
) -> Found:
    """The best of all minimal subspaces: those that no part of them ranks as well as or better."""
    ranks = {s: rank_of(s) for s in _subspaces(n_features, max_dim)}
    minimal = {}
    for s, rank_of_s in ranks.items():
        parts = [t for k in range(1, len(s)) for t in itertools.combinations(s, k)]
        if not any(ranks[t] <= rank_of_s for t in parts):
            minimal[s] = rank_of_s
    return _best(minimal, top_k, math.inf)


def _subspaces(n_features: int, max_dim: int) -> list[Subspace]:
    """All subspaces of one to `max_dim` attributes."""
    return [s for k in range(1, max_dim + 1) for s in itertools.combinations(range(n_features), k)]


def _sorted(scored: dict[Subspace, float]) -> Found:
    """Lower scores first, then fewer attributes, then the attributes' own order."""
    return sorted(scored.items(), key=lambda item: (item[1], len(item[0]), item[0]))


def _best(scored: dict[Subspace, float], top_k: int, tau: float) -> Found:
    """The first `top_k` of those that score below tau."""
    return [(s, z) for s, z in _sorted(scored) if z < tau][:top_k]


# Metrics


def exact_match(
    found: Sequence[Sequence[int]], true: Sequence[Sequence[int]], top: int = 10
) -> float:
    """The share of the true subspaces of a query that are among its first `top` found ones."""
    hits = 0
    for t in true:
        if any(set(f) == set(t) for f in found[:top]):
            hits += 1
    return hits / len(true)


def match(found: Sequence[Sequence[int]], true: Sequence[Sequence[int]], top: int = 10) -> float:
    """The share of true subspaces that equal, contain or lie in one of the first `top` found."""
    hits = 0
    for t in true:
        if any(set(f) <= set(t) or set(f) >= set(t) for f in found[:top]):
            hits += 1
    return hits / len(true)
