"""Arrays of zeros and counting sorts, in forms that numba compiles quickly."""

from __future__ import annotations

import numpy as np

from ._jit import inner


@inner
def cleared(array):
    """Fill a flat array with zeros and return it: numba compiles np.zeros far more slowly."""
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
    """Sort `items`, indices into `keys`, by their keys; equal keys keep their order.

    Returns the sorted items, and the place of the first item of each of the n_keys keys.
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
