"""New rows: the outlier is not in the table, or the new rows are ordinary."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyod_aspects._util.types import FloatArray

from .base import Trial

N_NEW = 5
"""Ordinary new rows of a table."""


def as_new(
    make: Callable[[np.random.Generator], Trial],
) -> Callable[[np.random.Generator], Trial]:
    """Return the same generator, but take the query out of the table."""

    def made(rng: np.random.Generator) -> Trial:
        trial = make(rng)
        [(row, subspaces)] = trial.truth.items()
        return Trial(np.delete(trial.X, row, axis=0), {0: subspaces}, new=trial.X[[row]])

    return made


def ordinary(
    draw: Callable[[np.random.Generator], FloatArray],
) -> Callable[[np.random.Generator], Trial]:
    """Draw new rows from the distribution of the table."""

    def made(rng: np.random.Generator) -> Trial:
        X = draw(rng)
        truth: dict[int, list[tuple[int, ...]]] = {row: [] for row in range(N_NEW)}
        return Trial(X, truth, new=draw(rng)[:N_NEW])

    return made
