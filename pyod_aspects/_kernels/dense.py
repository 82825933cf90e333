"""Counting on the whole grid: histogram, one shifted-add pass per dimension.

Unbeatable while the grid is not much larger than the table, as for pairs. In every dimension but
the first, `reach` empty bins stand between the last bin and the first of the next line, so that a
pass is one shifted add, whatever the dimension. A large grid is taken in blocks along its first
dimension, each with the slabs within reach before and after it.
"""

from __future__ import annotations

import numpy as np

from ._jit import inner
from .arrays import cleared
from .views import column_of, n_rows_of

_BLOCK = 1 << 17  # bins of a block, and of a grid that is taken as a whole
_MIN_SLABS = 4  # slabs of a block


@inner
def parent_codes(views, view, sizes, reach, parent):
    """Place of each row's parent cell on the parent's whole grid, for the rows of a view."""
    out = cleared(np.empty(n_rows_of(views, view), dtype=np.uint32))
    for a in parent:
        length = sizes[a] + reach
        column = column_of(views, view, a)
        for r in range(out.size):
            out[r] = out[r] * length + column[r]
    return out


@inner
def _box_sum(source, target, gap, reach):
    """target[t] = sum of source[t + i * gap] for i from -reach to reach."""
    # Slices and not t + gap as an index, which would keep the loops from using vectors.
    if reach == 1 and source.size > 2 * gap:
        n = source.size
        before, at, after = source[: n - 2 * gap], source[gap : n - gap], source[2 * gap :]
        first, middle, last = target[:gap], target[gap : n - gap], target[n - gap :]
        for t in range(gap):
            first[t] = before[t] + at[t]
        for t in range(middle.size):
            middle[t] = before[t] + at[t] + after[t]
        before, at = source[n - 2 * gap : n - gap], source[n - gap :]
        for t in range(gap):
            last[t] = before[t] + at[t]
        return
    for t in range(source.size):
        target[t] = source[t]
    for i in range(1, reach + 1):
        if i * gap >= source.size:
            break
        ahead, later = source[i * gap :], target[i * gap :]
        for t in range(ahead.size):
            target[t] += ahead[t]
        for t in range(later.size):
            later[t] += source[t]


@inner
def room_for(dims, size, reach):
    """Bins of the grid without its first dimension, slabs of a block, and the room for its sums."""
    slab = size + reach
    for p in range(1, dims.size):
        slab *= dims[p] + reach
    n_slabs = dims[0] if dims.size > 0 else 1
    block = min(n_slabs, max(_MIN_SLABS, _BLOCK // slab))
    return slab, block, 2 * min(n_slabs, block + 2 * reach) * slab


@inner
def dense_child(parent_code, codes, weights, dims, size, reach, counts, room):
    """Sum of counts and of squared counts for one more attribute; number of cells, if two.

    dims: the parent's sizes. counts: room for the grid, zeros before and after. room: see
    `room_for`.
    """
    # Unsigned: an index that might be negative is looked at twice.
    stride = np.uintp(size + reach)
    for r in range(codes.size):
        counts[np.uintp(parent_code[r]) * stride + np.uintp(codes[r])] += weights[r]
    slab, block, _ = room_for(dims, size, reach)
    n_slabs = dims[0] if dims.size > 0 else 1
    n_cells = 0
    if dims.size == 1:
        for t in range(n_slabs * slab):
            n_cells += counts[t] != 0
    s1, s2 = np.uint64(0), np.uint64(0)
    for begin in range(0, n_slabs, block):
        end = min(begin + block, n_slabs)
        low, high = max(0, begin - reach), min(n_slabs, end + reach)
        source = counts[low * slab : high * slab]
        gap = np.int64(1)
        for p in range(dims.size + 1):
            half = p % 2 * (room.size // 2)
            target = room[half : half + source.size]
            _box_sum(source, target, gap, reach)
            source = target
            gap *= size + reach if p == 0 else dims[dims.size - p] + reach
        here = counts[begin * slab : end * slab]
        near = source[(begin - low) * slab : (end - low) * slab]
        for t in range(here.size):
            count = np.uint64(near[t])
            weighted = np.uint64(here[t]) * count
            s1 += weighted
            s2 += weighted * count
    for t in range(n_slabs * slab):
        counts[t] = 0
    return s1, s2, n_cells
