"""Counting on the whole grid: histogram, one shifted-add pass per dimension.

Unbeatable while the grid is not much larger than the table, as for pairs.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit


@jit
def parent_codes(codes, sizes, parent):
    """Number of each row's parent cell on the parent's whole grid."""
    out = np.zeros(codes.shape[1], dtype=np.int32)
    for a in parent:
        for r in range(out.size):
            out[r] = out[r] * sizes[a] + codes[a, r]
    return out


@jit
def _box_sum(values, outer, length, inner, reach, window):
    """Replace values, seen as (outer, length, inner), by sums over length +- reach, in place.

    window: room for reach + 1 slices of `inner`; it keeps the slices that were overwritten.
    """
    span = reach + 1
    for o in range(outer):
        base = o * length * inner
        for i in range(length):
            kept = window[(i % span) * inner : (i % span + 1) * inner]
            here = values[base + i * inner : base + (i + 1) * inner]
            kept[:] = here
            for back in range(1, min(reach, i) + 1):
                j = (i - back) % span
                old = window[j * inner : (j + 1) * inner]
                for t in range(inner):
                    here[t] += old[t]
            for ahead in range(1, min(reach, length - 1 - i) + 1):
                new = values[base + (i + ahead) * inner : base + (i + ahead + 1) * inner]
                for t in range(inner):
                    here[t] += new[t]


@jit
def _row_box_sum(source, target, length, reach):
    """As `_box_sum` along the last dimension, from source into target."""
    for base in range(0, source.size, length):
        row, out = source[base : base + length], target[base : base + length]
        out[:] = row
        for shift in range(1, min(reach, length - 1) + 1):
            for t in range(length - shift):
                out[t] += row[t + shift]
            for t in range(length - shift):
                out[t + shift] += row[t]


@jit
def dense_child(parent_code, codes, weights, dims, size, reach, counts, boxes, window):
    """Sum of counts and of squared counts for one more attribute.

    dims: the parent's sizes; counts, boxes: room for the grid. counts holds zeros before and
    after.
    """
    total = size
    for length in dims:
        total *= length
    for r in range(codes.size):
        counts[parent_code[r] * size + codes[r]] += weights[r]
    _row_box_sum(counts[:total], boxes[:total], size, reach)
    if reach > 0:
        outer, inner = total // size, size
        for p in range(dims.size - 1, -1, -1):
            outer //= dims[p]
            _box_sum(boxes[:total], outer, dims[p], inner, reach, window)
            inner *= dims[p]
    s1, s2 = np.uint64(0), np.uint64(0)
    for i in range(total):
        here = np.uint64(counts[i])
        if here != 0:
            near = np.uint64(boxes[i])
            s1 += here * near
            s2 += here * near * near
            counts[i] = 0
    return s1, s2
