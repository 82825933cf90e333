"""Files as bytes: from a path, a pattern or the standard input, unpacked if they are packed.

What a file is, its first bytes say and not its name.
"""

from __future__ import annotations

import bz2
import glob
import gzip
import io
import lzma
import os
import struct
import sys
import zipfile
import zlib
from collections.abc import Sequence
from typing import IO, NamedTuple

from ..messages import CommandError

STDIN = "the standard input"
"""What - is called from here on."""

LONGEST_LINE = 2**24
"""Bytes of a line; a table with 100,000 columns has far fewer."""

_PIECE = 2**20

_PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
_ZIP = b"PK\x03\x04"
# What the unpackers raise, the last four for headers of zip files that make no sense.
_DAMAGED = (
    *(EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error, zipfile.BadZipFile),
    *(ValueError, RuntimeError, struct.error, IndexError),
)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")

_BINARY = {b"PAR1": "parquet", b"ARROW1": "feather"}

_REFUSED = {
    b"\xd0\xcf\x11\xe0": "an Excel file of the old kind (.xls): save it as .xlsx or CSV",
    b"%PDF": "a PDF file: save the table as CSV",
    b"SQLite format 3": "an SQLite database: save the table as CSV",
    b"\x89HDF": "an HDF5 file: save the table as CSV or Parquet",
}


class Content(NamedTuple):
    """What a file holds.

    Attributes
    ----------
    name : str
        What to call it in messages.
    kind : {"text", "parquet", "feather", "excel"}
    data : bytes or str
        The bytes; the path of a file that is not packed and need not be read here.
    """

    name: str
    kind: str
    data: bytes | str


def expand(paths: Sequence[str]) -> list[str]:
    """Names of files, sorted, for patterns that are not the name of a file themselves."""
    names: list[str] = []
    for path in paths:
        found = [path]
        if path != STDIN and not os.path.lexists(path) and glob.has_magic(path):
            found = sorted(glob.glob(path, recursive=True))
            if not found:
                raise CommandError(f"no file is named like {path}.")
        names += [name for name in found if name not in names]
    return names


def open_file(path: str) -> Content:
    """Read a file, unpacked; one of a kind that its own reader opens is only looked at."""
    try:
        if path == STDIN:
            if sys.stdin is None:  # as after <&-
                raise CommandError(f"{STDIN} is closed.")
            return _open(path, sys.stdin.buffer, None)
        with open(path, "rb") as file:
            return _open(path, file, path)
    except FileNotFoundError:
        raise CommandError(f"there is no file {path}.") from None
    except IsADirectoryError:
        raise CommandError(
            f"{path} is a folder: expected a file, or a pattern such as "
            f"'{os.path.join(path, '*.csv')}'."
        ) from None
    except _DAMAGED as error:
        raise CommandError(f"{path} is damaged and cannot be unpacked: {error}.") from None
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from None


def _open(name: str, file: IO[bytes], path: str | None) -> Content:
    """Find out what a file is, by its first bytes."""
    start = file.read(_PIECE)
    for mark, what in _REFUSED.items():
        if start.startswith(mark):
            raise CommandError(f"{name} is {what}.")
    for mark, kind in _BINARY.items():
        if start.startswith(mark):
            return Content(name, kind, path or start + file.read())
    if start.startswith(_ZIP):
        return _open_zip(name, start + file.read())
    for mark, unpack in _PACKED.items():
        if start.startswith(mark):
            packed = _Joined(start, file)
            with unpack(packed) as inner:  # type: ignore[operator]
                return _open(name, inner, None)
    return Content(name, "text", read_text(name, file, start))


def _open_zip(name: str, data: bytes) -> Content:
    """Spreadsheets are zip files too; others must hold one file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [m for m in archive.namelist() if not m.endswith("/")]
        if "xl/workbook.xml" in members:
            return Content(name, "excel", data)
        members = [m for m in members if not m.startswith("__MACOSX/")]
        if len(members) != 1:
            raise CommandError(
                f"{name} is a zip file of {len(members):,} files: expected one; unpack it and name "
                "the file."
            )
        if archive.getinfo(members[0]).flag_bits & 1:
            raise CommandError(f"{name} is locked with a password: unpack it first.")
        with archive.open(members[0]) as file:
            return _open(name, file, None)


class _Joined(io.RawIOBase):
    """A file whose first bytes were read already."""

    def __init__(self, start: bytes, file: IO[bytes]) -> None:
        self._start, self._file = io.BytesIO(start), file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        piece = self._start.read(len(view)) or self._file.read(len(view))
        view[: len(piece)] = piece
        return len(piece)


def read_text(name: str, file: IO[bytes], start: bytes = b"") -> bytes:
    """Read all of a file, unless it turns out to be no text with lines on the way."""
    wide = start.startswith(_UTF_16)  # half of its bytes are NUL
    chunks: list[bytes] = []
    line = 0  # bytes since the last line ended
    chunk = start or file.read(_PIECE)
    while chunk:
        if not wide and not chunks and chunk.startswith(_UTF_16):
            wide = True
        if b"\0" in chunk and not wide:
            raise CommandError(f"{name} is not text, it has NUL bytes: expected a CSV file.")
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        line = line + len(chunk) if end < 0 else len(chunk) - end - 1
        if line > LONGEST_LINE:
            raise CommandError(
                f"{name} has a line of more than {LONGEST_LINE // 2**20} MB: expected a CSV file."
            )
        chunks.append(chunk)
        chunk = file.read(_PIECE)
    return b"".join(chunks)
