"""Counting in a table of (parent cell x code): best where cells repeat, as in most real tables."""

from __future__ import annotations

import numpy as np

from ._jit import jit


@jit
def table_child(
    codes, weights, size, reach, row_start, segment_of, first, last, counts, boxes, near
):
    """Sum of counts and of squared counts for one more attribute.

    codes, weights: in the order of the parent's cells. counts, boxes: room for n_cells x size;
    near: room for size.
    """
    n_cells = row_start.size - 1
    for c in range(n_cells):
        table = counts[c * size : (c + 1) * size]
        table[:] = 0
        for i in range(row_start[c], row_start[c + 1]):
            table[codes[i]] += weights[i]
        box = boxes[c * size : (c + 1) * size]
        box[:] = table
        for shift in range(1, min(reach, size - 1) + 1):
            for v in range(size - shift):
                box[v] += table[v + shift]
            for v in range(size - shift):
                box[v + shift] += table[v]

    s1, s2 = np.uint64(0), np.uint64(0)
    for c in range(n_cells):
        begin, end = row_start[c], row_start[c + 1]
        if 8 * (end - begin) < size:  # few codes of many: row by row
            for i in range(begin, end):
                v = codes[i]
                count = np.uint64(0)
                for s in range(segment_of[c], segment_of[c + 1]):
                    for other in range(first[s], last[s]):
                        count += np.uint64(boxes[other * size + v])
                weighted = np.uint64(weights[i]) * count
                s1 += weighted
                s2 += weighted * count
        else:  # all codes at once
            near[:size] = 0
            for s in range(segment_of[c], segment_of[c + 1]):
                for other in range(first[s], last[s]):
                    box = boxes[other * size : (other + 1) * size]
                    for v in range(size):
                        near[v] += box[v]
            for v in range(size):
                here = np.uint64(counts[c * size + v])
                if here != 0:
                    count = np.uint64(near[v])
                    s1 += here * count
                    s2 += here * count * count
    return s1, s2
