"""Z-scores of contenders only: a sample of rows tells which subspaces need exact figures.

The number of rows near a query is exact and cheap for every subspace; its mean and standard
deviation over all rows are not. So the score first estimates them from a fixed random sample of
rows. It computes exact ones for every subspace whose Z-score could still be among the best of a
query if it were a few standard errors lower than estimated. All results are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._util.parallel import count_on
from .._util.types import FloatArray, IntArray, Mask, Tick
from ..exceptions import InvalidInputError
from .base import Candidates, Evaluation, chunks
from .zscore import ZScore, standard_error, standardise

if TYPE_CHECKING:
    from ..density import Grid

SAMPLE = 1024
"""Rows of the sample."""

STANDARD_ERRORS = 4.0
"""Assumed largest distance of a Z-score below its estimate, in standard errors."""

_WORTH_IT = 2e9  # nanoseconds of exact work, on one thread, from which "auto" screens a level
_GAIN = 2.0  # screen only if exact work costs at least this many times the sampling
_MOST = 300.0  # nanoseconds per row and subspace that exact figures hardly ever take


def check_screen(screen: object) -> None:
    """Refuse any value but "auto", True and False."""
    if screen != "auto" and not isinstance(screen, bool):
        raise InvalidInputError(f"screen={screen!r}: expected 'auto', True or False.")


class ScreenedZScore(ZScore):
    """`zscore` on a grid that can compute only the best of each query for a beam search.

    Parameters
    ----------
    density : Grid
        Fitted.
    points : ndarray of shape (n_queries, n_features)
    screen : "auto" or bool
        "auto" screens a level only if exact figures for all of it take long.
    new : ndarray of bool, shape (n_queries,), optional
        As for `ZScore`.
    """

    density: Grid

    def __init__(
        self, density: Grid, points: FloatArray, screen: str | bool, new: Mask | None = None
    ) -> None:
        super().__init__(density, points, new)
        self.screen = screen

    def among_best(
        self,
        candidates: Candidates,
        n_best: int,
        limits: FloatArray,
        n_parts: int = 1,
        tick: Tick | None = None,
    ) -> Evaluation:
        """Z-scores of pairs of a query and a subspace, exact for the n_best of each query.

        Parameters
        ----------
        candidates : Candidates
        n_best : int
        limits : ndarray of shape (n_queries,)
            Z-scores above which the search keeps none.
        n_parts : int, default=1
            Number of parts of the level; the candidates are one of them.
        tick : callable, optional

        Returns
        -------
        Evaluation
            Infinite Z-scores for pairs that are above the limit or not among the best of their
            query.
        """
        subspaces, query, place = candidates
        total, n_queries = len(subspaces), len(self.points)
        exact = _Exact(self.density, subspaces)
        needs_all = np.bincount(query).max() <= n_best and np.isinf(limits).all()
        if needs_all or not self._pays(subspaces, n_parts):
            counts = self._counts(candidates, None)
            exact.add(np.arange(total), tick)
            return exact.evaluate(counts, place)

        counts = self._counts(candidates, _stage(tick, total, 0.0, 0.1))
        guess, error = self._estimates(subspaces, counts, place, _stage(tick, total, 0.1, 0.8))
        lowest = guess - STANDARD_ERRORS * error
        matters = np.flatnonzero(lowest <= limits[query])
        by_query = matters[np.argsort(query[matters], kind="stable")]
        ends = np.searchsorted(query[by_query], np.arange(n_queries + 1))
        pairs_of = [by_query[ends[q] : ends[q + 1]] for q in range(n_queries)]

        # Exact figures for the best by estimate: the worst of them is a limit for all others.
        # Pairs without an estimate come last here; they get exact figures anyway.
        estimate = np.where(guess > -np.inf, guess, np.inf)
        first = [pairs[_lowest(estimate[pairs], n_best)] for pairs in pairs_of]
        exact.add(np.unique(place[np.concatenate(first)]), _stage(tick, total, 0.8, 0.9))
        scores = exact.evaluate(counts, place).scores
        limits = limits.copy()
        for q, pairs in enumerate(pairs_of):
            if pairs.size >= n_best:
                limits[q] = min(limits[q], np.sort(scores[pairs])[n_best - 1])
        contenders = np.unique(place[lowest <= limits[query]])
        exact.add(contenders, _stage(tick, total, 0.9, 1.0))
        return exact.evaluate(counts, place)

    def _pays(self, subspaces: IntArray, n_parts: int) -> bool:
        """Whether screening saves time on the level, of which these subspaces are a part."""
        if isinstance(self.screen, bool):
            return self.screen
        n = self.density.n_rows_
        worth_it = _WORTH_IT / n_parts
        if n < 8 * SAMPLE or n * len(subspaces) * _MOST < worth_it:
            return False
        cost = self.density.cost(subspaces)
        return cost > worth_it and cost > _GAIN * self.density.sampling_cost(subspaces, SAMPLE)

    def _counts(self, candidates: Candidates, tick: Tick | None) -> FloatArray:
        """Rows near the query of each pair, in its subspace."""
        subspaces, query, place = candidates
        counts = np.empty(len(query))
        for begin, end in chunks(len(subspaces), len(self.points)):
            first, last = np.searchsorted(place, [begin, end])
            part = self.density.near(subspaces[begin:end], self.points, tick=count_on(tick, begin))
            counts[first:last] = part[place[first:last] - begin, query[first:last]]
        return counts + self.new[query]

    def _estimates(
        self, subspaces: IntArray, counts: FloatArray, place: IntArray, tick: Tick | None
    ) -> tuple[FloatArray, FloatArray]:
        """Estimate of the Z-score of each pair from the sample, and its standard error."""
        mean, std, skewness, kurtosis = self.density.sampled_statistics(subspaces, SAMPLE, tick)
        has_estimate = std[place] > 0  # pairs without an estimate are contenders
        estimate = (counts - mean[place]) / np.where(std > 0, std, 1.0)[place]
        z = np.where(has_estimate, estimate, -np.inf)
        bounded = np.where(has_estimate, z, 0.0)
        return z, standard_error(bounded, skewness[place], kurtosis[place], SAMPLE)


class _Exact:
    """Exact mean and deviation of the subspaces of a level that `add` has received."""

    def __init__(self, density: Grid, subspaces: IntArray) -> None:
        self.density, self.subspaces = density, subspaces
        self.is_exact = np.zeros(len(subspaces), dtype=bool)
        self.mean = np.zeros(len(subspaces))
        self.std = np.zeros(len(subspaces))

    def add(self, places: IntArray, tick: Tick | None) -> None:
        new = places[~self.is_exact[places]]
        if new.size:
            self.mean[new], self.std[new] = self.density.statistics(self.subspaces[new], tick)
            self.is_exact[new] = True

    def evaluate(self, counts: FloatArray, place: IntArray) -> Evaluation:
        """Z-scores of pairs; infinite for subspaces without exact figures."""
        n_rows = self.density.n_rows_
        z = standardise(counts[:, None], self.mean[place], self.std[place], n_rows)[:, 0]
        return Evaluation(np.where(self.is_exact[place], z, np.inf), counts, self.mean, self.std)


def _stage(tick: Tick | None, total: int, begin: float, end: float) -> Tick | None:
    """Report the subspaces of a stage as a part of the level, from one share to another."""
    if tick is None:
        return None
    return lambda n: tick(int(begin * total + (end - begin) * n))


def _lowest(values: FloatArray, n: int) -> IntArray:
    """Places of the n lowest values."""
    return np.argsort(values, kind="stable")[:n]
