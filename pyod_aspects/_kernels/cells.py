"""The occupied cells of a subspace in lexicographic order, and a walk through them.

A subspace is refined by one attribute at a time: each cell is split into one for each code that
its rows have. The neighbours of a new cell are among the children of its parent's neighbours;
those that stand side by side are one segment. The walk visits the cells in order and says which
neighbours come and go from one to the next.
"""

from __future__ import annotations

import numpy as np

from ._jit import inline, inner
from .sorting import cleared, counting_sort, first_numbers
from .tuned import CELL_PLACES


@inner
def _resized(array, n):
    """Copy of an array with n entries, the first ones or with unset ones after them."""
    out = np.empty(n, dtype=array.dtype)
    for i in range(min(n, array.size)):
        out[i] = array[i]
    return out


@inner
def _split(cell_of, n_cells, codes, size):
    """Split cells by the codes (n,) of one more attribute; update cell_of (n,), each row's cell.

    Returns child, code: cell c becomes the cells child[c] to child[c + 1] - 1, and new cell i has
    code[i].
    """
    n = cell_of.size
    child = np.empty(n_cells + 1, dtype=np.int32)
    code = np.empty(n + 1, dtype=np.int32)
    n_new = 0
    if n_cells * size <= CELL_PLACES * n:
        # Unsigned: numba skips the check for negative indices.
        number, line = cleared(np.empty(n_cells * size, dtype=np.int32)), np.uintp(size)
        for r in range(n):
            number[np.uintp(cell_of[r]) * line + np.uintp(codes[r])] = 1
        for c in range(n_cells):
            child[c] = n_new
            for v in range(size):
                code[n_new] = v
                occupied = number[c * size + v]
                number[c * size + v] = n_new
                n_new += occupied
        for r in range(n):
            cell_of[r] = number[np.uintp(cell_of[r]) * line + np.uintp(codes[r])]
    else:
        rows, _ = counting_sort(codes, size, first_numbers(n))
        rows, _ = counting_sort(cell_of, n_cells, rows)
        n_seen, previous = 0, -1
        for r in rows:
            while n_seen <= cell_of[r]:
                child[n_seen] = n_new
                n_seen, previous = n_seen + 1, -1
            if codes[r] != previous:
                previous = codes[r]
                code[n_new] = previous
                n_new += 1
            cell_of[r] = n_new - 1
        for c in range(n_seen, n_cells):
            child[c] = n_new
    child[n_cells] = n_new
    return child, _resized(code, n_new)


@inner
def _open_windows(child, segments, c, low, high, stop):
    """Begin a line, the children of cell c: an empty window in the children of each neighbour.

    segments: as of `_neighbours`. low, high, stop: where each window begins, ends, and could end.
    Returns these, with more places if need be, and the number of windows.
    """
    segment_of, first, last = segments
    n = 0
    for s in range(segment_of[c], segment_of[c + 1]):
        for other in range(first[s], last[s]):
            if n == low.size:
                low, high = _resized(low, 2 * n), _resized(high, 2 * n)
                stop = _resized(stop, 2 * n)
            low[n], high[n], stop[n] = child[other], child[other], child[other + 1]
            n += 1
    return low, high, stop, n


@inner
def _neighbours(child, code, reach, segments):
    """Segments of the cells that `_split` made, from the `segments` of the cells before.

    Segments are three arrays: cell c has segment_of[c] to segment_of[c + 1] - 1, and segment s is
    the cells first[s] to last[s] - 1. child, code: as `_split` returns them.
    """
    n_new = code.size
    segment_of = np.empty(n_new + 1, dtype=np.int64)
    first = np.empty(4 * n_new + 8, dtype=np.int32)
    last = np.empty(4 * n_new + 8, dtype=np.int32)
    n_segments = 0
    low, high, stop = first_numbers(64), first_numbers(64), first_numbers(64)
    for c in range(child.size - 1):
        low, high, stop, n_windows = _open_windows(child, segments, c, low, high, stop)
        for new in range(child[c], child[c + 1]):
            segment_of[new] = n_segments
            x = code[new]
            end = -1
            for i in range(n_windows):
                lo = low[i]
                while lo < stop[i] and code[lo] < x - reach:
                    lo += 1
                hi = max(high[i], lo)
                while hi < stop[i] and code[hi] <= x + reach:
                    hi += 1
                low[i], high[i] = lo, hi
                if lo < hi:
                    if lo == end:  # goes on where the last segment ended
                        last[n_segments - 1] = hi
                    else:
                        if n_segments == first.size:
                            first = _resized(first, 2 * n_segments)
                            last = _resized(last, 2 * n_segments)
                        first[n_segments], last[n_segments] = lo, hi
                        n_segments += 1
                    end = hi
    segment_of[n_new] = n_segments
    return segment_of, first, last


@inner
def _walk(child, code, reach, segments):
    """Visit the cells that `_split` made one after the other, with their neighbours at hand.

    Along a line, the children of one cell, few neighbours come and go from a cell to the next.
    Returns opens: whether a line begins with a cell; and for each cell the ranges come_of in
    `comes`, go_of in `goes` of the cells to take in and to let go before it is looked at. When a
    line begins, all that are left of the last one go.
    """
    segment_of, first, last = segments
    n_cells = code.size
    n_most = 0
    for c in range(child.size - 1):
        for s in range(segment_of[c], segment_of[c + 1]):
            n_most += child[last[s]] - child[first[s]]
    opens = cleared(np.empty(n_cells, dtype=np.bool_))
    come_of, go_of = np.empty(n_cells + 1, dtype=np.int64), np.empty(n_cells + 1, dtype=np.int64)
    comes, goes = np.empty(n_most, dtype=np.int32), np.empty(n_most, dtype=np.int32)
    n_come, n_go = 0, 0
    low, high, stop = first_numbers(64), first_numbers(64), first_numbers(64)
    n_windows = 0
    one = np.uintp(1)
    for c in range(child.size - 1):
        if child[c] == child[c + 1]:
            continue
        opens[child[c]] = True
        go_of[child[c]] = n_go
        for i in range(n_windows):
            for cell in range(low[i], high[i]):
                goes[n_go] = cell
                n_go += 1
        low, high, stop, n_windows = _open_windows(child, segments, c, low, high, stop)
        for cell in range(child[c], child[c + 1]):
            x = code[cell]
            come_of[cell] = n_come
            if cell > child[c]:
                go_of[cell] = n_go
            for i in range(n_windows):
                lo, hi, end = np.uintp(low[i]), np.uintp(high[i]), np.uintp(stop[i])
                while lo < hi and code[lo] < x - reach:
                    goes[np.uintp(n_go)] = lo
                    n_go += 1
                    lo += one
                if lo == hi:  # what lies before the reach is never taken in
                    while lo < end and code[lo] < x - reach:
                        lo += one
                    hi = lo
                while hi < end and code[hi] <= x + reach:
                    comes[np.uintp(n_come)] = hi
                    n_come += 1
                    hi += one
                low[i], high[i] = lo, hi
    come_of[n_cells] = n_come
    go_of[n_cells] = n_go
    return opens, come_of, comes, go_of, goes


@inline
def walk_cells(rows, attributes):
    """Cells of the subspace `attributes` (any number, none included): cell_of, and their walk.

    rows: see `arguments`. cell_of: the cell of each row. The walk: as `_walk` returns it.
    """
    cell_of = cleared(np.empty(rows.weights.size, dtype=np.int32))
    segments = first_numbers(2).astype(np.int64), first_numbers(1), first_numbers(1) + np.int32(1)
    child, code = first_numbers(2), first_numbers(1)
    begin = 0
    if attributes.size > 1:
        # Every code of the first attribute is a cell; those without rows have no children.
        column = rows.codes[attributes[0]]
        for r in range(cell_of.size):
            cell_of[r] = column[r]
        code = first_numbers(rows.sizes[attributes[0]])
        child[1] = code.size
        begin = 1
    for i in range(begin, attributes.size):
        if i > 0:
            segments = _neighbours(child, code, rows.reach, segments)
        a = attributes[i]
        child, code = _split(cell_of, code.size, rows.codes[a], rows.sizes[a])
    return cell_of, _walk(child, code, rows.reach, segments)
