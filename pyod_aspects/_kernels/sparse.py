"""Counting by looking at the rows of neighbouring parent cells: best where cells hold few rows."""

from __future__ import annotations

import numpy as np

from ._jit import jit

# From this many rows in a cell on, a histogram of its neighbours beats comparing in pairs.
_CROWD = 12


@jit
def scan_child(codes, weights, reach, row_start, segment_of, first, last, histogram):
    """Sum of counts and of squared counts for one more attribute.

    codes, weights: in the order of the parent's cells. histogram: zeros, one for each code and
    `reach` more at both ends; zeros again afterwards.
    """
    s1, s2 = np.uint64(0), np.uint64(0)
    for c in range(row_start.size - 1):
        begin, end = row_start[c], row_start[c + 1]
        segments = range(segment_of[c], segment_of[c + 1])
        crowded = end - begin >= _CROWD
        if crowded:
            for s in segments:
                for t in range(row_start[first[s]], row_start[last[s]]):
                    histogram[codes[t] + reach] += weights[t]
        for r in range(begin, end):
            count = np.uint64(0)
            if crowded:
                for v in range(codes[r], codes[r] + 2 * reach + 1):
                    count += np.uint64(histogram[v])
            else:
                low, high = codes[r] - reach, codes[r] + reach
                for s in segments:
                    for t in range(row_start[first[s]], row_start[last[s]]):
                        if low <= codes[t] <= high:
                            count += np.uint64(weights[t])
            weighted = np.uint64(weights[r]) * count
            s1 += weighted
            s2 += weighted * count
        if crowded:
            for s in segments:
                for t in range(row_start[first[s]], row_start[last[s]]):
                    histogram[codes[t] + reach] = 0
    return s1, s2
