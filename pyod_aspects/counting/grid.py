"""Counting on the whole grid: best for pairs, and for grids not much larger than the table."""

from __future__ import annotations

import numpy as np

from .._kernels import tuned
from .._kernels.arguments import Rows, Totals
from .._kernels.grid import count_on_grid
from .._util.types import AnyArray, FloatArray
from .strategy import FamilyStrategy, Job, Level


class GridStrategy(FamilyStrategy):
    """A histogram of all bins, then one pass of shifted sums for each dimension."""

    def fill(self, job: Job, rows: Rows, totals: Totals, unit: AnyArray) -> None:
        """Fill the totals of a job."""
        count_on_grid(rows, job.work, totals, unit, job.level.table.tall)

    def cost(self, level: Level, limit: FloatArray) -> FloatArray:
        """Nanoseconds: rows to count, and bins to go over once for each dimension."""
        grid, k = level.grid(level.subspaces), level.subspaces.shape[1]
        n_bytes = grid * level.n_bytes
        of_bin = tuned.GRID_BIN + tuned.GRID_PASS * level.n_bytes * (k - 1)
        of_bin *= 1.0 + np.maximum(0.0, n_bytes - tuned.GRID_CACHED) / tuned.GRID_BEYOND
        cost = tuned.GRID_ROW * level.n_rows + grid * of_bin
        return np.where((n_bytes <= tuned.MAX_BYTES) | (k == 1), cost, np.inf)
