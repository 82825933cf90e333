"""Rank: the place of a point among all rows by density."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._util.types import FloatArray, IntArray, Mask, Tick
from ..density.base import ROUNDING
from .base import BoundScore, Evaluation

if TYPE_CHECKING:
    from ..density import Density, PairwiseKDE


def rank(density: Density, subspaces: Any, points: Any, tick: Tick | None = None) -> FloatArray:
    """Place of each point among all rows by density; 1 is the lowest density.

    Densities that are equal but for rounding share a place. A point that is no fitted row counts
    as one more row.

    Parameters
    ----------
    density : Density
        Fitted.
    subspaces : array-like of int, shape (m, k)
    points : array-like of shape (q, n_features)
    tick : callable, optional
        Gets the number of finished subspaces.

    Returns
    -------
    ndarray of shape (m, q)

    Examples
    --------
    >>> from pyod_aspects.density import KDE
    >>> X = [[0.0], [0.1], [0.2], [1.0]]
    >>> rank(KDE().fit(X), [(0,)], X)
    array([[2., 4., 2., 1.]])
    """
    subspaces, points = np.asarray(subspaces), np.asarray(points, dtype=np.float64)
    ranks = np.empty((len(subspaces), len(points)))
    own = density.own_share(subspaces)[:, None] * ~density.holds(points)
    for i, subspace in enumerate(subspaces):
        everywhere = np.sort(density.density(subspace))
        here = density.density(subspace, points) + own[i]
        ranks[i] = 1 + np.searchsorted(everywhere, here - ROUNDING * np.abs(here))
        if tick is not None:
            tick(i + 1)
    return ranks


class BoundedRank(BoundScore):
    """`rank` on a `PairwiseKDE`; it stops summing once a rank exceeds its limit.

    Parameters
    ----------
    density : PairwiseKDE
        Fitted.
    points : ndarray of shape (n_queries, n_features)
    new : ndarray of bool, shape (n_queries,), optional
        Mask of the new points, which are no fitted rows; by default those that differ from all.
    """

    density: PairwiseKDE

    def __init__(self, density: PairwiseKDE, points: FloatArray, new: Mask | None = None) -> None:
        super().__init__(rank, density, points)
        self.kernels = density.kernels_of(points, new)

    def __call__(self, subspaces: IntArray, tick: Tick | None = None) -> FloatArray:
        """Rank subspaces for all queries; new queries count themselves."""
        limits = np.full((len(subspaces), len(self.points)), np.inf)
        return self.at_most(subspaces, limits, tick).scores

    def at_most(
        self, subspaces: IntArray, limits: FloatArray, tick: Tick | None = None
    ) -> Evaluation:
        """Rank subspaces for all queries, exact up to the limits."""
        ranks = self.density.ranks(subspaces, self.kernels, limits, tick)
        return Evaluation.without_figures(ranks)
