"""Lifts on a grid from bitsets: for the candidates of a beam, and for reported aspects.

A beam search asks `LiftScore` for many subspaces: on all rows or, for large tables, on a sample.
`judge` counts all rows, for the few reported subspaces.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._kernels import tuned
from .._kernels.arguments import WordArray
from .._kernels.lift import count_alone, score_counts
from .._util.parallel import run, scale_tick
from .._util.types import FloatArray, IntArray, Mask, Subspace, Tick
from ..counting.subsets import Asked, CountArray, count_subsets
from .base import Candidates, Evaluation, LevelScore
from .known_counts import KnownCounts
from .lift import constant

if TYPE_CHECKING:
    from ..density import Grid

EXPLORED = 65_536
"""Most rows that a search counts; it takes a sample of so many rows from a larger table."""

# Bytes for the rows near the queries of one batch.
_BATCH_BYTES = 64 * 2**20


class Boxes(NamedTuple):
    """The boxes around one query, and whether the rows inside include the query."""

    low: IntArray  # (n_reaches, n_features): first code near the query in each column
    high: IntArray  # the last one
    alone: FloatArray  # (n_reaches, n_features): rows near in each column alone, of all rows
    itself: bool

    @classmethod
    def of(cls, density: Grid, reaches: IntArray, points: FloatArray, new: Mask) -> list[Boxes]:
        """Return the boxes of each query, at reaches (n_reaches, n_features)."""
        low, high = density.boxes(points, reaches)
        alone = density.counts_alone(low, high)
        ends = zip(low, high, alone, ~new, strict=True)
        return [cls(first, last, rows, bool(itself)) for first, last, rows, itself in ends]


class LiftScore(LevelScore):
    """`lift` on a grid, for the queries of a beam search.

    Above `EXPLORED` rows it counts a fixed sample of that size. The lifts of single attributes
    stay exact, the others are estimates; `judge` counts all rows.

    Parameters
    ----------
    density : Grid
        Fitted.
    points : ndarray of shape (n_queries, n_features)
    new : ndarray of bool, shape (n_queries,), optional
        Mask of the new points, which are no fitted rows; by default those that the density
        can tell from every fitted row.
    explored : int, optional
        Rows of the sample, by default `EXPLORED`.
    """

    def __init__(
        self,
        density: Grid,
        points: FloatArray,
        new: Mask | None = None,
        explored: int | None = None,
    ) -> None:
        explored = EXPLORED if explored is None else explored
        self.density, self.points = density, points
        self.new = new = ~density.holds(points) if new is None else new
        self.reaches = density.reaches()
        self.sampled = density.n_rows_ > explored
        looked_at = density.rows_.explored(explored)
        self.itself = ~new
        if self.sampled:
            self.itself = self.itself & looked_at.hold(*density.own_bins(points))
        self.n_others = np.maximum(1, looked_at.n_rows - self.itself)
        self.boxes = Boxes.of(density, self.reaches, points, self.new)
        bits = [looked_at.load(box.low, box.high) for box in self.boxes]
        self.bits = np.stack(bits)
        self.alone = np.empty(self.bits.shape[:3], dtype=np.uint64)
        for bits, alone in zip(self.bits, self.alone, strict=True):
            count_alone(bits, alone)
        self._known: dict[int, KnownCounts] = {}  # by size: the last level and the one before

    @staticmethod
    def batch_size(density: Grid) -> int:
        """Most queries to search together: their bits take at most 64 MB."""
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
                _judge_single(self.density, self.reaches, subspaces[:, 0], box)[0]
                for box in self.boxes
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
        """Return all lifts of pairs of a query and a subspace, and the guide.

        Parameters
        ----------
        candidates : Candidates
        n_best, limits, n_parts
            Ignored.
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
        """Lift and guide of pairs, sorted by query: (n_pairs, 2)."""
        out = np.empty((query.size, 2))
        k, n_features = subspaces.shape[1], self.points.shape[1]
        known = self._known_before(k)
        self._known = {k - 1: known, k: self._known.get(k) or KnownCounts(n_features, k)}
        counted: list[tuple[int, IntArray, CountArray]] = []
        step = _pairs_at_once(self.bits[0], k)
        ends = np.searchsorted(query, np.arange(len(self.points) + 1))

        def score(q: int, begin: int, end: int) -> int:
            part = subspaces[place[begin:end]]
            counts = count_subsets(self.bits[q], part, *known.without_one(q, part))
            counted.append((q, part, counts[:, :, 0]))
            figures = _score_counted(counts, self.alone[q], part, self.itself[q], self.n_others[q])
            out[begin:end] = figures[:, :2]
            return end - begin

        pieces = (
            (q, begin, min(begin + step, ends[q + 1]))
            for q in range(len(self.points))
            for begin in range(ends[q], ends[q + 1], step)
        )
        run(score, pieces, self.density.n_jobs, tick)
        for q, part, counts in counted:
            self._known[k].add(q, part, counts)
        return out

    def _known_before(self, k: int) -> KnownCounts:
        """Kept counts of the subspaces of k - 1 attributes."""
        if k - 1 not in self._known:
            known = KnownCounts(self.points.shape[1], k - 1)
            if k == 2:
                for q, alone in enumerate(self.alone):
                    known.add(q, np.arange(alone.shape[1])[:, None], alone.T)
            return known
        return self._known[k - 1]


class LiftFigures(NamedTuple):
    """The lift of a subspace, and its counts without the query itself."""

    lift: float
    n_near: float
    n_expected: float
    reach: tuple[int, ...]


def judge(
    density: Grid,
    reaches: IntArray,
    boxes: list[Boxes],
    subspaces: list[list[Subspace]],
    tick: Tick | None = None,
) -> list[list[LiftFigures]]:
    """Return lifts of subspaces for each query, counted on all rows.

    Parameters
    ----------
    density : Grid
        Fitted.
    reaches : ndarray of shape (n_reaches, n_features)
    boxes : list of Boxes
        Around each query, at these reaches.
    subspaces : list of lists of tuples of int
        The subspaces of each query.
    tick : callable, optional
        Called now and then; an exception it raises ends the work.

    Returns
    -------
    list of lists of LiftFigures
    """
    levels = [_by_size(of_query) for of_query in subspaces]
    asked = [
        Asked(box.low, box.high, {k: level for k, (_, level) in its.items() if k > 1})
        for box, its in zip(boxes, levels, strict=True)
    ]
    counts = density.rows_.count_subsets(asked, density.n_jobs, tick)
    figures = []
    for box, its, one, counted in zip(boxes, levels, asked, counts, strict=True):
        found = _judge_sets(density, box, one.levels, counted)
        if 1 in its:
            attributes = its[1][1][:, 0]
            found[1] = np.column_stack(_judge_single(density, reaches, attributes, box))
        figures.append(_in_order(its, found, reaches))
    return figures


def _by_size(subspaces: list[Subspace]) -> dict[int, tuple[list[int], IntArray]]:
    """Places of subspaces and the subspaces themselves (m, k), by their size k."""
    places: dict[int, list[int]] = defaultdict(list)
    # Sorted: consecutive subspaces that begin with the same attributes share work.
    for i in sorted(range(len(subspaces)), key=subspaces.__getitem__):
        places[len(subspaces[i])].append(i)
    return {k: (its, np.array([subspaces[i] for i in its])) for k, its in places.items()}


def _in_order(
    levels: dict[int, tuple[list[int], IntArray]], found: dict[int, FloatArray], reaches: IntArray
) -> list[LiftFigures]:
    """Figures (m, 4) of each size, in the original order of the subspaces."""
    figures: dict[int, LiftFigures] = {}
    for k, (places, level) in levels.items():
        for i, subspace, row in zip(places, level, found[k].tolist(), strict=True):
            lift_, count, expected, r = row
            reach = tuple(reaches[int(r), subspace].tolist())
            figures[i] = LiftFigures(lift_, count, expected, reach)
    return [figures[i] for i in range(len(figures))]


def _judge_single(
    density: Grid, reaches: IntArray, attributes: IntArray, box: Boxes
) -> tuple[FloatArray, FloatArray, FloatArray, IntArray]:
    """Lift, count, expected count and reach of single attributes for one query, of all rows."""
    counts = box.alone[:, attributes] - box.itself
    expected = density.mean_counts(reaches)[:, attributes] - 1.0
    lifts = (counts + constant(1)) / (expected + constant(1))
    best = lifts.argmin(axis=0)
    at = best, np.arange(attributes.size)
    return lifts[at], counts[at], expected[at], best


def _judge_sets(
    density: Grid, box: Boxes, levels: dict[int, IntArray], counts: dict[int, CountArray]
) -> dict[int, FloatArray]:
    """Lift, count, expected count and reach of subspaces, by size: (m, 4) for each size."""
    alone, n_others = box.alone.astype(np.uint64), max(1, density.n_rows_ - box.itself)
    return {
        k: _score_counted(counts[k], alone, level, box.itself, n_others)[:, [0, 2, 3, 4]]
        for k, level in levels.items()
    }


def _score_counted(
    counts: CountArray, alone: WordArray, subspaces: IntArray, itself: bool, n_others: int
) -> FloatArray:
    """Lift, guide, count, expected count and reach of subspaces (m, k), k > 1: (m, 5)."""
    out = np.empty((len(subspaces), 5))
    added = constant(subspaces.shape[1])
    score_counts(counts, alone, subspaces, float(itself), float(n_others), added, out)
    return out


def _pairs_at_once(bits: WordArray, k: int) -> int:
    """Pairs of a query and a subspace that a thread scores at once."""
    words = bits.shape[0] * bits.shape[2] * (k + 1)
    return max(64, min(16_384, int(tuned.POINT_PIECE // words)))
