"""Rows come back in the form in which their table came, whatever its columns hold."""

from __future__ import annotations

import datetime as dt
import pickle
from decimal import Decimal
from fractions import Fraction

import mixed
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from table_cases import REFUSED, TABLES

from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.tables import Table, read_table

BIG = 2**60
VIENNA = dt.timezone(dt.timedelta(hours=1))
DAYS = pd.DatetimeIndex(["2024-05-01", None, "1999-12-31 23:59:59.123456789", "2024-05-01"])

COLUMNS = {
    "whole numbers": [3, 1, 2, 3],
    "small whole numbers": np.array([3, 1, 2, 3], dtype=np.int8),
    "large whole numbers": [BIG, BIG + 1, BIG + 300, BIG],
    "unsigned": np.array([2**64 - 1, 2**64 - 3, 2**64 - 1, 2**64 - 2], dtype=np.uint64),
    "floats": [0.1, np.nan, -2.5, 0.1],
    "small floats": np.array([0.1, np.nan, -2.5, 0.1], dtype=np.float32),
    "true and false": [True, False, False, True],
    "true, false and gaps": [True, None, False, True],
    "text": ["red", "blue", "red", "green"],
    "text with gaps": ["red", None, "red", "green"],
    "categories": pd.Categorical(["b", "a", None, "b"], categories=["c", "b", "a"]),
    "ordered categories": pd.Categorical(["b", "a", "a", "b"], ["b", "a"], ordered=True),
    "categories that are numbers": pd.Categorical([30, 7, 30, 7]),
    "nullable whole numbers": pd.array([3, None, 2, 3], dtype="Int64"),
    "large nullable whole numbers": pd.array([BIG, None, BIG + 1, BIG], dtype="Int64"),
    "nullable floats": pd.array([0.5, None, 2.5, 0.5], dtype="Float32"),
    "nullable truth values": pd.array([True, None, False, True], dtype="boolean"),
    "strings": pd.array(["red", None, "blue", "red"], dtype="string"),
    "times": DAYS,
    "times in seconds": DAYS.astype("datetime64[s]"),
    "times with a zone": DAYS.tz_localize("Europe/Vienna"),
    "durations": DAYS - DAYS[0],
    "periods": pd.PeriodIndex(["2024-05", "2024-06", "2023-01", "2024-05"], freq="M"),
    "intervals": pd.cut(pd.Series([1.0, 2.0, 3.0, 1.0]), 2).astype("interval"),
    "sparse numbers": pd.arrays.SparseArray([0.0, 0.0, 2.0, 0.0]),
    "objects that are numbers": pd.Series([3, 2.5, None, 3], dtype=object),
    "decimals": pd.Series([Decimal("0.1"), Decimal(3), None, Decimal("0.1")], dtype=object),
    "fractions": pd.Series([Fraction(1, 3), Fraction(3), Fraction(2), Fraction(1, 3)]),
    "days as objects": pd.Series([dt.date(2024, 5, 1), None, dt.date(1999, 1, 1), None]),
    "objects with a zone": pd.Series(
        [dt.datetime(2024, 5, 1, tzinfo=VIENNA), None] * 2, dtype=object
    ),
    "objects that are text": pd.Series(["red", None, "blue", "red"], dtype=object),
    "nothing at all": [None, None, None, None],
}


def restored(X):
    table = read_table(X).with_form(X)
    return table.restore(table.values)


def frame(column):
    return pd.DataFrame({"other": [1.5, 2.5, 3.5, 4.5], "odd": column})


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_every_kind_of_column_comes_back(column):
    X = frame(column)
    pd.testing.assert_frame_equal(restored(X), X, check_freq=False)


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_other_rows_come_back_too(column):
    X = frame(column)
    table = read_table(X).with_form(X)
    rows = [3, 1, 1, 0, 2]
    expected = X.iloc[rows].reset_index(drop=True)
    pd.testing.assert_frame_equal(table.restore(table.values[rows]), expected)


@pytest.mark.parametrize("dtype", ["int64[pyarrow]", "string[pyarrow]", "bool[pyarrow]"])
def test_columns_of_pyarrow_come_back(dtype):
    pytest.importorskip("pyarrow")
    values = {"i": [3, None, 2, 3], "s": ["red", None, "blue", "red"], "b": [True, None, False] * 1}
    column = pd.array((values[dtype[0]] + [None])[:4], dtype=dtype)
    X = frame(column)
    pd.testing.assert_frame_equal(restored(X), X)


@pytest.mark.parametrize("name", [name for name in TABLES if name not in REFUSED])
def test_every_kind_of_table_comes_back(name):
    if name == "polars DataFrame":
        pytest.importorskip("polars")
    X = TABLES[name]()
    back = restored(X)
    if isinstance(X, pd.DataFrame):
        pd.testing.assert_frame_equal(back, X, check_freq=False)
    elif hasattr(X, "columns"):
        assert back.equals(X)
    else:
        assert_array_equal(back, np.asarray(X))
        assert back.dtype == np.asarray(X).dtype


def test_polars_columns_come_back():
    pl = pytest.importorskip("polars")
    X = pl.DataFrame(
        {
            "n": [1, None, 3],
            "t": [dt.datetime(2024, 5, 1), None, dt.datetime(2023, 1, 1, 12)],
            "s": ["red", None, "blue"],
            "b": [True, False, None],
        }
    )
    assert restored(X).equals(X)
    assert restored(X).schema == X.schema


def test_an_array_of_objects_comes_back():
    X = np.array([[1, "red", True], [2.5, None, False], [1, "blue", True]], dtype=object)
    assert_array_equal(restored(X), X)


@pytest.mark.parametrize(
    "columns",
    [["a", "a"], [0, 1], [("a", 1), ("b", 2)], [1.5, None]],
    ids=["twice", "numbers", "tuples", "other"],
)
def test_names_come_back_as_they_were(columns):
    X = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]])
    X.columns = pd.Index(columns)
    assert restored(X).columns.equals(X.columns)


def test_what_happens_to_the_table_later_does_not_matter():
    X = frame(pd.Series(["red", "blue", "red", "green"], dtype=object))
    table, before = read_table(X).with_form(X), X.copy()
    table = Table(table.values.copy(), table.columns, table.named, form=table.form)
    X.loc[:, "odd"] = "black"
    X.loc[:, "other"] = 0.0
    pd.testing.assert_frame_equal(table.restore(table.values), before)


def test_a_form_can_be_pickled():
    X = frame(COLUMNS["times with a zone"])
    table = pickle.loads(pickle.dumps(read_table(X).with_form(X)))
    pd.testing.assert_frame_equal(table.restore(table.values), X, check_freq=False)


def test_a_table_without_a_form_stays_a_table():
    table = mixed.mixed_table()
    assert isinstance(table.restore(table.values[:3]), Table)
    assert table.with_form(table).form is None


def test_a_value_that_the_column_never_had_is_refused():
    X = frame(["red", "blue", "red", "green"])
    table = read_table(X).with_form(X)
    for value in (7.0, np.nan):
        with pytest.raises(InvalidInputError, match="is not in the column"):
            table.restore(np.array([[1.5, value]]))


# ---------------------------------------------------------------- rows of two tables


def lend(reference, new):
    """Row 0 of the new table, then the same with the last value of the reference's row 0."""
    known = read_table(reference).with_form(reference)
    table = read_table(read_table(new), like=known.columns).with_form(new)
    values = np.repeat(table.values[:1], 2, axis=0)
    values[1, 1] = known.values[0, 1]
    lent = np.array([[False, False], [False, True]])
    return table.restore(values, lent, known)


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_a_new_row_can_borrow_values(column):
    X = frame(column)
    new = X.iloc[::-1]
    rows = lend(X, new)
    expected = X.iloc[[3, 3]].reset_index(drop=True)
    # Old versions of pandas make times of objects that are assigned.
    expected["odd"] = X["odd"].iloc[[3, 0]].reset_index(drop=True)
    expected["odd"] = expected["odd"].astype(X["odd"].dtype)
    pd.testing.assert_frame_equal(rows, expected)


@pytest.mark.parametrize(
    ("known", "new", "cells"),
    [
        ([1, 2], [2.5, 1.0], [2.5, 1.0]),
        (["red", "blue"], ["black", "red"], ["black", "red"]),
        (pd.Categorical(["a", "b"]), pd.Categorical(["c", "a"]), ["c", "a"]),
        (pd.Categorical(["a", "b"]), ["c", "a"], ["c", "a"]),
        ([BIG, BIG + 1], [float(BIG + 2**20), 1.0], [BIG + 2**20, BIG]),
        ([True, False], [False, False], [False, True]),
        (
            pd.to_datetime(["2024-05-01", "2024-05-02"]),
            pd.to_datetime(["2024-05-03", None]),
            list(pd.to_datetime(["2024-05-03", "2024-05-01"])),
        ),
    ],
    ids=["numbers", "text", "categories", "category and text", "large", "truth", "times"],
)
def test_a_new_row_in_another_form_can_borrow_values(known, new, cells):
    X, other = (pd.DataFrame({"other": [1.0, 2.0], "odd": column}) for column in (known, new))
    assert list(lend(X, other)["odd"]) == cells


def test_a_new_row_of_polars_can_borrow_values():
    pl = pytest.importorskip("polars")
    X = pl.DataFrame({"other": [1.0, 2.0], "odd": ["red", "blue"]})
    new = pl.DataFrame({"other": [1.0], "odd": ["black"]})
    assert lend(X, new)["odd"].to_list() == ["black", "red"]


def test_a_new_row_of_an_array_can_borrow_values_of_a_frame():
    X = pd.DataFrame({"other": [1, 2], "odd": [5, 6]})
    assert_array_equal(lend(X, np.array([[1.5, 7.0]])), [[1.5, 7.0], [1.5, 5.0]])
