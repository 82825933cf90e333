"""First rows of a random order that hashes of the rows define: see `density/sample.py`.

The place of copy i of a row is first + offsets[i], modulo 2**64. Each row has its own `first`; all
rows share the offsets.
"""

from __future__ import annotations

import numpy as np

from ._jit import inner, jit


@inner
def _mix(x):
    """Spread a 64-bit number evenly, as `_util.hashing.mix` does."""
    x += np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inner
def _offset(i):
    """Offset of copy i, as `density.sample._offsets` gives it; 0 for the first."""
    return _mix(np.uint64(i)) - _mix(np.uint64(0))


@jit
def find_early(first, most, limit, sorted_offsets, copies, out):
    """Fill out[x]: the first of most[x] copies of row x with a place up to the limit, or -1.

    sorted_offsets: offsets of the first few copies, sorted. copies: the copy of each offset.
    """
    known = sorted_offsets.size
    for x in range(first.size):
        # The place is up to the limit if the offset is one of the limit + 1 numbers from -first on.
        begin = np.uint64(0) - first[x]
        low, high = 0, known
        while low < high:
            middle = (low + high) // 2
            if sorted_offsets[middle] < begin:
                low = middle + 1
            else:
                high = middle
        found = most[x]
        for step in range(known):
            at = low + step
            if at >= known:
                at -= known
            if sorted_offsets[at] - begin > limit:
                break
            found = min(found, copies[at])
        i = known
        while i < found:
            if first[x] + _offset(i) <= limit:
                found = i
            i += 1
        out[x] = found if found < most[x] else -1


@jit
def count_early(first, n_copies, limit, out):
    """Fill out[x]: the number of copies of row x with a place up to the limit."""
    for x in range(first.size):
        out[x] = 0
        for i in range(n_copies[x]):
            if first[x] + _offset(i) <= limit:
                out[x] += 1


@jit
def list_early(first, n_copies, limit, rows, places):
    """List the row and the place of every copy with a place up to the limit, row by row."""
    n = 0
    for x in range(first.size):
        for i in range(n_copies[x]):
            place = first[x] + _offset(i)
            if place <= limit:
                rows[n], places[n] = x, place
                n += 1
