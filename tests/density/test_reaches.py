"""Reaches are the definition, whatever the column holds."""

from __future__ import annotations

import naive
import numpy as np
from hypothesis import given, settings
from numpy.testing import assert_allclose
from strategies import any_tables

from pyod_aspects.density import SGrid


@settings(max_examples=40)
@given(data=any_tables(max_rows=20, max_columns=3))
def test_reaches_and_mean_counts_are_the_definition(data):
    table, categories = data
    density = SGrid().fit(table)
    reaches = naive.reaches(table.values, "auto", categories)
    assert density.reaches().tolist() == [list(reach) for reach in reaches]
    means = [
        [np.mean(naive.counts(table.values, [a], None, r, "auto", categories)) for a, r in pairs]
        for pairs in map(enumerate, reaches)
    ]
    assert_allclose(density.mean_counts(density.reaches()), means)


def test_a_typical_row_has_the_share_nearby_with_few_rows_and_with_many():
    for n in (300, 30_000):
        X = np.random.default_rng(0).normal(size=(n, 2))
        density = SGrid().fit(X)
        shares = density.mean_counts(density.reaches())[1:] / n
        assert (shares >= np.array([0.1, 0.2, 0.35, 0.45, 0.55, 0.65])[-len(shares) :, None]).all()
        assert (shares[-1] < 0.8).all()
