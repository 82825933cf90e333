"""The arguments: which there are, and what their texts mean."""

from __future__ import annotations

import argparse
import csv
import reprlib
from contextlib import suppress
from typing import Any, NoReturn

from . import commands
from .messages import PROG, CommandError, show
from .reading import STDIN

_DESCRIPTION = """\
Tells why rows of a table are anomalies: a PyOD detector says which rows, and pyod_aspects
finds the small sets of features (columns) in which each of them stands out.
"""

_EXAMPLES = """\
examples:
  pyod-aspects demo
  pyod-aspects explain measurements.csv
  pyod-aspects explain measurements.csv --detector KNN --n-queries 5 --exclude id,name
  pyod-aspects explain measurements.csv --rows 3,17 --json why.json
  pyod-aspects explain measurements.csv --html report.html
"""

_EXPLAIN_DESCRIPTION = """\
Fits a PyOD detector to a CSV file and explains its most anomalous rows. The file has a header
line and numbers in all columns (see --exclude). Rows are counted from 0, without the header.
"""

SCORES = ("lift", "zscore")
"""Scores of SGBeam, named here so that --help answers at once."""

_HTML_HELP = "write a page with pictures to FILE as well"


class _Parser(argparse.ArgumentParser):
    """Parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (see {self.prog} --help)")

    def print_help(self, file: Any = None) -> None:
        """Print the help as everything else is printed."""
        show(self.format_help().rstrip())


def make_parser() -> argparse.ArgumentParser:
    """Set up the parser of all commands."""
    parser = _Parser(
        prog=PROG,
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    parser.set_defaults(command=None, parser=parser)
    choice = parser.add_subparsers(title="commands", metavar="COMMAND")

    demo = choice.add_parser(
        "demo",
        help="explain the anomalies of a table that comes along",
        description="Explains the anomalies of a table that comes along: tumours, measured.",
        allow_abbrev=False,
    )
    demo.add_argument("--html", type=_page, metavar="FILE", help=_HTML_HELP)
    demo.set_defaults(command=commands.demo, parser=demo)

    explain = choice.add_parser(
        "explain",
        help="explain the anomalies of a CSV file",
        description=_EXPLAIN_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    explain.set_defaults(command=commands.explain, parser=explain)
    explain.add_argument("data", type=_data, help=f"the CSV file; - reads {STDIN}")

    table = explain.add_argument_group("the table")
    table.add_argument(
        "--columns",
        type=_names,
        action="extend",
        metavar="A,B",
        help="use these columns only",
    )
    table.add_argument(
        "--exclude",
        type=_names,
        action="extend",
        metavar="A,B",
        help="leave these columns out, such as names and identifiers",
    )
    table.add_argument(
        "--sep",
        "--delimiter",
        type=_separator,
        default=",",
        metavar="C",
        help="what separates the columns: ';', tab (default: ',')",
    )
    table.add_argument("--no-header", action="store_true", help="the first line is data already")

    detector = explain.add_argument_group("the detector, which says which rows are anomalous")
    source = detector.add_mutually_exclusive_group()
    source.add_argument(
        "--detector",
        metavar="NAME",
        help="any PyOD detector by its class name: ECOD, KNN, LOF, ... "
        f"(default: {commands.DETECTOR})",
    )
    source.add_argument(
        "--model",
        metavar="FILE",
        help="a detector, fitted to this very table and saved with joblib or pickle. Loading "
        "such a file runs the code in it: only load files from people you trust",
    )
    detector.add_argument(
        "--contamination",
        type=_share,
        metavar="P",
        help="share of anomalies that the detector should expect, up to 0.5",
    )
    detector.add_argument(
        "--seed",
        type=_seed,
        default=0,
        metavar="N",
        help="the same number gives the same result (default: 0)",
    )

    rows = explain.add_argument_group("the rows to explain").add_mutually_exclusive_group()
    rows.add_argument(
        "--n-queries",
        type=_at_least_one,
        metavar="N",
        help="explain the N most anomalous rows (default: 10)",
    )
    rows.add_argument("--rows", type=_row_numbers, metavar="I,J", help="explain these rows instead")

    miner = explain.add_argument_group("the search for what sets them apart")
    miner.add_argument(
        "--miner",
        default="sgbeam",
        metavar="NAME",
        help="sgbeam (fast), gbeam, kdebeam or oaminer (for small tables) (default: sgbeam)",
    )
    miner.add_argument(
        "--score",
        choices=SCORES,
        help="of sgbeam, with what rows nearby are compared: lift with those that the features "
        "apart let expect, zscore (the paper's) with those of all rows (default: lift)",
    )
    miner.add_argument(
        "--max-dim",
        type=_at_least_one,
        metavar="N",
        help="look at sets of at most N features (default: 5)",
    )
    miner.add_argument(
        "--width",
        type=_at_least_one,
        metavar="N",
        help="sets of each size that are extended to the next: more is slower and more "
        "thorough (default: 100)",
    )
    miner.add_argument(
        "--top-k",
        type=_at_least_one,
        metavar="N",
        help=f"find and show N sets for each row (default: find 10, show {commands.SHOWN_ASPECTS});"
        " see --redundant",
    )

    sure = explain.add_argument_group("how sure")
    sure.add_argument(
        "--n-reference",
        type=_n_reference,
        default="auto",
        metavar="N",
        help="search N ordinary rows, too, for p-values: how many have an aspect as strong; auto "
        "are up to 200, as many as take about five seconds; 0 are none (default: auto)",
    )
    sure.add_argument(
        "--random-state",
        type=_seed,
        default=0,
        metavar="N",
        help="decides which ordinary rows are drawn (default: 0)",
    )
    sure.add_argument(
        "--alpha",
        type=_alpha,
        metavar="A",
        help="show only what is convincing: stronger than in ordinary rows, by the procedure of "
        "Benjamini and Hochberg at the level A, such as 0.05",
    )

    output = explain.add_argument_group("output")
    output.add_argument(
        "--json",
        metavar="FILE",
        help="write everything to FILE as well; - prints it instead of the text",
    )
    output.add_argument("--html", type=_page, metavar="FILE", help=_HTML_HELP)
    output.add_argument(
        "--redundant",
        action="store_true",
        help="show redundant sets too, which add little to a smaller set that they contain",
    )
    output.add_argument(
        "--quiet",
        action="store_true",
        help="no progress and no notes; with --json or --html no text either",
    )
    return parser


def _data(text: str) -> str:
    return STDIN if text == "-" else text


def _page(text: str) -> str:
    if text == "-":
        raise argparse.ArgumentTypeError("'-': expected the name of a file, such as report.html")
    return text


def _at_least_one(text: str) -> int:
    return _whole_number(text, 1)


def _seed(text: str) -> int:
    number = _whole_number(text, 0)
    if number >= 2**32:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number below 2**32")
    return number


def _whole_number(text: str, least: int) -> int:
    with suppress(ValueError):
        if int(text) >= least:
            return int(text)
    raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number, {least} or more")


def _share(text: str) -> float:
    with suppress(ValueError):
        if 0.0 < float(text) <= 0.5:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r}: expected a number above 0 and up to 0.5")


def _alpha(text: str) -> float:
    with suppress(ValueError):
        if 0.0 < float(text) < 1.0:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r}: expected a number between 0 and 1, such as 0.05")


def _n_reference(text: str) -> int | str:
    if text == "auto":
        return text
    try:
        return _whole_number(text, 0)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected auto, or a number of rows") from None


def _row_numbers(text: str) -> list[int]:
    try:
        return [_whole_number(part.strip(), 0) for part in text.split(",")]
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected row numbers with commas between them, such as 3,17"
        ) from None


def _names(text: str) -> list[str]:
    """Split names as a line of CSV, so that a name with a comma can be quoted."""
    try:
        return [name.strip() for name in next(csv.reader([text], skipinitialspace=True))]
    except csv.Error:
        raise argparse.ArgumentTypeError(
            f"{reprlib.repr(text)}: expected names of columns in one line, with commas between them"
        ) from None


def _separator(text: str) -> str:
    text = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(text) != 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected one character, or tab")
    return text
