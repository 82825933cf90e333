"""Rows keep the labels of a DataFrame's index, and those become text only where they are shown."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pyod_aspects.exceptions import InvalidInputError, QueryError
from pyod_aspects.tables import read_table


def read(index):
    return read_table(pd.DataFrame({"x": np.arange(float(len(index)))}, index=index))


def times(texts):
    return pd.DatetimeIndex(np.array(texts, dtype="datetime64[ns]"))


def texts(index):
    table = read(index)
    return [table.label(row) for row in range(len(index))]


@pytest.mark.parametrize("index", [pd.RangeIndex(3), pd.RangeIndex(0, 3, 1)])
def test_an_index_that_counts_from_0_is_no_label(index):
    assert read(index).row_labels is None
    assert texts(index) == [None] * 3


def test_arrays_and_polars_have_no_labels():
    assert read_table([[1.0], [2.0]]).label(0) is None
    polars = pytest.importorskip("polars")
    assert read_table(polars.DataFrame({"index": [1.0, 2.0]})).label(0) is None


ZONE = dt.timezone(dt.timedelta(hours=2))


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (["TX1", "TX2"], ["TX1", "TX2"]),
        ([17, 23], ["17", "23"]),
        (pd.RangeIndex(1, 3), ["1", "2"]),
        (pd.RangeIndex(0, 4, 2), ["0", "2"]),
        (pd.RangeIndex(2, name="id"), ["0", "1"]),
        ([0.5, 2.0], ["0.5", "2.0"]),
        ([123456789, -1], ["123456789", "-1"]),
        ([True, False], ["True", "False"]),
        (["a", np.nan], ["a", "(missing)"]),
        ([None, "b"], ["(missing)", "b"]),
        (pd.Index([1, None], dtype="Int64"), ["1", "(missing)"]),
        (pd.Index(["a", None], dtype="string"), ["a", "(missing)"]),
        (pd.CategoricalIndex(["b", "a"]), ["b", "a"]),
        (times(["2024-05-01", "NaT"]), ["2024-05-01", "(missing)"]),
        (times(["2024-05-01 12:30", "2024-05-01 12:30:07.25"]),
         ["2024-05-01 12:30", "2024-05-01 12:30:07.250000"]),
        (times(["2024-05-01", "2024-05-01 02:00"]).tz_localize(ZONE),
         ["2024-04-30 22:00 UTC", "2024-05-01 UTC"]),
        (pd.Index([dt.date(2024, 5, 1), dt.date(9999, 1, 1)]), ["2024-05-01", "9999-01-01"]),
        (pd.period_range("2024-05", periods=2, freq="M"), ["2024-05", "2024-06"]),
        (pd.MultiIndex.from_tuples([("DE", 1), ("FR", np.nan)]), ["DE, 1.0", "FR, (missing)"]),
        (pd.MultiIndex.from_product([["DE"], times(["2024-05-01", "2024-05-02"])]),
         ["DE, 2024-05-01", "DE, 2024-05-02"]),
        (["A", "A"], ["A", "A"]),
        (["line\nbreak", ""], ["line\nbreak", ""]),
    ],
)  # fmt: skip
def test_labels_of_every_kind_are_text(index, expected):
    assert texts(pd.Index(index)) == expected


def test_labels_are_not_turned_into_text_before_they_are_shown():
    class Costly:
        def __str__(self):
            raise AssertionError

    index = pd.Index([Costly(), "cheap"], dtype=object)
    table = read(index)
    assert table.row_labels.index is index
    assert table.label(1) == "cheap"


def test_chosen_rows_keep_their_labels():
    table = read(pd.Index(["a", "b", "c"]))
    some = table.take(np.array([2, 0]))
    assert some.values.tolist() == [[2.0], [0.0]]
    assert [some.label(0), some.label(1)] == ["c", "a"]
    assert read_table([[1.0], [2.0]]).take(np.array([1])).values.tolist() == [[2.0]]


def test_labels_that_do_not_fit_the_rows_are_refused():
    table = read(pd.Index(["a", "b", "c"]))
    with pytest.raises(InvalidInputError, match=r"1 rows and 3 row labels.*Table\.take"):
        replace(table, values=table.values[:1])


def test_a_table_read_like_another_keeps_its_own_labels():
    known = read_table(pd.DataFrame({"colour": ["red", "blue"]}, index=["a", "b"]))
    new = pd.DataFrame({"colour": ["green"]}, index=["c"])
    assert read_table(new, like=known.columns, named=True).label(0) == "c"


def test_labels_are_found_as_they_are_shown():
    table = read(times(["2024-05-01", "2024-05-02 12:00", "2024-05-03"]))
    assert table.positions("2024-05-02 12:00") == [1]
    assert table.positions(["2024-05-03", 0]) == [2, 0]
    assert read(pd.Index([17, 23])).positions(["23", 0]) == [1, 0]
    assert read(pd.Index([17, 23])).positions(5) == [5]


@pytest.mark.parametrize(
    ("index", "label", "message"),
    [
        (["a", "b", "a"], "a", r"2 rows have the label 'a': pass a position \(0, 2\)"),
        (["a", "b", "a"], "z", "no row has the label 'z'; that of row 0 is 'a'"),
        (pd.RangeIndex(3), "z", "'z', but the rows have no labels: pass positions, 0 to 2"),
    ],
)
def test_labels_that_name_no_single_row_are_refused(index, label, message):
    with pytest.raises(QueryError, match=message):
        read(pd.Index(index)).positions([0, label])
