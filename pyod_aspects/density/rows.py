"""The coded rows of a grid: everything for which a grid visits its rows.

A grid knows how columns are cut and how many rows each bin holds. What else it says of its rows it
asks here, so that it does not matter where they are: `LocalRows` has them in this process.
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
    """Rows at hand: those of a table, or some of them by the numbers of distinct rows."""

    table: CodedTable
    rows: Int32Array | None = None

    @property
    def n_rows(self) -> int:
        """How many they are."""
        return self.table.n_rows if self.rows is None else self.rows.size

    def load(self, low: IntArray, high: IntArray) -> WordArray:
        """Rows with codes from low (q, d) to high, as `load_boxes` gives them."""
        return load_boxes(self.table, low, high, self.rows)

    def hold(self, low: IntArray, high: IntArray) -> Mask:
        """Whether a row has the code low (q, d) in all columns, for each point.

        Nothing is held where high is another code: the point lies in no bin that has rows.
        """
        return hold(self.table.codes, low, high, self.rows)


class GridRows(ABC):
    """The coded rows of a grid, wherever they are."""

    n_rows: int
    estimated: bool = False
    """Whether `statistics` are those of a sample."""

    @property
    def n_at_hand(self) -> int:
        """Rows whose bits are in memory at once when all are counted."""
        return self.n_rows

    @property
    @abstractmethod
    def table(self) -> CodedTable:
        """All rows in this process."""

    @abstractmethod
    def equal_columns(self) -> dict[int, int]:
        """Columns with the same codes as an earlier one in all rows, with the number of that."""

    @abstractmethod
    def hold(self, low: IntArray, high: IntArray) -> Mask:
        """Whether any row has the codes of each point, as `SomeRows.hold` says."""

    @abstractmethod
    def sample(self, n: int) -> SomeRows:
        """The first n rows of a random order, always the same one."""

    @abstractmethod
    def count_subsets(
        self, asked: list[Asked], n_jobs: int | None, tick: Tick | None = None
    ) -> list[dict[int, CountArray]]:
        """Counts of `count_asked` over all rows, for each point."""

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
        """Mean and standard deviation over all rows of the number of rows near each."""

    def local(self) -> LocalRows:
        """Return the same rows, all in this process."""
        return LocalRows(self.table)

    def explored(self, n: int) -> SomeRows:
        """All rows, if they are no more than n; else a sample of so many."""
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
        """Without what can be made again soon."""
        return self.__dict__ | {"_last": None}

    @property
    def table(self) -> CodedTable:
        """The table."""
        return self._table

    def local(self) -> LocalRows:
        """Return itself."""
        return self

    def equal_columns(self) -> dict[int, int]:
        """Compare the columns."""
        return first_of_equals(self.table.codes)

    def hold(self, low: IntArray, high: IntArray) -> Mask:
        """Look at all distinct rows."""
        return hold(self.table.codes, low, high)

    def sample(self, n: int) -> SomeRows:
        """Shuffle all rows by what they hold, once."""
        if self._shuffled is None:
            self._shuffled = shuffle_rows(self.table)
        return SomeRows(self.table, self._shuffled[:n])

    def count_subsets(
        self, asked: list[Asked], n_jobs: int | None, tick: Tick | None = None
    ) -> list[dict[int, CountArray]]:
        """Count on threads, one point each."""
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
        """Intersect sets of rows as bits; kept, as a search asks for the same points again."""
        last = self._last  # another thread may ask for other points meanwhile
        key = low.tobytes() + high.tobytes()
        if last is None or last[0] != key:
            self._last = last = key, load_boxes(self.table, low, high)
        return count_in_boxes(subspaces, last[1], n_jobs, tick)

    def statistics(
        self, subspaces: IntArray, n_jobs: int | None, tick: Tick | None
    ) -> tuple[FloatArray, FloatArray]:
        """Count the whole level."""
        return LevelCounter(self.table, n_jobs).statistics(subspaces, tick)


def hold(codes: CodeArray, low: IntArray, high: IntArray, rows: Int32Array | None = None) -> Mask:
    """Whether one of some columns of codes (d, n), all if not given, is low (q, d) = high."""
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
