r"""Detect the format of a text file: encoding, separator, decimal mark, header.

>>> find_dialect(b"Ort;Preis\nKiel;1,50\nUlm;2,75\n").separator
';'
>>> find_dialect(b"Ort;Preis\nKiel;1,50\nUlm;2,75\n").decimal
','
"""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

SEPARATORS = {"\t": "tab", ";": "';'", "|": "'|'", ",": "','"}
"""Separators of columns, the preferred ones first, each with its name."""

SPACES = r"\s+"
"""One or more spaces as a separator, in the syntax of pandas."""

_SAMPLE = 2**18
_LINES = 1000
_AGREE = 0.9  # share of the lines that must have the same number of columns

_COMMA = re.compile(r"[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+", re.ASCII)
_POINT = re.compile(r"[+-]?(\d*\.\d+|\d+\.\d*)([eE][+-]?\d+)?", re.ASCII)
_NUMBER = re.compile(
    r"[+-]?(\d+([.,]\d*)*|[.,]\d+)([eE][+-]?\d+)?|[+-]?inf|nan", re.IGNORECASE | re.ASCII
)
_GAPS = {"", "na", "n/a", "nan", "null", "none", "-", "?"}


class Dialect(NamedTuple):
    """Format of a text file.

    Attributes
    ----------
    encoding : str
    separator : str
        One character, or `SPACES`.
    decimal : {".", ","}
    header : bool
        Whether the first line names the columns.
    """

    encoding: str
    separator: str
    decimal: str
    header: bool

    @property
    def is_plain(self) -> bool:
        """Whether this is the usual format, which needs no remark."""
        return self in {Dialect(utf_8, ",", ".", True) for utf_8 in ("utf-8", "utf-8-sig")}

    def words(self) -> str:
        """Describe the format in one line.

        >>> Dialect("utf-8", ";", ",", True).words()
        "columns separated by ';', decimal commas, names in the first line, UTF-8"
        """
        by = SEPARATORS.get(self.separator) or (
            "spaces" if self.separator == SPACES else repr(self.separator)
        )
        decimal = "decimal commas" if self.decimal == "," else "decimal points"
        names = "names in the first line" if self.header else "no line of names"
        return f"columns separated by {by}, {decimal}, {names}, {_ENCODINGS[self.encoding]}"


_ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": "Windows-1252",
    "latin-1": "Latin-1",
}


def find_dialect(
    data: bytes,
    separator: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    encoding: str | None = None,
) -> Dialect:
    """Detect the format of a text, except for the given settings."""
    encoding = encoding or _find_encoding(data)
    lines = _first_lines(data, encoding)
    separator = separator or _find_separator(lines)
    cells = _split(lines, separator)
    decimal = decimal or _find_decimal(cells, separator)
    if header is None:
        header = _find_header(cells)
    return Dialect(encoding, separator, decimal, header)


def is_number(text: str) -> bool:
    """Whether a cell is a number, with a decimal point or comma; 1_000 is none.

    >>> is_number(" -1.5e3"), is_number("1,5"), is_number("1_000"), is_number("12 kg")
    (True, True, False, False)
    """
    return _NUMBER.fullmatch(text.strip()) is not None


def _find_encoding(data: bytes) -> str:
    """UTF-8 or UTF-16 by their marks, UTF-8 if all bytes fit; else the encoding of Windows."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for begin in range(0, len(data), 2**20):
            decoder.decode(data[begin : begin + 2**20])
        decoder.decode(b"", final=True)
        return "utf-8"
    except UnicodeDecodeError:
        undefined = {0x81, 0x8D, 0x8F, 0x90, 0x9D}
        return "latin-1" if undefined & set(data) else "cp1252"


def _first_lines(data: bytes, encoding: str) -> list[str]:
    """First lines that are not empty, the last one complete."""
    sample = data[:_SAMPLE]
    text = codecs.getincrementaldecoder(encoding)(errors="replace").decode(sample)
    lines = re.split(r"\r\n|\n|\r", text)
    if len(data) > _SAMPLE and len(lines) > 1:
        lines.pop()
    return [line for line in lines if line.strip()][:_LINES]


def _split(lines: Sequence[str], separator: str) -> list[list[str]]:
    if separator == SPACES:
        return [line.split() for line in lines]
    try:
        rows = list(csv.reader(lines, delimiter=separator, skipinitialspace=True))
    except csv.Error:
        return [line.split(separator) for line in lines]
    return [[cell.strip() for cell in row] for row in rows]


def _find_separator(lines: Sequence[str]) -> str:
    """Return the separator that gives nearly all lines the same number of columns, above one."""
    best, most = ",", 0.0
    for separator in SEPARATORS:
        widths = Counter(len(row) for row in _split(lines, separator))
        width, often = max(widths.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
        agree = often / max(1, sum(widths.values()))
        first = len(_split(lines[:1], separator)[0]) if lines else 1
        # The first of two that agree wins: decimal commas agree as well as semicolons do.
        if width > 1 and agree >= _AGREE and first == width and agree > most:
            best, most = separator, agree
    if most:
        return best
    rows = [line.split() for line in lines]
    widths = Counter(map(len, rows))
    if len(widths) == 1 and len(lines) > 1 and next(iter(widths)) > 1:
        body = [cell for row in rows[1:] for cell in row]
        if all(map(is_number, body)):
            return SPACES
    # No separator is regular: take the one that occurs most in the first line.
    counts = {separator: lines[0].count(separator) if lines else 0 for separator in SEPARATORS}
    largest = max(counts.values())
    return "," if largest == 0 else next(s for s, count in counts.items() if count == largest)


def _find_decimal(cells: Sequence[Sequence[str]], separator: str) -> str:
    """Return the comma if more cells are numbers with a decimal comma than with a point.

    In a file separated by commas, 1,234 in quotes is a thousand.
    """
    body = [cell for row in cells for cell in row]
    commas = [cell for cell in body if _COMMA.fullmatch(cell)]
    if separator == ",":
        commas = [cell for cell in commas if not _THOUSANDS.fullmatch(cell)]
    points = sum(_POINT.fullmatch(cell) is not None for cell in body)
    return "," if len(commas) > points else "."


def _find_header(cells: Sequence[Sequence[str]]) -> bool:
    """Whether the first line names columns: in columns of numbers it has words.

    Without a column of numbers the answer is yes, as most files have names.
    """
    if len(cells) < 2:
        return not cells or not all(map(is_number, cells[0]))
    words = numbers = 0
    for i, name in enumerate(cells[0]):
        body = [row[i] for row in cells[1:] if i < len(row) and row[i].lower() not in _GAPS]
        if body and sum(map(is_number, body)) >= _AGREE * len(body):
            words += not is_number(name)
            numbers += is_number(name)
    return words >= numbers
