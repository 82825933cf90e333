"""The occupied cells of a subspace, sorted, with the neighbours of each.

A subspace is refined by one attribute at a time: rows are sorted by (cell, code), and the
neighbours of a new cell are looked for only among the children of its parent's neighbours.
Neighbouring cells that stand side by side in the sorted order are kept as one segment.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit


@jit
def whole(n):
    """Cells of the empty subspace: one, with all rows, its own neighbour."""
    perm = np.empty(n, dtype=np.int32)
    for r in range(n):
        perm[r] = r
    row_start = np.zeros(2, dtype=np.int32)
    row_start[1] = n
    segment_of = np.zeros(2, dtype=np.int32)
    segment_of[1] = 1
    first = np.zeros(1, dtype=np.int32)
    last = np.ones(1, dtype=np.int32)
    return perm, row_start, segment_of, first, last


@jit
def _first(array, n, room=0):
    """Copy of the first n entries, with room for more."""
    out = np.empty(n + room, dtype=np.int32)
    for i in range(n):
        out[i] = array[i]
    return out


@jit
def _grown(array):
    return _first(array, array.size, array.size)


@jit
def _sorted_rows(codes, size, perm, row_start):
    """Rows sorted by (old cell, code): counted into codes first, then stably into cells."""
    n = perm.size
    cell_of = np.empty(n, dtype=np.int32)
    for c in range(row_start.size - 1):
        for i in range(row_start[c], row_start[c + 1]):
            cell_of[perm[i]] = c
    place = np.zeros(size + 1, dtype=np.int32)
    for r in range(n):
        place[codes[r] + 1] += 1
    for v in range(size):
        place[v + 1] += place[v]
    by_code = np.empty(n, dtype=np.int32)
    for r in range(n):
        v = codes[r]
        by_code[place[v]] = r
        place[v] += 1
    fill = _first(row_start, row_start.size - 1)
    out = np.empty(n, dtype=np.int32)
    for i in range(n):
        r = by_code[i]
        c = cell_of[r]
        out[fill[c]] = r
        fill[c] += 1
    return out


@jit
def refine(codes, size, reach, perm, row_start, segment_of, first, last):
    """Cells of a subspace with one attribute more; same five arrays in and out.

    perm: rows in the order of their cells; row_start: where each cell's rows begin in perm;
    segment_of: where each cell's neighbour segments begin in (first, last), ranges of cells.
    """
    n = perm.size
    n_old = row_start.size - 1
    perm = _sorted_rows(codes, size, perm, row_start)

    # New cells, and the first new cell of each old one.
    child = np.empty(n_old + 1, dtype=np.int32)
    start = np.empty(n + 1, dtype=np.int32)
    code = np.empty(n, dtype=np.int32)
    n_new = 0
    for c in range(n_old):
        child[c] = n_new
        previous = -1
        for i in range(row_start[c], row_start[c + 1]):
            v = codes[perm[i]]
            if v != previous:
                start[n_new] = i
                code[n_new] = v
                n_new += 1
                previous = v
    child[n_old] = n_new
    start[n_new] = n

    new_segment_of = np.empty(n_new + 1, dtype=np.int32)
    new_first = np.empty(4 * n_new + 8, dtype=np.int32)
    new_last = np.empty(4 * n_new + 8, dtype=np.int32)
    n_segments = 0
    near = np.empty(64, dtype=np.int32)  # the old neighbours of one old cell,
    low = np.empty(64, dtype=np.int32)  # and in each the window of new cells in reach
    high = np.empty(64, dtype=np.int32)
    for c in range(n_old):
        n_near = 0
        for s in range(segment_of[c], segment_of[c + 1]):
            for other in range(first[s], last[s]):
                if n_near == near.size:
                    near, low, high = _grown(near), _grown(low), _grown(high)
                near[n_near] = other
                low[n_near] = child[other]
                high[n_near] = child[other]
                n_near += 1
        for new in range(child[c], child[c + 1]):
            new_segment_of[new] = n_segments
            x = code[new]
            end = -1
            for i in range(n_near):
                stop = child[near[i] + 1]
                lo = low[i]
                while lo < stop and code[lo] < x - reach:
                    lo += 1
                low[i] = lo
                hi = max(high[i], lo)
                while hi < stop and code[hi] <= x + reach:
                    hi += 1
                high[i] = hi
                if lo < hi:
                    if lo == end:  # goes on where the last segment ended
                        new_last[n_segments - 1] = hi
                    else:
                        if n_segments == new_first.size:
                            new_first, new_last = _grown(new_first), _grown(new_last)
                        new_first[n_segments] = lo
                        new_last[n_segments] = hi
                        n_segments += 1
                    end = hi
    new_segment_of[n_new] = n_segments
    return (
        perm,
        _first(start, n_new + 1),
        new_segment_of,
        _first(new_first, n_segments),
        _first(new_last, n_segments),
    )


@jit
def cells_of(codes, sizes, reach, attributes):
    """Cells of the subspace `attributes` (any number of them, none included)."""
    perm, row_start, segment_of, first, last = whole(codes.shape[1])
    for a in attributes:
        perm, row_start, segment_of, first, last = refine(
            codes[a], sizes[a], reach, perm, row_start, segment_of, first, last
        )
    return perm, row_start, segment_of, first, last
