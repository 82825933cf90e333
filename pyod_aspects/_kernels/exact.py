"""Exact integer sums of counts, and their mean and standard deviation.

A kernel holds the totals of a subspace in three words: the sum of counts, and the low and high
word of the sum of their squares.
"""

from __future__ import annotations

import math

import numpy as np

from .._util.types import FloatArray
from ._jit import add_product, inline, inner, jit
from .arguments import Totals

_WORD, _ZERO, _ONE = np.uint64(64), np.uint64(0), np.uint64(1)


@inline
def add_totals(totals, more):
    """Add up two totals."""
    low, high = add_product(totals[1], totals[2] + more[2], more[1], np.uint64(1))
    return totals[0] + more[0], low, high


@inline
def add_count(totals, weight, count):
    """Add the count of `weight` rows."""
    weighted = weight * count
    low, high = add_product(totals[1], totals[2], weighted, count)
    return totals[0] + weighted, low, high


@inner
def _to_float(low, high):
    """Round a 128-bit integer to the nearest float64, once."""
    shift = _ZERO
    while shift < _WORD and (high >> shift) != _ZERO:
        shift += _ONE
    if shift == _ZERO:
        return float(low)
    word, rest = high, low
    if shift < _WORD:
        word = (high << (_WORD - shift)) | (low >> shift)
        rest = low & ((_ONE << shift) - _ONE)
    # A sticky last bit: the 64-bit word rounds as the whole number would.
    if rest != _ZERO:
        word |= _ONE
    return math.ldexp(float(word), np.int32(shift))


@jit
def deviations(sums, squares, n, std):
    """Fill std = sqrt(n * squares - sum**2) / n, without cancellation.

    sums (m,), squares (m, 2): as in `arguments.Totals`. std (m,).
    """
    rows = np.uint64(n)
    for i in range(sums.size):
        low, high = add_product(_ZERO, rows * squares[i, 1], rows, squares[i, 0])
        low2, high2 = add_product(_ZERO, _ZERO, sums[i], sums[i])
        borrow = _ONE if low < low2 else _ZERO
        std[i] = math.sqrt(_to_float(low - low2, high - high2 - borrow)) / n


def moments(totals: Totals, n: int) -> tuple[FloatArray, FloatArray]:
    """Return mean and standard deviation of the counts of n rows."""
    mean, std = totals.sums / float(n), np.empty(totals.sums.size)
    if n > 2**26:  # float64 may round sums, up to n**2: Python divides integers exactly
        mean = np.array([total / n for total in totals.sums.tolist()])
    deviations(totals.sums, totals.squares, n, std)
    return mean, std
