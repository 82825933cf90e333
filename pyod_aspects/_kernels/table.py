"""Counting in a table of (parent's cell x child's code): best where cells repeat."""

from __future__ import annotations

import numpy as np

from ._jit import add_product, inline, inner, jit
from .cells import walk_cells
from .tuned import TABLE_PAD


@inner
def _by_size(sizes, attributes):
    """Sort attributes by their numbers of codes: the walk goes along the one with the most."""
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


@inline
def _sum_line(counts, before, at, after):
    """Sum of H * N and of H * N**2, with H in `counts` and N the sum of the other three.

    No test for empty bins: a wrong guess of the processor costs more than the sums.
    """
    s1, s2 = np.uint64(0), np.uint64(0)
    for v in range(counts.size):
        # The type of counts has room for N, see `CodedTable.wide`.
        near = np.uint64(counts.dtype.type(before[v] + at[v] + after[v]))
        weighted = np.uint64(counts[v]) * near
        s1 += weighted
        s2 += weighted * near
    return s1, s2


@inner
def _fill(table, cell_of, column, weights, length, offset, width):
    """Histogram of the rows: a line of `length` for each cell, code v at place v + offset.

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
def _count_child(table, near, walk, length, n_codes, reach, tall):
    """Sums of one subspace, or of the first n_codes codes after the margin of each line.

    table: lines of `length`, one for each of the parent's cells. near: buffer for a line and
    2 * reach more, in which the lines of a cell's neighbours are added up. walk: see `cells`.
    """
    opens, come_of, comes, go_of, goes = walk
    # Beyond the line `near` may hold anything: it meets zeros in the table.
    before, at, after = near[:n_codes], near[reach : reach + n_codes], near[2 * reach :]
    near = near[:length]
    line = np.uintp(length)
    s1, low, high = np.uint64(0), np.uint64(0), np.uint64(0)
    for c in range(opens.size):
        i, last = come_of[c], come_of[c + 1]
        if opens[c]:
            for v in range(line):
                near[v] = 0
        else:
            for j in range(go_of[c], go_of[c + 1]):
                old = np.uintp(goes[j]) * line
                if i < last:  # one comes as another goes, mostly
                    new = np.uintp(comes[i]) * line
                    i += 1
                    for v in range(line):
                        near[v] += table[new + v] - table[old + v]
                else:
                    for v in range(line):
                        near[v] -= table[old + v]
        while i < last:
            new = np.uintp(comes[i]) * line
            i += 1
            for v in range(line):
                near[v] += table[new + v]
        here = table[c * length + reach : c * length + reach + n_codes]
        if reach == 1 and not tall:
            more, square = _sum_line(here, before, at, after)
            s1 += more
            low, high = add_product(low, high, square, np.uint64(1))
        else:
            for v in range(n_codes):
                if here[v] != 0:
                    count = np.uint64(0)
                    for shift in range(2 * reach + 1):
                        count += np.uint64(near[v + shift])
                    weighted = np.uint64(here[v]) * count
                    s1 += weighted
                    low, high = add_product(low, high, weighted, count)
    return s1, low, high


@jit
def count_in_cells(rows, families, totals, unit, tall, most_bytes):
    """Fill `totals` of `families` of subspaces, with the `rows` of a view of the table.

    See `arguments` for the three tuples. unit: an empty array of the type that holds every count.
    tall: whether sums of squares may need their second word. A table takes at most about
    most_bytes: if need be it has a band of the child's codes at a time.
    """
    sizes, reach = rows.sizes, rows.reach
    widest = 0
    for size in sizes:
        widest = max(widest, size)
    near = np.empty(_line_length(widest, reach) + 2 * reach, dtype=unit.dtype)
    table = np.empty(1, dtype=unit.dtype)
    for g in range(families.parents.shape[0]):
        cell_of, walk = walk_cells(rows, _by_size(sizes, families.parents[g]))
        n_cells = walk[0].size
        most = max(2 * (TABLE_PAD + reach), most_bytes // (n_cells * unit.itemsize))
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
            s1, low, high = np.uint64(0), np.uint64(0), np.uint64(0)
            for first in range(0, sizes[a], n_codes):
                _fill(lines, cell_of, rows.codes[a], rows.weights, length, reach - first, width)
                band = _count_child(lines, near, walk, length, n_codes, reach, tall)
                s1 += band[0]
                low, high = add_product(low, high + band[2], band[1], np.uint64(1))
            totals.sums[m], totals.squares[m, 0], totals.squares[m, 1] = s1, low, high
