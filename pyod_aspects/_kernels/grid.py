"""Counting on the whole grid: a histogram, then one pass of shifted sums for each dimension.

In every dimension but the first, `reach` empty bins stand between the last bin and the first of
the next line, so that a pass is one shifted sum, whatever the dimension. A large grid is taken in
blocks along its first dimension, each with the slabs within reach before and after it.
"""

from __future__ import annotations

import numpy as np

from ._jit import inner, jit
from .sorting import cleared
from .sums import add_count, add_totals
from .tuned import GRID_BLOCK, GRID_MIN_SLABS


@inner
def _parent_codes(rows, parent):
    """Place on the grid of `parent` (p,), an array of attributes, for each of `rows`."""
    out = cleared(np.empty(rows.weights.size, dtype=np.uint32))
    for a in parent:
        length, column = rows.sizes[a] + rows.reach, rows.codes[a]
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
def _blocks_of(dims, size, reach):
    """Bins of a slab, slabs of a block, and bins of the buffer for the sums of a block.

    dims (p,): sizes of the parent's attributes, size: of the child.
    """
    slab = size + reach
    for p in range(1, dims.size):
        slab *= dims[p] + reach
    n_slabs = dims[0] if dims.size > 0 else 1
    block = min(n_slabs, max(GRID_MIN_SLABS, GRID_BLOCK // slab))
    return slab, block, 2 * min(n_slabs, block + 2 * reach) * slab


@inner
def _count_child(counts, buffer, dims, size, reach, tall):
    """Sums of one subspace, whose histogram is `counts`; it is cleared for the next.

    dims: sizes of the parent's attributes, size: of the child. buffer: see `_blocks_of`.
    """
    slab, block, _ = _blocks_of(dims, size, reach)
    n_slabs = dims[0] if dims.size > 0 else 1
    totals = np.uint64(0), np.uint64(0), np.uint64(0)
    for begin in range(0, n_slabs, block):
        end = min(begin + block, n_slabs)
        first, last = max(0, begin - reach), min(n_slabs, end + reach)
        source = counts[first * slab : last * slab]
        gap = np.int64(1)
        for p in range(dims.size + 1):
            half = p % 2 * (buffer.size // 2)
            target = buffer[half : half + source.size]
            _box_sum(source, target, gap, reach)
            source = target
            gap *= size + reach if p == 0 else dims[dims.size - p] + reach
        near = source[(begin - first) * slab : (end - first) * slab]
        here = counts[begin * slab : end * slab]
        if tall:
            for t in range(here.size):
                totals = add_count(totals, np.uint64(here[t]), np.uint64(near[t]))
        else:
            s1, low = np.uint64(0), np.uint64(0)
            for t in range(here.size):
                n = np.uint64(near[t])
                weighted = np.uint64(here[t]) * n
                s1 += weighted
                low += weighted * n
            totals = add_totals(totals, (s1, low, np.uint64(0)))
    for t in range(n_slabs * slab):
        counts[t] = 0
    return totals


@jit
def count_on_grid(rows, families, totals, unit, tall):
    """Fill `totals` of `families` of subspaces, with the `rows` of a view of the table.

    See `arguments` for the three tuples. unit: an empty array of the type that holds every count.
    tall: whether sums of squares may need their second word.
    """
    sizes, reach, p = rows.sizes, rows.reach, families.parents.shape[1]
    dims = np.empty(p, dtype=np.int64)
    counts = cleared(np.empty(1, dtype=unit.dtype))  # the whole grid: zeros between children
    buffer = np.empty(1, dtype=unit.dtype)
    for g in range(families.parents.shape[0]):
        parent_grid = 1
        for j in range(p):
            dims[j] = sizes[families.parents[g, j]]
            parent_grid *= dims[j] + reach
        parent_code = _parent_codes(rows, families.parents[g])
        for m in range(families.starts[g], families.starts[g + 1]):
            a = families.children[m]
            if counts.size < parent_grid * (sizes[a] + reach):
                counts = cleared(np.empty(parent_grid * (sizes[a] + reach), dtype=unit.dtype))
            _, _, n_buffer = _blocks_of(dims, sizes[a], reach)
            if buffer.size < n_buffer:
                buffer = np.empty(n_buffer, dtype=unit.dtype)
            # Unsigned: numba skips the check for negative indices.
            column, stride = rows.codes[a], np.uintp(sizes[a] + reach)
            for r in range(column.size):
                counts[np.uintp(parent_code[r]) * stride + np.uintp(column[r])] += rows.weights[r]
            child = _count_child(counts, buffer, dims, sizes[a], reach, tall)
            totals.sums[m], totals.squares[m, 0], totals.squares[m, 1] = child
