"""Counting on the whole grid: best for pairs, and for grids not much larger than the table."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .._kernels import tuned
from .._kernels.arguments import Rows, Totals
from .._kernels.grid import count_on_grid
from .._util.types import AnyArray, FloatArray
from ..exceptions import TooLargeError
from .strategy import FamilyStrategy, Job, Level


class GridStrategy(FamilyStrategy):
    """A histogram of all bins, then one pass of shifted sums for each dimension."""

    def fill(self, job: Job, rows: Rows, totals: Totals, unit: AnyArray) -> None:
        """Fill the totals of a job; a strategy that is forced may meet grids that are too large."""
        subspaces = job.level.subspaces[job.places]
        if subspaces.shape[1] > 1 and _too_large(job.level.grid(subspaces) * unit.itemsize).any():
            raise TooLargeError(
                f"a grid takes more than {tuned.MAX_BYTES:,} bytes: count it by cells or bits."
            )
        count_on_grid(rows, job.work, totals, unit, job.level.table.tall)

    def cost(self, level: Level, limit: FloatArray) -> FloatArray:
        """Nanoseconds: rows to count, and bins to go over once for each dimension."""
        grid, k = level.grid(level.subspaces), level.subspaces.shape[1]
        n_bytes = grid * level.n_bytes
        of_bin = tuned.GRID_BIN + tuned.GRID_PASS * level.n_bytes * (k - 1)
        of_bin *= 1.0 + np.maximum(0.0, n_bytes - tuned.GRID_CACHED) / tuned.GRID_BEYOND
        cost = tuned.GRID_ROW * level.n_rows + grid * of_bin
        return np.where(_too_large(n_bytes) & (k > 1), np.inf, cost)


def _too_large(n_bytes: FloatArray) -> npt.NDArray[np.bool_]:
    return n_bytes > tuned.MAX_BYTES
