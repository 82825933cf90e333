"""Counting on the whole grid: a histogram, then one pass of shifted sums for each dimension.

In every dimension but the first, `reach` empty bins separate the last bin of a line from the first
of the next. So a pass is one shifted sum in any dimension.
"""

from __future__ import annotations

import numpy as np

from ._jit import inner, jit
from .cells import smallest_view
from .exact import add_count
from .sorting import cleared


@inner
def _box_sum(source, target, gap, reach):
    """target[t] = sum of source[t + i * gap] for i from -reach to reach."""
    # Slices, because numba does not vectorise loops with the index t + gap.
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
def _parent_places(rows, view, parent, place):
    """Fill the head of `place`: places of a view's rows on the grid of `parent` (k - 1,)."""
    begin, end = rows.begins[view], rows.begins[view + 1]
    place = cleared(place[: end - begin])
    for a in parent:
        length, column = rows.sizes[a] + rows.reach, rows.codes[a, begin:end]
        for r in range(place.size):
            place[r] = place[r] * length + column[r]


@inner
def _fill(rows, view, a, place, counts):
    """Fill the grid `counts`, whose last attribute is a, from places on the grid of the parent."""
    for t in range(counts.size):
        counts[t] = 0
    begin, end = rows.begins[view], rows.begins[view + 1]
    # Unsigned: numba skips the check for negative indices.
    column, line = rows.codes[a, begin:end], np.uintp(rows.sizes[a] + rows.reach)
    weights = rows.weights[begin:end]
    for r in range(column.size):
        counts[np.uintp(place[r]) * line + np.uintp(column[r])] += weights[r]


@jit
def count_on_grid(rows, subspaces, totals, unit, tall):
    """Fill `totals` of subspaces (m, k); those that differ only in the last attribute share work.

    See `arguments` for the two tuples. unit: an empty array of a type that holds every count.
    tall: whether sums of squares may need their second word.
    """
    reach, k, before = rows.reach, subspaces.shape[1], -1
    counts, buffer = np.empty(1, dtype=unit.dtype), np.empty(1, dtype=unit.dtype)
    place = np.empty(rows.begins[1], dtype=np.uint32)
    for m in range(subspaces.shape[0]):
        view, parent = smallest_view(rows, subspaces[m]), subspaces[m, :-1]
        if view != before or (parent != subspaces[m - 1, :-1]).any():
            _parent_places(rows, view, parent, place)
            before = view
        n_bins = np.int64(1)
        for a in subspaces[m]:
            n_bins *= rows.sizes[a] + reach
        if counts.size < n_bins:
            counts, buffer = np.empty(n_bins, unit.dtype), np.empty(2 * n_bins, unit.dtype)
        here = near = counts[:n_bins]
        _fill(rows, view, subspaces[m, -1], place, here)
        gap = np.int64(1)
        for p in range(k):
            target = buffer[p % 2 * n_bins : (p % 2 + 1) * n_bins]
            _box_sum(near, target, gap, reach)
            near = target
            gap *= rows.sizes[subspaces[m, k - 1 - p]] + reach
        total = np.uint64(0), np.uint64(0), np.uint64(0)
        if tall:
            for t in range(n_bins):
                total = add_count(total, np.uint64(here[t]), np.uint64(near[t]))
        else:
            s1, low = np.uint64(0), np.uint64(0)
            for t in range(n_bins):
                n = np.uint64(near[t])
                weighted = np.uint64(here[t]) * n
                s1 += weighted
                low += weighted * n
            total = s1, low, np.uint64(0)
        totals.sums[m], totals.squares[m, 0], totals.squares[m, 1] = total
