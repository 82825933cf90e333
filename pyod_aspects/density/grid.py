"""Grid and sGrid: density as the number of rows nearby.

The density of x in subspace s is |N_s(x)|, the number of rows whose bin lies within
`reach` bins of x's in every dimension of s (Wells & Ting, Section 3). Mean and deviation of
|N_s| over all rows follow from the occupied cells alone, in exact integers: with H the rows
in a cell and N the rows near it, they are the sums of H*N and H*N**2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from .._kernels import bitset as _bitset
from .._kernels import boxes as _boxes
from .._kernels import exact as _exact
from .._kernels import level as _level
from .._types import FloatArray, IntArray
from ..bins import EqualWidthBins, OccupiedBins, check_rule
from ..exceptions import TooLargeError
from .base import Density
from .parents import group_by_parent

# Sums of squared counts reach n**3, which has to fit in 64 bits.
MAX_ROWS = 2_642_245

# Rows up to which a subspace may be counted with pseudo-bins, and bytes for those.
_BITSET_ROWS = 8192
_BITSET_BYTES = 64 * 2**20

_STRATEGIES = {
    "auto": _level.AUTO,
    "dense": _level.DENSE,
    "table": _level.TABLE,
    "bitset": _level.BITSET,
    "sparse": _level.SPARSE,
}


class Grid(Density):
    """Number of rows in the same bin, in every attribute of a subspace.

    Parameters
    ----------
    bins : {"fd", "scott", "sturges"} or int, default="fd"
        Rule for the number of equal-width bins of each column (Freedman-Diaconis, Scott,
        Sturges), or that number. Where the interquartile range is 0, "fd" uses Sturges' rule.

    Examples
    --------
    >>> Grid(bins=2).fit([[0.0], [0.1], [0.2], [1.0]]).density((0,))
    array([3., 3., 3., 1.])
    """

    reach: ClassVar[int] = 0
    counts: ClassVar[bool] = True

    # Tests set this to force one way of counting; results are the same with every one.
    _strategy: str = "auto"

    def __init__(self, bins: str | int = "fd") -> None:
        self.bins = bins

    def _fit(self, values: FloatArray) -> None:
        rule = check_rule(self.bins)
        n, d = values.shape
        if n > MAX_ROWS:
            raise TooLargeError(
                f"X has {n:,} rows: counts are exact up to {MAX_ROWS:,}; pass a sample of the rows."
            )
        self.bins_: list[EqualWidthBins] = []
        self._occupied: list[OccupiedBins] = []
        codes = np.empty((d, n), dtype=np.int32)
        for a in range(d):
            column = np.ascontiguousarray(values[:, a])
            bins = EqualWidthBins.of(column, rule)
            index = bins.index(column)
            occupied = OccupiedBins.of(index, self.reach)
            codes[a] = occupied.encode(index)
            self.bins_.append(bins)
            self._occupied.append(occupied)
        self._sizes: IntArray = np.array([o.size for o in self._occupied])
        self._codes, self._row_of, self._weights = _merge_rows(codes)
        self._offsets: IntArray = np.concatenate([[0], np.cumsum(self._sizes)[:-1]])
        self._pseudo_bins = self._make_pseudo_bins()

    def _make_pseudo_bins(self) -> npt.NDArray[np.uint64]:
        """Sets of rows near each code of each column; empty where they would not pay."""
        n_words = -(-self.n_rows_ // 64)
        n_codes = int(self._sizes.sum())
        forced = self._strategy == "bitset"
        if not forced and (self.n_rows_ > _BITSET_ROWS or n_codes * n_words * 8 > _BITSET_BYTES):
            return np.empty((0, 0), dtype=np.uint64)
        bits = np.empty((n_codes, n_words), dtype=np.uint64)
        _bitset.pseudo_bins(self._codes, self._sizes, self._offsets, self.reach, self._row_of, bits)
        return bits

    def _intervals(self, points: FloatArray) -> tuple[IntArray, IntArray]:
        """First and last code near each point, in each column: two arrays (q, d)."""
        low = np.empty(points.shape, dtype=np.int64)
        high = np.empty(points.shape, dtype=np.int64)
        for a, (bins, occupied) in enumerate(zip(self.bins_, self._occupied, strict=True)):
            low[:, a], high[:, a] = occupied.interval(bins.index(points[:, a]))
        return low, high

    def density(self, subspace: Sequence[int], points: Any = None) -> FloatArray:
        """Number of rows near every fitted row, or near each of `points`, in a subspace.

        Parameters
        ----------
        subspace : sequence of int
            Attributes, 0-based.
        points : array-like of shape (n_points, n_features), optional
            Points outside a column's range lie outside the grid.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_points,)
        """
        self._check_fitted()
        s = list(self._check_subspace(subspace))
        codes = self._codes[s]
        if points is None:
            near = _boxes.box_counts(
                codes, self._weights, codes.T - self.reach, codes.T + self.reach
            )
            return np.asarray(near[self._row_of], dtype=np.float64)
        low, high = self._intervals(self._check_points(points))
        counts = _boxes.box_counts(codes, self._weights, low[:, s], high[:, s])
        return np.asarray(counts, dtype=np.float64)

    def moments(self, subspaces: Any, points: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Number of rows near the points, and its mean and standard deviation over all rows.

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
        mean, std = self._statistics(array)
        return self._at_points(array, self._check_points(points)), mean, std

    def _at_points(self, subspaces: IntArray, points: FloatArray) -> FloatArray:
        low, high = self._intervals(points)
        n_words = -(-self.n_rows_ // 64)
        bits = np.empty((len(points), self.n_features_in_, n_words), dtype=np.uint64)
        _bitset.point_bits(self._codes, self._row_of, low, high, bits)
        counts = np.empty((len(subspaces), len(points)), dtype=np.float64)
        _bitset.point_counts(bits, subspaces, 0, len(subspaces), counts)
        return counts

    def _statistics(self, subspaces: IntArray) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation of the counts over all rows, for each subspace."""
        m = len(subspaces)
        groups = group_by_parent(subspaces, self.n_features_in_)
        sums, squares = np.empty(m, dtype=np.uint64), np.empty(m, dtype=np.uint64)
        _level.level_sums(
            _STRATEGIES[self._strategy],
            self._codes,
            self._sizes,
            self._weights,
            self.reach,
            self._pseudo_bins,
            self._offsets,
            groups.parents,
            groups.starts,
            groups.children,
            0,
            len(groups.parents),
            sums,
            squares,
        )
        mean, std = _exact.moments(sums, squares, self.n_rows_)
        unsorted_mean, unsorted_std = np.empty(m), np.empty(m)
        unsorted_mean[groups.order], unsorted_std[groups.order] = mean, std
        return unsorted_mean, unsorted_std

    def score_samples(self, X: Any) -> FloatArray:
        """Log-density of points in the space of all columns, as `KernelDensity` gives it.

        The count is divided by the number of rows and by the volume of the box of bins that was
        counted, so that the density integrates to one. Constant columns have no volume and
        are left out of it. Points with no rows nearby have the log-density -inf.

        Parameters
        ----------
        X : array-like of shape (n_points, n_features)

        Returns
        -------
        ndarray of shape (n_points,)
        """
        self._check_fitted()
        counts = self.density(range(self.n_features_in_), X)
        widths = np.array([bins.width for bins in self.bins_])
        log_volume = np.log((2 * self.reach + 1) * widths[widths > 0]).sum()
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(counts) - np.log(self.n_rows_) - log_volume)


class SGrid(Grid):
    """Number of rows in the same bin or in one next to it, in every attribute of a subspace.

    The smoothed grid of Wells & Ting: a Grid whose neighbourhood reaches one bin to each side.

    Parameters
    ----------
    bins : {"fd", "scott", "sturges"} or int, default="fd"
        Rule for the number of equal-width bins of each column, or that number, as for `Grid`.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [1.0]]
    >>> sgrid = SGrid(bins=4).fit(X)
    >>> sgrid.density((0,))
    array([3., 3., 3., 1.])
    >>> sgrid.density((0,), [[0.3], [1.2], [9.0]])
    array([3., 1., 0.])
    """

    reach: ClassVar[int] = 1


def _merge_rows(
    codes: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Distinct rows of codes, for each row of the table its distinct one, and their weights."""
    n = codes.shape[1]
    _, first, row_of, weights = np.unique(
        np.ascontiguousarray(codes.T).view(np.dtype((np.void, codes.shape[0] * 4)))[:, 0],
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    if first.size == n:  # nothing to merge: keep the rows in their order
        return codes, np.arange(n, dtype=np.int32), np.ones(n, dtype=np.int32)
    merged = np.ascontiguousarray(codes[:, first])
    return merged, row_of.astype(np.int32), weights.astype(np.int32)
