"""Columns are cut so that atoms stand alone and tails are binned by their distance."""

from __future__ import annotations

import naive
import numpy as np
import pytest
from hypothesis import given
from strategies import any_tables_with_points, tables_with_points

from pyod_aspects.binning.bins import EqualWidthBins
from pyod_aspects.binning.cuts import CodedColumn, Cut, StretchedBins
from pyod_aspects.binning.ordered import OnSteps


def same_bins(index, wanted):
    """Whether numbers of bins say the same as the definition: numbers alike, bins of their own."""
    number_of = {}
    for i, want in zip(index.tolist(), wanted, strict=True):
        if want is None:
            assert abs(i) > 10**9
        elif isinstance(want, str):
            assert i >= 2**60
            assert number_of.setdefault(want, i) == i
        else:
            assert i == want
    assert len(set(number_of.values())) == len(number_of)
    assert np.diff(sorted(number_of.values())).min(initial=10**9) > 10**5


@given(data=tables_with_points(max_columns=1, max_rows=80))
def test_the_bin_of_every_number_is_the_definition(data):
    X, points = data
    column, values = X[:, 0], np.concatenate([X[:, 0], points[:, 0]])
    index = Cut.of(column, "auto").index(values)
    same_bins(index, [naive.bin_index(column, value) for value in values])


@given(data=any_tables_with_points(max_columns=1))
def test_the_bin_of_categories_and_missing_values_is_the_definition(data):
    table, categories, points = data
    column = table.values[:, 0]
    values = np.concatenate([column, points[:, 0]])
    index = Cut.of(column, "auto", category=bool(categories)).index(values)
    same_bins(index, [naive.bin_index(column, v, category=bool(categories)) for v in values])


@pytest.mark.parametrize("seed", range(5))
def test_columns_without_atoms_and_tails_are_cut_as_fd_does(seed):
    rng = np.random.default_rng(seed)
    for column in (rng.normal(size=500), rng.random(1000), np.round(10 * rng.normal(size=1000))):
        cut = Cut.of(column, "auto")
        assert cut.own.size == 0
        assert cut.bins == EqualWidthBins.of(column, "fd")


@pytest.mark.parametrize(("n", "most"), [(100, 50), (513, 256), (600, 284), (2000, 634)])
def test_an_atom_holds_more_than_four_times_n_to_the_two_thirds_or_half(n, most):
    assert most == int(min(4 * n ** (2 / 3), n / 2))
    for held, atoms in ((most, []), (most + 1, [0.0])):
        column = np.concatenate([np.zeros(held), np.arange(1.0, n - held + 1)])
        assert Cut.of(column, "auto").own.tolist() == atoms
        assert naive.atoms(column.tolist()) == set(atoms)


def test_a_rare_value_beside_an_atom_is_seen_and_an_ordinary_tail_value_is_not_alone():
    rng = np.random.default_rng(0)
    column = np.where(rng.random(5000) < 0.8, 0.0, rng.lognormal(3.0, 1.5, 5000))
    column[0] = 1e7

    def nearby(rule, value):
        cut = Cut.of(column, rule)
        return int((np.abs(cut.index(column) - cut.index(np.array([value]))) <= 1).sum())

    ordinary = np.quantile(column[column > 0], 0.9)
    assert nearby("fd", ordinary) == 4999  # Sturges: 0 and all but one value in one bin
    assert 5 < nearby("auto", ordinary) < 100
    assert nearby("auto", 0.0) == (column == 0).sum()
    assert nearby("auto", 1e7) == 1


def test_values_beyond_the_fences_share_bins_that_grow_with_the_distance():
    column = np.random.default_rng(0).standard_cauchy(2000)
    bins = StretchedBins.of(column)
    low, high = bins.fences
    edges = bins.edge(np.arange(bins.bins.n + 1))
    np.testing.assert_allclose(edges[[0, -1]], [column.min(), column.max()])
    widths = np.diff(edges)
    inside = (edges[:-1] >= low) & (edges[1:] <= high)
    np.testing.assert_allclose(widths[inside], bins.bins.width)
    assert (np.diff(widths[edges[:-1] > high]) > 0).all()
    assert bins.bins.n < EqualWidthBins.of(column).n / 10


def test_no_value_of_a_column_falls_off_its_grid():
    rng = np.random.default_rng(0)
    for _ in range(200):
        column = rng.standard_cauchy(50) * 10.0 ** rng.integers(-9, 9)
        bins = StretchedBins.of(column)
        if bins is not None:
            assert bins.index(column[[column.argmin()]]).tolist() == [0]
            assert bins.index(column[[column.argmax()]]).tolist() == [bins.bins.n - 1]


@pytest.mark.parametrize("column", [[5.0], [5.0, 5.0], [5.0] * 9])
def test_other_values_are_far_from_a_constant_column(column):
    cut = Cut.of(np.array(column), "auto")
    here, below, above = cut.index(np.array([5.0, 4.9, 5.1]))
    assert min(abs(here - below), abs(here - above)) > 10**9


def test_the_box_of_an_atom_is_its_value():
    cut = Cut.of(np.array([0.0] * 50 + list(range(1, 20))), "auto")
    low, high = cut.box(np.array([0.0, 5.0, np.nan]), reach=1)
    assert low[0] == high[0] == 0.0
    assert low[1] < 5.0 < high[1]
    assert np.isnan([low[2], high[2]]).all()


@pytest.mark.parametrize("rule", ["auto", "fd", "scott", "sturges", 5])
@given(data=any_tables_with_points(max_columns=1))
def test_codes_say_which_rows_are_near_whether_values_are_counted_or_not(rule, data):
    table, categories, _ = data
    column = table.values[:, 0]
    coded = CodedColumn.of(column, rule, 1, bool(categories))
    index = coded.cut.index(column)
    near, codes = np.abs(index[:, None] - index) <= 1, coded.codes.astype(np.int64)
    np.testing.assert_array_equal(np.abs(codes[:, None] - codes) <= 1, near)
    np.testing.assert_array_equal(np.bincount(coded.codes), coded.occupied.filled)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OnSteps, "of", lambda plain: None)
        plain = CodedColumn.of(column, rule, 1, bool(categories))
    np.testing.assert_array_equal(coded.codes, plain.codes)
    np.testing.assert_array_equal(coded.cut.own, plain.cut.own)
    assert coded.cut.bins == plain.cut.bins


EPOCH = 1_700_000_000.0


def epoch_columns():
    """Seconds since 1970 close together: 2.4e-07 lie between one float64 value and the next."""
    rng = np.random.default_rng(0)
    step = np.spacing(EPOCH)
    return {
        "microseconds": EPOCH + 1e-6 * rng.integers(0, 60, 200),
        "a tail": EPOCH + 1e-5 * rng.standard_cauchy(200),
        "few steps": EPOCH + step * rng.integers(0, 5, 200),
        "negative": -EPOCH - 1e-4 * rng.random(200),
        "an atom": np.append(EPOCH + 1e-4 * rng.random(60), np.full(150, EPOCH)),
        "two values": EPOCH + step * rng.integers(0, 2, 200),
        "counted": 1e12 + rng.integers(0, 9, 200) / 1000,
    }


@pytest.mark.parametrize("rule", ["auto", "fd", "scott", "sturges", 300])
@pytest.mark.parametrize("column", epoch_columns().values(), ids=epoch_columns())
def test_large_values_close_together_are_cut_as_the_definition_says(column, rule):
    around = column[:5, None] + np.array([-2e-4, -1e-6, 3e-7, 1e-6, 2e-4])
    values = np.concatenate([column, around.ravel(), [np.nan]])
    wanted = [naive.bin_index(column, v, rule) for v in values]
    same_bins(Cut.of(column, rule).index(values), wanted)
    coded = CodedColumn.of(column, rule, 1)
    same_bins(coded.cut.index(values), wanted)


def test_bins_are_as_narrow_as_the_rule_wants_them_however_large_the_values_are():
    rng = np.random.default_rng(0)
    small = 2.0**-22 * rng.integers(0, 100, 1000)  # multiples of the float64 step at 1.7e9
    for rule in ("auto", "fd", "scott", 50):
        want = Cut.of(small, rule)
        cut = Cut.of(EPOCH + small, rule)
        assert cut.bins.n == want.bins.n > 100 / 16
        assert not cut.capped
        assert cut.origin == np.sort(EPOCH + small)[500]
        moved = Cut.of(small - np.sort(small)[500], rule)
        assert cut.bins == moved.bins
        np.testing.assert_array_equal(
            cut.index(EPOCH + small), moved.index(small - np.sort(small)[500])
        )


def test_values_that_need_no_more_bins_have_the_edges_of_the_rule_to_the_last_bit():
    column = EPOCH + np.random.default_rng(0).random(500)
    cut = Cut.of(column, "fd")
    assert (cut.origin, cut.capped) == (0.0, False)
    np.testing.assert_array_equal(
        cut.bins.edge(np.arange(cut.bins.n + 1)), np.histogram_bin_edges(column, "fd")
    )


def test_a_rule_that_wants_more_bins_than_there_are_values_gets_one_for_each_of_them():
    step = np.spacing(EPOCH)
    column = EPOCH + step * np.repeat(np.arange(12.0), 300)
    cut = Cut.of(column, "fd")
    assert cut.capped
    assert cut.index(column).tolist() == np.repeat(np.arange(12), 300).tolist()
    low, high = cut.box(column[:1], 0)
    assert low <= column[0] - cut.origin < high <= column[0] - cut.origin + step


def test_zeros_among_seconds_since_1970_do_not_make_the_bins_of_the_others_wide():
    column = np.append(EPOCH + 1e-6 * np.random.default_rng(0).integers(0, 60, 500), [0.0, 0.0])
    cut = Cut.of(column, "auto")
    same_bins(cut.index(column), [naive.bin_index(column, v) for v in column])
    assert np.unique(cut.index(column[:-2])).size == 8


def test_a_tail_that_no_bins_are_narrow_enough_for_is_cut_as_before():
    column = np.concatenate([np.random.default_rng(0).normal(size=1000), [1e30]])
    cut = Cut.of(column, "fd")
    assert cut.origin == 0.0
    assert cut.capped
    assert not Cut.of(column, "auto").capped
