"""Xor: the product of k features is positive in all rows but the query.

Any k - 1 of the features are independent, so that only all of them together show the query.
"""

from __future__ import annotations

import numpy as np

from .base import N_FEATURES, N_ROWS, Trial, either_side, ordinary_row, place, plant


def xor(k: int, rng: np.random.Generator) -> Trial:
    """Features from -1 to 1; the query has values of 0.4 to 0.8 on either side."""
    block = rng.uniform(-1.0, 1.0, size=(N_ROWS, k))
    block[:, -1] *= np.sign(block.prod(axis=1))
    X, subspace = place(block, rng.uniform(-1.0, 1.0, size=(N_ROWS, N_FEATURES - k)), rng)
    values = either_side(rng.uniform(0.4, 0.8, k), rng)
    values[-1] *= -np.sign(values.prod())
    return plant(X, subspace, values, ordinary_row(X, rng))
