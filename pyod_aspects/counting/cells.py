"""Counting in a table of parent's cells by child's codes: best for real tables, with many atoms."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._kernels import tuned
from .._kernels.arguments import Rows, Totals
from .._kernels.table import count_in_cells
from .._util.types import FloatArray, IntArray
from .strategy import Job, Level, Strategy, changes, cut


class CellStrategy(Strategy):
    """The occupied cells of the parent, with a line of the child's codes for each.

    It can count every subspace. A table of more than max_bytes holds one band of codes at a time.
    """

    def __init__(self, max_bytes: int = tuned.MAX_BYTES) -> None:
        self.max_bytes = max_bytes

    def cost(self, level: Level, limit: FloatArray) -> FloatArray:
        """Nanoseconds for the child, and for its share of the search for the parent's cells."""
        n, table = level.n_rows, level.table
        if table.codes.shape[1] <= tuned.CELL_FEW_ROWS:
            return np.asarray(tuned.CELL_LAST_RESORT * n)
        cost, worth = np.full(n.size, np.inf), limit > tuned.CELL_WORTH * n
        if not worth.any():
            return cost
        places, subspaces = level.by_parent
        places, subspaces = places[worth[places]], subspaces[worth[places]]
        firsts = np.append(0, changes(subspaces[:, :-1]))
        parents, n_children = subspaces[firsts, :-1], np.diff(firsts, append=places.size)
        cells = np.minimum(estimate_cells(table.rows, parents), level.grid(parents))
        with np.errstate(over="ignore"):
            adjacent = table.near.adjacent[parents].prod(axis=1)
        neighbours = cells * np.minimum(adjacent, cells)
        parent = tuned.PARENT_ROW * parents.shape[1] * table.view_rows(parents)
        parent += tuned.PARENT_NEIGHBOUR * neighbours
        cells, neighbours, parent = (
            np.repeat(x, n_children) for x in (cells, neighbours, parent / n_children)
        )
        line = level.n_bytes[places] * (table.sizes[subspaces[:, -1]] + tuned.TABLE_PAD)
        cost[places] = tuned.TABLE_ROW * n[places] + parent
        cost[places] += cells * (tuned.TABLE_CELL + tuned.TABLE_CELL_BYTE * line)
        cost[places] += neighbours * (tuned.TABLE_NEIGHBOUR + tuned.TABLE_NEIGHBOUR_BYTE * line)
        return cost

    def jobs(self, level: Level, places: IntArray, cost: FloatArray, threads: int) -> Iterator[Job]:
        """Cut between families if possible; a job has one type of counts."""
        order, subspaces = level.by_parent
        for unit, same in level.by_unit(places):
            kept = np.isin(order, same)
            its, members = order[kept], subspaces[kept]
            ends = changes(members[:, :-1])
            for begin, end in cut(cost[its], threads, tuned.LEAST_PIECE, ends):
                yield Job(level, its[begin:end], (members[begin:end], unit))

    def count(self, job: Job) -> Totals:
        """Totals of the subspaces of a job."""
        table, totals, (subspaces, unit) = job.level.table, Totals.of(job.places.size), job.work
        count_in_cells(table.rows, subspaces, totals, unit, table.tall, self.max_bytes)
        return totals


def estimate_cells(rows: Rows, parents: IntArray) -> FloatArray:
    """Estimate the number of occupied cells of parents (m, p) from a sample of the rows."""
    n = int(rows.begins[1])
    step = max(1, n // tuned.CELL_SAMPLE)
    sample = rows.codes[:, : n // step * step : step].astype(np.int64)
    cells = np.empty(len(parents))
    for begin in range(0, len(parents), tuned.CELL_TOGETHER):
        part = slice(begin, begin + tuned.CELL_TOGETHER)
        key = np.zeros((len(parents[part]), sample.shape[1]), dtype=np.int64)
        for a in parents[part].T:
            key = key * rows.sizes[a][:, None] + sample[a]  # may overflow: still a good hash
        key.sort(axis=1)
        new = np.ones((len(key), key.shape[1] + 1), dtype=bool)
        np.not_equal(key[:, 1:], key[:, :-1], out=new[:, 1:-1])
        distinct, once = new[:, :-1].sum(axis=1), (new[:, :-1] & new[:, 1:]).sum(axis=1)
        # The cells seen once estimate how many of the next rows find a new cell (Good 1953). Later
        # rows find fewer: the square was right within a factor of three on tables of all kinds.
        cells[part] = distinct * (n / key.shape[1]) ** ((once / distinct) ** 2)
    return cells
