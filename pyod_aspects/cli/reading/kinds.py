"""Turn columns of text into numbers, times or categories.

pandas reads a column as text if any value is not a number. Here a column becomes numbers if nearly
all of its values are, times if all of them are, and else a category.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..messages import elide

if TYPE_CHECKING:
    import pandas as pd

    from ...tables import Column

MOSTLY = 0.9
"""Smallest share of numbers in a column of numbers; other words in it become gaps."""

_LOOK = 200  # values to test before the whole column

_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = {
    ".": re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?", re.ASCII),
    ",": re.compile(r"[+-]?\d{1,3}(\.\d{3})+(,\d*)?|[+-]?\d+(,\d*)?", re.ASCII),
}

_CLOCK = ("", " %H:%M", " %H:%M:%S")
_DAYS = {
    re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}( .*)?"): ("%d.%m.%Y",),
    re.compile(r"\d{1,2}/\d{1,2}/\d{4}( .*)?"): ("%d/%m/%Y", "%m/%d/%Y"),
    re.compile(r"\d{4}/\d{1,2}/\d{1,2}( .*)?"): ("%Y/%m/%d",),
}
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?")
_ZONE = re.compile(r"(Z|[+-]\d\d:?\d\d)$")


def read_kinds(frame: pd.DataFrame, decimal: str = ".") -> tuple[pd.DataFrame, list[str]]:
    """Return the table with its columns converted, and remarks on the conversions."""
    import pandas as pd

    columns, remarks = {}, []
    for name in frame.columns:
        column = frame[name]
        if _is_text(column):
            column, remark = _read_text(column, decimal)
            remarks += [f"{name!r}: {remark}"] if remark else []
        column, infinite = _without_infinities(column)
        if infinite:
            remarks.append(f"{name!r}: {infinite:,} of its values are infinite, taken as missing")
        columns[name] = column
    return pd.DataFrame(columns, index=frame.index), remarks


def align_kinds(frame: pd.DataFrame, like: Sequence[Column]) -> tuple[pd.DataFrame, list[str]]:
    """Return new rows with the kinds of a table's columns, and remarks on values that do not fit.

    A few rows may look like numbers in a column of labels, or like text in one of numbers.
    """
    import pandas as pd
    from pandas.api import types

    columns, remarks = {}, []
    for known in like:
        column = frame[known.name]
        before = column.isna().sum()
        if known.kind == "number" and not types.is_numeric_dtype(column.dtype):
            column = pd.to_numeric(column, errors="coerce")
        elif known.kind == "time" and not types.is_datetime64_any_dtype(column.dtype):
            column = pd.to_datetime(column, errors="coerce", utc=bool(known.zone))
        elif known.kind == "category" and known.labels != ("False", "True"):
            column = column.map(lambda value: None if pd.isna(value) else str(value))
        lost = int(column.isna().sum() - before)
        if lost:
            remarks.append(
                f"{known.name!r}: {lost:,} values do not fit the table, taken as missing"
            )
        columns[known.name] = column
    return pd.DataFrame(columns, index=frame.index), remarks


def _is_text(column: pd.Series) -> bool:
    import pandas as pd

    return pd.api.types.is_object_dtype(column.dtype) or pd.api.types.is_string_dtype(column.dtype)


def _read_text(column: pd.Series, decimal: str) -> tuple[pd.Series, str]:
    """Convert a column of text to numbers, times or a category."""
    import numpy as np
    import pandas as pd

    codes, found = _distinct_texts(column)
    texts = pd.Series(np.asarray(found, dtype=object))
    if not len(texts):
        return pd.Series(float("nan"), index=column.index), ""
    look = texts.iloc[:: max(1, len(texts) // _LOOK)]
    if look.map(lambda text: _to_number(text, decimal) is not None).mean() >= 0.5:
        numbers = texts.map(lambda text: _to_number(text, decimal)).astype("float64")
        values = _spread(numbers, codes, column.index)
        words = int((codes >= 0).sum() - values.notna().sum())
        if words <= (1.0 - MOSTLY) * (codes >= 0).sum():
            some = ", ".join(repr(elide(word, 20)) for word in texts[numbers.isna()][:2])
            remark = f"{words:,} of its values are no numbers ({some}), taken as missing"
            return values, remark if words else ""
    times, remark = _read_times(texts, look, decimal)
    if times is not None:
        return _spread(times, codes, column.index), remark
    return _spread(texts, codes, column.index), ""


def _distinct_texts(column: pd.Series) -> tuple[Any, Any]:
    """Code of each row, -1 for a gap, and the text of each code, without spaces around it.

    The text conversion then handles each distinct text once.
    """
    import numpy as np
    import pandas as pd

    if pd.api.types.infer_dtype(column, skipna=True) != "string":
        return pd.factorize(column.map(_strip))  # 1 and True are equal, "1" and "True" are not
    codes, found = pd.factorize(column)
    code_of, texts = pd.factorize(pd.Series(found, dtype=object).map(_strip))
    return np.append(code_of, -1)[codes], texts  # the last place is the code of a gap


def _strip(value: object) -> object:
    """Text without spaces around it; None for a gap."""
    import pandas as pd

    if isinstance(value, (list, dict)):
        return str(value)
    if isinstance(value, str):
        return value.strip() or None
    return None if pd.isna(value) else str(value)  # type: ignore[call-overload]


def _spread(values: pd.Series, codes: Any, index: pd.Index) -> pd.Series:
    """Values of all rows, given values by code; missing for code -1."""
    spread = values.reindex(codes)
    spread.index = index
    return spread


def _to_number(text: str, decimal: str) -> float | None:
    """Number in a cell, with or without separators of thousands; None if it is no number.

    >>> _to_number("1.234,5", ","), _to_number("1,234", "."), _to_number("1_000", ".")
    (1234.5, 1234.0, None)
    """
    if decimal == "." and _PLAIN.fullmatch(text):
        return float(text)
    if _THOUSANDS[decimal].fullmatch(text):
        apart = "," if decimal == "." else "."
        return float(text.replace(apart, "").replace(",", "."))
    return None


def _read_times(texts: pd.Series, look: pd.Series, decimal: str) -> tuple[pd.Series | None, str]:
    """Convert texts to times if all of them have one of the usual forms."""
    import pandas as pd

    if look.map(lambda text: _ISO.fullmatch(text) is not None).all():
        zoned = look.map(lambda text: _ZONE.search(text[10:]) is not None).any()
        times = pd.to_datetime(texts, format="ISO8601", errors="coerce", utc=bool(zoned))
        return (times, "") if times.notna().all() else (None, "")
    for form, days in _DAYS.items():
        if not look.map(lambda text, form=form: form.fullmatch(text) is not None).all():
            continue
        found = {day: _to_times(texts, day) for day in days}
        fitting = {day: times for day, times in found.items() if times.notna().all()}
        if not fitting:
            return None, ""
        # 03/04/2024 is in March or in April. A file with decimal commas is not American.
        day = next(iter(fitting)) if decimal == "," else list(fitting)[-1]
        first = "day" if day.startswith("%d") else "month"
        return fitting[day], f"dates read with the {first} first" if len(fitting) > 1 else ""
    return None, ""


def _to_times(texts: pd.Series, day: str) -> pd.Series:
    """Times of a form, with or without a time of day; NaT where the text has another form."""
    import pandas as pd

    times = pd.Series(pd.NaT, index=texts.index, dtype="datetime64[ns]")
    for clock in _CLOCK:
        left = times.isna()
        if left.any():
            read = pd.to_datetime(texts[left], format=day + clock, errors="coerce")
            times[left] = read.astype("datetime64[ns]")
    return times


def _without_infinities(column: pd.Series) -> tuple[pd.Series, int]:
    import numpy as np
    import pandas as pd

    if not pd.api.types.is_float_dtype(column.dtype):
        return column, 0
    infinite = np.isinf(column.to_numpy(dtype="float64", na_value=np.nan))
    return (column.mask(infinite), int(infinite.sum())) if infinite.any() else (column, 0)
