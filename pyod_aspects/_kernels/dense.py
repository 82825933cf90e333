"""Counting on the whole grid: histogram, one shifted-add pass per dimension.

Unbeatable while the grid is not much larger than the table, as for pairs. In every dimension but
the first, `reach` empty bins stand between the last bin and the first of the next line, so that a
pass is one shifted add over the whole grid, whatever the dimension. A large grid is taken in slabs
along its first dimension; only the sums of the slabs within reach are kept.
"""

from __future__ import annotations

import numpy as np

from ._jit import inner
from .sums import line_sums
from .views import column_of, n_rows_of

_SMALL = 1 << 16  # bins of a grid that is taken as a whole


@inner
def parent_codes(views, view, sizes, reach, parent):
    """Place of each row's parent cell on the parent's whole grid, for the rows of a view."""
    out = np.zeros(n_rows_of(views, view), dtype=np.uint32)
    for a in parent:
        length = sizes[a] + reach
        column = column_of(views, view, a)
        for r in range(out.size):
            out[r] = out[r] * length + column[r]
    return out


@inner
def _box_sum(source, target, gap, reach):
    """target[t] = sum of source[t + i * gap] for i from -reach to reach."""
    # Slices and not t + gap as an index, which would keep the loops from using vectors.
    if reach == 1 and source.size > 2 * gap:
        n = source.size
        before, at, after = source[: n - 2 * gap], source[gap : n - gap], source[2 * gap :]
        first, middle, last = target[:gap], target[gap : n - gap], target[n - gap :]
        for t in range(gap):
            first[t] = before[t] + at[t]
        for t in range(middle.size):
            middle[t] = before[t] + at[t] + after[t]
        before, at = source[n - 2 * gap : n - gap], source[n - gap :]
        for t in range(gap):
            last[t] = before[t] + at[t]
        return
    for t in range(source.size):
        target[t] = source[t]
    for i in range(1, reach + 1):
        if i * gap >= source.size:
            break
        ahead, later = source[i * gap :], target[i * gap :]
        for t in range(ahead.size):
            target[t] += ahead[t]
        for t in range(later.size):
            later[t] += source[t]


@inner
def _slab(dims, size, reach):
    """Bins of the grid without its first dimension, empty ones included."""
    slab = size + reach
    for p in range(1, dims.size):
        slab *= dims[p] + reach
    return slab


@inner
def room_for(dims, size, reach):
    """Room for sums that `dense_child` needs."""
    slab = _slab(dims, size, reach)
    grid = slab * (dims[0] if dims.size > 0 else 1)
    return 2 * (grid + 2 * slab) if reach == 1 and grid <= _SMALL else (2 * reach + 2) * slab


@inner
def dense_child(parent_code, codes, weights, dims, size, reach, counts, room):
    """Sum of counts and of squared counts for one more attribute; number of cells, if two.

    dims: the parent's sizes. counts: room for the grid, zeros before and after. room: see
    `room_for`.
    """
    stride = np.uintp(size + reach)
    for r in range(codes.size):
        # Unsigned: an index that might be negative is looked at twice.
        counts[np.uintp(parent_code[r]) * stride + np.uintp(codes[r])] += weights[r]
    slab = _slab(dims, size, reach)
    n_slabs = dims[0] if dims.size > 0 else 1
    n_cells = 0
    if dims.size == 1:
        for t in range(n_slabs * slab):
            n_cells += counts[t] != 0
    if reach == 1 and n_slabs * slab <= _SMALL:
        some = _whole(counts[: n_slabs * slab], dims, size, slab, room)
    else:
        some = _slab_by_slab(counts, dims, size, reach, slab, room)
    return some[0], some[1], n_cells


@inner
def _whole(counts, dims, size, slab, room):
    """Sums of the counts with a reach of 1, all slabs at once; counts become zeros."""
    n = counts.size
    first, second = room[: n + 2 * slab], room[n + 2 * slab :]
    for t in range(slab):  # nothing lies before the first slab and after the last
        first[t] = 0
        first[slab + n + t] = 0
    source, gap = counts, np.int64(1)
    passes = max(1, dims.size)
    for p in range(passes):
        into = first[slab : slab + n] if (passes - p) % 2 == 1 else second[:n]
        _box_sum(source, into, gap, 1)
        source = into
        gap *= size + 1 if p == 0 else dims[dims.size - p] + 1
    some = line_sums(counts, first[:n], first[slab : slab + n], first[2 * slab :])
    for t in range(n):
        counts[t] = 0
    return some


@inner
def _slab_by_slab(counts, dims, size, reach, slab, room):
    """Sums of the counts; counts become zeros."""
    n_slabs = dims[0] if dims.size > 0 else 1
    stride = size + reach
    window = 2 * reach + 1
    spare = room[window * slab : (window + 1) * slab]
    passes = max(1, dims.size)
    s1, s2 = np.uint64(0), np.uint64(0)
    done = 0
    for i in range(n_slabs):
        while done < min(n_slabs, i + reach + 1):
            # Box sums of slab `done` over all dimensions but the first; the last pass has to
            # end in its place in the window.
            target = room[(done % window) * slab : (done % window + 1) * slab]
            source = counts[done * slab : (done + 1) * slab]
            gap = np.int64(1)
            for p in range(passes):
                into = target if (passes - p) % 2 == 1 else spare
                _box_sum(source, into, gap, reach)
                source = into
                gap *= stride if p == 0 else dims[dims.size - p] + reach
            done += 1
        here = counts[i * slab : (i + 1) * slab]
        low, high = max(0, i - reach), min(n_slabs, i + reach + 1)
        if high - low == 3:
            x, y, z = low % window, (low + 1) % window, (low + 2) % window
            a = room[x * slab : (x + 1) * slab]
            b = room[y * slab : (y + 1) * slab]
            c = room[z * slab : (z + 1) * slab]
            some = line_sums(here, a, b, c)
            s1 += some[0]
            s2 += some[1]
        else:
            for t in range(slab):
                h = here[t]
                if h != 0:
                    near = np.uint64(0)
                    for j in range(low, high):
                        near += np.uint64(room[(j % window) * slab + t])
                    s1 += np.uint64(h) * near
                    s2 += np.uint64(h) * near * near
        for t in range(slab):
            here[t] = 0
    return s1, s2
