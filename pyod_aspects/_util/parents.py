"""Which subspaces of a level can share work: those that grow from the same parent."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .subspaces import MAX_CODE, small_codes, subspace_codes
from .types import FloatArray, IntArray


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


def group_by_parent(
    subspaces: IntArray, n_features: int, costs: Costs | None = None, *, quickly: bool = False
) -> Groups:
    """Group the subspaces of a level, each under a parent that it shares with others.

    Without costs, it is the one that most of the level could share; with costs, the one with
    which a subspace costs least if all of these do share it; quickly, simply the one without the
    last attribute.

    >>> groups = group_by_parent(np.array([[0, 1, 2], [1, 2, 3], [1, 2, 9]]), 10)
    >>> groups.parents.tolist(), groups.children.tolist()
    ([[1, 2]], [0, 3, 9])
    """
    m, k = subspaces.shape
    if k == 1:
        parents = np.empty((1, 0), dtype=np.int64)
        return Groups(parents, np.array([0, m]), subspaces[:, 0].copy(), np.arange(m))
    if k == 2 or quickly:  # all pairs in lexicographic order need no counting
        dropped = np.full(m, k - 1)
    else:
        dropped = _best_dropped(subspaces, n_features, costs)
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


def _best_dropped(subspaces: IntArray, n_features: int, costs: Costs | None) -> IntArray:
    """Place of the attribute without which each subspace is the parent to take."""
    m, k = subspaces.shape
    kept = [[j for j in range(k) if j != p] for p in range(k)]
    if n_features ** (k - 1) <= MAX_CODE:
        codes = np.concatenate([subspace_codes(subspaces[:, js], n_features) for js in kept])
    else:  # codes of several calls could not be compared
        codes = subspace_codes(np.concatenate([subspaces[:, js] for js in kept]), n_features)
    which = small_codes(codes)
    sharing = np.bincount(which)[which].reshape(k, m)
    if costs is None:
        return np.asarray(np.argmax(sharing, axis=0))
    best, least = np.zeros(m, dtype=np.int64), np.full(m, np.inf)
    for p in range(k):
        child, parent = costs(subspaces[:, kept[p]], subspaces[:, p])
        cost = child + parent / sharing[p]
        better = cost < least
        best[better], least[better] = p, cost[better]
    return best
