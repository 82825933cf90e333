"""Rows near given points, counted with bitsets."""

from __future__ import annotations

import numpy as np

from ._jit import jit, popcount, within


@jit
def load_points(codes, attributes, row_of, low, high, out):
    """Set bit r of out[q, i] if row r has a code from low[q, a] to high[q, a], a attribute i.

    codes (d, n): of the distinct rows. attributes: columns to load. row_of: the distinct row of
    each row. out (q, n_attributes, n_words).
    """
    column = np.empty(64 * out.shape[2], dtype=np.uint32)
    column[row_of.size :] = ~np.uint32(0)  # a code that no row has
    for i, a in enumerate(attributes):
        for r in range(row_of.size):
            column[r] = codes[a, row_of[r]]
        for q in range(low.shape[0]):
            first, length = np.uint32(low[q, a]), np.uint32(high[q, a] - low[q, a] + 1)
            for w in range(out.shape[2]):
                out[q, i, w] = within(column, 64 * w, first, length)


@jit
def count_near_points(bits, subspaces, out):
    """Fill out[m, q]: the number of rows near each point in each of subspaces (m, k).

    bits (q, d, n_words): see `load_points`. Consecutive subspaces share the rows near a point in
    their common first attributes.
    """
    n_words, k = bits.shape[2], subspaces.shape[1]
    near = np.empty((k + 1, n_words), dtype=np.uint64)  # in the first 0, 1, ... attributes
    near[0] = ~np.uint64(0)
    for q in range(bits.shape[0]):
        for m in range(subspaces.shape[0]):
            j = 0
            while m > 0 and j < k - 1 and subspaces[m, j] == subspaces[m - 1, j]:
                j += 1
            for i in range(j, k - 1):
                before, at, after = near[i], bits[q, subspaces[m, i]], near[i + 1]
                for w in range(n_words):
                    after[w] = before[w] & at[w]
            parent, last = near[k - 1], bits[q, subspaces[m, k - 1]]
            count = np.uint64(0)
            for w in range(n_words):
                count += popcount(parent[w] & last[w])
            out[m, q] = count
