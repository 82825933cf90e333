"""What it costs to count a subspace by the cells of one parent or another, roughly."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from .._kernels.plan import table_cost
from .._kernels.views import Views
from .._util.types import FloatArray, IntArray

# Fewer rows than this are counted in 16 bits.
_WIDE = 2**16

# Of tables with more columns nothing is noted of their pairs: 32 MB at the most.
_MOST_COLUMNS = 2048

# Nanoseconds for each cell that comes or goes on the walk through a parent's cells, more than it
# takes, as not all that might share a parent will; and the most for a row of the table: from there
# on, other ways of counting cost less.
_WALK = 25.0
_MOST = 40.0


def bytes_of_counts(most_near: FloatArray) -> IntArray:
    """Bytes of counts that are no more than these: 2 need half the memory and time of 4.

    No subspace has more rows near a cell than any of its attributes has near a bin.
    """
    return np.where(most_near < _WIDE, 2, 4)


class CellCosts:
    """Costs of children by the cells of their parents, and of finding these cells.

    The number of cells of a pair of columns is counted with the pair, if that is counted on the
    grid, and the number for other parents follows from their pairs. With every pair comes the share
    of rows near a row, which tells how well it sorts rows for bits.
    """

    def __init__(
        self,
        views: Views,
        sizes: IntArray,
        share: FloatArray,
        adjacent: FloatArray,
        most_near: FloatArray,
    ) -> None:
        self.views, self.sizes = views, sizes
        self.share, self.adjacent, self.most_near = share, adjacent, most_near
        self.n_rows = np.diff(views.begins)
        d = sizes.size
        shape = (d, d) if d <= _MOST_COLUMNS else (0, 0)
        self._cells = np.zeros(shape, dtype=np.float32)
        self._share = np.zeros(shape, dtype=np.float32)

    def learn(self, pairs: IntArray, cells: IntArray, share: FloatArray) -> None:
        """Note of pairs how many cells they have, if not 0, and the share of rows near a row."""
        if self._cells.size:
            a, b = pairs.T
            if not self._cells.flags.writeable:  # joblib maps large arrays into other processes
                self._cells, self._share = self._cells.copy(), self._share.copy()
            self._cells[a, b] = self._cells[b, a] = np.maximum(cells, self._cells[a, b])
            self._share[a, b] = self._share[b, a] = share

    def share_of(self, pairs: IntArray) -> FloatArray:
        """Share of the rows near a row, on average; if not known, as of unrelated columns."""
        guess = self.share[pairs].prod(axis=1)
        if not self._share.size:
            return np.asarray(guess)
        known = self._share[pairs[:, 0], pairs[:, 1]]
        return np.where(known > 0, known, guess).astype(np.float64)

    def __call__(self, parents: IntArray, children: IntArray) -> tuple[FloatArray, FloatArray]:
        """Nanoseconds for the children of parents (m, p), and for the cells of the parents."""
        m, p = parents.shape
        last = np.full(m, len(self.n_rows) - 1)
        near, widest = np.ones(m), np.ones(m)
        least = self.most_near[children]
        for a in parents.T:
            np.minimum(last, self.views.last[a], out=last)
            near *= self.adjacent[a]
            np.maximum(widest, self.adjacent[a], out=widest)
            np.minimum(least, self.most_near[a], out=least)
        rows = self.n_rows[last]
        # No subspace has more cells than its pairs allow (Loomis and Whitney 1949).
        cells = np.ones(m)
        for i, j in combinations(range(p), 2):
            cells *= self._cells_of(parents[:, i], parents[:, j]) ** (1.0 / (p - 1))
        cells = np.minimum(cells, rows)
        steps = 2.0 * cells * np.maximum(1.0, near / widest)  # see `_kernels/plan.py`
        of_child = self.n_rows[np.minimum(last, self.views.last[children])]
        n_bytes = bytes_of_counts(least)
        child = table_cost(of_child, self.sizes[children], cells, steps, n_bytes)
        return np.minimum(child, _MOST * self.n_rows[0]), 2.0 * p * rows + _WALK * steps

    def _cells_of(self, a: IntArray, b: IntArray) -> FloatArray:
        """Cells of pairs of columns; where they are not known, as many as there might be."""
        most = np.asarray(self.sizes[a] * self.sizes[b], dtype=np.float64)
        if not self._cells.size:
            return most
        known = self._cells[a, b]
        return np.where(known > 0, known, most).astype(np.float64)
