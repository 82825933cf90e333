"""Scores of subspaces: smaller is more outlying, in the paper's sign.

A score takes a density, the subspaces of a level and the queries as points, and
returns one number for each subspace and query.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._util.types import FloatArray, IntArray, Tick
from ..density import Density

Score = Callable[[Density, Any, Any], FloatArray]
"""(density, subspaces (m, k), points (q, n_features)) -> scores (m, q)."""


class BoundScore:
    """A score with its density and queries: subspaces in, scores out, all that a search sees."""

    def __init__(self, score: Score, density: Density, points: FloatArray) -> None:
        self.score, self.density, self.points = score, density, points

    def __call__(self, subspaces: IntArray) -> FloatArray:
        """Return scores (m, n_queries) for subspaces (m, k)."""
        return self.score(self.density, subspaces, self.points)

    @property
    def tick(self) -> Tick | None:
        """Called during a call with the number of subspaces done."""
        return self.density.tick

    @tick.setter
    def tick(self, value: Tick | None) -> None:
        self.density.tick = value


# Densities that differ by no more than this, relatively, are equal but for rounding.
_ROUNDING = 1e-9


def standardise(at_points: FloatArray, mean: FloatArray, std: FloatArray) -> FloatArray:
    """Z-scores of densities (m, q) from mean and deviation (m,); 0 where the deviation is 0."""
    flat = std == 0.0
    return np.asarray(
        np.where(
            flat[:, None], 0.0, (at_points - mean[:, None]) / np.where(flat, 1.0, std)[:, None]
        )
    )


def zscore(density: Density, subspaces: Any, points: Any) -> FloatArray:
    """Standard deviations by which a density lies above (below: negative) the mean of all rows.

    Parameters
    ----------
    density : Density
        Fitted.
    subspaces : array-like of int, shape (m, k)
    points : array-like of shape (q, n_features)

    Returns
    -------
    ndarray of shape (m, q)
        0 where all rows are equally dense.

    Examples
    --------
    >>> from pyod_aspects.density import SGrid
    >>> X = [[0.0], [0.1], [0.2], [1.0]]
    >>> zscore(SGrid(bins=4).fit(X), [(0,)], [[1.0]]).round(2)
    array([[-1.73]])
    """
    return standardise(*density.moments(subspaces, points))


def rank(density: Density, subspaces: Any, points: Any) -> FloatArray:
    """Place of each point among all rows by density; 1 is the lowest density.

    Densities that are equal but for rounding share a place.

    Parameters
    ----------
    density : Density
        Fitted.
    subspaces : array-like of int, shape (m, k)
    points : array-like of shape (q, n_features)

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
    for i, subspace in enumerate(subspaces):
        everywhere = np.sort(density.density(subspace))
        here = density.density(subspace, points)
        ranks[i] = 1 + np.searchsorted(everywhere, here - _ROUNDING * np.abs(here))
    return ranks
