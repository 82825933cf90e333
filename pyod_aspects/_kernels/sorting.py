"""Arrays of zeros and counting sorts, in forms that numba compiles quickly."""

from __future__ import annotations

import numpy as np

from ._jit import inner


@inner
def cleared(array):
    """Fill a flat array with zeros and return it: np.zeros takes numba several times as long."""
    for i in range(array.size):
        array[i] = 0
    return array


@inner
def first_numbers(n):
    """Return an array of 0 to n - 1."""
    out = np.empty(n, dtype=np.int32)
    for i in range(n):
        out[i] = i
    return out


@inner
def counting_sort(keys, n_keys, items):
    """Sort `items`, places in the array `keys`, by their keys; equal keys keep their order.

    Returns the sorted items, and where each of the n_keys keys begins among them.
    """
    start = cleared(np.empty(n_keys + 1, dtype=np.int32))
    for i in items:
        start[keys[i] + 1] += 1
    for key in range(n_keys):
        start[key + 1] += start[key]
    fill, out = start.copy(), np.empty(items.size, dtype=np.int32)
    for i in items:
        out[fill[keys[i]]] = i
        fill[keys[i]] += 1
    return out, start
