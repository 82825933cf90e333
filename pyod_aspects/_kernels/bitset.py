"""Counting with sets of rows as bits: parent neighbourhood AND pseudo-bin, then popcount.

A pseudo-bin is the set of rows within reach of a bin (paper, Section 3). The work per subspace
grows with n squared / 64, which nothing beats for small n at any depth.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit, popcount

_BLOCK = 64  # rows whose parent neighbourhoods stay in the fast caches together


@jit
def set_bits(inside, words):  # type: ignore[no-untyped-def]
    """Pack a mask of rows into 64-bit words."""
    words[:] = 0
    for r in range(inside.size):
        if inside[r]:
            words[r >> 6] |= np.uint64(1) << np.uint64(r & 63)


@jit
def pseudo_bins(codes, sizes, offsets, reach, rows, out):  # type: ignore[no-untyped-def]
    """Fill `out[offsets[a] + v]` with the rows whose code in attribute a is within reach of v.

    rows: for each row of the table its row in `codes`.
    """
    out[:] = 0
    for a in range(codes.shape[0]):
        for r in range(rows.size):
            v = codes[a, rows[r]]
            word, bit = r >> 6, np.uint64(1) << np.uint64(r & 63)
            for u in range(max(0, v - reach), min(sizes[a], v + reach + 1)):
                out[offsets[a] + u, word] |= bit


@jit
def bitset_children(codes, weights, bits, offsets, parent, children, sums, squares):  # type: ignore[no-untyped-def]
    """Sums of counts and squared counts for parent + {child}, for each child."""
    n, n_words = codes.shape[1], bits.shape[1]
    near = np.empty((_BLOCK, n_words), dtype=np.uint64)
    sums[:] = 0
    squares[:] = 0
    for block in range(0, n, _BLOCK):
        rows = min(_BLOCK, n - block)
        for i in range(rows):
            if parent.size == 0:
                near[i] = ~np.uint64(0)  # pseudo-bins have no bits beyond the last row
            for p in range(parent.size):
                a = parent[p]
                b = offsets[a] + codes[a, block + i]
                if p == 0:
                    for w in range(n_words):
                        near[i, w] = bits[b, w]
                else:
                    for w in range(n_words):
                        near[i, w] &= bits[b, w]
        for m in range(children.size):
            a = children[m]
            s1, s2 = np.uint64(0), np.uint64(0)
            for i in range(rows):
                b = offsets[a] + codes[a, block + i]
                count = np.uint64(0)
                for w in range(n_words):
                    count += popcount(near[i, w] & bits[b, w])
                weighted = np.uint64(weights[block + i]) * count
                s1 += weighted
                s2 += weighted * count
            sums[m] += s1
            squares[m] += s2


@jit
def point_bits(codes, rows, low, high, out):  # type: ignore[no-untyped-def]
    """Fill `out[q, a]` with the rows whose code in attribute a lies in [low[q, a], high[q, a]]."""
    out[:] = 0
    for q in range(low.shape[0]):
        for a in range(codes.shape[0]):
            lo, hi = low[q, a], high[q, a]
            for r in range(rows.size):
                v = codes[a, rows[r]]
                if lo <= v <= hi:
                    out[q, a, r >> 6] |= np.uint64(1) << np.uint64(r & 63)


@jit
def point_counts(bits, subspaces, begin, end, out):  # type: ignore[no-untyped-def]
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
            else:
                second, third = bits[q, subspaces[m, 1]], bits[q, subspaces[m, 2]]
                fourth = bits[q, subspaces[m, 3]]
                for w in range(n_words):
                    word = first[w] & second[w] & third[w] & fourth[w]
                    for j in range(4, k):
                        word &= bits[q, subspaces[m, j], w]
                    count += popcount(word)
            out[m, q] = count
