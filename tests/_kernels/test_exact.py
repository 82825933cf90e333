"""Mean and deviation come from exact integers of up to 128 bits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyod_aspects._kernels.arguments import Totals
from pyod_aspects._kernels.exact import moments
from pyod_aspects.density.grid import MAX_ROWS


def figures(s1, s2, n):
    """Mean and standard deviation of n counts with the sum s1 and the sum of squares s2."""
    totals = Totals.of(1)
    totals.sums[0], totals.squares[0] = s1, (s2 % 2**64, s2 // 2**64)
    mean, std = moments(totals, n)
    return mean[0], std[0]


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
    assert figures(s1, s2, n) == (s1 / n, math.sqrt(n * s2 - s1 * s1) / n)


def test_no_rounding_where_all_counts_are_equal():
    n = MAX_ROWS
    assert figures(n * n, n**3, n) == (n, 0.0)


# A float64 has 53 bits. Numbers of 64 + shift bits that lie half-way between two of them, or just
# above half-way: the lowest bits decide, which do not fit into the first word.


def half_way(rng, shift):
    """A number half-way between two floats, of which the lower one is even."""
    first = int(rng.integers(2**51, 2**52)) * 2  # 53 bits
    return ((first << 11) | (1 << 10)) << shift


def std_without(lowest, number, n):
    """The standard deviation if so many of the lowest bits were lost."""
    return math.sqrt(number >> lowest << lowest) / n


def just_above_half_way(rng, shift):
    """s1, s2 and n, for which the bits below the first word of n * s2 - s1**2 change the result."""
    while True:
        n = int(rng.integers(2 ** (shift - 1), 2**shift, dtype=np.uint64)) * 2 + 1
        n = min(n, 2**64 - 1)
        s1 = int(rng.integers(0, 2**32))
        number = half_way(rng, shift)
        number += -(number + s1 * s1) % n
        s2, above = (number + s1 * s1) // n, number & ((1 << shift) - 1)
        decides = math.sqrt(number) / n != std_without(shift, number, n)
        if above and decides and s2 < 2**64 and number.bit_length() == 64 + shift:
            return s1, s2, n


@pytest.mark.parametrize("shift", range(1, 65))
def test_a_number_just_above_half_way_is_rounded_up(shift):
    rng = np.random.default_rng(shift)
    for _ in range(5):
        s1, s2, n = just_above_half_way(rng, shift)
        want = math.sqrt(n * s2 - s1 * s1) / n
        assert figures(s1, s2, n if n < 2**63 else np.uint64(n))[1] == want


@pytest.mark.parametrize("place", ["lowest", "highest"])
@pytest.mark.parametrize("shift", range(1, 41))
def test_a_single_bit_below_the_first_word_is_enough(shift, place):
    rng = np.random.default_rng(shift)
    bit = 1 if place == "lowest" else 1 << (shift - 1)
    n = 2 ** (shift + 1) + 1
    tried = 0
    while tried < 5:
        # The multiple of n whose first word is half-way: its 53 bits solve a congruence.
        rest = (1 << (10 + shift)) + bit
        first = int(rng.integers(2**52 // n + 1, 2**53 // n)) * n
        first += -rest * pow(1 << (11 + shift), -1, n) % n
        number = (first << (11 + shift)) + rest
        if first % 2 or first >= 2**53:
            continue
        if math.sqrt(number) / n != std_without(shift, number, n):
            assert figures(0, number // n, n)[1] == math.sqrt(number) / n
            tried += 1


@pytest.mark.parametrize("shift", range(1, 62))
def test_a_number_half_way_is_rounded_to_the_even_float(shift):
    rng = np.random.default_rng(shift)
    n, tried = 2**shift, 0
    while tried < 5:
        number = half_way(rng, shift)
        if math.sqrt(number) != math.sqrt(number + 1):
            assert figures(0, number // n, n)[1] == math.sqrt(number) / n
            tried += 1
