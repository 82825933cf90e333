"""A table as codes of occupied bins, equal rows merged."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._kernels import tuned
from .._kernels.arguments import Int32Array, Rows
from .._kernels.cells import merge_rows
from .._util.types import CodeArray, FloatArray, IntArray, Mask

ONE_WORD = 2_642_245  # most rows for which a sum of squared counts, up to n**3, fits in 64 bits


class Neighbourhoods(NamedTuple):
    """Neighbourhoods in each column alone.

    share: mean share of all rows that are near a row. adjacent: mean number of occupied bins near
    a row. most: largest number of rows near a bin.
    """

    share: FloatArray
    adjacent: FloatArray
    most: FloatArray


class CodedTable:
    """A table as codes of occupied bins, equal rows merged.

    Two rows are near in a column if their codes differ by at most `reach`. The distinct rows are
    `codes` (d, n_distinct), with `weights`; `row_of` (n,) is the distinct row of each row. `filled`
    holds the number of rows with each code of each column, `sizes` the number of codes. `rows` is
    for kernels: the distinct rows, then those of the views.
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
        codes, self.row_of = _merge(codes, self.sizes)
        weights = np.bincount(self.row_of).astype(np.int32)
        begins, first_view = np.array([0, weights.size]), np.zeros(self.sizes.size, dtype=np.int64)
        nothing = np.empty(0, dtype=np.int32)
        table = Rows(codes, weights, self.sizes, reach, begins, first_view, nothing)
        self.rows = _add_views(table, min_view_rows)
        self.near = self._neighbourhoods()

    def __getstate__(self) -> dict[str, Any]:
        """Omit `by_row`, which follows from `codes`."""
        return {k: v for k, v in self.__dict__.items() if k != "by_row"}

    @property
    def codes(self) -> CodeArray:
        """Codes of the distinct rows: (d, n_distinct)."""
        return self.rows.codes[:, : self.rows.begins[1]]

    @property
    def weights(self) -> Int32Array:
        """Number of rows that each distinct row stands for."""
        return self.rows.weights[: self.rows.begins[1]]

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""
        return self.row_of.size

    @property
    def tall(self) -> bool:
        """Whether a sum of squared counts, up to n**3, may need more than 64 bits."""
        return self.n_rows > ONE_WORD

    @property
    def n_words(self) -> int:
        """Number of 64-bit words for a set of rows."""
        return -(-self.row_of.size // 64)

    def view_rows(self, subspaces: IntArray) -> IntArray:
        """Rows of the smallest view that has each of subspaces (m, k)."""
        n_rows, last = np.diff(self.rows.begins), self.rows.last_view
        return np.asarray(n_rows[last[subspaces].min(axis=1, initial=n_rows.size - 1)])

    @cached_property
    def by_row(self) -> CodeArray:
        """The codes again, in row-major order."""
        return np.ascontiguousarray(self.codes.T)

    def _neighbourhoods(self) -> Neighbourhoods:
        share, adjacent, most = np.empty((3, len(self.sizes)))
        window = np.ones(2 * self.reach + 1)
        for a, rows in enumerate(self.filled):
            near, bins = (
                np.convolve(some, window)[self.reach : self.reach + rows.size]
                for some in (rows, rows > 0)
            )
            share[a], adjacent[a] = rows @ near / self.n_rows**2, rows @ bins / self.n_rows
            most[a] = near.max()
        return Neighbourhoods(share, adjacent, most)


def _merge(codes: CodeArray, sizes: IntArray) -> tuple[CodeArray, Int32Array]:
    """Distinct rows (d, n_distinct) of codes (d, n), and the distinct row of each row.

    Distinct rows are sorted by narrow columns first: rows that differ only in wide columns stand
    side by side, as views need them. If all rows differ, they keep their order.
    """
    n = codes.shape[1]
    row_of, n_distinct = merge_rows(codes, sizes, np.argsort(sizes, kind="stable"))
    if n_distinct == n:
        return codes, np.arange(n, dtype=np.int32)
    some_row = np.empty(n_distinct, dtype=np.int64)
    some_row[row_of] = np.arange(n)
    return codes.take(some_row, axis=1, mode="clip"), row_of


def _add_views(table: Rows, min_rows: int) -> Rows:
    """Append the rows of views to the rows of a table, which `_merge` has sorted.

    View 0 is the table. Each next one has only narrower columns, in which more rows are equal.
    """
    n, narrow_first = table.weights.size, np.argsort(table.sizes, kind="stable")
    new = np.zeros(n, dtype=bool)  # rows that differ from the one before in the columns so far
    new[0] = True
    found: list[tuple[int, Mask]] = []  # columns and first rows of views, fewest first
    for i, a in enumerate(narrow_first[:-1].tolist(), start=1):
        new[1:] |= table.codes[a, 1:] != table.codes[a, :-1]
        n_rows = np.count_nonzero(new)
        if n_rows > tuned.VIEW_SHARE * n:
            break
        if found and np.count_nonzero(found[-1][1]) > tuned.VIEW_SHARE * n_rows:
            found.pop()
        if n_rows >= min_rows:
            found.append((i, new.copy()))
    if not found:
        return table
    codes, weights, merged, last_view = [table.codes], [table.weights], [], table.last_view.copy()
    before: slice | IntArray = slice(None)  # first rows of the view before
    for n_columns, new in reversed(found):
        last_view[narrow_first[:n_columns]] = len(codes)
        merged.append((new.cumsum(dtype=np.int32) - 1)[before])
        before = np.flatnonzero(new)
        codes.append(table.codes.take(before, axis=1, mode="clip"))
        weights.append(np.add.reduceat(table.weights, before))
    begins = np.cumsum([0, *(some.size for some in weights)])
    flat = (np.concatenate(some, axis=-1) for some in (codes, weights, merged))
    return Rows(next(flat), next(flat), table.sizes, table.reach, begins, last_view, next(flat))
