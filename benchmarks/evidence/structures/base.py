"""The type of a structure, and the building blocks of generators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from pyod_aspects._util.types import FloatArray, Subspace

N_ROWS, N_FEATURES, N_TABLES = 1_000, 10, 20

SEED = 0


@dataclass(frozen=True, eq=False)
class Trial:
    """A table, and the rows to explain with their true subspaces.

    `truth` has row numbers of `new` if there are new rows, of `X` otherwise. A row without true
    subspaces is ordinary: there is nothing to find.
    """

    X: Any
    truth: dict[int, list[Subspace]]
    new: Any = None


@dataclass(frozen=True)
class Structure:
    """A kind of outlier, with a generator of tables."""

    title: str
    make: Callable[[np.random.Generator], Trial]
    n_tables: int = N_TABLES
    n_rows: int = N_ROWS
    ordinary: bool = False
    """Whether there is nothing to find."""
    mixed: bool = False
    """Whether tables have categories or missing values."""

    def trial(self, name: str, number: int) -> Trial:
        """Return one of the tables; the same name and number give the same one."""
        return self.make(np.random.default_rng([SEED, crc32(name.encode()), number]))


def place(
    block: FloatArray, others: FloatArray, rng: np.random.Generator
) -> tuple[FloatArray, Subspace]:
    """Put the columns of a block at random places among the others; return the places too."""
    n_features = block.shape[1] + others.shape[1]
    places = np.sort(rng.choice(n_features, block.shape[1], replace=False))
    X = np.empty((len(block), n_features))
    X[:, places] = block
    X[:, np.setdiff1d(np.arange(n_features), places)] = others
    return X, tuple(places.tolist())


def ordinary_row(X: FloatArray, rng: np.random.Generator) -> int:
    """A random row among those within the middle 90 % of every feature."""
    low, high = np.quantile(X, [0.05, 0.95], axis=0)
    return int(rng.choice(np.flatnonzero(((low <= X) & (high >= X)).all(axis=1))))


def plant(
    X: FloatArray, subspace: Subspace, values: Sequence[float] | FloatArray, row: int
) -> Trial:
    """Write values into a row and so make it an outlier."""
    X[row, subspace] = values
    return Trial(X, {row: [subspace]})


def either_side(values: FloatArray, rng: np.random.Generator) -> FloatArray:
    """The same values with random signs."""
    signs: FloatArray = rng.choice([-1.0, 1.0], values.shape)
    return values * signs
