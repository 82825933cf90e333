"""Densities are the paper's definitions."""

from __future__ import annotations

import naive
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.neighbors import KernelDensity
from strategies import any_tables_with_points, subspaces_of, tables, tables_with_points

from pyod_aspects.density import KDE, Grid, PairwiseKDE, SGrid
from pyod_aspects.density.base import first_of_equals
from pyod_aspects.exceptions import InvalidInputError, NotFittedError, TooLargeError

DENSITIES = [Grid, SGrid, KDE, PairwiseKDE]


def expected(Density, X, subspace, points=None, categories=()):
    if issubclass(Density, KDE):
        return naive.kde(X, subspace, points, categories)
    return naive.counts(X, subspace, points, Density.reach, categories=categories)


@pytest.mark.parametrize("Density", DENSITIES)
@given(data=tables_with_points(max_columns=3), size=st.integers(1, 3))
def test_density_is_the_definition(Density, data, size):
    X, points = data
    density = Density().fit(X)
    for subspace in subspaces_of(X.shape[1], min(size, X.shape[1])):
        assert_allclose(density.density(subspace), expected(Density, X, subspace))
        assert_allclose(density.density(subspace, points), expected(Density, X, subspace, points))


@pytest.mark.parametrize("Density", DENSITIES)
@settings(max_examples=50)
@given(data=any_tables_with_points(max_columns=3, max_rows=15), size=st.integers(1, 3))
def test_density_with_categories_and_missing_values_is_the_definition(Density, data, size):
    table, categories, points = data
    X, density = table.values, Density().fit(table)
    for subspace in subspaces_of(X.shape[1], min(size, X.shape[1])):
        want = expected(Density, X, subspace, None, categories)
        assert_allclose(density.density(subspace), want)
        want = expected(Density, X, subspace, points, categories)
        assert_allclose(density.density(subspace, points), want, atol=1e-300)


@pytest.mark.parametrize("Density", [KDE, PairwiseKDE])
@settings(max_examples=30)
@given(data=any_tables_with_points(max_rows=15, max_columns=4))
def test_moments_of_kde_are_the_definition(Density, data):
    table, categories, points = data
    X, density = table.values, Density().fit(table)
    for size in range(1, X.shape[1] + 1):
        subspaces = subspaces_of(X.shape[1], size)
        at_points, mean, std = density.moments(subspaces, points)
        for i, subspace in enumerate(subspaces):
            everywhere = np.array(naive.kde(X, subspace, None, categories))
            assert_allclose(mean[i], everywhere.mean())
            assert_allclose(std[i], everywhere.std(), atol=1e-9 * mean[i])
            here = naive.kde(X, subspace, points, categories)
            assert_allclose(at_points[i], here, atol=1e-300)


@given(X=tables(max_columns=4))
def test_counts_lie_between_one_and_all_rows_and_fall_with_every_attribute(X):
    grid, sgrid = Grid().fit(X), SGrid().fit(X)
    wider = None
    for k in range(1, X.shape[1] + 1):
        inner, outer = grid.density(range(k)), sgrid.density(range(k))
        assert (inner >= 1).all()
        assert (inner <= outer).all()
        assert (outer <= len(X)).all()
        if wider is not None:
            assert (inner <= wider[0]).all()
            assert (outer <= wider[1]).all()
        wider = inner, outer


@pytest.mark.parametrize("Density", DENSITIES)
@given(X=tables(max_columns=4, min_columns=2))
def test_permuted_columns_permute_subspaces(Density, X):
    back = Density().fit(X[:, ::-1])
    last = X.shape[1] - 1
    assert_allclose(Density().fit(X).density((0, 1)), back.density((last - 1, last)))


def test_points_outside_the_range_are_outside_the_grid():
    X = np.arange(10.0)[:, None]
    assert SGrid(bins=10).fit(X).density((0,), [[9.5], [10.5], [-0.5], [-99.0]]).tolist() == [
        1,
        0,
        1,
        0,
    ]
    assert Grid(bins=10).fit(X).density((0,), [[9.5], [-0.5], [9.0]]).tolist() == [0, 0, 1]


def test_equal_columns_are_found_however_late_others_differ():
    columns = np.random.default_rng(0).integers(0, 3, (6, 5000))
    columns[2:] = columns[0]
    columns[3, -1] += 1
    assert first_of_equals(columns) == {2: 0, 4: 0, 5: 0}


@pytest.mark.parametrize("Density", [Grid, SGrid])
def test_score_samples_integrates_to_one(Density):
    X = np.random.default_rng(1).normal(size=(200, 1))
    grid = np.linspace(-8, 8, 20_001)[:, None]
    total = np.exp(Density().fit(X).score_samples(grid)).sum() * 16 / 20_000
    assert total == pytest.approx(1.0, abs=0.005)


@pytest.mark.parametrize("Density", DENSITIES)
def test_shares_of_categories_and_of_missing_values_are_their_densities(Density):
    X = pd.DataFrame({"colour": ["red", "red", "blue", None]})
    log_density = Density().fit(X).score_samples(X)
    assert_allclose(np.exp(log_density), [0.5, 0.5, 0.25, 0.25])
    assert Density().fit(X).score_samples(pd.DataFrame({"colour": ["green"]})) == [-np.inf]


def test_kde_score_samples_is_scikit_learns():
    X = np.random.default_rng(1).normal(size=(100, 3))
    points = np.random.default_rng(2).normal(size=(7, 3))
    ours = KDE(bandwidth=0.4).fit(X).score_samples(points)
    assert_allclose(ours, KernelDensity(bandwidth=0.4, rtol=1e-10).fit(X).score_samples(points))


def test_kde_score_samples_far_away_is_scikit_learns():
    X = np.random.default_rng(1).normal(size=(50, 2))
    far = [[40.0, 40.0], [-300.0, 2.0]]
    ours = KDE(bandwidth=0.4).fit(X).score_samples(far)
    assert_allclose(ours, KernelDensity(bandwidth=0.4, rtol=1e-10).fit(X).score_samples(far))


def test_a_neighbourhood_of_two_bins_ends_where_it_should():
    class Wide(Grid):
        reach = 2

    wide = Wide(bins=10).fit(np.arange(10.0)[:, None])
    assert wide.density((0,), [[4.0], [9.5], [11.5], [1000.0]]).tolist() == [5, 2, 0, 0]


def test_sgrid_replaces_kernel_density_and_ranks_alike():
    X = np.random.default_rng(1).normal(size=(2000, 2))
    points = np.random.default_rng(2).normal(size=(300, 2))
    truth = KernelDensity(bandwidth=0.3).fit(X).score_samples(points)
    ours = SGrid().fit(X).score_samples(points)
    seen = np.isfinite(ours)
    assert seen.mean() > 0.95
    assert np.corrcoef(ours[seen], truth[seen])[0, 1] > 0.9


def test_score_samples_is_minus_infinity_where_no_row_is_near():
    assert SGrid().fit([[0.0], [1.0], [2.0]]).score_samples([[1e6]])[0] == -np.inf


@pytest.mark.parametrize("Density", DENSITIES)
class TestContract:
    def test_input_is_not_changed(self, Density):
        X = np.random.default_rng(0).normal(size=(20, 3))
        X.flags.writeable = False
        density = Density().fit(X)
        density.density((0, 1))
        density.moments([(0, 1)], X[:2])

    def test_same_result_twice_and_after_clone(self, Density):
        X = np.random.default_rng(0).normal(size=(20, 3))
        first = Density().fit(X)
        again = clone(first).fit(np.asfortranarray(X))
        for a, b in zip(first.moments([(0, 2)], X), again.moments([(0, 2)], X), strict=True):
            assert_array_equal(a, b)

    def test_unfitted_says_so(self, Density):
        with pytest.raises(NotFittedError, match="call fit"):
            Density().density((0,))
        with pytest.raises(NotFittedError, match="call fit"):
            Density().moments([(0,)], [[0.0]])
        with pytest.raises(NotFittedError, match="call fit"):
            Density().score_samples([[0.0]])

    def test_wrong_subspaces_and_points_are_refused(self, Density):
        density = Density().fit(np.eye(3))
        for subspace in [(), (0, 0), (3,), (-1,)]:
            with pytest.raises(InvalidInputError, match="subspace"):
                density.density(subspace)
        with pytest.raises(InvalidInputError, match="shape"):
            density.moments([0, 1], np.eye(3))
        with pytest.raises(InvalidInputError, match="attributes go from 0 to 2"):
            density.moments([(0, 3)], np.eye(3))
        with pytest.raises(InvalidInputError, match=r"subspace \(1, 1\): expected different"):
            density.moments([(0, 2), (1, 1)], np.eye(3))
        with pytest.raises(InvalidInputError, match="points have 2 columns"):
            density.density((0,), [[1.0, 2.0]])

    def test_no_points_have_no_densities(self, Density):
        X = np.random.default_rng(0).normal(size=(20, 3))
        at_points, mean, std = Density().fit(X).moments([(0, 2), (0, 1)], X[:0])
        assert at_points.shape == (2, 0)
        for a, b in zip(
            (mean, std), Density().fit(X).moments([(0, 2), (0, 1)], X)[1:], strict=True
        ):
            assert_array_equal(a, b)

    def test_one_row_and_constant_columns(self, Density):
        for X in (np.ones((1, 2)), np.ones((4, 2))):
            at_points, mean, std = Density().fit(X).moments([(0, 1)], X)
            assert_array_equal(at_points[0], mean[0])
            assert std[0] == 0.0


def test_wrong_bandwidth_is_refused():
    for bandwidth in ("silverman", -1.0, 0, np.nan):
        with pytest.raises(InvalidInputError, match="bandwidth"):
            KDE(bandwidth=bandwidth).fit(np.eye(3))


def test_pairwise_store_that_does_not_fit_is_refused_with_its_size():
    X = np.zeros((2000, 10))
    with pytest.raises(TooLargeError, match=r"2,000 rows x 10 columns need 0\.2 GiB.*SGBeam"):
        PairwiseKDE(memory_limit=1000).fit(X)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 5.0])
@settings(max_examples=40)
@given(
    data=any_tables_with_points(max_rows=20, max_columns=3),
    limit=st.sampled_from([1, 2, 4, np.inf]),
)
def test_bounded_ranks_are_exact_up_to_their_limit(alpha, data, limit):
    table, categories, points = data
    X, density = table.values, PairwiseKDE(alpha=alpha).fit(table)
    for size in range(1, X.shape[1] + 1):
        subspaces = subspaces_of(X.shape[1], size)
        limits = np.full((len(subspaces), len(points)), float(limit))
        got = density.ranks(subspaces, density.kernels_of(points), limits)
        for i, subspace in enumerate(subspaces):
            everywhere = naive.kde(X, subspace, None, categories)
            for q, point in enumerate(points):
                here = naive.kde_with_itself(X, subspace, point, categories)
                want = naive.rank(everywhere, here)
                assert got[i, q] == want if want <= limit else got[i, q] > limit


@pytest.mark.parametrize("Density", [Grid, SGrid, KDE])
def test_the_neighbourhood_of_a_category_is_its_place_and_a_missing_value_has_none(Density):
    X = pd.DataFrame({"a": ["x", "y", None, "y"], "b": [0.0, 0.0, 1.0, None]})
    low, high = Density().fit(X).neighbourhood(X)
    assert_array_equal(low[:, 0], [-0.5, 0.5, np.nan, 0.5])
    assert_array_equal(high[:, 0], [0.5, 1.5, np.nan, 1.5])
    assert_array_equal(np.isnan(low[:, 1]), [False, False, False, True])


@pytest.mark.parametrize("density", [Grid(bins=5), SGrid(bins=5), SGrid(), Grid("fd")])
def test_the_neighbourhood_holds_the_rows_that_are_counted(density):
    X = np.random.default_rng(0).standard_t(2, size=(200, 3))
    points = X[:20]
    low, high = density.fit(X).neighbourhood(points)
    for point, its_low, its_high in zip(points, low, high, strict=True):
        # The last bin of a column includes its upper edge.
        beyond = np.where(np.isclose(its_high, X.max(axis=0)), np.inf, its_high)
        near = ((its_low <= X) & (beyond > X)).all(axis=1)
        assert density.density((0, 1, 2), [point]) == near.sum()
