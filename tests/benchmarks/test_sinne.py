"""SiNNE, a peer in the benchmarks: the fast sums are the definition."""

from __future__ import annotations

import doctest
from itertools import combinations

import naive
import numpy as np
import pytest
from benchmark_modules import module

from pyod_aspects.exceptions import InvalidInputError

sinne = module("evidence.sinne")


def unit(X):
    """Columns from 0 to 1."""
    return (X - X.min(axis=0)) / np.ptp(X, axis=0)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def tables(rng):
    """Continuous values, and quarters, which have many equal distances without rounding."""
    return [rng.normal(size=(40, 4)), rng.integers(0, 5, size=(40, 4)).astype(float)]


def test_examples_in_docstrings_run():
    tested = doctest.testmod(sinne)
    assert tested.attempted > 0
    assert tested.failed == 0


def test_score_is_the_definition(tables):
    for X in tables:
        balls = sinne.Balls(t=12, psi=5).fit(X)
        scaled = unit(X)
        draws = [scaled[rows] for rows in balls.drawn_]
        for k in (1, 2, 3):
            subspaces = np.array(list(combinations(range(4), k)))
            scores = sinne.isolation(balls, subspaces, X[:6])
            expected = [[-naive.sinne(draws, s, point) for point in scaled[:6]] for s in subspaces]
            np.testing.assert_allclose(scores, expected, atol=1e-12)


def test_density_is_one_line_of_near(tables):
    balls = sinne.Balls(t=20).fit(tables[0])
    near = balls.near(np.array([[0, 1], [0, 2], [1, 3]]), tables[0])
    for subspace, shares in zip([(0, 1), (0, 2), (1, 3)], near, strict=True):
        np.testing.assert_array_equal(balls.density(subspace), shares)


def test_draws_have_no_row_twice_and_are_the_same_again(tables):
    one, again = (sinne.Balls(t=30, psi=8).fit(tables[0]).drawn_ for _ in range(2))
    np.testing.assert_array_equal(one, again)
    assert one.shape == (30, 8)
    assert all(len(set(rows)) == 8 for rows in one.tolist())


def test_scale_and_order_of_columns_do_not_matter(tables):
    X = tables[0]
    plain = sinne.Balls().fit(X).density((0, 2))
    np.testing.assert_array_equal(sinne.Balls().fit(X * [1, 1, 1024, 1]).density((0, 2)), plain)
    np.testing.assert_array_equal(sinne.Balls().fit(X[:, ::-1]).density((1, 3)), plain)


def test_a_constant_column_isolates_nobody_and_changes_nothing(tables):
    X = np.column_stack([tables[0], np.ones(40)])
    balls = sinne.Balls().fit(X)
    np.testing.assert_array_equal(balls.density((4,)), 1.0)
    np.testing.assert_array_equal(balls.density((0, 4)), balls.density((0,)))


def test_the_miner_names_the_pair_that_isolates_the_row(rng):
    X = rng.normal(size=(300, 4))
    X[:, 1] = X[:, 0] + 0.05 * rng.normal(size=300)
    X[7, :2] = 1.5, -1.5
    [aspects] = sinne.sinne().fit(X).mine(X[[7]])
    assert aspects[0].subspace == (0, 1)
    assert -1 <= aspects[0].score < 0


def test_categories_and_missing_values_are_refused():
    with pytest.raises(InvalidInputError, match="missing values"):
        sinne.sinne().fit([[1.0, np.nan], [2.0, 3.0]])
