"""Z-scores of contenders only: a sample of rows tells which subspaces need exact figures.

The number of rows near a query is exact and cheap for every subspace; its mean and standard
deviation over all rows are not. They are estimated from the counts of a fixed random sample of
rows first. Exact ones follow for every subspace whose Z-score, some standard errors lower than
estimated, could still be among the best of a query. Whatever is returned is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from .._util.types import FloatArray, IntArray
from ..density import Grid
from ..exceptions import InvalidInputError
from .scores import BoundScore, standardise, zscore

SAMPLE = 1024
"""Rows of the sample."""

STANDARD_ERRORS = 4.0
"""How far below its estimate a Z-score is expected at the most."""

_WORTH_IT = 2e9  # nanoseconds of exact work, on one thread, from which "auto" screens a level
_GAIN = 2.0  # times as much as the sample has exact work to cost, as some of it is left to do
_MOST = 300.0  # nanoseconds per row and subspace that exact figures hardly ever take
_CHUNK = 1_000_000  # counts in memory at once


def check_screen(screen: object) -> None:
    """Refuse what is neither "auto", True nor False."""
    if screen != "auto" and not isinstance(screen, bool):
        raise InvalidInputError(f"screen={screen!r}: expected 'auto', True or False.")


class ScreenedZScore(BoundScore):
    """`zscore` on a grid, which beam search may ask for the best of each query only.

    Parameters
    ----------
    density : Grid
        Fitted.
    points : ndarray of shape (n_queries, n_features)
    screen : "auto" or bool
        "auto" screens a level only if exact figures for all of it would take long.
    """

    density: Grid

    def __init__(self, density: Grid, points: FloatArray, screen: str | bool) -> None:
        super().__init__(zscore, density, points)
        self.screen = screen

    def among_best(
        self,
        subspaces: IntArray,
        query: IntArray,
        which: IntArray,
        n_best: int,
        n_parts: int = 1,
        limits: FloatArray | None = None,
    ) -> FloatArray:
        """Z-scores of pairs of a query and a subspace, exact for the n_best of each query.

        Parameters
        ----------
        subspaces : ndarray of shape (m, k)
        query, which : ndarrays of shape (n_pairs,)
            Pairs: a query and the place of a subspace; sorted by place.
        n_best : int
        n_parts : int, default=1
            As many times this work is that of the whole level.
        limits : ndarray of shape (n_queries,), optional
            Z-scores above which none matters.

        Returns
        -------
        ndarray of shape (n_pairs,)
            Infinite for pairs that are not among the best of their query, or do not matter.
        """
        counts = self._counts(subspaces, query, which)
        exact = _Exact(self.density, subspaces)
        bars = np.full(len(self.points), np.inf) if limits is None else limits.copy()
        all_wanted = np.bincount(query).max() <= n_best and np.isinf(bars).all()
        if all_wanted or not self._pays(subspaces, n_parts):
            exact.add(np.arange(len(subspaces)))
            return exact.scores(counts, which)

        with self._counting(len(subspaces), 0.0, 0.8):
            guess, error = self._estimates(subspaces, counts, which)
        lowest = guess - STANDARD_ERRORS * error
        matters = np.flatnonzero(lowest <= bars[query])
        by_query = matters[np.argsort(query[matters], kind="stable")]
        ends = np.searchsorted(query[by_query], np.arange(len(self.points) + 1))
        pairs_of = [by_query[ends[q] : ends[q + 1]] for q in range(len(self.points))]

        # The best by estimate, exactly: the worst of them is a bar that no other has to miss.
        # Those without an estimate come last here; they are worked out anyway.
        known = np.where(guess > -np.inf, guess, np.inf)
        first = [pairs[_lowest(known[pairs], n_best)] for pairs in pairs_of]
        with self._counting(len(subspaces), 0.8, 0.9):
            exact.add(np.unique(which[np.concatenate(first)]))
        scores = exact.scores(counts, which)
        for q, pairs in enumerate(pairs_of):
            if pairs.size >= n_best:
                bars[q] = min(bars[q], np.sort(scores[pairs])[n_best - 1])
        with self._counting(len(subspaces), 0.9, 1.0):
            exact.add(np.unique(which[lowest <= bars[query]]))
        return exact.scores(counts, which)

    @contextmanager
    def _counting(self, total: int, begin: float, end: float) -> Iterator[None]:
        """Report the subspaces of a stage as a part of the level, from one share to another."""
        tick = self.tick
        if tick is not None:
            self.tick = lambda n: tick(int(begin * total + (end - begin) * n))
        try:
            yield
        finally:
            self.tick = tick

    def _pays(self, subspaces: IntArray, n_parts: int) -> bool:
        if isinstance(self.screen, bool):
            return self.screen
        n = self.density.n_rows_
        worth_it = _WORTH_IT / n_parts
        if n < 8 * SAMPLE or n * len(subspaces) * _MOST < worth_it:
            return False
        cost = self.density.cost(subspaces)
        return cost > worth_it and cost > _GAIN * self.density.sampling_cost(subspaces, SAMPLE)

    def _counts(self, subspaces: IntArray, query: IntArray, which: IntArray) -> FloatArray:
        """Rows near the query of each pair, in its subspace."""
        counts = np.empty(len(query))
        step = max(1, _CHUNK // len(self.points))
        for begin in range(0, len(subspaces), step):
            first, last = np.searchsorted(which, [begin, begin + step])
            part = self.density.near(subspaces[begin : begin + step], self.points)
            counts[first:last] = part[which[first:last] - begin, query[first:last]]
        return counts

    def _estimates(
        self, subspaces: IntArray, counts: FloatArray, which: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """Z-score of each pair as the sample has it, and its standard error.

        With y the sample's own Z-scores and z that of the query, the error of z is to first
        order the mean of y + z * (y**2 - 1) / 2: one term from the mean, one from the deviation.
        """
        mean, std, skewness, kurtosis = self.density.sampled_statistics(subspaces, SAMPLE)
        known = std[which] > 0  # nothing is known of the others: they are contenders
        z = np.full(len(which), -np.inf)
        z[known] = ((counts - mean[which]) / np.where(std > 0, std, 1.0)[which])[known]
        bounded = np.where(known, z, 0.0)
        variance = 1.0 + bounded * skewness[which] + bounded**2 / 4.0 * (kurtosis[which] - 1.0)
        return z, np.sqrt(np.maximum(variance, 0.0) / SAMPLE)


class _Exact:
    """Exact mean and deviation of those subspaces of a level that were asked for."""

    def __init__(self, density: Grid, subspaces: IntArray) -> None:
        self.density, self.subspaces = density, subspaces
        self.known = np.zeros(len(subspaces), dtype=bool)
        self.mean = np.zeros(len(subspaces))
        self.std = np.zeros(len(subspaces))

    def add(self, wanted: IntArray) -> None:
        new = wanted[~self.known[wanted]]
        if new.size:
            self.mean[new], self.std[new] = self.density.statistics(self.subspaces[new])
            self.known[new] = True

    def scores(self, counts: FloatArray, which: IntArray) -> FloatArray:
        z = standardise(counts[:, None], self.mean[which], self.std[which])[:, 0]
        return np.where(self.known[which], z, np.inf)


def _lowest(values: FloatArray, n: int) -> IntArray:
    """Places of the n lowest values."""
    return np.argsort(values, kind="stable")[:n]
