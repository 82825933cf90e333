"""`near` is the density at points alone, for a whole level of subspaces."""

from __future__ import annotations

import naive
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pyod_aspects.density import KDE, Density, Grid, PairwiseKDE, SGrid
from pyod_aspects.exceptions import InvalidInputError, NotFittedError

LEVELS = [
    np.arange(5)[:, None],
    np.array([(a, b) for a in range(5) for b in range(a + 1, 5)]),
    np.array([(0, 1, 2), (0, 1, 4), (1, 2, 3), (2, 3, 4)]),
]


class Distance(Density):
    """A density of a user's own, with the two methods that it needs: high near the mean row."""

    def _fit(self, values):
        self.rows = values

    def density(self, subspace, points=None):
        columns = list(subspace)
        points = self.rows if points is None else points
        apart = points[:, columns] - self.rows[:, columns].mean(axis=0)
        return 1.0 / (1.0 + np.abs(apart).sum(axis=1))


DENSITIES = [Grid, SGrid, KDE, PairwiseKDE, Distance]


@pytest.fixture(scope="module")
def X():
    X = np.random.default_rng(0).normal(size=(200, 5))
    X[:, 1] = X[:, 1].round()  # few values
    X[50:80] = X[:30]  # equal rows
    X[:, 3] = 7.0  # constant
    return X


@pytest.fixture
def points(X):
    return np.vstack([X[:4], X[:2] + 0.3, np.full((1, 5), 99.0)])


@pytest.mark.parametrize("Density", DENSITIES)
@pytest.mark.parametrize("level", LEVELS, ids=["one", "two", "three"])
def test_near_is_what_moments_has_at_the_points_to_the_last_bit(Density, level, X, points):
    near = Density().fit(X).near(level, points)
    assert near.shape == (len(level), len(points))
    assert_array_equal(near, Density().fit(X).moments(level, points)[0])


@pytest.mark.parametrize("Density", DENSITIES)
def test_near_is_the_density_of_each_subspace(Density, X, points):
    density = Density().fit(X)
    want = [density.density(subspace, points) for subspace in LEVELS[2]]
    rtol = 1e-9 if issubclass(Density, KDE) else 0.0  # the last digits of kernels are cut off
    np.testing.assert_allclose(density.near(LEVELS[2], points), want, rtol=rtol)


@pytest.mark.parametrize("Density", DENSITIES)
@pytest.mark.parametrize("ask", ["near", "moments"])
def test_ticks_grow_to_the_number_of_subspaces_and_an_exception_ends_the_work(
    Density, ask, X, points
):
    density, ticks = Density().fit(X), []
    getattr(density, ask)(LEVELS[1], points, tick=ticks.append)
    assert ticks == sorted(ticks)
    assert ticks[-1] == len(LEVELS[1])

    def stop(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        getattr(Density().fit(X), ask)(LEVELS[1], points, tick=stop)


@pytest.mark.parametrize("Density", [KDE, PairwiseKDE, Distance])
def test_a_reach_is_for_grids_only(Density, X):
    message = f"reach=1: {Density.__name__} has no bins, only Grid and SGrid take a reach."
    with pytest.raises(InvalidInputError) as raised:
        Density().fit(X).near([(0, 1)], X[:1], reach=1)
    assert str(raised.value) == message


@pytest.mark.parametrize("reach", [0, 1, 2])
def test_the_reach_of_a_grid_is_bins_to_each_side(reach, X, points):
    near = Grid(bins="fd").fit(X).near(LEVELS[2], points, reach)
    for counts, subspace in zip(near, LEVELS[2], strict=True):
        assert_array_equal(counts, naive.counts(X, subspace, points, reach, bins="fd"))


def test_columns_may_have_reaches_of_their_own(X, points):
    grid, reach = Grid(bins="fd").fit(X), np.array([0, 1, 0, 0, 2])
    near = grid.near([(0, 1, 4)], points, reach)[0]
    each = [
        [set(np.flatnonzero(row)) for row in _rows_near(grid, X, points, a, int(reach[a]))]
        for a in (0, 1, 4)
    ]
    assert near.tolist() == [len(a & b & c) for a, b, c in zip(*each, strict=True)]


def _rows_near(grid, X, points, a, reach):
    """Rows within some bins of each point in one column."""
    bins_of_rows, bins_of_points = grid.cuts_[a].index(X[:, a]), grid.cuts_[a].index(points[:, a])
    return np.abs(bins_of_rows - bins_of_points[:, None]) <= reach


@pytest.mark.parametrize("Density", DENSITIES)
def test_wrong_questions_are_refused(Density, X):
    with pytest.raises(NotFittedError, match="call fit"):
        Density().near([(0,)], X[:1])
    density = Density().fit(X)
    with pytest.raises(InvalidInputError, match="expected \\(m, k\\)"):
        density.near([0, 1], X[:1])
    with pytest.raises(InvalidInputError, match="attributes go from 0 to 4"):
        density.near([(0, 5)], X[:1])
    with pytest.raises(InvalidInputError, match="points have 2 columns"):
        density.near([(0,)], X[:1, :2])


@pytest.mark.parametrize("Density", DENSITIES)
def test_no_points_and_no_subspaces_have_no_densities(Density, X):
    density = Density().fit(X)
    assert density.near(LEVELS[1], X[:0]).shape == (10, 0)
    assert density.near(np.empty((0, 2), dtype=int), X[:3]).shape == (0, 3)
