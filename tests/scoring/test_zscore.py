"""Z-scores are the definition."""

from __future__ import annotations

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose
from strategies import subspaces_of, tables_with_points

from pyod_aspects.density import KDE, Grid, SGrid
from pyod_aspects.scoring import ZScore, zscore


@pytest.mark.parametrize("Density", [Grid, SGrid])
@given(data=tables_with_points(max_columns=3))
def test_zscore_on_grids_is_the_definition_to_the_last_bit(Density, data):
    X, points = data
    density = Density().fit(X)
    for size in range(1, X.shape[1] + 1):
        subspaces = subspaces_of(X.shape[1], size)
        scores = zscore(density, subspaces, points)
        for i, s in enumerate(subspaces):
            for q, point in enumerate(points):
                assert scores[i, q] == naive.zscore_grid(X, s, point, Density.reach)


@settings(max_examples=30)
@given(data=tables_with_points(max_rows=15, max_columns=3))
def test_zscore_on_kde_is_the_definition(data):
    X, points = data
    density = KDE().fit(X)
    subspaces = subspaces_of(X.shape[1], X.shape[1])
    want = [[naive.zscore_kde(X, s, point) for point in points] for s in subspaces]
    assert_allclose(zscore(density, subspaces, points), want, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("Density", [Grid, SGrid, KDE])
def test_zscore_is_zero_where_all_rows_are_equally_dense(Density):
    assert zscore(Density().fit(np.ones((5, 2))), [(0, 1)], np.ones((1, 2)))[0, 0] == 0.0


@pytest.mark.parametrize("Density", [Grid, SGrid, KDE])
def test_zscores_come_with_the_moments_that_they_are_made_of(Density):
    X = np.random.default_rng(0).normal(size=(50, 3))
    density, pairs = Density().fit(X), subspaces_of(3, 2)
    got = ZScore(density, X[:4]).evaluate(pairs)
    np.testing.assert_array_equal(got.scores, zscore(density, pairs, X[:4]))
    for figure, moment in zip(got[1:4], density.moments(pairs, X[:4]), strict=True):
        np.testing.assert_array_equal(figure, moment)
