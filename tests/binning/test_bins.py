"""Bins are numpy's, computed and not allocated."""

from __future__ import annotations

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tables_with_points

from pyod_aspects.binning.bins import EqualWidthBins, OccupiedBins, check_rule
from pyod_aspects.exceptions import InvalidInputError

RULES = ["fd", "scott", "sturges", 1, 7]


@pytest.mark.parametrize("rule", RULES)
@given(data=tables_with_points(max_columns=1))
def test_bin_of_every_value_is_numpys(rule, data):
    X, points = data
    bins = EqualWidthBins.of(X[:, 0], rule)
    values = np.concatenate([X[:, 0], points[:, 0]])
    got = bins.index(values)
    for value, index in zip(values, got, strict=True):
        expected = naive.bin_index(X[:, 0], value, rule)
        if expected is None:  # beside a constant column
            assert abs(index) > 10**9
        else:
            assert index == expected


@pytest.mark.parametrize("rule", RULES)
def test_edges_are_numpys_to_the_last_bit(rule):
    column = np.random.default_rng(0).standard_t(3, size=500)
    bins = EqualWidthBins.of(column, rule)
    np.testing.assert_array_equal(
        bins.edge(np.arange(bins.n + 1)), np.histogram_bin_edges(column, rule)
    )


@pytest.mark.parametrize("rule", RULES)
def test_values_on_an_edge_and_just_below_it_are_told_apart(rule):
    column = np.random.default_rng(1).lognormal(size=400)
    bins = EqualWidthBins.of(column, rule)
    edges = np.histogram_bin_edges(column, rule)
    want = np.minimum(np.arange(len(edges)), bins.n - 1)
    np.testing.assert_array_equal(bins.index(edges), want)
    below = np.nextafter(edges[1:], -np.inf)
    np.testing.assert_array_equal(bins.index(below), np.arange(bins.n))


def test_sturges_where_the_interquartile_range_is_zero():
    column = np.zeros(100)
    column[:10] = np.arange(10)
    assert EqualWidthBins.of(column, "fd").n == len(np.histogram_bin_edges(column, "sturges")) - 1


@pytest.mark.parametrize("power", [-1000, -700, -540, 0, 520, 700, 1000])
def test_scotts_rule_makes_as_many_bins_of_tiny_and_of_huge_values(power):
    column = np.random.default_rng(0).normal(3.0, size=300)
    want, scaled = EqualWidthBins.of(column, "scott"), np.ldexp(column, power)
    assert want.n == len(np.histogram_bin_edges(column, "scott")) - 1
    bins = EqualWidthBins.of(scaled, "scott")
    assert bins.n == want.n
    np.testing.assert_array_equal(bins.index(scaled), want.index(column))
    np.testing.assert_array_equal(
        bins.edge(np.arange(bins.n + 1)), naive.bin_edges(scaled, "scott")
    )


def test_a_constant_column_is_one_bin_and_other_values_are_far_from_it():
    bins = EqualWidthBins.of(np.full(5, 1e17))
    assert (bins.n, bins.width) == (1, 0.0)
    assert bins.index(np.array([1e17, 1e17 - 16, 1e17 + 16])).tolist() == [0, -(2**40), 2**40]


def test_a_billion_bins_cost_nothing():
    column = np.concatenate([np.random.default_rng(0).normal(size=1000), [1e9]])
    bins = EqualWidthBins.of(column)
    assert bins.n > 1e9
    index = bins.index(column)
    assert index.max() == bins.n - 1
    assert (bins.edge(index) <= column).all()
    assert (column[:-1] < bins.edge(index[:-1] + 1)).all()


@pytest.mark.parametrize(
    "column", [[0.0, 5e-324], [1.0, np.nextafter(1.0, 2)], [0.0, 1e308], [1e-300, 1.0]]
)
def test_extreme_ranges_still_have_bins(column):
    bins = EqualWidthBins.of(np.repeat(column, [50, 1]), 1000)
    assert bins.index(np.array(column)).tolist() == [0, bins.n - 1]


@pytest.mark.parametrize("first", [1.0, -2.0, 2.0**40])
def test_no_bin_is_narrower_than_16_steps_of_its_largest_value(first):
    step = np.spacing(2.0 * abs(first)) / 2
    column = first + step * np.array([0.0, 512.0, 1024.0])
    for wanted in (65, 10**9):
        assert EqualWidthBins.of(column, wanted) == EqualWidthBins(first, column[-1], 64, True)
    for wanted in (63, 64):
        assert EqualWidthBins.of(column, wanted) == EqualWidthBins(first, column[-1], wanted)


@pytest.mark.parametrize("n_steps", [1, 2, 7, 1000])
def test_with_a_known_step_every_value_has_a_bin_at_most(n_steps):
    column = 0.25 * np.arange(n_steps + 1.0)
    bins = EqualWidthBins.of(column, 10**6, step=0.25)
    assert bins.capped
    assert bins.index(column).tolist() == list(range(n_steps + 1))
    assert not EqualWidthBins.of(column, n_steps, step=0.25).capped


def test_far_from_a_narrow_column_is_far_on_either_side():
    bins = EqualWidthBins.of(1e-300 * np.arange(50.0))
    assert bins.index(np.array([-1e10, 0.0, 1e10])).tolist() == [-1 - 2**40, 0, bins.n + 2**40]


def test_a_range_that_overflows_is_refused():
    with pytest.raises(InvalidInputError, match="rescale"):
        EqualWidthBins.of(np.array([-1.5e308, 1.5e308]))


@given(
    index=st.lists(st.integers(0, 40), min_size=1, max_size=20),
    asked=st.integers(-2, 42),
    reach=st.integers(0, 2),
)
def test_codes_keep_what_is_within_reach(index, asked, reach):
    index = np.array(index)
    occupied, codes = OccupiedBins.of(index, reach)
    codes = codes.astype(np.int64)
    near = np.abs(index[:, None] - index) <= reach
    np.testing.assert_array_equal(np.abs(codes[:, None] - codes) <= reach, near)
    assert occupied.size <= (reach + 1) * len(set(index.tolist()))
    low, high = occupied.interval(np.array([asked]), reach)
    np.testing.assert_array_equal((low <= codes) & (codes <= high), np.abs(index - asked) <= reach)


@pytest.mark.parametrize("bins", ["doane", 0, -1, 2.5, None, True])
def test_a_wrong_rule_is_named_with_what_would_do(bins):
    with pytest.raises(InvalidInputError, match="'auto', 'fd', 'scott', 'sturges'"):
        check_rule(bins)
