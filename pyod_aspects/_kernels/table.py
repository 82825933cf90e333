"""Counting in a table of (parent's cell x child's code): best where cells repeat."""

from __future__ import annotations

import numpy as np

from ._jit import inline, inner, jit
from .cells import find_cells
from .sums import add_count, add_totals
from .tuned import TABLE_PAD


@inner
def _by_size(sizes, attributes):
    """Sort attributes (p,) by their sizes (d,): segments lie along the one with most codes."""
    out = attributes.copy()
    for i in range(1, out.size):
        a, j = out[i], i
        while j > 0 and sizes[out[j - 1]] > sizes[a]:
            out[j] = out[j - 1]
            j -= 1
        out[j] = a
    return out


@inline
def _line_length(size, reach):
    """Length of a line of the table: codes, `reach` more before and after them, and padding."""
    return (size + 2 * reach + TABLE_PAD - 1) // TABLE_PAD * TABLE_PAD


@inner
def _fill(table, cell_of, column, weights, length, offset, width):
    """Fill `table` with counts: a line of `length` for each cell, code v at place v + offset.

    cell_of, column, weights (n,): each row's cell, code and weight. Codes whose place is not below
    `width` are left out.
    """
    for i in range(table.size):
        table[i] = 0
    # Unsigned: numba skips the check for negative indices, and negative places are far too high.
    line, shift = np.uintp(length), np.uintp(offset)
    if width >= length:  # one band has all codes
        for r in range(column.size):
            table[np.uintp(cell_of[r]) * line + np.uintp(column[r]) + shift] += weights[r]
        return
    for r in range(column.size):
        place = np.uintp(column[r]) + shift
        if place < np.uintp(width):
            table[np.uintp(cell_of[r]) * line + place] += weights[r]


@inner
def _count_child(table, near, segments, length, n_codes, reach, tall):
    """Sums of one subspace, or of n_codes codes after the margin of each line.

    table: lines of `length`, one for each of the parent's cells. near: buffer for a line and
    2 * reach more, for the rows of a cell's neighbours. segments: see `cells`.
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
            # Beyond the line `near` may hold anything: it meets zeros in the table. No test for
            # empty bins: a wrong guess of the processor costs more than the sums.
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
def count_in_cells(rows, parent_rows, row_of, families, totals, unit, limits):
    """Fill `totals` of `families` of subspaces, with the `rows` of a view of the table.

    See `arguments` for the tuples. parent_rows: the rows of a view that has the parents, row_of
    (n,): which of them each of `rows` became. unit: an empty array of the type that holds every
    count. If a table would be too large, it has a band of the child's codes at a time.
    """
    sizes, reach = rows.sizes, rows.reach
    widest = 0
    for size in sizes:
        widest = max(widest, size)
    near = np.empty(_line_length(widest, reach) + 2 * reach, dtype=unit.dtype)
    table = np.empty(1, dtype=unit.dtype)
    cell_of = np.empty(row_of.size, dtype=np.int32)
    for g in range(families.parents.shape[0]):
        attributes = _by_size(sizes, families.parents[g])
        cell_of_parent, n_cells, segments = find_cells(parent_rows, attributes)
        for r in range(cell_of.size):
            cell_of[r] = cell_of_parent[row_of[r]]
        most = max(2 * (TABLE_PAD + reach), limits.most_bytes // (n_cells * unit.itemsize))
        most = most // TABLE_PAD * TABLE_PAD
        for m in range(families.starts[g], families.starts[g + 1]):
            a = families.children[m]
            length = _line_length(sizes[a], reach)
            n_codes = width = length
            if length > most:
                length = most
                width, n_codes = length - 1, length - 1 - 2 * reach
            if table.size < n_cells * length + reach:
                table = np.empty(n_cells * length + reach, dtype=unit.dtype)
            lines = table[: n_cells * length + reach]
            child = np.uint64(0), np.uint64(0), np.uint64(0)
            for first in range(0, sizes[a], n_codes):
                _fill(lines, cell_of, rows.codes[a], rows.weights, length, reach - first, width)
                band = _count_child(lines, near, segments, length, n_codes, reach, limits.tall)
                child = add_totals(child, band)
            totals.sums[m], totals.squares[m, 0], totals.squares[m, 1] = child
