"""The occupied cells of a subspace, in lexicographic order, and which of them are neighbours.

A subspace is refined by one attribute at a time: each cell is split into one for each code that
its rows have. The neighbours of a new cell are looked for only among the children of its
parent's neighbours; those that stand side by side are kept as one segment.
"""

from __future__ import annotations

import numpy as np

from ._jit import inline, inner
from .arrays import cleared
from .views import column_of, n_rows_of

# Cells are split by marking codes on a grid with at most this many places per row.
_PLACES = 8


@inner
def _first(array, n, room=0):
    """Copy of the first n entries, with room for more."""
    out = np.empty(n + room, dtype=np.int32)
    for i in range(n):
        out[i] = array[i]
    return out


@inner
def _grown(array):
    return _first(array, array.size, array.size)


@inner
def sorted_rows(keys, n_keys, rows):
    """Order `rows` by their keys, ties as they stand; and where each key begins."""
    start = cleared(np.empty(n_keys + 1, dtype=np.int32))
    for r in rows:
        start[keys[r] + 1] += 1
    for key in range(n_keys):
        start[key + 1] += start[key]
    fill = _first(start, n_keys)
    out = np.empty(rows.size, dtype=np.int32)
    for r in rows:
        key = keys[r]
        out[fill[key]] = r
        fill[key] += 1
    return out, start


@inner
def split(cell_of, n_cells, codes, size):
    """Split cells by the codes of one more attribute; cell_of is brought up to date.

    Returns child, code: cell c becomes the cells child[c] to child[c + 1] - 1, and new cell i has
    code[i].
    """
    n = cell_of.size
    child = np.empty(n_cells + 1, dtype=np.int32)
    code = np.empty(n + 1, dtype=np.int32)
    n_new = 0
    if n_cells * size <= _PLACES * n:
        # Unsigned: an index that might be negative is looked at twice.
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
        rows = np.empty(n, dtype=np.int32)
        for r in range(n):
            rows[r] = r
        rows, _ = sorted_rows(cell_of, n_cells, sorted_rows(codes, size, rows)[0])
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
    return child, _first(code, n_new)


@inner
def neighbours(child, code, reach, segment_of, first, last):
    """Neighbours of the cells that `split` made, from those of the cells before.

    segment_of: where each cell's segments begin in (first, last), ranges of cells.
    """
    n_new = code.size
    new_segment_of = np.empty(n_new + 1, dtype=np.int32)
    new_first = np.empty(4 * n_new + 8, dtype=np.int32)
    new_last = np.empty(4 * n_new + 8, dtype=np.int32)
    n_segments = 0
    near = np.empty(64, dtype=np.int32)  # the old neighbours of one old cell,
    low = np.empty(64, dtype=np.int32)  # and in each the window of new cells in reach
    high = np.empty(64, dtype=np.int32)
    for c in range(child.size - 1):
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
    return new_segment_of, new_first, new_last


@inner
def walk(child, code, reach, segment_of, first, last):
    """Visit the cells that `split` made one after the other, with their neighbours at hand.

    Along a line, the children of one cell, the neighbours of a cell are those of the one before
    but for a few that come and go. Returns opens: whether a line begins with a cell; and for each
    cell the ranges come_of in `comes`, go_of in `goes` of the cells to be taken in and let go of
    before it is looked at. When a line begins, all that are left of the last one go.
    """
    n_cells = code.size
    n_most = 0
    for c in range(child.size - 1):
        for s in range(segment_of[c], segment_of[c + 1]):
            n_most += child[last[s]] - child[first[s]]
    opens = cleared(np.empty(n_cells, dtype=np.bool_))
    come_of = np.empty(n_cells + 1, dtype=np.int32)
    go_of = np.empty(n_cells + 1, dtype=np.int32)
    comes = np.empty(n_most, dtype=np.int32)
    goes = np.empty(n_most, dtype=np.int32)
    n_come, n_go = 0, 0
    low = np.empty(64, dtype=np.int32)
    high = np.empty(64, dtype=np.int32)
    stop = np.empty(64, dtype=np.int32)
    n_near = 0
    one = np.uintp(1)
    for c in range(child.size - 1):
        if child[c] == child[c + 1]:
            continue
        opens[child[c]] = True
        go_of[child[c]] = n_go
        for i in range(n_near):
            for cell in range(low[i], high[i]):
                goes[n_go] = cell
                n_go += 1
        n_near = 0
        for s in range(segment_of[c], segment_of[c + 1]):
            for other in range(first[s], last[s]):
                if n_near == low.size:
                    low, high, stop = _grown(low), _grown(high), _grown(stop)
                low[n_near] = child[other]
                high[n_near] = child[other]
                stop[n_near] = child[other + 1]
                n_near += 1
        for cell in range(child[c], child[c + 1]):
            x = code[cell]
            come_of[cell] = n_come
            if cell > child[c]:
                go_of[cell] = n_go
            for i in range(n_near):
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
def walk_of(views, view, sizes, reach, attributes):
    """Cells of the subspace `attributes` (any number, none included): cell_of, and their walk.

    cell_of: for the rows of a view.
    """
    cell_of = cleared(np.empty(n_rows_of(views, view), dtype=np.int32))
    segment_of = cleared(np.empty(2, dtype=np.int32))
    segment_of[1] = 1
    first = cleared(np.empty(1, dtype=np.int32))
    last = np.empty(1, dtype=np.int32)
    last[0] = 1
    child = cleared(np.empty(2, dtype=np.int32))
    child[1] = 1
    code = cleared(np.empty(1, dtype=np.int32))
    begin = 0
    if attributes.size > 1:
        # Every code of the first attribute is a cell; those without rows have no children.
        a = attributes[0]
        column = column_of(views, view, a)
        for r in range(cell_of.size):
            cell_of[r] = column[r]
        child[1] = sizes[a]
        code = np.empty(sizes[a], dtype=np.int32)
        for v in range(code.size):
            code[v] = v
        begin = 1
    for i in range(begin, attributes.size):
        a = attributes[i]
        if i > 0:
            segment_of, first, last = neighbours(child, code, reach, segment_of, first, last)
        child, code = split(cell_of, code.size, column_of(views, view, a), sizes[a])
    return cell_of, walk(child, code, reach, segment_of, first, last)
