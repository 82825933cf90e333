"""The arguments of the command line, and the checks of their values."""

from __future__ import annotations

import argparse
import csv
import reprlib
from contextlib import suppress
from typing import Any, NoReturn

from .completion import SHELLS
from .messages import PROG, CommandError, show
from .output import FORMATS
from .reading.dialect import SPACES
from .reading.limits import MAX_SIZE
from .reading.opening import STDIN

_DESCRIPTION = """\
Tells why rows of a table are anomalies: a PyOD detector says which rows, and pyod_aspects
finds the small sets of features (columns) in which each of them stands out.
"""

_EXAMPLES = """\
examples:
  pyod-aspects demo
  pyod-aspects explain measurements.csv
  pyod-aspects explain payments.xlsx --detector KNN --n-queries 5 --id customer --label fraud
  pyod-aspects explain 'part-*.parquet' --rows 3,17 --json why.json
  pyod-aspects explain payments.csv.gz --html report.html --save payments.explainer
  pyod-aspects explain today.csv --model payments.explainer --trust --format csv
"""

_EXPLAIN_DESCRIPTION = """\
Fits a PyOD detector to a table and explains its most anomalous rows. The table may have numbers,
categories, times, truth values and gaps. Files: CSV and other text with separators, JSON lines,
Parquet, Feather, Excel; packed with gzip, bzip2, xz or zip. The command detects separator, decimal
mark, encoding and header. Row 0 is the first row below the header.
"""

SCORES = ("lift", "zscore")
"""Scores of SGBeam, named here so that --help answers at once."""

SHOWN_ASPECTS = 3
"""Aspects to print for each row by default."""

DETECTOR = "auto"
"""Default detector."""

_HTML_HELP = "write a page with pictures to FILE as well"


class _Parser(argparse.ArgumentParser):
    """Parser whose error messages are one line."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (see {self.prog} --help)")

    def print_help(self, file: Any = None) -> None:
        """Print the help with `show`, as all other output."""
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
        help="explain the anomalies of a built-in table",
        description="Explains the anomalies of a built-in table: diamonds, with errors.",
        allow_abbrev=False,
    )
    demo.add_argument("--html", type=_page, metavar="FILE", help=_HTML_HELP)
    demo.set_defaults(command="demo", parser=demo)

    completion = choice.add_parser(
        "completion",
        help="print a script that completes commands and options",
        description='Prints a script for a shell: eval "$(pyod-aspects completion bash)".',
        allow_abbrev=False,
    )
    completion.add_argument("shell", choices=SHELLS)
    completion.set_defaults(command="completion", parser=completion)

    explain = choice.add_parser(
        "explain",
        help="explain the anomalies of a table in files",
        description=_EXPLAIN_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    explain.set_defaults(command="explain", parser=explain)
    explain.add_argument(
        "data",
        type=_data,
        nargs="+",
        help=f"the file; several files or a pattern are one table; - reads {STDIN}",
    )

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
        "--label",
        metavar="COLUMN",
        help="the column that says which rows are anomalies: shown, but not searched",
    )
    table.add_argument("--id", metavar="COLUMN", help="the column that names the rows")
    table.add_argument(
        "--new",
        type=_data,
        action="append",
        metavar="FILE",
        help="explain the rows of FILE instead, compared with the table",
    )

    written = explain.add_argument_group("how the files are written (default: detected)")
    written.add_argument(
        "--sep",
        "--delimiter",
        type=_separator,
        metavar="C",
        help="the separator of columns: ',', ';', tab, spaces",
    )
    written.add_argument("--decimal", choices=(".", ","), help="the decimal mark")
    written.add_argument("--encoding", metavar="NAME", help="the encoding, such as latin-1")
    names = written.add_mutually_exclusive_group()
    names.add_argument(
        "--header", action="store_true", default=None, help="the first line names the columns"
    )
    names.add_argument(
        "--no-header", action="store_false", dest="header", help="the first line is data already"
    )
    written.add_argument("--sheet", metavar="NAME", help="sheet of a spreadsheet, or its number")

    written.add_argument(
        "--max-size",
        type=_size,
        default=MAX_SIZE,
        metavar="GB",
        help="gigabytes to which a packed file, a spreadsheet or a Parquet file may unpack "
        f"(default: {MAX_SIZE:g})",
    )

    detector = explain.add_argument_group("the detector, which ranks the rows")
    source = detector.add_mutually_exclusive_group()
    source.add_argument(
        "--detector",
        metavar="NAME",
        help="any PyOD detector by its class name: ECOD, KNN, LOF, ... (default: auto, which is "
        "KNN, for more than 50,000 rows INNE)",
    )
    source.add_argument(
        "--model",
        metavar="FILE",
        help="an explainer that --save wrote, which explains the rows of the files as new rows; "
        "or a detector, fitted to this very table and saved with joblib or pickle. Needs --trust",
    )
    detector.add_argument(
        "--trust",
        action="store_true",
        help="load --model: this runs the code in the file, so know who made it",
    )
    detector.add_argument(
        "--encode",
        choices=("show",),
        help="show how columns become numbers for the detector, and stop",
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
    rows.add_argument(
        "--rows",
        type=_rows,
        metavar="I,J",
        help="explain these rows instead: by number, or by name with --id",
    )

    miner = explain.add_argument_group("the search for aspects")
    miner.add_argument(
        "--miner",
        default="sgbeam",
        metavar="NAME",
        help="sgbeam (fast), gbeam, kdebeam or oaminer (for small tables) (default: sgbeam)",
    )
    miner.add_argument(
        "--score",
        choices=SCORES,
        help="for sgbeam: lift compares the number of rows nearby with the number that independent "
        "features would give, zscore (the paper's) with its average over all rows (default: lift)",
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
        help="sets of each size that the search extends to the next: more is slower and more "
        "thorough (default: 100)",
    )
    miner.add_argument(
        "--top-k",
        type=_at_least_one,
        metavar="N",
        help=f"find and show N sets for each row (default: find 10, show {SHOWN_ASPECTS});"
        " see --redundant",
    )

    miner.add_argument(
        "--n-jobs",
        type=_jobs,
        default=-1,
        metavar="N",
        help="threads; -1 uses all processors (default: -1)",
    )

    sure = explain.add_argument_group("how sure")
    sure.add_argument(
        "--n-reference",
        type=_n_reference,
        default="auto",
        metavar="N",
        help="search N ordinary rows, too, for p-values: how many have an aspect as strong; auto "
        "takes up to 200 in about five seconds, up to 1,000 for many rows; 0 gives none "
        "(default: auto)",
    )
    sure.add_argument(
        "--random-state",
        type=_seed,
        default=0,
        metavar="N",
        help="seed of the draw of ordinary rows, and of rows that lend their values (default: 0)",
    )
    sure.add_argument(
        "--agreement",
        action=argparse.BooleanOptionalAction,
        help="ask the detector whether it agrees: how far its score falls with other values "
        "(default: if it has to score few rows)",
    )
    sure.add_argument(
        "--alpha",
        type=_alpha,
        metavar="A",
        help="show only convincing aspects: stronger than in ordinary rows, by the procedure of "
        "Benjamini and Hochberg at the level A, such as 0.05",
    )

    output = explain.add_argument_group("output")
    output.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="what to print: text, json (everything), html (the page), csv (an aspect a line)",
    )
    output.add_argument(
        "--save", metavar="FILE", help="save the fitted explainer to FILE, for --model"
    )
    output.add_argument(
        "--json",
        metavar="FILE",
        help="write everything to FILE as well; - prints it instead of the text",
    )
    output.add_argument("--html", type=_page, metavar="FILE", help=_HTML_HELP)
    output.add_argument(
        "--groups",
        action="store_true",
        help="show groups of rows that are odd for the same reason first; with --json in it, too",
    )
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
    output.add_argument(
        "--verbose",
        action="store_true",
        help="log the steps and their times on stderr, also with --quiet",
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


def _size(text: str) -> float:
    with suppress(ValueError):
        if 0.0 < float(text) < 1e6:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r}: expected a number of gigabytes, such as 8")


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


def _rows(text: str) -> list[int | str]:
    """Numbers of rows, or names of rows."""
    parts = [part.strip() for part in next(csv.reader([text], skipinitialspace=True))]
    if not all(parts) or any(part.startswith("-") and part[1:].isdecimal() for part in parts):
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected rows with commas between them, such as 3,17"
        )
    return [int(part) if part.isdecimal() else part for part in parts]


def _jobs(text: str) -> int:
    with suppress(ValueError):
        if int(text) != 0:
            return int(text)
    raise argparse.ArgumentTypeError(f"{text!r}: expected a number of threads, or -1 for all")


def _names(text: str) -> list[str]:
    """Split names as a line of CSV: quotes allow a comma in a name."""
    try:
        return [name.strip() for name in next(csv.reader([text], skipinitialspace=True))]
    except csv.Error:
        raise argparse.ArgumentTypeError(
            f"{reprlib.repr(text)}: expected names of columns in one line, with commas between them"
        ) from None


def _separator(text: str) -> str:
    text = {"tab": "\t", "\\t": "\t", "spaces": SPACES, " ": SPACES}.get(text, text)
    if len(text) != 1 and text != SPACES:
        raise argparse.ArgumentTypeError(f"{text!r}: expected one character, tab or spaces")
    return text
