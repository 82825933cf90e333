"""Which rows come first in a random order that what they hold decides: see `density/sample.py`."""

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


@jit
def mark_early(hashes, n_copies, limit, out):
    """Set out[x] if one of the copies of row x has a place up to the limit.

    hashes: of distinct rows. n_copies: how many copies to look at.
    """
    for x in range(hashes.size):
        out[x] = False
        for i in range(n_copies[x]):
            if _mix(hashes[x] + _mix(np.uint64(i))) <= limit:
                out[x] = True
                break


@jit
def count_early(hashes, n_copies, limit, out):
    """Fill out[x]: how many copies of row x have a place up to the limit."""
    for x in range(hashes.size):
        out[x] = 0
        for i in range(n_copies[x]):
            if _mix(hashes[x] + _mix(np.uint64(i))) <= limit:
                out[x] += 1


@jit
def list_early(hashes, n_copies, limit, rows, places):
    """Fill the row and the place of every copy with a place up to the limit, row by row."""
    n = 0
    for x in range(hashes.size):
        for i in range(n_copies[x]):
            place = _mix(hashes[x] + _mix(np.uint64(i)))
            if place <= limit:
                rows[n], places[n] = x, place
                n += 1
