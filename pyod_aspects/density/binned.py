"""Facts from the bins of a grid, without its rows: boxes of bins, and counts in single columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from .._util.types import FloatArray, IntArray
from ..binning.bins import OccupiedBins
from ..binning.cuts import Cut
from .base import Density, check_reach
from .coding import CutColumns
from .reaches import find_reaches, mean_counts


class BinnedColumns(Density):
    """A density whose columns are cut into bins; a subclass knows the rows in them."""

    reach: ClassVar[int]

    def _take_bins(self, columns: CutColumns) -> None:
        """Take the cuts of the columns, and their occupied bins."""
        self.cuts_: list[Cut] = columns.cuts
        self._occupied: list[OccupiedBins] = columns.occupied
        self._reaches: IntArray | None = None
        self._mean_counts: dict[bytes, FloatArray] = {}

    def intervals(
        self, points: FloatArray, reach: IntArray | None = None
    ) -> tuple[IntArray, IntArray]:
        """First and last code near each point, in each column: two arrays (q, d)."""
        reaches = np.full(points.shape[1], self.reach) if reach is None else reach
        low, high = self.boxes(points, reaches[None])
        return low[:, 0], high[:, 0]

    def boxes(self, points: FloatArray, reaches: IntArray) -> tuple[IntArray, IntArray]:
        """First and last code near each point, at each reach and in each column.

        Parameters
        ----------
        points : ndarray of shape (q, n_features)
        reaches : ndarray of shape (n_reaches, n_features)

        Returns
        -------
        low, high : ndarrays of shape (q, n_reaches, n_features)
        """
        low, high = np.empty((2, len(points), *reaches.shape), dtype=np.int64)
        for a, (cut, occupied) in enumerate(zip(self.cuts_, self._occupied, strict=True)):
            index = cut.index(points[:, a])
            low[..., a], high[..., a] = occupied.interval(index[:, None], reaches[:, a])
        return low, high

    def constant_columns(self) -> IntArray:
        """Numbers of the columns in which one bin holds all rows."""
        return np.flatnonzero([occupied.bins.size == 1 for occupied in self._occupied])

    def leaves_constant(self, points: FloatArray) -> npt.NDArray[np.bool_]:
        """Whether each point has no rows nearby in each constant column."""
        low, high = self.intervals(points)
        constant = self.constant_columns()
        return np.asarray(low[:, constant] > high[:, constant])

    def own_bins(self, points: FloatArray) -> tuple[IntArray, IntArray]:
        """Code of the bin of each point in each column, twice: (q, d); (1, 0) if it is empty."""
        return self.intervals(points, np.zeros(points.shape[1], dtype=np.int64))

    def reaches(self) -> IntArray:
        """Reaches of the lifts, see `density.reaches`: (n_reaches, n_features)."""
        if self._reaches is None:
            self._reaches = find_reaches(self._occupied)
        return self._reaches

    def mean_counts(self, reaches: IntArray) -> FloatArray:
        """Mean number of rows near a row in each column alone: (n_reaches, n_features).

        Parameters
        ----------
        reaches : ndarray of shape (n_reaches, n_features)

        Returns
        -------
        ndarray of shape (n_reaches, n_features)
        """
        key = reaches.tobytes()
        if key not in self._mean_counts:
            self._mean_counts[key] = mean_counts(self._occupied, reaches)
        return self._mean_counts[key]

    def counts_alone(self, low: IntArray, high: IntArray) -> FloatArray:
        """Number of rows with codes from low (..., n_features) to high, in each column alone."""
        counts = np.empty(low.shape)
        for a, occupied in enumerate(self._occupied):
            counts[..., a] = occupied.up_to[high[..., a] + 1] - occupied.up_to[low[..., a]]
        return counts

    def neighbourhood(
        self, points: Any, reach: int | IntArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the edges of the box of bins around each point.

        Parameters
        ----------
        points : array-like of shape (q, n_features)
        reach : int or array of int, shape (n_features,), optional
            Bins to each side, as for `near`.

        Returns
        -------
        low, high : ndarrays of shape (q, n_features)
        """
        self._check_fitted()
        values = self._check_points(points)
        reaches = check_reach(self.reach if reach is None else reach, self.n_features_in_)
        low, high = self._box(values, reaches)
        origins = np.array([cut.origin for cut in self.cuts_])
        return low + origins, high + origins

    def _box(self, values: FloatArray, reaches: IntArray) -> tuple[FloatArray, FloatArray]:
        """Edges as in `neighbourhood`, but relative to the origins of the cuts: rounded less.

        The difference of two edges may be as small as a float64 step of the values.
        """
        low, high = np.empty(values.shape), np.empty(values.shape)
        for a, cut in enumerate(self.cuts_):
            low[:, a], high[:, a] = cut.box(values[:, a], int(reaches[a]))
            if self.columns_[a].kind == "category":
                low[:, a] -= 0.5
                high[:, a] += 0.5
        return low, high

    def nearby_rows(
        self,
        subspace: Sequence[int],
        point: FloatArray,
        rows: FloatArray,
        reach: int | IntArray | None = None,
    ) -> npt.NDArray[np.bool_]:
        """Return which rows count as near a point in every attribute of a subspace.

        A value with a bin of its own may lie between the edges of other bins, but is not near
        them.

        Parameters
        ----------
        subspace : sequence of int
        point : ndarray of shape (n_features,)
        rows : ndarray of shape (n_rows, n_features)
        reach : int or array of int, shape (n_features,), optional
            Bins to each side, as for `near`.

        Returns
        -------
        ndarray of bool, shape (n_rows,)
        """
        reaches = check_reach(self.reach if reach is None else reach, self.n_features_in_)
        near = np.ones(len(rows), dtype=bool)
        for a in subspace:
            apart = self.cuts_[a].index(rows[:, a]) - self.cuts_[a].index(point[[a]])
            near &= np.abs(apart) <= reaches[a]
        return near

    def interval(self, a: int, point: FloatArray, reach: int) -> tuple[int, int]:
        """First and last code near a point in one column; (1, 0) if there is none."""
        low, high = self._occupied[a].interval(self.cuts_[a].index(point[[a]]), reach)
        return int(low[0]), int(high[0])

    def bins_of_codes(self, a: int) -> IntArray:
        """Bin of each code of a column; 0 for codes without rows."""
        occupied = self._occupied[a]
        bins = np.zeros(occupied.size, dtype=np.int64)
        bins[occupied.codes] = occupied.bins
        return bins

    def places(self, a: int, low: int, high: int) -> tuple[int, int]:
        """Begin and end of the rows with codes from low to high, among rows sorted by code."""
        up_to = self._occupied[a].up_to
        return int(up_to[low]), int(up_to[high + 1])

    def bin_width(self, points: Any) -> FloatArray:
        """Return the width of a bin in each column around each point: (q, n_features)."""
        self._check_fitted()
        reaches = check_reach(self.reach, self.n_features_in_)
        low, high = self._box(self._check_points(points), reaches)
        return (high - low) / (2 * self.reach + 1)
