"""Counting in a table of (parent's cell x child's code): best for real tables, with many atoms."""

from __future__ import annotations

import numpy as np

from .._kernels import tuned
from .._kernels.arguments import Families, Limits, Rows, Totals
from .._kernels.table import count_in_cells
from .._util.types import AnyArray, FloatArray, IntArray
from .strategy import FamilyStrategy, Job, Level


class CellStrategy(FamilyStrategy):
    """The occupied cells of the parent, with a line of the child's codes for each.

    It can count every subspace. A table of more than max_bytes is made a band of codes at a time.
    """

    def __init__(self, max_bytes: int = tuned.MAX_BYTES) -> None:
        self.max_bytes = max_bytes

    def fill(self, job: Job, rows: Rows, totals: Totals, unit: AnyArray) -> None:
        """Fill the totals of a job; the cells are found in the parents' own view."""
        table, view = job.level.table, job.level.view[job.places[0]]
        parent_view = table.view_of(job.work.parents[:1])[0]
        parent, row_of = table.views[parent_view], table.rows_in_view(view, parent_view)
        limits = Limits(table.tall, self.max_bytes)
        count_in_cells(rows, parent, row_of, job.work, totals, unit, limits)

    def kinds_of_parents(self, level: Level, families: Families) -> IntArray:
        """The views of the parents."""
        return level.table.view_of(families.parents)

    def cost(self, level: Level, limit: FloatArray) -> FloatArray:
        """Nanoseconds for the child, and for its share of finding the parent's cells."""
        n, table = level.n_rows, level.table
        if table.codes.shape[1] <= tuned.CELL_FEW_ROWS:
            return np.asarray(tuned.CELL_LAST_RESORT * n)
        cost = np.full(n.size, np.inf)
        places = np.flatnonzero(limit > tuned.CELL_WORTH * n)
        if places.size == 0:
            return cost
        families = level.families(places)
        places, n_children = places[families.order], np.diff(families.starts)
        cells = estimate_cells(table.views[0], families.parents)
        cells = np.minimum(cells, level.grid(families.parents))
        with np.errstate(over="ignore"):
            adjacent = table.near.adjacent[families.parents].prod(axis=1)
        neighbours = cells * np.minimum(adjacent, cells)
        cells, neighbours, sharing = (
            np.repeat(x, n_children) for x in (cells, neighbours, n_children)
        )
        line = level.n_bytes[places] * (table.sizes[families.children] + tuned.TABLE_PAD)
        in_parent = np.repeat(table.view_rows[table.view_of(families.parents)], n_children)
        parent = tuned.PARENT_ROW * families.parents.shape[1] * in_parent
        parent += tuned.PARENT_NEIGHBOUR * neighbours
        cost[places] = tuned.TABLE_ROW * n[places] + parent / sharing
        cost[places] += cells * (tuned.TABLE_CELL + tuned.TABLE_CELL_BYTE * line)
        cost[places] += neighbours * (tuned.TABLE_NEIGHBOUR + tuned.TABLE_NEIGHBOUR_BYTE * line)
        return cost


def estimate_cells(rows: Rows, parents: IntArray) -> FloatArray:
    """Estimate the number of occupied cells of parents (m, p) from some of the rows."""
    n = rows.weights.size
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
        # Of the next rows, as many as were seen once find a new cell (Good 1953), and ever fewer
        # later: the square was right within a factor of three on tables of all kinds.
        cells[part] = distinct * (n / key.shape[1]) ** ((once / distinct) ** 2)
    return cells
