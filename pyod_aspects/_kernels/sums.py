"""Sums of counts and of squared counts: totals are (sum, low and high word of the squares)."""

from __future__ import annotations

import numpy as np

from ._jit import add_product, inline


@inline
def add_totals(one, other):
    """Add up two totals."""
    low, high = add_product(one[1], one[2] + other[2], other[1], np.uint64(1))
    return one[0] + other[0], low, high


@inline
def add_sums(totals, counts, near, tall):
    """Add H * N and H * N**2 to totals, with H in the array `counts` and N in `near`."""
    s1, low, high = np.uint64(0), np.uint64(0), np.uint64(0)
    if tall:
        for v in range(counts.size):
            weighted = np.uint64(counts[v]) * np.uint64(near[v])
            s1 += weighted
            low, high = add_product(low, high, weighted, np.uint64(near[v]))
    else:
        # No test for empty bins: a wrong guess of the processor costs more than the sums.
        for v in range(counts.size):
            n = np.uint64(near[v])
            weighted = np.uint64(counts[v]) * n
            s1 += weighted
            low += weighted * n
    return add_totals(totals, (s1, low, high))
