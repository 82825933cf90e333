"""One column of any kind in; numbers, and what they mean, out.

Whatever a column holds becomes float64: a number is itself, a missing value NaN, a time the
seconds since 1970, and a category the place of its label in a list.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from .._util.numbers import value_text
from .._util.types import AnyArray, FloatArray, IntArray
from ..exceptions import InvalidInputError

_KINDS = {"number": "numbers", "category": "categories", "time": "times"}

# What pandas calls the contents of a column of Python objects.
_NUMBERS = {"integer", "floating", "mixed-integer-float", "decimal", "empty"}
_TIMES = {"datetime64", "datetime", "date"}
_DURATIONS = {"timedelta64", "timedelta"}

# NumPy's units of time that microseconds would cut.
_BELOW_MICROSECONDS = {"ns", "ps", "fs", "as"}


@dataclass(frozen=True)
class Column:
    """What is known of a column beside its values.

    Attributes
    ----------
    name : str
    kind : {"number", "category", "time"}
        The values of a category are the positions of its `labels`, those of a time are seconds
        since 1970 (UTC).
    labels : tuple of str
        The categories.
    utc : bool
        Whether the times came with a time zone, so that in UTC they may read differently.

    Examples
    --------
    >>> Column("ash").text(2.4312)
    '2.431'
    >>> Column("sold", "time").text(86400.0)
    '1970-01-02'
    >>> Column("sold", "time", utc=True).text(81000.0)
    '1970-01-01 22:30 UTC'
    >>> Column("colour", "category", ("blue", "red")).text(1.0)
    'red'
    """

    name: str
    kind: str = "number"
    labels: tuple[str, ...] = ()
    utc: bool = False

    def text(self, value: float) -> str:
        """Return a value of this column in words, short enough to be read."""
        if np.isnan(value):
            return "missing"
        if self.kind == "category":
            known = 0 <= value < len(self.labels)
            return self.labels[int(value)] if known else "another category"
        if self.kind == "time":
            return _time_text(value) + " UTC" * self.utc
        return value_text(value)


def _time_text(seconds: float) -> str:
    """A day, and a time of the day where it is not midnight, as exact as it has to be."""
    if not abs(seconds) < 9e12:  # beyond what dates are written for
        return f"{seconds:.4g} s"
    day, _, clock = str(np.datetime64(round(seconds), "s")).partition("T")
    if clock == "00:00:00":
        return day
    return f"{day} {clock.removesuffix(':00')}"


def read_column(raw: AnyArray, name: str, what: str) -> tuple[FloatArray, Column]:
    """Values of a column given as an array of any dtype, and what they mean."""
    kind = raw.dtype.kind
    if raw.ndim != 1:
        raise InvalidInputError(
            f"column {name!r} of {what} holds arrays: expected one value in each cell; pass what "
            "they hold as columns."
        )
    if kind in "iuf":
        return raw.astype(np.float64, copy=False), Column(name)
    if kind == "b":
        return raw.astype(np.float64), Column(name, "category", ("False", "True"))
    if kind == "M":
        return _seconds(raw), Column(name, "time")
    if kind == "m":
        return _seconds(raw), Column(name)
    if kind == "c":
        raise InvalidInputError(
            f"Complex data not supported: pass real and imaginary parts of {what} as columns."
        )
    if kind == "U" or type(raw.dtype).__name__ == "StringDType":
        raw = raw.astype(object)
    if raw.dtype.kind == "O":
        return _of_objects(raw, name, what)
    raise InvalidInputError(
        f"column {name!r} of {what} is of type {raw.dtype}: expected numbers, times or text."
    )


def read_pandas_column(series: Any, name: str, what: str) -> tuple[FloatArray, Column]:
    """Values of a pandas Series, and what they mean."""
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = series.cat.codes.to_numpy()
        values = np.where(codes < 0, np.nan, codes.astype(np.float64))
        return values, _category(name, [str(label) for label in dtype.categories], what)
    if isinstance(dtype, pd.DatetimeTZDtype):
        values = series.dt.tz_convert("UTC").dt.tz_localize(None)
        return _seconds(np.asarray(values)), Column(name, "time", utc=True)
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
            return series.to_numpy(np.float64, na_value=np.nan), Column(name)
    return read_column(np.asarray(series), name, what)


def like_column(
    values: FloatArray, column: Column, known: Column, what: str
) -> tuple[FloatArray, Column]:
    """Values of a new column, counted as in a known one: the same category has the same code.

    A category that the known column does not have gets a code after all of those.
    """
    missing = np.isnan(values)
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


def _of_objects(raw: AnyArray, name: str, what: str) -> tuple[FloatArray, Column]:
    """Read a column of Python objects: numbers, truth values, times or text, with gaps."""
    import pandas as pd

    missing = np.asarray(pd.isna(raw))
    present = raw[~missing]
    contents = str(pd.api.types.infer_dtype(present, skipna=False))
    values = np.full(len(raw), np.nan)
    if contents in _NUMBERS or all(_is_number(x) for x in present):
        try:
            values[~missing] = [float(x) for x in present]
        except OverflowError as error:
            raise InvalidInputError(
                f"column {name!r} of {what} has a number that is too large for float64: rescale it."
            ) from error
        return values, Column(name)
    if contents in _TIMES | _DURATIONS:
        try:
            found = pd.to_datetime(present, utc=True) if contents in _TIMES else present
            stamps = pd.Series(found)
            if contents in _TIMES:
                stamps = stamps.dt.tz_localize(None)
            values[~missing] = _seconds(np.asarray(stamps))
        except (ValueError, TypeError, OverflowError) as error:
            raise InvalidInputError(
                f"column {name!r} of {what} could not be read as times: {error}."
            ) from error
        if contents in _DURATIONS:
            return values, Column(name)
        zoned = any(getattr(x, "tzinfo", None) is not None for x in present)
        return values, Column(name, "time", utc=zoned)
    if contents in {"string", "boolean", "categorical"}:
        # Sorted, so that the order of rows does not matter.
        texts = [str(x) for x in present]
        labels = sorted({"False", "True"} if contents == "boolean" else set(texts))
        code_of = {label: code for code, label in enumerate(labels)}
        values[~missing] = [code_of[text] for text in texts]
        return values, Column(name, "category", tuple(labels))
    first = type(present[0])
    other = next((x for x in present if type(x) is not first), None)
    also = "" if other is None else f" and {other!r} ({type(other).__name__})"
    raise InvalidInputError(
        f"column {name!r} of {what} holds {present[0]!r} ({first.__name__}){also}: expected "
        "only numbers, only times or only text in a column; convert it, or drop it."
    )


def _is_number(x: object) -> bool:
    return isinstance(x, (Real, Decimal)) and not isinstance(x, (bool, np.bool_))


def _category(name: str, labels: list[str], what: str) -> Column:
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise InvalidInputError(
            f"column {name!r} of {what} has two categories that read {twice!r}: rename one."
        )
    return Column(name, "category", tuple(labels))


def _seconds(raw: AnyArray) -> FloatArray:
    """Times since 1970, or durations, in seconds."""
    unit = "datetime64[us]" if raw.dtype.kind == "M" else "timedelta64[us]"
    whole = raw.astype(unit)
    seconds = whole.astype(np.int64) / 1e6
    if np.datetime_data(raw.dtype)[0] in _BELOW_MICROSECONDS:
        seconds += (raw - whole).astype("timedelta64[as]").astype(np.int64) / 1e18
    return np.where(np.isnat(raw), np.nan, seconds)
