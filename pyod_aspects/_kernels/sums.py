"""Totals of a subspace: the sum of counts, and that of their squares as low and high word."""

from __future__ import annotations

import numpy as np

from ._jit import add_product, inline


@inline
def add_totals(totals, more):
    """Add up two totals."""
    low, high = add_product(totals[1], totals[2] + more[2], more[1], np.uint64(1))
    return totals[0] + more[0], low, high


@inline
def add_count(totals, weight, count):
    """Add a count that `weight` rows have."""
    weighted = weight * count
    low, high = add_product(totals[1], totals[2], weighted, count)
    return totals[0] + weighted, low, high
