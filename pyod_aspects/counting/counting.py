"""How a whole level of subspaces is counted: grouped, planned, cut into pieces, on threads.

Results never depend on the plan, the pieces or the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._kernels import by_cells as _by_cells
from .._kernels import by_grid as _by_grid
from .._kernels import exact as _exact
from .._kernels import plan as _plan
from .._kernels.plan import AUTO, BITSET, DENSE, FEW, SPARSE, TABLE
from .._util.parallel import counting_on, n_threads, run
from .._util.parents import Groups, group_by_parent
from .._util.types import AnyArray, FloatArray, IntArray, Tick
from .bits import count_by_bits
from .coded import CodedTable
from .costs import CellCosts, bytes_of_counts
from .orders import Orders, choose_orders, could_pay
from .views import views_of

STRATEGIES = {
    "auto": AUTO,
    "dense": DENSE,
    "table": TABLE,
    "bitset": BITSET,
    "sparse": SPARSE,
}

# Types of counts in grids and tables, for kernels.
_UNITS = np.empty(0, dtype=np.uint16), np.empty(0, dtype=np.uint32)

# Rows from which on fewer of them save time.
_MIN_ROWS = 256

# Nanoseconds of work of one thread between two looks at progress and interruption, and the
# least that is worth a piece of its own: with bits, a piece has to sort and load rows first.
_PIECE = 3e7
_LEAST = 5e5
_LEAST_BITS = 1e7

# Nanoseconds per row of what is counted by cells for want of another way.
_DEAR = 500.0

# Subspaces planned together, times the pairs of their attributes: plans take some hundred bytes for
# each.
_PLANNED = 500_000

Kernel = Callable[[IntArray], None]


class _Plan(NamedTuple):
    """How the subspaces of a level are counted: those of `groups`, in their order.

    choice: the strategy of each subspace, and cost: what it costs. orders: what rows are sorted by,
    for counting with bits. n_bytes: of the counts of each group, in grids and tables.
    """

    groups: Groups
    subspaces: IntArray
    choice: IntArray
    cost: FloatArray
    orders: IntArray
    n_bytes: IntArray


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
        plan = self._plan(subspaces, self.costs)
        groups, choice = plan.groups, plan.choice
        sums, squares = np.empty(m, dtype=np.uint64), np.empty(m, dtype=np.uint64)
        cells = np.zeros(m, dtype=np.int64)
        every = np.arange(self.table.codes.shape[1], dtype=np.int32)
        nothing = np.empty((0, 0), dtype=np.uint32)
        level: tuple[Any, ...] = (
            *self.views,
            self.table.sizes,
            self.table.reach,
            groups.parents,
            groups.starts,
            groups.children,
            choice,
        )

        def by_grid(unit: AnyArray, its: IntArray) -> None:
            _by_grid.count_by_grid(*level, its, sums, squares, cells, unit)

        def by_cells(unit: AnyArray, its: IntArray) -> None:
            _by_cells.count_by_cells(self.strategy, *level, its, sums, squares, unit)

        def by_bits(its: IntArray) -> None:
            count_by_bits(
                self.table, plan.subspaces, plan.orders, every, its, sums, squares, nothing
            )

        def count(kernel: Kernel, its: IntArray, n_done: int) -> int:
            kernel(its)
            return n_done

        threads = n_threads(self.n_jobs)
        pieces: list[tuple[Kernel, IntArray, int]] = []
        its = np.flatnonzero(choice == BITSET)
        if its.size:
            _ = self.table.by_row  # made once, and not by each thread
            alike = _pieces_alike(its, plan.orders, plan.cost, threads)
            pieces.extend((by_bits, piece, piece.size) for piece in alike)
        on_grid = choice == DENSE
        kernels = ((by_grid, on_grid), (by_cells, ~on_grid & (choice != BITSET)))
        for kernel, theirs in kernels:
            if not theirs.any():
                continue
            size_of = np.add.reduceat(theirs, groups.starts[:-1], dtype=np.int64)
            cost = np.add.reduceat(np.where(theirs, plan.cost, 0.0), groups.starts[:-1])
            for unit in _UNITS:
                its = np.flatnonzero((size_of > 0) & (plan.n_bytes == unit.itemsize))
                for begin, end in _cut(cost[its], None, threads, _LEAST):
                    piece = its[begin:end]
                    pieces.append((partial(kernel, unit), piece, int(size_of[piece].sum())))
        run(count, pieces, self.n_jobs, tick)
        if self.costs is not None and subspaces.shape[1] == 2:
            share = sums / float(self.table.n_rows) ** 2
            self.costs.learn(plan.subspaces, cells, share)
        mean, std = np.empty(m), np.empty(m)
        mean[groups.order], std[groups.order] = _exact.moments(sums, squares, self.table.n_rows)
        return mean, std

    def counts_of(
        self, subspaces: IntArray, rows: npt.NDArray[np.int32], tick: Tick | None = None
    ) -> npt.NDArray[np.uint32]:
        """Count the rows near some distinct rows only: (m, n of rows).

        Where there is no room for the bits of a subspace, all its counts are 0.
        """
        orders = self._orders(subspaces, None, 1)
        counts = np.zeros((len(subspaces), rows.size), dtype=np.uint32)
        unused = np.empty(len(subspaces), dtype=np.uint64)

        def by_bits(its: IntArray) -> int:
            count_by_bits(
                self.table, subspaces, orders.attributes, rows, its, unused, unused, counts
            )
            return its.size

        its, cost = np.flatnonzero(orders.fits), orders.cost(rows.size)
        _ = self.table.by_row  # made once, and not by each thread
        pieces = _pieces_alike(its, orders.attributes, cost, n_threads(self.n_jobs))
        run(by_bits, [(piece,) for piece in pieces], self.n_jobs, tick)
        return counts

    def cost(self, subspaces: IntArray) -> float:
        """Nanoseconds, roughly, that `statistics` of the subspaces takes on one thread.

        It does not depend on what was asked for before, as the choice of parents does.
        """
        parts = (subspaces[part] for part in _runs(*subspaces.shape))
        return sum(float(self._plan(part, None).cost.sum()) for part in parts)

    def sampling_cost(self, subspaces: IntArray, n: int) -> float:
        """Nanoseconds, roughly, that `counts_of` n rows takes on one thread."""
        parts = (subspaces[part] for part in _runs(*subspaces.shape))
        return sum(float(self._orders(part, None, 1).cost(n).sum()) for part in parts)

    def _plan(self, subspaces: IntArray, costs: CellCosts | None) -> _Plan:
        """Choose how to count each of some subspaces."""
        n, k = self.table.codes.shape[1], subspaces.shape[1]
        # Few rows are counted on the grid or with bits, for which parents hardly matter.
        quickly = self.strategy == AUTO and n <= FEW and k > 3
        groups = group_by_parent(subspaces, len(self.table.sizes), costs, quickly=quickly)
        subspaces = subspaces[groups.order]
        choice, cost = np.empty(len(subspaces), dtype=np.int64), np.empty(len(subspaces))
        n_bytes = self._bytes_of_counts(groups)
        _plan.plan(
            self.strategy,
            *self.views,
            self.table.sizes,
            self.table.reach,
            self.adjacent,
            groups.parents,
            groups.starts,
            groups.children,
            choice,
            cost,
            n_bytes,
        )
        orders = np.full((len(subspaces), 2), -1)
        if self.strategy in (AUTO, BITSET):
            forced = self.strategy == BITSET
            # Where bits cannot cost less, nothing need be known of them.
            its = np.arange(cost.size) if forced else could_pay(self.table, cost)
            if its.size:
                found = self._orders(subspaces[its], costs, 2)
                bits = np.where(found.fits, found.cost(n), np.inf)
                taken = found.fits if forced else bits < cost[its]
                orders[its] = found.attributes
                choice[its[taken]], cost[its[taken]] = BITSET, bits[taken]
                choice[its[~taken & (forced | np.isinf(cost[its]))]] = SPARSE
                cost[np.isinf(cost)] = _DEAR * n
        return _Plan(groups, subspaces, choice, cost, orders, n_bytes)

    def _orders(self, subspaces: IntArray, costs: CellCosts | None, depth: int) -> Orders:
        return choose_orders(self.table, subspaces, self.share, self.most_near, costs, depth)

    def _bytes_of_counts(self, groups: Groups) -> IntArray:
        """Bytes of a count in grids and tables, for each group."""
        of_parent = self.most_near[groups.parents].min(axis=1, initial=self.table.n_rows)
        of_child = np.maximum.reduceat(self.most_near[groups.children], groups.starts[:-1])
        return bytes_of_counts(np.minimum(of_parent, of_child))


def _runs(m: int, k: int) -> list[slice]:
    """Cut m subspaces of k attributes into runs, each small enough to be planned as a whole."""
    n = min(m, -(-m * (1 + k * (k + 1) // 2) // _PLANNED))
    return [slice(i * m // n, (i + 1) * m // n) for i in range(n)]


def _pieces_alike(
    its: IntArray, orders: IntArray, cost: FloatArray, threads: int
) -> list[IntArray]:
    """Cut some subspaces into pieces, where the order of rows changes if possible."""
    its = its[np.lexsort(orders[its].T[::-1])]
    changes = np.flatnonzero(np.any(np.diff(orders[its], axis=0) != 0, axis=1)) + 1
    return [its[begin:end] for begin, end in _cut(cost[its], changes, threads, _LEAST_BITS)]


def _cut(
    cost: FloatArray, places: IntArray | None, threads: int, least: float
) -> list[tuple[int, int]]:
    """Cut things into pieces that cost about as much, at some places; elsewhere if need be.

    For several threads the pieces become smaller, so that all threads end at about the same time.
    """
    before = np.append(0.0, cost.cumsum())
    pieces: list[tuple[int, int]] = []
    begin = 0
    while begin < cost.size:
        piece = _PIECE
        if threads > 1:
            piece = min(max((before[-1] - before[begin]) / (4 * threads), least), _PIECE)
        end = int(np.searchsorted(before, before[begin] + piece, side="right"))
        if places is not None:
            later = np.append(places[np.searchsorted(places, end) :][:1], cost.size)
            end = min(
                int(later[0]), int(np.searchsorted(before, before[begin] + 4 * piece, side="right"))
            )
        end = max(begin + 1, min(end, cost.size))
        pieces.append((begin, end))
        begin = end
    return pieces
