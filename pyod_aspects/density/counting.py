"""How a whole level of subspaces is counted: grouped, planned, cut into pieces, on threads.

Results never depend on the plan, the pieces or the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from .._kernels import by_bits as _by_bits
from .._kernels import by_cells as _by_cells
from .._kernels import by_grid as _by_grid
from .._kernels import exact as _exact
from .._kernels import plan as _plan
from .._kernels.plan import AUTO, BITSET, DENSE, SPARSE, TABLE
from .._types import FloatArray, IntArray
from ..parallel import run
from ..subspaces import subspace_codes
from .parents import Groups, group_by_parent

STRATEGIES = {
    "auto": AUTO,
    "dense": DENSE,
    "table": TABLE,
    "bitset": BITSET,
    "sparse": SPARSE,
}

# Bytes for the pseudo-bins of one thread, and as many for the codes beside them.
_BITSET_BYTES = 24 * 2**20

# What sorting the rows anew costs, in words per row and subspace.
_SORTING = 40.0

# Nanoseconds of work of one thread between two looks at progress and interruption.
_PIECE = 3e7

Tick = Callable[[int], None]
Kernel = Callable[[IntArray, int, int], None]


@dataclass(frozen=True)
class CodedTable:
    """A table as codes of occupied bins, equal rows merged.

    `codes` (n_features, n_distinct) holds the distinct rows, `weights` how often each occurs,
    `row_of` the distinct row of every row of the table, `sizes` the number of codes of each
    column. Two rows are near in a column if their codes differ by at most `reach`.
    """

    codes: npt.NDArray[np.int32]
    row_of: npt.NDArray[np.int32]
    weights: npt.NDArray[np.int32]
    sizes: IntArray
    reach: int

    @classmethod
    def of(cls, codes: npt.NDArray[np.int32], sizes: IntArray, reach: int) -> CodedTable:
        """Merge the equal rows of codes (n_features, n_rows)."""
        n = codes.shape[1]
        # Rows as single numbers: as many columns at a time as fit in 64 bits.
        key, room = np.zeros(n, dtype=np.int64), np.iinfo(np.int64).max
        largest = 1
        for column, size in zip(codes, sizes.tolist(), strict=True):
            if largest * size > room:
                key = np.unique(key, return_inverse=True)[1]
                largest = int(key.max()) + 1
                if largest == n:
                    break
            key = key * size + column
            largest *= size
        _, first, row_of, weights = np.unique(
            key, return_index=True, return_inverse=True, return_counts=True
        )
        if first.size == n:  # nothing to merge: keep the rows in their order
            every = np.arange(n, dtype=np.int32)
            return cls(codes, every, np.ones(n, dtype=np.int32), sizes, reach)
        merged = np.ascontiguousarray(codes[:, first])
        return cls(merged, row_of.astype(np.int32), weights.astype(np.int32), sizes, reach)

    @cached_property
    def by_row(self) -> npt.NDArray[np.int32]:
        """The codes once more, those of a row side by side."""
        return np.ascontiguousarray(self.codes.T)

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""
        return self.row_of.size

    @property
    def n_words(self) -> int:
        """Number of 64-bit words for a set of rows."""
        return -(-self.row_of.size // 64)

    def typical_share(self) -> FloatArray:
        """Share of all rows that lie near a row, on average, in each column alone."""
        share = np.empty(len(self.sizes))
        for a, size in enumerate(self.sizes):
            here = np.bincount(self.codes[a], self.weights, minlength=size)
            near = np.convolve(here, np.ones(2 * self.reach + 1))[self.reach : self.reach + size]
            share[a] = (here * near).sum() / self.n_rows**2
        return share


class LevelCounter:
    """Counts the rows near every row, for the subspaces of a level."""

    def __init__(self, table: CodedTable, strategy: str, n_jobs: int | None) -> None:
        self.table, self.strategy, self.n_jobs = table, STRATEGIES[strategy], n_jobs
        self.share = table.typical_share()
        n_distinct = table.codes.shape[1]
        all_codes = int((table.sizes + table.reach).sum())
        self.max_codes = min(all_codes, _BITSET_BYTES // (8 * table.n_words))
        self.all_have_bits = self.max_codes == all_codes
        self.max_columns = min(len(table.sizes), max(16, _BITSET_BYTES // (8 * n_distinct)))

    def statistics(
        self, subspaces: IntArray, tick: Tick | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation of the counts over all rows, for each subspace."""
        m = len(subspaces)
        groups, orders, choice, cost = self._plan(subspaces)
        sums, squares = np.empty(m, dtype=np.uint64), np.empty(m, dtype=np.uint64)
        every = np.arange(self.table.codes.shape[1], dtype=np.int32)
        nothing = np.empty((0, 0), dtype=np.uint32)
        level: tuple[Any, ...] = (
            self.table.codes,
            self.table.sizes,
            self.table.weights,
            self.table.reach,
            groups.parents,
            groups.starts,
            groups.children,
            choice,
        )

        def by_grid(sequence: IntArray, begin: int, end: int) -> None:
            _by_grid.count_by_grid(*level, sequence, begin, end, sums, squares)

        def by_bits(sequence: IntArray, begin: int, end: int) -> None:
            self._by_bits(
                groups, orders, choice, every, sequence, begin, end, sums, squares, nothing
            )

        def by_cells(sequence: IntArray, begin: int, end: int) -> None:
            _by_cells.count_by_cells(self.strategy, *level, sequence, begin, end, sums, squares)

        def count(kernel: Kernel, sequence: IntArray, begin: int, end: int) -> int:
            kernel(sequence, begin, end)
            return int(done_by[kernel][begin:end].sum())

        kernels: list[tuple[Kernel, list[int]]] = [
            (by_grid, [DENSE]),
            (by_bits, [BITSET]),
            (by_cells, [SPARSE, TABLE]),
        ]
        pieces = []
        done_by = {}
        for i, (kernel, strategies) in enumerate(kernels):
            sequence = np.flatnonzero(cost[:, i] > 0)
            if kernel is by_bits:
                sequence = sequence[np.lexsort(orders[sequence].T[::-1])]
            mine = np.isin(choice, strategies)
            done_by[kernel] = np.add.reduceat(mine, groups.starts[:-1])[sequence]
            ends = _cut(cost[sequence, i], orders[sequence])
            pieces += [(kernel, sequence, *piece) for piece in ends]
        run(count, pieces, self.n_jobs, tick)
        mean, std = np.empty(m), np.empty(m)
        mean[groups.order], std[groups.order] = _exact.moments(sums, squares, self.table.n_rows)
        return mean, std

    def counts_of(
        self, subspaces: IntArray, rows: npt.NDArray[np.int32], tick: Tick | None = None
    ) -> tuple[npt.NDArray[np.uint32], IntArray]:
        """Count the rows near some distinct rows only: (m, n of rows).

        Every column has to have pseudo-bins, see `has_bits`. The subspaces come in an order of
        their own, which is returned too: the i-th line belongs to subspaces[order[i]].
        """
        m = len(subspaces)
        groups = group_by_parent(subspaces, len(self.table.sizes))
        orders, words = self._orders(groups.parents, depth=1)
        choice = np.full(m, BITSET)
        counts = np.empty((m, rows.size), dtype=np.uint32)
        unused = np.empty(m, dtype=np.uint64)
        size_of = np.diff(groups.starts)

        def by_bits(begin: int, end: int) -> int:
            self._by_bits(
                groups, orders, choice, rows, sequence, begin, end, unused, unused, counts
            )
            return int(size_of[sequence[begin:end]].sum())

        sequence = np.lexsort(orders.T[::-1])
        cost = size_of * rows.size * (10.0 + words)
        run(by_bits, _cut(cost[sequence], orders[sequence]), self.n_jobs, tick)
        return counts, groups.order

    def has_bits(self, size: int) -> npt.NDArray[np.bool_]:
        """Columns that have few enough codes for pseudo-bins in subspaces of some size."""
        few = (self.table.sizes + self.table.reach) * size <= self.max_codes
        return np.asarray(few | self.all_have_bits)

    def cost(self, subspaces: IntArray) -> float:
        """Nanoseconds, roughly, that `statistics` of the subspaces takes on one thread."""
        return float(self._plan(subspaces)[3].sum())

    def _by_bits(
        self,
        groups: Groups,
        orders: IntArray,
        choice: IntArray,
        judged: npt.NDArray[np.int32],
        sequence: IntArray,
        begin: int,
        end: int,
        sums: npt.NDArray[np.uint64],
        squares: npt.NDArray[np.uint64],
        counts: npt.NDArray[np.uint32],
    ) -> None:
        _by_bits.count_by_bits(
            self.table.codes,
            self.table.by_row,
            self.table.sizes,
            self.table.weights,
            self.table.row_of,
            judged,
            self.table.reach,
            self.max_codes,
            self.max_columns,
            groups.parents,
            groups.starts,
            groups.children,
            choice,
            orders,
            sequence,
            begin,
            end,
            sums,
            squares,
            counts,
        )

    def _plan(self, subspaces: IntArray) -> tuple[Groups, IntArray, IntArray, FloatArray]:
        """Groups, the order of rows for each, the strategy of each subspace, and the costs."""
        groups = group_by_parent(subspaces, len(self.table.sizes))
        orders, words = self._orders(groups.parents, depth=2)
        choice = np.empty(len(subspaces), dtype=np.int64)
        cost = np.empty((len(groups.parents), 3))
        _plan.plan(
            self.strategy,
            self.table.codes,
            self.table.sizes,
            self.table.reach,
            self.has_bits(subspaces.shape[1]),
            words,
            groups.parents,
            groups.starts,
            groups.children,
            choice,
            cost,
        )
        return groups, orders, choice, cost

    def _orders(self, parents: IntArray, depth: int) -> tuple[IntArray, FloatArray]:
        """Attributes to sort rows by for pseudo-bins, and words that a neighbourhood then takes.

        Sorting costs about as much as a few subspaces, so that attributes that many parents
        have are preferred.
        """
        n_words, n = self.table.n_words, self.table.n_rows
        g, p = parents.shape
        orders = np.full((g, 2), -1)
        words = np.full(g, float(n_words))
        cost = words.copy()
        for size in range(1, min(depth, p) + 1):
            for chosen in combinations(range(p), size):
                attributes = parents[:, chosen]
                code = subspace_codes(attributes, len(self.table.sizes))
                _, which, shared = np.unique(code, return_inverse=True, return_counts=True)
                windows = float((2 * self.table.reach + 1) ** (size - 1))
                share = self.share[attributes].prod(axis=1)
                taken = np.minimum(n_words, n_words * share + 1.5 * windows)
                # No more keys than rows.
                taken[self.table.sizes[attributes].prod(axis=1) > max(n, 1024)] = np.inf
                here = taken + 4.0 + _SORTING / shared[which]
                better = here < cost
                orders[better, :size] = attributes[better]
                words[better], cost[better] = taken[better], here[better]
        return orders, words


def _cut(cost: FloatArray, orders: IntArray) -> list[tuple[int, int]]:
    """Cut groups into pieces of a fraction of a second, best where the order of rows changes."""
    changes = np.any(np.diff(orders, axis=0, prepend=-9) != 0, axis=1)
    pieces: list[tuple[int, int]] = []
    begin, spent = 0, 0.0
    for g in range(len(cost)):
        if spent > _PIECE * (1 if changes[g] else 4):
            pieces.append((begin, g))
            begin, spent = g, 0.0
        spent += cost[g]
    if begin < len(cost):
        pieces.append((begin, len(cost)))
    return pieces
