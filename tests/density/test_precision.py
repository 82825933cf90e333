"""Columns whose values are too large, for how close together they are, to be told apart easily."""

from __future__ import annotations

import warnings

import naive
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pyod_aspects import SGBeam
from pyod_aspects.density import Grid, SGrid
from pyod_aspects.exceptions import PrecisionWarning

EPOCH = 1_700_000_000.0
STEP = np.spacing(EPOCH)


@pytest.mark.parametrize(("density", "reach"), [(Grid, 0), (SGrid, 1)])
def test_counts_of_seconds_since_1970_with_microseconds_are_the_definition(density, reach):
    rng = np.random.default_rng(0)
    X = np.column_stack([EPOCH + 1e-6 * rng.integers(0, 100, 150), rng.normal(size=150)])
    points = X[:9] + np.array([3e-6, 0.1])
    fitted = density().fit(X)
    for subspace in [(0,), (0, 1)]:
        assert fitted.density(subspace).tolist() == naive.counts(X, subspace, reach=reach)
        want = naive.counts(X, subspace, points, reach=reach)
        assert fitted.density(subspace, points).tolist() == want
    near = fitted.nearby_rows((0,), X[3], X)
    assert near.sum() == fitted.density((0,))[3]
    low, high = fitted.neighbourhood(X)
    assert (low[:, 0] <= X[:, 0]).all()
    assert (X[:, 0] <= high[:, 0]).all()


def test_widths_of_bins_are_not_rounded_to_the_steps_of_large_values():
    column = 1e-5 * np.random.default_rng(0).random(1000)
    small = SGrid(bins="fd").fit((column - np.median(column))[:, None])
    large = SGrid(bins="fd").fit(EPOCH + column[:, None])
    assert_allclose(large.bin_width([[EPOCH]]), small.bin_width([[0.0]]), rtol=0.15)
    median = EPOCH + np.median(column)
    assert_allclose(large.score_samples([[median]]), small.score_samples([[0.0]]), atol=0.3)


def test_a_row_apart_by_microseconds_is_found():
    rng = np.random.default_rng(0)
    X = np.column_stack([EPOCH + 1e-6 * rng.integers(0, 10, 300), rng.normal(size=300)])
    X[7, 0] = EPOCH + 16e-6
    assert SGBeam(max_dim=1).fit(X).mine(X[[7]])[0][0].subspace == (0,)
    assert SGrid().fit(X).density((0,))[7] == 1


def test_a_rule_that_wants_narrower_bins_than_there_are_values_warns_once_and_names_the_column():
    import pandas as pd

    n = 3000
    ticks = STEP * np.random.default_rng(0).integers(0, 9, (n, 2))
    frame = pd.DataFrame(EPOCH + ticks, columns=["sent", "got"]).assign(size=np.arange(n) / 7)
    message = (
        r"^column 'sent' and 1 more: bins='fd' asks for narrower bins than float64 tells values "
        r"apart \(near 1\.7e\+09 they are 2\.4e-07 apart\), so bins are wider: subtract .*\.$"
    )
    with pytest.warns(PrecisionWarning, match=message) as warned:
        density = SGrid(bins="fd").fit(frame)
    assert len(warned) == 1
    assert warned[0].filename == __file__
    codes = np.round((frame["sent"] - EPOCH) / STEP)
    assert_array_equal(density.density((0,)), [(np.abs(codes - c) <= 1).sum() for c in codes])


def test_ordinary_columns_do_not_warn():
    rng = np.random.default_rng(0)
    columns = [
        rng.normal(size=500),
        rng.standard_cauchy(500),
        rng.integers(0, 3, 500),
        np.ones(500),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for bins in ("auto", "fd", "scott", "sturges", 50):
            Grid(bins).fit(np.column_stack([*columns, np.ones(500), EPOCH + rng.random(500)]))
