"""The definitions of the paper, of the lift and of groups, in slow loops: the oracle of the tests.

Written from the text of Wells & Ting and from the other definitions alone, it shares no line
with the package and imports nothing from it. Every function is meant to be checked by reading; use
it on small tables. A subspace is a sorted tuple of column numbers, and a lower score is
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
    and that a constant column c is one bin, drawn from c - 0.5 to c + 0.5. "scott" squares
    values: they are divided by a power of two before, so that no square is too small or large.
    """
    column = np.asarray(column, dtype=np.float64)
    if column.min() == column.max():
        return np.array([column[0] - 0.5, column[0] + 0.5])
    if bins == "fd" and _iqr(column) == 0:
        return np.histogram_bin_edges(column, "sturges")
    if bins == "scott":
        _, power = np.frexp(np.abs(column).max())
        return np.ldexp(np.histogram_bin_edges(np.ldexp(column, -power), bins), power)
    return np.histogram_bin_edges(column, bins)


def bin_index(
    column_data: Any, value: float, bins: str | int = "auto", category: bool = False
) -> int | str | None:
    """The bin i of a value, edges[i] <= value < edges[i + 1], the last bin closed on the right.

    Outside the data the grid goes on in bins of the same width: -1, -2, ... and n_bins, ...
    A text is a bin of its own, without neighbours: "missing" for NaN, one for each category, and
    with bins="auto" one for each atom. None means far from every bin: any other value than
    that of a constant column, say.
    """
    return _bin_indices(column_data, [value], bins, category)[0]


def counts(
    X: Any,
    subspace: Sequence[int],
    points: Any = None,
    reach: int = 1,
    bins: str | int = "auto",
    categories: Sequence[int] = (),
) -> list[int]:
    """|N_s| of each point: the rows of X within `reach` bins of it in every dimension of s.

    No points given: of each row of X. reach=1 is sGrid, reach=0 the plain grid.
    """
    X = np.asarray(X, dtype=np.float64)
    points = X if points is None else np.asarray(points, dtype=np.float64)
    bins_of_rows = {a: _bin_indices(X[:, a], X[:, a], bins, a in categories) for a in subspace}
    bins_of_points = {
        a: _bin_indices(X[:, a], points[:, a], bins, a in categories) for a in subspace
    }
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


def distinct_columns(
    X: Any, reach: int = 1, bins: str | int = "auto", categories: Sequence[int] = ()
) -> list[int]:
    """The columns that are neither duplicates nor constant.

    In a duplicate, no row lies in another bin than in an earlier column; in a constant one, all
    rows lie in one bin.

    Only occupied bins count, and gaps between them up to what reach can see.
    """
    X = np.asarray(X, dtype=np.float64)
    seen: list[list[int]] = []
    distinct = []
    for a in range(X.shape[1]):
        index = _bin_indices(X[:, a], X[:, a], bins, a in categories)
        plain = sorted({i for i in index if isinstance(i, int)})
        own = sorted({i for i in index if isinstance(i, str)}, key=_order_of_own)
        number: dict[Any, int] = {}
        last = None
        for i in [*plain, *own]:
            apart = reach + 1 if isinstance(i, str) or last is None else min(reach + 1, i - last)
            number[i] = max(number.values()) + apart if number else 0
            last = i if isinstance(i, int) else None
        codes = [number[i] for i in index]
        if codes not in seen:
            seen.append(codes)
            if len(set(codes)) > 1:
                distinct.append(a)
    return distinct


def _order_of_own(name: str) -> tuple[int, float]:
    """Values in their order, missing ones last."""
    return (1, 0.0) if name == "missing" else (0, float(name))


def _bin_indices(
    column: Any, values: Any, bins: str | int, category: bool = False
) -> list[int | str | None]:
    """The bin of each value in the grid of one column, see `bin_index`."""
    present = [float(v) for v in column if not math.isnan(v)]
    own = set(present) if category else atoms(present) if bins == "auto" else set()
    rest = [v for v in present if v not in own]
    place, edges = _grid(rest, bins) if rest else (None, None)

    def index(v: float) -> int | str | None:
        if math.isnan(v):
            return "missing"
        if v in own:
            return str(v + 0.0)  # 0.0 and -0.0 are one value
        if not rest:
            return None
        return _index([place(x) for x in rest], place(v), edges)

    cache = {float(v): index(float(v)) for v in values if not math.isnan(v)}
    return ["missing" if math.isnan(v) else cache[float(v)] for v in values]


def _grid(rest: Sequence[float], bins: str | int) -> tuple[Callable[[float], float], np.ndarray]:
    """The place of a value on the scale on which a column is cut, and the edges there.

    Bins are at least 16 float64 steps of the largest value wide. If the rule wants narrower ones,
    and gets more of them that way, the column is cut with its median subtracted. Then no more bins
    are made than there are float64 values in the original range.
    """
    place, edges, wanted = _cut(rest, bins, math.inf)
    if wanted <= len(edges) - 1:
        return place, edges
    median = sorted(rest)[len(rest) // 2]
    step = np.spacing(max(abs(v) for v in rest))
    finer, finer_edges, _ = _cut([v - median for v in rest], bins, step)
    if len(finer_edges) <= len(edges):
        return place, edges
    return lambda v: finer(v - median), finer_edges


def _cut(
    rest: Sequence[float], bins: str | int, step: float
) -> tuple[Callable[[float], float], np.ndarray, float]:
    """The scale of a column, the edges there, and the number of bins that the rule asks for."""
    scale = _stretch(rest) if bins == "auto" else None
    rule = "fd" if bins == "auto" else bins
    places = rest if scale is None else [scale(v) for v in rest]
    low, high = min(places), max(places)
    if low == high:
        return lambda v: v, bin_edges(rest), 1
    wanted = rule if isinstance(rule, int) else math.ceil((high - low) / _width(rest, rule))
    most = (high - low) / (16 * np.spacing(max(abs(low), abs(high))))
    if step < math.inf:
        most = min(most, (high - low) / step + 1)
    if scale is None and wanted <= most:
        return lambda v: v, bin_edges(rest, rule), wanted
    n_bins = max(1, int(min(wanted, most)))
    return scale or (lambda v: v), np.linspace(low, high, n_bins + 1), wanted


def _width(column: Sequence[float], rule: str) -> float:
    """The width of bins that Freedman and Diaconis, Scott or Sturges ask for."""
    n = len(column)
    if rule == "fd" and _iqr(column) > 0:
        return 2 * _iqr(column) / n ** (1 / 3)
    if rule == "scott":
        return (24 * math.pi**0.5 / n) ** (1 / 3) * _deviation(column)
    return (max(column) - min(column)) / (math.log2(n) + 1)


def _deviation(column: Sequence[float]) -> float:
    """The standard deviation, with n in the denominator, on a scale on which squares fit."""
    _, power = np.frexp(np.abs(column).max())
    return float(np.ldexp(np.std(np.ldexp(column, -power)), power))


def atoms(column: Sequence[float]) -> set[float]:
    """Values that hold more than 4 n^(2/3) of n rows, or more than half; then among the others."""
    found: set[float] = set()
    while True:
        rest = [v for v in column if v not in found]
        n = len(rest)
        most = min(4 * n ** (2 / 3), n / 2)
        new = {v for v in rest if rest.count(v) > most and n > 1}
        if not new:
            return found
        found |= new


def _stretch(rest: Sequence[float]) -> Callable[[float], float] | None:
    """The scale of values that reach beyond three interquartile ranges from the quartiles.

    Out there it is the logarithm of the distance from the median, with the slope 1 at the fence.
    """
    if not rest:
        return None
    q25, median, q75 = (float(np.percentile(rest, p)) for p in (25, 50, 75))
    low, high = q25 - 3 * (q75 - q25), q75 + 3 * (q75 - q25)
    if q25 == q75 or (low <= min(rest) and max(rest) <= high):
        return None

    def scale(v: float) -> float:
        if v > high:
            return high + (high - median) * math.log((v - median) / (high - median))
        if v < low:
            return low - (median - low) * math.log((median - v) / (median - low))
        return v

    return scale


def _index(column: Sequence[float], v: float, edges: np.ndarray) -> int | None:
    """The bin of a value, given the values that are cut and the edges."""
    low, high = float(np.min(column)), float(np.max(column))
    n_bins = len(edges) - 1
    width = (high - low) / n_bins
    if low == high:
        return 0 if v == low else None
    if v < low:
        return -1 - math.floor((low - v) / width)
    if v > high:
        return n_bins + math.floor((v - high) / width)
    # edges[i] <= v < edges[i + 1], except that the maximum is in the last bin
    return min(int(np.searchsorted(edges, v, side="right")) - 1, n_bins - 1)


def _near(i: int | str | None, j: int | str | None, reach: int) -> bool:
    """Whether two bins of one column are at most `reach` apart."""
    if isinstance(i, int) and isinstance(j, int):
        return abs(i - j) <= reach
    return i is not None and i == j


# Evidence


def middle(values: Sequence[float], category: bool = False) -> tuple[float, ...]:
    """The range of the middle 90 %: the 20th part of the values is left out at each end.

    Of a category: the most frequent ones, up to 90 % of the values or five, if these hold half.
    Missing values do not count, unless they are 90 % of all: then the range is (nan,).
    """
    present = sorted(v for v in values if not math.isnan(v))
    if len(values) > 0 and len(values) - len(present) >= 0.9 * len(values) - 1e-9:
        return (math.nan,)
    if not present:
        return ()
    if not category:
        left_out = int(len(present) / 20)
        return present[left_out], present[-1 - left_out]
    often: list[float] = []
    for v in sorted(set(present), key=lambda v: (-present.count(v), v)):
        if len(often) < 5 and sum(map(present.count, often)) < 0.9 * len(present) - 1e-9:
            often.append(v)
    return tuple(often) if sum(map(present.count, often)) >= 0.5 * len(present) else ()


def gap(X: Any, attribute: int, value: float, own: int | None = None) -> tuple[float, float] | None:
    """The values of other rows next to a value; None if one has it, or they are not far apart.

    Far apart means a tenth of the typical range, in which the value lies.
    """
    values = [float(v) for row, v in enumerate(np.asarray(X)[:, attribute]) if row != own]
    low = max((v for v in values if v < value), default=math.nan)
    high = min((v for v in values if v > value), default=math.nan)
    typical = middle(np.asarray(X)[:, attribute].tolist())
    if value in values or math.isnan(low) or math.isnan(high) or typical[0] == typical[1]:
        return None
    return (low, high) if high - low >= 0.1 * (typical[1] - typical[0]) else None


def evidence(
    X: Any,
    subspace: Sequence[int],
    point: Sequence[float],
    attribute: int,
    own: int | None = None,
    reach: Sequence[int] | None = None,
    bins: str | int = "auto",
    categories: Sequence[int] = (),
) -> tuple[tuple[float, ...], tuple[float, ...] | None, str, float, bool]:
    """Typical and expected range, direction, how far outside, roughness of a feature of an aspect.

    The expected range is that of the rows within `reach` bins in the other features. It is rough
    if these are fewer than 30, and the reach is doubled until they are not or it is 2^20 - 1.
    """
    X = np.asarray(X, dtype=np.float64)
    value, category = float(point[attribute]), attribute in categories
    typical, expected, rough = middle(X[:, attribute].tolist(), category), None, False
    if len(subspace) > 1:
        rows, rough = _rows_like(X, subspace, point, attribute, own, reach, bins, categories)
        expected = middle(X[rows, attribute].tolist(), category)
    ranges = [typical] if expected is None else [expected, typical]
    first = ranges[0]
    way, away = None, 0.0
    for found in ranges:
        inside = (
            not found
            or value in found
            or (math.isnan(value) and math.isnan(found[0]))
            or (not category and found[0] <= value <= found[-1])
        )
        if inside or way is not None:
            continue
        if category or math.isnan(value) or math.isnan(found[0]):
            way = "rare"
        else:
            way = "high" if value > found[0] else "low"
        if found is first:
            away = 1.0
            if way != "rare":
                of_all = typical[1] - typical[0] if len(typical) == 2 else 0
                width = first[1] - first[0] or of_all or abs(first[0]) or 1
                away = min(max(first[0] - value, value - first[1]) / width, 1e9)
    if way is None:
        alone = len(subspace) == 1 and (category or math.isnan(value))
        way = "rare" if alone else "between"
    return typical, expected, way, away, rough


def ordinary_values(
    X: Any,
    subspace: Sequence[int],
    point: Sequence[float],
    attribute: int,
    own: int | None = None,
    categories: Sequence[int] = (),
) -> list[float]:
    """Values of a feature of an aspect, inside its expected range, that rows like the point have.

    The rows are those of `evidence`; for a single feature they are all, and the range is typical.
    """
    X = np.asarray(X, dtype=np.float64)
    rows = list(range(len(X)))
    if len(subspace) > 1:
        rows, _ = _rows_like(X, subspace, point, attribute, own, None, "auto", categories)
    values = X[rows, attribute].tolist()
    found = middle(values, attribute in categories)
    if not found or math.isnan(found[0]):
        return [v for v in values if found and math.isnan(v)]
    if attribute in categories:
        return [v for v in values if v in found]
    return [v for v in values if found[0] <= v <= found[1]]


def _rows_like(
    X: np.ndarray,
    subspace: Sequence[int],
    point: Sequence[float],
    attribute: int,
    own: int | None,
    reach: Sequence[int] | None,
    bins: str | int,
    categories: Sequence[int],
) -> tuple[list[int], bool]:
    """Rows within `reach` bins in the other features, and whether it had to be doubled."""
    rough = False
    reaches = dict(zip(subspace, reach or [1] * len(subspace), strict=True))
    del reaches[attribute]
    index = {b: _bin_indices(X[:, b], [*X[:, b], point[b]], bins, b in categories) for b in reaches}
    while True:
        rows = [
            r
            for r in range(len(X))
            if r != own and all(_near(index[b][-1], index[b][r], k) for b, k in reaches.items())
        ]
        if len(rows) >= 30 or all(k == 2**20 - 1 for k in reaches.values()):
            return rows, rough
        rough = True
        reaches = {b: min(max(2 * k, 1), 2**20 - 1) for b, k in reaches.items()}


# Agreement of a detector


def replacement(
    score: Callable[[np.ndarray], Sequence[float]],
    scores: Sequence[float],
    X: Any,
    row: int,
    subspace: Sequence[int],
    lent: Iterable[Sequence[float]],
) -> tuple[float, float, float] | None:
    """Mean score of a row with lent values, share of the excess that is gone, percentile.

    `score` gives the scores of all rows of a table, `scores` are those of the fitted rows. The row
    has each of the lent values in turn, in its place in the table. None if its own score is not
    above the median.
    """
    own, ordered = float(score(np.array(X))[row]), sorted(map(float, scores))
    if len(scores) == len(X):
        own = float(scores[row])
    n = len(ordered)
    median = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    if own <= median:
        return None
    found = []
    for values in lent:
        table = np.array(X, dtype=np.float64)
        for a, value in zip(subspace, values, strict=True):
            table[row, a] = value
        found.append(float(score(table)[row]))
    mean = sum(found) / len(found)
    below = sum(s < mean for s in ordered)
    return mean, (own - mean) / (own - median), 100 * below / n


# Kernel density


def bandwidth(column: Any) -> float:
    """Haerdle's rule of thumb, 1.06 min(sigma, IQR / 1.34) n^(-1/5), without missing values.

    Sigma divides by n. It stands alone where the quartiles coincide; 0 for a constant column.
    """
    column = np.asarray(column, dtype=np.float64)
    column = column[~np.isnan(column)]
    if not column.size or column.min() == column.max():
        return 0.0
    mean = math.fsum(column) / len(column)
    sigma = math.sqrt(math.fsum((v - mean) ** 2 for v in column.tolist()) / len(column))
    iqr = _iqr(column)
    spread = sigma if iqr == 0 else min(sigma, iqr / 1.34)
    return 1.06 * spread * math.pow(len(column), -1 / 5)


def kde(
    X: Any, subspace: Sequence[int], points: Any = None, categories: Sequence[int] = ()
) -> list[float]:
    """Density of each point (each row of X if none are given) by a product of kernels.

    Gaussian ones for numbers. Between two categories the kernel is 1 if they are the same, or
    else 0. Two missing values are at distance 0, a missing one is infinitely far from any
    other. A constant column has no bandwidth: another value is infinitely far.
    """
    X = np.asarray(X, dtype=np.float64)
    points = X if points is None else np.asarray(points, dtype=np.float64)
    h = {a: 0.0 if a in categories else bandwidth(X[:, a]) for a in subspace}

    def kernel(a: int, v: float, w: float) -> float:
        if a in categories:
            return float(v == w or (math.isnan(v) and math.isnan(w)))
        if math.isnan(v) or math.isnan(w):
            same = math.isnan(v) and math.isnan(w)
            return (_gauss(0.0) / h[a] if h[a] > 0 else 1.0) if same else 0.0
        return _gauss((v - w) / h[a]) / h[a] if h[a] > 0 else float(v == w)

    return [
        sum(math.prod(kernel(a, q[a], x[a]) for a in subspace) for x in X.tolist()) / len(X)
        for q in points.tolist()
    ]


def kde_with_itself(
    X: Any, subspace: Sequence[int], point: Any, categories: Sequence[int] = ()
) -> float:
    """Density at a point; one that equals no row adds its own kernel to those of the n rows."""
    X, point = np.asarray(X, dtype=np.float64), np.asarray(point, dtype=np.float64)
    (value,) = kde(X, subspace, [point], categories)
    if any(np.array_equal(row, point, equal_nan=True) for row in X):
        return value
    h = {a: 0.0 if a in categories else bandwidth(X[:, a]) for a in subspace}
    return value + math.prod(_gauss(0.0) / h[a] for a in subspace if h[a] > 0) / len(X)


def _gauss(u: float) -> float:
    """The standard normal density."""
    return math.exp(-u * u / 2) / math.sqrt(2 * math.pi)


def _iqr(column: Any) -> float:
    """Third minus first quartile, both interpolated linearly."""
    return float(np.percentile(column, 75) - np.percentile(column, 25))


# Scores


def zscore(value: float, mean: float, std: float, n: int = 0) -> float:
    """How many standard deviations a value lies above the mean of n rows.

    Where nothing deviates, 0; a new row with a lower value has -sqrt(n), as if it were a row.
    """
    if std == 0:
        return -math.sqrt(n) if value < mean else 0.0
    return (value - mean) / std


def is_new(X: Any, point: Any, bins: str | int = "auto", categories: Sequence[int] = ()) -> bool:
    """Whether no row lies in the same bins as a point, in all columns."""
    X = np.asarray(X, dtype=np.float64)
    return counts(X, range(X.shape[1]), [point], 0, bins, categories) == [0]


def zscore_grid(
    X: Any,
    subspace: Sequence[int],
    point: Any,
    reach: int = 1,
    bins: str | int = "auto",
    categories: Sequence[int] = (),
) -> float:
    """Z-score of |N_s(point)| among the |N_s| of all rows; a new point counts itself."""
    (value,) = counts(X, subspace, [point], reach, bins, categories)
    value += is_new(X, point, bins, categories)
    mean, std = grid_moments(counts(X, subspace, None, reach, bins, categories))
    return zscore(value, mean, std, len(X))


def zscore_kde(
    X: Any, subspace: Sequence[int], point: Any, categories: Sequence[int] = ()
) -> float:
    """Z-score of the kernel density at a point among those at all rows.

    A standard deviation below 1e-9 of the mean is rounding and counts as 0. A new point adds its
    own kernel.
    """
    value = kde_with_itself(X, subspace, point, categories)
    densities = kde(X, subspace, None, categories)
    n = len(densities)
    mean = math.fsum(densities) / n
    std = math.sqrt(math.fsum((f - mean) * (f - mean) for f in densities) / n)
    if std < SAME * mean:
        return zscore(value, mean, 0.0, n) if value < mean * (1 - SAME) else 0.0
    return zscore(value, mean, std)


def rank(densities: Iterable[float], value: float) -> int:
    """One more than the number of rows of lower density; equal up to rounding is not lower."""
    lower = 0
    for f in densities:
        equal = abs(f - value) <= SAME * max(abs(f), abs(value))
        if f < value and not equal:
            lower += 1
    return 1 + lower


# Lift

SHARES = (0.1, 0.2, 0.35, 0.45, 0.55, 0.65)
"""Shares of all rows that a typical row has nearby, at one reach each."""


def reaches(
    X: Any, bins: str | int = "auto", categories: Sequence[int] = ()
) -> list[tuple[int, ...]]:
    """Reaches of the columns: 1 in all, then for each share the smallest one that has it.

    That is the smallest reach from 1 on at which the mean count over all rows is the share, or
    else the one beyond which no other row comes near. Equal reaches of all columns count once.
    """
    X = np.asarray(X, dtype=np.float64)
    n, d = X.shape
    found = [(1,) * d]
    for share in SHARES:
        row = []
        for a in range(d):
            index = _bin_indices(X[:, a], X[:, a], bins, a in categories)
            plain = [i for i in index if isinstance(i, int)]
            widest = max(1, max(plain) - min(plain)) if plain else 1
            reach = 1
            while reach < widest and sum(counts(X, [a], None, reach, bins, categories)) < (
                share * n * n
            ):
                reach += 1
            row.append(reach)
        found.append(tuple(row))
    return list(dict.fromkeys(found))


def lift(
    X: Any,
    subspace: Sequence[int],
    point: Any,
    new: bool,
    bins: str | int = "auto",
    categories: Sequence[int] = (),
) -> tuple[float, float]:
    """Lift and guide of a point in a subspace: the lowest of all reaches, each on its own."""
    X = np.asarray(X, dtype=np.float64)
    n_others = len(X) if new else max(1, len(X) - 1)
    lifts, guides = [], []
    for reach in reaches(X, bins, categories):

        def others(s: Sequence[int], reach: Sequence[int] = reach) -> int:
            return near_at(X, s, point, reach, bins, categories) - (not new)

        here = others(subspace)
        if len(subspace) == 1:
            (a,) = subspace
            expected = sum(counts(X, [a], None, reach[a], bins, categories)) / len(X) - 1
        else:
            expected = min(
                others([b for b in subspace if b != a]) * others([a]) / n_others for a in subspace
            )
        c = 1 + len(subspace) / 2
        lifts.append((here + c) / (expected + c))
        guides.append(0.0)
        if here < expected:
            guides[-1] = here - expected - (here * math.log(here / expected) if here else 0.0)
    return min(lifts), min(guides)


def near_at(
    X: Any,
    subspace: Sequence[int],
    point: Any,
    reach: Sequence[int],
    bins: str | int = "auto",
    categories: Sequence[int] = (),
) -> int:
    """Rows of X near a point in every dimension of s, within the reach of each column."""
    near = [True] * len(X)
    for a in subspace:
        index = _bin_indices(X[:, a], X[:, a], bins, a in categories)
        (here,) = _bin_indices(X[:, a], [point[a]], bins, a in categories)
        near = [
            is_near and _near(here, i, reach[a]) for is_near, i in zip(near, index, strict=True)
        ]
    return sum(near)


def sinne(draws: Sequence[Any], subspace: Sequence[int], point: Any) -> float:
    """SiNNE of Samariya et al.: the share of draws of rows in which no ball holds the point.

    Each row of a draw is the centre of a ball that reaches to the nearest other row of the draw.
    """

    def distance(one: Any, other: Any) -> float:
        return math.sqrt(sum((one[a] - other[a]) ** 2 for a in subspace))

    isolated = 0
    for rows in draws:
        held = False
        for i, centre in enumerate(rows):
            radius = min(distance(centre, other) for j, other in enumerate(rows) if j != i)
            held = held or distance(centre, point) <= radius
        isolated += not held
    return isolated / len(draws)


# Searches


def beam(
    score: Callable[[Subspace], float],
    n_features: int,
    max_dim: int = 5,
    width: int = 100,
    top_k: int = 10,
    tau: float = math.inf,
    guide: Callable[[Subspace], float] | None = None,
) -> Found:
    """Algorithm 1: score all single attributes and pairs, then grow the best pairs level by level.

    Each level keeps its best `width`, by the guide if there is one; the result is the best of
    everything that was scored.
    """
    follow = guide or score
    seen = {s: score(s) for s in _subspaces(n_features, min(2, max_dim))}
    level = _sorted({s: follow(s) for s in seen if len(s) == 2})[:width]
    for _ in range(3, max_dim + 1):
        children: dict[Subspace, float] = {}
        for parent, _score in level:
            for a in range(n_features):
                child = tuple(sorted({*parent, a}))
                if a not in parent and child not in children:
                    children[child] = score(child)
        seen.update(children)
        level = _sorted({s: follow(s) for s in children})[:width]
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


# Many rows: groups and pictures


def reasons(
    aspects: Sequence[tuple[Subspace, float, Sequence[Any]]], blame: dict[int, float] | None = None
) -> list[dict[str, Any]]:
    """Reasons of a row, that of its headline first, from the aspects told of it.

    An aspect is given by its columns, strength and evidence, column by column (value, typical,
    expected, direction, outside), or none. `blame` is the weight of each column in the row. A
    reason has `columns`, a `way`, a `weight` (1 for the first reason), and is `alone` or not. Its
    `places` are those of its aspects, first the aspect that tells it.
    """
    findings: list[dict[str, Any]] = []
    for place, (columns, strength, evidence) in enumerate(aspects):
        if not evidence:
            continue
        i = _blamed(columns, evidence, blame or {})
        direction, outside = evidence[i][3:5]
        key: Any = columns[i], direction
        if direction == "between" and len(columns) > 1:
            key = columns
        for finding in findings:
            if finding["key"] == key:
                break
        else:
            finding = {"key": key, "told": []}
            findings.append(finding)
        finding["told"].append((place, columns, strength, evidence[i], columns[i], outside))
    for finding in findings:
        told = finding["told"]
        finding["strength"] = max(one[2] for one in told)
        equal = [one for one in told if one is told[0] or one[2] >= 0.75 * finding["strength"]]
        single = [one for one in equal if len(one[1]) == 1]
        best = single[0] if single else max(equal, key=lambda one: one[5])
        finding["best"], finding["alone"] = best, bool(single) or _far(*best[3][:2], best[3][3])
    if findings and findings[0]["alone"]:
        least = 0.75 * findings[0]["strength"]
        equal = [one for one in findings if one["alone"] and one["strength"] >= least]
        first = max(equal, key=lambda one: one["best"][5])
        findings = [first, *(one for one in findings if one is not first)]
    found: list[dict[str, Any]] = []
    for finding in findings:
        place, columns, _, one, column, outside = finding["best"]
        way, alone = _way(*one[:4]), finding["alone"]
        if way == "between" and len(columns) > 1 and outside <= 0:
            alone = True
        else:
            columns = (column,)
        places = [place, *(one[0] for one in finding["told"] if one[0] != place)]
        for other in found:
            if (other["columns"], other["way"], other["alone"]) == (columns, way, alone):
                other["places"] += places
                break
        else:
            reason = {"columns": columns, "way": way, "alone": alone, "places": places}
            found.append({**reason, "strength": finding["strength"]})
    if not findings:
        for place, (columns, strength, _) in enumerate(aspects):
            reason = {"columns": columns, "way": "", "alone": True, "places": [place]}
            found.append({**reason, "strength": strength})
    for reason in found:
        first_strength = found[0]["strength"]
        share = reason["strength"] / first_strength if first_strength > 0 else 1.0
        reason["weight"] = min(1.0, share)
    return found


def _blamed(columns: Subspace, evidence: Sequence[Any], blame: dict[int, float]) -> int:
    """Place of the column to blame: outside, of most weight, not between, farthest outside."""
    best = 0
    for i in range(len(columns)):
        orders = [
            (one[4] > 0, blame.get(columns[k], 0.0), one[3] != "between", one[4])
            for k, one in ((i, evidence[i]), (best, evidence[best]))
        ]
        if orders[0] > orders[1]:
            best = i
    return best


def _far(value: Any, typical: Any, direction: str) -> bool:
    """Whether a number is as far outside of its typical range as that is wide."""
    if not isinstance(value, float) or [type(end) for end in typical] != [float, float]:
        return False
    low, high = typical
    away = {"high": value - high, "low": low - value}.get(direction, 0.0)
    return away > 0 and away >= high - low


def _way(value: Any, typical: Any, expected: Any, direction: str) -> str:
    """How a value is odd."""
    if value is None:
        return "missing"
    usual = typical if expected is None else expected
    return "given" if tuple(usual) == (None,) else direction


def groups(
    rows: Sequence[Sequence[tuple[Subspace, float, Sequence[Any]]]],
    blame: Sequence[dict[int, float]] | None = None,
) -> list[tuple[tuple[Subspace, str, bool], list[int], list[int]]]:
    """Groups of rows, of which the aspects told are given: reason, rows and the aspects' places."""
    told = [reasons(aspects, blame[i] if blame else {}) for i, aspects in enumerate(rows)]
    firsts = [
        tuple(one[0][name] for name in ("columns", "way", "alone")) if one else None for one in told
    ]

    def value(i: int) -> Any:
        columns, _, evidence = rows[i][told[i][0]["places"][0]]
        return evidence[columns.index(firsts[i][0][0])] if evidence else None

    found = []
    for wanted in {first for first in firsts if first is not None}:
        left = [i for i, first in enumerate(firsts) if first == wanted]
        while left:
            members = left
            if len(wanted[0]) == 1 and all(value(i) is not None for i in left):
                members = _with_equal_value([value(i) for i in left], left)
            found.append((wanted, members))
            left = [i for i in left if i not in members]
    found.sort(key=lambda group: (-len(group[1]), group[1][0]))
    return [(w, members, [told[i][0]["places"][0] for i in members]) for w, members in found]


def _with_equal_value(evidence: Sequence[Any], members: list[int]) -> list[int]:
    """Only the rows with a value that half of them and at least three have, if it stands apart."""
    values = [one[0] for one in evidence]
    for value, typical in [one[:2] for one in evidence]:
        n = values.count(value)
        if n < 3 or 2 * n < len(values) or n == len(values):
            continue
        if isinstance(value, float):
            ends = [end for end in typical if isinstance(end, float)]
            away = max(min(ends) - value, value - max(ends)) if len(ends) == 2 else 0.0
            others = [abs(v - value) for v in values if isinstance(v, float) and v != value]
            if away <= 0 or (others and min(others) <= away / 4):
                return members
        return [i for i, v in zip(members, values, strict=True) if v == value]
    return members


def picture_rows(told: Sequence[Iterable[Subspace]], picture: Subspace) -> set[int]:
    """Rows that a picture explains: they have this set, or a column of it if it has two."""
    shows = [picture, *((a,) for a in picture if len(picture) == 2)]
    return {i for i, aspects in enumerate(told) for s in shows if s in set(aspects)}


def greedy_cover(told: Sequence[Iterable[Subspace]], n_pictures: int) -> list[Subspace]:
    """Pictures, each the one that explains most rows that those before it do not."""
    candidates = {s for aspects in told for s in aspects}
    chosen: list[Subspace] = []
    explained: set[int] = set()
    for _ in range(n_pictures):
        gains = {s: len(picture_rows(told, s) - explained) for s in candidates}
        if not gains or max(gains.values()) == 0:
            break
        best = min(candidates, key=lambda s: (-gains[s], len(s), s))
        chosen.append(best)
        explained |= picture_rows(told, best)
    return chosen


def best_cover(told: Sequence[Iterable[Subspace]], n_pictures: int) -> int:
    """Most rows that so many pictures can explain, of all choices."""
    candidates = sorted({s for aspects in told for s in aspects})
    choices = itertools.combinations(candidates, min(n_pictures, len(candidates)))
    return max(
        (len(set().union(*(picture_rows(told, s) for s in choice))) for choice in choices),
        default=0,
    )


# ---------------------------------------------------------------- a consensus of detectors


def consensus(known, scores):
    """Mean over detectors of the rank of each score among the known ones, ties shared."""
    means = []
    for i in range(len(scores[0])):
        ranks = []
        for those, new in zip(known, scores, strict=True):
            below = sum(1 for one in those if one < new[i])
            equal = sum(1 for one in those if one == new[i])
            ranks.append((below + (equal + 1) / 2) / len(those))
        means.append(sum(ranks) / len(ranks))
    return means
