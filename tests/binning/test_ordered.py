"""Columns answer questions about their sorted values as if they had been sorted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from strategies import tables

from pyod_aspects.binning.ordered import Counted, OnSteps, Plain, deviation

rng = np.random.default_rng(0)
LONG = {
    "bell": rng.normal(size=5000),
    "tail": rng.standard_cauchy(5001),
    "far": np.concatenate([rng.normal(size=5000), [1e200]]),
    "tiny": 1e-310 * rng.integers(0, 9, 4000),
    "overflow": np.repeat([-1.5e308, 0.0, 1.5e308], [1000, 1500, 1000]),
    "atoms": np.where(rng.random(5000) < 0.7, 0.1234567, rng.normal(size=5000)),
    "constant": np.full(3000, 2.5),
}


def forms(column):
    """A column as it is, and by its distinct values."""
    return Plain(column), Counted(*np.unique(column, return_counts=True))


def all_values(form):
    """All values of a form, sorted."""
    return np.array(form.at(range(form.size)))


def same_as_sorted(column):
    """Whether both forms of a column have numpy's percentiles and the true counts."""
    values, counts = np.unique(column, return_counts=True)
    for form in forms(column):
        assert (form.size, form.first, form.last) == (column.size, values[0], values[-1])
        np.testing.assert_array_equal(all_values(form), np.sort(column))
        assert form.deviation() == pytest.approx(deviation(column), rel=1e-12)
        with np.errstate(over="ignore"):
            want = np.percentile(column, [75, 50, 25, 0, 100]).tolist()
        assert form.percentiles(75, 50, 25, 0, 100) == want
        assert form.percentiles(25, 75) == want[2::-2]
        for most in (0, 1, column.size // 2):
            found = form.held_by_more_than(most)
            np.testing.assert_array_equal(found, values[counts > most])
            rest = form.without(found)
            if rest is None:
                assert (counts > most).all()
            else:
                np.testing.assert_array_equal(
                    all_values(rest), np.sort(column[~np.isin(column, found)])
                )


@given(X=tables(max_columns=1, max_rows=80))
def test_percentiles_and_counts_are_numpys(X):
    same_as_sorted(X[:, 0])


@pytest.mark.parametrize("name", LONG)
def test_percentiles_and_counts_of_long_columns_are_numpys(name):
    same_as_sorted(LONG[name])


@pytest.mark.parametrize("per_unit", [1, 10, 100, 1000])
@pytest.mark.parametrize("lowest", [-700, 0, 10**6])
def test_numbers_with_few_decimals_are_counted(per_unit, lowest):
    column = (lowest + rng.integers(0, 3000, 500)) / per_unit
    steps = OnSteps.of(Plain(column))
    values, counts = np.unique(column, return_counts=True)
    np.testing.assert_array_equal(steps.counted.values, values)
    np.testing.assert_array_equal(steps.counted.counts, counts)
    np.testing.assert_array_equal(steps.rows(values), column)


@pytest.mark.parametrize(
    "column",
    [
        rng.normal(size=300),
        np.insert(np.arange(300.0), 1, 0.5),  # nearly
        np.array([0.0, 1e6]),  # too far apart
        np.array([0.5, 1e308]),
        np.array([2.0**60, 2.0**60 + 4096]),
        np.array([0.0, 5e-324]),
    ],
)
def test_other_columns_are_not_counted(column):
    assert OnSteps.of(Plain(column)) is None


def test_the_two_zeros_are_one_value():
    column = np.array([0.0, -0.0, 1.5, -0.0])
    assert Plain(column).held_by_more_than(2).tolist() == [0.0]
    assert OnSteps.of(Plain(column)).counted.counts.tolist() == [3, 1]
