"""A table in parts has the columns and values that it has as a whole, however it is split."""

from __future__ import annotations

import datetime as dt
import warnings
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from pyod_aspects.binning.cuts import CodedColumn
from pyod_aspects.datasets import load_demo
from pyod_aspects.engines.cutting import code_rows, count_bins, cut_columns
from pyod_aspects.engines.parts import ListParts
from pyod_aspects.engines.reading import read_values, survey
from pyod_aspects.exceptions import InvalidInputError, PartsError, PrecisionWarning
from pyod_aspects.tables import read_table

N = 60
rng = np.random.default_rng(0)
SMALL = rng.integers(0, 50, N)
NANO = pd.Series(np.datetime64("2024-03-05T14:30:00.250001", "ns") + SMALL.astype("m8[ns]"))
HOLES = rng.random(N) < 0.3


def holes(values, dtype=object):
    return pd.Series(
        [None if hole else v for v, hole in zip(values, HOLES, strict=True)], dtype=dtype
    )


FRAME = pd.DataFrame(
    {
        "float": rng.normal(size=N),
        "float32": rng.normal(size=N).astype(np.float32),
        "gaps": np.where(HOLES, np.nan, 1.5),
        "all missing": np.full(N, np.nan),
        "none": pd.Series([None] * N, dtype=object),
        "int": SMALL,
        "int8": SMALL.astype(np.int8),
        "large": 2**60 + SMALL,
        "large unsigned": SMALL.astype(np.uint64) + np.uint64(2**63 + 5),
        "large but exact": SMALL.astype(np.int64) << 56,
        "large in the middle": np.where(np.arange(N) < 30, SMALL, 2**60 + SMALL),
        "Int64": holes(SMALL, "Int64"),
        "large Int64": holes((2**60 + SMALL).tolist(), "Int64"),
        "Float32": holes(rng.normal(size=N), "Float32"),
        "large objects": holes((10**25 + SMALL.astype(object)).tolist()),
        "decimals": holes([Decimal(int(v)) / 100 for v in SMALL]),
        "long decimals": [Decimal("1234567890123456789.01") + Decimal(int(v)) / 100 for v in SMALL],
        "fractions": [Fraction(int(v), 7) for v in SMALL],
        "bool": SMALL > 20,
        "boolean": holes(SMALL > 20, "boolean"),
        "bool objects": holes((SMALL > 20).tolist()),
        "text": holes([f"label {v}" for v in SMALL]),
        "string": holes([f"label {v}" for v in SMALL], "string"),
        "sorted text": sorted(f"label {v}" for v in SMALL),
        "category": pd.Categorical(SMALL % 5, categories=[4, 2, 0, 1, 3, 9]),
        "category gaps": pd.Categorical(holes([f"c{v % 3}" for v in SMALL])),
        "interval": pd.cut(pd.Series(SMALL), [-1, 10, 20, 60]).astype("interval"),
        "time": pd.to_datetime("2024-01-01") + pd.to_timedelta(SMALL, unit="h"),
        "time gaps": pd.Series(
            pd.to_datetime("2024-01-01") + pd.to_timedelta(SMALL, unit="h")
        ).mask(HOLES),
        "nanoseconds": NANO,
        "nano gaps": NANO.mask(HOLES),
        "zone": NANO.dt.tz_localize("Europe/Vienna"),
        "moments": holes([dt.datetime(2024, 1, 1) + dt.timedelta(seconds=int(v)) for v in SMALL]),
        "days": holes([dt.date(2024, 1, 1) + dt.timedelta(days=int(v)) for v in SMALL]),
        "duration": pd.to_timedelta(SMALL, unit="s"),
        "long duration": pd.Series(pd.to_timedelta(54 * 365, unit="D") + SMALL.astype("m8[ns]")),
        "period": pd.period_range("2024-01", periods=N, freq="M"),
        "late text": [None] * 40 + ["b"] * 10 + ["a"] * 10,
        "late object time": pd.Series([None] * 50 + [dt.datetime(2024, 1, 1)] * 10, dtype=object),
    }
)
# As strings are a type of their own in some versions of pandas.
FRAME["text"] = FRAME["text"].astype(object)


def split(frame, ends):
    ends = [0, *sorted(ends), len(frame)]
    return ListParts([frame.iloc[a:b] for a, b in pairwise(ends)])


def same_as_whole(frame, parts):
    want = read_table(frame)
    seen = survey(parts)
    columns = seen.columns
    assert columns == want.columns
    assert seen.n_rows == len(frame)
    assert list(seen.sizes) == parts.each(len)
    assert_array_equal(np.vstack(read_values(parts, columns).each(np.asarray)), want.values)


def cut_as_whole(frame, rule):
    """Whether a frame is cut as a whole as it is in 1, 3 and 7 parts."""
    whole = read_table(frame)
    for n_parts in (1, 3, 7):
        parts = split(frame, np.linspace(0, len(frame), n_parts + 1).astype(int)[1:-1])
        seen = survey(parts)
        assert seen.columns == whole.columns
        values = read_values(parts, seen.columns)
        cuts = cut_columns(values, seen.columns, rule, seen.overviews)
        occupied = count_bins(values, cuts, 1)
        codes = np.hstack(values.each(code_rows, cuts, occupied))
        for a, column in enumerate(seen.columns):
            one = whole.values[:, a].copy()
            want = CodedColumn.of(one, rule, 1, column.kind == "category")
            assert cuts[a].bins == want.cut.bins
            assert_array_equal(cuts[a].own, want.cut.own)
            assert_array_equal(occupied[a].filled, want.occupied.filled)
            assert_array_equal(codes[a], want.codes)


@pytest.mark.parametrize("rule", ["auto", "scott"])
def test_the_demo_table_is_cut_as_a_whole(rule):
    cut_as_whole(pd.DataFrame(load_demo().X), rule)


@pytest.mark.parametrize("rule", ["auto", "scott"])
def test_shuttle_is_cut_as_a_whole(rule, shared_data):
    cut_as_whole(pd.DataFrame(np.load(shared_data / "real" / "shuttle.npz")["X"]), rule)


def test_a_survey_saves_the_first_pass_over_numbers_and_times():
    parts = split(FRAME, [0, 20, 45])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrecisionWarning)
        seen, whole = survey(parts), read_table(FRAME)
    values = read_values(parts, seen.columns)
    cuts = cut_columns(values, seen.columns, "auto", seen.overviews)
    bins = count_bins(values, cuts, 1)
    for a, column in enumerate(seen.columns):
        category = column.kind == "category"
        assert (a in seen.overviews) == (not category and column.offset == 0.0)
        want = CodedColumn.of(whole.values[:, a].copy(), "auto", 1, category)
        assert cuts[a].bins == want.cut.bins
        assert_array_equal(bins[a].filled, want.occupied.filled)
    ticks = []
    a = FRAME.columns.get_loc("int")
    first = {0: seen.overviews[a]}
    cut_columns(values, seen.columns[a : a + 1], "auto", first, tick=ticks.append)
    assert ticks == []


@pytest.mark.filterwarnings("ignore::pyod_aspects.exceptions.PrecisionWarning")
@pytest.mark.parametrize("name", FRAME.columns)
def test_every_kind_of_column_in_any_parts(name):
    frame = FRAME[[name]]
    for ends in ([], [20, 40], [7, 14, 21, 35, 49, 56], [0, 1, 1, 2, 59, 60]):
        same_as_whole(frame, split(frame, ends))


@pytest.mark.filterwarnings("ignore::pyod_aspects.exceptions.PrecisionWarning")
@settings(max_examples=25)
@given(ends=st.lists(st.integers(0, N), max_size=5))
def test_all_columns_in_any_parts(ends):
    same_as_whole(FRAME, split(FRAME, ends))


def test_categories_that_differ_between_parts_come_in_the_order_of_the_parts():
    parts = [
        pd.DataFrame({"a": pd.Categorical(["x", "b"], categories=["x", "b"])}),
        pd.DataFrame({"a": pd.Categorical(["a", None], categories=["b", "a"])}),
    ]
    columns = survey(ListParts(parts)).columns
    assert columns[0].labels == ("x", "b", "a")
    values = np.vstack(read_values(ListParts(parts), columns).each(np.asarray))
    assert_array_equal(values[:, 0], [0, 1, 2, np.nan])


def test_whole_numbers_in_some_parts_and_floats_in_others_are_floats():
    parts = [pd.DataFrame({"a": [2**60 + 1, 2**60 + 3]}), pd.DataFrame({"a": [np.nan, 1.5]})]
    same_as_whole(pd.concat(parts), ListParts(parts))


def test_many_large_numbers_have_the_offset_of_one_machine():
    many = np.random.default_rng(1).integers(2**60, 2**60 + 10**6, 5000)
    stamps = np.datetime64("2024-03-05", "ns") + (many - 2**60).astype("m8[ns]")
    frame = pd.DataFrame({"id": many, "at": stamps})
    assert read_table(frame).columns[0].offset > 2**59
    same_as_whole(frame, split(frame, [1000, 1001, 4000]))


def test_numbers_that_no_offset_helps_are_warned_of_once():
    frame = pd.DataFrame({"a": [1, 2, 3, *range(2**60, 2**60 + 5)]})
    with pytest.warns(PrecisionWarning, match="2 of its 8 values") as warned:
        columns = survey(split(frame, [3, 5])).columns
    assert len(warned) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrecisionWarning)
        assert columns == read_table(frame).columns


def test_zones_that_differ_are_shown_as_utc():
    stamps = pd.to_datetime(["2024-01-01 12:00"])
    zones = ["Europe/Vienna", "America/New_York"]
    parts = ListParts([pd.DataFrame({"at": stamps.tz_localize(zone)}) for zone in zones])
    columns = survey(parts).columns
    assert columns[0].zone == "UTC"


def read_all(parts):
    columns = survey(parts).columns
    return read_values(parts, columns).each(np.asarray)


def refused(parts, message, error=InvalidInputError):
    with pytest.raises(error, match=message):
        read_all(ListParts(parts))


def test_what_is_refused():
    numbers, text = pd.DataFrame({"a": [1.5]}), pd.DataFrame({"a": ["x"]})
    refused([numbers, text], "'a' holds numbers in some partitions and text in others")
    refused([numbers, pd.DataFrame({"b": [1.0]})], r"have the columns \['a'\], others \['b'\]")
    refused([numbers[:0], numbers[:0]], r"X has 0 row\(s\)")
    refused([numbers, pd.DataFrame({"a": [np.inf]})], "partition 1 .* infinite value in row 0")
    refused([numbers, pd.DataFrame({"a": [1j]})], "partition 1 .*Complex data not supported")
    mixed = pd.DataFrame({"a": ["x", 1.5]}, dtype=object)
    refused([mixed], r"partition 0 .*holds 'x' \(str\) and 1.5 \(float\)")
    refused([numbers, None], "partition 1 .* failed", PartsError)
    huge = pd.DataFrame({"a": [10**400, 1]}, dtype=object)
    refused([huge], "too large for float64")


def test_too_many_python_numbers_are_refused(monkeypatch):
    from pyod_aspects.tables import parts

    monkeypatch.setattr(parts, "_MOST_OBJECTS", 10)
    refused([FRAME[["fractions"]]], "more than 10 Python numbers .* convert it to int64")


def test_floats_are_read_in_one_pass_and_offsets_in_two():
    ticks = []
    survey(split(FRAME[["float", "text", "time"]], [20]), tick=ticks.append)
    assert ticks == [1, 2]
    ticks.clear()
    survey(split(FRAME[["float", "large"]], [20]), tick=ticks.append)
    assert ticks == [1, 2, 3, 4]
