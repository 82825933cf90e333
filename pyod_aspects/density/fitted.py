"""Fitted rows near a point, for many questions about the same rows.

A sample of the rows answers feature by feature, with masks. All rows answer for several features at
once. A grid sorts the rows of a column by code, so the rows near in one feature are a slice. It
checks the other features in the shortest slice only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from .._util.types import CodeArray, FloatArray, IntArray, Mask, Subspace
from ..binning.cuts import MAX_REACH

if TYPE_CHECKING:
    from .base import Density
    from .grid import Grid


ENOUGH = 30
"""Fewest near rows for an expected range; with fewer, the reach doubles."""


def find_reach(n_near: Callable[[int], int], reach: int) -> tuple[int, bool]:
    """Double the reach until enough rows are near, or all that can be.

    Parameters
    ----------
    n_near : callable
        Number of rows near at a reach.
    reach : int
        First reach to try.

    Returns
    -------
    reach : int
    rough : bool
        Whether the result differs from the first reach.
    """
    if n_near(reach) >= ENOUGH:
        return reach, False
    enough = min(ENOUGH, n_near(MAX_REACH - 1))
    while n_near(reach) < enough:
        reach = next_reach(reach)
    return reach, True


def next_reach(reach: int) -> int:
    """Twice the reach, at least 1 and at most the largest one."""
    return min(max(1, 2 * reach), MAX_REACH - 1)


class FittedRows:
    """The fitted rows of a density, and a sample of them.

    Parameters
    ----------
    density : Density
        Fitted.
    values : ndarray of shape (n_rows, n_features)
        The fitted rows.
    sample : ndarray of int, optional
        Sorted numbers of a sample of rows, which stands for all.
    """

    def __init__(self, density: Density, values: FloatArray, sample: IntArray | None) -> None:
        self.density, self.values, self.sample = density, values, sample
        self._columns: dict[int, FloatArray] = {}
        self._ordered: dict[int, FloatArray] = {}

    def column(self, a: int) -> FloatArray:
        """Values of the sample in a column; of all rows without a sample."""
        if a not in self._columns:
            values = self.values[:, a] if self.sample is None else self.values[self.sample, a]
            self._columns[a] = np.ascontiguousarray(values)
        return self._columns[a]

    def around(self, a: int, value: float) -> tuple[int, float, float]:
        """Number of rows with a value, and the next lower and higher value, NaN if none."""
        if a not in self._ordered:
            self._ordered[a] = np.sort(self.values[:, a])  # missing values come last
        ordered = self._ordered[a]
        begin, end = (int(ordered.searchsorted(value, side)) for side in ("left", "right"))
        low = float(ordered[begin - 1]) if begin else np.nan
        return end - begin, low, float(ordered[end]) if end < len(ordered) else np.nan

    def neighbours(self, point: FloatArray, own: int | None = None) -> Neighbours:
        """Return an object that finds the rows near a point, except the row numbered `own`."""
        return Neighbours(self, point, own)

    def look_ahead(self, queries: Sequence[Wanted]) -> None:
        """Prepare for later questions: nothing to do here, as the rows are in memory."""


class Wanted(NamedTuple):
    """Questions about one query: other rows near in all but one feature of subspaces."""

    point: FloatArray
    own: int | None
    subspaces: Sequence[Subspace]


class Neighbours:
    """Fitted rows near one point, without the row numbered `own`."""

    def __init__(self, rows: FittedRows, point: FloatArray, own: int | None) -> None:
        self.rows, self.point, self.own = rows, point, own
        self._near: dict[tuple[int, int], Mask] = {}
        self._last: tuple[tuple[Subspace, int], IntArray] | None = None

    def in_one(self, a: int, reach: int) -> Mask:
        """Which rows of the sample are near in a feature; of all rows without a sample."""
        if (a, reach) not in self._near:
            near, sample = self._in_one(a, reach), self.rows.sample
            if self.own is not None:
                near[self.own if sample is None else sample == self.own] = False
            self._near[a, reach] = near
        return self._near[a, reach]

    def n_in_all(self, features: Sequence[int], reach: int) -> int:
        """Number of all rows that are near in each of the features."""
        return len(self.in_all(features, reach))

    def values_in_all(self, features: Sequence[int], reach: int, a: int) -> FloatArray:
        """Values in a column of all rows that are near in each of the features."""
        return np.asarray(self.rows.values[self.in_all(features, reach), a])

    def in_all(self, features: Sequence[int], reach: int) -> IntArray:
        """Numbers of all rows that are near in each of the features, in ascending order."""
        key = tuple(features), reach
        if self._last is None or self._last[0] != key:
            near = self._in_all(features, reach)
            self._last = key, near if self.own is None else near[near != self.own]
        return self._last[1]

    def _in_one(self, a: int, reach: int) -> Mask:
        rows = self.rows
        return rows.density.nearby_fitted((a,), self.point, rows.values, reach, rows.sample)

    def _in_all(self, features: Sequence[int], reach: int) -> IntArray:
        rows = self.rows
        return np.flatnonzero(rows.density.nearby_fitted(features, self.point, rows.values, reach))


class CodedRows(FittedRows):
    """The fitted rows of a grid by their codes; it sorts a column at the first question."""

    density: Grid

    def __init__(self, density: Grid, values: FloatArray, sample: IntArray | None) -> None:
        super().__init__(density, values, sample)
        self._sampled: dict[int, CodeArray] = {}
        self._sorted: dict[int, tuple[CodeArray, npt.NDArray[np.int32]]] = {}

    def neighbours(self, point: FloatArray, own: int | None = None) -> Neighbours:
        """Return an object that finds the rows near a point, except the row numbered `own`."""
        return CodedNeighbours(self, point, own)

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
    """Fitted rows of a grid near one point."""

    rows: CodedRows

    def __init__(self, rows: CodedRows, point: FloatArray, own: int | None) -> None:
        super().__init__(rows, point, own)
        self._intervals: dict[tuple[int, int], tuple[int, int]] = {}

    def _in_one(self, a: int, reach: int) -> Mask:
        return codes_inside(self.rows.sampled(a), *self._interval(a, reach))

    def _in_all(self, features: Sequence[int], reach: int) -> IntArray:
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
    # One comparison: a code below `low` wraps around and becomes large.
    return np.asarray(codes - codes.dtype.type(low) <= high - low)
