"""A small file that unpacks to a huge table is refused before the memory is full."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import threading
import tracemalloc
import zipfile
from contextlib import suppress

import pandas as pd
import pytest

from pyod_aspects.cli.messages import CommandError
from pyod_aspects.cli.reading import Options, read_table
from pyod_aspects.cli.reading.opening import open_file

LINES = b"a,b\n" + b"1,2\n" * 2**20
"""4 MB that pack to a few KB."""


def zipped(content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.csv", content)
    return stream.getvalue()


PACKERS = [gzip.compress, bz2.compress, lzma.compress, zipped]


@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize("twice", [False, True])
def test_a_bomb_is_refused_with_the_option_that_allows_it(complaint, run, tmp_path, pack, twice):
    path = tmp_path / "bomb"
    path.write_bytes(gzip.compress(pack(LINES)) if twice else pack(LINES))
    said = complaint("explain", str(path), "--max-size", "0.001")
    assert said.endswith(
        f"{path} holds more than 0.001 GB: --max-size 0.004 allows 0.004 GB, if there is so much "
        "memory."
    )
    assert len(open_file(str(path), len(LINES)).data) == len(LINES)


def test_a_bomb_takes_little_memory(tmp_path):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(LINES * 16))
    tracemalloc.start()
    try:
        with pytest.raises(CommandError, match="holds more than"):
            open_file(str(path), 2**22)
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


def test_a_file_that_is_not_packed_has_no_limit(tmp_path):
    path = tmp_path / "data.csv"
    path.write_bytes(LINES)
    assert open_file(str(path), 1000).data == LINES


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_without_end_is_refused(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def write():
        with suppress(BrokenPipeError), open(path, "wb", buffering=0) as pipe:
            while True:
                pipe.write(b"1,2\n" * 1000)

    writer = threading.Thread(target=write)
    writer.start()
    with pytest.raises(CommandError, match=r"holds more than 0.002 GB"):
        open_file(str(path), 2 * 10**6)
    writer.join(10)
    assert not writer.is_alive()


def test_what_is_packed_again_and_again_is_refused(tmp_path):
    content = b"a,b\n1,2\n"
    for _ in range(4):
        content = gzip.compress(content)
    path = tmp_path / "data"
    path.write_bytes(content)
    with pytest.raises(CommandError, match="is packed more than 3 times: unpack it first"):
        open_file(str(path))
    path.write_bytes(gzip.decompress(content))
    assert open_file(str(path)).data == b"a,b\n1,2\n"


@pytest.fixture
def workbook(tmp_path):
    """Writes a small sheet, with a cell far away."""
    openpyxl = pytest.importorskip("openpyxl", reason="an extra")

    def write(cell):
        book = openpyxl.Workbook()
        for i in range(30):
            book.active.append([i, 2.5 * i])
        book.active[cell] = 1
        book.save(tmp_path / "book.xlsx")
        return str(tmp_path / "book.xlsx")

    return write


def test_a_sheet_with_a_cell_far_away_is_refused(workbook):
    with pytest.raises(CommandError, match=r"up to row 900,000 and column 16,384, more than 2 GB"):
        read_table([workbook("XFD900000")])
    assert read_table([workbook("C31")]).frame.shape == (30, 3)


def test_a_workbook_whose_parts_are_large_is_refused(workbook):
    with pytest.raises(CommandError, match="holds more than 1e-06 GB"):
        read_table([workbook("C31")], Options(max_size=1e-6))


def test_a_parquet_file_that_repeats_one_value_is_refused(tmp_path):
    pytest.importorskip("pyarrow", reason="an extra")
    path = tmp_path / "data.parquet"
    pd.DataFrame({"a": [1.0] * 200_000, "b": ["x"] * 200_000}).to_parquet(path)
    assert path.stat().st_size < 10_000
    with pytest.raises(CommandError, match=r"holds more than 0.001 GB"):
        read_table([str(path)], Options(max_size=0.001))
    packed = tmp_path / "data.parquet.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(CommandError, match=r"holds more than 0.001 GB"):
        read_table([str(packed)], Options(max_size=0.001))
    assert len(read_table([str(packed)]).frame) == 200_000


@pytest.mark.parametrize("size", ["0", "-1", "nan", "inf", "much"])
def test_a_limit_that_is_none_is_refused(complaint, size):
    said = complaint("explain", "data.csv", f"--max-size={size}")
    assert "expected a number of gigabytes" in said
