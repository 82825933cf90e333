"""Kernel density with a Gaussian product kernel and Härdle's bandwidth (paper, Section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._kernels import kde as _kernel
from .._types import FloatArray, IntArray
from ..exceptions import InvalidInputError
from .base import Density
from .parents import group_by_parent

# Bytes for the kernels of all attributes between a block of points and all rows.
_BLOCK_BYTES = 4 * 2**20

# Relative deviation below which all rows are equally dense but for rounding.
_ROUNDING = 1e-9


def hardle_bandwidth(column: FloatArray) -> float:
    """Härdle's rule of thumb; from the standard deviation alone where the IQR is 0.

    Examples
    --------
    >>> import numpy as np
    >>> round(hardle_bandwidth(np.arange(10.0)), 3)
    1.921
    """
    if column.min() == column.max():
        return 0.0
    q75, q25 = np.percentile(column, [75, 25])
    spread = float(np.std(column))
    if q75 > q25:
        spread = min(spread, float(q75 - q25) / 1.34)
    return float(1.06 * spread * column.size ** (-1.0 / 5.0))


class KDE(Density):
    """Gaussian kernel density in a subspace, exact: every row against every row.

    A constant column contributes nothing.

    Parameters
    ----------
    bandwidth : "hardle" or float, default="hardle"
        Härdle's rule of thumb for each column, or one bandwidth for all of them.

    Examples
    --------
    >>> KDE().fit([[0.0], [0.1], [0.2], [1.0]]).density((0,)).round(2)
    array([1.26, 1.41, 1.26, 0.51])
    """

    def __init__(self, bandwidth: str | float = "hardle") -> None:
        self.bandwidth = bandwidth

    def _fit(self, values: FloatArray) -> None:
        # Column by column in memory: the kernels run along the rows.
        self._rows: FloatArray = np.ascontiguousarray(values.T)
        if self.bandwidth == "hardle":
            bandwidths = [hardle_bandwidth(column) for column in self._rows]
        elif (
            isinstance(self.bandwidth, (int, float))
            and np.isfinite(self.bandwidth)
            and self.bandwidth > 0
        ):
            bandwidths = [
                float(self.bandwidth) if column.min() < column.max() else 0.0
                for column in self._rows
            ]
        else:
            raise InvalidInputError(
                f"bandwidth={self.bandwidth!r}: expected 'hardle' or a positive number."
            )
        self.bandwidths_: FloatArray = np.array(bandwidths)
        inverse = np.zeros(len(bandwidths))
        varies = self.bandwidths_ > 0
        inverse[varies] = 1.0 / self.bandwidths_[varies]
        if not np.isfinite(inverse).all():
            raise InvalidInputError(
                "a column varies by less than 1e-300: too little to smooth; rescale it."
            )
        self._inverse: FloatArray = inverse

    def _log_norm(self, subspaces: IntArray) -> FloatArray:
        """Logarithm of n times the product of the bandwidths and of the kernels' constants."""
        bandwidths = np.where(self.bandwidths_ > 0, self.bandwidths_, 1.0)
        varies = self.bandwidths_ > 0
        log_h = np.log(bandwidths) + varies * 0.5 * np.log(2.0 * np.pi)
        return np.asarray(np.log(self.n_rows_) + log_h[subspaces].sum(axis=1))

    def _sums(self, subspaces: IntArray, points: FloatArray) -> FloatArray:
        """Sums of product kernels, not normalised: (m, q)."""
        groups = group_by_parent(subspaces, self.n_features_in_)
        used = np.zeros(self.n_features_in_, dtype=bool)
        used[subspaces] = True
        m, (q, d) = len(subspaces), points.shape
        block = int(max(1, min(q, _BLOCK_BYTES // (8 * used.sum() * self.n_rows_))))
        kernels = np.empty((d, block, self.n_rows_))
        room = np.empty(self.n_rows_)
        sums = np.empty((m, q))
        for begin in range(0, q, block):
            part = np.ascontiguousarray(points[begin : begin + block])
            out = np.empty((m, len(part)))
            _kernel.product_sums(
                part,
                self._rows,
                self._inverse,
                used,
                groups.parents,
                groups.starts,
                groups.children,
                kernels,
                room,
                out,
            )
            sums[groups.order, begin : begin + block] = out
        return sums

    def density(self, subspace: Sequence[int], points: Any = None) -> FloatArray:
        """Density of every fitted row, or of each of `points`, in a subspace.

        Parameters
        ----------
        subspace : sequence of int
            Attributes, 0-based.
        points : array-like of shape (n_points, n_features), optional

        Returns
        -------
        ndarray of shape (n_rows,) or (n_points,)
        """
        self._check_fitted()
        s = np.array([self._check_subspace(subspace)])
        values = self._rows.T if points is None else self._check_points(points)
        return np.asarray(self._sums(s, values)[0] * np.exp(-self._log_norm(s)))

    def moments(self, subspaces: Any, points: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Density at the points, and its mean and standard deviation over all rows.

        Parameters
        ----------
        subspaces : array-like of int, shape (m, k)
            Subspaces of one size, attributes sorted.
        points : array-like of shape (q, n_features)

        Returns
        -------
        at_points : ndarray of shape (m, q)
        mean, std : ndarrays of shape (m,)
        """
        self._check_fitted()
        array = self._check_subspaces(subspaces)
        scale = np.exp(-self._log_norm(array))
        at_points = self._sums(array, self._check_points(points)) * scale[:, None]
        everywhere = self._sums(array, self._rows.T)
        mean = everywhere.mean(axis=1)
        std = everywhere.std(axis=1)
        std[std <= _ROUNDING * mean] = 0.0
        return at_points, mean * scale, std * scale

    def score_samples(self, X: Any) -> FloatArray:
        """Log-density of points in the space of all columns, as `KernelDensity` gives it.

        Parameters
        ----------
        X : array-like of shape (n_points, n_features)

        Returns
        -------
        ndarray of shape (n_points,)
        """
        self._check_fitted()
        s = np.arange(self.n_features_in_)[None]
        sums = self._sums(s, self._check_points(X))[0]
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(sums) - self._log_norm(s)[0])
