"""Hypothesis strategies for small tables with everything that makes tables odd."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pyod_aspects.tables import Column, Table


@st.composite
def tables(draw, max_rows=30, max_columns=5, min_columns=1):
    """Small tables: continuous, discrete, heavy-tailed and constant columns, equal rows."""
    n = draw(st.integers(1, max_rows))
    columns = []
    for _ in range(draw(st.integers(min_columns, max_columns))):
        kind = draw(st.sampled_from(["real", "integer", "atoms", "tail", "constant"]))
        rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        if kind == "real":
            column = draw(
                hnp.arrays(float, n, elements=st.floats(-100, 100, allow_subnormal=False, width=16))
            )
        elif kind == "integer":
            column = rng.integers(0, 4, n).astype(float)
        elif kind == "atoms":
            column = np.where(rng.random(n) < 0.8, 0.0, rng.normal(size=n))
        elif kind == "tail":
            column = np.round(rng.standard_cauchy(n), 2)
        else:
            column = np.full(n, draw(st.sampled_from([0.0, 1.5, -3.0])))
        columns.append(column)
    X = np.column_stack(columns)
    if draw(st.booleans()):  # some rows several times
        X = X[np.sort(np.random.default_rng(0).integers(0, n, n))]
    return X


@st.composite
def tables_with_points(draw, **settings):
    """A table, and points of which some are its rows, some near them and some far away."""
    X = draw(tables(**settings))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = X[rng.integers(0, len(X), 3)]
    near = rows + rng.normal(size=rows.shape) * 0.37
    far = rows + rng.normal(size=rows.shape) * 1e4
    return X, np.vstack([rows, near, far])


@st.composite
def any_tables(draw, max_rows=30, max_columns=5):
    """Small tables with missing values and categories: a `Table`, which columns are categories."""
    X = draw(tables(max_rows=max_rows, max_columns=max_columns))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns, categories = [], []
    for a in range(X.shape[1]):
        kind = draw(st.sampled_from(["number", "time", "category"]))
        if kind == "category":
            X[:, a] = np.minimum(rng.poisson(1.0, len(X)), 5)
            categories.append(a)
        X[rng.random(len(X)) < draw(st.sampled_from([0.0, 0.1, 0.5, 1.0])), a] = np.nan
        labels = tuple("abcdef") if kind == "category" else ()
        columns.append(Column(f"x{a}", kind, labels))
    return Table(X, tuple(columns), named=False), categories


@st.composite
def any_tables_with_points(draw, **settings):
    """As `any_tables`, and points: rows, rows with something missing or unheard of, and others."""
    table, categories = draw(any_tables(**settings))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = table.values[rng.integers(0, len(table.values), 6)]
    rows[2:4] = np.where(rng.random(rows[2:4].shape) < 0.4, np.nan, rows[2:4])
    moved = rows[4:] + rng.normal(size=rows[4:].shape) * [[0.4], [1e4]]
    unheard_of = np.where(rng.random(moved.shape) < 0.5, 6.0, rows[4:])
    for a in categories:
        moved[:, a] = unheard_of[:, a]
    return table, categories, np.vstack([rows[:4], moved])


def subspaces_of(n_features, size):
    """All subspaces of one size, as an array."""
    from itertools import combinations

    return np.array(list(combinations(range(n_features), size)))
