"""Numbers and times that float64 would round keep their differences: an offset is subtracted."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from pyod_aspects import AspectExplainer, KDEBeam, SGBeam
from pyod_aspects.density import KDE, SGrid
from pyod_aspects.exceptions import InvalidInputError, PrecisionWarning
from pyod_aspects.tables import Column, read_table

BIG = 2**60
SMALL = np.array([0, 1, 2, 5, 300, 1000, 1001])


def differences(table, column=0):
    return (table.values[:, column] - table.values[0, column]).tolist()


def polars_column(values, dtype):
    pl = pytest.importorskip("polars")
    return pl.DataFrame({"x0": pl.Series(values, dtype=getattr(pl, dtype))})


@pytest.mark.parametrize(
    "make",
    [
        lambda x: np.array(x, dtype=np.int64)[:, None],
        lambda x: np.array(x, dtype=np.uint64)[:, None],
        lambda x: np.array(x, dtype=">i8")[:, None],
        lambda x: np.array(x, dtype=object)[:, None],
        lambda x: [[int(v), 1.5] for v in x],
        lambda x: np.ma.array(np.array(x)[:, None], mask=False),
        lambda x: pd.DataFrame({"x0": x}),
        lambda x: pd.DataFrame({"x0": x}, dtype=object),
        lambda x: pd.DataFrame({"x0": x, "x1": np.arange(len(x)) / 2}),
        lambda x: pd.DataFrame({"x0": pd.array(x, dtype="Int64")}),
        lambda x: pd.DataFrame({"x0": pd.array(x, dtype="UInt64")}),
        lambda x: polars_column(x, "Int64"),
        lambda x: pd.DataFrame({"x0": [Decimal(v) for v in x]}),
        lambda x: pd.DataFrame({"x0": [Fraction(v) for v in x]}),
    ],
    ids=[
        *("int64", "uint64", "big-endian", "objects", "lists", "masked", "frame"),
        *("object frame", "two types", "Int64", "UInt64", "polars", "decimals", "fractions"),
    ],
)
def test_whole_numbers_beyond_2_to_the_53_keep_their_differences(make):
    table = read_table(make([BIG + int(v) for v in SMALL]))
    column = table.columns[0]
    assert column.kind == "number"
    assert abs(column.offset) > 2**59
    assert differences(table) == SMALL.tolist()
    first = column.in_units(float(table.values[0, 0]))
    assert isinstance(first, int)
    assert column.text(float(table.values[0, 0])) == f"{first:,}"
    assert first == BIG


@pytest.mark.parametrize(
    "column",
    [
        pd.array([BIG, None, BIG + 1, BIG + 3], dtype="Int64"),
        pd.array([2**64 - 4, None, 2**64 - 3, 2**64 - 1], dtype="UInt64"),
        pd.Series([BIG, None, BIG + 1, BIG + 3], dtype=object),
        pd.Series([10**25, None, 10**25 + 1, 10**25 + 3], dtype=object),
    ],
    ids=["Int64", "UInt64", "objects", "beyond 64 bits"],
)
def test_gaps_among_large_numbers_are_missing(column):
    table = read_table(pd.DataFrame({"id": column}))
    assert_array_equal(table.values[:, 0] - table.values[0, 0], [0, np.nan, 1, 3])
    assert table.columns[0].text(float("nan")) == "missing"


def test_gaps_in_masked_arrays_and_in_polars_are_missing():
    masked = np.ma.array([[BIG], [7], [BIG + 1]], mask=[[0], [1], [0]])
    for X in (masked, polars_column([BIG, None, BIG + 1], "Int64")):
        table = read_table(X)
        assert_array_equal(table.values[:, 0] - table.values[0, 0], [0, np.nan, 1])


@pytest.mark.filterwarnings("ignore::pyod_aspects.exceptions.PrecisionWarning")
@given(
    values=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=8),
    offset=st.sampled_from([None, 0.0, 2.0**60, -(2.0**63), 2.0**63, 2.0**64]),
)
def test_values_are_the_exact_difference_rounded_once(values, offset):
    table = read_table(np.array(values)[:, None], offsets=None if offset is None else [offset])
    used = int(table.columns[0].offset)
    assert offset is None or used == offset
    assert table.values[:, 0].tolist() == [float(v - used) for v in values]


@pytest.mark.filterwarnings("ignore::pyod_aspects.exceptions.PrecisionWarning")
@given(values=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=8))
def test_unsigned_values_are_the_exact_difference_rounded_once(values):
    table = read_table(np.array(values, dtype=np.uint64)[:, None])
    used = int(table.columns[0].offset)
    assert table.values[:, 0].tolist() == [float(v - used) for v in values]


@pytest.mark.parametrize(
    "X",
    [
        np.array([[2**53, -(2**53)], [5, 6]]),
        np.array([[2**62, 2**60], [2**61, 3 * 2**58]]),
        np.array([[2**53 + 1, 0], [5, 1], [6, 2]]),
        np.array([[1e300, 2.0**70 + 2**20], [1.0, 2.0**70]]),
        np.array([[Decimal("0.1"), Decimal("19.99")], [Decimal("0.3"), Decimal(7)]], dtype=object),
        np.array([["2024-03-05T14:30:00.25"], ["2024-03-06T14:30:00.000001"]], dtype="M8[ns]"),
        np.array([[1], [2], [10**6]], dtype="m8[ns]"),
    ],
    ids=[
        *("just fits", "powers of two", "the middle fits", "floats", "decimals"),
        *("microseconds", "short durations"),
    ],
)
def test_what_fits_has_no_offset(X):
    table = read_table(X)
    assert [column.offset for column in table.columns] == [0.0] * X.shape[1]
    if X.dtype.kind in "iuf":
        assert_array_equal(table.values, X.astype(np.float64))


def test_numbers_that_float64_rounds_whatever_the_offset_are_warned_of():
    column = np.array([1, 2, 3, BIG, BIG + 1, BIG + 2, BIG + 3, BIG + 4])
    message = (
        r"^column 'x0' of X runs from 1 to 1152921504606846980, so that float64 does not tell 2 of "
        r"its 8 values from the next ones: pass them as text if they are names, or split .*\.$"
    )
    with pytest.warns(PrecisionWarning, match=message) as warned:
        table = read_table(column[:, None])
    assert len(warned) == 1
    assert np.diff(table.values[3:, 0]).tolist() == [1, 1, 1, 1]


def test_random_numbers_of_64_bits_are_not_warned_of():
    rng = np.random.default_rng(0)
    table = read_table(rng.integers(-(2**63), 2**63 - 1, (10_000, 1)))
    assert len(np.unique(table.values)) == 10_000


def test_a_column_of_gaps_has_no_offset():
    table = read_table(pd.DataFrame({"a": pd.array([None, None], dtype="Int64")}))
    assert np.isnan(table.values).all()
    assert table.columns == (Column("a"),)


def test_decimals_that_float64_would_make_equal_are_told_apart():
    texts = ["1234567890123456789.01", "1234567890123456789.02", "1234567890123456790.5"]
    table = read_table(pd.DataFrame({"sum": [Decimal(text) for text in texts]}))
    np.testing.assert_allclose(differences(table), [0, 0.01, 1.49])
    column = table.columns[0]
    shown = [column.text(v) for v in table.values[:, 0]]
    assert len(set(shown)) == 3
    assert shown[2].startswith("1,234,567,890,123,456,790.5")


MOMENT = np.datetime64("2024-03-05T14:30:00.250001", "ns")


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x[:, None],
        lambda x: pd.DataFrame({"x0": x}),
        lambda x: pd.DataFrame({"x0": pd.Series(x).dt.tz_localize("UTC")}),
        lambda x: pd.DataFrame({"x0": pd.Series(list(pd.Series(x)), dtype=object)}),
        lambda x: polars_column(x, "Datetime"),
    ],
    ids=["array", "frame", "time zone", "objects", "polars"],
)
def test_times_keep_their_nanoseconds(make):
    stamps = MOMENT + np.array([0, 1, 2, 7, 900]).astype("m8[ns]")
    X = make(stamps)
    if not hasattr(X, "iloc") and hasattr(X, "columns"):
        pl = pytest.importorskip("polars")
        X = pl.DataFrame({"x0": pl.Series(stamps)})
    table = read_table(X)
    column = table.columns[0]
    assert (column.kind, column.offset) == ("time", 1709649000.0)
    np.testing.assert_allclose(differences(table), [0, 1e-9, 2e-9, 7e-9, 9e-7], atol=1e-15)
    texts = [column.text(v).removesuffix(" UTC") for v in table.values[:, 0]]
    assert texts[0] == "2024-03-05 14:30:00.250001"
    assert texts[3] == "2024-03-05 14:30:00.250001007"


@pytest.mark.parametrize("year", ["1931", "1970"])
def test_nanoseconds_before_1970_are_kept_too(year):
    stamps = np.array([f"{year}-12-31T23:59:59.999999998"], dtype="M8[ns]")
    stamps = stamps + np.array([0, 1, 2, 3]).astype("m8[ns]")
    table = read_table(stamps[:, None])
    np.testing.assert_allclose(differences(table), [0, 1e-9, 2e-9, 3e-9], atol=1e-15)
    texts = [table.columns[0].text(v) for v in table.values[:, 0]]
    after = str(int(year) + 1)
    assert texts == [
        f"{year}-12-31 23:59:59.999999998",
        f"{year}-12-31 23:59:59.999999999",
        f"{after}-01-01",
        f"{after}-01-01 00:00:00.000000001",
    ]


def test_gaps_among_nanoseconds_are_missing_and_long_durations_have_an_offset_too():
    stamps = np.array([MOMENT, "NaT", MOMENT + np.timedelta64(3, "ns")], dtype="M8[ns]")
    table = read_table(np.column_stack([stamps - np.datetime64("1970", "ns"), stamps - stamps[0]]))
    assert table.only_numbers
    np.testing.assert_allclose(differences(table), [0, np.nan, 3e-9], atol=1e-15)
    assert [column.offset for column in table.columns] == [1709649000.0, 0.0]
    assert table.columns[0].text(0.25) == "1,709,649,000.2500 s"


def test_long_durations_keep_their_picoseconds():
    durations = np.array([[5 * 10**18], [5 * 10**18 + 1], [5 * 10**18 + 250]], dtype="m8[ps]")
    table = read_table(durations)
    assert table.columns[0].offset == 5e6
    np.testing.assert_allclose(differences(table), [0, 1e-12, 2.5e-10])


def test_a_time_far_from_the_offset_is_shown_with_fewer_decimals():
    column = Column("sent", "time", zone="UTC", offset=1709649000.0)
    values = (0.25, 2.0, 100.0000005, 7200.1239, 200_000.7, float("nan"))
    assert [column.text(v) for v in values] == [
        "2024-03-05 14:30:00.25 UTC",
        "2024-03-05 14:30:02 UTC",
        "2024-03-05 14:31:40 UTC",
        "2024-03-05 16:30:00.124 UTC",
        "2024-03-07 22:03:21 UTC",
        "missing",
    ]


def test_new_rows_are_read_with_the_offset_of_the_table():
    fitted = read_table(np.array([[BIG], [BIG + 1], [BIG + 2]])).columns
    offset = int(fitted[0].offset)
    for new in (
        np.array([[0], [0], [BIG + 1]]),
        np.array([[BIG + 1]], dtype=np.uint64),
        [[None], [BIG + 1]],
        pd.DataFrame({"x0": pd.array([5, None, BIG + 1], dtype="Int64")}),
        read_table(np.array([[BIG + 500_000], [BIG + 1]])),
    ):
        table = read_table(new, like=fitted)
        assert table.columns == fitted
        assert table.values[-1, 0] == BIG + 1 - offset
    assert read_table([[7.5]], like=fitted).values == 7.5 - offset
    small = read_table([[1], [2], [3]]).columns
    assert read_table(np.array([[5], [BIG + 1], [BIG + 3]]), like=small).values[0] == 5.0


def test_new_times_are_read_with_the_offset_of_the_table():
    fitted = read_table((MOMENT + np.arange(5).astype("m8[ns]"))[:, None]).columns
    new = read_table(np.array([["2024-03-05T14:30:01"], ["NaT"]], dtype="M8[s]"), like=fitted)
    assert_array_equal(new.values, [[1.0], [np.nan]])
    with pytest.raises(InvalidInputError, match="holds numbers, it held times when fitted"):
        read_table([[1.5]], like=fitted)


@pytest.mark.parametrize(
    "miner", [SGBeam(max_dim=1), KDEBeam(max_dim=1)], ids=["SGBeam", "KDEBeam"]
)
def test_a_row_apart_by_little_is_found_among_large_numbers_and_among_nanoseconds(miner):
    rng = np.random.default_rng(0)
    ticks = rng.integers(0, 300, 400)
    ticks[7] = 900
    noise = rng.normal(size=400)
    frame = pd.DataFrame({"noise": noise, "id": BIG + ticks})
    stamps = frame.assign(id=MOMENT + ticks.astype("m8[ns]"))
    plain = miner.fit(frame.assign(id=ticks)).mine(frame.assign(id=ticks).iloc[[7]])[0][0]
    for table in (frame, stamps):
        found = miner.fit(table).mine(table.iloc[[7]])[0][0]
        assert found.subspace == plain.subspace == (1,)
        assert found.score == pytest.approx(plain.score, rel=0.02)


@pytest.mark.parametrize("density", [SGrid(bins=20), KDE()], ids=["SGrid", "KDE"])
def test_points_of_a_density_are_read_as_its_table_was(density):
    ticks = np.random.default_rng(0).integers(0, 300, (200, 1))
    large = density.fit(BIG + ticks)
    got = large.density((0,), BIG + ticks[:5])
    assert_array_equal(got, large.density((0,))[:5])
    assert got.tolist() == large.density((0,), [[int(v)] for v in BIG + ticks[:5, 0]]).tolist()


class Recorder:
    """A detector that keeps what it is given."""

    def __init__(self, n):
        self.decision_scores_ = np.zeros(n)

    def decision_function(self, X):
        Recorder.seen = X
        return np.zeros(len(X))


def test_a_detector_gets_new_rows_in_the_units_that_it_was_fitted_in():
    X = BIG + np.arange(40).reshape(20, 2)
    explainer = AspectExplainer(Recorder(20), SGBeam(max_dim=1)).fit(X)
    for new in (X[:3], pd.DataFrame(X[:3]), read_table(X[:3])):
        explanation = explainer.explain(new)
        assert_array_equal(Recorder.seen, X[:3].astype(np.float64))
        assert_array_equal(explanation.background.explained.values, explainer.table_.values[:3])


def test_moments_of_python_have_no_offset():
    moments = [dt.datetime(2024, 3, 5, 14, 30, 0, 250_001), dt.datetime(2024, 3, 5)]
    assert read_table(pd.DataFrame({"at": moments})).columns[0].offset == 0.0
