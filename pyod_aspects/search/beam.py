"""Beam search over subspaces, level by level (Algorithm 1 of the paper).

The search scores all subspaces of one and two attributes, and of every further level only the
extensions of a query's `width` best subspaces. All queries advance together: the search scores a
subspace once for all queries that ask for it. A score may have a guide: the beam then follows the
subspaces with the lowest guide and returns those with the lowest score.
"""

from __future__ import annotations

from numbers import Real
from typing import NamedTuple

import numpy as np

from .._util.types import FloatArray, IntArray, Progress, ProgressCallback, Tick
from ..exceptions import InvalidInputError
from ..scoring.base import LevelScore, chunks
from .aspect import Aspect
from .base import Search, check_at_least_one, preference
from .candidates import PAIRS_AT_ONCE, extensions_of, level_of_all


class BeamSearch(Search):
    """Breadth-first search that follows the best subspaces of each level.

    Parameters
    ----------
    max_dim : int, default=5
        Most attributes of a subspace.
    width : int, default=100
        Subspaces of each level that the search extends to the next.
    top_k : int, default=10
        Subspaces to return for each query, from all levels.
    tau : float, default=inf
        Only subspaces with a score below it count.
    pairs_at_once : int, default=262144
        Approximate number of pairs of a query and a subspace to generate at once. Fewer take less
        memory; the result is the same.

    Examples
    --------
    >>> import numpy as np
    >>> from pyod_aspects.scoring import FunctionScore
    >>> def score(subspaces):  # one query that stands out where attributes add up to 4
    ...     return np.abs(subspaces.sum(axis=1, keepdims=True) - 4.0)
    >>> [found.subspace for found in BeamSearch(top_k=3).search(FunctionScore(score), 6, 1)[0]]
    [(4,), (0, 4), (1, 3)]
    """

    def __init__(
        self,
        max_dim: int = 5,
        width: int = 100,
        top_k: int = 10,
        tau: float = np.inf,
        pairs_at_once: int = PAIRS_AT_ONCE,
    ) -> None:
        self.max_dim = max_dim
        self.width = width
        self.top_k = top_k
        self.tau = tau
        self.pairs_at_once = pairs_at_once

    def check(self) -> None:
        """Refuse invalid settings."""
        check_at_least_one(
            max_dim=self.max_dim,
            width=self.width,
            top_k=self.top_k,
            pairs_at_once=self.pairs_at_once,
        )
        if not isinstance(self.tau, Real) or isinstance(self.tau, bool) or np.isnan(self.tau):
            raise InvalidInputError(f"tau={self.tau!r}: expected a number.")

    def search(
        self,
        score: LevelScore,
        n_features: int,
        n_queries: int,
        progress: ProgressCallback | None = None,
    ) -> list[list[Aspect]]:
        """Return the `top_k` best subspaces of each query, best first.

        Parameters
        ----------
        score : LevelScore
        n_features, n_queries : int
        progress : callable, optional
            Gets a `Progress` now and then.

        Returns
        -------
        list of lists of Aspect
            Ties: fewer attributes first, then lexicographic.
        """
        self.check()
        run = _Run(self, score, n_features, n_queries, progress)
        for level in range(1, min(2, run.max_dim) + 1):
            run.score_all(level)
        for _ in range(3, run.max_dim + 1):
            if not any(len(beam.subspaces) for beam in run.beams):
                break  # nothing to extend: no score was finite
            run.extend()
        return [run.best_of_all_levels(q) for q in range(n_queries)]

    def best_of(self, aspects: list[Aspect]) -> list[Aspect]:
        """Return the `top_k` best aspects below `tau`, in order."""
        best = sorted((a for a in aspects if a.score < self.tau), key=preference)
        return best[: self.top_k]


# Columns of figures: those of an aspect, and the guide of the beam.
_SCORE, _GUIDE, _N_FIGURES = 0, 4, 5


class _Beam(NamedTuple):
    """Subspaces (n, k) of one size, best first, with their figures (n, 5).

    The figures of a subspace are score, density, mean, deviation and guide.
    """

    subspaces: IntArray
    figures: FloatArray

    @property
    def scores(self) -> FloatArray:
        return self.figures[:, _SCORE]

    def cut(self, n: int) -> _Beam:
        return _Beam(self.subspaces[:n], self.figures[:n])


class _Run:
    """One search: the beams of the current level and the best of all levels."""

    def __init__(
        self,
        settings: BeamSearch,
        score: LevelScore,
        n_features: int,
        n_queries: int,
        progress: ProgressCallback | None,
    ) -> None:
        self.width, self.top_k, self.tau = settings.width, settings.top_k, settings.tau
        self.pairs_at_once = settings.pairs_at_once
        self.max_dim = min(settings.max_dim, n_features)
        self.score, self.progress = score, progress
        self.n_features, self.n_queries = n_features, n_queries
        self.scored = self.most_done = 0
        # For each query: the subspaces to extend, and those to return if there is a guide.
        self.beams: list[_Beam] = []
        self.found: list[_Beam | None] = []
        # For each query: the best of each finished level.
        self.best: list[list[_Beam]] = [[] for _ in range(n_queries)]

    def best_of_all_levels(self, query: int) -> list[Aspect]:
        """Return the best aspects of all levels that are below tau."""
        levels = self.best[query]
        figures = np.concatenate([level.figures for level in levels])
        subspaces = [s for level in levels for s in level.subspaces.tolist()]
        # Smaller subspaces come first, and a stable sort keeps ties.
        order = np.argsort(figures[:, _SCORE], kind="stable")[: self.top_k]
        order = order[figures[order, _SCORE] < self.tau]
        return [
            Aspect(subspaces[i], score=score, density=density, mean=mean, std=std)
            for i, (score, density, mean, std, _) in zip(
                order.tolist(), figures[order].tolist(), strict=True
            )
        ]

    def score_all(self, level: int) -> None:
        """Score all subspaces of a level for all queries."""
        self._start_level(level)
        total, parts = level_of_all(self.n_features, level)
        done = 0
        for part in parts:
            for begin, end in chunks(len(part), self.n_queries):
                self._report(level, done + begin, total)
                tick = self._tick(level, done + begin, total)
                scores, density, mean, std, guide = self.score.evaluate(part[begin:end], tick)
                self.scored += end - begin
                for q in range(self.n_queries):
                    follow = None if guide is None else guide[:, q]
                    figures = scores[:, q], density[:, q], mean, std
                    self._keep(q, part[begin:end], figures, follow)
            done += len(part)
        self._end_level(level, total)

    def extend(self) -> None:
        """Score the extensions of every query's beam."""
        level = self.beams[0].subspaces.shape[1] + 1
        n_parts, parts = extensions_of(
            [beam.subspaces for beam in self.beams], self.n_features, self.pairs_at_once
        )
        self._start_level(level)
        size = 0
        for i, candidates in enumerate(parts):
            subspaces, query, place = candidates
            size = size or len(subspaces)  # all parts are about as large as the first
            done, total = i * size, n_parts * size
            self.most_done = done + size
            self._report(level, done, total)
            scores, density, mean, std, guide = self.score.among_best(
                candidates, *self._bounds(level), n_parts, self._tick(level, done, total)
            )
            self.scored += len(subspaces)
            # numpy sorts 16-bit numbers by radix, without comparisons; query batches are small.
            few = self.n_queries <= 2**16
            by_query = np.argsort(query.astype(np.uint16) if few else query, kind="stable")
            bounds = np.searchsorted(query[by_query], np.arange(self.n_queries + 1))
            for q in range(self.n_queries):
                pairs = by_query[bounds[q] : bounds[q + 1]]
                pairs = pairs[scores[pairs] < np.inf]
                at = place[pairs]
                follow = None if guide is None else guide[pairs]
                figures = scores[pairs], density[pairs], mean[at], std[at]
                self._keep(q, subspaces[at], figures, follow)
        self._end_level(level, n_parts * size)

    def _bounds(self, level: int) -> tuple[int, FloatArray]:
        """Most subspaces to keep for each query, and the scores above which to keep none.

        The search does not extend the last level: there only the best of all levels matter.
        """
        n_best, limits = self.width_of_level, np.full(self.n_queries, np.inf)
        earlier_scores = [beam.scores for beam in self.beams]
        if level == self.max_dim:
            n_best, limits = self.top_k, np.full(self.n_queries, float(self.tau))
            earlier_scores = [
                np.concatenate([beam.scores for beam in (*levels, beam)])
                for levels, beam in zip(self.best, self.beams, strict=True)
            ]
        for q, scores in enumerate(earlier_scores):
            if scores.size >= n_best:
                limits[q] = min(limits[q], np.partition(scores, n_best - 1)[n_best - 1])
        return n_best, limits

    def _keep(
        self,
        q: int,
        subspaces: IntArray,
        figures: tuple[FloatArray, ...],
        guide: FloatArray | None,
    ) -> None:
        """Keep the best of the scored subspaces, in lexicographic order, for a query."""
        scores = figures[0]
        if guide is None:
            short = _shortlist(scores, self.width_of_level)
            kept = _columns(*(column[short] for column in (*figures, scores)))
            self.beams[q] = _merge(self.beams[q], subspaces[short], kept, self.width_of_level)
            return
        short = _shortlist(guide, self.width)
        kept = _columns(*(column[short] for column in (*figures, guide)))
        self.beams[q] = _merge(self.beams[q], subspaces[short], kept, self.width)
        short = _shortlist(scores, self.top_k)
        kept = _columns(*(column[short] for column in (*figures, scores)))
        before = self.found[q] or self._nothing(subspaces.shape[1])
        self.found[q] = _merge(before, subspaces[short], kept, self.top_k)

    @property
    def width_of_level(self) -> int:
        return max(self.width, self.top_k)

    def _start_level(self, level: int) -> None:
        self.beams = [self._nothing(level)] * self.n_queries
        self.found = [None] * self.n_queries
        self.most_done = 2**63

    @staticmethod
    def _nothing(level: int) -> _Beam:
        return _Beam(np.empty((0, level), dtype=np.int64), np.empty((0, _N_FIGURES)))

    def _end_level(self, level: int, total: int) -> None:
        for q, (beam, found) in enumerate(zip(self.beams, self.found, strict=True)):
            self.best[q].append((found or beam).cut(self.top_k))
            self.beams[q] = beam.cut(self.width)
        self.most_done = total
        self._report(level, total, total)

    def _tick(self, level: int, done: int, total: int) -> Tick | None:
        """Return a tick that adds the finished subspaces of earlier calls."""
        if self.progress is None:
            return None
        return lambda n: self._report(level, done + n, total, self.scored + n)

    def _report(self, level: int, done: int, total: int, scored: int | None = None) -> None:
        if self.progress is not None:
            scored = self.scored if scored is None else scored
            done = min(done, self.most_done)
            self.progress(Progress(level, self.max_dim, done, total, scored))


def _columns(*columns: FloatArray) -> FloatArray:
    """Return columns side by side."""
    table = np.empty((columns[0].size, len(columns)))
    for i, column in enumerate(columns):
        table[:, i] = column
    return table


def _shortlist(values: FloatArray, n: int) -> IntArray | slice:
    """Places of values that may be among the n lowest, with all ties of the last one."""
    if values.size <= n:
        return slice(None)
    return np.flatnonzero(values <= np.partition(values, n - 1)[n - 1])


def _merge(beam: _Beam, subspaces: IntArray, figures: FloatArray, n: int) -> _Beam:
    """Merge subspaces, in lexicographic order, into a beam of the n lowest guides."""
    if len(beam.subspaces):
        subspaces = np.concatenate([beam.subspaces, subspaces])
        figures = np.concatenate([beam.figures, figures])
        order = np.lexsort((*subspaces.T[::-1], figures[:, _GUIDE]))
    else:
        order = np.argsort(figures[:, _GUIDE], kind="stable")
    order = order[:n]
    return _Beam(subspaces[order], figures[order])
