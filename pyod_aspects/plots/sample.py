"""The rows to draw if there are too many: a fixed sample, and all that lie alone.

A grid divides the picture into cells. Rows in sparse cells matter most in a picture of anomalies,
so the first rows of every cell come first. The rest is a sample, in proportion, so that crowds
stay crowds.
"""

from __future__ import annotations

import numpy as np

from .._util.types import AnyArray, FloatArray, IntArray

MOST_POINTS = 5000
"""Most rows in one picture."""


def sample_rows(positions: FloatArray, most: int = MOST_POINTS) -> IntArray:
    """Choose rows of `positions` (n, k), in order; half of `most` is for lonely rows.

    Examples
    --------
    >>> crowd_and_one = np.vstack([np.zeros((20_000, 2)), [[1.0, 1.0]]])
    >>> rows = sample_rows(crowd_and_one)
    >>> len(rows), int(rows[-1])
    (5000, 20000)
    """
    n, k = positions.shape
    if n <= most:
        return np.arange(n)
    low, high = positions.min(axis=0), positions.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    # So few cells that one row of each fits; in many dimensions cells are slices.
    side = int((most // 2) ** 0.5) if k == 2 else most // (2 * k)
    cells = np.minimum(((positions - low) / span * side).astype(np.int64), side - 1)
    shuffled = np.random.default_rng(0).permutation(n)
    if k == 2:
        place = _place_in_cell(cells[:, 0] * side + cells[:, 1], shuffled)
    else:
        place = np.min([_place_in_cell(cells[:, j], shuffled) for j in range(k)], axis=0)
    # The first `few` rows of every cell, as many as fit.
    few = int(np.searchsorted(np.cumsum(np.bincount(place)), most // 2, side="right"))
    first = place < few
    rest = shuffled[~first[shuffled]][: most - int(first.sum())]
    return np.sort(np.concatenate([np.flatnonzero(first), rest]))


def _place_in_cell(cell: AnyArray, order: IntArray) -> IntArray:
    """Place of each row among the rows of its cell, from 0, in this order."""
    if cell.max() < 2**16:  # numpy sorts uint16 in a tenth of the time
        cell = cell.astype(np.uint16)
    by_cell = order[np.argsort(cell[order], kind="stable")]
    sorted_cell = cell[by_cell]
    starts = np.flatnonzero(np.r_[True, sorted_cell[1:] != sorted_cell[:-1]])
    sizes = np.diff(np.r_[starts, len(cell)])
    place = np.empty(len(cell), dtype=np.int64)
    place[by_cell] = np.arange(len(cell)) - np.repeat(starts, sizes)
    return place
