"""Z-score: by how many standard deviations a density differs from the mean over all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._util.types import FloatArray, IntArray, Mask, Tick
from .base import BoundScore, Evaluation

if TYPE_CHECKING:
    from ..density import Density


def zscore(density: Density, subspaces: Any, points: Any, tick: Tick | None = None) -> FloatArray:
    """Standard deviations by which a density lies above (below: negative) the mean of all rows.

    A point that is no fitted row counts as if it were one: its density includes itself.

    Parameters
    ----------
    density : Density
        Fitted.
    subspaces : array-like of int, shape (m, k)
    points : array-like of shape (q, n_features)
    tick : callable, optional
        Gets the number of finished subspaces now and then.

    Returns
    -------
    ndarray of shape (m, q)
        0 if all rows are equally dense.

    Examples
    --------
    >>> from pyod_aspects.density import SGrid
    >>> X = [[0.0], [0.1], [0.2], [1.0]]
    >>> zscore(SGrid(bins=4).fit(X), [(0,)], [[1.0]]).round(2)
    array([[-1.73]])
    """
    values = density._check_points(points)
    at_points, mean, std = density.moments(subspaces, values, tick)
    at_points = include_new(at_points, density, subspaces, ~density.holds(values))
    return standardise(at_points, mean, std, density.n_rows_)


def include_new(at_points: FloatArray, density: Density, subspaces: Any, new: Mask) -> FloatArray:
    """Densities (m, q), in which each new point adds to its own density."""
    if not new.any():
        return at_points
    return at_points + density.own_share(np.asarray(subspaces))[:, None] * new


def standardise(
    at_points: FloatArray, mean: FloatArray, std: FloatArray, n_rows: int
) -> FloatArray:
    """Z-scores of densities (m, q) from mean and deviation (m,).

    If all n rows are equally dense, the deviation is 0. A row then has the Z-score 0, and a new
    row that is less dense has -sqrt(n), as if it were in the table.
    """
    flat = std == 0.0
    difference = at_points - mean[:, None]
    if not flat.any():
        return np.asarray(difference / std[:, None])
    of_flat = np.where(difference < 0.0, -np.sqrt(n_rows), 0.0)
    z = difference / np.where(flat, 1.0, std)[:, None]
    return np.asarray(np.where(flat[:, None], of_flat, z))


def standard_error(z: FloatArray, skewness: FloatArray, kurtosis: FloatArray, n: int) -> FloatArray:
    """Standard error of Z-scores whose mean and deviation come from a sample of n rows.

    Let y be the sample's own Z-scores and z that of the query. To first order, the error of z is
    the mean of y + z * (y**2 - 1) / 2: one term from the mean, one from the deviation.
    """
    variance = 1.0 + z * skewness + z**2 / 4.0 * (kurtosis - 1.0)
    return np.asarray(np.sqrt(np.maximum(variance, 0.0) / n))


class ZScore(BoundScore):
    """`zscore` with its density and queries; it knows the figures behind it.

    Parameters
    ----------
    density : Density
        Fitted.
    points : ndarray of shape (n_queries, n_features)
    new : ndarray of bool, shape (n_queries,), optional
        Mask of the new points, which are no fitted rows; by default those that the density
        can tell from every fitted row.
    """

    def __init__(self, density: Density, points: FloatArray, new: Mask | None = None) -> None:
        super().__init__(zscore, density, points)
        self.new = ~density.holds(points) if new is None else new

    def __call__(self, subspaces: IntArray, tick: Tick | None = None) -> FloatArray:
        """Z-scores of subspaces (m, k) for all queries: (m, n_queries)."""
        return self.evaluate(subspaces, tick).scores

    def evaluate(self, subspaces: IntArray, tick: Tick | None = None) -> Evaluation:
        """Z-scores with their densities, means and deviations."""
        density, mean, std = self.density.moments(subspaces, self.points, tick)
        density = include_new(density, self.density, subspaces, self.new)
        scores = standardise(density, mean, std, self.density.n_rows_)
        return Evaluation(scores, density, mean, std)
