"""Counting by looking at the rows of neighbouring parent cells: best where cells hold few rows."""

from __future__ import annotations

import numpy as np

from ._jit import jit

# From this many rows in a cell on, a histogram of its neighbours beats comparing in pairs.
_CROWD = 12


@jit
def scan_child(codes, reach, weights, row_start, segment_of, first, last, histogram, out):
    """Count the neighbours of each row within one more attribute.

    codes and weights come in the order of the parent's cells, and so does the result `out`.
    histogram: zeros, one for each code and `reach` more at both ends; zeros again afterwards.
    """
    for c in range(row_start.size - 1):
        begin, end = row_start[c], row_start[c + 1]
        s0, s1 = segment_of[c], segment_of[c + 1]
        if end - begin < _CROWD:
            for r in range(begin, end):
                low, high = codes[r] - reach, codes[r] + reach
                count = np.int64(0)
                for s in range(s0, s1):
                    for t in range(row_start[first[s]], row_start[last[s]]):
                        if low <= codes[t] <= high:
                            count += weights[t]
                out[r] = count
        else:
            for s in range(s0, s1):
                for t in range(row_start[first[s]], row_start[last[s]]):
                    histogram[codes[t] + reach] += weights[t]
            for r in range(begin, end):
                count = np.int64(0)
                for v in range(codes[r], codes[r] + 2 * reach + 1):
                    count += histogram[v]
                out[r] = count
            for s in range(s0, s1):
                for t in range(row_start[first[s]], row_start[last[s]]):
                    histogram[codes[t] + reach] = 0
