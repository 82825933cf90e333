"""Mean and standard deviation of counts from exact integer sums."""

from __future__ import annotations

import math

import numpy as np

from .._util.types import FloatArray
from ._jit import jit

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_WORD = np.uint64(64)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)


@jit
def _product(a, b):
    """Return the 128 bits of a * b as (high, low)."""
    a0, a1, b0, b1 = a & _LOW, a >> _HALF, b & _LOW, b >> _HALF
    p00, p01, p10, p11 = a0 * b0, a0 * b1, a1 * b0, a1 * b1
    middle = (p00 >> _HALF) + (p01 & _LOW) + (p10 & _LOW)
    low = (middle << _HALF) | (p00 & _LOW)
    return p11 + (p01 >> _HALF) + (p10 >> _HALF) + (middle >> _HALF), low


@jit
def _to_float(high, low):
    """Round a 128-bit integer to the nearest float64, once."""
    if high == _ZERO:
        return float(low)
    shift = _ZERO
    while shift < _WORD and (high >> shift) != _ZERO:
        shift += _ONE
    if shift == _WORD:
        word, rest = high, low
    else:
        word = (high << (_WORD - shift)) | (low >> shift)
        rest = low & ((_ONE << shift) - _ONE)
    # A sticky last bit keeps the rounding of the 64-bit word that of the whole number.
    if rest != _ZERO:
        word |= _ONE
    return math.ldexp(float(word), np.int32(shift))


@jit
def mean_std(sums, squares, n, mean, std):
    """mean = sum / n and std = sqrt(n * squares - sum**2) / n, without cancellation."""
    for i in range(sums.size):
        mean[i] = float(sums[i]) / n
        high, low = _product(np.uint64(n), squares[i])
        high2, low2 = _product(sums[i], sums[i])
        borrow = _ONE if low < low2 else _ZERO
        std[i] = math.sqrt(_to_float(high - high2 - borrow, low - low2)) / n


def moments(
    sums: np.ndarray[tuple[int], np.dtype[np.uint64]],
    squares: np.ndarray[tuple[int], np.dtype[np.uint64]],
    n: int,
) -> tuple[FloatArray, FloatArray]:
    """Return mean and standard deviation for the sums of counts and of their squares."""
    mean, std = np.empty(sums.size), np.empty(sums.size)
    mean_std(sums, squares, n, mean, std)
    return mean, std
