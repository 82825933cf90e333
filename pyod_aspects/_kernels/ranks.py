"""Rank of a density among all rows, with as little of the pairwise store read as possible."""

from __future__ import annotations

import numpy as np

from ._jit import jit, jit_reassociate, popcount
from .kde import kernels_at

# Rows that are summed between two looks at whether the sum is high enough.
_TILE = 128


@jit
def pairwise(points, rows, inverse, attribute, out):
    """out[a, i, r]: kernel between point i and row r in attribute a."""
    for i in range(points.shape[1]):
        kernels_at(points[attribute, i], rows[attribute], inverse[attribute], out[attribute, i])


@jit
def near_rows(rows, radius, attribute, out):
    """Set bit r of out[a, i] where row r is within radius[a] of row i in attribute a."""
    column = rows[attribute]
    n = column.size
    for i in range(n):
        for w in range(out.shape[2]):
            word = np.uint64(0)
            for bit in range(min(64, n - 64 * w)):
                within = abs(column[64 * w + bit] - column[i]) <= radius[attribute]
                word |= np.uint64(within) << np.uint64(bit)
            out[attribute, i, w] = word


@jit_reassociate
def _tile_sum(kernels, subspace, i, begin, end, room):
    """Sum over the rows of a tile of the product of kernels[a, i] for a subspace's attributes."""
    total = 0.0
    last = kernels[subspace[-1], i, begin:end]
    if subspace.size == 1:
        for r in range(last.size):
            total += last[r]
        return total
    first = kernels[subspace[0], i, begin:end]
    if subspace.size == 2:
        for r in range(last.size):
            total += first[r] * last[r]
        return total
    row = kernels[subspace[1], i, begin:end]
    for r in range(last.size):
        room[r] = first[r] * row[r]
    for a in subspace[2:-1]:
        row = kernels[a, i, begin:end]
        for r in range(last.size):
            room[r] *= row[r]
    for r in range(last.size):
        total += room[r] * last[r]
    return total


@jit
def _product_sum(kernels, subspace, i, enough, room):
    """Sum over rows of the product of kernels[a, i]; any part of it that is already enough."""
    n = kernels.shape[2]
    total = 0.0
    for begin in range(0, n, _TILE):
        total += _tile_sum(kernels, subspace, i, begin, min(n, begin + _TILE), room)
        if total >= enough:
            break
    return total


@jit
def _near_count(near, subspace, i):
    count = np.uint64(0)
    for w in range(near.shape[2]):
        word = near[subspace[0], i, w]
        for a in subspace[1:]:
            word &= near[a, i, w]
        count += popcount(word)
    return np.int64(count)


@jit
def bounded_ranks(
    store, at_points, single, near, far, tolerance, subspaces, orders, limits, begin, end, out
):
    """Rank of each point in each subspace; any number above its limit where it is above that.

    store, at_points: kernels between rows, and between points and rows. single: sums of each
    row's kernels in each attribute. near: rows within some radius in an attribute; far: the
    kernel's value at that radius. A row is summed only if two upper bounds leave open whether it
    ranks before a point: the least of its single sums, and near rows plus far times the others.
    What has been summed is a lower bound: the sum ends when no point is above it. orders: rows
    that promise low sums come first, and a subspace ends when all its points are above their
    limits.
    """
    n = store.shape[1]
    n_points = at_points.shape[1]
    room = np.empty(_TILE)
    value = np.empty(n_points)
    for m in range(begin, end):
        s = subspaces[m]
        for q in range(n_points):
            out[m, q] = 1.0
            if limits[m, q] >= 1.0:
                value[q] = _product_sum(at_points, s, q, np.inf, room) * (1.0 - tolerance)
            else:
                value[q] = 0.0
                out[m, q] = np.inf
        highest = _highest_open(value, limits[m], out[m])
        if highest < 0.0:
            continue
        most = far[s[0]]
        for a in s[1:]:
            most = max(most, far[a])
        for r in orders[m]:
            bound = single[s[0], r]
            for a in s[1:]:
                bound = min(bound, single[a, r])
            if _undecided(bound, value, limits[m], out[m]):
                count = _near_count(near, s, r)
                bound = min(bound, count + (n - count) * most)
                if _undecided(bound, value, limits[m], out[m]):
                    bound = _product_sum(store, s, r, highest, room)
            closed = False
            if bound < highest:
                for q in range(n_points):
                    if out[m, q] <= limits[m, q] and bound < value[q]:
                        out[m, q] += 1.0
                        closed |= out[m, q] > limits[m, q]
            if closed:
                highest = _highest_open(value, limits[m], out[m])
                if highest < 0.0:
                    break


@jit
def _highest_open(value, limit, rank):
    """Highest density of the points that are not above their limits; -1 if there are none."""
    highest = -1.0
    for q in range(value.size):
        if rank[q] <= limit[q]:
            highest = max(highest, value[q])
    return highest


@jit
def _undecided(bound, value, limit, rank):
    """Return whether an upper bound fails to place a row before some point that is still open."""
    for q in range(value.size):
        if rank[q] <= limit[q] and bound >= value[q]:
            return True
    return False
