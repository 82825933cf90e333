"""The columns of a table in parts: facts of each part, and the columns of the whole.

A part is a pandas DataFrame. Facts of parts add up, in the order of the parts, to the columns that
`read_table` gives for the whole table. Where numbers or times need an offset, a second pass over
the parts samples their distinct values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice
from math import inf
from numbers import Integral
from typing import Any

import numpy as np

from .._util.types import AnyArray, FloatArray
from ..exceptions import InvalidInputError
from .clock import zone_of
from .column import Column, contents_of, one_zone, read_pandas_column, stamps_of_objects, too_large
from .offsets import (
    Ticks,
    beyond_float64,
    offset_of_objects,
    offset_of_whole,
    rounds,
    some_of,
    ticks_of,
    warn_of_lost,
)
from .table import frame_names, read_table, refuse_empty

_KINDS = {
    "number": "numbers",
    "boolean": "truth values",
    "text": "text",
    "category": "categories",
    "interval": "intervals",
    "time": "times",
    "duration": "durations",
}

# Most distinct Python numbers of a column: decimals, and whole numbers beyond 64 bits.
_MOST_OBJECTS = 100_000

# float64 tells decimals of so many digits apart.
_DIGITS = 15


@dataclass(frozen=True)
class ColumnFacts:
    """Facts of a column in one part.

    Attributes
    ----------
    name : str
    kind : str
        "number", "boolean", "text", "category", "interval", "time", "duration"; empty if the part
        has no values.
    labels : tuple
        Categories in their order; texts and intervals in any order.
    zones : frozenset of str
        Time zones of times.
    rounded : bool
        Whether float64 rounds numbers, so that they may need an offset.
    types : frozenset of str
        Types of arrays of numbers: "<i8", "<f8"; "|O" for Python objects.
    ticks : Ticks
        Range of times or durations.
    """

    name: str
    kind: str = ""
    labels: tuple[Any, ...] = ()
    zones: frozenset[str] = frozenset()
    rounded: bool = False
    types: frozenset[str] = frozenset()
    ticks: Ticks = field(default_factory=Ticks)

    def __add__(self, other: ColumnFacts) -> ColumnFacts:
        if self.kind and other.kind and self.kind != other.kind:
            raise InvalidInputError(
                f"column {self.name!r} holds {_KINDS[self.kind]} in some partitions and "
                f"{_KINDS[other.kind]} in others: expected one kind; convert it, or drop it."
            )
        return ColumnFacts(
            self.name,
            self.kind or other.kind,
            tuple(dict.fromkeys(self.labels + other.labels)),
            self.zones | other.zones,
            self.rounded or other.rounded,
            self.types | other.types,
            self.ticks + other.ticks,
        )

    @property
    def needs_offset(self) -> bool:
        """Whether the column needs an offset, and a sample of its values to choose it."""
        # Whole numbers in some parts and floats in others are floats together.
        floats = np.result_type(*self.types, np.bool_).kind == "f"
        return (self.rounded and not floats) or self.ticks.rounded

    @property
    def objects(self) -> bool:
        """Whether numbers are Python objects in some parts."""
        return "|O" in self.types

    def column(self, what: str = "X", some: Any = None) -> Column:
        """Return the column of the whole table; `some` is `some_values` if it needs an offset."""
        if self.kind == "boolean":
            return Column(self.name, "category", ("False", "True"))
        if self.kind in {"text", "category", "interval"}:
            labels = self.labels if self.kind == "category" else sorted(self.labels)
            return Column(self.name, "category", tuple(map(str, labels)))
        offset = self._offset(what, some) if self.needs_offset else 0.0
        if self.kind == "time":
            return Column(self.name, "time", zone=one_zone(self.zones), offset=offset)
        return Column(self.name, offset=offset, duration=self.kind == "duration")

    def _offset(self, what: str, some: Any) -> float:
        if self.kind != "number":
            return self.ticks.offset(some)
        if self.objects:
            if len(some) > _MOST_OBJECTS:
                raise InvalidInputError(
                    f"column {self.name!r} of {what} holds more than {_MOST_OBJECTS:,} Python "
                    "numbers that float64 rounds, in partitions: convert it to int64 or float64."
                )
            return offset_of_objects(list(some.values()), [float(x) for x in some.values()])
        offset = offset_of_whole(some)
        warn_of_lost(some, offset, self.name, what)
        return offset


@dataclass(frozen=True)
class TableFacts:
    """Facts of all columns, and the number of rows of each part."""

    sizes: tuple[int, ...]
    columns: tuple[ColumnFacts, ...]

    @classmethod
    def of(cls, frame: Any, what: str = "X") -> TableFacts:
        """Read the facts of a part."""
        names = frame_names(frame)
        columns = (_facts(frame.iloc[:, i], name, what) for i, name in enumerate(names))
        return cls((len(frame),), tuple(columns))

    def __add__(self, other: TableFacts) -> TableFacts:
        names, others = ([c.name for c in facts.columns] for facts in (self, other))
        if names != others:
            raise InvalidInputError(
                f"some partitions have the columns {names}, others {others}: expected the same "
                "columns in the same order."
            )
        pairs = zip(self.columns, other.columns, strict=True)
        return TableFacts(self.sizes + other.sizes, tuple(a + b for a, b in pairs))

    def columns_given(self, some: Mapping[int, Any], what: str = "X") -> tuple[Column, ...]:
        """Return the columns of the whole table, given `some_values` of columns with an offset."""
        refuse_empty((sum(self.sizes), len(self.columns)), what)
        return tuple(c.column(what, some.get(i)) for i, c in enumerate(self.columns))

    def need_offsets(self) -> dict[int, ColumnFacts]:
        """Return the columns that need an offset, by number."""
        return {i: c for i, c in enumerate(self.columns) if c.needs_offset}


def read_part(frame: Any, columns: Sequence[Column], what: str = "X") -> FloatArray:
    """Return the values of a part in the codes of the columns of the whole table."""
    if len(frame) == 0:
        return np.empty((0, len(columns)))
    return read_table(frame, what, like=columns, named=True).values


def plain_values(
    frame: Any, facts: TableFacts, what: str = "X"
) -> Iterator[tuple[int, FloatArray]]:
    """Number and values of each column of a part; they are final if it has no offset."""
    for i, column in enumerate(facts.columns):
        if column.kind in {"number", "time", "duration", ""}:
            yield i, read_pandas_column(frame.iloc[:, i], column.name, what, 0.0)[0]


def _facts(series: Any, name: str, what: str) -> ColumnFacts:
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        _, column = read_pandas_column(series.iloc[:0], name, what)
        return ColumnFacts(name, "category", column.labels)
    if isinstance(dtype, pd.IntervalDtype):
        return ColumnFacts(name, "interval", tuple(series.dropna().unique()))
    if isinstance(dtype, pd.DatetimeTZDtype):
        stamps = np.asarray(series.dt.tz_convert("UTC").dt.tz_localize(None))
        return ColumnFacts(
            name, "time", zones=frozenset({zone_of(dtype.tz)}), ticks=Ticks.of(stamps)
        )
    raw = _raw(series)
    kind = raw.dtype.kind
    if kind == "O":
        return _facts_of_objects(raw, name, what)
    if kind == "b":
        return ColumnFacts(name, "boolean")
    if kind in "iuf":
        gaps = kind == "f" and bool(np.isnan(raw).all())
        types = frozenset({getattr(dtype, "numpy_dtype", raw.dtype).str} if raw.size else ())
        rounded = kind != "f" and rounds(raw)
        return ColumnFacts(name, "" if gaps else "number", rounded=rounded, types=types)
    if kind == "M":
        return ColumnFacts(name, "time", zones=frozenset({""}), ticks=Ticks.of(raw))
    if kind == "m":
        return ColumnFacts(name, "duration", ticks=Ticks.of(raw))
    read_pandas_column(series, name, what)  # refuses it
    raise AssertionError(f"{raw.dtype} is read, but not looked over")


def _raw(series: Any) -> AnyArray:
    """Values of a column as an array; large nullable whole numbers without gaps."""
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.PeriodDtype):
        return np.asarray(series.dt.to_timestamp())
    if not isinstance(dtype, np.dtype):
        if pd.api.types.is_bool_dtype(dtype):
            return np.asarray(series.to_numpy(object))
        if pd.api.types.is_numeric_dtype(dtype) and not isinstance(dtype, pd.SparseDtype):
            whole = pd.api.types.is_integer_dtype(dtype)
            if not (whole and beyond_float64(series.to_numpy(np.float64, na_value=np.nan))):
                return np.asarray(series.to_numpy(np.float64, na_value=np.nan))
            return np.asarray(series.dropna().to_numpy(dtype.numpy_dtype))
    return np.asarray(series)


def _facts_of_objects(raw: AnyArray, name: str, what: str) -> ColumnFacts:
    import pandas as pd

    present = raw[~np.asarray(pd.isna(raw))]
    if present.size == 0:
        return ColumnFacts(name)
    kind = contents_of(present, name, what)
    if kind == "number":
        try:
            rounded = any(map(_is_rounded, present))
        except OverflowError as error:
            raise too_large(name, what) from error
        return ColumnFacts(name, kind, rounded=rounded, types=frozenset({"|O"}))
    if kind in {"time", "duration"}:
        stamps, _ = stamps_of_objects(present, kind, name, what)
        zones = {zone_of(getattr(x, "tzinfo", None)) for x in present} if kind == "time" else ()
        return ColumnFacts(name, kind, zones=frozenset(zones), ticks=Ticks.of(stamps))
    if kind == "boolean":
        return ColumnFacts(name, kind)
    return ColumnFacts(name, kind, tuple({str(x) for x in pd.unique(present)}))


def _is_rounded(x: Any) -> bool:
    """Whether float64 may make a Python number equal to the next one of its kind."""
    if isinstance(x, float) or abs(x) == inf:
        return False
    if isinstance(x, Integral):
        return bool(float(x) != x)
    return len(x.as_tuple().digits) > _DIGITS if isinstance(x, Decimal) else True


def some_values(frame: Any, columns: dict[int, ColumnFacts], what: str = "X") -> dict[int, Any]:
    """Return a sample of the distinct values of columns that need an offset, by number.

    They are whole numbers, the ticks of times, or all Python objects.
    """
    return {i: _some(frame.iloc[:, i], facts, what) for i, facts in columns.items()}


def add_values(one: dict[int, Any], two: dict[int, Any]) -> dict[int, Any]:
    """Return the sample of two parts together."""
    return {i: _union(values, two[i]) for i, values in one.items()}


def _some(series: Any, facts: ColumnFacts, what: str) -> Any:
    import pandas as pd

    if isinstance(series.dtype, pd.DatetimeTZDtype):
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    raw = _raw(series)
    if facts.kind == "number":
        present = raw[~np.asarray(pd.isna(raw))]
        if facts.objects:
            return _few({(type(x).__name__, x): x for x in present.tolist()})
        return some_of(np.unique(present.astype(np.result_type(*facts.types))))
    if raw.dtype.kind == "O":
        raw, _ = stamps_of_objects(raw[~np.asarray(pd.isna(raw))], facts.kind, facts.name, what)
    ticks = Ticks.of(raw)
    if not ticks.per_second:
        return np.empty(0, dtype=np.int64)
    finer = ticks.multiple * facts.ticks.per_second // (ticks.per_second * facts.ticks.multiple)
    return some_of(np.unique(ticks_of(raw) * finer))


def _union(one: Any, two: Any) -> Any:
    if isinstance(one, dict):
        return _few(one | two)
    return some_of(np.union1d(one, two))


def _few(objects: dict[Any, Any]) -> dict[Any, Any]:
    """The first objects, one more than the limit at most."""
    return dict(islice(objects.items(), _MOST_OBJECTS + 1))
