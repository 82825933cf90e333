"""How many rows lie near given points: one set of rows per point and attribute, as bits."""

from __future__ import annotations

import numpy as np

from ._jit import jit, popcount, within


@jit
def point_bits(codes, row_of, low, high, out):
    """Set bit r of out[q, a] where row r's code in attribute a is in [low[q, a], high[q, a]]."""
    n_words = out.shape[2]
    column = np.empty(64 * n_words, dtype=np.uint32)
    for i in range(row_of.size, column.size):
        column[i] = ~np.uint32(0)  # a code that no row has
    for a in range(codes.shape[0]):
        for r in range(row_of.size):
            column[r] = codes[a, row_of[r]]
        for q in range(low.shape[0]):
            first, length = np.uint32(low[q, a]), np.uint32(high[q, a] - low[q, a] + 1)
            for w in range(n_words):
                out[q, a, w] = within(column, 64 * w, first, length)


@jit
def point_counts(bits, subspaces, begin, end, out):
    """Fill out[begin:end]: how many rows lie near each point in each subspace."""
    n_points, _, n_words = bits.shape
    k = subspaces.shape[1]
    for m in range(begin, end):
        for q in range(n_points):
            count = np.uint64(0)
            first = bits[q, subspaces[m, 0]]
            if k == 1:
                for w in range(n_words):
                    count += popcount(first[w])
            elif k == 2:
                second = bits[q, subspaces[m, 1]]
                for w in range(n_words):
                    count += popcount(first[w] & second[w])
            elif k == 3:
                second, third = bits[q, subspaces[m, 1]], bits[q, subspaces[m, 2]]
                for w in range(n_words):
                    count += popcount(first[w] & second[w] & third[w])
            elif k == 4:
                second, third = bits[q, subspaces[m, 1]], bits[q, subspaces[m, 2]]
                fourth = bits[q, subspaces[m, 3]]
                for w in range(n_words):
                    count += popcount(first[w] & second[w] & third[w] & fourth[w])
            else:
                second, third = bits[q, subspaces[m, 1]], bits[q, subspaces[m, 2]]
                fourth, fifth = bits[q, subspaces[m, 3]], bits[q, subspaces[m, 4]]
                for w in range(n_words):
                    word = first[w] & second[w] & third[w] & fourth[w] & fifth[w]
                    for j in range(5, k):
                        word &= bits[q, subspaces[m, j], w]
                    count += popcount(word)
            out[m, q] = count
