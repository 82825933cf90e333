"""Subspaces as numbers: one integer for each, in lexicographic order."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .types import IntArray

MAX_CODE = 2**63 - 1
"""The largest code that fits in 64 bits."""

# Most marks per code: with more of them, sorting is faster.
_MARKS = 8


def subspace_codes(subspaces: IntArray, n_features: int) -> IntArray:
    """Return one integer per subspace, all of one size; integers sort as the subspaces do.

    Integers that would exceed 64 bits get new numbers. So codes of different calls do not compare.

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
    """Weight of each attribute in the code of a subspace."""
    return np.array([n_features**i for i in reversed(range(size))], dtype=np.int64)


def distinct_codes(codes: IntArray) -> IntArray:
    """Distinct codes in order; codes are not negative.

    >>> distinct_codes(np.array([10**12, 5, 10**12])).tolist()
    [5, 1000000000000]
    """
    marks = _mark(codes)
    if marks is not None:
        return np.flatnonzero(marks)
    ordered = np.sort(codes, axis=None)  # np.unique hashes integers first, which is slower
    return np.asarray(ordered[np.diff(ordered, prepend=-1) != 0])


def number_codes(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Distinct codes in order, and the number of each code among them; codes are not negative.

    >>> distinct, numbers = number_codes(np.array([10**12, 5, 10**12]))
    >>> distinct.tolist(), numbers.tolist()
    ([5, 1000000000000], [1, 0, 1])
    """
    marks = _mark(codes)
    if marks is not None:
        return np.flatnonzero(marks), (marks.cumsum() - 1)[codes]
    distinct, numbers = np.unique(codes, return_inverse=True)
    return distinct, numbers.reshape(codes.shape)


def _mark(codes: IntArray) -> npt.NDArray[np.bool_] | None:
    """Array that is true at each code; None if it would be so long that sorting is faster."""
    size = int(codes.max(initial=0)) + 1
    if size > _MARKS * codes.size:
        return None
    marks = np.zeros(size, dtype=bool)
    marks[codes] = True
    return marks
