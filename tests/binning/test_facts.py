"""Answers of parts add up to what is true of the whole column."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

from pyod_aspects.binning import facts
from pyod_aspects.binning.facts import (
    AskBrackets,
    AskCounts,
    AskFrequent,
    AskOverview,
    AskSum,
    keys_of,
    values_of,
)

rng = np.random.default_rng(0)


@st.composite
def columns_in_parts(draw):
    """A column with gaps, and the same in parts."""
    column = draw(tables(max_columns=1, max_rows=120))[:, 0]
    column[np.random.default_rng(draw(st.integers(0, 99))).random(column.size) < 0.1] = np.nan
    ends = draw(st.lists(st.integers(0, column.size), max_size=5))
    return column, np.split(column, sorted(ends))


def total(question, parts):
    answers = [question.answer(part, number) for number, part in enumerate(parts)]
    whole = answers[0]
    for answer in answers[1:]:
        whole = whole + answer
    return whole


def test_keys_are_in_the_order_of_the_values():
    values = np.array([-np.inf, -1e308, -1.5, -5e-324, 0.0, 5e-324, 1.0, 1e308, np.inf])
    keys = keys_of(values)
    assert (keys[1:] > keys[:-1]).all()
    np.testing.assert_array_equal(values_of(keys), values)
    assert keys_of(np.array([-0.0])) == keys_of(np.array([0.0]))


def bounds_hold(frequent, column):
    """Whether each value is held by as many rows as a list of frequent values says."""
    values, counts = np.unique(column[~np.isnan(column)], return_counts=True)
    assert np.isin(frequent.values, values).all()
    at = {
        float(v): (int(n), int(s))
        for v, n, s in zip(frequent.values, frequent.counts, frequent.slack, strict=True)
    }
    for value, n in zip(values.tolist(), counts.tolist(), strict=True):
        least, slack = at.get(value, (0, frequent.error))
        assert least <= n <= least + slack
    if frequent.complete:
        np.testing.assert_array_equal(frequent.counts, counts)


@pytest.mark.parametrize("entries", [3, 1024])
@given(column_and_parts=columns_in_parts())
def test_an_overview_is_true(entries, column_and_parts):
    column, parts = column_and_parts
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "_ENTRIES", entries)
        overview = total(AskOverview(), parts)
        some = np.unique(column[:5][~np.isnan(column[:5])])
        fewer = total(AskFrequent(some), parts)
    present = column[~np.isnan(column)]
    assert overview.size == present.size
    assert overview.n_missing == column.size - present.size
    assert overview.sizes.tolist() == [int((~np.isnan(part)).sum()) for part in parts]
    assert overview.first == present.min(initial=np.inf)
    assert overview.last == present.max(initial=-np.inf)
    top, counts = np.unique(keys_of(present) >> np.uint64(48), return_counts=True)
    np.testing.assert_array_equal(overview.groups.numbers, top)
    np.testing.assert_array_equal(overview.groups.counts, counts)
    assert overview.frequent.values.size <= entries
    bounds_hold(overview.frequent, column)
    bounds_hold(fewer, column[~np.isin(column, some)])
    if some.size:
        counted = total(AskCounts(some), parts)
        assert counted.tolist() == [int((column == x).sum()) for x in some]


def test_frequent_values_of_long_parts_are_found_with_a_small_error():
    column = np.where(rng.random(60_000) < 0.02, 7.5, rng.normal(size=60_000))
    frequent = total(AskOverview(), np.array_split(column, 4)).frequent
    assert frequent.values.tolist() == [7.5]
    assert frequent.slack.tolist() == [0]
    assert 0 < frequent.error < 0.002 * column.size
    bounds_hold(frequent, column)


def test_more_hot_values_than_slots_are_counted_too():
    column = np.concatenate([np.arange(12_000.0), np.zeros(500)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "_ENTRIES", 10**6)
        frequent = AskOverview().answer(np.append(column, np.nan), 0).frequent
    assert frequent.complete
    bounds_hold(frequent, column)


@given(column_and_parts=columns_in_parts(), few=st.sampled_from([0, 4, 4096]))
def test_brackets_hold_the_rows_between_their_ends(column_and_parts, few):
    column, parts = column_and_parts
    keys = keys_of(column[~np.isnan(column)])
    if keys.size < 2 or keys.min() == keys.max():
        return
    middle = np.uint64((int(keys.min()) + int(keys.max())) // 2)
    lows, highs = np.array([keys.min(), middle + np.uint64(1)]), np.array([middle, keys.max()])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "_FEW", few)
        patch.setattr(facts, "_BITS", 4)
        brackets = total(AskBrackets(lows, highs), parts)
    for groups, low, high in zip(brackets.groups, lows, highs, strict=True):
        inside = keys[(keys >= low) & (keys <= high)]
        numbers = (inside - low) >> np.uint64(groups.shift)
        want, counts = np.unique(numbers, return_counts=True)
        np.testing.assert_array_equal(groups.numbers, want)
        np.testing.assert_array_equal(groups.counts, counts)
        assert few or inside.size == 0 or groups.numbers.size <= 2**4


@settings(max_examples=30, deadline=None)
@given(n=st.integers(1, 5000), ends=st.lists(st.floats(0, 1), max_size=6), seed=st.integers(0, 99))
def test_sums_are_numpys_to_the_last_bit(n, ends, seed):
    values = np.random.default_rng(seed).lognormal(0, 3, n)
    column = np.insert(values, n // 2, [np.nan, np.nan])
    parts = np.split(column, sorted(int(end * n) for end in ends))
    sizes = np.array([int((~np.isnan(part)).sum()) for part in parts])
    assert total(AskSum(sizes), parts).total(0, n) == np.sum(values)
    squares = total(AskSum(sizes, mean=1.5), parts).total(0, n)
    assert squares == np.sum((values - 1.5) ** 2)
    moved = total(AskSum(sizes, origin=2.5, exponent=3), parts).total(0, n)
    assert moved == np.sum(np.ldexp(values - 2.5, 3))


def test_an_answer_does_not_grow_with_the_rows():
    import pickle

    for n in (20_000, 200_000):
        overview = AskOverview().answer(rng.normal(100, 1, n), 0)
        ends = keys_of(np.array([99.0, 101.0]))
        brackets = AskBrackets(ends[:1], ends[1:]).answer(rng.normal(100, 1, n), 0)
        assert len(pickle.dumps((overview, brackets))) < 70_000
