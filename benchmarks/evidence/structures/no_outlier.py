"""Tables without outliers, and random rows of them to explain: for p-values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyod_aspects._util.types import FloatArray

from .base import N_FEATURES, N_ROWS, Trial
from .far_out import Size
from .mixed import frame, other_columns

N_EXPLAINED = 5
"""Rows of a table to explain."""

CORRELATION = 0.8

SIZE = (N_ROWS, N_FEATURES)


def normal(rng: np.random.Generator, size: Size = SIZE) -> FloatArray:
    """Independent normal features."""
    return rng.normal(size=size)


def correlated(rng: np.random.Generator, size: Size = SIZE) -> FloatArray:
    """Normal features, each with a correlation of 0.8 with the one before it."""
    X = normal(rng, size)
    for j in range(1, X.shape[1]):
        X[:, j] = CORRELATION * X[:, j - 1] + np.sqrt(1 - CORRELATION**2) * X[:, j]
    return X


def log_normal(rng: np.random.Generator, size: Size = SIZE) -> FloatArray:
    """Independent log-normal features."""
    return np.exp(normal(rng, size))


def mixed(rng: np.random.Generator, size: Size = SIZE) -> Any:
    """Categories, numbers, and numbers with missing values."""
    return frame(other_columns(rng, size[1], size[0]))


DRAW: dict[str, Callable[..., Any]] = {
    "normal": normal,
    "correlated": correlated,
    "log-normal": log_normal,
    "mixed": mixed,
}


def no_outlier(
    draw: Callable[[np.random.Generator], Any],
) -> Callable[[np.random.Generator], Trial]:
    """A table, and random rows of it."""

    def made(rng: np.random.Generator) -> Trial:
        rows = rng.choice(N_ROWS, N_EXPLAINED, replace=False)
        return Trial(draw(rng), {int(row): [] for row in sorted(rows)})

    return made
