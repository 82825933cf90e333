"""Which rows are drawn when there are too many: a fixed sample, and all that lie alone.

A picture is cut into cells. Rows in sparsely filled cells are what a picture of anomalies is
about, so they are always drawn; the crowded rest is thinned, in proportion.
"""

from __future__ import annotations

import numpy as np

from .._types import FloatArray, IntArray

MOST_POINTS = 5000
"""Rows drawn in one picture."""


def drawn_rows(positions: FloatArray, most: int = MOST_POINTS) -> IntArray:
    """Choose rows of `positions` (n, k), in order; half of `most` is kept for lonely rows.

    Examples
    --------
    >>> crowd_and_one = np.vstack([np.zeros((20_000, 2)), [[1.0, 1.0]]])
    >>> rows = drawn_rows(crowd_and_one)
    >>> len(rows), int(rows[-1])
    (5000, 20000)
    """
    n, k = positions.shape
    if n <= most:
        return np.arange(n)
    # In two dimensions so many cells that one row of each can be drawn; beyond, axis by axis.
    side = max(2, int((most // 2) ** (1 / min(k, 2))))
    low, high = positions.min(axis=0), positions.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    cells = np.minimum(((positions - low) / span * side).astype(np.int64), side - 1)
    if k <= 2:
        crowd = _crowd(cells @ side ** np.arange(k))
    else:
        crowd = np.min([_crowd(cells[:, j]) for j in range(k)], axis=0)
    # Cells with at most `few` rows, as many as there is room for.
    sizes = np.bincount(crowd)
    few = int(np.searchsorted(np.cumsum(sizes), most // 2, side="right")) - 1
    lonely = crowd <= few
    rest = np.flatnonzero(~lonely)
    sample = np.random.default_rng(0).choice(
        rest, size=min(rest.size, most - int(lonely.sum())), replace=False
    )
    return np.sort(np.concatenate([np.flatnonzero(lonely), sample]))


def _crowd(cell: IntArray) -> IntArray:
    """Number of rows in the cell of each row."""
    return np.bincount(cell)[cell]
