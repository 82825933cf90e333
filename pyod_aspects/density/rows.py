"""The coded rows of a grid: every operation that visits rows.

A grid itself knows only the cuts of its columns and the number of rows in each bin. For the rest it
asks `GridRows`: `LocalRows` has the rows in this process, `RowsInParts` has them in parts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._kernels.arguments import Int32Array, WordArray
from .._util.parallel import run
from .._util.types import CodeArray, FloatArray, IntArray, Mask, Tick
from ..counting.counter import LevelCounter
from ..counting.points import count_in_boxes, load_boxes
from ..counting.subsets import Asked, CountArray, count_asked
from ..counting.table import CodedTable
from .base import first_of_equals
from .sample import shuffle_rows


class SomeRows(NamedTuple):
    """Rows of a table in this process: all, or a sample given by numbers of distinct rows."""

    table: CodedTable
    rows: Int32Array | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.table.n_rows if self.rows is None else self.rows.size

    def load(self, low: IntArray, high: IntArray) -> WordArray:
        """Rows with codes from low (q, d) to high, as bits; see `load_boxes`."""
        return load_boxes(self.table, low, high, self.rows)

    def hold(self, low: IntArray, high: IntArray) -> Mask:
        """Whether a row has the codes low[q] in all columns, for each point q.

        False if high[q] differs from low[q]: the point then lies in an empty bin.
        """
        return hold(self.table.codes, low, high, self.rows)


class GridRows(ABC):
    """The coded rows of a grid, in this process or in parts."""

    n_rows: int
    estimated: bool = False
    """Whether `statistics` estimates from a sample."""

    @property
    def n_at_hand(self) -> int:
        """Number of rows that a count of all rows holds as bits in memory at once."""
        return self.n_rows

    @property
    @abstractmethod
    def table(self) -> CodedTable:
        """All rows in this process."""

    @abstractmethod
    def equal_columns(self) -> dict[int, int]:
        """Map each duplicate column to the first column with the same codes in all rows."""

    @abstractmethod
    def hold(self, low: IntArray, high: IntArray) -> Mask:
        """Whether any row has the codes of each point; see `SomeRows.hold`."""

    @abstractmethod
    def sample(self, n: int) -> SomeRows:
        """The first n rows of a fixed random order."""

    @abstractmethod
    def count_subsets(
        self, asked: list[Asked], n_jobs: int | None, tick: Tick | None = None
    ) -> list[dict[int, CountArray]]:
        """Counts over all rows for each point, as `count_asked` returns them."""

    @abstractmethod
    def count(
        self,
        subspaces: IntArray,
        low: IntArray,
        high: IntArray,
        n_jobs: int | None = None,
        tick: Tick | None = None,
    ) -> FloatArray:
        """Number of rows with codes from low (q, d) to high in each of subspaces (m, k): (m, q)."""

    @abstractmethod
    def statistics(
        self, subspaces: IntArray, n_jobs: int | None, tick: Tick | None
    ) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation, over all rows, of the number of rows near each."""

    def local(self) -> LocalRows:
        """Return the same rows, all in this process."""
        return LocalRows(self.table)

    def explored(self, n: int) -> SomeRows:
        """Return all rows if there are at most n, else a sample of n rows."""
        return SomeRows(self.table) if self.n_rows <= n else self.sample(n)


class LocalRows(GridRows):
    """Rows in this process.

    Parameters
    ----------
    table : CodedTable
    """

    def __init__(self, table: CodedTable) -> None:
        self._table, self.n_rows = table, table.n_rows
        self._shuffled: npt.NDArray[np.int32] | None = None
        self._last: tuple[bytes, WordArray] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the bits, which are quick to load again."""
        return self.__dict__ | {"_last": None}

    @property
    def table(self) -> CodedTable:
        """The table."""
        return self._table

    def local(self) -> LocalRows:
        """Return itself."""
        return self

    def equal_columns(self) -> dict[int, int]:
        """Compare the codes of the columns."""
        return first_of_equals(self.table.codes)

    def hold(self, low: IntArray, high: IntArray) -> Mask:
        """Compare the points with all distinct rows."""
        return hold(self.table.codes, low, high)

    def sample(self, n: int) -> SomeRows:
        """Shuffle all rows by their hashes, once, and return the first n."""
        if self._shuffled is None:
            self._shuffled = shuffle_rows(self.table)
        return SomeRows(self.table, self._shuffled[:n])

    def count_subsets(
        self, asked: list[Asked], n_jobs: int | None, tick: Tick | None = None
    ) -> list[dict[int, CountArray]]:
        """Count on threads, one task per point."""
        counts: list[dict[int, CountArray]] = [{} for _ in asked]

        def count(q: int) -> int:
            counts[q] = count_asked(self.table.codes, self.table.row_of, asked[q])
            return 1

        run(count, ((q,) for q in range(len(asked))), n_jobs, tick)
        return counts

    def count(
        self,
        subspaces: IntArray,
        low: IntArray,
        high: IntArray,
        n_jobs: int | None = None,
        tick: Tick | None = None,
    ) -> FloatArray:
        """Intersect bitsets; keep those of the last points, which a search asks for again."""
        last = self._last  # another thread may replace self._last
        key = low.tobytes() + high.tobytes()
        if last is None or last[0] != key:
            self._last = last = key, load_boxes(self.table, low, high)
        return count_in_boxes(subspaces, last[1], n_jobs, tick)

    def statistics(
        self, subspaces: IntArray, n_jobs: int | None, tick: Tick | None
    ) -> tuple[FloatArray, FloatArray]:
        """Count all subspaces of the level exactly."""
        return LevelCounter(self.table, n_jobs).statistics(subspaces, tick)


def hold(codes: CodeArray, low: IntArray, high: IntArray, rows: Int32Array | None = None) -> Mask:
    """Whether codes (d, n) have low[q] as a column and high[q] equals it, for each point q.

    `rows` are the columns of `codes` to search, by default all.
    """
    held = np.empty(len(low), dtype=bool)
    every = np.arange(codes.shape[1]) if rows is None else rows
    for q, (first, last) in enumerate(zip(low, high, strict=True)):
        left = every[:0] if (first != last).any() else every
        for column, code in zip(codes, first, strict=True):
            left = left[column[left] == code]
            if left.size == 0:
                break
        held[q] = left.size > 0
    return held
