"""Counting with a list of (code, rows) for each parent cell: best where tables would be empty."""

from __future__ import annotations

import numpy as np

from ._jit import inner


@inner
def sparse_child(rows, row_start, walk, codes, weights, reach, histogram, code, count, entry_of):
    """Sum of counts and of squared counts for one more attribute.

    rows: in the order of the parent's cells, row_start: where each cell's begin; walk: through
    these cells, see `cells.walk`. histogram: zeros, one for each code and `reach` more at both
    ends; zeros again afterwards. code, count, entry_of: room for one more than there are rows.
    """
    opens, come_of, comes, go_of, goes = walk
    n_cells = opens.size
    n = 0
    for c in range(n_cells):
        entry_of[c] = n
        for i in range(row_start[c], row_start[c + 1]):
            r = rows[i]
            v = codes[r]
            code[n] = v
            n += histogram[v] == 0
            histogram[v] += weights[r]
        for i in range(entry_of[c], n):
            count[i] = histogram[code[i]]
            histogram[code[i]] = 0
    entry_of[n_cells] = n
    near = histogram  # from here on: the lists of the cell's neighbours, added up
    s1, s2 = np.uint64(0), np.uint64(0)
    for c in range(n_cells):
        for i in range(go_of[c], go_of[c + 1]):
            for j in range(entry_of[goes[i]], entry_of[goes[i] + 1]):
                near[code[j] + reach] -= count[j]
        for i in range(come_of[c], come_of[c + 1]):
            for j in range(entry_of[comes[i]], entry_of[comes[i] + 1]):
                near[code[j] + reach] += count[j]
        for j in range(entry_of[c], entry_of[c + 1]):
            total = np.uint64(0)
            for v in range(code[j], code[j] + 2 * reach + 1):
                total += np.uint64(near[v])
            weighted = np.uint64(count[j]) * total
            s1 += weighted
            s2 += weighted * total
    for v in range(near.size):
        near[v] = 0
    return s1, s2
