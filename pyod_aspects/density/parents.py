"""Which subspaces of a level can share work: those that grow from the same parent."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._types import FloatArray, IntArray
from ..subspaces import small_codes, subspace_codes


class Groups(NamedTuple):
    """Subspaces in groups: group g is parents[g] plus each of children[starts[g]:starts[g + 1]].

    `order[i]` is the place that the i-th grouped subspace had in the level.
    """

    parents: IntArray
    starts: IntArray
    children: IntArray
    order: IntArray


Costs = Callable[[IntArray, IntArray], tuple[FloatArray, FloatArray]]
"""For parents (m, k - 1) and a child of each: what the child costs, and the parent once for all."""


def group_by_parent(subspaces: IntArray, n_features: int, costs: Costs | None = None) -> Groups:
    """Group the subspaces of a level, each under a parent that it shares with others.

    Without costs, it is the one that most of the level could share; with costs, the one with
    which a subspace costs least if all of these do share it.

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
        sharing = np.bincount(which)[which]
        if costs is None:
            dropped = np.argmax(sharing.reshape(k, m), axis=0)
        else:
            child, parent = costs(without, subspaces.T.ravel())
            dropped = np.argmin((child + parent / sharing).reshape(k, m), axis=0)
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
