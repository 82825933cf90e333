"""A table as codes of occupied bins, equal rows merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._kernels import tuned
from .._kernels.arguments import Int32Array, Rows
from .._util.types import AnyArray, CodeArray, FloatArray, IntArray

ONE_WORD = 2_642_245  # rows up to which a sum of squared counts, at most n**3, fits in 64 bits


class Neighbourhoods(NamedTuple):
    """Neighbourhoods in each column alone.

    share: of all rows near a row, and adjacent: occupied bins near a row, both on average over the
    rows; most: rows near any bin, at the most.
    """

    share: FloatArray
    adjacent: FloatArray
    most: FloatArray


class CodedTable:
    """A table as codes of occupied bins, equal rows merged.

    Two rows are near in a column if their codes differ by at most `reach`. The distinct rows are
    `codes` (d, n_distinct), with `weights`; `row_of` (n,) is the distinct row of each row. `filled`
    has the number of rows with each code of each column, `sizes` the number of codes. Of the
    `views`, `last_view` is the last one that has each column.
    """

    def __init__(
        self,
        codes: CodeArray,
        filled: Sequence[npt.NDArray[np.int32]],
        reach: int,
        min_view_rows: int = tuned.VIEW_MIN_ROWS,
    ) -> None:
        self.filled, self.reach = filled, reach
        self.sizes: IntArray = np.array([rows.size for rows in filled])
        self.codes, self.row_of, self.weights = _merge(codes, self.sizes)
        self.views, self.last_view, self._first_rows = _make_views(
            Rows(self.codes, self.weights, self.sizes, reach), min_view_rows
        )
        self.view_rows = np.array([view.weights.size for view in self.views])
        self.near = self._neighbourhoods()
        self._rows_in_view: dict[tuple[int, int], Int32Array] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Without what can be made again."""
        kept = {k: v for k, v in self.__dict__.items() if k not in ("by_row", "_near_pairs")}
        return kept | {"_rows_in_view": {}}

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""
        return self.row_of.size

    @property
    def tall(self) -> bool:
        """Whether a sum of squared counts, at most n**3, may need more than 64 bits."""
        return self.n_rows > ONE_WORD

    def view_of(self, subspaces: IntArray) -> IntArray:
        """The view with the fewest rows that has each of subspaces (m, k)."""
        if len(self.views) == 1:
            return np.zeros(len(subspaces), dtype=np.int64)
        return np.asarray(self.last_view[subspaces].min(axis=1, initial=len(self.views) - 1))

    def rows_in_view(self, view: int, other: int) -> Int32Array:
        """Which row of another view, with fewer rows, each row of a view became."""
        if (view, other) not in self._rows_in_view:
            n_merged = np.diff(self._first_rows[other], append=self.weights.size)
            row_of = np.repeat(np.arange(n_merged.size, dtype=np.int32), n_merged)
            self._rows_in_view[view, other] = row_of[self._first_rows[view]]
        return self._rows_in_view[view, other]

    @property
    def n_words(self) -> int:
        """Number of 64-bit words for a set of rows."""
        return -(-self.row_of.size // 64)

    @cached_property
    def by_row(self) -> CodeArray:
        """The codes once more, those of a row side by side."""
        return np.ascontiguousarray(self.codes.T)

    def _neighbourhoods(self) -> Neighbourhoods:
        share, adjacent, most = np.empty((3, len(self.sizes)))
        for a, rows in enumerate(self.filled):
            here, occupied = rows.astype(np.float64), (rows > 0).astype(np.float64)
            near, bins = here.copy(), occupied.copy()
            for shift in range(1, self.reach + 1):
                for total, one in ((near, here), (bins, occupied)):
                    total[shift:] += one[:-shift]
                    total[:-shift] += one[shift:]
            share[a], adjacent[a] = here @ near / self.n_rows**2, here @ bins / self.n_rows
            most[a] = near.max()
        return Neighbourhoods(share, adjacent, most)

    @cached_property
    def _near_pairs(self) -> npt.NDArray[np.bool_]:
        """Whether the two rows of each of some fixed pairs are near each other, in each column."""
        rows = self.row_of[:: max(1, self.n_rows // tuned.PAIR_SAMPLE)]
        other = rows[np.random.default_rng(0).permutation(rows.size)]
        codes, others = (self.codes.take(some, axis=1).astype(np.int32) for some in (rows, other))
        return np.asarray(np.abs(codes - others) <= self.reach)

    def share_of_pairs(self, a: IntArray, b: IntArray) -> FloatArray:
        """Share of the rows near a row in two columns, on average; roughly."""
        if a.size > tuned.PAIRS_ASKED:
            return self.near.share[a] * self.near.share[b]  # as if they were unrelated
        return np.asarray((self._near_pairs[a] & self._near_pairs[b]).mean(axis=1))


Merged = tuple[CodeArray, npt.NDArray[np.int32], npt.NDArray[np.int32]]


def _merge(codes: CodeArray, sizes: IntArray) -> Merged:
    """Codes of the distinct rows of codes (d, n), the distinct row of each row, and the weights.

    Distinct rows are sorted, narrow columns first: rows that differ in wide columns only stand
    side by side, as views need them. Where all rows differ they stay as they are.
    """
    n = codes.shape[1]
    # Rows as single numbers: as many columns at a time as fit in 64 bits.
    key, largest = np.zeros(n, dtype=np.int64), 1
    columns = sorted(zip(codes, sizes.tolist(), strict=True), key=itemgetter(1))
    for part, size in _join_columns(columns):
        if largest * size > np.iinfo(np.int64).max:
            _, begins, key = _radix_sort(key, largest)
            largest = begins.size
            if largest == n:
                break
        key *= size
        key += part
        largest *= size
    order, begins, row_of = _radix_sort(key, largest)
    if begins.size == n:
        return codes, np.arange(n, dtype=np.int32), np.ones(n, dtype=np.int32)
    weights = np.diff(begins, append=n).astype(np.int32)
    return codes.take(order[begins], axis=1, mode="clip"), row_of.astype(np.int32), weights


def _join_columns(columns: Sequence[tuple[AnyArray, int]]) -> Iterator[tuple[AnyArray, int]]:
    """Columns of codes, as many as fit in 31 bits as one column, with their number of codes."""
    part, size = columns[0]
    for column, more in columns[1:]:
        if size * more < 2**31:
            # Codes may have 16 bits, in which NumPy 1 would stay.
            part, size = part.astype(np.int32, copy=False) * np.int32(more) + column, size * more
        else:
            yield part, size
            part, size = column, more
    yield part, size


def _radix_sort(key: IntArray, largest: int) -> tuple[IntArray, IntArray, IntArray]:
    """Sort whole numbers from 0 to less than `largest`, equal ones in their order.

    Returns (order, begins, rank): the places of the numbers in sorted order, where each distinct
    number begins in it, and the rank of each number among the distinct ones.
    """
    # NumPy sorts 16 bits without comparisons, several times as fast.
    order = np.argsort(key.astype(np.uint16), kind="stable")
    for shift in range(16, (largest - 1).bit_length(), 16):
        digit = (key >> shift).astype(np.uint16).take(order)
        order = order.take(np.argsort(digit, kind="stable"))
    ordered = key.take(order)
    new = np.empty(key.size, dtype=bool)
    new[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    rank = np.empty(key.size, dtype=np.int64)
    rank[order] = new.cumsum() - 1
    return order, new.nonzero()[0], rank


def _make_views(table: Rows, min_rows: int) -> tuple[list[Rows], IntArray, list[AnyArray]]:
    """Views of distinct rows, the last view that has each column, and the first row of each row.

    View 0 is the table. Each next one has only narrower columns, in which more rows are equal.
    """
    n, narrow_first = table.weights.size, np.argsort(table.sizes, kind="stable")
    new = np.zeros(n, dtype=bool)  # rows that differ from the one before in the columns so far
    new[0] = True
    found: list[tuple[int, IntArray]] = []  # columns and first rows, fewest first
    for i, a in enumerate(narrow_first[:-1].tolist(), start=1):
        new[1:] |= table.codes[a, 1:] != table.codes[a, :-1]
        n_rows = int(np.count_nonzero(new))
        if n_rows > tuned.VIEW_SHARE * n:
            break
        if found and found[-1][1].size > tuned.VIEW_SHARE * n_rows:
            found.pop()
        if n_rows >= min_rows:
            found.append((i, np.flatnonzero(new)))
    views, last_view = [table], np.zeros(table.sizes.size, dtype=np.int64)
    first_rows: list[AnyArray] = [np.arange(n, dtype=np.int32)]
    first_rows += [rows for _, rows in reversed(found)]
    for n_columns, rows in reversed(found):
        last_view[narrow_first[:n_columns]] = len(views)
        weights = np.add.reduceat(table.weights, rows, dtype=np.int32)
        views.append(Rows(table.codes.take(rows, axis=1), weights, table.sizes, table.reach))
    return views, last_view, first_rows
