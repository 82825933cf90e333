"""The command line: python -m benchmarks paper --help, and the same for the other parts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from math import inf
from pathlib import Path

from .. import machine
from ..results import Skipped
from ..tables import REPOSITORY
from . import judges, p_values, page, paper, peers, structures
from .cells import Cell, Cells, compute, interrupted


@dataclass(frozen=True)
class Part:
    """A part of the page, with a command of its own."""

    about: str
    cells: Callable[[argparse.Namespace], list[Cell]]
    reads_data: bool = True


PARTS = {
    "paper": Part(
        "Reproduce the tables and figures of Wells & Ting",
        lambda options: paper.cells(options.data and options.data.resolve()),
    ),
    "peers": Part(
        "Explain the same queries with other packages",
        lambda options: peers.cells(options.data and options.data.resolve()),
    ),
    "structures": Part(
        "Explain outliers of generated tables, each of one known kind, with every miner",
        lambda options: structures.cells(options.short),
        reads_data=False,
    ),
    "p-values": Part(
        "Test p-values on generated tables, without outliers and with planted ones",
        lambda options: p_values.cells(options.short),
        reads_data=False,
    ),
    "judges": Part(
        "Ask detectors on real tables whether they agree with the first aspect",
        lambda options: judges.cells(options.data and options.data.resolve()),
    ),
}


def main(part: str, arguments: Sequence[str]) -> int:
    """Compute the cells of a part and write the page; return 0 unless a cell failed."""
    options = _parser(part).parse_args(arguments)
    if options.data is not None and not options.data.is_dir():
        print(f"--data {options.data}: no such folder; pass one that exists", file=sys.stderr)
        return 2
    try:
        cells = PARTS[part].cells(options)
    except Skipped as reason:
        print(f"--data: {reason}", file=sys.stderr)
        return 2
    if options.only:
        cells = [c for c in cells if any(fnmatch(c.name, pattern) for pattern in options.only)]
        if not cells:
            print(f"--only {' '.join(options.only)}: no such cell; see --list", file=sys.stderr)
            return 2
    if options.list:
        print("\n".join(cell.name for cell in cells))
        return 0
    elsewhere = options.output or (REPOSITORY / "build/benchmarks" if options.short else None)
    stored = elsewhere or REPOSITORY / "benchmarks" / "evidence"
    if stored.exists() and not stored.is_dir():
        print(f"--output {stored}: this is a file; pass a folder", file=sys.stderr)
        return 2
    try:
        kept = {name: Cells(stored / f"{name}.json") for name in PARTS}
    except Skipped as reason:
        print(reason, file=sys.stderr)
        return 2
    n_failed = 0
    if not options.report:
        if options.fresh:
            kept[part].forget(cell.name for cell in cells)
        if machine.load() > 0.5:
            print(f"load {machine.load():.1f}: something else is running, times will be off")
        try:
            n_failed = compute(cells, kept[part], options.limit)
        except KeyboardInterrupt:
            return interrupted()
    stores = {name.replace("-", "_"): cells for name, cells in kept.items()}
    written = page.write(**stores, folder=elsewhere or REPOSITORY / "docs")
    print(f"{written} is written")
    return 1 if n_failed else 0


def _parser(part: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks {part}",
        description=f"{PARTS[part].about}, and write docs/evidence.md and its parts. The command "
        "keeps every finished cell of a table, so an interrupted run continues where it stopped.",
    )
    add = parser.add_argument
    if PARTS[part].reads_data:
        _add_data(parser)
    else:
        parser.set_defaults(data=None, limit=inf)
        add("--short", action="store_true", help="few tables, into build/benchmarks")
    add("--only", nargs="+", default=[], metavar="NAME", help="cells by name; * is anything")
    add("--fresh", action="store_true", help="first forget the results of these cells")
    add("--list", action="store_true", help="list the cells")
    add("--report", action="store_true", help="only rewrite the page")
    add("--output", type=Path, metavar="FOLDER", help="folder for page, plots and cells")
    return parser


def _add_data(parser: argparse.ArgumentParser) -> None:
    """Add the options of parts that read tables and take long."""
    parser.set_defaults(short=False)
    add = parser.add_argument
    add(
        "--data",
        type=Path,
        metavar="DIR",
        help="a folder with hics_*.npz and ground_truth.json, and a folder 'real' in or beside it; "
        "without it, the command generates tables",
    )
    add(
        "--limit",
        type=_seconds,
        default=1800.0,
        metavar="SECONDS",
        help="longest time of a cell, half an hour by default; the start of Python, compiling and "
        "repeated runs count, so give it minutes. With a greater limit, the command tries cells "
        "again that took too long",
    )


def _seconds(text: str) -> float:
    try:
        if 0 < float(text) <= 1e6:
            return float(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r}: expected seconds, more than 0 and up to 1e6")
