"""Limit the size of a file in memory: a small packed file can unpack to a huge table.

The limit counts the bytes of a packed text or a pipe. For a spreadsheet it counts the bytes of
its parts, and a place for each cell up to the last row and column, as pandas fills the gaps. For a
Parquet file it counts the bytes of the columns, and a place for each value.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import IO, Any

from ..messages import CommandError

MAX_SIZE = 2.0
"""Gigabytes by default. A table of 20 million rows and 12 columns has fewer."""

GIGABYTE = 10**9

_PLACE = 8  # bytes of a value
_PIECE = 2**20
_CELL = re.compile(rb"""\br\s*=\s*["']([A-Z]{1,3})(\d{1,7})["']""")
_LONGEST_MATCH = 64


def pieces(name: str, file: IO[bytes], start: bytes, most: int | None) -> Iterator[bytes]:
    """Yield a file piece by piece, up to `most` bytes; None sets no limit.

    `start` holds bytes that the caller has read already.
    """
    size, piece = 0, start or file.read(_PIECE)
    while piece:
        size += len(piece)
        if most is not None and size > most:
            raise too_large(name, most)
        yield piece
        piece = file.read(_PIECE)


def too_large(name: str, most: int) -> CommandError:
    """Return the error for a file above the limit."""
    limit = most / GIGABYTE
    return CommandError(
        f"{name} holds more than {limit:g} GB: --max-size {4 * limit:g} allows {4 * limit:g} GB, "
        "if there is so much memory."
    )


def check_workbook(name: str, source: bytes | str, most: int) -> None:
    """Refuse a spreadsheet above the limit, by its parts and its last cells."""
    data = io.BytesIO(source) if isinstance(source, bytes) else source
    with zipfile.ZipFile(data) as archive:
        if sum(part.file_size for part in archive.infolist()) > most:
            raise too_large(name, most)
        for part in archive.namelist():
            if part.startswith("xl/worksheets/") and part.endswith(".xml"):
                with archive.open(part) as file:
                    rows, columns = _extent(file)
                if rows * columns * _PLACE > most:
                    raise CommandError(
                        f"{name} has a sheet with cells up to row {rows:,} and column "
                        f"{columns:,}, more than {most / GIGABYTE:g} GB hold: clear the cells "
                        "around the table, or allow more with --max-size."
                    )


def _extent(file: IO[bytes]) -> tuple[int, int]:
    """Last row and last column of the cells of a sheet, by their references such as XFD12."""
    rows, columns, before = 0, 0, b""
    while piece := file.read(_PIECE):
        text = before + piece.replace(b"\0", b"")  # half of UTF-16
        for letters, digits in set(_CELL.findall(text)):
            rows, columns = max(rows, int(digits)), max(columns, _column_number(letters))
        before = text[-_LONGEST_MATCH:]
    return rows, columns


def _column_number(letters: bytes) -> int:
    """Number of a column of a spreadsheet.

    >>> _column_number(b"A"), _column_number(b"AA"), _column_number(b"XFD")
    (1, 27, 16384)
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number


def check_parquet(name: str, source: Any, most: int) -> None:
    """Refuse a Parquet file above the limit, by its metadata."""
    from pyarrow.parquet import ParquetFile

    with ParquetFile(source) as file:
        found = file.metadata
        stated = sum(found.row_group(i).total_byte_size for i in range(found.num_row_groups))
        if max(stated, found.num_rows * found.num_columns * _PLACE) > most:
            raise too_large(name, most)
    if isinstance(source, io.BytesIO):
        source.seek(0)
