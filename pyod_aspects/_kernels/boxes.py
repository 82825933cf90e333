"""The definition of |N_s|, point by point: rows inside a box of codes."""

from __future__ import annotations

import numpy as np

from ._jit import jit


@jit
def box_counts(codes, weights, low, high):
    """Weight of the rows with low[q, a] <= codes[a, r] <= high[q, a] for every attribute a."""
    k, n = codes.shape
    out = np.zeros(low.shape[0], dtype=np.int64)
    for q in range(low.shape[0]):
        count = np.int64(0)
        for r in range(n):
            a = 0
            while a < k and low[q, a] <= codes[a, r] <= high[q, a]:
                a += 1
            if a == k:
                count += weights[r]
        out[q] = count
    return out
