"""Z-score: by how many standard deviations a density differs from the mean over all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._util.types import FloatArray, IntArray, Tick
from .base import BoundScore, Evaluation

if TYPE_CHECKING:
    from ..density import Density


def zscore(density: Density, subspaces: Any, points: Any, tick: Tick | None = None) -> FloatArray:
    """Standard deviations by which a density lies above (below: negative) the mean of all rows.

    Parameters
    ----------
    density : Density
        Fitted.
    subspaces : array-like of int, shape (m, k)
    points : array-like of shape (q, n_features)
    tick : callable, optional
        Gets the number of subspaces done, now and then.

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
    return standardise(*density.moments(subspaces, points, tick))


def standardise(at_points: FloatArray, mean: FloatArray, std: FloatArray) -> FloatArray:
    """Z-scores of densities (m, q) from mean and deviation (m,); 0 where the deviation is 0."""
    flat = std == 0.0
    return np.asarray(
        np.where(
            flat[:, None], 0.0, (at_points - mean[:, None]) / np.where(flat, 1.0, std)[:, None]
        )
    )


class ZScore(BoundScore):
    """`zscore` with its density and its queries, which knows the figures behind it.

    Parameters
    ----------
    density : Density
        Fitted.
    points : ndarray of shape (n_queries, n_features)
    """

    def __init__(self, density: Density, points: FloatArray) -> None:
        super().__init__(zscore, density, points)

    def evaluate(self, subspaces: IntArray, tick: Tick | None = None) -> Evaluation:
        """Z-scores with the densities, means and deviations that they are made of."""
        density, mean, std = self.density.moments(subspaces, self.points, tick)
        return Evaluation(standardise(density, mean, std), density, mean, std)
