"""Which fitted rows are near a point, asked again and again for the same rows.

A sample of the rows is asked feature by feature, as masks. All rows are asked for several
features at once: on a grid the rows of a column are sorted by code, so that those near in one
feature are a slice, and the other features are looked at in the shortest slice only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .._util.types import CodeArray, FloatArray, IntArray, Mask

if TYPE_CHECKING:
    from .base import Density
    from .grid import Grid


class FittedRows:
    """The fitted rows of a density, and a sample of them.

    Parameters
    ----------
    density : Density
        Fitted.
    values : ndarray of shape (n_rows, n_features)
        The fitted rows.
    sample : ndarray of int, optional
        Numbers of some rows, which stand for all.
    """

    def __init__(self, density: Density, values: FloatArray, sample: IntArray | None) -> None:
        self.density, self.values, self.sample = density, values, sample

    def neighbours(self, point: FloatArray) -> Neighbours:
        """Return an object that tells which rows are near a point."""
        return Neighbours(self, point)


class Neighbours:
    """Which fitted rows are near one point."""

    def __init__(self, rows: FittedRows, point: FloatArray) -> None:
        self.rows, self.point = rows, point

    def in_one(self, a: int, reach: int) -> Mask:
        """Which rows of the sample are near in a feature; of all rows if there is no sample."""
        rows = self.rows
        return rows.density.nearby_fitted((a,), self.point, rows.values, reach, rows.sample)

    def in_all(self, features: Sequence[int], reach: int) -> IntArray:
        """Numbers of all rows that are near in each of some features, in ascending order."""
        rows = self.rows
        return np.flatnonzero(rows.density.nearby_fitted(features, self.point, rows.values, reach))


class CodedRows(FittedRows):
    """The fitted rows of a grid by their codes, column by column as they are asked for."""

    density: Grid

    def __init__(self, density: Grid, values: FloatArray, sample: IntArray | None) -> None:
        super().__init__(density, values, sample)
        self._sampled: dict[int, CodeArray] = {}
        self._sorted: dict[int, tuple[CodeArray, npt.NDArray[np.int32]]] = {}

    def neighbours(self, point: FloatArray) -> Neighbours:
        """Return an object that tells which rows are near a point."""
        return CodedNeighbours(self, point)

    def sampled(self, a: int) -> CodeArray:
        """Codes of the sample in a column."""
        if a not in self._sampled:
            table = self.density.table_
            chosen = table.row_of if self.sample is None else table.row_of[self.sample]
            self._sampled[a] = table.codes[a, chosen]
        return self._sampled[a]

    def sorted(self, a: int) -> tuple[CodeArray, npt.NDArray[np.int32]]:
        """Codes of all rows in a column, and the numbers of the rows sorted by them."""
        if a not in self._sorted:
            table = self.density.table_
            codes = table.codes[a, table.row_of]
            self._sorted[a] = codes, np.argsort(codes, kind="stable").astype(np.int32)
        return self._sorted[a]


class CodedNeighbours(Neighbours):
    """Which fitted rows of a grid are near one point."""

    rows: CodedRows

    def __init__(self, rows: CodedRows, point: FloatArray) -> None:
        super().__init__(rows, point)
        self._intervals: dict[tuple[int, int], tuple[int, int]] = {}

    def in_one(self, a: int, reach: int) -> Mask:
        """Which rows of the sample are near in a feature; of all rows if there is no sample."""
        return codes_inside(self.rows.sampled(a), *self._interval(a, reach))

    def in_all(self, features: Sequence[int], reach: int) -> IntArray:
        """Numbers of all rows that are near in each of some features, in ascending order."""
        slices = {a: self.rows.density.places(a, *self._interval(a, reach)) for a in features}
        first, *others = sorted(slices, key=lambda a: slices[a][1] - slices[a][0])
        begin, end = slices[first]
        near = self.rows.sorted(first)[1][begin:end]
        for a in others:
            codes = self.rows.sorted(a)[0]
            near = near[codes_inside(codes[near], *self._interval(a, reach))]
        return np.sort(near).astype(np.int64)

    def _interval(self, a: int, reach: int) -> tuple[int, int]:
        """First and last code near the point."""
        if (a, reach) not in self._intervals:
            self._intervals[a, reach] = self.rows.density.interval(a, self.point, reach)
        return self._intervals[a, reach]


def codes_inside(codes: CodeArray, low: int, high: int) -> Mask:
    """Which codes lie from low to high."""
    if high < low:
        return np.zeros(codes.shape, dtype=bool)
    # One comparison: what is below `low` wraps round and becomes large.
    return np.asarray(codes - codes.dtype.type(low) <= high - low)
