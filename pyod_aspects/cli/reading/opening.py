"""Read files as bytes, from a path, a pattern or stdin, and unpack them.

The first bytes of a file decide on its kind, not its name.
"""

from __future__ import annotations

import bz2
import glob
import gzip
import io
import lzma
import os
import stat
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from typing import IO, NamedTuple

from ..messages import CommandError
from .limits import GIGABYTE, MAX_SIZE, pieces

STDIN = "the standard input"
"""Name of stdin, for which the user writes -."""

LONGEST_LINE = 2**24
"""Most bytes of a line; a table with 100,000 columns has far fewer."""

MOST_LAYERS = 3
"""Most layers of packing: some files unpack to themselves without end."""

_PIECE = 2**20

_PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
_ZIP = b"PK\x03\x04"
# Errors of the unpackers; the last four are for zip files with senseless headers.
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
    """Content of a file.

    Attributes
    ----------
    name : str
        Name of the file in messages.
    kind : {"text", "parquet", "feather", "excel"}
    data : bytes or str
        The bytes, or the path of a file that is not packed, which its reader opens itself.
    """

    name: str
    kind: str
    data: bytes | str


def expand(paths: Sequence[str]) -> list[str]:
    """Names of files, with patterns replaced by the files that match, sorted."""
    names: list[str] = []
    for path in paths:
        found = [path]
        if path != STDIN and not os.path.lexists(path) and glob.has_magic(path):
            found = sorted(glob.glob(path, recursive=True))
            if not found:
                raise CommandError(f"no file matches {path}.")
        names += [name for name in found if name not in names]
    return names


def check_there(paths: Sequence[str]) -> None:
    """Refuse missing files, without reading any."""
    for path in expand(paths):
        try:
            if path != STDIN:
                os.lstat(path)
        except FileNotFoundError:
            raise _not_there(path) from None
        except (OSError, ValueError):
            continue  # open_file says why


def _not_there(path: str) -> CommandError:
    return CommandError(f"there is no file {path}.")


def open_file(path: str, most: int = int(MAX_SIZE * GIGABYTE)) -> Content:
    """Read and unpack a file; leave Parquet, Feather and Excel to their own readers.

    `most` limits the bytes of a packed file or a pipe.
    """
    try:
        if path == STDIN:
            if sys.stdin is None:  # as after <&-
                raise CommandError(f"{STDIN} is closed.")
            return _open(path, sys.stdin.buffer, None, most)
        with open(path, "rb") as file:
            whole = path if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
            return _open(path, file, whole, most)
    except FileNotFoundError:
        raise _not_there(path) from None
    except IsADirectoryError:
        raise CommandError(
            f"{path} is a folder: expected a file, or a pattern such as "
            f"'{os.path.join(path, '*.csv')}'."
        ) from None
    except _DAMAGED as error:
        raise CommandError(f"{path} is damaged and cannot be unpacked: {error}.") from None
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from None


def _open(name: str, file: IO[bytes], path: str | None, most: int, layer: int = 0) -> Content:
    """Find out the kind of a file by its first bytes.

    `path` is None if the size is unknown: in a packed file and in a pipe. `layer` counts the
    layers of packing.
    """
    start = file.read(_PIECE)
    rest = pieces(name, file, start, most if path is None else None)
    if layer > MOST_LAYERS:
        raise CommandError(f"{name} is packed more than {MOST_LAYERS} times: unpack it first.")
    for mark, what in _REFUSED.items():
        if start.startswith(mark):
            raise CommandError(f"{name} is {what}.")
    for mark, kind in _BINARY.items():
        if start.startswith(mark):
            return Content(name, kind, path or b"".join(rest))
    if start.startswith(_ZIP):
        return _open_zip(name, b"".join(rest), most, layer)
    for mark, unpack in _PACKED.items():
        if start.startswith(mark):
            packed = _Joined(start, file)
            with unpack(packed) as inner:  # type: ignore[operator]
                return _open(name, inner, None, most, layer + 1)
    return Content(name, "text", read_text(name, rest))


def _open_zip(name: str, data: bytes, most: int, layer: int) -> Content:
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
            return _open(name, file, None, most, layer + 1)


class _Joined(io.RawIOBase):
    """A file whose first bytes the caller has read already."""

    def __init__(self, start: bytes, file: IO[bytes]) -> None:
        self._start, self._file = io.BytesIO(start), file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        piece = self._start.read(len(view)) or self._file.read(len(view))
        view[: len(piece)] = piece
        return len(piece)


def read_text(name: str, file: Iterable[bytes]) -> bytes:
    """Join the pieces of a file; refuse it as soon as it proves to be no text with lines."""
    chunks: list[bytes] = []
    line = 0  # bytes since the last line ended
    wide = False
    for chunk in file:
        wide = wide or (not chunks and chunk.startswith(_UTF_16))  # half of its bytes are NUL
        if b"\0" in chunk and not wide:
            raise CommandError(f"{name} is not text, it has NUL bytes: expected a CSV file.")
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        line = line + len(chunk) if end < 0 else len(chunk) - end - 1
        if line > LONGEST_LINE:
            raise CommandError(
                f"{name} has a line of more than {LONGEST_LINE // 2**20} MB: expected a CSV file."
            )
        chunks.append(chunk)
    return b"".join(chunks)
