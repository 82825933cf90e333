"""How a whole level of subspaces is counted: grouped, planned, cut into pieces, on threads.

Results never depend on the plan, the pieces or the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from .._kernels import by_cells as _by_cells
from .._kernels import by_grid as _by_grid
from .._kernels import exact as _exact
from .._kernels import plan as _plan
from .._kernels.plan import AUTO, BITSET, DENSE, FEW, SPARSE, TABLE
from .._types import AnyArray, FloatArray, IntArray, Tick
from ..parallel import counting_on, n_threads, run
from .bits import count_by_bits
from .coded import CodedTable
from .costs import CellCosts, bytes_of_counts
from .orders import Orders, choose_orders
from .parents import Groups, group_by_parent
from .views import views_of

STRATEGIES = {
    "auto": AUTO,
    "dense": DENSE,
    "table": TABLE,
    "bitset": BITSET,
    "sparse": SPARSE,
}

# Place of the kernel that counts by each of them: by grid, by bits, by cells.
_KERNEL_OF = np.zeros(5, dtype=np.int64)
_KERNEL_OF[[DENSE, BITSET, SPARSE, TABLE]] = 0, 1, 2, 2

# Types of counts in grids and tables, for kernels.
_UNITS = np.empty(0, dtype=np.uint16), np.empty(0, dtype=np.uint32)

# Rows from which on fewer of them save time.
_MIN_ROWS = 256

# Nanoseconds of work of one thread between two looks at progress and interruption, and the
# least that is worth a piece of its own: with bits, a piece has to sort and load rows first.
_PIECE = 3e7
_LEAST = 5e5
_LEAST_BITS = 1e7

# Subspaces planned together, times their attributes: plans take some hundred bytes for each.
_PLANNED = 500_000

_Plan = tuple[Groups, IntArray, IntArray, FloatArray, IntArray]

Kernel = Callable[[IntArray, int, int], None]


class LevelCounter:
    """Counts the rows near every row, for the subspaces of a level."""

    def __init__(self, table: CodedTable, strategy: str, n_jobs: int | None) -> None:
        self.table, self.strategy, self.n_jobs = table, STRATEGIES[strategy], n_jobs
        self.share, self.adjacent, self.most_near = table.neighbourhoods()
        narrow_first = np.argsort(table.sizes, kind="stable")
        self.views = views_of(table.codes, table.weights, narrow_first, _MIN_ROWS)
        n_distinct = table.codes.shape[1]
        self.costs: CellCosts | None = None
        if n_distinct > FEW or self.strategy != AUTO:  # else hardly any are counted by cells
            self.costs = CellCosts(
                self.views, table.sizes, self.share, self.adjacent, self.most_near
            )

    def statistics(
        self, subspaces: IntArray, tick: Tick | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation of the counts over all rows, for each subspace."""
        mean, std = np.empty(len(subspaces)), np.empty(len(subspaces))
        for part in _runs(*subspaces.shape):
            mean[part], std[part] = self._statistics(subspaces[part], counting_on(tick, part.start))
        return mean, std

    def _statistics(self, subspaces: IntArray, tick: Tick | None) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation of subspaces that are planned together."""
        m = len(subspaces)
        groups, orders, choice, cost, n_bytes = self._plan(subspaces, self.costs)
        sums, squares = np.empty(m, dtype=np.uint64), np.empty(m, dtype=np.uint64)
        cells = np.zeros(m, dtype=np.int64)
        every = np.arange(self.table.codes.shape[1], dtype=np.int32)
        wanted, nothing = choice == BITSET, np.empty((0, 0), dtype=np.uint32)
        level: tuple[Any, ...] = (
            *self.views,
            self.table.sizes,
            self.table.reach,
            groups.parents,
            groups.starts,
            groups.children,
            choice,
        )

        def by_grid(unit: AnyArray, sequence: IntArray, begin: int, end: int) -> None:
            _by_grid.count_by_grid(*level, sequence, begin, end, sums, squares, cells, unit)

        def by_bits(sequence: IntArray, begin: int, end: int) -> None:
            its = sequence[begin:end]
            count_by_bits(self.table, groups, orders, wanted, every, its, sums, squares, nothing)

        def by_cells(unit: AnyArray, sequence: IntArray, begin: int, end: int) -> None:
            _by_cells.count_by_cells(
                self.strategy, *level, sequence, begin, end, sums, squares, unit
            )

        def count(
            kernel: Kernel, sequence: IntArray, n_done: IntArray, begin: int, end: int
        ) -> int:
            kernel(sequence, begin, end)
            return int(n_done[begin:end].sum())

        every_group = np.ones(len(cost), dtype=bool)
        kernels: list[tuple[Kernel, int, npt.NDArray[np.bool_], float]] = [
            (by_bits, 1, every_group, _LEAST_BITS)
        ]
        for unit in _UNITS:
            fits = n_bytes == unit.itemsize
            kernels.append((partial(by_grid, unit), 0, fits, _LEAST))
            kernels.append((partial(by_cells, unit), 2, fits, _LEAST))
        kernel_of, threads = _KERNEL_OF[choice], n_threads(self.n_jobs)
        pieces = []
        for kernel, i, its, least in kernels:
            sequence = np.flatnonzero((cost[:, i] > 0) & its)
            if sequence.size == 0:
                continue
            may = None
            if kernel is by_bits:
                sequence = sequence[np.lexsort(orders[sequence].T[::-1])]
                may = _changes(orders[sequence])
            n_done = np.add.reduceat(kernel_of == i, groups.starts[:-1])[sequence]
            ends = _cut(cost[sequence, i], may, threads, least)
            pieces += [(kernel, sequence, n_done, *piece) for piece in ends]
        run(count, pieces, self.n_jobs, tick)
        if self.costs is not None and subspaces.shape[1] == 2:
            share = sums / float(self.table.n_rows) ** 2
            self.costs.learn(subspaces[groups.order], cells, share)
        mean, std = np.empty(m), np.empty(m)
        mean[groups.order], std[groups.order] = _exact.moments(sums, squares, self.table.n_rows)
        return mean, std

    def counts_of(
        self, subspaces: IntArray, rows: npt.NDArray[np.int32], tick: Tick | None = None
    ) -> tuple[npt.NDArray[np.uint32], IntArray]:
        """Count the rows near some distinct rows only: (m, n of rows).

        Where there is no room for the bits of a subspace, all its counts are 0. The subspaces come
        in an order of their own, which is returned too: the i-th line belongs to
        subspaces[order[i]].
        """
        m = len(subspaces)
        groups = group_by_parent(subspaces, len(self.table.sizes))
        orders = self._orders(groups, None, 1)
        codes = self.table.sizes + self.table.reach
        room = orders.room - codes[groups.parents].sum(axis=1)
        fits = codes[groups.children] <= np.repeat(room, np.diff(groups.starts))
        counts = np.zeros((m, rows.size), dtype=np.uint32)
        unused = np.empty(m, dtype=np.uint64)
        size_of = np.diff(groups.starts)

        def by_bits(begin: int, end: int) -> int:
            its = sequence[begin:end]
            count_by_bits(
                self.table, groups, orders.attributes, fits, rows, its, unused, unused, counts
            )
            return int(size_of[its].sum())

        sequence = np.lexsort(orders.attributes.T[::-1])
        cost = size_of * (rows.size * (5.0 + orders.blocks) + self.table.n_rows * orders.load)
        may, threads = _changes(orders.attributes[sequence]), n_threads(self.n_jobs)
        run(by_bits, _cut(cost[sequence], may, threads, _LEAST_BITS), self.n_jobs, tick)
        return counts, groups.order

    def cost(self, subspaces: IntArray) -> float:
        """Nanoseconds, roughly, that `statistics` of the subspaces takes on one thread.

        It does not depend on what was asked for before, as the choice of parents does.
        """
        parts = (subspaces[part] for part in _runs(*subspaces.shape))
        return sum(float(self._plan(part, None)[3].sum()) for part in parts)

    def _plan(self, subspaces: IntArray, costs: CellCosts | None) -> _Plan:
        """Groups, the order of rows for each, the strategy of each subspace, costs, and bytes.

        Costs are those of each group by each kernel, bytes those of its counts.
        """
        groups = group_by_parent(subspaces, len(self.table.sizes), costs)
        orders = self._orders(groups, costs, 2)
        choice = np.empty(len(subspaces), dtype=np.int64)
        cost = np.empty((len(groups.parents), 3))
        n_bytes = self._bytes_of_counts(groups)
        _plan.plan(
            self.strategy,
            *self.views,
            self.table.sizes,
            self.table.reach,
            self.adjacent,
            *orders,
            groups.parents,
            groups.starts,
            groups.children,
            choice,
            cost,
            n_bytes,
        )
        return groups, orders.attributes, choice, cost, n_bytes

    def _orders(self, groups: Groups, costs: CellCosts | None, depth: int) -> Orders:
        return choose_orders(self.table, groups, self.share, self.most_near, costs, depth)

    def _bytes_of_counts(self, groups: Groups) -> IntArray:
        """Bytes of a count in grids and tables, for each group."""
        of_parent = self.most_near[groups.parents].min(axis=1, initial=self.table.n_rows)
        of_child = np.maximum.reduceat(self.most_near[groups.children], groups.starts[:-1])
        return bytes_of_counts(np.minimum(of_parent, of_child))


def _runs(m: int, k: int) -> list[slice]:
    """Cut m subspaces of k attributes into runs, each small enough to be planned as a whole."""
    n = -(-m * k // _PLANNED)
    return [slice(i * m // n, (i + 1) * m // n) for i in range(n)]


def _changes(orders: IntArray) -> npt.NDArray[np.bool_]:
    """Where the order of rows is another than before."""
    return np.asarray(np.any(np.diff(orders, axis=0, prepend=-9) != 0, axis=1))


def _cut(
    cost: FloatArray, may: npt.NDArray[np.bool_] | None, threads: int, least: float
) -> list[tuple[int, int]]:
    """Cut groups into pieces, where they may be cut; elsewhere if need be.

    For several threads the pieces become smaller, so that all threads end at about the same time.
    """
    pieces: list[tuple[int, int]] = []
    begin, spent, left = 0, 0.0, float(cost.sum())
    piece = _PIECE
    for g, its in enumerate(cost.tolist()):
        if threads > 1:
            piece = min(max((left + spent) / (4 * threads), least), _PIECE)
        if spent > piece * (1 if may is None or may[g] else 4):
            pieces.append((begin, g))
            begin, spent = g, 0.0
        spent += its
        left -= its
    pieces.append((begin, len(cost)))
    return pieces
