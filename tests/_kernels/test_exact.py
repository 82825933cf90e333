"""Mean and deviation come from exact integers of up to 128 bits."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pyod_aspects._kernels.exact import moments
from pyod_aspects.density.grid import MAX_ROWS


@given(
    n=st.integers(1, MAX_ROWS),
    part=st.floats(0, 1),
    spread=st.floats(0, 1),
)
def test_mean_and_std_are_correctly_rounded(n, part, spread):
    # Half of the rows have the count `high`, the others `low`: any sums that can occur.
    high = max(1, int(n * part))
    low = max(1, int(high * spread))
    half = n // 2
    s1 = half * low + (n - half) * high
    s2 = half * low**2 + (n - half) * high**2
    mean, std = moments(np.array([s1], dtype=np.uint64), np.array([s2], dtype=np.uint64), n)
    assert mean[0] == s1 / n
    assert std[0] == math.sqrt(n * s2 - s1 * s1) / n


def test_no_rounding_where_all_counts_are_equal():
    n = MAX_ROWS
    s1, s2 = np.array([n * n], dtype=np.uint64), np.array([n**3], dtype=np.uint64)
    assert moments(s1, s2, n)[1][0] == 0.0
