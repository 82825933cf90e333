"""Lifts: counts near a query in subspaces, and in them without one attribute.

`bits` (n_reaches, d, n_words) has, for one query, the rows that are near it at each reach in each
attribute, as `load_points` fills them.
"""

from __future__ import annotations

import numpy as np

from ._jit import inner, jit, popcount


@jit
def count_alone(bits, out):
    """Fill out[r, a]: how many bits are set in bits[r, a]."""
    for r in range(bits.shape[0]):
        for a in range(bits.shape[1]):
            count = np.uint64(0)
            for word in bits[r, a]:
                count += popcount(word)
            out[r, a] = count


@jit
def count_leaving_out(bits, subspaces, order, out):
    """Add to out[m, r, :] the rows near the query in subspaces (m, k), k > 1.

    out[m, r, 0] gets those near in all attributes, out[m, r, 1 + j] those near in all but the
    attribute at place j. order: in which order the subspaces are counted. Those that follow each
    other and have the same first k - 1 attributes share the rows near in these.
    """
    n_reaches, _, n_words = bits.shape
    k = subspaces.shape[1]
    # Rows near in the first j attributes; in the first k - 1 of them but the one at place j.
    first = np.empty((k, n_words), dtype=np.uint64)
    without = np.empty((k, n_words), dtype=np.uint64)
    first[0] = ~np.uint64(0)
    for r in range(n_reaches):
        before = -1
        in_parent = np.uint64(0)
        for m in order:
            if before < 0 or (subspaces[m, : k - 1] != subspaces[before, : k - 1]).any():
                _leave_out(bits[r], subspaces[m], first, without)
                in_parent = np.uint64(0)
                for w in range(n_words):
                    in_parent += popcount(first[k - 1, w])
            before = m
            last = bits[r, subspaces[m, k - 1]]
            out[m, r, 0] += _count_both(first[k - 1], last)
            for j in range(k - 1):
                out[m, r, 1 + j] += _count_both(without[j], last)
            out[m, r, k] += in_parent


@inner
def _leave_out(bits, subspace, first, without):
    """Fill first[j] with the rows near in the first j attributes, without[j] in all but one.

    bits (d, n_words): rows near at one reach. The last attribute of subspace (k,) is not looked at.
    """
    k, n_words = first.shape
    for j in range(k - 1):
        here = bits[subspace[j]]
        for w in range(n_words):
            first[j + 1, w] = first[j, w] & here[w]
    rest = without[k - 1]  # rows near in the attributes after place j
    rest[:] = ~np.uint64(0)
    for j in range(k - 2, -1, -1):
        here = bits[subspace[j]]
        for w in range(n_words):
            without[j, w] = first[j, w] & rest[w]
            rest[w] &= here[w]


@inner
def _count_both(one, other):
    """Number of bits that are set in both of two sets of rows."""
    count = np.uint64(0)
    for w in range(one.size):
        count += popcount(one[w] & other[w])
    return count


@jit
def score_counts(counts, alone, subspaces, itself, n_others, constant, out):
    """Fill out[m]: lift, guide, count, expected count and reach of subspaces (m, k).

    counts (m, n_reaches, 1 + k): see `count_leaving_out`. alone (n_reaches, d): rows near in
    each attribute. itself: 1 if the query is one of the rows counted. n_others: other rows.
    The lift is the lowest of all reaches, and count, expected count and reach are of that one.
    The guide is the lowest of all reaches on its own.
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
