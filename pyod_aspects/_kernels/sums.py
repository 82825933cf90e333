"""Sums of counts and of squared counts along a line of bins: the innermost loop of tables."""

from __future__ import annotations

import numpy as np

from ._jit import inline


@inline
def line_sums(here, before, at, after):
    """Sum of H * N and of H * N**2, with H in `here` and N the sum of the other three.

    No test for empty bins: a wrong guess of the processor costs more than the sums.
    """
    s1, s2 = np.uint64(0), np.uint64(0)
    for v in range(here.size):
        # The type was chosen so that N has room, see `density/costs.py`.
        near = np.uint64(here.dtype.type(before[v] + at[v] + after[v]))
        weighted = np.uint64(here[v]) * near
        s1 += weighted
        s2 += weighted * near
    return s1, s2
