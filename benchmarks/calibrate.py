"""Measure the tuned numbers of counting again: python -m benchmarks calibrate --help.

The command counts tables with each number of `pyod_aspects/_kernels/tuned.py` halved, unchanged and
doubled, in turns. `TABLES` makes the tables, `MEASURED_ON` names the tables of a number:

- factors, kdd, shuttle: continuous columns, columns in which cells repeat, and whole numbers with
  long tails. The planner counts some of their subspaces on the grid, some by cells, some with bits.
  They are for the costs, which decide between these three, and for all numbers not named below.
- tails: wide columns, for MAX_BYTES and BITS_CODE.
- few, some: 1500 and 3000 rows like those of kdd, for VIEW_MIN_ROWS, CELL_FEW_ROWS,
  CELL_LAST_RESORT and BITS_ONCE.
- fine, finer: pairs of columns with 1.1 and 2.6 million values, for BITS_MAX_KEYS.
- keys, more keys: 80 columns, with more sort keys than BITS_PICKED allows.
- long: bits beyond the cache, for BITS_MAX_WORDS.
- many: 82,160 subspaces, for PLANNED.
- threads: factors on two threads, for LEAST_PIECE and BITS_LEAST_PIECE.
- triples, quadruples: 200,000 rows on grids of 3 and 8 MB, for GRID_CACHED and GRID_BEYOND.
- cells: counted by cells only, for CELL_PLACES and TABLE_PAD.
- points, few points: counts near points on two threads, for POINT_PIECE and POINT_LEAST_PIECE.

The program reads most numbers at each call, and the command sets them in this process. numba
compiles the others into kernels: three processes measure such a number, one for each value, and
compile into temporary folders.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from hashlib import blake2b
from itertools import combinations
from math import comb, isfinite
from os import pathsep
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from types import FunctionType
from typing import IO, Any, NamedTuple

import numpy as np

from pyod_aspects import counting
from pyod_aspects._kernels import tuned
from pyod_aspects._util.types import FloatArray, IntArray
from pyod_aspects.counting.cells import CellStrategy
from pyod_aspects.counting.counter import LevelCounter
from pyod_aspects.counting.points import count_in_boxes, load_boxes
from pyod_aspects.counting.strategy import Strategy
from pyod_aspects.counting.table import CodedTable
from pyod_aspects.density import SGrid

from . import machine
from .child import environment
from .results import Disagreement
from .tables import REPOSITORY, factors, kdd_like, log_normal, make_shuttle
from .timing import shown

FACTORS = {"half": 0.5, "as it is": 1.0, "double": 2.0}
CLEARLY = 0.95  # share of the unchanged time below which half or double is clearly better
LEAST_ROUNDS = 3


class Number(NamedTuple):
    """A tuned number, as in its line of `tuned.py`."""

    name: str
    text: str  # of the value
    meaning: str
    compiled: bool  # into kernels

    def scaled(self, factor: float) -> float:
        """Return the value times a factor; a whole number stays whole and above 0."""
        value: float = getattr(tuned, self.name)
        return max(1, int(value * factor)) if isinstance(value, int) else value * factor


def numbers() -> dict[str, Number]:
    """All numbers by name, in the order of `tuned.py`."""
    path = Path(tuned.__file__)
    used: set[str] = set()
    for kernels in path.parent.glob("*.py"):
        if kernels != path:
            nodes = list(ast.walk(ast.parse(kernels.read_text(encoding="utf-8"))))
            used |= {node.id for node in nodes if isinstance(node, ast.Name)}
            used |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    lines = re.findall(r"^([A-Z]\w*) = (\S.*?)  # (.+)$", path.read_text(encoding="utf-8"), re.M)
    return {name: Number(name, text, meaning, name in used) for name, text, meaning in lines}


@contextmanager
def override(name: str, value: float) -> Iterator[None]:
    """Set a number wherever it is bound: in `tuned`, in modules that import it, as a default.

    Kernels that numba compiles meanwhile keep the value, on disk too. A compiled number needs its
    own process and cache.
    """
    undo: list[Callable[[], None]] = []
    modules = [module for key, module in sys.modules.items() if key.startswith("pyod_aspects.")]
    try:
        for module in modules:
            if name in vars(module):
                old = getattr(module, name)
                undo.append(lambda module=module, old=old: setattr(module, name, old))  # type: ignore[misc]
                setattr(module, name, value)
        for function, place in _defaults_bound_to(name):
            before = function.__defaults__ or ()
            undo.append(lambda f=function, old=before: setattr(f, "__defaults__", old))  # type: ignore[misc]
            function.__defaults__ = (*before[:place], value, *before[place + 1 :])
        yield
    finally:
        for step in reversed(undo):
            step()


@cache
def _defaults_bound_to(name: str) -> list[tuple[FunctionType, int]]:
    """Functions and methods of counting with ``tuned.NAME`` as a default, and its place."""
    found = []
    for path in sorted(Path(next(iter(counting.__path__))).glob("*.py")):
        module = sys.modules.get(f"{counting.__name__}.{path.stem}")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        for scope, body in [(None, tree.body), *((one.name, one.body) for one in classes)]:
            for node in body:
                if isinstance(node, ast.FunctionDef) and module is not None:
                    owner = module if scope is None else getattr(module, scope)
                    for place, default in enumerate(node.args.defaults):
                        if ast.unparse(default) == f"tuned.{name}":
                            found.append((vars(owner)[node.name], place))
    return found


@dataclass(frozen=True)
class Table:
    """A generated table, and the subspaces to count in it."""

    make: Callable[[int], FloatArray]
    n_rows: int
    levels: tuple[tuple[int, int], ...]  # size of subspaces, and their largest number
    bins: str | int = "auto"
    n_jobs: int = 1
    n_points: int = 0  # points to count near; 0: mean and deviation over all rows
    strategy: Callable[[], Strategy] | None = None  # the only one; None: the planner chooses


def _factors(d: int) -> Callable[[int], FloatArray]:
    return lambda n: factors(n, d)


def _kdd(d: int) -> Callable[[int], FloatArray]:
    return lambda n: kdd_like(n, d)


def _skewed(d: int) -> Callable[[int], FloatArray]:
    return lambda n: log_normal(n, d) ** 2


def _rounded(n: int) -> FloatArray:
    return np.floor(3.0 * log_normal(n, 36))


TABLES = {
    "factors": Table(_factors(16), 20_000, ((2, 120), (3, 560), (4, 500), (5, 300))),
    "kdd": Table(_kdd(24), 20_000, ((2, 276), (3, 2000), (4, 1400))),
    "shuttle": Table(make_shuttle, 49_097, ((2, 36), (3, 84), (4, 126), (5, 126))),
    "tails": Table(lambda n: log_normal(n, 8), 100_000, ((2, 28), (3, 56), (4, 70))),
    "few": Table(_kdd(20), 1500, ((3, 1140), (4, 4800), (5, 8000))),
    "some": Table(_kdd(20), 3000, ((3, 1140), (4, 4800))),
    "fine": Table(_skewed(10), 40_000, ((4, 150),), bins="fd"),
    "finer": Table(_skewed(10), 80_000, ((4, 30),), bins="fd"),
    "keys": Table(_factors(80), 12_000, ((4, 800),)),
    "more keys": Table(_factors(80), 30_000, ((4, 800),)),
    "long": Table(_rounded, 100_000, ((5, 120),), bins="fd"),
    "many": Table(_factors(80), 300, ((3, 82_160),)),
    "threads": Table(_factors(16), 20_000, ((2, 120), (3, 560), (4, 500), (5, 300)), n_jobs=2),
    "triples": Table(_factors(7), 200_000, ((3, 35),), bins=120),
    "quadruples": Table(_factors(7), 200_000, ((4, 35),), bins=44),
    "cells": Table(_kdd(24), 20_000, ((3, 1000), (4, 1000)), strategy=CellStrategy),
    "points": Table(_factors(16), 100_000, ((3, 560), (4, 1800)), n_jobs=2, n_points=300),
    "few points": Table(_factors(16), 1280, ((3, 200),) * 300, n_jobs=2, n_points=50),
}

USUAL = ("factors", "kdd", "shuttle")
MEASURED_ON: dict[str, tuple[str, ...]] = {
    "MAX_BYTES": ("tails", "shuttle"),
    "LEAST_PIECE": ("threads",),
    "PLANNED": ("many",),
    "VIEW_SHARE": ("kdd", "shuttle"),
    "VIEW_MIN_ROWS": ("few", "some"),
    "GRID_CACHED": ("triples", "quadruples"),
    "GRID_BEYOND": ("triples", "quadruples"),
    "TABLE_PAD": ("cells",),
    "CELL_PLACES": ("cells",),
    "CELL_FEW_ROWS": ("few", "some"),
    "CELL_LAST_RESORT": ("few", "some"),
    "BITS_CODE": ("factors", "tails", "fine"),
    "BITS_ONCE": ("few", "some"),
    "BITS_MAX_WORDS": ("long",),
    "BITS_MAX_KEYS": ("fine", "finer"),
    "BITS_PICKED": ("keys", "more keys"),
    "BITS_LEAST_PIECE": ("threads",),
    "POINT_PIECE": ("points",),
    "POINT_LEAST_PIECE": ("few points",),
}
"""Tables of a number by name; `USUAL` for the others."""


class Pass(NamedTuple):
    """Seconds to count the tables, and a digest of the results."""

    seconds: float
    results: str


class Prepared(NamedTuple):
    """A fitted density, points to count near, and the subspaces to count."""

    density: SGrid
    points: FloatArray
    levels: list[IntArray]


@cache
def _prepare(table: Table, most_rows: int) -> Prepared:
    X = table.make(min(table.n_rows, most_rows))
    density = SGrid(bins=table.bins).fit(X)
    levels = [_subspaces(X.shape[1], size, most) for size, most in table.levels]
    return Prepared(density, X[: table.n_points], levels)


def _subspaces(d: int, size: int, most: int) -> IntArray:
    """Return at most `most` random subspaces, sorted; always the same."""
    rng = np.random.default_rng(0)
    if comb(d, size) <= 2 * most:
        every = np.array(list(combinations(range(d), size)))
        return np.asarray(every[np.sort(rng.permutation(len(every))[:most])])
    some = np.argsort(rng.random((most, d)), axis=1)[:, :size]
    return np.unique(np.sort(some, axis=1), axis=0)


def count_tables(tables: Sequence[Table], most_rows: int = sys.maxsize) -> Pass:
    """Count the tables once.

    It makes coded tables, counters and strategies again, because they store values of the numbers.
    """
    prepared = [_prepare(table, most_rows) for table in tables]
    digest, spent = blake2b(digest_size=8), 0.0
    for table, (density, points, levels) in zip(tables, prepared, strict=True):
        fitted = density.table_
        codes = fitted.codes.take(fitted.row_of, axis=1)
        if table.n_points:
            boxes = load_boxes(fitted, *density.intervals(points))
        begin = perf_counter()
        if table.n_points:
            results = [count_in_boxes(level, boxes, table.n_jobs) for level in levels]
        else:
            strategies = None if table.strategy is None else [table.strategy()]
            again = CodedTable(codes, fitted.filled, fitted.reach)
            counter = LevelCounter(again, table.n_jobs, strategies)
            results = [np.stack(counter.statistics(level)) for level in levels]
        spent += perf_counter() - begin
        for result in results:
            digest.update(result.tobytes())
    return Pass(spent, digest.hexdigest())


class Child:
    """A process that sets a number before numba compiles a kernel, then counts tables."""

    def __init__(self, number: Number, factor: float, most_rows: int, folder: Path) -> None:
        self.log = folder / f"{number.name} times {factor}.log"
        env = environment({"NUMBA_CACHE_DIR": str(folder / str(factor))})
        env["PYTHONPATH"] += pathsep + str(REPOSITORY)
        arguments = [number.name, str(factor), str(most_rows)]
        with self.log.open("w", encoding="utf-8") as log:
            # In a session of its own: Ctrl-C reaches only this process, which ends the child.
            self.process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.calibrate", *arguments],
                env=env,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        with suppress(OSError):  # the last request may still be in the pipe
            self.process.communicate()

    def ask(self) -> None:
        """Ask for a pass."""
        with suppress(BrokenPipeError):  # `answer` tells why
            _stream(self.process.stdin).write("\n")
            _stream(self.process.stdin).flush()

    def answer(self) -> Pass:
        """Wait for the requested pass."""
        line = _stream(self.process.stdout).readline()
        if not line:
            raise RuntimeError(f"{self.log.stem}: {self.log.read_text(encoding='utf-8').strip()}")
        return Pass(*json.loads(line))

    def count(self) -> Pass:
        """Ask for a pass, and wait for it."""
        self.ask()
        return self.answer()


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def serve(name: str, factor: str, most_rows: str) -> None:
    """Run as a child: count the tables of a number once for every line on stdin."""
    number = numbers()[name]
    with override(name, number.scaled(float(factor))):
        for _ in sys.stdin:
            print(json.dumps(count_tables(_tables_of(name), int(most_rows))), flush=True)


def _tables_of(name: str) -> list[Table]:
    return [TABLES[table] for table in MEASURED_ON.get(name, USUAL)]


class Times(NamedTuple):
    """Times with half and with double the number, relative to the unchanged one, by round."""

    half: list[float]
    double: list[float]

    @property
    def better(self) -> str:
        """Return "half" or "double" if it is clearly better, else ""."""
        clear = {
            name: median(ratios)
            for name, ratios in self._asdict().items()
            # The median alone would be wrong too often on a busy machine.
            if median(ratios) < CLEARLY and sum(r < 1.0 for r in ratios) >= 0.75 * len(ratios)
        }
        return min(clear, key=clear.__getitem__, default="")

    def __str__(self) -> str:
        return f"half {median(self.half):.2f}, double {median(self.double):.2f}"


def measure(number: Number, seconds: float, most_rows: int, say: Callable[[str], None]) -> Times:
    """Count the tables of a number with half, unchanged and with double, in turns.

    The first, untimed round compiles kernels and checks that the results are the same. At least
    three rounds follow, and more while they fit in `seconds`.
    """
    with ExitStack() as stack:
        if number.compiled:
            say("compiling")
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="calibrate-")))
            children = {
                name: stack.enter_context(Child(number, factor, most_rows, folder))
                for name, factor in FACTORS.items()
            }
            for child in children.values():
                child.ask()
            first = {name: child.answer() for name, child in children.items()}
            ways = {name: child.count for name, child in children.items()}
        else:
            tables = _tables_of(number.name)

            def way(factor: float) -> Callable[[], Pass]:
                value = number.scaled(factor)

                def count() -> Pass:
                    with override(number.name, value):
                        return count_tables(tables, most_rows)

                return count

            ways = {name: way(factor) for name, factor in FACTORS.items()}
            first = {name: count() for name, count in ways.items()}
        if len({one.results for one in first.values()}) > 1:
            raise Disagreement(f"{number.name}: another value gives other results")
        return _in_turns(ways, seconds, say)


def _in_turns(
    ways: dict[str, Callable[[], Pass]], seconds: float, say: Callable[[str], None]
) -> Times:
    """Run rounds of the three ways, each round in another order."""
    times, order = Times([], []), list(ways)
    begin, rounds = perf_counter(), 0
    while rounds < LEAST_ROUNDS or (perf_counter() - begin) * (1 + 1 / rounds) < seconds:
        took = {name: ways[name]().seconds for name in order}
        times.half.append(took["half"] / took["as it is"])
        times.double.append(took["double"] / took["as it is"])
        order, rounds = order[1:] + order[:1], rounds + 1
        say(f"round {rounds}, {shown(took['as it is'])}: {times}")
    return times


def main(arguments: Sequence[str]) -> int:
    """Measure the chosen numbers; return 0 unless one failed."""
    every = numbers()
    options = _parser().parse_args(arguments)
    wanted = []
    for name in options.names or every:
        if name.upper() not in every:
            nearest = get_close_matches(name.upper(), every, n=1, cutoff=0.0)[0]
            print(f"{name}: no such number in tuned.py, the nearest is {nearest}", file=sys.stderr)
            return 2
        wanted.append(every[name.upper()])
    if options.list:
        for number in wanted:
            where = "compiled in, " * number.compiled
            where += f"measured on {', '.join(MEASURED_ON.get(number.name, USUAL))}"
            print(f"{_head(number)}  {number.meaning} ({where})")
        return 0
    print(f"{machine.cpu()}; {machine.versions()}", file=sys.stderr)
    if machine.load() > 0.5:
        print(f"load {machine.load():.1f}: something else is running", file=sys.stderr)
    better = []
    try:
        for i, number in enumerate(wanted, 1):
            say = _Progress(f"[{i:{len(str(len(wanted)))}}/{len(wanted)}] {number.name}")
            try:
                say("compiling and checking")
                times = measure(number, options.seconds, options.rows, say)
            finally:
                say.clear()
            mark = f"{times.better} is better" if times.better else ""
            print(f"{_head(number)}  {times}  {mark:16}  {number.meaning}", flush=True)
            better += [f"{number.name} ({times.better})"] * bool(times.better)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except (Disagreement, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Clearly better with another value: {', '.join(better) or 'none'}")
    return 0


def _head(number: Number) -> str:
    return f"{number.name:17} {number.text:>11}"


class _Progress:
    """Progress on stderr: on a terminal over the last such line, elsewhere a line each time."""

    def __init__(self, head: str) -> None:
        self.head = head
        self.terminal = sys.stderr.isatty()

    def __call__(self, text: str) -> None:
        begin, end = ("\r\x1b[K", "") if self.terminal else ("", "\n")
        print(f"{begin}{self.head}: {text}", end=end, file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks calibrate",
        description="Measure the tuned numbers of counting again: count tables with each number "
        "halved, as it is and doubled, in turns. Prints the time with half and with double "
        "relative to the unchanged number (the median of all rounds), and marks a value that is "
        "clearly better: more than 5 %% faster, in three rounds of four. All numbers take about "
        "ten minutes.",
    )
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="numbers of tuned.py; by default all")
    add("--seconds", type=_positive(float), default=8.0, metavar="S", help="for a number (8)")
    add(
        "--rows",
        type=_positive(int),
        default=sys.maxsize,
        metavar="N",
        help="most rows of a table, for a trial",
    )
    add("--list", action="store_true", help="list the numbers and their tables")
    return parser


def _positive(kind: type[Any]) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        with suppress(ValueError):
            value = kind(text)
            if value > 0 and isfinite(value):
                return value
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")

    return read


if __name__ == "__main__":
    serve(*sys.argv[1:])
