"""Tables of every kind are read as what they mean, or refused in one sentence."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from pyod.models.knn import KNN

from pyod_aspects import AspectExplainer, KDEBeam, SGBeam
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.tables import Column, Table, read_table


def kinds(table):
    return [column.kind for column in table.columns]


NUMBERS = np.array([[1, 2], [3, 4], [5, 6]])


@pytest.mark.parametrize(
    "dtype", ["int8", "uint16", "int64", "float16", "float32", "float64", ">i4"]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_numbers_of_every_type_and_order_are_numbers(dtype, order):
    X = np.array(NUMBERS, dtype=dtype, order=order)
    X.flags.writeable = False
    table = read_table(X)
    assert table.values.dtype == np.float64
    assert_array_equal(table.values, NUMBERS)
    assert table.names == ("x0", "x1")
    assert not table.named
    assert table.only_numbers


def test_an_array_of_float64_is_not_copied():
    X = np.asfortranarray(NUMBERS, dtype=np.float64)
    assert read_table(X).values is X
    frame = pd.DataFrame(X)
    assert np.shares_memory(read_table(frame).values, frame.to_numpy())


@pytest.mark.parametrize(
    "X",
    [
        [[1, 2], [3, None]],
        [[1, 2], [3, float("nan")]],
        np.array([[1, 2.0], [Decimal(3), None]], dtype=object),
        np.ma.array([[1, 2], [3, 4]], mask=[[0, 0], [0, 1]]),
        pd.DataFrame({"x0": [1, 3], "x1": pd.array([2, None], dtype="Int64")}),
        pd.DataFrame({"x0": [1, 3], "x1": pd.array([2, None], dtype="Float32")}),
        pd.DataFrame({"x0": [1, 3], "x1": [2, None]}, dtype=object),
        pd.DataFrame({"x0": pd.arrays.SparseArray([1.0, 3.0]), "x1": [2, np.nan]}),
    ],
    ids=["none", "nan", "objects", "masked", "Int64", "Float32", "object frame", "sparse column"],
)
def test_missing_numbers_are_nan_wherever_they_come_from(X):
    table = read_table(X)
    assert_array_equal(table.values, [[1, 2], [3, np.nan]])
    assert table.only_numbers


@pytest.mark.parametrize(
    "column",
    [
        ["red", "blue", None, "red"],
        pd.array(["red", "blue", None, "red"], dtype="string"),
        pd.Categorical(["red", "blue", None, "red"]),
        pd.Series(["red", "blue", np.nan, "red"], dtype=object),
    ],
    ids=["text", "string", "category", "object"],
)
def test_text_is_a_category_with_sorted_labels(column):
    table = read_table(pd.DataFrame({"colour": column}))
    assert table.columns == (Column("colour", "category", ("blue", "red")),)
    assert_array_equal(table.values[:, 0], [1, 0, np.nan, 1])
    assert table.named


def test_labels_do_not_depend_on_the_order_of_rows():
    frame = pd.DataFrame({"a": list("cabbage")})
    back = read_table(frame[::-1])
    assert back.columns == read_table(frame).columns
    assert_array_equal(back.values[::-1], read_table(frame).values)


def test_the_order_of_given_categories_is_kept():
    column = pd.Categorical(["low", "high"], categories=["low", "middle", "high"], ordered=True)
    table = read_table(pd.DataFrame({"level": column}))
    assert table.columns[0].labels == ("low", "middle", "high")
    assert table.values[:, 0].tolist() == [0, 2]


@pytest.mark.parametrize(
    "X",
    [
        np.array([[True], [False]]),
        pd.DataFrame({"x0": [True, False]}),
        pd.DataFrame({"x0": pd.array([True, False], dtype="boolean")}),
        np.array([[True], [False]], dtype=object),
    ],
    ids=["array", "frame", "nullable", "objects"],
)
def test_truth_values_are_two_categories(X):
    table = read_table(X)
    assert table.columns == (Column("x0", "category", ("False", "True")),)
    assert table.values.tolist() == [[1.0], [0.0]]


def test_times_with_a_zone_are_shown_on_its_clocks():
    stamps = pd.to_datetime(["2024-03-05 15:30", None])
    frame = pd.DataFrame(
        {
            "zone": stamps.tz_localize("Europe/Vienna"),
            "objects": pd.Series([MOMENT, None], dtype=object),
            "plain": stamps,
        }
    )
    table = read_table(frame)
    texts = [c.text(v) for c, v in zip(table.columns, table.values[0], strict=True)]
    assert texts == ["2024-03-05 15:30 CET", "2024-03-05 14:30 UTC", "2024-03-05 15:30"]


def test_times_of_polars_with_a_zone_say_so_too():
    pl = pytest.importorskip("polars")
    zoned = pl.Series("when", [MOMENT], dtype=pl.Datetime("us", "UTC"))
    table = read_table(pl.DataFrame([zoned.dt.convert_time_zone("Europe/Vienna")]))
    assert table.columns[0].text(table.values[0, 0]) == "2024-03-05 15:30 CET"


def test_cells_of_polars_that_hold_arrays_are_refused():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"a": [[1.0, 2.0], [3.0, 4.0]]}, schema={"a": pl.Array(pl.Float64, 2)})
    with pytest.raises(InvalidInputError, match="column 'a' of X holds arrays: expected one value"):
        read_table(frame)


def test_a_table_of_pyarrow_is_refused_with_the_way_out():
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(InvalidInputError, match=r"Table of pyarrow: pass X\.to_pandas\(\)"):
        read_table(pa.table({"a": [1.0, 2.0]}))


@pytest.mark.parametrize("name", ["toarray", "collect", "column_names", "to_numpy"])
def test_columns_may_have_any_name(name):
    assert read_table(pd.DataFrame({name: [1.0, 2.0]})).names == (name,)


@pytest.mark.parametrize("fitted", [SGBeam(), KDEBeam()], ids=["SGBeam", "KDEBeam"])
def test_points_with_columns_in_another_order_are_refused(fitted):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 2)), columns=["a", "b"])
    miner = fitted.fit(frame)
    swapped = frame[["b", "a"]]
    message = "column 0 of points is 'b', the table that was fitted has 'a' there: pass the same"
    with pytest.raises(InvalidInputError, match=message):
        miner.mine(swapped[:1])
    with pytest.raises(InvalidInputError, match=message):
        miner.density_.density((0,), swapped[:1])
    assert miner.mine(frame[:1]) == miner.mine(frame[:1].to_numpy())


def test_names_are_not_compared_with_those_that_an_array_got():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 2)), columns=["a", "b"])
    miner = SGBeam().fit(frame.to_numpy())
    assert miner.mine(frame[:1]) == miner.mine(frame[:1].to_numpy())


MOMENT = dt.datetime(2024, 3, 5, 14, 30, tzinfo=dt.timezone.utc)


@pytest.mark.parametrize(
    "column",
    [
        pd.to_datetime(["2024-03-05 14:30", None]),
        pd.to_datetime(["2024-03-05 15:30", None]).tz_localize("Europe/Vienna"),
        pd.to_datetime(["2024-03-05 14:30", None]).astype("datetime64[s]"),
        pd.PeriodIndex(["2024-03-05 14:30", None], freq="min"),
        pd.Series([MOMENT, None], dtype=object),
        pd.Series([MOMENT.replace(tzinfo=None), None], dtype=object),
    ],
    ids=["naive", "time zone", "seconds", "period", "objects with zone", "objects"],
)
def test_times_are_seconds_since_1970(column):
    table = read_table(pd.DataFrame({"sold": column}))
    assert kinds(table) == ["time"]
    assert_array_equal(table.values[:, 0], [MOMENT.timestamp(), np.nan])
    text = table.columns[0].text(table.values[0, 0])
    assert text.removesuffix(" UTC") in ("2024-03-05 14:30", "2024-03-05 15:30 CET")


EXACT = MOMENT.replace(microsecond=250_001)


@pytest.mark.parametrize(
    "column",
    [
        pd.to_datetime([EXACT.replace(tzinfo=None)]).astype("datetime64[ns]"),
        pd.to_datetime([EXACT.replace(tzinfo=None)]).astype("datetime64[us]"),
        pd.to_datetime([EXACT]).tz_convert("Europe/Vienna"),
        pd.Series([EXACT], dtype=object),
        pd.Series([EXACT.replace(tzinfo=None)], dtype=object),
    ],
    ids=["ns", "us", "time zone", "objects with zone", "objects"],
)
def test_times_keep_their_microseconds(column):
    values = read_table(pd.DataFrame({"sold": column})).values
    assert values.tolist() == [[EXACT.timestamp()]]
    assert values[0, 0] % 1 == pytest.approx(0.250001, abs=1e-6)


def test_times_of_arrays_and_of_polars_keep_their_microseconds():
    pl = pytest.importorskip("polars")
    plain = EXACT.replace(tzinfo=None)
    assert read_table(np.array([[plain]], dtype="datetime64[us]")).values == EXACT.timestamp()
    for unit in ("us", "ns"):
        series = pl.Series("sold", [plain], dtype=pl.Datetime(unit))
        assert read_table(pl.DataFrame([series])).values == EXACT.timestamp()
    milliseconds = pl.Series("sold", [plain], dtype=pl.Datetime("ms"))
    assert read_table(pl.DataFrame([milliseconds])).values == MOMENT.timestamp() + 0.25


@pytest.mark.parametrize(
    ("unit", "seconds"), [("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9), ("ps", 1e-12)]
)
def test_durations_keep_the_resolution_of_their_unit(unit, seconds):
    durations = np.array([[1], [-7], [2345], ["NaT"]], dtype=f"timedelta64[{unit}]")
    want = [[seconds], [-7 * seconds], [2345 * seconds], [np.nan]]
    np.testing.assert_allclose(read_table(durations).values, want, rtol=1e-9)


def test_durations_of_pandas_keep_their_nanoseconds():
    for dtype in (None, object):
        frame = pd.DataFrame({"took": pd.Series([pd.Timedelta(1500, "ns")], dtype=dtype)})
        assert read_table(frame).values[0, 0] == pytest.approx(1.5e-6, rel=1e-12)


def test_an_array_of_days_is_a_table_of_times_and_durations_are_seconds():
    days = np.array([["2024-03-05"], ["NaT"]], dtype="datetime64[D]")
    assert kinds(read_table(days)) == ["time"]
    assert_array_equal(np.isnan(read_table(days).values), [[False], [True]])
    frame = pd.DataFrame({"took": pd.to_timedelta(["90s", None])})
    assert_array_equal(read_table(frame).values, [[90.0], [np.nan]])
    assert read_table(frame).only_numbers
    dates = pd.DataFrame({"day": [dt.date(1970, 1, 2), None]})
    assert_array_equal(read_table(dates).values, [[86400.0], [np.nan]])


def test_lists_may_mix_columns_of_numbers_and_of_text():
    table = read_table([[1.5, "a"], [2, "b"]])
    assert kinds(table) == ["number", "category"]
    assert table.values.tolist() == [[1.5, 0.0], [2.0, 1.0]]


def test_a_column_without_any_value_is_a_column_of_missing_numbers():
    table = read_table(pd.DataFrame({"a": [None, None], "b": [1, 2]}))
    assert table.only_numbers
    assert np.isnan(table.values[:, 0]).all()


def test_blank_names_are_replaced_by_positions():
    names = ["a", " ", "", "column 2"]
    frame = pd.DataFrame(np.eye(4), columns=names)
    assert read_table(frame).names == ("a", "column 1", "column 2", "column 2 (2)")
    known = read_table(frame.assign(b="x"))  # column by column
    assert known.names[1:3] == ("column 1", "column 2")
    assert frame.columns.tolist() == names
    polars = pytest.importorskip("polars")
    table = read_table(polars.DataFrame({"a": [1.0, 2.0], " ": [3.0, 4.0]}))
    assert table.names == ("a", "column 1")
    assert table.values.tolist() == [[1.0, 3.0], [2.0, 4.0]]


def test_a_table_with_a_blank_name_is_explained_and_new_rows_go_with_it():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(200, 2)), columns=["a", " "])
    X.iloc[7, 1] = 9.0
    explainer = AspectExplainer(KNN().fit(X), n_queries=1, n_reference=0).fit(X)
    for made in (explainer.explain(), explainer.explain(X.iloc[[7]])):
        assert "\n      column 1 = 9 is high" in made.with_agreement().summary()


def test_names_are_text_and_told_apart():
    frame = pd.DataFrame(np.eye(4), columns=["a", 7, "a", "a (2)"])
    assert read_table(frame).names == ("a", "7", "a (3)", "a (2)")
    several = pd.DataFrame(np.eye(2), columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    assert read_table(several).names == ("('a', 1)", "('a', 2)")


def test_polars_frames_are_read_column_by_column():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(
        {
            "n": [1, None, 3],
            "f": [0.5, 1.5, None],
            "text": ["b", "a", None],
            "flag": [True, None, False],
            "when": [MOMENT.replace(tzinfo=None), None, dt.datetime(1970, 1, 1)],
            "day": [dt.date(1970, 1, 2), None, dt.date(1970, 1, 1)],
            "kind": pl.Series(["x", "y", "x"], dtype=pl.Categorical),
        }
    )
    table = read_table(frame)
    assert table.names == tuple(frame.columns)
    assert kinds(table) == [
        "number",
        "number",
        "category",
        "category",
        "time",
        "time",
        "category",
    ]
    want = [
        [1, 0.5, 1, 1, MOMENT.timestamp(), 86400, 0],
        [np.nan, 1.5, 0, np.nan, np.nan, np.nan, 1],
        [3, np.nan, np.nan, 0, 0, 0, 0],
    ]
    assert_array_equal(table.values, want)
    with pytest.raises(InvalidInputError, match="collect"):
        read_table(frame.lazy())


class TestAgainstAKnownTable:
    known = read_table(
        pd.DataFrame({"size": [1.0, 2.0], "colour": ["red", "blue"], "on": [True, False]})
    )

    def read(self, **columns):
        return read_table(pd.DataFrame(columns), like=self.known.columns)

    def test_the_same_category_has_the_same_code(self):
        table = self.read(size=[1.0], colour=["red"], on=[False])
        assert table.values.tolist() == [[1.0, 1.0, 0.0]]
        assert table.columns == self.known.columns

    def test_an_unknown_category_comes_after_all_known_ones_and_keeps_its_name(self):
        table = self.read(size=[1.0, 1.0], colour=["green", "amber"], on=[True, True])
        assert table.values[:, 1].tolist() == [3.0, 2.0]
        assert table.columns[1].text(3.0) == "green"
        assert self.known.columns[1].text(3.0) == "another category"

    def test_what_is_missing_may_be_of_any_kind(self):
        table = self.read(size=[None], colour=[None], on=[np.nan])
        assert np.isnan(table.values).all()

    def test_truth_values_will_do_for_numbers(self):
        assert self.read(size=[True], colour=["red"], on=[True]).values[0, 0] == 1.0

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"colour": [3]}, "'colour' of X holds numbers, it held categories when fitted"),
            ({"size": ["big"]}, "'size' of X holds categories, it held numbers when fitted"),
            ({"size": pd.to_datetime(["2024-01-01"])}, "'size' of X holds times, it held numbers"),
        ],
    )
    def test_another_kind_of_column_is_refused(self, changed, message):
        with pytest.raises(InvalidInputError, match=message):
            self.read(**({"size": [1.0], "colour": ["red"], "on": [True]} | changed))

    def test_a_table_is_left_as_it_is(self):
        assert read_table(self.known) is self.known
        assert read_table(self.known, like=self.known.columns) is self.known
        assert isinstance(self.known, Table)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros(5), r"1 dimension: .*reshape"),
        (np.zeros((2, 2, 2)), "3 dimensions"),
        (np.zeros((0, 3)), r"0 row\(s\) \(shape=\(0, 3\)\)"),
        (pd.DataFrame({"a": []}), r"0 row\(s\) \(shape=\(0, 1\)\)"),
        (pd.DataFrame(index=[1, 2]), r"0 feature\(s\) \(shape=\(2, 0\)\)"),
        ([[1, 2], [3]], "could not be read as a table"),
        ([[1.0, np.inf]], "infinite value in row 0, column 1"),
        (pd.DataFrame({"a": [1.0, -np.inf]}), "infinite value in row 1, column 'a'"),
        (np.zeros((2, 2), dtype=complex), "Complex data not supported: column 'x0' of X holds"),
        (pd.DataFrame({"a": [1, "x"]}), r"'a' of X holds 1 \(int\) and 'x' \(str\)"),
        (pd.DataFrame({"a": [[1], [2]]}), r"'a' of X holds \[1\] \(list\): expected only"),
        (np.array([[10**400]], dtype=object), "too large for float64"),
        (np.array([[1.5, "a"]]), "numbers are text, too: pass a DataFrame"),
        (np.array([[b"a"]]), "expected numbers, times or text"),
        (pd.DataFrame({"a": pd.Categorical([1, "1"])}), "two categories that read '1'"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(X, message):
    with pytest.raises(InvalidInputError, match=message) as caught:
        read_table(X)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (2.43124, "2.431"),
        (-0.05, "-0.05"),
        (1234.0, "1,234"),
        (1234.5678, "1235"),
        (123456.7, "123,457"),
        (1.5e7, "15,000,000"),
        (1.23456e20, "1.235e+20"),
        (0.0000123456, "1.235e-05"),
        (np.nan, "missing"),
    ],
)
def test_numbers_in_words_are_short(value, text):
    assert Column("a").text(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "1970-01-01"),
        (61.0, "1970-01-01 00:01:01"),
        (-86400.0, "1969-12-31"),
        (1709649000.4, "2024-03-05 14:30"),
        (1e15, "1e+15 s"),
    ],
)
def test_times_in_words_are_dates(seconds, text):
    assert Column("a", "time").text(seconds) == text
