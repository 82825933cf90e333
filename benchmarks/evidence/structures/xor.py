"""Xor: the product of k features is positive in all rows but the query.

Any k - 1 of the features are independent, so only all of them together show the query.
"""

from __future__ import annotations

import numpy as np

from pyod_aspects._util.types import FloatArray

from .base import N_FEATURES, N_ROWS, Trial, either_side, ordinary_row, place, plant


def xor(k: int, rng: np.random.Generator) -> Trial:
    """Features from -1 to 1; the query has values of 0.4 to 0.8 on either side."""
    others = N_FEATURES - k
    X, subspace = place(block(k, rng), rng.uniform(-1.0, 1.0, size=(N_ROWS, others)), rng)
    return plant(X, subspace, outlier(k, rng), ordinary_row(X, rng))


def block(k: int, rng: np.random.Generator) -> FloatArray:
    """Columns whose product is positive."""
    columns = rng.uniform(-1.0, 1.0, size=(N_ROWS, k))
    columns[:, -1] *= np.sign(columns.prod(axis=1))
    return columns


def outlier(k: int, rng: np.random.Generator) -> FloatArray:
    """Values whose product is negative."""
    values = either_side(rng.uniform(0.4, 0.8, k), rng)
    values[-1] *= -np.sign(values.prod())
    return values
