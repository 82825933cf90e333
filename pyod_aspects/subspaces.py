"""Subspaces as numbers: one integer for each, in lexicographic order."""

from __future__ import annotations

import numpy as np

from ._types import IntArray


def subspace_codes(subspaces: IntArray, n_features: int) -> IntArray:
    """One integer for each of some subspaces of one size, equal and ordered as they are.

    Where the integers would not fit in 64 bits they are numbered anew, so codes of
    different calls may not be compared.

    >>> subspace_codes(np.array([[0, 2], [1, 2]]), 10).tolist()
    [2, 12]
    """
    codes = np.zeros(len(subspaces), dtype=np.int64)
    largest = 1
    for column in subspaces.T:
        if largest * n_features > np.iinfo(np.int64).max:
            codes = np.unique(codes, return_inverse=True)[1]
            largest = len(subspaces)
        largest *= n_features
        codes = codes * n_features + column
    return codes
