"""Read one column of any kind as numbers, with their meaning.

All columns become float64. A number is itself, a missing value NaN, a time the seconds since 1970,
and a category the position of its label in a list. Whole numbers beyond 2**53 and times with
nanoseconds do not fit float64. For such a column the reader subtracts an offset near the middle
before the conversion, so that its differences survive. The column keeps the offset.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor, log10
from numbers import Real
from typing import Any

import numpy as np

from .._util.numbers import value_text
from .._util.types import AnyArray, FloatArray, IntArray
from ..exceptions import InvalidInputError
from .clock import duration_text, zone_name, zone_of, zone_shift
from .offsets import (
    beyond_float64,
    difference,
    minus,
    offset_of_integers,
    offset_of_objects,
    seconds_of,
)

_KINDS = {"number": "numbers", "category": "categories", "time": "times"}

# pandas' names for the contents of a column of Python objects.
_NUMBERS = {"integer", "floating", "mixed-integer-float", "decimal", "empty"}
_TIMES = {"datetime64", "datetime", "date"}
_DURATIONS = {"timedelta64", "timedelta"}

# Decimals of a second in the text of a time, by the largest distance from the offset in seconds.
_DECIMALS = ((10.0, 9), (1e3, 6), (1e5, 3))


@dataclass(frozen=True)
class Column:
    """Description of a column: all but its values.

    Attributes
    ----------
    name : str
    kind : {"number", "category", "time"}
        The values of a category are positions in `labels`. The values of a time are seconds since
        1970 (UTC).
    labels : tuple of str
        The categories.
    zone : str
        The time zone of the times, which their text uses: "Europe/Vienna", "UTC+02:00". Empty if
        they came without one.
    offset : float
        The number that the reader subtracted before the conversion to float64, for times in
        seconds. 0 where the values fit.
    duration : bool
        Whether the numbers are durations in seconds.

    Examples
    --------
    >>> Column("ash").text(2.4312)
    '2.431'
    >>> Column("sold", "time").text(86400.0)
    '1970-01-02'
    >>> Column("sold", "time", zone="Europe/Vienna").text(81000.0)
    '1970-01-01 23:30 CET'
    >>> Column("wait", duration=True).text(9000.0)
    '2 h 30 min'
    >>> Column("colour", "category", ("blue", "red")).text(1.0)
    'red'
    >>> Column("id", offset=2.0**60).text(7.0)
    '1,152,921,504,606,846,983'
    """

    name: str
    kind: str = "number"
    labels: tuple[str, ...] = ()
    zone: str = ""
    offset: float = 0.0
    duration: bool = False

    def text(self, value: float) -> str:
        """Return a value of this column as short text."""
        if np.isnan(value):
            return "missing"
        if self.kind == "category":
            known = 0 <= value < len(self.labels)
            return self.labels[int(value)] if known else "another category"
        if self.kind == "time":
            local = value + self.zone_shift(value)
            text = _fine_time_text(local, self.offset) if self.offset else _time_text(local)
            return f"{text} {zone_name(self.zone, value + self.offset)}" if self.zone else text
        if self.offset:
            return _fine_text(value, self.offset) + " s" * self.duration
        return duration_text(value) if self.duration else value_text(value)

    def zone_shift(self, value: float) -> float:
        """Return the seconds by which clocks of the time zone are ahead of UTC at a time."""
        return zone_shift(self.zone, value + self.offset) if self.zone else 0.0

    def in_units(self, value: float) -> float | int:
        """Return a value with the offset added, as an int if it is whole: float64 may round it."""
        if not self.offset or np.isnan(value):
            return value
        if float(value).is_integer() and self.offset.is_integer():
            return int(self.offset) + int(value)
        return self.offset + value


def _fine_text(value: float, offset: float) -> str:
    """Text of a number minus its offset: with all digits of the offset, and four of its own."""
    decimals = 0 if float(value).is_integer() else max(0, 3 - floor(log10(abs(value))))
    if offset.is_integer() and decimals == 0:
        return f"{int(offset) + round(value):,}"
    total = Fraction(offset) + Fraction(value)
    whole, rest = divmod(round(abs(total) * 10**decimals), 10**decimals)
    return f"{'-' * (total < 0)}{whole:,}.{rest:0{decimals}d}"


def _fine_time_text(value: float, offset: float) -> str:
    """A day and a time of day, with fewer decimals the farther it lies from the offset."""
    decimals = next((n for limit, n in _DECIMALS if abs(value) < limit), 0)
    seconds, nanoseconds = divmod(round(round(value - floor(value), decimals) * 1e9), 10**9)
    seconds += int(offset) + floor(value)
    if nanoseconds == 0 or abs(seconds) >= 9e12:
        return _time_text(float(seconds))
    day, _, clock = str(np.datetime64(seconds, "s")).partition("T")
    return f"{day} {clock}.{nanoseconds:09d}".rstrip("0")


def _time_text(seconds: float) -> str:
    """A day, and a time of day unless it is midnight, as exact as it has to be."""
    if not abs(seconds) < 9e12:  # beyond the years of calendar dates
        return f"{seconds:.4g} s"
    day, _, clock = str(np.datetime64(round(seconds), "s")).partition("T")
    if clock == "00:00:00":
        return day
    return f"{day} {clock.removesuffix(':00')}"


def read_column(
    raw: AnyArray, name: str, what: str, offset: float | None = None
) -> tuple[FloatArray, Column]:
    """Values and description of a column, given as an array of any dtype.

    Without `offset`, the reader chooses one for numbers and times that need it.
    """
    kind = raw.dtype.kind
    if raw.ndim != 1:
        raise InvalidInputError(
            f"column {name!r} of {what} holds arrays: expected one value in each cell; pass "
            "their elements as columns."
        )
    if kind in "iu":
        offset = offset_of_integers(raw, name, what) if offset is None else offset
        return minus(raw, offset), Column(name, offset=offset)
    if kind == "f":
        values = raw.astype(np.float64, copy=False)
        return (values - offset, Column(name, offset=offset)) if offset else (values, Column(name))
    if kind == "b":
        return raw.astype(np.float64), Column(name, "category", ("False", "True"))
    if kind in "mM":
        values, offset = seconds_of(raw, offset)
        if kind == "m":
            return values, Column(name, offset=offset, duration=True)
        return values, Column(name, "time", offset=offset)
    if kind == "c":
        raise InvalidInputError(
            f"Complex data not supported: column {name!r} of {what} holds complex numbers; pass "
            "real and imaginary parts as columns."
        )
    if kind == "U" or type(raw.dtype).__name__ == "StringDType":
        raw = raw.astype(object)
    if raw.dtype.kind == "O":
        return _of_objects(raw, name, what, offset)
    raise InvalidInputError(
        f"column {name!r} of {what} is of type {raw.dtype}: expected numbers, times or text."
    )


def read_pandas_column(
    series: Any, name: str, what: str, offset: float | None = None
) -> tuple[FloatArray, Column]:
    """Values and description of a pandas Series."""
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = series.cat.codes.to_numpy()
        values = np.where(codes < 0, np.nan, codes.astype(np.float64))
        return values, _category(name, [str(label) for label in dtype.categories], what)
    if isinstance(dtype, pd.DatetimeTZDtype):
        stamps = series.dt.tz_convert("UTC").dt.tz_localize(None)
        values, offset = seconds_of(np.asarray(stamps), offset)
        return values, Column(name, "time", zone=zone_of(dtype.tz), offset=offset)
    if isinstance(dtype, pd.PeriodDtype):
        series = series.dt.to_timestamp()
    elif isinstance(dtype, pd.IntervalDtype):
        series = series.astype("category")
        return read_pandas_column(series, name, what)
    elif not isinstance(dtype, np.dtype):
        if pd.api.types.is_bool_dtype(dtype):
            return read_column(series.to_numpy(object), name, what)
        if pd.api.types.is_numeric_dtype(dtype) and not isinstance(dtype, pd.SparseDtype):
            # Nullable numbers: the missing ones become NaN.
            values = series.to_numpy(np.float64, na_value=np.nan)
            if not offset and not (pd.api.types.is_integer_dtype(dtype) and beyond_float64(values)):
                return values, Column(name)
            present = ~np.isnan(values)
            kept, column = read_column(
                series[present].to_numpy(dtype.numpy_dtype), name, what, offset
            )
            values[present] = kept
            return values, column
    return read_column(np.asarray(series), name, what, offset)


def like_column(
    values: FloatArray, column: Column, known: Column, what: str
) -> tuple[FloatArray, Column]:
    """Values of a new column in the codes of a known one: the same category has the same code.

    New categories get the codes after the known ones.
    """
    missing = np.isnan(values)
    if known.offset != column.offset:
        values = values + float(Fraction(column.offset) - Fraction(known.offset))
    if known.kind != column.kind:
        if missing.all():
            return values, known
        if known.kind == "number" and column.labels == ("False", "True"):
            return values, known
        raise InvalidInputError(
            f"column {known.name!r} of {what} holds {_KINDS[column.kind]}, it held "
            f"{_KINDS[known.kind]} when fitted: pass it in the same form."
        )
    if known.kind != "category" or column.labels == known.labels:
        return values, known
    used = np.unique(values[~missing]).astype(np.int64)
    new = sorted({column.labels[i] for i in used} - set(known.labels))
    labels = known.labels + tuple(new)
    code_of = {label: code for code, label in enumerate(labels)}
    codes: IntArray = np.array([code_of.get(label, -1) for label in column.labels], dtype=np.int64)
    out = np.full(len(values), np.nan)
    out[~missing] = codes[values[~missing].astype(np.int64)]
    return out, Column(known.name, "category", labels)


def _of_objects(
    raw: AnyArray, name: str, what: str, offset: float | None = None
) -> tuple[FloatArray, Column]:
    """Read a column of Python objects: numbers, truth values, times or text, with gaps."""
    import pandas as pd

    missing = np.asarray(pd.isna(raw))
    present = raw[~missing]
    contents = contents_of(present, name, what)
    values = np.full(len(raw), np.nan)
    if contents == "number":
        try:
            floats = [float(x) for x in present]
            offset = offset_of_objects(present, floats) if offset is None else offset
            values[~missing] = [difference(x, offset) for x in present] if offset else floats
        except OverflowError as error:
            raise too_large(name, what) from error
        return values, Column(name, offset=offset)
    if contents in {"time", "duration"}:
        stamps, zone = stamps_of_objects(present, contents, name, what)
        values[~missing], offset = seconds_of(stamps, offset)
        if contents == "duration":
            return values, Column(name, offset=offset, duration=True)
        return values, Column(name, "time", zone=zone, offset=offset)
    # Sorted, so that the order of rows does not matter.
    places, found = pd.factorize(present)
    texts = [str(x) for x in found]
    labels = sorted({"False", "True"} if contents == "boolean" else set(texts))
    code_of = {label: code for code, label in enumerate(labels)}
    values[~missing] = np.array([code_of[text] for text in texts], dtype=np.float64)[places]
    return values, Column(name, "category", tuple(labels))


def too_large(name: str, what: str) -> InvalidInputError:
    """Return the error for a Python number beyond float64."""
    return InvalidInputError(
        f"column {name!r} of {what} has a number that is too large for float64: rescale it."
    )


def contents_of(present: AnyArray, name: str, what: str) -> str:
    """Kind of Python objects: "number", "time", "duration", "boolean" or "text"; else refuse."""
    import pandas as pd

    contents = str(pd.api.types.infer_dtype(present, skipna=False))
    if contents in _NUMBERS or all(_is_number(x) for x in present):
        return "number"
    if contents in _TIMES | _DURATIONS:
        return "time" if contents in _TIMES else "duration"
    if contents in {"string", "boolean", "categorical"}:
        return "boolean" if contents == "boolean" else "text"
    first = type(present[0])
    other = next((x for x in present if type(x) is not first), None)
    also = "" if other is None else f" and {other!r} ({type(other).__name__})"
    raise InvalidInputError(
        f"column {name!r} of {what} holds {present[0]!r} ({first.__name__}){also}: expected "
        "only numbers, only times or only text in a column; convert it, or drop it."
    )


def stamps_of_objects(
    present: AnyArray, contents: str, name: str, what: str
) -> tuple[AnyArray, str]:
    """Python's times or durations as an array of datetime64 or timedelta64, and their zone."""
    import pandas as pd

    try:
        found = pd.to_datetime(present, utc=True) if contents == "time" else present
        stamps = pd.Series(found)
        if contents == "time":
            stamps = stamps.dt.tz_localize(None)
        array = np.asarray(stamps)
        np.isnat(array)  # raises if pandas left Python objects
    except (ValueError, TypeError, OverflowError) as error:
        raise InvalidInputError(
            f"column {name!r} of {what} could not be read as times: {error}."
        ) from error
    return array, one_zone({zone_of(getattr(x, "tzinfo", None)) for x in present})


def one_zone(zones: Iterable[str]) -> str:
    """Return the common zone of times; UTC if there are several."""
    found = set(zones)
    return "UTC" if len(found) > 1 else next(iter(found), "")


def _is_number(x: object) -> bool:
    return isinstance(x, (Real, Decimal)) and not isinstance(x, (bool, np.bool_))


def _category(name: str, labels: list[str], what: str) -> Column:
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise InvalidInputError(
            f"column {name!r} of {what} has two categories that read {twice!r}: rename one."
        )
    return Column(name, "category", tuple(labels))
