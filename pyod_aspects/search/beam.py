"""Beam search over subspaces, level by level (Algorithm 1 of the paper).

All subspaces of one and two attributes are scored; of every further level only the extensions
of a query's `width` best subspaces. All queries advance together, so that a
subspace is scored once, whichever queries ask for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator

from .._util.types import FloatArray, IntArray, Progress, ProgressCallback
from ..exceptions import InvalidInputError
from .base import Found, LevelScore, check_at_least_one
from .candidates import Part, extensions_of, level_of_all

_LARGEST_CHUNK = 1_000_000  # scores in one call: 8 MB


class BeamSearch(BaseEstimator):  # type: ignore[misc]
    """Breadth-first search that follows the best subspaces of each level.

    Parameters
    ----------
    max_dim : int, default=5
        Most attributes of a subspace.
    width : int, default=100
        Subspaces of a level that are extended to the next.
    top_k : int, default=10
        Subspaces to return for each query, from all levels.
    tau : float, default=inf
        Only subspaces with a score below it are returned.

    Examples
    --------
    >>> import numpy as np
    >>> def score(subspaces):  # one query that stands out where attributes add up to 4
    ...     return np.abs(subspaces.sum(axis=1, keepdims=True) - 4.0)
    >>> [found.subspace for found in BeamSearch(top_k=3).search(score, 6, 1)[0]]
    [(4,), (0, 4), (1, 3)]
    """

    def __init__(
        self, max_dim: int = 5, width: int = 100, top_k: int = 10, tau: float = np.inf
    ) -> None:
        self.max_dim = max_dim
        self.width = width
        self.top_k = top_k
        self.tau = tau

    def check(self) -> None:
        """Refuse settings that make no sense."""
        check_at_least_one(max_dim=self.max_dim, width=self.width, top_k=self.top_k)
        if not isinstance(self.tau, Real) or isinstance(self.tau, bool) or np.isnan(self.tau):
            raise InvalidInputError(f"tau={self.tau!r}: expected a number.")

    def search(
        self,
        score: LevelScore,
        n_features: int,
        n_queries: int,
        progress: ProgressCallback | None = None,
    ) -> list[list[Found]]:
        """Return the `top_k` best subspaces of each query, best first.

        Parameters
        ----------
        score : callable
            Takes subspaces of one size, (m, k), and returns scores (m, n_queries).
        n_features, n_queries : int
        progress : callable, optional
            Gets a `Progress` now and then.

        Returns
        -------
        list of lists of Found
            Ties: fewer attributes first, then lexicographic.
        """
        self.check()
        run = _Run(self, score, n_features, n_queries, progress)
        for level in range(1, min(2, run.max_dim) + 1):
            run.score_all(level)
        for _ in range(3, run.max_dim + 1):
            if not any(len(scores) for _, scores in run.beams):
                break  # nothing to extend: no score was finite
            run.extend()
        return [run.found(q) for q in range(n_queries)]


class _Run:
    """One search: the beams of the current level and the best of everything seen."""

    def __init__(
        self,
        settings: BeamSearch,
        score: LevelScore,
        n_features: int,
        n_queries: int,
        progress: ProgressCallback | None,
    ) -> None:
        self.width, self.top_k, self.tau = settings.width, settings.top_k, settings.tau
        self.max_dim = min(settings.max_dim, n_features)
        self.score, self.progress = score, progress
        self.n_features, self.n_queries = n_features, n_queries
        self.scored = self.most_done = 0
        self.beams: list[
            tuple[IntArray, FloatArray]
        ] = []  # per query: subspaces, scores, best first
        # Per query: the best of each level that is done.
        self.best: list[list[tuple[IntArray, FloatArray]]] = [[] for _ in range(n_queries)]

    def found(self, query: int) -> list[Found]:
        """The best of all levels that are below tau."""
        scores = np.concatenate([scores for _, scores in self.best[query]])
        subspaces = [s for level, _ in self.best[query] for s in level.tolist()]
        # Smaller subspaces come first, and a stable sort keeps ties.
        order = np.argsort(scores, kind="stable")[: self.top_k]
        order = order[scores[order] < self.tau]
        return [
            Found(tuple(subspaces[i]), score)
            for i, score in zip(order.tolist(), scores[order].tolist(), strict=True)
        ]

    def score_all(self, level: int) -> None:
        """Score all subspaces of a level for all queries."""
        self._start_level(level)
        total, parts = level_of_all(self.n_features, level)
        done = 0
        for part in parts:
            for begin, end in self._chunks(len(part)):
                scores = self._score(part[begin:end], level, done + begin, total).T
                if end - begin == total <= self.width_of_level:  # all are kept, for all queries
                    order = np.argsort(scores, axis=1, kind="stable")
                    in_order = scores[np.arange(self.n_queries)[:, None], order]
                    self.beams = list(zip(part[order], in_order, strict=True))
                    continue
                for q in range(self.n_queries):
                    self._keep(q, part[begin:end], scores[q])
            done += len(part)
        self._end_level(level, total)

    def extend(self) -> None:
        """Score the extensions of every query's beam."""
        level = self.beams[0][0].shape[1] + 1
        n_parts, parts = extensions_of([beam for beam, _ in self.beams], self.n_features)
        self._start_level(level)
        size = 0
        for i, part in enumerate(parts):
            candidates, owner, member = part
            size = size or len(candidates)  # all parts are about as large as the first
            self.most_done = (i + 1) * size
            values = self._score_pairs(part, n_parts, level, i * size, n_parts * size)
            # Numbers of 16 bits are sorted without comparing them; queries come in small batches.
            few = self.n_queries <= 2**16
            by_owner = np.argsort(owner.astype(np.uint16) if few else owner, kind="stable")
            bounds = np.searchsorted(owner[by_owner], np.arange(self.n_queries + 1))
            for q in range(self.n_queries):
                mine = by_owner[bounds[q] : bounds[q + 1]]
                mine = mine[values[mine] < np.inf]
                self._keep(q, candidates[member[mine]], values[mine])
        self._end_level(level, n_parts * size)

    def _score_pairs(
        self, part: Part, n_parts: int, level: int, done: int, total: int
    ) -> FloatArray:
        """One score for each pair of a query and a candidate; infinite: not among the best."""
        candidates, owner, member = part
        if hasattr(self.score, "among_best"):
            n_best, limits = self._wanted(level)
            self._before_scoring(level, done, total)
            values: FloatArray = self.score.among_best(
                candidates, owner, member, n_best, n_parts, limits
            )
            self.scored += len(candidates)
            return values
        values = np.empty(len(member))
        # `member` is sorted, so that a chunk of candidates is a run of pairs.
        for begin, end in self._chunks(len(candidates)):
            scores = self._score(candidates[begin:end], level, done + begin, total)
            first, last = np.searchsorted(member, [begin, end])
            values[first:last] = scores[member[first:last] - begin, owner[first:last]]
        return values

    def _wanted(self, level: int) -> tuple[int, FloatArray]:
        """Most subspaces that are wanted of each query, and the scores above which none is.

        The last level is extended no further: there only the best of all levels matter.
        """
        n_best, limits = self.width_of_level, np.full(self.n_queries, np.inf)
        known = [scores for _, scores in self.beams]
        if level == self.max_dim:
            n_best, limits = self.top_k, np.full(self.n_queries, float(self.tau))
            earlier = [[scores for _, scores in levels] for levels in self.best]
            known = [np.concatenate([*some, its]) for some, its in zip(earlier, known, strict=True)]
        for q, scores in enumerate(known):
            if scores.size >= n_best:
                limits[q] = min(limits[q], np.partition(scores, n_best - 1)[n_best - 1])
        return n_best, limits

    def _keep(self, q: int, subspaces: IntArray, scores: FloatArray) -> None:
        """Merge scored subspaces, lexicographic among themselves, into the beam of a query."""
        if scores.size > self.width_of_level:
            short = best_first(scores, self.width_of_level)
            subspaces, scores = subspaces[short], scores[short]
        beam, known = self.beams[q]
        if known.size:
            subspaces, scores = np.concatenate([beam, subspaces]), np.concatenate([known, scores])
            order = np.lexsort((*subspaces.T[::-1], scores))
        else:
            order = np.argsort(scores, kind="stable")
        order = order[: self.width_of_level]
        self.beams[q] = subspaces[order], scores[order]

    @property
    def width_of_level(self) -> int:
        return max(self.width, self.top_k)

    def _start_level(self, level: int) -> None:
        empty = np.empty((0, level), dtype=np.int64), np.empty(0)
        self.beams = [empty for _ in range(self.n_queries)]
        self.most_done = 2**63

    def _end_level(self, level: int, total: int) -> None:
        for q, (subspaces, scores) in enumerate(self.beams):
            self.best[q].append((subspaces[: self.top_k], scores[: self.top_k]))
            self.beams[q] = subspaces[: self.width], scores[: self.width]
        self.most_done = total
        self._report(level, total, total)

    def _chunks(self, total: int) -> Iterator[tuple[int, int]]:
        """Ranges of candidates whose scores fit in memory together."""
        size = max(1, _LARGEST_CHUNK // max(1, self.n_queries))
        for begin in range(0, total, size):
            yield begin, min(total, begin + size)

    def _before_scoring(self, level: int, done: int, total: int) -> None:
        self._report(level, done, total)
        if self.progress is not None and hasattr(self.score, "tick"):
            self.score.tick = lambda n: self._report(level, done + n, total, self.scored + n)

    def _score(self, subspaces: IntArray, level: int, done: int, total: int) -> FloatArray:
        self._before_scoring(level, done, total)
        scores = self.score(subspaces)
        self.scored += len(subspaces)
        return scores

    def _report(self, level: int, done: int, total: int, scored: int | None = None) -> None:
        if self.progress is not None:
            scored = self.scored if scored is None else scored
            done = min(done, self.most_done)
            self.progress(Progress(level, self.max_dim, done, total, scored))


def best_first(scores: FloatArray, n: int) -> IntArray:
    """Positions of the n lowest of more scores, all ties of the last included, in their order."""
    limit = np.partition(scores, n - 1)[n - 1]
    return np.flatnonzero(scores <= limit)
