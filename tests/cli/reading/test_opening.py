"""Files are what their first bytes say, packed or not, one or several."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile

import pytest

from pyod_aspects.cli.messages import CommandError
from pyod_aspects.cli.reading.limits import pieces
from pyod_aspects.cli.reading.opening import LONGEST_LINE, expand, open_file, read_text

TEXT = b"a,b\n1,2\n3,4\n"


def zipped(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def opened(tmp_path, content, name="data.csv"):
    path = tmp_path / name
    path.write_bytes(content)
    return open_file(str(path))


@pytest.mark.parametrize(
    "pack",
    [gzip.compress, bz2.compress, lzma.compress, lambda text: zipped(data=text), lambda text: text],
)
def test_packed_text_is_unpacked_whatever_the_name_of_the_file(tmp_path, pack):
    content = opened(tmp_path, pack(TEXT))
    assert (content.kind, content.data) == ("text", TEXT)


def test_text_packed_twice_is_unpacked_twice(tmp_path):
    assert opened(tmp_path, gzip.compress(bz2.compress(TEXT))).data == TEXT


def test_more_than_a_piece_comes_whole(tmp_path):
    text = b"a,b\n" + b"1,2\n" * 2**19
    assert opened(tmp_path, gzip.compress(text)).data == text
    assert opened(tmp_path, text).data == text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(TEXT, mtime=0)[:-9], "is damaged and cannot be unpacked"),
        (bz2.compress(TEXT)[:-4], "is damaged and cannot be unpacked"),
        (lzma.compress(TEXT)[:-9], "is damaged and cannot be unpacked"),
        (b"PK\x03\x04\x14\x00", "is damaged and cannot be unpacked"),
        (zipped(a=TEXT, b=TEXT), "is a zip file of 2 files: expected one"),
        (zipped(), "is not text, it has NUL bytes"),
        (b"\xd0\xcf\x11\xe0\xa1", r"old kind \(.xls\): save it as .xlsx or CSV"),
        (b"%PDF-1.7", "is a PDF file: save the table as CSV"),
        (b"SQLite format 3\0", "is an SQLite database"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is not text, it has NUL bytes"),
        (gzip.compress(b"1," * (LONGEST_LINE // 2 + 2**20)), "has a line of more than 16 MB"),
    ],
    ids=range(11),
)
def test_what_cannot_be_read_is_said_in_one_sentence(tmp_path, content, message):
    with pytest.raises(CommandError, match=message) as error:
        opened(tmp_path, content)
    assert "\n" not in str(error.value)


def test_patterns_are_files_in_order_and_each_once(tmp_path):
    for name in ("b2.csv", "b10.csv", "a.csv"):
        (tmp_path / name).write_bytes(TEXT)
    pattern = str(tmp_path / "*.csv")
    names = [str(tmp_path / name) for name in ("a.csv", "b10.csv", "b2.csv")]
    assert expand([pattern]) == names
    assert expand([names[2], pattern]) == [names[2], *names[:2]]
    with pytest.raises(CommandError, match="no file matches"):
        expand([str(tmp_path / "*.parquet")])


def test_a_file_with_a_star_in_its_name_is_that_file(tmp_path):
    odd = tmp_path / "data[1].csv"
    odd.write_bytes(TEXT)
    assert expand([str(odd)]) == [str(odd)]


class Endless(io.RawIOBase):
    """A file without end that counts what was read of it."""

    def __init__(self, piece):
        self.piece, self.read_so_far = piece, 0

    def read(self, size=-1):
        assert size > 0  # Never all at once.
        self.read_so_far += size
        return (self.piece * (size // len(self.piece) + 1))[:size]


@pytest.mark.parametrize(
    ("piece", "message", "most"),
    [
        (b"1,", "has a line of more than 16 MB", LONGEST_LINE + 2**21),
        (b"\0", "it has NUL bytes", 2**21),
    ],
)
def test_a_file_without_end_is_refused_early(piece, message, most):
    file = Endless(piece)
    with pytest.raises(CommandError, match=message):
        read_text("data.csv", pieces("data.csv", file, b"", None))
    assert file.read_so_far <= most


def test_long_lines_below_the_limit_are_read():
    lines = b",".join([b"12345"] * 200_000) + b"\n"
    assert read_text("data.csv", [lines * 3]) == lines * 3
