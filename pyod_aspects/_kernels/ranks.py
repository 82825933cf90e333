"""Rank of a density among all rows, with as little of the pairwise store read as possible."""

from __future__ import annotations

import math

import numpy as np

from ._jit import jit, jit_reassociate, popcount


@jit
def pairwise(points, rows, inverse, out):
    """out[a, i, r]: kernel between point i and row r in attribute a."""
    for a in range(rows.shape[0]):
        for i in range(points.shape[1]):
            x = points[a, i]
            for r in range(rows.shape[1]):
                z = (x - rows[a, r]) * inverse[a]
                out[a, i, r] = math.exp(-0.5 * z * z)


@jit
def near_rows(rows, radius, out):
    """Set bit r of out[a, i] where row r is within radius[a] of row i in attribute a."""
    out[:] = 0
    n = rows.shape[1]
    for a in range(rows.shape[0]):
        for i in range(n):
            for r in range(n):
                if abs(rows[a, i] - rows[a, r]) <= radius[a]:
                    out[a, i, r >> 6] |= np.uint64(1) << np.uint64(r & 63)


@jit_reassociate
def _product_sum(kernels, subspace, i, room):
    """Sum over rows of the product of kernels[a, i] for the attributes a of a subspace."""
    n = room.size
    last = kernels[subspace[-1], i]
    total = 0.0
    if subspace.size == 1:
        for r in range(n):
            total += last[r]
        return total
    room[:] = kernels[subspace[0], i]
    for a in subspace[1:-1]:
        row = kernels[a, i]
        for r in range(n):
            room[r] *= row[r]
    for r in range(n):
        total += room[r] * last[r]
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
def bounded_ranks(store, at_points, single, near, far, tolerance, subspaces, limits, out):
    """Rank of each point in each subspace; any number above its limit where it is above that.

    store, at_points: kernels between rows, and between points and rows. single: sums of each
    row's kernels in each attribute. near: rows within some radius in an attribute; far: the
    kernel's value at that radius. A row is summed only if two upper bounds leave open whether it
    ranks before a point: the least of its single sums, and near rows plus far times the others.
    Rows that promise low sums come first, and a subspace ends when all its points are above
    their limits.
    """
    n = store.shape[1]
    n_points = at_points.shape[1]
    room = np.empty(n)
    expected = np.empty(n)
    value = np.empty(n_points)
    summed = 0
    for m in range(subspaces.shape[0]):
        s = subspaces[m]
        open_points = 0
        highest = 0.0
        for q in range(n_points):
            out[m, q] = 1.0
            if limits[m, q] >= 1.0:
                value[q] = _product_sum(at_points, s, q, room) * (1.0 - tolerance)
                highest = max(highest, value[q])
                open_points += 1
            else:
                out[m, q] = np.inf
        if open_points == 0:
            continue
        for r in range(n):
            expected[r] = single[s[0], r]
            for a in s[1:]:
                expected[r] *= single[a, r]
        most = 0.0
        for a in s:
            most = max(most, far[a])
        for r in np.argsort(expected):
            bound = single[s[0], r]
            for a in s[1:]:
                bound = min(bound, single[a, r])
            if bound >= highest or _undecided(bound, value, limits[m], out[m]):
                count = _near_count(near, s, r)
                bound = min(bound, count + (n - count) * most)
                if _undecided(bound, value, limits[m], out[m]):
                    bound = _product_sum(store, s, r, room)
                    summed += 1
            for q in range(n_points):
                if out[m, q] <= limits[m, q] and bound < value[q]:
                    out[m, q] += 1.0
                    if out[m, q] > limits[m, q]:
                        open_points -= 1
            if open_points == 0:
                break
    return summed


@jit
def _undecided(bound, value, limit, rank):
    """Return whether an upper bound fails to place a row before some point that is still open."""
    for q in range(value.size):
        if rank[q] <= limit[q] and bound >= value[q]:
            return True
    return False
