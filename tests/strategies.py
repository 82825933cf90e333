"""Hypothesis strategies for small tables with everything that makes tables odd."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp


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


def subspaces_of(n_features, size):
    """All subspaces of one size, as an array."""
    from itertools import combinations

    return np.array(list(combinations(range(n_features), size)))
