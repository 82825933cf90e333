"""Tables as codes: equal rows merged, views, points, and tables of millions of rows."""

from __future__ import annotations

import math

import joblib
import naive
import numpy as np
import pytest
from counting_cases import STRATEGIES, code_table, counter
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from strategies import subspaces_of, tables_with_points

from pyod_aspects.counting.points import count_in_boxes, load_boxes
from pyod_aspects.counting.table import ONE_WORD, CodedTable
from pyod_aspects.density import Grid, SGrid
from pyod_aspects.exceptions import InvalidInputError, TooLargeError


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 80), d=st.integers(1, 90))
def test_equal_rows_are_merged_and_can_be_told_apart_again(seed, n, d):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, rng.integers(1, 4, size=d), size=(n, d))
    table = code_table(codes)
    assert_array_equal(table.codes[:, table.row_of].T, codes)
    assert table.codes.shape[1] == len(np.unique(codes, axis=0))
    assert_array_equal(np.bincount(table.row_of), table.weights)


def test_a_view_has_fewer_rows_for_subspaces_without_wide_columns():
    rng = np.random.default_rng(0)
    codes = np.column_stack([rng.integers(0, 3, 500), rng.integers(0, 200, 500)])
    table = code_table(codes, min_view_rows=1)
    n = table.codes.shape[1]
    assert table.rows.begins.tolist() == [0, n, n + 3]
    assert table.rows.last_view.tolist() == [1, 0]
    assert table.view_rows(np.array([[0, 0], [0, 1]])).tolist() == [3, n]
    assert_array_equal(table.rows.weights[n:], np.bincount(codes[:, 0]))
    assert_array_equal(table.rows.codes[0, n:][table.rows.merged], table.codes[0])
    assert code_table(codes, min_view_rows=4).rows.begins.size == 2


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_more_rows_than_their_squared_counts_fit_in_64_bits(strategy):
    """Up to 2,642,245 rows the sum of squares, at most n**3, has one word."""
    n = ONE_WORD + 1
    assert n**3 > 2**64 > ONE_WORD**3
    codes = np.zeros((n, 3), dtype=np.uint16)
    codes[:1000, 1] = 2
    codes[:70_000, 2] = 3
    table = code_table(codes, min_view_rows=1)
    for subspace, few in (((0,), 0), ((0, 1), 1000), ((0, 1, 2), None)):
        mean, std = counter(table, strategy).statistics(np.array([subspace]))
        counts = [few, n - few] if few is not None else [1000, 69_000, n - 70_000]
        total, squares = sum(c * c for c in counts), sum(c**3 for c in counts)
        variance = n * squares - total * total
        assert mean[0] == total / n
        assert std[0] == math.sqrt(variance) / n


def test_tables_of_more_rows_than_can_be_numbered_are_refused(monkeypatch):
    monkeypatch.setattr("pyod_aspects.density.grid.MAX_ROWS", 9)
    with pytest.raises(TooLargeError, match=r"X has 10 rows, at most 9 .* sample"):
        SGrid().fit(np.arange(10.0)[:, None])
    SGrid().fit(np.arange(9.0)[:, None])


class TestNear:
    @given(data=tables_with_points(max_columns=4))
    @pytest.mark.parametrize("reach", [0, 1, 2, 7])
    def test_it_is_the_definition_at_any_reach(self, data, reach):
        X, points = data
        density = SGrid().fit(X)
        for size in range(1, X.shape[1] + 1):
            counts = density.near(subspaces_of(X.shape[1], size), points, reach)
            for i, subspace in enumerate(subspaces_of(X.shape[1], size)):
                assert_array_equal(counts[i], naive.counts(X, subspace, points, reach))

    @pytest.mark.parametrize("Density", [Grid, SGrid])
    def test_without_a_reach_it_is_the_density(self, Density):
        X = np.random.default_rng(0).normal(size=(300, 3))
        density = Density().fit(X)
        assert_array_equal(density.near([(0, 2)], X)[0], density.density((0, 2)))

    def test_every_column_may_have_a_reach_of_its_own(self):
        X = np.random.default_rng(0).normal(size=(300, 3))
        density = SGrid(bins=20).fit(X)
        own = density.near([(0,), (1,), (2,)], X[:5], np.array([0, 2, 5]))
        for a, reach in enumerate((0, 2, 5)):
            assert_array_equal(own[a], density.near([(a,)], X[:5], reach)[0])

    def test_counts_of_parts_of_a_table_add_up(self):
        X = np.random.default_rng(0).normal(size=(1000, 5))
        table, subspaces = SGrid().fit(X).table_, subspaces_of(5, 3)
        low = table.codes[:, table.row_of[:7]].T.astype(np.int64) - 2
        low, high = np.maximum(low, 0), low + 4
        whole = count_in_boxes(subspaces, load_boxes(table, low, high))
        codes = table.codes[:, table.row_of]
        total = np.zeros_like(whole)
        for part in (slice(0, 1), slice(1, 400), slice(400, 1000)):
            one = CodedTable(codes[:, part], table.filled, table.reach)
            total += count_in_boxes(subspaces, load_boxes(one, low, high))
        assert_array_equal(total, whole)
        assert whole.min() >= 1

    def test_subspaces_in_any_order_and_threads(self):
        X = np.random.default_rng(0).normal(size=(3000, 7))
        subspaces = subspaces_of(7, 4)
        shuffled = np.random.default_rng(1).permutation(len(subspaces))
        seen = []
        counts = SGrid().fit(X).near(subspaces, X[:9])
        other = SGrid(n_jobs=2).fit(X).near(subspaces[shuffled], X[:9], tick=seen.append)
        assert_array_equal(other, counts[shuffled])
        assert seen[-1] == len(subspaces)

    @pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint16])
    def test_every_type_of_whole_numbers_means_the_same_reach(self, dtype):
        X = np.random.default_rng(0).normal(size=(300, 2))
        density, want = SGrid(bins=20).fit(X), SGrid(bins=20).fit(X).near([(0, 1)], X[:3], [1, 0])
        density.near([(0, 1)], X[:3], 1)  # other reaches, asked for before, do not matter
        assert_array_equal(density.near([(0, 1)], X[:3], np.array([1, 0], dtype=dtype)), want)

    def test_many_points_are_counted_a_group_at_a_time(self):
        X = np.random.default_rng(0).normal(size=(500, 3))
        density, seen = SGrid().fit(X), []
        counts = density.near([(0, 1), (1, 2)], X, tick=seen.append)
        assert_array_equal(counts[0], density.density((0, 1)))
        assert len(X) > density.batch_size()
        assert seen == sorted(seen)
        assert seen[-1] == 2

    @pytest.mark.parametrize(
        "reach", [-1, 2**20, 1.5, np.array([1, -1, 0]), [1, 1], [], np.ones((3, 3), dtype=int)]
    )
    def test_other_reaches_are_refused(self, reach):
        with pytest.raises(InvalidInputError, match="expected a whole number from 0 to 1,048,575"):
            SGrid().fit(np.eye(3)).near([(0,)], np.eye(3), reach)


def test_a_density_that_is_mapped_into_memory_can_count(tmp_path):
    X = np.random.default_rng(0).normal(size=(3000, 6))
    density = SGrid(bins=9).fit(X)
    density.near([(0, 1)], X[:2])
    joblib.dump(density, tmp_path / "density")
    mapped = joblib.load(tmp_path / "density", mmap_mode="r")
    for size in (1, 2, 3):
        subspaces = subspaces_of(6, size)
        for a, b in zip(
            mapped.moments(subspaces, X[:2]), density.moments(subspaces, X[:2]), strict=True
        ):
            assert_array_equal(a, b)
