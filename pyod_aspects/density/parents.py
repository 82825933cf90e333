"""Which subspaces of a level can share work: those that grow from the same parent."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._types import IntArray
from ..subspaces import small_codes, subspace_codes


class Groups(NamedTuple):
    """Subspaces in groups: group g is parents[g] plus each of children[starts[g]:starts[g + 1]].

    `order[i]` is the place that the i-th grouped subspace had in the level.
    """

    parents: IntArray
    starts: IntArray
    children: IntArray
    order: IntArray


def group_by_parent(subspaces: IntArray, n_features: int, widths: IntArray | None = None) -> Groups:
    """Group the subspaces of a level, each under the parent that most of the level shares.

    Of several such parents it is the one without the widest attribute, if widths are given.

    >>> groups = group_by_parent(np.array([[0, 1, 2], [1, 2, 3], [1, 2, 9]]), 10)
    >>> groups.parents.tolist(), groups.children.tolist()
    ([[1, 2]], [0, 3, 9])
    """
    m, k = subspaces.shape
    if k == 1:
        parents = np.empty((1, 0), dtype=np.int64)
        return Groups(parents, np.array([0, m]), subspaces[:, 0].copy(), np.arange(m))
    if k == 2:  # all pairs in lexicographic order need no counting
        dropped = np.ones(m, dtype=np.int64)
    else:
        others = [[j for j in range(k) if j != p] for p in range(k)]
        without = np.concatenate([subspaces[:, kept] for kept in others])
        which = small_codes(subspace_codes(without, n_features))
        sharing = np.bincount(which)[which].reshape(k, m)
        if widths is not None:
            sharing = sharing * (widths.max() + 1) + widths[subspaces.T]
        dropped = np.argmax(sharing, axis=0)
    rows = np.arange(m)
    kept = np.ones(subspaces.shape, dtype=bool)
    kept[rows, dropped] = False
    parent_of = subspaces[kept].reshape(m, k - 1)
    code = subspace_codes(parent_of, n_features)
    order = np.argsort(code, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(code[order]) != 0]))
    return Groups(
        np.ascontiguousarray(parent_of[order[starts]]),
        np.append(starts, m),
        subspaces[rows, dropped][order],
        order,
    )
