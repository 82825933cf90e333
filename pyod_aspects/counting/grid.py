"""Counting on the whole grid: best for pairs, and for grids not much larger than the table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from .._kernels import tuned
from .._kernels.arguments import Totals
from .._kernels.grid import count_on_grid
from .._util.types import FloatArray, IntArray
from ..exceptions import TooLargeError
from .strategy import Job, Level, Strategy, cut


class GridStrategy(Strategy):
    """A histogram of all bins, then one pass of shifted sums for each dimension."""

    def cost(self, level: Level, limit: FloatArray) -> FloatArray:
        """Nanoseconds: rows to count, and one pass over the bins for each dimension."""
        grid, k = level.grid(level.subspaces), level.subspaces.shape[1]
        of_bin = tuned.GRID_BIN + tuned.GRID_PASS * level.n_bytes * (k - 1)
        of_bin *= (
            1.0 + np.maximum(0.0, grid * level.n_bytes - tuned.GRID_CACHED) / tuned.GRID_BEYOND
        )
        cost = tuned.GRID_ROW * level.n_rows + grid * of_bin
        return np.where(_too_large(level), np.inf, cost)

    def jobs(self, level: Level, places: IntArray, cost: FloatArray, threads: int) -> Iterator[Job]:
        """Cut the subspaces anywhere; a job has one type of counts."""
        for unit, same in level.by_unit(places):
            for begin, end in cut(cost[same], threads, tuned.LEAST_PIECE):
                yield Job(level, same[begin:end], unit)

    def count(self, job: Job) -> Totals:
        """Totals of the subspaces of a job; raises an error if a forced grid is too large."""
        level, totals = job.level, Totals.of(job.places.size)
        if _too_large(level)[job.places].any():
            raise TooLargeError(
                f"a grid takes more than {tuned.MAX_BYTES:,} bytes: count it by cells or bits."
            )
        subspaces = level.subspaces[job.places]
        count_on_grid(level.table.rows, subspaces, totals, job.work, level.table.tall)
        return totals


def _too_large(level: Level) -> npt.NDArray[np.bool_]:
    """Whether each grid is too large to allocate; a single column never is."""
    too_large = level.grid(level.subspaces) * level.n_bytes > tuned.MAX_BYTES
    return np.asarray(too_large & (level.subspaces.shape[1] > 1))
