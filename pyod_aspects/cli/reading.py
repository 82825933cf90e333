"""The table: a CSV file, of which the user wants some columns, all of numbers."""

from __future__ import annotations

import csv
import io
import re
import reprlib
import shlex
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from .messages import CommandError, suggestion

if TYPE_CHECKING:
    import pandas as pd

STDIN = "the standard input"
"""What - is called from here on."""


def read_table(
    path: str,
    sep: str = ",",
    no_header: bool = False,
    columns: Sequence[str] | None = None,
    exclude: Sequence[str] | None = None,
    note: Callable[[str], None] | None = None,
    text: bool = False,
    gaps: bool = False,
) -> pd.DataFrame:
    """Read the columns that the user wants from a CSV file, of numbers unless more may be there.

    With `text` there may be columns of text alone, with `gaps` values may be missing.
    """
    frame, hint_at_sep = _read_csv(path, sep, no_header)
    names = list(frame.columns)
    for name in [*(columns or ()), *(exclude or ())]:
        if name not in names:
            hint = suggestion(name, names)
            raise CommandError(f"{path} has no column {name!r}{hint}")
    # Each once, in the order of the user or else of the file.
    wanted = [name for name in dict.fromkeys(columns or names) if name not in (exclude or ())]
    if not wanted:
        raise CommandError(f"--exclude leaves no column of {path}.")
    if columns is None:
        counters = _counters(frame)
        left_out = [name for name in wanted if name in counters]
        if 0 < len(left_out) < len(wanted):
            wanted = [name for name in wanted if name not in counters]
            if note is not None:
                note(
                    f"{', '.join(map(repr, left_out))} only counts the rows, as pandas writes it, "
                    "and is left out; --columns can bring it back."
                )
    if text:
        _refuse_mixed(path, frame[wanted])
        return frame[wanted]
    return _to_numbers(path, frame[wanted], hint_at_sep, gaps)


def _counters(frame: pd.DataFrame) -> list[str]:
    """The unnamed columns at the left that count 0, 1, ..., one for each careless `to_csv()`."""
    import numpy as np

    found: list[str] = []
    for name in frame.columns:
        if not re.fullmatch(r"Unnamed: \d+(\.\d+)*", name):
            break
        if not np.array_equal(frame[name], np.arange(len(frame))):
            break
        found.append(name)
    return found


def _hint_at_sep(content: bytes, sep: str, no_header: bool) -> str:
    """End of a sentence: what else may separate the columns, by the first line of the file."""
    line = content.lstrip(b"\r\n").partition(b"\n")[0]
    least = line.count(sep.encode())
    for other, option in ((";", "';'"), ("\t", "tab"), ("|", "'|'"), (",", "','")):
        count = line.count(other.encode())
        if no_header and (other, sep) == (";", ","):
            count *= least + 1  # Decimal commas may well outnumber the semicolons,
        if no_header and (other, sep) == (",", ";"):
            count = count if least == 0 else 0  # and do so here.
        if other != sep and count > least:
            return f"; the delimiter may be {option}: try --sep {option}"
    return ""


LONGEST_LINE = 2**24
"""Bytes of a line; a table with 100,000 columns has far fewer."""

_OTHER_FILES = {
    b"\xff\xfe": "text in UTF-16: save it again as UTF-8",
    b"\xfe\xff": "text in UTF-16: save it again as UTF-8",
    b"PK\x03\x04": "a zip file, as spreadsheets are: save the table as CSV",
    b"\x1f\x8b": "compressed with gzip: unpack it first",
    b"PAR1": "a Parquet file: save the table as CSV",
}


def read_text(path: str, file: IO[bytes]) -> bytes:
    """Read all of a file, unless it turns out to be no text with lines on the way."""
    chunks: list[bytes] = []
    line = 0  # bytes since the last line ended
    while chunk := file.read(2**20):
        for start, what in _OTHER_FILES.items():
            if not chunks and chunk.startswith(start):
                raise CommandError(f"{path} is {what}.")
        if b"\0" in chunk:
            raise CommandError(f"{path} is not text, it has NUL bytes: expected a CSV file.")
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        line = line + len(chunk) if end < 0 else len(chunk) - end - 1
        if line > LONGEST_LINE:
            raise CommandError(
                f"{path} has a line of more than {LONGEST_LINE // 2**20} MB: expected a CSV file."
            )
        chunks.append(chunk)
    return b"".join(chunks)


def _read_csv(path: str, sep: str, no_header: bool) -> tuple[pd.DataFrame, str]:
    """The table, and what to hint at if its values turn out to be no numbers."""
    import pandas as pd

    content = b""
    try:
        if path == STDIN and sys.stdin is None:  # as after <&-
            raise CommandError(f"{STDIN} is closed.")
        # Read here and not by pandas, which takes a Ctrl-C while it reads for a broken file.
        if path == STDIN:
            content = read_text(path, sys.stdin.buffer)
        else:
            with open(path, "rb") as file:
                content = read_text(path, file)
        with warnings.catch_warnings():
            # With index_col=False lines that are too long are cut, and only a warning says so.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame: pd.DataFrame = pd.read_csv(
                io.BytesIO(content),
                sep=sep,
                header=None if no_header else 0,
                index_col=False,
                encoding="utf-8-sig",
                skipinitialspace=True,
            )
    except pd.errors.EmptyDataError:
        raise CommandError(f"{path} is empty: expected a CSV file.") from None
    except UnicodeDecodeError:
        raise CommandError(
            f"{path} is not text in UTF-8: expected a CSV file; save it again as UTF-8."
        ) from None
    except pd.errors.ParserWarning:
        raise CommandError(
            f"{path} has lines with more values than there are names in its header"
            f"{_hint_at_sep(content, sep, no_header)}."
        ) from None
    except ValueError as error:
        hint = _hint_at_sep(content, sep, no_header) or " (--sep says what separates the columns)"
        raise CommandError(f"{path} cannot be read as CSV: {str(error).strip()}{hint}.") from None
    except FileNotFoundError:
        raise CommandError(f"there is no file {path}.") from None
    except IsADirectoryError:
        raise CommandError(f"{path} is a folder: expected a CSV file.") from None
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from None
    names = [str(name).strip() or f"Unnamed: {i}" for i, name in enumerate(frame.columns)]
    frame.columns = [f"x{i}" for i in range(len(names))] if no_header else names
    hint = _hint_at_sep(content, sep, no_header)
    if len(frame) == 0:
        raise CommandError(f"{path} has no rows{' below its header' * (not no_header)}.")
    if len(frame.columns) == 1 and hint:
        raise CommandError(f"{path} has one column only{hint}.")
    for name in frame.columns[frame.columns.duplicated()]:
        raise CommandError(f"{path} has several columns {name!r}, apart from spaces: rename one.")
    return frame, hint


def _refuse_mixed(path: str, frame: pd.DataFrame) -> None:
    """Refuse a column in which numbers would be taken for text, as there is some among them."""
    import pandas as pd

    for name in frame.columns:
        if pd.api.types.is_numeric_dtype(frame[name]):
            continue
        for row, value in enumerate(frame[name]):
            if isinstance(value, str) and _is_decimal_comma(value):
                raise CommandError(
                    f"{path}: column {name!r} has decimal commas instead of points "
                    f"({value!r} in row {row}): save it with points."
                )
        present = frame[name].dropna().astype(str)
        words = ~present.map(is_number).astype(bool)
        if words.any() and not words.all():
            raise CommandError(
                f"{path}: column {name!r} holds text among numbers "
                f"({reprlib.repr(present[words].iloc[0])} in row {present.index[words][0]}, "
                f"{words.sum():,} in all): leave cells without a number empty."
            )


def _to_numbers(
    path: str, frame: pd.DataFrame, hint_at_sep: str = "", gaps: bool = False
) -> pd.DataFrame:
    """Turn the columns into numbers, or say which ones are not; whole ones stay whole.

    Those beyond 2**53 would be rounded as float64.
    """
    import numpy as np
    import pandas as pd

    columns, problems = {}, {}
    for name in frame.columns:
        raw = frame[name]
        try:
            column = pd.to_numeric(raw, errors="coerce").astype("float64")
        except OverflowError:  # Whole numbers of hundreds of digits.
            column = raw.map(_float_or_nan).astype("float64")
        lost = column.isna() & raw.notna()  # text, or whole numbers of hundreds of digits
        if lost.any():
            column[lost] = raw[lost].map(_float_or_nan)
        missing, text = raw.isna(), column.isna() & raw.notna()
        infinite = np.isinf(column)
        first = str(raw[text].iloc[0]) if text.any() else ""
        decimal = _is_decimal_comma(first)
        for bad, what in (
            (text, "has decimal commas instead of points" if decimal else "holds text"),
            (missing & (not gaps), "has missing values"),
            (infinite, "has infinite values"),
        ):
            if bad.any():
                row = int(np.flatnonzero(bad)[0])
                value = f"{reprlib.repr(raw.iloc[row])} " if bad is text else ""
                if bad is infinite:
                    value = f"{float(column.iloc[row])} "
                problems[name] = (
                    f"column {name!r} {what} ({value}in row {row}, {bad.sum():,} in all)"
                )
                break
        columns[name] = raw if pd.api.types.is_integer_dtype(raw.dtype) else column
    if len(problems) == len(columns):
        raise CommandError(
            f"{path} has no column of numbers alone: {next(iter(problems.values()))}{hint_at_sep}."
        )
    if problems:
        others = f", and {len(problems) - 1} more such" if len(problems) > 1 else ""
        option = io.StringIO()
        csv.writer(option, lineterminator="").writerow(problems)
        raise CommandError(
            f"{path}: {next(iter(problems.values()))}{others}{hint_at_sep}; "
            f"{'or ' * bool(hint_at_sep)}leave out with --exclude {shlex.quote(option.getvalue())}"
        )
    return pd.DataFrame(columns)


def is_number(text: str) -> bool:
    """Whether the text reads as a number."""
    with suppress(ValueError):
        float(text)
        return True
    return False


def _is_decimal_comma(text: str) -> bool:
    return re.fullmatch(r"[+-]?\d+,\d+", text) is not None


def _float_or_nan(value: object) -> float:
    """Read a number of any length, which may be infinite then."""
    return float(str(value)) if is_number(str(value)) else float("nan")
