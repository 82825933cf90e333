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
    X, subspace = place(two_clusters(rng), rng.normal(size=(N_ROWS, N_FEATURES - 1)), rng)
    return plant(X, subspace, in_between(rng), ordinary_row(X, rng))


def diagonal(rng: np.random.Generator) -> Trial:
    """Two features with three clusters on the diagonal; the query is off it."""
    X, subspace = place(on_the_diagonal(rng), rng.normal(size=(N_ROWS, N_FEATURES - 2)), rng)
    return plant(X, subspace, off_the_diagonal(rng), ordinary_row(X, rng))


def two_clusters(rng: np.random.Generator) -> FloatArray:
    """One column."""
    return _clusters(rng.choice(CENTRES[[0, 2]], (N_ROWS, 1)), rng)


def in_between(rng: np.random.Generator) -> FloatArray:
    """A value far from both clusters."""
    return rng.uniform(-0.3, 0.3, 1)


def on_the_diagonal(rng: np.random.Generator) -> FloatArray:
    """Two columns."""
    return _clusters(np.repeat(rng.choice(CENTRES, (N_ROWS, 1)), 2, axis=1), rng)


def off_the_diagonal(rng: np.random.Generator) -> FloatArray:
    """Ordinary values of two different clusters."""
    values: FloatArray = rng.choice(CENTRES, 2, replace=False) + rng.uniform(-0.2, 0.2, 2)
    return values


def _clusters(centres: FloatArray, rng: np.random.Generator) -> FloatArray:
    return centres + rng.normal(0.0, SPREAD, centres.shape)
