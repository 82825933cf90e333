"""Lift: rows nearby as a share of those that the features apart would lead one to expect.

Let N_s be the number of other rows near a query in every attribute of s, out of n other rows. If an
attribute a had nothing to do with the rest of s, s would hold E = N_{s without a} * N_a / n of
them. For the attribute that is needed least, the one with the lowest E,

    lift(s) = (N_s + c) / (E + c),    c = 1 + k / 2

with k attributes in s: few rows say little, and the less the more subspaces of that size there are
to choose from. An attribute that is not needed makes it about 1, so that supersets of an outlying
attribute drop out by themselves. For one attribute, E is the mean of N_s over all rows. The lift is
the lowest one of several reaches (`density.reaches`). It needs the query's own counts only, no
statistics of all rows, and counts add up over the parts of a table.

A beam that follows lifts loses its way among many attributes. It follows the *guide* instead, which
grows with the number of rows that are missing and not only with their share: the logarithm of
Chernoff's bound on finding N_s rows or fewer where E are expected,

    guide(s) = N_s - E - N_s * log(N_s / E)    if N_s < E, else 0,

again the lowest one of the reaches.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._kernels import tuned
from .._kernels.lift import count_alone, score_counts
from .._util.parallel import run, scale_tick
from .._util.types import FloatArray, IntArray, Mask, Subspace, Tick
from ..counting.points import count_subsets, load_boxes
from ..exceptions import InvalidInputError
from .base import Candidates, Evaluation, LevelScore

if TYPE_CHECKING:
    from ..density import Density, Grid

EXPLORED = 65_536
"""Rows up to which a search looks at all of them, and else the size of the sample."""

# Bytes for the rows near the queries of one batch.
_BATCH_BYTES = 64 * 2**20

# Rows whose bits are in memory at once when all rows are counted.
_BLOCK = 65_536


def constant(k: int) -> float:
    """What is added to both counts in a subspace of k attributes."""
    return 1.0 + 0.5 * k


def lift(density: Density, subspaces: Any, points: Any, tick: Tick | None = None) -> FloatArray:
    """Rows near each point as a share of those expected, both plus a constant.

    Parameters
    ----------
    density : Density
        Fitted; one whose densities are counts (`measure`).
    subspaces : array-like of int, shape (m, k)
    points : array-like of shape (q, n_features)
    tick : callable, optional
        Gets the number of subspaces done, now and then.

    Returns
    -------
    ndarray of shape (m, q)

    Examples
    --------
    >>> from pyod_aspects.density import SGrid
    >>> X = [[i, i] for i in range(30)] + [[2, 27]]
    >>> lift(SGrid().fit(X), [(0,), (0, 1)], X[-1:]).round(2)
    array([[0.82],
           [0.44]])
    """
    if density.measure != "count":
        raise InvalidInputError(
            f"lift needs a density that counts rows, as SGrid does: {type(density).__name__} has "
            "none; use zscore."
        )
    array, values = np.asarray(subspaces), density._check_points(points)
    itself = density.holds(values).astype(np.float64)
    n_others = np.maximum(1, density.n_rows_ - itself)
    k = array.shape[1]
    lowest = np.full((len(array), len(values)), np.inf)
    reaches = _reaches_of(density)
    for i, reach in enumerate(reaches):

        def count(attributes: IntArray, reach: IntArray | None = reach) -> FloatArray:
            return density.near(attributes, values, reach) - itself

        near = count(array)
        if k == 1:
            expected = (_mean_counts(density, reach)[array[:, 0]] - 1.0)[:, None]
        else:
            without = (count(np.delete(array, j, axis=1)) for j in range(k))
            alone = (count(array[:, [j]]) for j in range(k))
            products = [rest * one for rest, one in zip(without, alone, strict=True)]
            expected = np.min(products, axis=0) / n_others
        lowest = np.minimum(lowest, (near + constant(k)) / (expected + constant(k)))
        if tick is not None:
            tick((i + 1) * len(array) // len(reaches))
    return lowest


def _reaches_of(density: Density) -> list[IntArray | None]:
    """Reaches of a grid; another density has one neighbourhood only."""
    reaches = getattr(density, "reaches", None)
    return [None] if reaches is None else list(reaches())


def _mean_counts(density: Density, reach: IntArray | None) -> FloatArray:
    """Mean counts in each column alone, the row itself included."""
    means = getattr(density, "mean_counts", None)
    if means is not None and reach is not None:
        return np.asarray(means(reach[None])[0])
    single = np.arange(density.n_features_in_)[:, None]
    nobody = np.empty((0, density.n_features_in_))
    return density.moments(single, nobody)[1]


class LiftFigures(NamedTuple):
    """The lift of a subspace, and the counts behind it without the query itself."""

    lift: float
    n_near: float
    n_expected: float
    reach: tuple[int, ...]


class LiftScore(LevelScore):
    """`lift` on a grid, for queries: what a beam search asks.

    Above `EXPLORED` rows it looks at a fixed sample of so many rows. Then the lifts of single
    attributes are exact and others are estimates; `judge` counts all rows.

    Parameters
    ----------
    density : Grid
        Fitted.
    points : ndarray of shape (n_queries, n_features)
    new : ndarray of bool, shape (n_queries,), optional
        Which of them are no fitted rows; if not given, those that the density can tell from all.
    explored : int, default=65536
        Rows of the sample.
    """

    def __init__(
        self,
        density: Grid,
        points: FloatArray,
        new: Mask | None = None,
        explored: int = EXPLORED,
    ) -> None:
        self.density, self.points = density, points
        self.new = new = ~density.holds(points) if new is None else new
        self.reaches = density.reaches()
        self.sampled = density.n_rows_ > explored
        rows = density.sample(explored) if self.sampled else None
        self.itself = ~new
        if rows is not None:
            self.itself = self.itself & density.holds(points, rows)
        n_rows = density.n_rows_ if rows is None else len(rows)
        self.n_others = np.maximum(1, n_rows - self.itself)
        self.bits = np.stack([_load(density, point, self.reaches, rows) for point in points])
        self.alone = np.empty(self.bits.shape[:3], dtype=np.uint64)
        for bits, alone in zip(self.bits, self.alone, strict=True):
            count_alone(bits, alone)

    @staticmethod
    def batch_size(density: Grid) -> int:
        """Most queries that are searched together: their bits take no more than 64 MB."""
        words = -(-min(density.n_rows_, EXPLORED) // 64)
        of_one = 8 * words * density.reaches().size
        return max(1, min(64, _BATCH_BYTES // of_one))

    def __call__(self, subspaces: IntArray, tick: Tick | None = None) -> FloatArray:
        """Lifts of subspaces (m, k) for all queries: (m, n_queries)."""
        return self.evaluate(subspaces, tick).scores

    def evaluate(self, subspaces: IntArray, tick: Tick | None = None) -> Evaluation:
        """Lifts of subspaces (m, k) for all queries, and the guide."""
        m, n_queries = len(subspaces), len(self.points)
        if subspaces.shape[1] == 1:
            figures = [
                judge_single(self.density, self.reaches, subspaces[:, 0], point, new)[0]
                for point, new in zip(self.points, self.new, strict=True)
            ]
            lifts = np.array(figures).T.reshape(m, n_queries)
            return Evaluation.without_figures(lifts)._replace(guide=lifts)
        query = np.repeat(np.arange(n_queries), m)
        place = np.tile(np.arange(m), n_queries)
        out = self._score(subspaces, query, place, scale_tick(tick, n_queries, 1))
        lifts, guide = out.reshape(n_queries, m, 2).transpose(2, 1, 0)
        return Evaluation.without_figures(lifts)._replace(guide=guide)

    def among_best(
        self,
        candidates: Candidates,
        n_best: int,
        limits: FloatArray,
        n_parts: int = 1,
        tick: Tick | None = None,
    ) -> Evaluation:
        """Lifts of pairs of a query and a subspace, and the guide; all of them.

        Parameters
        ----------
        candidates : Candidates
        n_best, limits, n_parts
            Not looked at.
        tick : callable, optional

        Returns
        -------
        Evaluation
        """
        subspaces, query, place = candidates
        by_query = np.argsort(query.astype(np.uint16), kind="stable")
        out = np.empty((query.size, 2))
        part = scale_tick(tick, query.size, len(subspaces))
        out[by_query] = self._score(subspaces, query[by_query], place[by_query], part)
        unknown = np.broadcast_to(np.nan, query.size), np.broadcast_to(np.nan, len(subspaces))
        return Evaluation(out[:, 0], unknown[0], unknown[1], unknown[1], out[:, 1])

    def _score(
        self, subspaces: IntArray, query: IntArray, place: IntArray, tick: Tick | None
    ) -> FloatArray:
        """Lift and guide of pairs, which are sorted by query: (n_pairs, 2)."""
        out = np.empty((query.size, 2))
        step = _pairs_at_once(self.bits[0], subspaces.shape[1])
        ends = np.searchsorted(query, np.arange(len(self.points) + 1))

        def score(q: int, begin: int, end: int) -> int:
            part = subspaces[place[begin:end]]
            out[begin:end] = _score_subsets(
                self.bits[q], self.alone[q], part, self.itself[q], self.n_others[q]
            )[:, :2]
            return end - begin

        pieces = (
            (q, begin, min(begin + step, ends[q + 1]))
            for q in range(len(self.points))
            for begin in range(ends[q], ends[q + 1], step)
        )
        run(score, pieces, self.density.n_jobs, tick)
        return out


def judge(
    density: Grid,
    reaches: IntArray,
    point: FloatArray,
    new: bool,
    subspaces: list[Subspace],
) -> list[LiftFigures]:
    """Lifts of subspaces for one query, counted on all rows.

    Parameters
    ----------
    density : Grid
        Fitted.
    reaches : ndarray of shape (n_reaches, n_features)
    point : ndarray of shape (n_features,)
    new : bool
        Whether the query is no fitted row.
    subspaces : list of tuples of int

    Returns
    -------
    list of LiftFigures
    """
    places: dict[int, list[int]] = defaultdict(list)
    for i, subspace in enumerate(subspaces):
        places[len(subspace)].append(i)
    levels = {k: np.array([subspaces[i] for i in its]) for k, its in places.items()}
    found: dict[int, FloatArray] = {}
    if 1 in levels:
        attributes = levels.pop(1)[:, 0]
        found[1] = np.column_stack(judge_single(density, reaches, attributes, point, new))
    if levels:
        found |= _judge_sets(density, reaches, point, new, levels)
    figures: dict[int, LiftFigures] = {}
    for k, rows in found.items():
        for i, (lift_, count, expected, r) in zip(places[k], rows.tolist(), strict=True):
            reach = tuple(reaches[int(r), list(subspaces[i])].tolist())
            figures[i] = LiftFigures(lift_, count, expected, reach)
    return [figures[i] for i in range(len(subspaces))]


def judge_single(
    density: Grid, reaches: IntArray, attributes: IntArray, point: FloatArray, new: bool
) -> tuple[FloatArray, FloatArray, FloatArray, IntArray]:
    """Lift, count, expected count and reach of single attributes for one query, of all rows."""
    counts = density.counts_alone(point, reaches)[:, attributes] - (not new)
    expected = density.mean_counts(reaches)[:, attributes] - 1.0
    lifts = (counts + constant(1)) / (expected + constant(1))
    best = lifts.argmin(axis=0)
    at = best, np.arange(attributes.size)
    return lifts[at], counts[at], expected[at], best


def _judge_sets(
    density: Grid, reaches: IntArray, point: FloatArray, new: bool, levels: dict[int, IntArray]
) -> dict[int, FloatArray]:
    """Lift, count, expected count and reach of subspaces, by size: (m, 4) for each size."""
    used = np.unique(np.concatenate([level.ravel() for level in levels.values()]))
    numbered = {k: np.searchsorted(used, level) for k, level in levels.items()}
    counts: dict[int, Any] = dict.fromkeys(levels, 0)
    row_of = density.table_.row_of
    for begin in range(0, row_of.size, _BLOCK):
        bits = _load(density, point, reaches, row_of[begin : begin + _BLOCK], used)
        for k, level in numbered.items():
            counts[k] = counts[k] + count_subsets(bits, level)
    alone = density.counts_alone(point, reaches)[:, used].astype(np.uint64)
    itself = not new
    found = {}
    for k, level in numbered.items():
        out = np.empty((len(level), 5))
        n_others = max(1, density.n_rows_ - itself)
        score_counts(counts[k], alone, level, float(itself), float(n_others), constant(k), out)
        found[k] = out[:, [0, 2, 3, 4]]
    return found


def _load(
    density: Grid,
    point: FloatArray,
    reaches: IntArray,
    rows: IntArray | npt.NDArray[np.int32] | None,
    attributes: IntArray | None = None,
) -> npt.NDArray[np.uint64]:
    """Rows near one query at each reach, in each attribute: (n_reaches, d, n_words)."""
    ends = [density.intervals(point[None], reach) for reach in reaches]
    low, high = (np.concatenate(side) for side in zip(*ends, strict=True))
    return load_boxes(density.table_, low, high, rows, attributes)


def _score_subsets(
    bits: npt.NDArray[np.uint64],
    alone: npt.NDArray[np.uint64],
    subspaces: IntArray,
    itself: bool,
    n_others: int,
) -> FloatArray:
    """Lift, guide, count, expected count and reach of subspaces (m, k), k > 1: (m, 5)."""
    out = np.empty((len(subspaces), 5))
    counts = count_subsets(bits, subspaces)
    added = constant(subspaces.shape[1])
    score_counts(counts, alone, subspaces, float(itself), float(n_others), added, out)
    return out


def _pairs_at_once(bits: npt.NDArray[np.uint64], k: int) -> int:
    """Pairs of a query and a subspace that a thread scores at once."""
    words = bits.shape[0] * bits.shape[2] * (k + 1)
    return max(64, min(16_384, int(tuned.POINT_PIECE // words)))
