"""Subspaces as numbers: one integer for each, in lexicographic order."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .types import IntArray

MAX_CODE = 2**63 - 1
"""The largest code that fits in 64 bits."""

# Larger codes are numbered anew rather than counted as they are, which takes 8 bytes for each.
_MOST_COUNTED = 2**22


def subspace_codes(subspaces: IntArray, n_features: int) -> IntArray:
    """One integer for each of some subspaces of one size, equal and ordered as they are.

    Where the integers would not fit in 64 bits they are numbered anew, so codes of
    different calls may not be compared.

    >>> subspace_codes(np.array([[0, 2], [1, 2]]), 10).tolist()
    [2, 12]
    """
    k = subspaces.shape[1]
    if n_features**k <= MAX_CODE:
        return np.asarray(subspaces @ _weights(n_features, k))
    codes = np.zeros(len(subspaces), dtype=np.int64)
    largest = 1
    for column in subspaces.T:
        if largest * n_features > MAX_CODE:
            codes = np.unique(codes, return_inverse=True)[1]
            largest = len(subspaces)
        largest *= n_features
        codes = codes * n_features + column
    return codes


@lru_cache(maxsize=64)
def _weights(n_features: int, size: int) -> IntArray:
    """What each attribute of a subspace counts for in its code."""
    return np.array([n_features**i for i in reversed(range(size))], dtype=np.int64)


def small_codes(codes: IntArray) -> IntArray:
    """Numbers that are equal where codes are, small enough to be counted with `numpy.bincount`.

    >>> small_codes(np.array([10**12, 5, 10**12])).tolist()
    [1, 0, 1]
    """
    if codes.max() < min(10 * codes.size + 1024, _MOST_COUNTED):
        return codes
    return np.unique(codes, return_inverse=True)[1]
