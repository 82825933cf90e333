"""The occupied cells of a subspace in lexicographic order, and which of them are neighbours.

A subspace grows by one attribute at a time: each cell splits into one cell for each code that its
rows have. The neighbours of a new cell are among the children of its parent's neighbours.
Neighbours side by side form one segment, first to last - 1.
"""

from __future__ import annotations

import numpy as np

from ._jit import inline, inner, jit
from .sorting import cleared, counting_sort, first_numbers
from .tuned import CELL_PLACES


@inner
def smallest_view(rows, attributes):
    """Return the last view of `rows` (see `arguments`) with the columns of all attributes (p,)."""
    view = rows.begins.size - 2
    for a in attributes:
        view = min(view, rows.last_view[a])
    return view


@inner
def _resized(array, n):
    """Return a copy of an array with n entries: truncated, or with unset entries at the end."""
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
def _neighbours(child, code, reach, segments):
    """Return segments of the cells that `_split` made, from the `segments` of the cells before.

    Segments are three arrays: cell c has segment_of[c] to segment_of[c + 1] - 1, and segment s is
    the cells first[s] to last[s] - 1. child, code: as `_split` returns them.
    """
    old_of, old_first, old_last = segments
    segment_of = np.empty(code.size + 1, dtype=np.int64)
    first, last = first_numbers(4 * code.size + 8), first_numbers(4 * code.size + 8)
    low, high, stop = first_numbers(64), first_numbers(64), first_numbers(64)
    n_segments = 0
    for c in range(child.size - 1):
        # In the children of each neighbour of c, a window of cells within reach moves along.
        n_windows = 0
        for s in range(old_of[c], old_of[c + 1]):
            for other in range(old_first[s], old_last[s]):
                if n_windows == low.size:
                    low, high = _resized(low, 2 * n_windows), _resized(high, 2 * n_windows)
                    stop = _resized(stop, 2 * n_windows)
                low[n_windows] = high[n_windows] = child[other]
                stop[n_windows] = child[other + 1]
                n_windows += child[other] < child[other + 1]
        for new in range(child[c], child[c + 1]):
            segment_of[new] = n_segments
            if n_segments + n_windows > first.size:
                first = _resized(first, 2 * first.size + n_windows)
                last = _resized(last, first.size)
            x, end = code[new], -1
            for i in range(n_windows):
                lo, hi = low[i], high[i]
                while lo < stop[i] and code[lo] < x - reach:
                    lo += 1
                hi = max(hi, lo)
                while hi < stop[i] and code[hi] <= x + reach:
                    hi += 1
                low[i], high[i] = lo, hi
                if lo < hi:
                    if lo != end:  # else it continues the last segment
                        first[n_segments] = lo
                        n_segments += 1
                    last[n_segments - 1] = end = hi
    segment_of[code.size] = n_segments
    return segment_of, first, last


@inline
def find_cells(rows, view, attributes):
    """Return the cell of each row in the subspace `attributes`, the number of cells, and segments.

    rows: see `arguments`; the kernel reads those of `view`. Segments: see `_neighbours`.
    """
    begin, end = rows.begins[view], rows.begins[view + 1]
    cell_of = cleared(np.empty(end - begin, dtype=np.int32))
    segments = first_numbers(2).astype(np.int64), first_numbers(1), first_numbers(2)[1:]
    child, code = first_numbers(2), first_numbers(1)
    for i in range(attributes.size):
        column, size = rows.codes[attributes[i], begin:end], rows.sizes[attributes[i]]
        if i == 0:  # every code is a cell; those without rows have no children
            for r in range(column.size):
                cell_of[r] = column[r]
            child[1], code = size, first_numbers(size)
        else:
            child, code = _split(cell_of, code.size, column, size)
        segments = _neighbours(child, code, rows.reach, segments)
    return cell_of, code.size, segments


@jit
def merge_rows(codes, sizes, columns):
    """Number the distinct rows of codes (d, n) in lexicographic order of the given columns.

    sizes (d,): number of codes of each column. Returns the number of each row, and how many
    numbers there are. Stops at the first column by which all rows differ.
    """
    row_of = cleared(np.empty(codes.shape[1], dtype=np.int32))
    n_distinct = np.int64(1)
    for a in columns:
        if n_distinct < row_of.size:
            _, code = _split(row_of, n_distinct, codes[a], sizes[a])
            n_distinct = code.size
    return row_of, n_distinct
