"""Rank of a density among all rows, reading as little of the pairwise store as possible."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._util.types import FloatArray
from ._jit import jit, jit_reassociate, popcount
from .kde import kernels_at

# Rows to sum between two checks whether the sum is high enough.
_TILE = 128

# The store has 0 for kernels below it. So few products underflow in single precision, which would
# be slow. The sum of all these kernels is negligible beside a row's own kernel of 1.
_SMALLEST = 1e-9


class PairwiseStore(NamedTuple):
    """All rows of a table column by column, with the kernels between them and bounds of sums."""

    rows: FloatArray  # (d, n): missing values are infinite
    inverse: FloatArray  # (d,): 1 / bandwidth, see `kernels_at`
    kernels: npt.NDArray[np.float32]  # (d, n, n): between rows
    single: FloatArray  # (d, n): sum of each row's kernels in each attribute
    near: npt.NDArray[np.uint64]  # (d, n, words): bit r is set if row r is within a radius
    far: FloatArray  # (d,): the kernel's value at that radius


class PointKernels(NamedTuple):
    """Points column by column, and their kernels with all rows."""

    values: FloatArray  # (d, q): missing values are infinite
    kernels: FloatArray  # (d, q, n)
    itself: FloatArray  # (q,): 1 for a new point, which adds its own kernel to the sum, else 0


@jit
def pairwise(points, rows, inverse, attribute, out):
    """out[a, i, r]: kernel between point i and row r in attribute a.

    points (d, q), rows (d, n), inverse (d,): 1 / bandwidth, out (d, q, n).
    """
    for i in range(points.shape[1]):
        kernels_at(points[attribute, i], rows[attribute], inverse[attribute], out[attribute, i])


@jit
def store_rows(rows, inverse, attribute, out):
    """out[a, i, r]: kernel between rows i and r in attribute a, in single precision.

    rows (d, n), inverse (d,): 1 / bandwidth, out (d, n, n).
    """
    n = rows.shape[1]
    room = np.empty(n)
    for i in range(n):
        kernels_at(rows[attribute, i], rows[attribute], inverse[attribute], room)
        for r in range(n):
            out[attribute, i, r] = room[r] if room[r] >= _SMALLEST else 0.0


@jit
def near_rows(rows, radius, attribute, out):
    """Set bit r of out[a, i] if row r equals row i in attribute a or is within radius[a].

    rows (d, n), radius (d,), out (d, n, words).
    """
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
    """Sum over the rows of a tile of the product of kernels[a, i] for a subspace's attributes.

    kernels (d, q, n). subspace (k,): attributes. room: buffer for the products of a tile.
    """
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
    """Sum over rows of the product of kernels[a, i]; stops once the sum is at least `enough`.

    kernels (d, q, n). subspace (k,): attributes. room: buffer for the products of a tile.
    """
    n = kernels.shape[2]
    total = 0.0
    for begin in range(0, n, _TILE):
        total += _tile_sum(kernels, subspace, i, begin, min(n, begin + _TILE), room)
        if total >= enough:
            break
    return total


@jit
def _exact_sum(rows, inverse, subspace, i, room):
    """Sum over rows of the product of their kernels with row i, in double precision.

    rows (d, n), inverse (d,): 1 / bandwidth. subspace (k,): attributes. room (2, _TILE): buffer.
    """
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
    """Whether row r of `rows` (d, n) equals point q of `points` (d, q) in a subspace (k,)."""
    for a in subspace:
        if rows[a, r] != points[a, q]:
            return False
    return True


@jit
def _near_count(near, subspace, i):
    """Count the rows with set bits in near[a, i] for all attributes a of a subspace (k,).

    near (d, n, words).
    """
    count = np.uint64(0)
    for w in range(near.shape[2]):
        word = near[subspace[0], i, w]
        for a in subspace[1:]:
            word &= near[a, i, w]
        count += popcount(word)
    return np.int64(count)


@jit
def bounded_ranks(store, points, subspaces, orders, limits, tolerance, out):
    """Fill out[m, q]: rank of each point in each subspace, or any number above its limit.

    store: PairwiseStore. points: PointKernels. subspaces (m, k). orders (m, n): rows with
    probably low sums come first. limits (m, q). tolerance: relative difference up to which
    densities share a rank. out (m, q).

    A row has two upper bounds: the smallest of its single sums, and near rows plus far times the
    others. The kernel sums a row only if they leave open whether it ranks before a point. A partial
    sum is a lower bound: the kernel stops once it exceeds all points. If single precision cannot
    decide, it sums in double precision. A subspace ends when all its points exceed their limits.
    """
    single, far = store.single, store.far
    n = store.rows.shape[1]
    n_points = points.values.shape[1]
    room = np.empty(_TILE)
    room_of_exact = np.empty((2, _TILE))
    room_of_single = np.empty(_TILE, dtype=np.float32)
    value = np.empty(n_points)
    # A tile's sum rounds up to 128 times by 6e-8, a product twice for each attribute.
    error = 1e-5 + 2.5e-7 * subspaces.shape[1] + _SMALLEST * n
    for m in range(subspaces.shape[0]):
        s = subspaces[m]
        for q in range(n_points):
            out[m, q] = 1.0
            if limits[m, q] >= 1.0:
                total = _product_sum(points.kernels, s, q, np.inf, room) + points.itself[q]
                value[q] = total * (1.0 - tolerance)
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
                count = _near_count(store.near, s, r)
                high = min(high, count + (n - count) * most)
                if _undecided(high, value, limits[m], out[m]):
                    enough = highest * (1.0 + 2.0 * error)
                    total = _product_sum(store.kernels, s, r, enough, room_of_single)
                    low = total * (1.0 - error)
                    high = total * (1.0 + error)
            if low >= highest:
                continue
            closed = False
            for q in range(n_points):
                if out[m, q] > limits[m, q] or low >= value[q]:
                    continue
                if high >= value[q]:
                    if points.itself[q] == 0.0 and _equal(store.rows, r, points.values, q, s):
                        continue
                    low = _exact_sum(store.rows, store.inverse, s, r, room_of_exact)
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
    """Highest density of the points with ranks within their limits; -1 if there are none.

    value, limit, rank (q,): density, limit and rank so far of each point.
    """
    highest = -1.0
    for q in range(value.size):
        if rank[q] <= limit[q]:
            highest = max(highest, value[q])
    return highest


@jit
def _undecided(bound, value, limit, rank):
    """Return whether an upper bound fails to rank a row before a point that is still open.

    value, limit, rank (q,): density, limit and rank so far of each point.
    """
    for q in range(value.size):
        if rank[q] <= limit[q] and bound >= value[q]:
            return True
    return False
