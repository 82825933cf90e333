"""One pass over the values of a column that comes in parts.

Each value has a key, a 64-bit integer. Keys sort as their values do. A missing value (NaN) has no
key, and the kernels skip it. -0.0 has the key of 0.0.
"""

from __future__ import annotations

import numpy as np

from ._jit import inline, jit

_SIGN, _ZERO = np.uint64(2**63), np.uint64(0)
_63, _48, _52, _50 = np.uint64(63), np.uint64(48), np.uint64(52), np.uint64(50)
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # as in binning.ordered

GROUPS, HASHES, SLOTS = 2**16, 2**12, 2**14
"""Sizes of the arrays that `look_over` and `count_hot` fill."""


@inline
def _key(bits):
    return bits ^ ((_ZERO - (bits >> _63)) | _SIGN)  # no branch: processors mispredict signs


@jit
def look_over(values, bits, groups, hashed):
    """Count values by upper 16 bits of the key, and by hash; return n_missing, first and last.

    bits: the values as uint64. groups (GROUPS,), hashed (HASHES,): zeros.
    """
    n_missing, first, last = 0, np.inf, -np.inf
    for i in range(values.size):
        x = values[i]
        if np.isnan(x):
            n_missing += 1
            continue
        first, last = min(first, x), max(last, x)
        b = bits[i] if x != 0.0 else _ZERO
        groups[_key(b) >> _48] += 1
        hashed[(b * MULTIPLIER) >> _52] += 1
    return n_missing, first, last


@jit
def count_hot(values, bits, hot, slots, counts, most):
    """Count the values whose hash is hot; False if more than `most` of them are distinct.

    hot (HASHES,): truth values. slots, counts (SLOTS,): zeros. The kernel fills them with the bits
    of each value and the number of rows that have it.
    """
    n = 0
    for i in range(values.size):
        x = values[i]
        if np.isnan(x):
            continue
        b = bits[i] if x != 0.0 else _ZERO
        hashed = b * MULTIPLIER
        if not hot[hashed >> _52]:
            continue
        slot = hashed >> _50
        while counts[slot] and slots[slot] != b:
            slot = np.uint64((slot + np.uint64(1)) & np.uint64(SLOTS - 1))
        if counts[slot] == 0:
            n += 1
            if n > most:
                return False
            slots[slot] = b
        counts[slot] += 1
    return True


@jit
def count_in_brackets(values, bits, lows, spans, shifts, out):
    """Count values by key in brackets that do not overlap: out[j, (key - lows[j]) >> shifts[j]].

    A bracket holds the keys from lows[j] to lows[j] + spans[j].
    """
    for i in range(values.size):
        x = values[i]
        if np.isnan(x):
            continue
        key = _key(bits[i] if x != 0.0 else _ZERO)
        for j in range(lows.size):
            above = key - lows[j]  # unsigned: a key below wraps around to far above
            if above <= spans[j]:
                out[j, above >> shifts[j]] += 1
                break


@jit
def collect_in_brackets(values, bits, lows, spans, places, out):
    """Write keys minus the low end of their bracket to `out`, bracket j from places[j] on."""
    for i in range(values.size):
        x = values[i]
        if np.isnan(x):
            continue
        key = _key(bits[i] if x != 0.0 else _ZERO)
        for j in range(lows.size):
            above = key - lows[j]
            if above <= spans[j]:
                out[places[j]] = above
                places[j] += 1
                break


@jit
def find_slots(values, own, origin, low, high, first, last, n, out):
    """Fill `out` with the slot of each value, see `binning.slots`; -1 for unplaced values.

    own: sorted values that have a bin each. The kernel subtracts the origin from all others and
    places those from low to high. In that range the n bins of equal width, from first to last,
    apply. Returns the number of unplaced values.
    """
    n_left, span, width = 0, last - first, (last - first) / n
    n_own = own.size
    for i in range(values.size):
        x = values[i]
        if np.isnan(x):
            out[i] = n + n_own
            continue
        if n_own:
            place = 0 if n_own == 1 else np.searchsorted(own, x)
            if place < n_own and own[place] == x:
                out[i] = n + place
                continue
        x -= origin
        if not low <= x <= high:
            out[i] = -1
            n_left += 1
            continue
        x = min(max(x, first), last)
        # As EqualWidthBins.index_inside, in the same steps.
        j = np.floor(min((x - first) / span * n, n - 1.0))
        if x < j * width + first:
            j -= 1.0
        if x >= (j + 1.0) * width + first and j < n - 1:
            j += 1.0
        out[i] = np.int32(j)
    return n_left
