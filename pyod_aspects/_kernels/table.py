"""Counting in a table of (parent cell x code): best where cells repeat, as in most real tables."""

from __future__ import annotations

import numpy as np

from ._jit import jit


@jit
def table_child(cell_of, codes, weights, size, reach, segment_of, first, last, counts, boxes, near):
    """Sum of counts and of squared counts for one more attribute.

    cell_of: the parent's cell of each row. counts, boxes: room for n_cells x size; near: room for
    size.
    """
    n_cells = segment_of.size - 1
    for i in range(n_cells * size):
        counts[i] = 0
    for r in range(codes.size):
        counts[cell_of[r] * size + codes[r]] += weights[r]
    for c in range(n_cells):
        table, box = counts[c * size : (c + 1) * size], boxes[c * size : (c + 1) * size]
        for v in range(size):
            box[v] = table[v]
        for shift in range(1, min(reach, size - 1) + 1):
            ahead, later = table[shift:], box[shift:]
            for v in range(ahead.size):
                box[v] += ahead[v]
            for v in range(later.size):
                later[v] += table[v]

    s1, s2 = np.uint64(0), np.uint64(0)
    for c in range(n_cells):
        table = counts[c * size : (c + 1) * size]
        occupied = 0
        for v in range(size):
            occupied += table[v] != 0
        if 8 * occupied < size:  # few codes of many: one by one
            for v in range(size):
                if table[v] != 0:
                    count = np.uint64(0)
                    for s in range(segment_of[c], segment_of[c + 1]):
                        for other in range(first[s], last[s]):
                            count += np.uint64(boxes[other * size + v])
                    weighted = np.uint64(table[v]) * count
                    s1 += weighted
                    s2 += weighted * count
        else:  # all codes at once
            for v in range(size):
                near[v] = 0
            for s in range(segment_of[c], segment_of[c + 1]):
                for other in range(first[s], last[s]):
                    box = boxes[other * size : (other + 1) * size]
                    for v in range(size):
                        near[v] += box[v]
            for v in range(size):
                count = np.uint64(np.uint32(near[v]))
                weighted = np.uint64(np.uint32(table[v])) * count
                s1 += weighted
                s2 += weighted * count
    return s1, s2
