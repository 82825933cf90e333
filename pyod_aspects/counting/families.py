"""Families: the subspaces of a level with a common parent, counted together."""

from __future__ import annotations

import numpy as np

from .._kernels.arguments import Families
from .._util.subspaces import MAX_CODE, number_codes, subspace_codes
from .._util.types import IntArray


def group_by_parent(
    subspaces: IntArray, n_features: int, ranks: IntArray | None = None
) -> Families:
    """Group subspaces (m, k), each under the parent that most of the level share.

    `ranks` of all attributes break ties: the parent without the attribute of the highest rank
    wins. Children of a family come in the order of their ranks.

    >>> families = group_by_parent(np.array([[0, 1, 2], [1, 2, 3], [1, 2, 9]]), 10)
    >>> families.parents.tolist(), families.children.tolist()
    ([[1, 2]], [0, 3, 9])
    """
    m, k = subspaces.shape
    dropped = np.full(m, k - 1)  # pairs come in lexicographic order: most share the first
    if k > 2:
        parents = [np.delete(subspaces, place, axis=1) for place in range(k)]
        numbers = number_codes(_codes_of(parents, n_features))[1]
        sharing = np.bincount(numbers)[numbers].reshape(k, m)
        if ranks is not None:
            sharing = sharing * n_features + ranks[subspaces.T]
        dropped = np.argmax(sharing, axis=0)
    kept = np.ones(subspaces.shape, dtype=bool)
    kept[np.arange(m), dropped] = False
    parent_of, children = subspaces[kept].reshape(m, k - 1), subspaces[~kept]
    code = subspace_codes(parent_of, n_features)
    order = np.lexsort((np.zeros(m) if ranks is None else ranks[children], code))
    firsts = np.flatnonzero(np.diff(code[order], prepend=-1))
    return Families(parent_of[order[firsts]], np.append(firsts, m), children[order], order)


def _codes_of(parents: list[IntArray], n_features: int) -> IntArray:
    """Codes of all parents, one array after the other."""
    if n_features ** parents[0].shape[1] <= MAX_CODE:
        return np.concatenate([subspace_codes(some, n_features) for some in parents])
    return subspace_codes(np.concatenate(parents), n_features)  # comparable within a call only
