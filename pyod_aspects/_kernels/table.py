"""Counting in a table of (parent cell x code): best where cells repeat, as in most real tables."""

from __future__ import annotations

import numpy as np

from ._jit import inline, inner
from .sums import line_sums

_PAD = 16  # lines are as long as vectors are, so that loops over them have no rest


@inline
def line_length(size, reach):
    """Length of a line of the table: codes, `reach` zeros before and after them, and padding."""
    return (size + 2 * reach + _PAD - 1) // _PAD * _PAD


@inner
def table_child(cell_of, walk, codes, weights, size, reach, table, near):
    """Sum of counts and of squared counts for one more attribute.

    cell_of: the parent's cell of each row; walk: through these cells, see `cells.walk`. table:
    room for a line for each cell and `reach` more; near: for a line and 2 * reach more.
    """
    opens, come_of, comes, go_of, goes = walk
    length = line_length(size, reach)
    for i in range(opens.size * length + reach):
        table[i] = 0
    # Places in the table are unsigned: an index that might be negative is looked at twice.
    line = np.uintp(length)
    for r in range(codes.size):
        at_row = np.uintp(cell_of[r]) * line + np.uintp(codes[r])
        table[at_row + np.uintp(reach)] += weights[r]
    # The lines of the cell's neighbours are added up in `near`. What is beyond the line, and
    # whatever stands there, meets zeros in the table.
    before, at, after = near[:length], near[reach : reach + length], near[2 * reach :]
    near = near[:length]
    s1, s2 = np.uint64(0), np.uint64(0)
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
        here = table[c * length + reach : (c + 1) * length + reach]
        if reach == 1:
            some = line_sums(here, before, at, after)
            s1 += some[0]
            s2 += some[1]
        else:
            for v in range(size):
                if here[v] != 0:
                    count = np.uint64(0)
                    for shift in range(2 * reach + 1):
                        count += np.uint64(near[v + shift])
                    weighted = np.uint64(here[v]) * count
                    s1 += weighted
                    s2 += weighted * count
    return s1, s2
