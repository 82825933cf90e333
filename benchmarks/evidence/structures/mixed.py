"""Tables with categories, numbers and missing values.

A rare category given another: both are common, but only the query has both. Missing given another
feature: a value is often missing, but never with a certain category, or never with high values of
another feature, except in the query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .base import N_FEATURES, N_ROWS, Trial

if TYPE_CHECKING:
    import pandas as pd

LEVELS = np.array(["red", "green", "blue", "grey"])

MISSING = 0.3
"""Share of missing values, in rows that may have them."""


def rare_category(rng: np.random.Generator) -> Trial:
    """Two categories with four levels each; one of the sixteen combinations is the query's."""
    row, a, b = _row(rng), *rng.choice(LEVELS, 2)
    one, other = _levels(rng), _levels(rng)
    while (never := (one == a) & (other == b)).any():
        other[never] = _levels(rng)[never]
    one[row], other[row] = a, b
    return _table(one, other, row, rng)


def missing_given_category(rng: np.random.Generator) -> Trial:
    """A number is missing in none of the rows of a certain category, and in 30 % of the others."""
    row, level = _row(rng), rng.choice(LEVELS)
    category = _levels(rng)
    number = _numbers(rng)
    number[(rng.random(N_ROWS) < MISSING) & (category != level)] = np.nan
    category[row], number[row] = level, np.nan
    return _table(category, number, row, rng)


def missing_given_range(rng: np.random.Generator) -> Trial:
    """A number is missing in 30 % of the rows where another is below 0, and in none elsewhere."""
    row = _row(rng)
    one, number = _numbers(rng), _numbers(rng)
    number[(rng.random(N_ROWS) < MISSING) & (one < 0)] = np.nan
    one[row], number[row] = rng.uniform(0.5, 1.5), np.nan
    return _table(one, number, row, rng)


def _row(rng: np.random.Generator) -> int:
    return int(rng.integers(N_ROWS))


def _levels(rng: np.random.Generator, n_rows: int = N_ROWS) -> Any:
    """A category; its rarest level has a sixth of the rows."""
    return rng.choice(LEVELS, n_rows, p=[1 / 3, 1 / 4, 1 / 4, 1 / 6]).astype(object)


def _numbers(rng: np.random.Generator, n_rows: int = N_ROWS) -> Any:
    return rng.normal(size=n_rows)


def other_columns(rng: np.random.Generator, n: int, n_rows: int = N_ROWS) -> list[Any]:
    """Independent columns: categories, numbers, and numbers with missing values in turn."""
    columns = []
    for i in range(n):
        column = (_numbers if i % 3 else _levels)(rng, n_rows)
        if i % 3 == 2:
            column[rng.random(n_rows) < MISSING] = np.nan
        columns.append(column)
    return columns


def frame(columns: list[Any]) -> pd.DataFrame:
    """Columns as a DataFrame, named by their number."""
    import pandas as pd

    return pd.DataFrame({f"f{j}": column for j, column in enumerate(columns)})


def _table(one: Any, other: Any, row: int, rng: np.random.Generator) -> Trial:
    """Put two columns at random places among others, in which the row is ordinary."""
    columns = other_columns(rng, N_FEATURES - 2)
    for column in columns:
        if column.dtype != object:
            column[row] = rng.uniform(-1.0, 1.0)
    a, b = np.sort(rng.choice(N_FEATURES, 2, replace=False)).tolist()
    columns.insert(a, one)
    columns.insert(b, other)
    return Trial(frame(columns), {row: [(a, b)]})
