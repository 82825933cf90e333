"""Depth-first search for minimal subspaces (OAMiner, Duan et al. 2015).

The search walks the set-enumeration tree from its last branch to its first, and so sees every
subset of a subspace before the subspace. It can then judge a subspace at once: it is minimal if
its score is below that of all its subsets. If a subset has the best possible score, nothing below
can be minimal.
"""

from __future__ import annotations

from math import comb

import numpy as np

from .._util.types import FloatArray, IntArray, Progress, ProgressCallback, Subspace, Tick
from ..scoring.base import Evaluation, LevelScore
from .aspect import Aspect
from .base import Search, check_at_least_one, preference


class DepthFirstSearch(Search):
    """Searches all subspaces up to `max_dim` attributes; returns those below all their subsets.

    Parameters
    ----------
    max_dim : int, default=5
        Most attributes of a subspace.
    top_k : int, default=10
        Subspaces to return for each query.
    best_possible : float, default=-inf
        The lowest possible score, 1 for ranks; the search prunes the tree below a subspace with it.

    Examples
    --------
    >>> import numpy as np
    >>> from pyod_aspects.scoring import FunctionScore
    >>> def score(subspaces):  # one query: first wherever attribute 2 is, second with 0 and 1
    ...     first = (subspaces == 2).any(axis=1)
    ...     second = np.isin(subspaces, [0, 1]).sum(axis=1) == 2
    ...     return np.select([first, second], [1.0, 2.0], 9.0)[:, None]
    >>> search = DepthFirstSearch(top_k=3, best_possible=1.0)
    >>> [found.subspace for found in search.search(FunctionScore(score), 4, 1)[0]]
    [(2,), (0, 1), (0,)]
    """

    def __init__(self, max_dim: int = 5, top_k: int = 10, best_possible: float = -np.inf) -> None:
        self.max_dim = max_dim
        self.top_k = top_k
        self.best_possible = best_possible

    def check(self) -> None:
        """Refuse invalid settings."""
        check_at_least_one(max_dim=self.max_dim, top_k=self.top_k)

    def search(
        self,
        score: LevelScore,
        n_features: int,
        n_queries: int,
        progress: ProgressCallback | None = None,
    ) -> list[list[Aspect]]:
        """Return the `top_k` best minimal subspaces of each query, best first.

        Parameters
        ----------
        score : LevelScore
        n_features, n_queries : int
        progress : callable, optional
            Gets a `Progress` now and then; pruned subspaces count as done.

        Returns
        -------
        list of lists of Aspect
            Ties: fewer attributes first, then lexicographic.
        """
        self.check()
        run = _Run(self, score, n_features, n_queries, progress)
        run.visit(())
        run.report(run.total, len(run.lowest))
        return run.best


class _Run:
    """One search: the scores of the subspaces seen so far."""

    def __init__(
        self,
        settings: DepthFirstSearch,
        score: LevelScore,
        n_features: int,
        n_queries: int,
        progress: ProgressCallback | None,
    ) -> None:
        self.settings, self.score, self.progress = settings, score, progress
        self.max_dim = min(settings.max_dim, n_features)
        self.n_features, self.n_queries = n_features, n_queries
        self.total = self.tree_size(n_features, self.max_dim)
        self.done = 0
        self.scored = 0
        # Lowest score of each subspace and of all its subsets; the last level needs none.
        self.lowest: dict[Subspace, FloatArray] = {}
        # The best minimal subspaces of each query so far.
        self.best: list[list[Aspect]] = [[] for _ in range(n_queries)]

    @staticmethod
    def tree_size(n_features: int, depth: int) -> int:
        """Number of subspaces with 1 to `depth` of n_features attributes."""
        return sum(comb(n_features, k) for k in range(1, depth + 1))

    def report(self, done: int, level: int, scored: int | None = None) -> None:
        if self.progress is not None:
            scored = self.scored if scored is None else scored
            self.progress(Progress(level, self.max_dim, done, self.total, scored, whole=True))

    def visit(self, parent: Subspace) -> None:
        """Score the children of a subspace, then walk below them, last one first."""
        level = len(parent) + 1
        children: list[Subspace] = []
        below: list[FloatArray] = []
        after = parent[-1] + 1 if parent else 0
        for a in range(after, self.n_features):
            child = (*parent, a)
            lowest = self._lowest_of_subsets(child)
            if (lowest > self.settings.best_possible).any():
                children.append(child)
                below.append(lowest)
        self.report(self.done, level)
        if children:
            lowest = np.array(below)
            scores, density, mean, std, _ = self._evaluate(np.array(children), lowest)
            for i, child in enumerate(children):
                for q in np.flatnonzero(scores[i] < lowest[i]):
                    figures = {"density": density[i, q], "mean": mean[i], "std": std[i]}
                    self._insert(int(q), Aspect(child, score=scores[i, q], **figures))
                if level < self.max_dim:
                    self.lowest[child] = np.minimum(scores[i], lowest[i])
            self.scored += len(children)
        self.done += self.n_features - after
        if level == self.max_dim:
            return
        kept = set(children)
        for a in range(self.n_features - 1, after - 1, -1):
            child = (*parent, a)
            if child in kept and (self.lowest[child] > self.settings.best_possible).any():
                self.visit(child)
            else:
                self.done += self.tree_size(self.n_features - 1 - a, self.max_dim - level)

    def _lowest_of_subsets(self, subspace: Subspace) -> FloatArray:
        """Lowest score of all proper subsets; a pruned subset has the best possible score."""
        lowest = np.full(self.n_queries, np.inf)
        if len(subspace) > 1:
            for i in range(len(subspace)):
                scores = self.lowest.get(subspace[:i] + subspace[i + 1 :])
                if scores is None:
                    return np.full(self.n_queries, self.settings.best_possible)
                np.minimum(lowest, scores, out=lowest)
        return lowest

    def _evaluate(self, children: IntArray, lowest: FloatArray) -> Evaluation:
        """Evaluate children, given the lowest scores of their subsets; exact if they matter.

        A minimal subspace scores below all its subsets. The search keeps it only if it is no
        worse than the worst one kept.
        """
        top_k = self.settings.top_k
        worst = [best[-1].score if len(best) == top_k else np.inf for best in self.best]
        limits = np.minimum(np.nextafter(lowest, -np.inf), np.array(worst))
        return self.score.at_most(children, limits, self._tick(children.shape[1]))

    def _tick(self, level: int) -> Tick | None:
        """Return a tick that reports the finished children."""
        if self.progress is None:
            return None
        return lambda n: self.report(self.done + n, level, self.scored + n)

    def _insert(self, q: int, aspect: Aspect) -> None:
        """Add a minimal subspace to the best of a query."""
        best = self.best[q]
        best.append(aspect)
        best.sort(key=preference)
        del best[self.settings.top_k :]
