"""Every way of counting the rows of a level gives the counts of the definition."""

from __future__ import annotations

from itertools import combinations

import joblib
import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from strategies import any_tables_with_points, subspaces_of, tables_with_points

from pyod_aspects._kernels.plan import SPARSE
from pyod_aspects._util.parents import group_by_parent
from pyod_aspects.counting.bits import _batches
from pyod_aspects.counting.coded import CodedTable
from pyod_aspects.counting.orders import could_pay
from pyod_aspects.density import Grid, SGrid

STRATEGIES = ["auto", "dense", "table", "bitset", "sparse"]
GRIDS = [Grid, SGrid]


@pytest.fixture(autouse=True, scope="module")
def views_of_small_tables():
    """Rows are merged for subspaces without wide columns, however few they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pyod_aspects.counting.counting._MIN_ROWS", 1)
        yield


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("Density", GRIDS)
@settings(max_examples=25)
@given(data=any_tables_with_points())
def test_every_way_of_counting_is_exact_with_categories_and_missing_values(Density, strategy, data):
    table, categories, points = data
    X, density = table.values, Density()
    density._strategy = strategy
    density.fit(table)
    for size in range(1, X.shape[1] + 1):
        subspaces = subspaces_of(X.shape[1], size)
        at_points, mean, std = density.moments(subspaces, points)
        for i, subspace in enumerate(subspaces):
            everywhere = naive.counts(X, subspace, None, Density.reach, categories=categories)
            assert (mean[i], std[i]) == naive.grid_moments(everywhere)
            here = naive.counts(X, subspace, points, Density.reach, categories=categories)
            assert_array_equal(at_points[i], here)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("Density", GRIDS)
@settings(max_examples=25)
@given(data=tables_with_points(), bins=st.sampled_from(["auto", "fd", "scott", 7]))
def test_every_way_of_counting_is_exact(Density, strategy, data, bins):
    X, points = data
    density = Density(bins)
    density._strategy = strategy
    density.fit(X)
    for size in range(1, X.shape[1] + 1):
        subspaces = subspaces_of(X.shape[1], size)
        at_points, mean, std = density.moments(subspaces, points)
        for i, subspace in enumerate(subspaces):
            everywhere = naive.counts(X, subspace, None, Density.reach, bins)
            assert (mean[i], std[i]) == naive.grid_moments(everywhere)
            here = naive.counts(X, subspace, points, Density.reach, bins)
            assert_array_equal(at_points[i], here)


@pytest.mark.parametrize("Density", GRIDS)
@pytest.mark.parametrize("shape", ["continuous", "atoms", "one wide column"])
@pytest.mark.parametrize("bits", [16, 32])
@pytest.mark.parametrize("words", [None, 4000])
def test_ways_of_counting_agree_on_larger_tables(Density, shape, bits, words, monkeypatch):
    if words is not None:  # for so few pseudo-bins that not all columns have them at once
        monkeypatch.setattr("pyod_aspects.counting.bits.MOST_WORDS", words)
        monkeypatch.setattr("pyod_aspects.counting.orders.MOST_WORDS", words)
        for cost in ("_SORT", "_LOAD", "_ONCE"):  # so that rows are sorted by two columns
            monkeypatch.setattr(f"pyod_aspects.counting.orders.{cost}", 0.0)
    if bits == 32:  # as with more than 65,535 rows, and as many codes in some columns
        monkeypatch.setattr("pyod_aspects.counting.costs._WIDE", 1)
        monkeypatch.setattr("pyod_aspects.binning.bins.MOST_CODES", 10)
    rng = np.random.default_rng(3)
    X = rng.normal(size=(3000, 7))
    if shape == "atoms":
        X = np.where(rng.random(X.shape) < 0.6, 0.0, np.round(rng.standard_cauchy(X.shape), 2))
    if shape == "one wide column":
        X = np.round(X + X[:, :1])
        X[:, 3] = rng.integers(0, 40, size=len(X))
    results = {}
    for strategy in STRATEGIES:
        density = Density()
        density._strategy = strategy
        density.fit(X)
        if shape == "one wide column":  # fewer rows for subspaces without it
            assert density._counter.views.last.tolist().count(0) < 4
        assert density._table.codes.itemsize == bits // 8
        results[strategy] = [
            np.vstack(density.moments(subspaces_of(7, size), X[:1])[1:]) for size in (1, 2, 3, 4, 5)
        ]
    for strategy in STRATEGIES:
        for got, want in zip(results[strategy], results["sparse"], strict=True):
            assert_array_equal(got, want)
    for size, got in enumerate(results["bitset"], start=1):
        defined = naive.grid_moments(density.density(subspaces_of(7, size)[-1]))
        assert tuple(got[:, -1]) == defined


@pytest.mark.parametrize("words", [None, 4000, 3000])
def test_counts_of_some_rows_are_the_definition_or_nothing(words, monkeypatch):
    if words is not None:
        monkeypatch.setattr("pyod_aspects.counting.bits.MOST_WORDS", words)
        monkeypatch.setattr("pyod_aspects.counting.orders.MOST_WORDS", words)
    X = np.random.default_rng(4).normal(size=(2000, 6))
    X[:, 1] = np.round(X[:, 1])
    density, rows = SGrid(bins=40).fit(X), [3, 1999, 500, 4]
    subspaces = np.array(subspaces_of(6, 3))
    counts = density._counter.counts_of(subspaces, density._table.row_of[rows])
    known = counts.any(axis=1)
    assert known.all() == (words != 3000)
    assert known.any()
    for here, subspace in zip(counts[known], subspaces[known], strict=True):
        assert_array_equal(here, density.density(subspace)[rows])


def test_small_tables_with_room_for_neither_grid_nor_bits_are_counted_by_cells(monkeypatch):
    monkeypatch.setattr("pyod_aspects.counting.orders.MOST_WORDS", 100)
    X = np.random.default_rng(0).normal(size=(300, 5))
    density = SGrid(bins=150).fit(X)
    plan = density._counter._plan(np.array([range(5)]), density._counter.costs)
    assert (plan.choice.tolist(), np.isfinite(plan.cost).all()) == ([SPARSE], True)
    _, mean, std = density.moments([range(5)], X[:1])
    counts = density.density(tuple(range(5))).astype(int).tolist()
    assert (mean[0], std[0]) == naive.grid_moments(counts)


def test_few_orders_of_the_rows_are_enough_for_all_subspaces():
    X = np.random.default_rng(0).normal(size=(20_000, 9))
    counter, subspaces = SGrid(bins=30).fit(X)._counter, np.array(subspaces_of(9, 5))
    orders = counter._orders(subspaces, None, 2)
    assert 2 <= len(np.unique(orders.attributes, axis=0)) <= 12
    for order, subspace in zip(orders.attributes, subspaces, strict=True):
        assert set(order) <= {-1, *subspace}
    alone = counter._orders(subspaces[:1], None, 2)
    assert alone.load[0] > 3 * orders.load.mean()


def test_bits_are_thought_of_where_enough_subspaces_could_share_what_they_cost(monkeypatch):
    for name, value in {
        "COUNT": 0.0,
        "BLOCK": 1.0,
        "SORT": 0.0,
        "LOAD": 0.0,
        "ONCE": 600.0,
    }.items():
        monkeypatch.setattr(f"pyod_aspects.counting.orders._{name}", value)
    table = SGrid().fit(np.random.default_rng(0).normal(size=(100, 8)))._table
    assert could_pay(table, np.array([90.0, 150.0, 350.0, 360.0, np.inf])).tolist() == [2, 3, 4]
    assert could_pay(table, np.array([150.0, 350.0])).tolist() == []
    assert could_pay(table, np.empty(0)).tolist() == []


def test_columns_with_long_tails_sort_rows_as_well_as_others():
    rng = np.random.default_rng(0)
    counter = SGrid().fit(np.exp(2.0 * rng.normal(size=(20_000, 9))))._counter
    five = np.array(list(combinations(range(9), 5)))
    orders = counter._orders(five, counter.costs, 2)
    assert counter.table.sizes.min() ** 2 > 2 * 20_000  # most pairs of bins are empty
    assert (orders.attributes[:, 1] >= 0).mean() > 0.8  # by two columns
    assert len(np.unique(orders.attributes, axis=0)) < 10


@pytest.mark.parametrize("most_codes", [1, 25, 45, 1000])
def test_bits_of_some_columns_at_a_time_do_for_all_subspaces(most_codes):
    triples = np.array(list(combinations(range(8), 3)))
    n_codes = np.full(9, 7)
    parts = list(_batches(np.arange(56), triples, n_codes, most_codes))
    assert sorted(np.concatenate([which for which, _ in parts]).tolist()) == list(range(56))
    for which, members in parts:
        assert_array_equal(np.sort(members, axis=1), triples[which])
        assert n_codes[np.unique(members)].sum() <= max(most_codes, 21)
    if most_codes == 45:  # six of eight columns: 20 subspaces, 10 more with another one, ...
        assert len(parts) < 9
    if most_codes == 1000:
        assert len(parts) == 1


def test_bits_of_columns_with_many_bins_are_known_to_cost_more():
    X, subspaces = np.random.default_rng(0).random((5000, 6)), np.array(subspaces_of(6, 3))
    few, many = (
        SGrid(bins=bins).fit(X)._counter._orders(subspaces, None, 2) for bins in (20, 3000)
    )
    assert many.load.mean() > 3 * few.load.mean()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_subspace_may_be_asked_for_many_times(strategy):
    X = np.random.default_rng(0).normal(size=(300, 8))
    density = SGrid(bins=10)
    density._strategy = strategy
    density.fit(X)
    subspaces = [(0, 1, 2), *[tuple(range(3))] * 3000, (0, 1, 3)]
    at_points, mean, std = density.moments(subspaces, X[:2])
    for figures in (at_points, mean, std):
        assert (figures[:-1] == figures[0]).all()
    counts = density.density((0, 1, 2))
    assert (mean[0], std[0]) == naive.grid_moments(counts.astype(int).tolist())


def test_a_grid_with_more_bins_than_64_bits_hold_is_not_taken_as_a_whole():
    n = 30_000  # (3n) ** 4 has 66 bits
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.permutation(n) * 1.0 for _ in range(5)])
    density = SGrid(bins=3 * n).fit(X)
    plan = density._counter._plan(np.array([(0, 1, 2, 3), (0, 1, 2, 4)]), None)
    assert (plan.cost > 0).all()
    assert np.isfinite(plan.cost).all()
    _, mean, std = density.moments([(0, 1, 2, 3)], X[:1])
    assert (mean[0], std[0]) == (1.0, 0.0)


@pytest.mark.parametrize("Density", GRIDS)
def test_the_cells_of_pairs_are_counted_with_them(Density):
    X = np.round(np.random.default_rng(5).standard_cauchy((400, 4)), 1)
    density, pairs = Density(), subspaces_of(4, 2)
    density._strategy = "dense"
    density.fit(X)
    density.moments(pairs, X[:1])
    index = np.column_stack([cut.index(X[:, a]) for a, cut in enumerate(density.cuts_)])
    cells = [len(np.unique(index[:, pair], axis=0)) for pair in pairs]
    assert density._counter.costs._cells[tuple(pairs.T)].tolist() == cells


def test_subspaces_share_the_parent_with_which_they_cost_least():
    def costs(parents, children):  # attribute 3 is dear as a child
        return 1.0 + 50.0 * (children == 3), np.full(len(parents), 10.0)

    subspaces = np.array([[0, 1, 2], [0, 1, 3], [1, 2, 3], [2, 3, 4]])
    groups = group_by_parent(subspaces, 5, costs)
    assert 3 not in groups.children
    found = np.sort(
        np.column_stack(
            [np.repeat(groups.parents, np.diff(groups.starts), axis=0), groups.children]
        )
    )
    assert_array_equal(found, subspaces[groups.order])


def test_subspaces_share_parents_whose_codes_need_more_than_64_bits():
    subspaces = np.array([[0, 1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 9], [0, 2, 4, 9]])
    few = group_by_parent(subspaces, 10)
    many = group_by_parent(subspaces * 10**9, 10**10)
    assert few.children.tolist()[:3] != subspaces[:3, -1].tolist()  # not simply the last
    assert_array_equal(many.parents, few.parents * 10**9)
    assert_array_equal(many.children, few.children * 10**9)
    assert_array_equal(many.starts, few.starts)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("n", [65_535, 65_536, 65_537])
def test_counts_of_all_rows_fit_where_they_are_kept(strategy, n):
    X = np.zeros((n, 3))
    X[: n // 3] = 1.0
    density = SGrid(bins=3)  # the two values are not near each other
    density._strategy = strategy
    density.fit(np.column_stack([X, np.zeros(n)]))
    few, many = n // 3, n - n // 3
    for subspace, counts in (((0, 1, 2), [few] * few + [many] * many), ((3,), [n] * n)):
        _, mean, std = density.moments([subspace], X[:1, [0, 1, 2, 0]])
        assert (mean[0], std[0]) == naive.grid_moments(counts)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("per_bin", "n_bytes"), [(21_000, 2), (21_845, 2), (21_846, 4)])
def test_counts_take_16_bits_wherever_neighbourhoods_are_small(strategy, per_bin, n_bytes):
    X = np.repeat(np.arange(4.0), per_bin)[:, None] * [1.0, 1.0, -1.0]
    density = SGrid(bins=4)
    density._strategy = strategy
    density.fit(X)
    assert set(density._counter._plan(np.array([[0, 1]]), None).n_bytes) == {n_bytes}
    want = naive.grid_moments([2 * per_bin] * (2 * per_bin) + [3 * per_bin] * (2 * per_bin))
    for subspace in (0,), (0, 1), (0, 1, 2):
        _, mean, std = density.moments([subspace], X[:1])
        assert (mean[0], std[0]) == want


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_more_codes_than_16_bits_hold(strategy):
    X = np.random.default_rng(0).permutation(80_000.0 + np.arange(80_000))[:, None]
    density = SGrid(bins=len(X))  # each row has a bin of its own, but for rounding
    density._strategy = strategy
    density.fit(np.column_stack([X, X % 2]))
    bins = np.sort(density.cuts_[0].index(X[:, 0]))
    near = np.searchsorted(bins, bins + 1, "right") - np.searchsorted(bins, bins - 1, "left")
    _, mean, std = density.moments([(0,)], [[80_000.0, 0.0]])
    assert density._table.sizes[0] > 2**16
    assert (mean[0], std[0]) == naive.grid_moments(near.tolist())
    near_of_pair = []
    for parity in (0, 1):  # even and odd values are not near each other in the second column
        bins = np.sort(density.cuts_[0].index(X[X[:, 0] % 2 == parity, 0]))
        first, last = (
            np.searchsorted(bins, bins - 1, "left"),
            np.searchsorted(bins, bins + 1, "right"),
        )
        near_of_pair += (last - first).tolist()
    _, mean, std = density.moments([(0, 1)], [[80_000.0, 0.0]])
    assert (mean[0], std[0]) == naive.grid_moments(near_of_pair)
    assert_array_equal(density.density((0, 1), [[80_100.0, 0.0], [80_101.0, 0.0]]), [1.0, 2.0])


def test_a_subspace_may_have_a_thousand_attributes():
    X = np.random.default_rng(0).normal(size=(50, 1000))
    density = SGrid(bins=2).fit(X)
    _, mean, std = density.moments([range(1000)], X[:1])
    assert (mean[0], std[0]) == naive.grid_moments(density.density(range(1000)))
    assert density.cost(np.arange(1000)[None]) > 0


def test_a_density_that_is_mapped_into_memory_can_count(tmp_path):
    X = np.random.default_rng(0).normal(size=(3000, 6))
    density = SGrid(bins=9).fit(X)
    joblib.dump(density, tmp_path / "density")
    mapped = joblib.load(tmp_path / "density", mmap_mode="r")
    for size in (1, 2, 3):
        subspaces = subspaces_of(6, size)
        for a, b in zip(
            mapped.moments(subspaces, X[:2]), density.moments(subspaces, X[:2]), strict=True
        ):
            assert_array_equal(a, b)


def test_levels_that_are_planned_in_runs_give_the_same_and_tick_on(monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 9))
    triples = list(combinations(range(9), 3))
    _, *whole = SGrid().fit(X).moments(triples, X[:2])
    cost = SGrid().fit(X).cost(np.array(triples))
    monkeypatch.setattr("pyod_aspects.counting.counting._PLANNED", 50)
    density, ticks = SGrid().fit(X), []
    _, *in_runs = density.moments(triples, X[:2], ticks.append)
    assert_array_equal(in_runs, whole)
    assert ticks == sorted(ticks)
    assert ticks[-1] == len(triples)
    assert len(set(ticks)) >= len(triples) * 3 // 50
    assert 0.5 * cost < density.cost(np.array(triples)) < 5 * cost


def test_a_column_of_a_million_bins_takes_no_more_memory_than_its_rows():
    X = np.random.default_rng(0).standard_cauchy((2000, 2))
    X[0] = 1e9
    density = SGrid(bins="fd").fit(X)
    assert density.cuts_[0].bins.n > 1e6
    assert density._table.sizes.max() <= 2 * 2000
    assert_array_equal(density.density((0, 1))[:50], naive_by_index(density, X, 50))


def naive_by_index(density, X, n):
    index = np.column_stack([cut.index(X[:, a]) for a, cut in enumerate(density.cuts_)])
    return [(np.abs(index - index[i]).max(axis=1) <= 1).sum() for i in range(n)]


@pytest.mark.parametrize(
    "sizes", [[3], [2, 3, 2], [70_000, 4, 5], [300] * 2, [60_000] * 9, [2] * 80]
)
def test_equal_rows_are_merged_and_sorted_narrow_columns_first(sizes):
    rng = np.random.default_rng(len(sizes))
    dtype = np.uint16 if max(sizes) <= 2**16 else np.uint32
    rows = np.array([rng.integers(0, size, 200) for size in sizes], dtype=dtype)
    rows[:, 0], rows[:, 1] = 0, np.array(sizes) - 1
    codes = rows[:, rng.integers(0, 200, 500)]
    filled = [np.bincount(c, minlength=s) for c, s in zip(codes, sizes, strict=True)]
    table = CodedTable.of(codes, filled, 1)
    narrow_first = np.argsort(sizes, kind="stable")
    distinct, row_of, weights = np.unique(
        codes[narrow_first], axis=1, return_inverse=True, return_counts=True
    )
    assert_array_equal(table.codes[narrow_first], distinct)
    assert_array_equal(table.row_of, row_of.ravel())
    assert_array_equal(table.weights, weights)
    assert table.sizes.tolist() == sizes


def test_rows_that_differ_keep_their_order():
    codes = np.array([[1, 0, 1, 0], [2, 1, 0, 0]], dtype=np.int32)
    table = CodedTable.of(codes, [np.array([2, 2]), np.array([2, 1, 1])], 0)
    assert_array_equal(table.codes, codes)
    assert table.row_of.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_way_of_counting_is_exact_with_a_neighbourhood_of_two_bins(strategy):
    class Wide(Grid):
        reach = 2

    X = np.round(np.random.default_rng(0).normal(size=(300, 4)), 1)
    wide = Wide(bins=20)
    wide._strategy = strategy
    wide.fit(X)
    for size in (1, 2, 3, 4):
        subspaces = subspaces_of(4, size)
        _, mean, std = wide.moments(subspaces, X[:1])
        for i, subspace in enumerate(subspaces):
            assert (mean[i], std[i]) == naive.grid_moments(wide.density(subspace).tolist())
