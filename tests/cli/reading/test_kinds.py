"""Columns of text become numbers, times or categories."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyod_aspects.cli.reading.kinds import _distinct_texts, read_kinds


def read(values, decimal="."):
    frame, remarks = read_kinds(pd.DataFrame({"v": values}), decimal)
    return frame["v"], remarks


def test_a_word_among_numbers_is_a_gap_and_is_remarked():
    column, remarks = read([*map(str, range(19)), "unknown"])
    assert column.isna().tolist() == [False] * 19 + [True]
    assert column[3] == 3.0
    assert remarks == ["'v': 1 of its values are no numbers ('unknown'), taken as missing"]


def test_words_that_are_not_rare_make_a_category():
    column, remarks = read(["1", "2", "3", "low", "high"])
    assert column.tolist() == ["1", "2", "3", "low", "high"]
    assert remarks == []


def test_an_underscore_is_no_part_of_a_number():
    assert read(["1_000", "2_000"])[0].tolist() == ["1_000", "2_000"]


@pytest.mark.parametrize(
    ("text", "decimal", "number"),
    [
        ("1,234.5", ".", 1234.5),
        ("1.234,5", ",", 1234.5),
        ("1.234", ",", 1234.0),
        ("-12", ",", -12.0),
        ("-1,234,567", ".", -1234567.0),
    ],
)
def test_thousands_are_parted_by_what_is_not_the_decimal(text, decimal, number):
    assert read([text, text], decimal)[0].tolist() == [number, number]


@pytest.mark.parametrize("text", ["1,23", "12,3456", "1.234.5"])
def test_other_marks_between_digits_make_text(text):
    assert read([text, "x"])[0].tolist() == [text, "x"]


def test_dates_are_no_large_numbers():
    column, _ = read(["31.12.2024", "01.01.2025"], ",")
    assert column.tolist() == [pd.Timestamp("2024-12-31"), pd.Timestamp("2025-01-01")]


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (["2024-03-01", "2024-03-02"], "2024-03-01"),
        (["2024-03-01 10:30", "2024-03-02 11:30:15"], "2024-03-01 10:30"),
        (["2024-03-01T10:30:00.25", None], "2024-03-01 10:30:00.25"),
        (["2024/03/01 10:30", "2024/3/2"], "2024-03-01 10:30"),
        (["13/02/2024", "01/02/2024"], "2024-02-13"),
        (["02/13/2024", "02/01/2024"], "2024-02-13"),
        (["1.2.2024 08:15", "13.2.2024"], "2024-02-01 08:15"),
    ],
)
def test_times_in_the_usual_forms_are_times(texts, first):
    column, remarks = read(texts)
    assert column[0] == pd.Timestamp(first)
    assert column.isna().tolist() == [text is None for text in texts]
    assert remarks == []


def test_zoned_times_are_compared_in_one_zone():
    column, _ = read(["2024-03-01T10:00:00Z", "2024-03-01T11:00:00+02:00"])
    assert (column[0] - column[1]) == pd.Timedelta(hours=1)


@pytest.mark.parametrize(("decimal", "month"), [(".", 3), (",", 4)])
def test_a_day_that_could_be_a_month_is_remarked(decimal, month):
    column, remarks = read(["03/04/2024", "05/06/2024"], decimal)
    assert column[0].month == month
    assert remarks == [f"'v': dates read with the {'month' if month == 3 else 'day'} first"]


def test_a_column_with_one_value_that_is_no_date_is_a_category():
    assert read(["2024-03-01", "soon"])[0].tolist() == ["2024-03-01", "soon"]
    assert read(["2024-02-31", "2024-03-01"])[0].tolist() == ["2024-02-31", "2024-03-01"]


def test_infinite_values_are_gaps_and_remarked():
    column, remarks = read([1.0, float("inf"), float("-inf")])
    assert column.isna().tolist() == [False, True, True]
    assert remarks == ["'v': 2 of its values are infinite, taken as missing"]


def test_whole_numbers_and_truth_values_stay_as_they_are():
    frame = pd.DataFrame({"n": [2**60, 2**60 + 1], "t": [True, False]})
    assert read_kinds(frame)[0].equals(frame)


def test_spaces_around_labels_do_not_count_and_empty_ones_are_gaps():
    assert read([" red", "red ", "  ", "blue"])[0].dropna().tolist() == ["red", "red", "blue"]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.sampled_from(["red", " red", "red ", "", " ", "1", " 1.5", "2024-03-01", None, np.nan])
        | st.sampled_from([1, True, 1.0, "True", [1], {"a": 1}]),
        min_size=1,
        max_size=12,
    )
)
def test_texts_are_told_apart_without_spaces_whatever_stands_beside_them(values):
    codes, texts = _distinct_texts(pd.Series(values, dtype=object))

    def plain(value):
        if value is None or (isinstance(value, float) and np.isnan(value)):
            return None
        return str(value).strip() or None

    read = [None if code < 0 else texts[code] for code in codes]
    assert read == [plain(value) for value in values]
    assert len(set(texts)) == len(texts)


def test_an_empty_column_is_a_column_of_gaps():
    assert read([None, " "])[0].isna().all()


def test_the_index_stays():
    frame = pd.DataFrame({"v": ["1", "x"]}, index=["p", "q"])
    assert read_kinds(frame)[0].index.tolist() == ["p", "q"]
