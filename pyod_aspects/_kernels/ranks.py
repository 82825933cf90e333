"""Rank of a density among all rows, with as little of the pairwise store read as possible."""

from __future__ import annotations

import numpy as np

from ._jit import jit, jit_reassociate, popcount
from .kde import kernels_at

# Rows that are summed between two looks at whether the sum is high enough.
_TILE = 128

# Kernels below it are 0 in the store: few products are then too small for single precision,
# which would be slow, and all of them together are nothing beside a row's own kernel of 1.
_SMALLEST = 1e-9


@jit
def pairwise(points, rows, inverse, attribute, out):
    """out[a, i, r]: kernel between point i and row r in attribute a."""
    for i in range(points.shape[1]):
        kernels_at(points[attribute, i], rows[attribute], inverse[attribute], out[attribute, i])


@jit
def store_rows(rows, inverse, attribute, out):
    """out[a, i, r]: kernel between rows i and r in attribute a, in single precision."""
    n = rows.shape[1]
    room = np.empty(n)
    for i in range(n):
        kernels_at(rows[attribute, i], rows[attribute], inverse[attribute], room)
        for r in range(n):
            out[attribute, i, r] = room[r] if room[r] >= _SMALLEST else 0.0


@jit
def near_rows(rows, radius, attribute, out):
    """Set bit r of out[a, i] where row r equals row i in attribute a or is within radius[a]."""
    column = rows[attribute]
    n = column.size
    for i in range(n):
        for w in range(out.shape[2]):
            word = np.uint64(0)
            for bit in range(min(64, n - 64 * w)):
                other = column[64 * w + bit]
                within = other == column[i] or abs(other - column[i]) <= radius[attribute]
                word |= np.uint64(within) << np.uint64(bit)
            out[attribute, i, w] = word


@jit_reassociate
def _tile_sum(kernels, subspace, i, begin, end, room):
    """Sum over the rows of a tile of the product of kernels[a, i] for a subspace's attributes."""
    first = kernels[subspace[0], i, begin:end]
    n = first.size
    for r in range(n):
        room[r] = first[r]
    for a in subspace[1:]:
        row = kernels[a, i, begin:end]
        for r in range(n):
            room[r] *= row[r]
    total = room[0]
    for r in range(1, n):
        total += room[r]
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
def _exact_sum(rows, inverse, subspace, i, room):
    """Sum over rows of the product of their kernels with row i, in double precision."""
    n = rows.shape[1]
    total = 0.0
    for begin in range(0, n, _TILE):
        size = min(n - begin, _TILE)
        product = room[0, :size]
        kernel = room[1, :size]
        product[:] = 1.0
        for a in subspace:
            kernels_at(rows[a, i], rows[a, begin : begin + size], inverse[a], kernel)
            for r in range(size):
                product[r] *= kernel[r]
        for r in range(size):
            total += product[r]
    return total


@jit
def _equal(rows, r, points, q, subspace):
    for a in subspace:
        if rows[a, r] != points[a, q]:
            return False
    return True


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
    rows,
    points,
    inverse,
    store,
    at_points,
    single,
    near,
    far,
    tolerance,
    subspaces,
    orders,
    limits,
    begin,
    end,
    out,
):
    """Rank of each point in each subspace; any number above its limit where it is above that.

    store, at_points: kernels between rows, in single precision, and between points and rows.
    single: sums of each row's kernels in each attribute. near: rows within some radius in an
    attribute; far: the kernel's value at that radius. A row is summed only if two upper bounds
    leave open whether it ranks before a point: the least of its single sums, and near rows plus
    far times the others. What has been summed is a lower bound: the sum ends when no point is
    above it. Where single precision does not tell, the sum is made in double precision. orders:
    rows that promise low sums come first, and a subspace ends when all its points are above
    their limits.
    """
    n = store.shape[1]
    n_points = at_points.shape[1]
    room = np.empty(_TILE)
    room_of_exact = np.empty((2, _TILE))
    room_of_single = np.empty(_TILE, dtype=np.float32)
    value = np.empty(n_points)
    # A tile's sum has up to 128 roundings of 6e-8, a product two for each attribute.
    error = 1e-5 + 2.5e-7 * subspaces.shape[1] + _SMALLEST * n
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
            low = 0.0
            high = single[s[0], r]
            for a in s[1:]:
                high = min(high, single[a, r])
            if _undecided(high, value, limits[m], out[m]):
                count = _near_count(near, s, r)
                high = min(high, count + (n - count) * most)
                if _undecided(high, value, limits[m], out[m]):
                    total = _product_sum(store, s, r, highest * (1.0 + 2.0 * error), room_of_single)
                    low = total * (1.0 - error)
                    high = total * (1.0 + error)
            if low >= highest:
                continue
            closed = False
            for q in range(n_points):
                if out[m, q] > limits[m, q] or low >= value[q]:
                    continue
                if high >= value[q]:
                    if _equal(rows, r, points, q, s):
                        continue
                    low = _exact_sum(rows, inverse, s, r, room_of_exact)
                    high = low
                if high < value[q]:
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
