"""Lifts: rows near a query in a subspace, and in the subspace without one attribute.

`bits` (n_reaches, d, n_words) holds, for one query, the rows near it at each reach in each
attribute. `load_points` fills it.
"""

from __future__ import annotations

import numpy as np

from ._jit import inner, jit, popcount


@jit
def count_alone(bits, out):
    """Fill out[r, a]: the number of set bits in bits[r, a]."""
    for r in range(bits.shape[0]):
        for a in range(bits.shape[1]):
            count = np.uint64(0)
            for word in bits[r, a]:
                count += popcount(word)
            out[r, a] = count


@jit
def count_leaving_out(bits, subspaces, order, wanted, out):
    """Add to out[m, r, :] the rows near the query in subspaces (m, k), k > 1.

    It adds the rows near in all attributes to out[m, r, 0]. If wanted[m, j], it adds the rows near
    in all but the attribute at place j to out[m, r, 1 + j]. order: the order of counting.
    Consecutive subspaces share the rows near in their common first attributes.
    """
    n_reaches, _, n_words = bits.shape
    k = subspaces.shape[1]
    # Rows near in the first j attributes; in the first k - 1 without the one at place j.
    first = np.empty((k, n_words), dtype=np.uint64)
    without = np.empty((k, n_words), dtype=np.uint64)
    first[0] = ~np.uint64(0)
    for r in range(n_reaches):
        before = -1
        left_out = False  # whether `without` is that of the parent
        for m in order:
            same = 0
            while before >= 0 and same < k - 1 and subspaces[m, same] == subspaces[before, same]:
                same += 1
            if same < k - 1:
                left_out = False
            for j in range(same, k - 1):
                here = bits[r, subspaces[m, j]]
                for w in range(n_words):
                    first[j + 1, w] = first[j, w] & here[w]
            before = m
            last = bits[r, subspaces[m, k - 1]]
            out[m, r, 0] += _count_both(first[k - 1], last)
            for j in range(k - 1):
                if wanted[m, j]:
                    if not left_out:
                        _leave_out(bits[r], subspaces[m], first, without)
                        left_out = True
                    out[m, r, 1 + j] += _count_both(without[j], last)
            if wanted[m, k - 1]:
                out[m, r, k] += _count_both(first[k - 1], first[k - 1])


@inner
def _leave_out(bits, subspace, first, without):
    """Fill without[j]: rows near in all but one of the first k - 1 attributes of subspace (k,).

    bits (d, n_words): rows near at one reach. first[j]: rows near in the first j attributes.
    """
    k, n_words = first.shape
    rest = without[k - 1]  # rows near in the attributes after place j
    rest[:] = ~np.uint64(0)
    for j in range(k - 2, -1, -1):
        here = bits[subspace[j]]
        for w in range(n_words):
            without[j, w] = first[j, w] & rest[w]
            rest[w] &= here[w]


@inner
def _count_both(one, other):
    """Return the size of the intersection of two bitsets."""
    count = np.uint64(0)
    for w in range(one.size):
        count += popcount(one[w] & other[w])
    return count


@jit
def score_counts(counts, alone, subspaces, itself, n_others, constant, out):
    """Fill out[m]: lift, guide, count, expected count and reach of subspaces (m, k).

    counts (m, n_reaches, 1 + k): see `count_leaving_out`. alone (n_reaches, d): rows near in each
    attribute. itself: 1 if the rows include the query. n_others: number of other rows. The lift is
    the lowest over all reaches; count, expected count and reach belong to it. The guide is the
    lowest over all reaches, independently.
    """
    k = subspaces.shape[1]
    for m in range(subspaces.shape[0]):
        out[m, 0], out[m, 1] = np.inf, np.inf
        for r in range(counts.shape[1]):
            count = np.float64(counts[m, r, 0]) - itself
            expected = np.inf
            for j in range(k):
                rest = np.float64(counts[m, r, 1 + j]) - itself
                here = np.float64(alone[r, subspaces[m, j]]) - itself
                expected = min(expected, rest * here / n_others)
            lift = (count + constant) / (expected + constant)
            if lift < out[m, 0]:
                out[m, 0], out[m, 2], out[m, 3], out[m, 4] = lift, count, expected, r
            guide = 0.0
            if count < expected:
                guide = count - expected
                if count > 0.0:
                    guide += count * np.log(expected / count)
            out[m, 1] = min(out[m, 1], guide)
