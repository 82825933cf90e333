"""Counting in a table of (parent cell x code): best where cells repeat, as in most real tables."""

from __future__ import annotations

import numpy as np

from ._jit import inner
from .sums import line_sums


@inner
def table_child(cell_of, walk, codes, weights, n_rows, size, reach, table, near):
    """Sum of counts and of squared counts for one more attribute.

    cell_of: the parent's cell of each row; walk: through these cells, see `cells.walk`. table:
    room for the cells x (size + 2 * reach); near: room for size + 2 * reach.
    """
    opens, come_of, comes, go_of, goes = walk
    stride = size + 2 * reach
    for i in range(opens.size * stride):
        table[i] = 0
    for r in range(codes.size):
        table[cell_of[r] * stride + codes[r] + reach] += weights[r]
    near = near[:stride]  # the tables of the cell's neighbours, added up
    before, at, after = near[:size], near[reach : reach + size], near[2 * reach :]
    s1, s2 = np.uint64(0), np.uint64(0)
    for c in range(opens.size):
        if opens[c]:
            for v in range(stride):
                near[v] = 0
        else:
            for i in range(go_of[c], go_of[c + 1]):
                line = table[goes[i] * stride : (goes[i] + 1) * stride]
                for v in range(stride):
                    near[v] -= line[v]
        for i in range(come_of[c], come_of[c + 1]):
            line = table[comes[i] * stride : (comes[i] + 1) * stride]
            for v in range(stride):
                near[v] += line[v]
        here = table[c * stride + reach : c * stride + reach + size]
        if reach == 1:
            some = line_sums(here, before, at, after, n_rows)
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
