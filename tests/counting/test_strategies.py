"""Every strategy gives the counts of the definition, to the last bit."""

from __future__ import annotations

import naive
import numpy as np
import pytest
from counting_cases import STRATEGIES, assert_exact, code_table, counter, expected
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from strategies import any_tables_with_points, subspaces_of, tables_with_points

from pyod_aspects.counting.bits import BitStrategy, split_by_codes
from pyod_aspects.counting.cells import CellStrategy
from pyod_aspects.counting.counter import LevelCounter
from pyod_aspects.counting.grid import GridStrategy
from pyod_aspects.counting.strategy import Level
from pyod_aspects.counting.table import CodedTable
from pyod_aspects.density import Grid, SGrid
from pyod_aspects.exceptions import TooLargeError

GRIDS = [Grid, SGrid]
every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


@every_strategy
@pytest.mark.parametrize("Density", GRIDS)
@settings(max_examples=20)
@given(data=any_tables_with_points())
def test_counts_are_exact_with_categories_and_missing_values(Density, strategy, data):
    table, categories, _ = data
    X, coded = table.values, Density().fit(table).table_
    for size in range(1, X.shape[1] + 1):
        subspaces = subspaces_of(X.shape[1], size)
        mean, std = counter(coded, strategy).statistics(subspaces)
        for i, subspace in enumerate(subspaces):
            counts = naive.counts(X, subspace, None, Density.reach, categories=categories)
            assert (mean[i], std[i]) == naive.grid_moments(counts)


@every_strategy
@pytest.mark.parametrize("Density", GRIDS)
@settings(max_examples=20)
@given(data=tables_with_points(), bins=st.sampled_from(["auto", "fd", "scott", 7]))
def test_counts_are_exact_with_every_rule_for_bins(Density, strategy, data, bins):
    X, _ = data
    coded = Density(bins).fit(X).table_
    for size in range(1, X.shape[1] + 1):
        subspaces = subspaces_of(X.shape[1], size)
        mean, std = counter(coded, strategy).statistics(subspaces)
        for i, subspace in enumerate(subspaces):
            counts = naive.counts(X, subspace, None, Density.reach, bins)
            assert (mean[i], std[i]) == naive.grid_moments(counts)


@every_strategy
@pytest.mark.parametrize("reach", [0, 1, 2, 3])
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 60))
def test_counts_are_exact_with_any_reach_and_with_views(strategy, reach, seed, n):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, rng.integers(1, 12, size=5), size=(n, 5))
    codes[:, 2] = rng.integers(0, 40, size=n)  # a wide column: fewer rows without it
    table = code_table(codes, reach, min_view_rows=1)
    for size in (1, 2, 3, 5):
        assert_exact(table, codes, subspaces_of(5, size), strategy)


@every_strategy
@pytest.mark.parametrize("shape", ["continuous", "atoms", "one wide column", "wide codes"])
@pytest.mark.parametrize("Density", GRIDS)
def test_strategies_agree_on_larger_tables(Density, shape, strategy):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(3000, 7))
    if shape == "atoms":
        X = np.where(rng.random(X.shape) < 0.6, 0.0, np.round(rng.standard_cauchy(X.shape), 2))
    if shape == "one wide column":
        X = np.round(X + X[:, :1])
        X[:, 3] = rng.integers(0, 40, size=len(X))
    table = Density().fit(X).table_
    if shape == "wide codes":  # of 32 bits, as where some column has more than 65,536
        codes = table.codes[:, table.row_of].astype(np.uint32)
        table = CodedTable(codes, table.filled, table.reach)
    if shape == "one wide column":
        assert table.rows.begins.size > 2
    assert table.codes.dtype == (np.uint32 if shape == "wide codes" else np.uint16)
    codes = table.codes[:, table.row_of].T
    for size in (1, 2, 3, 5):
        if strategy == "grid" and np.isinf(grid_cost(table, subspaces_of(7, size))).any():
            break  # the planner would not choose it
        assert_exact(table, codes, subspaces_of(7, size)[-3:], strategy)
        mean, std = counter(table, strategy).statistics(subspaces_of(7, size))
        assert_array_equal((mean, std), counter(table).statistics(subspaces_of(7, size)))


def grid_cost(table, subspaces):
    """What subspaces cost on the whole grid."""
    return GridStrategy().cost(Level(table, subspaces), np.full(len(subspaces), np.inf))


@every_strategy
def test_a_subspace_may_be_asked_for_many_times(strategy):
    codes = np.random.default_rng(0).integers(0, 9, size=(300, 8))
    subspaces = np.array([(0, 1, 2), *[(0, 1, 2)] * 3000, (0, 1, 3)])
    mean, std = counter(code_table(codes), strategy).statistics(subspaces)
    assert (mean[:-1] == mean[0]).all()
    assert (mean[0], std[0]) == expected(codes, (0, 1, 2))
    assert (mean[-1], std[-1]) == expected(codes, (0, 1, 3))


@pytest.mark.parametrize("strategy", ["auto", "bits"])
def test_a_grid_with_more_bins_than_64_bits_hold(strategy):
    n = 30_000  # (2n) ** 4 has 64 bits
    rng = np.random.default_rng(0)
    codes = np.column_stack([2 * rng.permutation(n) for _ in range(5)])
    table = code_table(codes)
    plan = counter(table).plan(np.array([(0, 1, 2, 3), (0, 1, 2, 4)]))
    assert (plan.cost > 0).all()
    assert np.isfinite(plan.cost).all()
    mean, std = counter(table, strategy).statistics(np.array([(0, 1, 2, 3)]))
    assert (mean[0], std[0]) == (1.0, 0.0)


@every_strategy
@pytest.mark.parametrize("n", [65_535, 65_536, 65_537])
def test_counts_of_all_rows_fit_where_they_are_kept(strategy, n):
    codes = np.zeros((n, 4), dtype=np.int64)
    codes[: n // 3, :3] = 2  # not near to 0
    few, many = n // 3, n - n // 3
    for subspace, counts in (((0, 1, 2), [few] * few + [many] * many), ((3,), [n] * n)):
        mean, std = counter(code_table(codes), strategy).statistics(np.array([subspace]))
        assert (mean[0], std[0]) == naive.grid_moments(counts)


@every_strategy
@pytest.mark.parametrize(("per_bin", "n_bytes"), [(21_000, 2), (21_845, 2), (21_846, 4)])
def test_counts_take_16_bits_wherever_neighbourhoods_are_small(strategy, per_bin, n_bytes):
    codes = np.repeat(np.arange(4), per_bin)[:, None] * [1, 1, -1] + [0, 0, 3]
    one = counter(code_table(codes), strategy)
    assert set(one.plan(np.array([[0, 1]])).level.n_bytes) == {n_bytes}
    want = naive.grid_moments([2 * per_bin] * (2 * per_bin) + [3 * per_bin] * (2 * per_bin))
    for subspace in (0,), (0, 1), (0, 1, 2):
        mean, std = one.statistics(np.array([subspace]))
        assert (mean[0], std[0]) == want


@pytest.mark.parametrize("strategy", ["auto", "grid", "cells", "bits"])
def test_more_codes_than_16_bits_hold(strategy):
    n = 80_000
    codes = np.column_stack([np.random.default_rng(0).permutation(n), np.arange(n) % 2 * 2])
    table = code_table(codes)
    assert table.codes.dtype == np.uint32
    mean, std = counter(table, strategy).statistics(np.array([(0,)]))
    assert (mean[0], std[0]) == naive.grid_moments([3] * (n - 2) + [2, 2])
    if strategy != "grid":
        near = np.ones(n, dtype=np.int64)
        by_code = codes[np.argsort(codes[:, 0]), 1]
        near[1:] += by_code[1:] == by_code[:-1]
        near[:-1] += by_code[1:] == by_code[:-1]
        mean, std = counter(table, strategy).statistics(np.array([(0, 1)]))
        assert (mean[0], std[0]) == naive.grid_moments(near.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 2200])  # few rows, and so many that cells are estimated
def test_a_subspace_may_have_a_thousand_attributes(n):
    codes = np.random.default_rng(0).integers(0, 9, size=(n, 1000))
    codes[:, ::2] = 0
    assert_exact(code_table(codes), codes, [range(1000)], "auto")
    plan = LevelCounter(code_table(codes), strategies=[CellStrategy()]).plan(np.arange(1000)[None])
    assert np.isfinite(plan.cost).all()


def test_a_grid_that_is_too_large_is_refused():
    codes = np.random.default_rng(0).integers(0, 300, size=(3000, 4))
    with pytest.raises(TooLargeError, match=r"a grid takes more than .* bytes"):
        counter(code_table(codes), "grid").statistics(np.arange(4)[None])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_number_of_threads_does_not_matter(strategy):
    codes = np.random.default_rng(1).integers(0, 30, size=(4000, 7))
    table, subspaces = code_table(codes), subspaces_of(7, 3)
    one = counter(table, strategy).statistics(subspaces)
    assert_array_equal(counter(table, strategy, n_jobs=3).statistics(subspaces), one)


@pytest.mark.parametrize("n_sampled", [1, 4, 2000])
def test_counts_at_sampled_rows_are_the_definition(n_sampled):
    codes = np.random.default_rng(4).integers(0, 40, size=(2000, 6))
    table, subspaces = code_table(codes), subspaces_of(6, 3)
    rows = np.arange(2000)[::-1][:n_sampled]
    counts = counter(table).sample(subspaces, table.row_of[rows])
    for i in (0, 7, 19):
        near = np.ones((n_sampled, 2000), dtype=bool)
        for a in subspaces[i]:
            near &= np.abs(codes[rows, a][:, None] - codes[:, a]) <= 1
        assert_array_equal(counts[i], near.sum(axis=1))


@pytest.mark.parametrize("most_codes", [1, 25, 45, 1000])
def test_bits_of_some_columns_at_a_time_do_for_all_subspaces(most_codes):
    triples, n_codes = subspaces_of(8, 3), np.full(9, 7)
    parts = list(split_by_codes(triples, n_codes, most_codes))
    assert sorted(np.concatenate([places for places, _ in parts]).tolist()) == list(range(56))
    for places, members in parts:
        assert_array_equal(np.sort(members, axis=1), triples[places])
        assert n_codes[np.unique(members)].sum() <= max(most_codes, 21)
    if most_codes == 45:  # six of eight columns
        assert len(parts) < 14
    if most_codes == 1000:
        assert len(parts) == 1


def test_bits_that_do_not_fit_are_not_planned_for():
    codes = np.random.default_rng(4).integers(0, 40, size=(2000, 6))
    level = counter(code_table(codes)).plan(subspaces_of(6, 3)).level
    no_limit = np.full(20, np.inf)
    assert np.isfinite(BitStrategy().cost(level, no_limit)).all()
    assert np.isinf(BitStrategy(max_words=100).cost(level, no_limit)).all()


def test_a_strategy_of_your_own_is_chosen_where_it_costs_least():
    class Cheap(BitStrategy):
        def cost(self, level, limit):
            return np.where(level.subspaces[:, 0] == 0, 1.0, np.inf)

    codes = np.random.default_rng(4).integers(0, 5, size=(100, 4))
    usual = LevelCounter(code_table(codes)).strategies
    mixed = LevelCounter(code_table(codes), strategies=[*usual, Cheap()])
    plan = mixed.plan(subspaces_of(4, 2))
    assert_array_equal(plan.strategy == 3, plan.level.subspaces[:, 0] == 0)
    for i, subspace in enumerate(subspaces_of(4, 2)):
        mean, std = mixed.statistics(subspaces_of(4, 2))
        assert (mean[i], std[i]) == expected(codes, subspace)
