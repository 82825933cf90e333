"""Sums of counts and of squared counts along a line of bins: the innermost loop of all grids."""

from __future__ import annotations

import numpy as np

from ._jit import inline

# From this many rows on, a count times a number of rows does not fit in 32 bits.
WIDE = 1 << 16


@inline
def line_sums(here, before, at, after, n_rows):
    """Sum of H * N and of H * N**2, with H in `here` and N the sum of the other three.

    n_rows: of the whole table. No test for empty bins: a wrong guess of the processor
    costs more than the sums.
    """
    s1, s2 = np.uint64(0), np.uint64(0)
    if n_rows < WIDE:
        for v in range(here.size):
            near = np.uint32(before[v] + at[v] + after[v])
            weighted = np.uint32(np.uint32(here[v]) * near)
            s1 += np.uint64(weighted)
            s2 += np.uint64(weighted) * np.uint64(near)
    else:
        for v in range(here.size):
            near = np.uint64(np.uint32(before[v] + at[v] + after[v]))
            weighted = np.uint64(np.uint32(here[v])) * near
            s1 += weighted
            s2 += weighted * near
    return s1, s2
