"""One feature far out: a value that no other row comes near.

All features have the same distribution, so only the value tells the feature.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyod_aspects._util.types import FloatArray

from .base import N_FEATURES, N_ROWS, Trial, either_side, ordinary_row, plant

Size = tuple[int, int]


def normal(rng: np.random.Generator, size: Size) -> FloatArray:
    """Standard normal."""
    return rng.normal(size=size)


def uniform(rng: np.random.Generator, size: Size) -> FloatArray:
    """From -1 to 1."""
    return rng.uniform(-1.0, 1.0, size)


def log_normal(rng: np.random.Generator, size: Size) -> FloatArray:
    """The exponential of a standard normal; of 1,000 values the greatest is about 25."""
    return np.exp(rng.normal(size=size))


def bimodal(rng: np.random.Generator, size: Size) -> FloatArray:
    """Two normals, at -4 and at 4."""
    return either_side(np.full(size, 4.0), rng) + rng.normal(size=size)


DRAW: dict[str, Callable[[np.random.Generator, Size], FloatArray]] = {
    "normal": normal,
    "uniform": uniform,
    "log-normal": log_normal,
    "bimodal": bimodal,
}

FAR = {"normal": (6.0, 8.0), "uniform": (2.0, 3.0), "log-normal": (150, 400), "bimodal": (10, 12)}
"""Distance of the far value from 0."""


def far_out(distribution: str, rng: np.random.Generator) -> Trial:
    """A table of this distribution, with one value far out; log-normal upwards only."""
    X = DRAW[distribution](rng, (N_ROWS, N_FEATURES))
    value = rng.uniform(*FAR[distribution], size=1)
    if distribution != "log-normal":
        value = either_side(value, rng)
    return plant(X, (int(rng.integers(N_FEATURES)),), value, ordinary_row(X, rng))
