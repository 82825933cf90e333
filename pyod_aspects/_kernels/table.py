"""Counting in a table of parent's cells by child's codes: best if many rows share a cell."""

from __future__ import annotations

import numpy as np

from ._jit import inline, inner, jit
from .cells import find_cells, smallest_view
from .exact import add_count, add_totals
from .tuned import TABLE_PAD


@inline
def _line_length(size, reach):
    """Length of a line of the table: codes, `reach` more before and after them, and padding."""
    return (size + 2 * reach + TABLE_PAD - 1) // TABLE_PAD * TABLE_PAD


@inner
def _fill(table, cell_of, column, weights, length, offset):
    """Fill `table` with counts: a line of `length` for each cell, code v at place v + offset.

    cell_of, column, weights (n,): each row's cell, code and weight. Codes with places beyond the
    line do not count.
    """
    for i in range(table.size):
        table[i] = 0
    # Unsigned: numba skips the check for negative indices, and a negative place is far too high.
    line, shift = np.uintp(length), np.uintp(offset)
    for r in range(column.size):
        place = np.uintp(column[r]) + shift
        if place < line:
            table[np.uintp(cell_of[r]) * line + place] += weights[r]


@inner
def _count_child(table, near, segments, length, n_codes, reach, tall):
    """Sums of one subspace, or of the n_codes codes after the margin of each line.

    table: lines of `length`, one for each of the parent's cells. near: buffer of a line and
    2 * reach more, which sums the lines of a cell's neighbours. segments: see `cells`.
    """
    segment_of, first, last = segments
    line, unit = np.uintp(length), near.dtype.type  # which has room for N, see `Level.n_bytes`
    middle, right = near[1:], near[2:]
    totals = np.uint64(0), np.uint64(0), np.uint64(0)
    for c in range(segment_of.size - 1):
        begin = np.uintp(first[segment_of[c]]) * line
        for v in range(line):
            near[v] = table[begin + v]
        for s in range(segment_of[c], segment_of[c + 1]):
            for cell in range(first[s] + (s == segment_of[c]), last[s]):
                begin = np.uintp(cell) * line
                for v in range(line):
                    near[v] += table[begin + v]
        here = table[c * length + reach : c * length + reach + n_codes]
        if reach == 1 and not tall:
            # Beyond the line, any content of `near` meets zeros in the table. No test for empty
            # bins: a mispredicted branch costs more than the sums.
            s1, low = np.uint64(0), np.uint64(0)
            for v in range(n_codes):
                n = np.uint64(unit(near[v] + middle[v] + right[v]))
                weighted = np.uint64(here[v]) * n
                s1 += weighted
                low += weighted * n
            totals = add_totals(totals, (s1, low, np.uint64(0)))
        else:
            for v in range(n_codes):
                if here[v] != 0:
                    n = np.uint64(0)
                    for shift in range(2 * reach + 1):
                        n += np.uint64(near[v + shift])
                    totals = add_count(totals, np.uint64(here[v]), n)
    return totals


@jit
def count_in_cells(rows, subspaces, totals, unit, tall, most_bytes):
    """Fill `totals` of subspaces (m, k), each counted in the smallest view that has it.

    See `arguments` for the two tuples. The last attribute of a subspace is the child. Subspaces
    with one parent share its cells, and narrow children come first. unit: an empty array of a
    type that holds every count. tall: whether sums of squares may need their second word. A table
    that would exceed most_bytes holds one band of codes at a time.
    """
    sizes, reach = rows.sizes, rows.reach
    widest = 0
    for size in sizes:
        widest = max(widest, size)
    near = np.empty(_line_length(widest, reach) + 2 * reach, dtype=unit.dtype)
    table = np.empty(1, dtype=unit.dtype)
    begin = 0
    while begin < subspaces.shape[0]:
        parent, m = subspaces[begin, :-1], begin
        view = smallest_view(rows, parent)
        cell_of, n_cells, segments = find_cells(rows, view, parent)
        most = max(2 * (TABLE_PAD + reach), most_bytes // (n_cells * unit.itemsize))
        while m < subspaces.shape[0] and (subspaces[m, :-1] == parent).all():
            a = subspaces[m, -1]
            while view > rows.last_view[a]:  # to the view with more columns and rows
                view -= 1
                cell_of = cell_of[rows.merged[rows.begins[view] : rows.begins[view + 1]]]
            here = slice(rows.begins[view], rows.begins[view + 1])
            length = n_codes = _line_length(sizes[a], reach)
            if length > most:
                length, n_codes = most, most - 2 * reach
            if table.size < n_cells * length + reach:
                table = np.empty(n_cells * length + reach, dtype=unit.dtype)
            lines = table[: n_cells * length + reach]
            child = np.uint64(0), np.uint64(0), np.uint64(0)
            for first in range(0, sizes[a], n_codes):
                offset = reach - first
                _fill(lines, cell_of, rows.codes[a, here], rows.weights[here], length, offset)
                band = _count_child(lines, near, segments, length, n_codes, reach, tall)
                child = add_totals(child, band)
            totals.sums[m], totals.squares[m, 0], totals.squares[m, 1] = child
            m += 1
        begin = m
