"""Subspaces of a level in families: those with a common parent are counted together."""

from __future__ import annotations

import numpy as np

from .._kernels.arguments import Families
from .._util.subspaces import MAX_CODE, number_codes, subspace_codes
from .._util.types import IntArray


def group_by_parent(
    subspaces: IntArray,
    n_features: int,
    sizes: IntArray | None = None,
    kinds: IntArray | None = None,
    ranks: IntArray | None = None,
) -> Families:
    """Group subspaces (m, k), each under the parent that most of the level share.

    Of several such parents it is the one without the smallest attribute, given the sizes of all.
    Subspaces of different kinds (m,) are in different families, those of the lowest kind first; of
    one kind, those whose parents have the lowest rank, the least of the ranks of their attributes.

    >>> families = group_by_parent(np.array([[0, 1, 2], [1, 2, 3], [1, 2, 9]]), 10)
    >>> families.parents.tolist(), families.children.tolist()
    ([[1, 2]], [0, 3, 9])
    """
    m, k = subspaces.shape
    kinds = np.zeros(m, dtype=np.int64) if kinds is None else kinds
    dropped = np.full(m, k - 1)  # pairs come in lexicographic order: most share the first
    if k > 2:
        parents = [np.delete(subspaces, place, axis=1) for place in range(k)]
        numbers = number_codes(_codes_of(parents, n_features))[1]
        sharing = np.bincount(numbers)[numbers].reshape(k, m)
        if sizes is not None:
            sharing = sharing - sizes[subspaces.T] / (sizes.max() + 1.0)
        dropped = np.argmax(sharing, axis=0)
    kept = np.ones(subspaces.shape, dtype=bool)
    kept[np.arange(m), dropped] = False
    parent_of = subspaces[kept].reshape(m, k - 1)
    code = subspace_codes(parent_of, n_features)
    rank = np.zeros(m) if ranks is None else ranks[parent_of].min(axis=1, initial=ranks.max())
    order = np.lexsort((code, rank, kinds))
    new = (np.diff(code[order]) != 0) | (np.diff(kinds[order]) != 0)
    starts = np.flatnonzero(np.append(True, new))
    children = subspaces[np.arange(m), dropped][order]
    return Families(parent_of[order[starts]], np.append(starts, m), children, order)


def _codes_of(parents: list[IntArray], n_features: int) -> IntArray:
    """Codes of all parents, one array after the other."""
    if n_features ** parents[0].shape[1] <= MAX_CODE:
        return np.concatenate([subspace_codes(some, n_features) for some in parents])
    return subspace_codes(np.concatenate(parents), n_features)  # comparable within a call only
