"""Files as nobody should write them, for every reader of the command line.

The tests read 500 for each reader; `python tests/fuzzing.py 10000` reads so many and
prints what became of them. The same seed gives the same files.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pandas as pd

from pyod_aspects.cli.messages import CommandError
from pyod_aspects.cli.reading import Options, Wanted, read_table
from pyod_aspects.exceptions import AspectsError

HOSTILE = (
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "$\\frac{1}{0}$",
    "$_^{",
    '=HYPERLINK("http://x","y")',
    "@SUM(A1)",
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "'); import os; os.abort() #",
    '"""\n',
    "{0.__class__}",
    "%s%n",
    "a\u202eb",
    "\u2028",
    "é\u0301",
    "x" * 300,
    "\ud7ff\uffff",
    "👩‍🚀",
    "",
    " ",
    "nan",
    "__proto__",
)
"""Names that mean something to a terminal, a browser, matplotlib, a spreadsheet or Python."""

CELLS = (
    *HOSTILE,
    *("1", "-1.5", "1,5", "1.000,25", "1_000", "1e999", "-inf", "NaN", "", "NULL", "0x10", "٣"),
    *("2024-02-30", "2024-02-28", "31/12/2024", "12:30", "true", "False", "9" * 400, "1e-400"),
    *("99999-01-01", "1700-01-01", "2024-03-01T10:00:00+02:00", '"', '""', "a\nb", "\x00", "%"),
)

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "cp1252", "ascii")


def text(rng: random.Random) -> list[bytes]:
    """A table with some separator, quotes, encoding and lines of different lengths."""
    sep = rng.choice([",", ";", "\t", "|", " ", ", ", "::"])
    end = rng.choice(["\n", "\r\n", "\r", "\n\n"])
    n_columns, quote = rng.randint(1, 6), rng.choice(["", '"', "'"])
    pool = rng.choices(CELLS, k=4) if rng.random() < 0.7 else [str(i) for i in range(20)]
    lines = []
    for _ in range(rng.randint(0, 30)):
        n = n_columns if rng.random() < 0.95 else rng.randint(0, 9)
        lines.append(sep.join(f"{quote}{rng.choice(pool)}{quote}" for _ in range(n)))
    content = end.join(lines).encode(rng.choice(ENCODINGS), "replace")
    return [mutated(content, rng) if rng.random() < 0.5 else content]


def json_lines(rng: random.Random) -> list[bytes]:
    """Objects, and things that are none, a line each."""
    values = [*CELLS, 1, 2.5, None, True, 10**400, -(2**63), [1], {"a": 1}, [], 1e308]
    keys = rng.choices([*HOSTILE, "a", "b", "c"], k=rng.randint(1, 4))
    lines = []
    for _ in range(rng.randint(0, 20)):
        one: object = {key: rng.choice(values) for key in keys if rng.random() < 0.9}
        if rng.random() < 0.05:
            one = rng.choice(values)
        lines.append(json.dumps(one, ensure_ascii=rng.random() < 0.5))
    content = "\n".join(lines).encode("utf-8", "replace")
    return [mutated(content, rng) if rng.random() < 0.4 else content]


def _frames() -> list[pd.DataFrame]:
    day = pd.Timestamp("2024-01-01")
    plain = pd.DataFrame({"a": range(12), "b": [0.5 * i for i in range(12)], "c": [*"xy"] * 6})
    mixed = pd.DataFrame(
        {
            "t": [day + pd.Timedelta(days=i) for i in range(8)],
            HOSTILE[0]: [None, 1.5] * 4,
            HOSTILE[6]: [True, False] * 4,
            "text": list(HOSTILE[4:12]),
        }
    )
    return [plain, mixed, plain.iloc[:0], mixed.iloc[:1]]


@cache
def _written(kind: str) -> list[bytes]:
    found = []
    for frame in _frames():
        stream = io.BytesIO()
        if kind == "excel":
            # A sheet cannot hold control characters.
            clean = {
                name.replace("\x1b", ""): [
                    value.replace("\x1b", "") if isinstance(value, str) else value
                    for value in frame[name]
                ]
                for name in frame.columns
            }
            pd.DataFrame(clean).to_excel(stream, index=False)
        elif kind == "parquet":
            frame.to_parquet(stream)
        else:
            frame.to_feather(stream)
        found.append(stream.getvalue())
    return found


def parquet(rng: random.Random) -> list[bytes]:
    """A Parquet file with some bytes changed."""
    return [mutated(rng.choice(_written("parquet")), rng, ends=False)]


def feather(rng: random.Random) -> list[bytes]:
    """A Feather file with some bytes changed."""
    return [mutated(rng.choice(_written("feather")), rng, ends=False)]


def excel(rng: random.Random) -> list[bytes]:
    """A workbook with bytes changed: of the archive, or of a part of it."""
    whole = rng.choice(_written("excel"))
    if rng.random() < 0.3:
        return [mutated(whole, rng, ends=False)]
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(stream, "w") as new:
        chosen = rng.choice(old.namelist())
        for name in old.namelist():
            if name != chosen:
                new.writestr(name, old.read(name))
            elif rng.random() < 0.9:
                new.writestr(name, mutated(old.read(name), rng))
    return [stream.getvalue()]


def packed(rng: random.Random) -> list[bytes]:
    """Any of the others packed, also twice, also cut."""
    content = rng.choice([text, json_lines, parquet])(rng)[0]
    for _ in range(rng.choice([1, 1, 1, 2])):
        content = rng.choice([gzip.compress, bz2.compress, lzma.compress, _zipped])(content)
    return [mutated(content, rng, ends=False) if rng.random() < 0.6 else content]


def _zipped(content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("../data.csv", content)
    return stream.getvalue()


def several(rng: random.Random) -> list[bytes]:
    """Two or three files, alike or not."""
    make = rng.choice([text, json_lines, parquet, packed])
    first = make(rng)
    return [*first, *(first if rng.random() < 0.6 else make(rng)), *make(rng)[: rng.randint(0, 1)]]


READERS: dict[str, Callable[[random.Random], list[bytes]]] = {
    "text": text,
    "JSON lines": json_lines,
    "Parquet": parquet,
    "Feather": feather,
    "Excel": excel,
    "packed": packed,
    "several files": several,
}


def mutated(content: bytes, rng: random.Random, ends: bool = True) -> bytes:
    """Content with some bytes changed, taken out, doubled or put in."""
    data = bytearray(content)
    for _ in range(rng.choice([0, 1, 1, 2, 5, 20])):
        if not data:
            break
        low = 0 if ends or len(data) < 12 else 6  # The first bytes say what it is.
        at = rng.randrange(low, len(data))
        way = rng.randrange(5)
        if way == 0:
            data[at] = rng.randrange(256)
        elif way == 1:
            data[at] ^= 1 << rng.randrange(8)
        elif way == 2:
            del data[at : at + rng.choice([1, 4, 100])]
        elif way == 3:
            data[at:at] = rng.choice([b"\x00", b"\xff" * 8, b'"', b"\n", b"<a>", b"-1", b"\x1b["])
        else:
            data[at:at] = data[at : at + 50]
    return bytes(data)


def options(rng: random.Random) -> tuple[Options, Wanted]:
    """What the user may have said about the file, mostly nothing."""
    if rng.random() < 0.6:
        return Options(), Wanted()
    said = Options(
        rng.choice([None, ",", ";", "\t"]),
        rng.choice([None, ".", ","]),
        rng.choice([None, "utf-8", "latin-1", "utf-16"]),
        rng.choice([None, True, False]),
        rng.choice([None, "1", "Sheet1", "99", HOSTILE[0]]),
    )
    names = rng.choices(["a", "b", "c", *HOSTILE[:8]], k=2)
    wanted = Wanted(
        rng.choice([None, None, names]),
        rng.choice([None, names]),
        rng.choice([None, names[0]]),
        rng.choice([None, names[1]]),
    )
    return said, wanted


def read(reader: str, rng: random.Random, folder: Path) -> str:
    """Read files of a kind: "read" or "refused"; anything else is raised."""
    paths = []
    for i, content in enumerate(READERS[reader](rng)):
        path = folder / f"{i}.data"
        path.write_bytes(content)
        paths.append(str(path))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            said, wanted = options(rng)
            table = read_table(paths, said, wanted)
    except (CommandError, AspectsError) as error:
        if not str(error).strip():
            raise ValueError("an error without words") from error
        return "refused"
    assert table.frame.shape[1] > 0
    return "read"


def main(n: int, readers: list[str], begin: int = 0) -> int:
    """Read n files of each reader, and print what became of them."""
    defects = 0
    for reader in readers or list(READERS):
        found: Counter[str] = Counter()
        slowest = 0.0
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(begin, begin + n):
                started = time.perf_counter()
                try:
                    found[read(reader, random.Random(f"{reader} {seed}"), Path(folder))] += 1
                except Exception as error:
                    last = traceback.extract_tb(error.__traceback__)[-1]
                    what = f"{type(error).__name__}: {error}"[:120]
                    if not found[f"defect {type(error).__name__}"]:
                        print(f"{reader} {seed}: {what!r} at {last.filename}:{last.lineno}")
                    found[f"defect {type(error).__name__}"] += 1
                    defects += 1
                slowest = max(slowest, time.perf_counter() - started)
        print(f"{reader}: {dict(sorted(found.items()))}, slowest {slowest:.2f} s", flush=True)
    return int(defects > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:3], int((sys.argv[3:4] or ["0"])[0])))
