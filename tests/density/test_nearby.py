"""A density tells pictures what is near a point, in agreement with what it counts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pyod_aspects.density import KDE, Density, Grid, SGrid
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.tables import read_table


class Own(Density):
    """The same everywhere, and nothing is near to anything."""

    def _fit(self, values):
        self.values = values

    def density(self, subspace, points=None):
        return np.ones(len(self.values if points is None else points))


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(300, 2))
    values[::3, 0] = 0.25  # a bin of its own, between the edges of others
    values[::7, 1] = np.nan
    colours = rng.choice(["red", "green", "blue"], size=300)
    return read_table(pd.DataFrame({"a": values[:, 0], "b": values[:, 1], "colour": colours}))


@pytest.mark.parametrize("density", [Grid(), SGrid(), SGrid(bins="fd")])
@pytest.mark.parametrize("subspace", [(0,), (1,), (2,), (0, 1), (0, 1, 2)])
def test_the_nearby_rows_of_a_grid_are_those_that_it_counts(density, subspace, table):
    density.fit(table)
    for row in (0, 1, 7, 42):
        near = density.nearby_rows(subspace, table.values[row], table.values)
        assert near[row]
        assert near.sum() == density.density(subspace, table.values[[row]])[0]


def test_the_nearby_rows_of_a_kernel_lie_within_a_bandwidth(table):
    density = KDE(bandwidth=0.5).fit(table)
    point = table.values[1]
    near = density.nearby_rows((0,), point, table.values)
    assert near.tolist() == (np.abs(table.values[:, 0] - point[0]) < 0.5).tolist()
    missing = density.nearby_rows((1,), table.values[7], table.values)
    assert missing.tolist() == np.isnan(table.values[:, 1]).tolist()


@pytest.mark.parametrize("density", [Grid(), SGrid(), SGrid(bins="fd")])
@pytest.mark.parametrize("reach", [0, 3, np.array([0, 5, 1]), 2**20 - 1])
def test_the_nearby_rows_of_a_grid_at_any_reach_are_those_that_it_counts(density, reach, table):
    density.fit(table)
    for subspace in [(0,), (1,), (0, 1), (0, 1, 2)]:
        for row in (0, 1, 7, 42):
            point = table.values[row]
            near = density.nearby_rows(subspace, point, table.values, reach)
            assert near.sum() == density.near([subspace], point[None], reach)[0, 0]


@pytest.mark.parametrize("density", [Grid(), SGrid(), SGrid(bins="fd"), KDE()])
@pytest.mark.parametrize("reach", [None, 0, 3, np.array([0, 5, 1]), 2**20 - 1])
def test_fitted_rows_are_near_by_their_codes_as_by_their_values(density, reach, table):
    density.fit(table)
    points = np.vstack([table.values[:9], [[9.0, 9.0, 5.0]], [[-0.1, np.nan, np.nan]]])
    picked = np.array([3, 250, 7, 7])
    for subspace in [(0,), (1,), (2,), (0, 1), (0, 1, 2)]:
        for point in points:
            near = density.nearby_rows(subspace, point, table.values, reach)
            fitted = density.nearby_fitted(subspace, point, table.values, reach)
            some = density.nearby_fitted(subspace, point, table.values, reach, picked)
            assert fitted.tolist() == near.tolist()
            assert some.tolist() == near[picked].tolist()


@pytest.mark.parametrize("density", [Grid(), SGrid(), SGrid(bins="fd"), KDE()])
@pytest.mark.parametrize("reach", [0, 1, 3, 2**20 - 1])
def test_neighbours_among_the_fitted_rows_are_the_nearby_rows(density, reach, table):
    density.fit(table)
    sample = np.array([3, 7, 42, 250])
    rows, some = (density.fitted_rows(table.values, chosen) for chosen in (None, sample))
    points = np.vstack([table.values[:9], [[9.0, 9.0, 5.0]], [[-0.1, np.nan, np.nan]]])
    for point in points:
        neighbours, sampled = rows.neighbours(point), some.neighbours(point)
        for features in [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)]:
            near = density.nearby_rows(features, point, table.values, reach)
            for found in (neighbours, sampled):
                assert found.in_all(features, reach).tolist() == np.flatnonzero(near).tolist()
            if len(features) == 1:
                assert neighbours.in_one(features[0], reach).tolist() == near.tolist()
                assert sampled.in_one(features[0], reach).tolist() == near[sample].tolist()


def test_a_reach_widens_the_neighbourhood_of_a_kernel_but_not_of_a_category(table):
    density = KDE(bandwidth=0.5).fit(table)
    point = table.values[1]
    near = density.nearby_rows((0,), point, table.values, 3)
    assert near.tolist() == (np.abs(table.values[:, 0] - point[0]) < 1.5).tolist()
    same = density.nearby_rows((2,), point, table.values, 3)
    assert same.tolist() == (table.values[:, 2] == point[2]).tolist()


def test_a_reach_widens_the_box_by_whole_bins():
    X = np.column_stack([np.linspace(0.0, 8.0, 50)] * 2)
    density = SGrid(bins=4).fit(X)
    low, high = density.neighbourhood([[4.5, 4.5]], np.array([0, 1]))
    assert low.tolist() == [[4.0, 2.0]]
    assert high.tolist() == [[6.0, 8.0]]


@pytest.mark.parametrize("density", [SGrid(), KDE()])
def test_a_reach_that_is_no_number_of_steps_is_refused(density, table):
    density.fit(table)
    for reach in (-1, 0.5, [1, 2]):
        with pytest.raises(InvalidInputError, match="expected a whole number from 0 to"):
            density.neighbourhood(table.values[:1], reach)
        with pytest.raises(InvalidInputError, match="expected a whole number from 0 to"):
            density.nearby_rows((0,), table.values[0], table.values, reach)


def test_no_row_is_near_in_a_column_in_which_all_others_are_missing():
    X = np.array([[np.nan, 1.0], [np.nan, 2.0]])
    density = KDE().fit(X)
    assert not density.nearby_rows((0,), np.array([3.0, 1.0]), X).any()


@pytest.mark.parametrize(("density", "bins"), [(Grid(bins=4), 1), (SGrid(bins=4), 3)])
def test_a_neighbourhood_spans_whole_bins(density, bins):
    X = np.linspace(0.0, 8.0, 50)[:, None]
    density.fit(X)
    low, high = density.neighbourhood([[4.5]])
    assert density.bin_width([[4.5]]).tolist() == [[2.0]]
    assert (high - low).tolist() == [[2.0 * bins]]


def test_a_density_of_your_own_needs_no_neighbourhood():
    X = np.array([[1.0, 2.0], [1.0, 3.0], [4.0, 2.0]])
    density = Own().fit(X)
    assert density.neighbourhood(X) is None
    assert density.bin_width(X) is None
    assert density.nearby_rows((0,), X[0], X).tolist() == [True, True, False]
