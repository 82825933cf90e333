"""Read the content of a file with pandas: delimited text, JSON, Excel, Parquet, Feather."""

from __future__ import annotations

import io
import re
import warnings
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from ..messages import CommandError, suggestion
from .dialect import Dialect, find_dialect
from .limits import GIGABYTE, MAX_SIZE, check_parquet, check_workbook
from .opening import Content

if TYPE_CHECKING:
    import pandas as pd


class Options(NamedTuple):
    """The user's settings of the file format; None means to detect it.

    Attributes
    ----------
    separator, decimal, encoding : str or None
    header : bool or None
    sheet : str or None
        Name of a sheet of a spreadsheet, or its number from 1.
    max_size : float
        Most gigabytes of a packed file, a spreadsheet or a Parquet file after unpacking.
    """

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    header: bool | None = None
    sheet: str | None = None
    max_size: float = MAX_SIZE

    @property
    def most_bytes(self) -> int:
        """`max_size` in bytes."""
        return int(self.max_size * GIGABYTE)


class Read(NamedTuple):
    """A table from a file, and a description of its format unless that is the usual one."""

    frame: pd.DataFrame
    words: str = ""
    header: bool = True
    decimal: str = "."


def read_content(content: Content, options: Options) -> Read:
    """Read the content of a file."""
    found = _read(content, options)
    names = found.frame.columns
    for twice in names[names.duplicated()]:
        raise CommandError(
            f"{content.name} has several columns {twice!r}, apart from spaces: rename one."
        )
    return found


def _read(content: Content, options: Options) -> Read:
    if content.kind == "text":
        assert isinstance(content.data, bytes)
        start = content.data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
        if re.match(rb"\{|\[\s*[\{\]]", start):
            return Read(_read_json(content.name, content.data, start))
        return _read_text(content.name, content.data, options)
    source = io.BytesIO(content.data) if isinstance(content.data, bytes) else content.data
    if content.kind == "excel":
        with _plain_errors(content.name, "Excel"):
            check_workbook(content.name, content.data, options.most_bytes)
        return _read_excel(content.name, source, options.sheet)
    import pandas as pd

    _need("pyarrow", content.name, f"a {content.kind.capitalize()} file")
    read = pd.read_parquet if content.kind == "parquet" else pd.read_feather
    with _plain_errors(content.name, content.kind.capitalize()):
        if content.kind == "parquet":
            check_parquet(content.name, source, options.most_bytes)
        frame = read(source)
        _check_texts(frame)
    frame.columns = [str(name) for name in frame.columns]
    return Read(frame)


def _check_texts(frame: pd.DataFrame) -> None:
    """Check that texts are UTF-8: pandas decodes them only at their first use."""
    import pandas as pd
    import pyarrow as pa

    for i in range(frame.shape[1]):
        column = frame.iloc[:, i]
        texts = column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else column
        if isinstance(texts.dtype, pd.StringDtype):
            pa.array(texts, from_pandas=True).validate(full=True)


def _read_text(name: str, data: bytes, options: Options) -> Read:
    import pandas as pd

    try:
        dialect = find_dialect(
            data, options.separator, options.decimal, options.header, options.encoding
        )
        with warnings.catch_warnings():
            # index_col=False cuts lines that are too long, with a warning only.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame = _parse(data, dialect)
    except pd.errors.EmptyDataError:
        raise CommandError(f"{name} is empty: expected a table.") from None
    except UnicodeError:
        raise CommandError(
            f"{name} is not text in {options.encoding or 'UTF-8'}: --encoding names another one, "
            "such as latin-1."
        ) from None
    except LookupError:
        raise CommandError(
            f"--encoding {options.encoding}: expected the name of an encoding, such as utf-8."
        ) from None
    except pd.errors.ParserWarning:
        raise CommandError(
            f"{name} has lines with more values than its first line ({dialect.words()}); "
            "--sep says what separates the columns."
        ) from None
    except ValueError as error:
        raise CommandError(
            f"{name} cannot be read as CSV: {str(error).strip().rstrip('.')} ({dialect.words()}); "
            "--sep says what separates the columns."
        ) from None
    names = [str(name).strip() or f"Unnamed: {i}" for i, name in enumerate(frame.columns)]
    frame.columns = names if dialect.header else [f"x{i}" for i in range(len(names))]
    if len(frame) == 0:
        raise CommandError(f"{name} has no rows{' below its header' * dialect.header}.")
    words = "" if dialect.is_plain else dialect.words()
    return Read(frame, words, dialect.header, dialect.decimal)


def _parse(data: bytes, dialect: Dialect) -> pd.DataFrame:
    import pandas as pd

    frame: pd.DataFrame = pd.read_csv(
        io.BytesIO(data),
        sep=dialect.separator,
        decimal=dialect.decimal,
        encoding=dialect.encoding,
        header=0 if dialect.header else None,
        index_col=False,
        skipinitialspace=True,
        low_memory=False,  # one dtype for the whole column
    )
    return frame


def _read_json(name: str, data: bytes, start: bytes) -> pd.DataFrame:
    """Read a list of objects, or one object a line."""
    import pandas as pd

    lines = start.startswith(b"{")
    with _plain_errors(name, "JSON, one object a row"), warnings.catch_warnings():
        # Newer versions of pandas warn of convert_dates; older ones need it.
        warnings.simplefilter("ignore")
        frame = pd.read_json(
            io.BytesIO(data),
            lines=lines,
            orient="records",
            dtype=False,
            convert_dates=False,
            precise_float=True,
        )
    if not isinstance(frame, pd.DataFrame) or 0 in frame.shape:
        raise CommandError(f"{name} has no rows: expected JSON with one object a row.")
    frame.columns = [str(column) for column in frame.columns]
    return frame


def _read_excel(name: str, source: Any, sheet: str | None) -> Read:
    import pandas as pd

    _need("openpyxl", name, "an Excel file")
    with _plain_errors(name, "Excel"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and extensions, which do not matter here
        with pd.ExcelFile(source, engine="openpyxl") as book:
            names = [str(one) for one in book.sheet_names]
            chosen = _choose_sheet(name, names, sheet)
            frame = book.parse(chosen)
    # Drop empty rows and columns around a table.
    frame = frame.dropna(axis=0, how="all").dropna(axis=1, how="all").reset_index(drop=True)
    if 0 in frame.shape:
        raise CommandError(f"sheet {chosen!r} of {name} has no rows below its header.")
    frame.columns = [str(column).strip() for column in frame.columns]
    several = len(names) > 1 and sheet is None
    return Read(
        frame, f"sheet {chosen!r} of {len(names)}; --sheet names another" if several else ""
    )


def _choose_sheet(name: str, names: list[str], sheet: str | None) -> str:
    if sheet is None:
        return names[0]
    if sheet in names:
        return sheet
    if sheet.isdecimal() and 1 <= int(sheet) <= len(names):
        return names[int(sheet) - 1]
    raise CommandError(f"{name} has no sheet {sheet!r}{suggestion(sheet, names)}")


def _need(package: str, name: str, what: str) -> None:
    if find_spec(package) is None:
        raise CommandError(
            f'{name} is {what}, which takes {package}: pip install "pyod_aspects[files]"'
        )


class _plain_errors:  # noqa: N801 - reads as a statement
    """Turn the errors of a reader into one sentence."""

    def __init__(self, name: str, what: str) -> None:
        self.name, self.what = name, what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if error is None or isinstance(error, CommandError) or not isinstance(error, Exception):
            return
        if isinstance(error, OSError) and error.strerror:
            raise CommandError(f"{self.name} cannot be read: {error.strerror}.") from None
        reason = " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__
        if "Wrapping" in reason:  # pyarrow's error while it makes objects for pandas 2
            reason = "it holds text that is not UTF-8"
        raise CommandError(f"{self.name} cannot be read as {self.what}: {reason}.") from None
