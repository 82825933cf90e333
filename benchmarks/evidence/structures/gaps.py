"""Clusters: the query lies in a gap between them, or in none of them."""

from __future__ import annotations

import numpy as np

from pyod_aspects._util.types import FloatArray

from .base import N_FEATURES, N_ROWS, Trial, ordinary_row, place, plant

CENTRES = np.array([-2.0, 0.0, 2.0])

SPREAD = 0.25
"""Standard deviation of a cluster."""


def between(rng: np.random.Generator) -> Trial:
    """One feature with clusters at -2 and 2; the query is about 0, far from both."""
    block = _clusters(rng.choice(CENTRES[[0, 2]], (N_ROWS, 1)), rng)
    X, subspace = place(block, rng.normal(size=(N_ROWS, N_FEATURES - 1)), rng)
    return plant(X, subspace, rng.uniform(-0.3, 0.3, 1), ordinary_row(X, rng))


def diagonal(rng: np.random.Generator) -> Trial:
    """Two features with three clusters on the diagonal; the query is off it.

    Its values are ordinary ones of two different clusters.
    """
    block = _clusters(np.repeat(rng.choice(CENTRES, (N_ROWS, 1)), 2, axis=1), rng)
    X, subspace = place(block, rng.normal(size=(N_ROWS, N_FEATURES - 2)), rng)
    values = rng.choice(CENTRES, 2, replace=False) + rng.uniform(-0.2, 0.2, 2)
    return plant(X, subspace, values, ordinary_row(X, rng))


def _clusters(centres: FloatArray, rng: np.random.Generator) -> FloatArray:
    return centres + rng.normal(0.0, SPREAD, centres.shape)
