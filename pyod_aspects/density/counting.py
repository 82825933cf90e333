"""How a whole level of subspaces is counted: grouped, planned, cut into pieces, on threads.

Results never depend on the plan, the pieces or the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import blake2b
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from .._kernels import by_bits as _by_bits
from .._kernels import by_cells as _by_cells
from .._kernels import by_grid as _by_grid
from .._kernels import exact as _exact
from .._kernels import plan as _plan
from .._kernels.plan import AUTO, BITSET, DENSE, FEW, SPARSE, TABLE
from .._types import AnyArray, CodeArray, FloatArray, IntArray, Tick
from ..parallel import counting_on, n_threads, run
from ..subspaces import small_codes, subspace_codes
from .costs import CellCosts, bytes_of_counts
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

# Words for the pseudo-bins of one thread: for a single line of keys 24 MB at the most; for several
# lines 512 KB, to stay in the second cache.
_MOST_WORDS = 3 * 2**20
_SOME_WORDS = 2**16

# Rows from which on fewer of them save time.
_MIN_ROWS = 256

# What sorting the rows anew costs, in words per row and subspace.
_SORTING = 40.0

# Nanoseconds of work of one thread between two looks at progress and interruption, and the
# least that is worth a piece of its own: with bits, a piece has to sort and load rows first.
_PIECE = 3e7
_LEAST = 5e5
_LEAST_BITS = 1e7

# Subspaces planned together, times their attributes: plans take some hundred bytes for each.
_PLANNED = 500_000

_Plan = tuple[Groups, IntArray, IntArray, FloatArray, IntArray]

Kernel = Callable[[IntArray, int, int], None]


@dataclass(frozen=True)
class CodedTable:
    """A table as codes of occupied bins, equal rows merged.

    `codes` (n_features, n_distinct) holds the distinct rows, `weights` how often each occurs,
    `row_of` the distinct row of every row of the table, `filled` how many rows have each code of
    each column. Two rows are near in a column if their codes differ by at most `reach`.
    """

    codes: CodeArray
    row_of: npt.NDArray[np.int32]
    weights: npt.NDArray[np.int32]
    filled: Sequence[npt.NDArray[np.int32]]
    reach: int

    @classmethod
    def of(
        cls, codes: CodeArray, filled: Sequence[npt.NDArray[np.int32]], reach: int
    ) -> CodedTable:
        """Merge the equal rows of codes (n_features, n_rows)."""
        n = codes.shape[1]
        # Rows as single numbers: as many columns at a time as fit in 64 bits. Narrow columns come
        # first: rows that differ in wide ones only are then side by side, as views need them.
        key, largest = np.zeros(n, dtype=np.int64), 1
        columns = [(column, rows.size) for column, rows in zip(codes, filled, strict=True)]
        for part, size in _parts(sorted(columns, key=itemgetter(1))):
            if largest * size > np.iinfo(np.int64).max:
                _, begins, key = _sorted(key, largest)
                largest = begins.size
                if largest == n:
                    break
            key *= size
            key += part
            largest *= size
        order, begins, row_of = _sorted(key, largest)
        if begins.size == n:  # nothing to merge: keep the rows in their order
            every = np.arange(n, dtype=np.int32)
            return cls(codes, every, np.ones(n, dtype=np.int32), filled, reach)
        merged = codes.take(order[begins], axis=1, mode="clip")
        weights = np.empty(begins.size, dtype=np.int32)
        weights[:-1], weights[-1] = begins[1:] - begins[:-1], n - begins[-1]
        return cls(merged, row_of.astype(np.int32), weights, filled, reach)

    @cached_property
    def sizes(self) -> IntArray:
        """Number of codes of each column."""
        return np.array([rows.size for rows in self.filled])

    @cached_property
    def by_row(self) -> CodeArray:
        """The codes once more, those of a row side by side."""
        return np.ascontiguousarray(self.codes.T)

    @cached_property
    def shuffled(self) -> npt.NDArray[np.int32]:
        """The distinct row of every row, in a random order that only the rows' contents decide.

        The order of the rows and of the columns does not matter: each row is hashed by what it
        holds, equal ones by their number too, and the rows are sorted by their hashes.
        """
        hashes = np.zeros(self.codes.shape[1], dtype=np.uint64)
        for column, rows in zip(self.codes, self.filled, strict=True):
            filled = rows.astype(np.float64)
            name = np.frombuffer(blake2b(filled.tobytes(), digest_size=8).digest(), np.uint64)
            hashes += _mixed(column.astype(np.uint64) + name)
        which = np.repeat(np.arange(hashes.size, dtype=np.int32), self.weights)
        first = np.repeat(np.cumsum(self.weights) - self.weights, self.weights)
        number = (np.arange(which.size) - first).astype(np.uint64)
        return np.asarray(which[np.argsort(_mixed(hashes[which] + _mixed(number)))])

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""
        return self.row_of.size

    @property
    def n_words(self) -> int:
        """Number of 64-bit words for a set of rows."""
        return -(-self.row_of.size // 64)

    def neighbourhoods(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Neighbourhoods in each column alone.

        The share of all rows and the number of occupied bins near a row, both on average over the
        rows; and the most rows near any bin.
        """
        share, adjacent, most = np.empty((3, len(self.sizes)))
        for a, rows in enumerate(self.filled):
            here, occupied = rows.astype(np.float64), (rows > 0).astype(np.float64)
            near, bins = here.copy(), occupied.copy()
            for shift in range(1, self.reach + 1):
                near[shift:] += here[:-shift]
                near[:-shift] += here[shift:]
                bins[shift:] += occupied[:-shift]
                bins[:-shift] += occupied[shift:]
            share[a], adjacent[a] = here @ near / self.n_rows**2, here @ bins / self.n_rows
            most[a] = near.max()
        return share, adjacent, most


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

        def by_grid(unit: AnyArray, sequence: IntArray, begin: int, end: int) -> None:
            _by_grid.count_by_grid(*level, sequence, begin, end, sums, squares, cells, unit)

        def by_bits(sequence: IntArray, begin: int, end: int) -> None:
            self._by_bits(
                groups, orders, choice, every, sequence, begin, end, sums, squares, nothing
            )

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
        orders, words = self._orders(groups.parents, 1, None)
        codes = self.table.sizes + self.table.reach
        room = self._room_for_codes(orders) - codes[groups.parents].sum(axis=1)
        fits = codes[groups.children] <= np.repeat(room, np.diff(groups.starts))
        choice = np.where(fits, BITSET, SPARSE)
        counts = np.zeros((m, rows.size), dtype=np.uint32)
        unused = np.empty(m, dtype=np.uint64)
        size_of = np.diff(groups.starts)

        def by_bits(begin: int, end: int) -> int:
            self._by_bits(
                groups, orders, choice, rows, sequence, begin, end, unused, unused, counts
            )
            return int(size_of[sequence[begin:end]].sum())

        sequence = np.lexsort(orders.T[::-1])
        cost = size_of * rows.size * (10.0 + words)
        may, threads = _changes(orders[sequence]), n_threads(self.n_jobs)
        run(by_bits, _cut(cost[sequence], may, threads, _LEAST_BITS), self.n_jobs, tick)
        return counts, groups.order

    def cost(self, subspaces: IntArray) -> float:
        """Nanoseconds, roughly, that `statistics` of the subspaces takes on one thread.

        It does not depend on what was asked for before, as the choice of parents does.
        """
        parts = (subspaces[part] for part in _runs(*subspaces.shape))
        return sum(float(self._plan(part, None)[3].sum()) for part in parts)

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
            _MOST_WORDS,
            _SOME_WORDS,
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

    def _plan(self, subspaces: IntArray, costs: CellCosts | None) -> _Plan:
        """Groups, the order of rows for each, the strategy of each subspace, costs, and bytes.

        Costs are those of each group by each kernel, bytes those of its counts.
        """
        groups = group_by_parent(subspaces, len(self.table.sizes), costs)
        orders, words = self._orders(groups.parents, 2, costs)
        choice = np.empty(len(subspaces), dtype=np.int64)
        cost = np.empty((len(groups.parents), 3))
        n_bytes = self._bytes_of_counts(groups)
        keys = np.where(orders >= 0, self.table.sizes[orders], 1).prod(axis=1)
        _plan.plan(
            self.strategy,
            *self.views,
            self.table.sizes,
            self.table.reach,
            self.adjacent,
            self._room_for_codes(orders),
            words,
            np.minimum(keys, 0.3 * self.table.n_rows),
            self._load(groups, orders),
            orders,
            groups.parents,
            groups.starts,
            groups.children,
            choice,
            cost,
            n_bytes,
        )
        return groups, orders, choice, cost, n_bytes

    def _bytes_of_counts(self, groups: Groups) -> IntArray:
        """Bytes of a count in grids and tables, for each group."""
        of_parent = self.most_near[groups.parents].min(axis=1, initial=self.table.n_rows)
        of_child = np.maximum.reduceat(self.most_near[groups.children], groups.starts[:-1])
        return bytes_of_counts(np.minimum(of_parent, of_child))

    def _room_for_codes(self, orders: IntArray) -> IntArray:
        """Codes whose bits have room, if rows are sorted by these attributes."""
        near_line = np.minimum(self.table.n_words, self.most_near[orders[:, 0]] // 64 + 2)
        words = np.where(orders[:, 0] >= 0, near_line, self.table.n_words)
        return np.asarray(_MOST_WORDS // words, dtype=np.int64)

    def _load(self, groups: Groups, orders: IntArray) -> FloatArray:
        """Nanoseconds per row and subspace for sorting the rows and loading their bits."""
        size_of, d = np.diff(groups.starts), len(self.table.sizes)
        which = small_codes(subspace_codes(orders + 1, d + 1))
        shared = np.bincount(which, size_of)[which]
        return np.asarray((30.0 + 4.0 * np.minimum(d, groups.parents.shape[1] + shared)) / shared)

    def _orders(
        self, parents: IntArray, depth: int, costs: CellCosts | None
    ) -> tuple[IntArray, FloatArray]:
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
                if size == 2:  # lines of keys are short along the one with few rows near a bin
                    swapped = np.diff(self.most_near[attributes], axis=1) < 0
                    attributes = np.where(swapped, attributes[:, ::-1], attributes)
                which = small_codes(subspace_codes(attributes, len(self.table.sizes)))
                shared = np.bincount(which)
                windows = float((2 * self.table.reach + 1) ** (size - 1))
                share = self.share[attributes].prod(axis=1)
                if size == 2 and costs is not None:
                    share = costs.share_of(attributes)
                taken = np.minimum(n_words, n_words * share + 1.5 * windows)
                # No more keys than rows.
                taken[self.table.sizes[attributes].prod(axis=1) > max(n, 1024)] = np.inf
                here = taken + 4.0 + _SORTING / shared[which]
                better = here < cost
                orders[better, :size] = attributes[better]
                words[better], cost[better] = taken[better], here[better]
        return orders, words


def _runs(m: int, k: int) -> list[slice]:
    """Cut m subspaces of k attributes into runs, each small enough to be planned as a whole."""
    n = -(-m * k // _PLANNED)
    return [slice(i * m // n, (i + 1) * m // n) for i in range(n)]


def _parts(columns: Sequence[tuple[AnyArray, int]]) -> Iterator[tuple[AnyArray, int]]:
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


def _sorted(key: IntArray, largest: int) -> tuple[IntArray, IntArray, IntArray]:
    """Sort whole numbers from 0 to less than `largest`, equal ones in their order.

    Returns (order, begins, rank): the places of the numbers in sorted order, where each distinct
    number begins in it, and which of the distinct numbers each one is.
    """
    # Numbers of 16 bits are sorted without comparing them, several times as fast.
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


def _mixed(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Spread 64-bit numbers evenly (the finaliser of SplitMix64, Steele and others 2014)."""
    x = (x + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))


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
