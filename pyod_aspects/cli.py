"""`pyod-aspects`: why are these rows of my table anomalies, from the command line.

What the user got wrong is one line on the error stream and exit code 2. Everything heavy
is imported where it is needed, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import csv
import inspect
import io
import os
import re
import reprlib
import shlex
import shutil
import stat
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from types import TracebackType

    import pandas as pd

    from ._types import FloatArray, Progress
    from .explanation import Explanation
    from .miners import BaseMiner

PROG = "pyod-aspects"

_DESCRIPTION = """\
Tells why rows of a table are anomalies: a PyOD detector says which rows, and pyod_aspects
finds the small sets of features (columns) in which each of them stands out.
"""

_EXAMPLES = """\
examples:
  pyod-aspects demo
  pyod-aspects explain measurements.csv
  pyod-aspects explain measurements.csv --detector KNN --top 5 --exclude id,name
  pyod-aspects explain measurements.csv --rows 3,17 --json why.json
"""

_EXPLAIN_DESCRIPTION = """\
Fits a PyOD detector to a CSV file and explains its most anomalous rows. The file has a header
line and numbers in all columns (see --exclude). Rows are counted from 0, without the header.
"""

STDIN = "the standard input"
"""What - is called from here on."""

SHOWN_ASPECTS = 3
"""Aspects printed for each row when nobody said how many."""


class CommandError(Exception):
    """What the user has to hear, in one line."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process if not given.

    Returns
    -------
    int
        0 if all went well, 2 if something about the call was wrong, 130 after Ctrl-C.
    """
    try:
        code = _run(argv)
        if sys.stdout is not None:
            with _output() as stream:
                stream.flush()
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except BrokenPipeError:
        # The reader, such as "head", has seen enough.
        _give_up(sys.stdout)
        return 141
    except MemoryError as error:
        return _complain(str(error) or "not enough memory", 2)
    except Exception as error:
        from .exceptions import AspectsError

        if not isinstance(error, (AspectsError, CommandError)):
            raise
        return _complain(str(error), 2)
    return code


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    try:
        args, unknown = parser.parse_known_args(argv)
    except SystemExit as done:  # --help
        return int(done.code or 0)
    if unknown:
        options = re.findall(r"--([\w-]+)", args.parser.format_usage())
        close = get_close_matches(unknown[0].partition("=")[0].strip("-"), options, n=1)
        hint = f"did you mean --{close[0]}?" if close else f"see {args.parser.prog} --help"
        raise CommandError(f"unexpected {unknown[0]!r}: {hint}")
    if args.version:
        from ._version import __version__

        _print(f"{PROG} {__version__}")
    elif args.command is None:
        _print(parser.format_help().rstrip())
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            args.command(args)
    return 0


def _complain(message: str, code: int) -> int:
    line = " ".join(message.split())
    if sys.stderr is not None:  # as after 2>&-
        try:
            sys.stderr.write(f"{PROG}: {line}\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            _give_up(sys.stderr)
    return code


def _print(text: str) -> None:
    """Print, with escapes for what the terminal's encoding does not have."""
    with _output() as stream:
        encoding = getattr(stream, "encoding", None) or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


@contextmanager
def _output() -> Iterator[IO[str]]:
    """Use the standard output: that it is closed, or its disk full, becomes one line."""
    if sys.stdout is None:  # as after >&-
        raise CommandError("the standard output is closed.")
    try:
        yield sys.stdout
    except BrokenPipeError:
        raise
    except OSError as error:
        _give_up(sys.stdout)
        raise CommandError(
            f"the standard output cannot be written: {error.strerror or error}."
        ) from error


def _give_up(stream: IO[str]) -> None:
    """Send what a stream still holds nowhere: python would complain about it at exit."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(null, stream.fileno())
        finally:
            os.close(null)


# ---------------------------------------------------------------- arguments


class _Parser(argparse.ArgumentParser):
    """Parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (see {self.prog} --help)")

    def print_help(self, file: Any = None) -> None:
        """Print the help as everything else is printed."""
        _print(self.format_help().rstrip())


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=PROG,
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    parser.set_defaults(command=None, parser=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    demo = commands.add_parser(
        "demo",
        help="explain the anomalies of a table that comes along",
        description="Explains the anomalies of a table that comes along: tumours, measured.",
        allow_abbrev=False,
    )
    demo.set_defaults(command=_demo, parser=demo)

    explain = commands.add_parser(
        "explain",
        help="explain the anomalies of a CSV file",
        description=_EXPLAIN_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    explain.set_defaults(command=_explain, parser=explain)
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
    detector.add_argument(
        "--detector",
        default="IForest",
        metavar="NAME",
        help="any PyOD detector by its class name: ECOD, KNN, LOF, ... (default: IForest)",
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
        "--top",
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
        help=f"find and show N sets for each row (default: find 10, show {SHOWN_ASPECTS})",
    )

    output = explain.add_argument_group("output")
    output.add_argument(
        "--json",
        metavar="FILE",
        help="write everything to FILE as well; - prints it instead of the text",
    )
    output.add_argument(
        "--quiet", action="store_true", help="no progress and no notes; with --json no text either"
    )
    return parser


def _data(text: str) -> str:
    return STDIN if text == "-" else text


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


def _is_number(text: str) -> bool:
    with suppress(ValueError):
        float(text)
        return True
    return False


def _float_or_nan(value: object) -> float:
    """Read a number of any length, which may be infinite then."""
    return float(str(value)) if _is_number(str(value)) else float("nan")


def _share(text: str) -> float:
    with suppress(ValueError):
        if 0.0 < float(text) <= 0.5:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r}: expected a number above 0 and up to 0.5")


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


# ---------------------------------------------------------------- commands


def _demo(args: argparse.Namespace) -> None:
    with _output():  # Known before the work begins.
        pass
    with Status() as status:
        from .datasets import load_demo

        demo = load_demo()
        detector = make_detector("IForest", seed=0)
        explanation = _explanation(demo.frame, detector, make_miner("sgbeam"), status)
    malignant = int(demo.y[[query.row for query in explanation]].sum())
    n_rows, n_columns = demo.X.shape
    _print(
        f"The table: {n_rows} breast tumours, {n_columns} measurements of each; "
        f"{int(demo.y.sum())} are malignant.\n"
        f"PyOD's IForest, which was not told, finds these {len(explanation)} the most anomalous: "
        f"{malignant} are malignant.\n"
        "SGBeam finds the measurements in which each of them stands out.\n"
    )
    _print(explanation.summary(SHOWN_ASPECTS))
    _print(f"\nNow your own table:  {PROG} explain data.csv  (options: {PROG} explain --help)")


def _explain(args: argparse.Namespace) -> None:
    with Status(wanted=not args.quiet) as status:
        # All that can be wrong is looked at before the long work begins.
        if args.json not in (None, "-"):
            from .files import check_target

            check_target(args.json)
            _check_other_file(args.json, args.data)
        if args.json in (None, "-") or not args.quiet:
            with _output():  # Something will be printed.
                pass
        miner = make_miner(args.miner, max_dim=args.max_dim, width=args.width, top_k=args.top_k)
        if args.data != STDIN:  # Somebody may be typing.
            status.say(f"reading {args.data}")
        frame = read_table(
            args.data, args.sep, args.no_header, args.columns, args.exclude, status.note
        )
        for row in args.rows or ():
            if row >= len(frame):
                raise CommandError(
                    f"--rows: row {row} does not exist, {args.data} has {len(frame)} rows "
                    f"(0 to {len(frame) - 1})."
                )
        detector = make_detector(args.detector, args.seed, args.contamination)
        explanation = _explanation(
            frame, detector, miner, status, args.seed, rows=args.rows, n_queries=args.top
        )
    if args.json == "-":
        _print(explanation.to_json())
        return
    if args.json is not None:
        from .files import write_text

        write_text(args.json, explanation.to_json() + "\n")
        if args.quiet:
            return
    _print(explanation.summary(args.top_k or SHOWN_ASPECTS))
    if not args.quiet:
        first = "line of the file" if args.no_header else "line after the header"
        _print(f"  Rows are counted from 0: row 0 is the first {first}.")
        if not args.no_header and all(map(_is_number, explanation.feature_names)):
            _print("  The first line was taken for a header; if it is data, add --no-header.")
        if args.json is not None:
            _print(f"Everything is in {args.json}: Explanation.from_json reads it.")


def _check_other_file(target: str, data: str) -> None:
    """See that the data is not about to be replaced by what is said about it."""
    with suppress(OSError, ValueError, AttributeError):  # What is not there is not the same.
        found = os.stat(target)
        source = os.fstat(sys.stdin.fileno()) if data == STDIN else os.stat(data)
        if stat.S_ISREG(found.st_mode) and os.path.samestat(found, source):
            raise CommandError(f"--json {target} would replace the data: name another file.")


def _explanation(
    frame: pd.DataFrame,
    detector: Any,
    miner: BaseMiner,
    status: Status,
    seed: int = 0,
    **queries: Any,
) -> Explanation:
    """Fit the detector, then explain."""
    from .explainer import AspectExplainer

    name = type(detector).__name__
    status.say(f"fitting {name} to {len(frame):,} rows")
    fit_detector(detector, frame.to_numpy(dtype="float64"), seed)
    status.say("preparing the search")
    explainer = AspectExplainer(detector, miner).fit(frame)
    return explainer.explain(progress=status.progress, **queries)


def make_miner(name: str, **settings: int | None) -> BaseMiner:
    """Set up a miner by name; settings that are None keep their defaults."""
    from .miners import MINERS

    if name.lower() not in MINERS:
        raise CommandError(f"there is no miner {name!r}{_suggestion(name, MINERS)}")
    miner = MINERS[name.lower()]
    given = {key: value for key, value in settings.items() if value is not None}
    for key in given:
        if key not in inspect.signature(miner).parameters:
            raise CommandError(f"--{key.replace('_', '-')} does not apply to {name.lower()}.")
    return miner(**given)


def _suggestion(name: str, known: Iterable[str], most: int = 8) -> str:
    """End of a sentence: what was meant, or what there is."""
    names = {candidate.lower(): candidate for candidate in known}
    close = get_close_matches(name.lower(), names, n=1)
    if close:
        return f": did you mean {names[close[0]]!r}?"
    listed = [repr(candidate) for candidate in names.values()]
    return f": there is {', '.join(listed[:most])}" + (", ..." if listed[most:] else ".")


# ---------------------------------------------------------------- the table


def read_table(
    path: str,
    sep: str = ",",
    no_header: bool = False,
    columns: Sequence[str] | None = None,
    exclude: Sequence[str] | None = None,
    note: Callable[[str], None] | None = None,
) -> pd.DataFrame:
    """Read the columns of numbers that the user wants from a CSV file."""
    frame, hint_at_sep = _read_csv(path, sep, no_header)
    known = list(frame.columns)
    for name in [*(columns or ()), *(exclude or ())]:
        if name not in known:
            hint = _suggestion(name, known)
            raise CommandError(f"{path} has no column {name!r}{hint}")
    # Each once, in the order of the user or else of the file.
    wanted = [name for name in dict.fromkeys(columns or known) if name not in (exclude or ())]
    if not wanted:
        raise CommandError(f"--exclude leaves no column of {path}.")
    if columns is None:
        counters = _counters(frame)
        left_out = [name for name in wanted if name in counters]
        if 0 < len(left_out) < len(wanted):
            wanted = [name for name in wanted if name not in counters]
            if note is not None:
                note(
                    f"{', '.join(map(repr, left_out))} only counts the rows, as pandas writes it, "
                    "and is left out; --columns can bring it back."
                )
    return _numbers(path, frame[wanted], hint_at_sep)


def _counters(frame: pd.DataFrame) -> list[str]:
    """The unnamed columns at the left that count 0, 1, ..., one for each careless `to_csv()`."""
    import numpy as np

    found: list[str] = []
    for name in frame.columns:
        if not re.fullmatch(r"Unnamed: \d+(\.\d+)*", name):
            break
        if not np.array_equal(frame[name], np.arange(len(frame))):
            break
        found.append(name)
    return found


def _hint_at_sep(content: bytes, sep: str, no_header: bool) -> str:
    """End of a sentence: what else may separate the columns, by the first line of the file."""
    line = content.lstrip(b"\r\n").partition(b"\n")[0]
    least = line.count(sep.encode())
    for other, option in ((";", "';'"), ("\t", "tab"), ("|", "'|'"), (",", "','")):
        count = line.count(other.encode())
        if no_header and (other, sep) == (";", ","):
            count *= least + 1  # Decimal commas may well outnumber the semicolons,
        if no_header and (other, sep) == (",", ";"):
            count = count if least == 0 else 0  # and do so here.
        if other != sep and count > least:
            return f"; the delimiter may be {option}: try --sep {option}"
    return ""


def _read_csv(path: str, sep: str, no_header: bool) -> tuple[pd.DataFrame, str]:
    """The table, and what to hint at if its values turn out to be no numbers."""
    import pandas as pd

    content = b""
    try:
        if path == STDIN and sys.stdin is None:  # as after <&-
            raise CommandError(f"{STDIN} is closed.")
        # Read here and not by pandas, which takes a Ctrl-C while it reads for a broken file.
        content = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
        with warnings.catch_warnings():
            # With index_col=False lines that are too long are cut, and only a warning says so.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame: pd.DataFrame = pd.read_csv(
                io.BytesIO(content),
                sep=sep,
                header=None if no_header else 0,
                index_col=False,
                encoding="utf-8-sig",
                skipinitialspace=True,
            )
    except pd.errors.EmptyDataError:
        raise CommandError(f"{path} is empty: expected a CSV file.") from None
    except UnicodeDecodeError:
        raise CommandError(f"{path} is not text in UTF-8: expected a CSV file.") from None
    except pd.errors.ParserWarning:
        raise CommandError(
            f"{path} has lines with more values than there are names in its header"
            f"{_hint_at_sep(content, sep, no_header)}."
        ) from None
    except ValueError as error:
        hint = _hint_at_sep(content, sep, no_header) or " (--sep says what separates the columns)"
        raise CommandError(f"{path} cannot be read as CSV: {str(error).strip()}{hint}.") from None
    except FileNotFoundError:
        raise CommandError(f"there is no file {path}.") from None
    except IsADirectoryError:
        raise CommandError(f"{path} is a folder: expected a CSV file.") from None
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from None
    names = [str(name).strip() or f"Unnamed: {i}" for i, name in enumerate(frame.columns)]
    frame.columns = [f"x{i}" for i in range(len(names))] if no_header else names
    hint = _hint_at_sep(content, sep, no_header)
    if len(frame) == 0:
        raise CommandError(f"{path} has no rows{' below its header' * (not no_header)}.")
    if len(frame.columns) == 1 and hint:
        raise CommandError(f"{path} has one column only{hint}.")
    for name in frame.columns[frame.columns.duplicated()]:
        raise CommandError(f"{path} has several columns {name!r}, apart from spaces: rename one.")
    return frame, hint


def _numbers(path: str, frame: pd.DataFrame, hint_at_sep: str = "") -> pd.DataFrame:
    """Turn the columns into float64, or say which ones are not numbers."""
    import numpy as np
    import pandas as pd

    columns, problems = {}, {}
    for name in frame.columns:
        raw = frame[name]
        try:
            column = pd.to_numeric(raw, errors="coerce").astype("float64")
        except OverflowError:  # Whole numbers of hundreds of digits.
            column = raw.map(_float_or_nan).astype("float64")
        missing, text = raw.isna(), column.isna() & raw.notna()
        infinite = np.isinf(column)
        first = str(raw[text].iloc[0]) if text.any() else ""
        decimal = re.fullmatch(r"[+-]?\d+,\d+", first) is not None
        for bad, what in (
            (text, "has decimal commas instead of points" if decimal else "holds text"),
            (missing, "has missing values"),
            (infinite, "has infinite values"),
        ):
            if bad.any():
                row = int(np.flatnonzero(bad)[0])
                value = f"{reprlib.repr(raw.iloc[row])} " if bad is text else ""
                if bad is infinite:
                    value = f"{float(column.iloc[row])} "
                problems[name] = (
                    f"column {name!r} {what} ({value}in row {row}, {bad.sum():,} in all)"
                )
                break
        columns[name] = column
    if len(problems) == len(columns):
        raise CommandError(
            f"{path} has no column of numbers alone: {next(iter(problems.values()))}{hint_at_sep}."
        )
    if problems:
        others = f", and {len(problems) - 1} more such" if len(problems) > 1 else ""
        option = io.StringIO()
        csv.writer(option, lineterminator="").writerow(problems)
        raise CommandError(
            f"{path}: {next(iter(problems.values()))}{others}{hint_at_sep}; "
            f"{'or ' * bool(hint_at_sep)}leave out with --exclude {shlex.quote(option.getvalue())}"
        )
    return pd.DataFrame(columns)


# ---------------------------------------------------------------- detectors


def known_detectors() -> dict[str, str]:
    """PyOD's detectors and the modules that they live in.

    Read from PyOD's source: importing all of it would take long and need every extra package.
    """
    spec = find_spec("pyod")
    folders = spec.submodule_search_locations if spec is not None else None
    detectors: dict[str, str] = {}
    for folder in folders or ():
        # Sorted, so that so_gaal.py comes before the draft so_gaal_new.py.
        for file in sorted(Path(folder, "models").glob("*.py"), key=lambda file: file.stem):
            source = file.read_text(encoding="utf-8", errors="replace")
            for name in re.findall(r"^class (\w+)\(Base\w*Detector\)", source, re.MULTILINE):
                if not name.startswith("Base"):
                    detectors.setdefault(name, f"pyod.models.{file.stem}")
    return detectors


def make_detector(name: str, seed: int = 0, contamination: float | None = None) -> Any:
    """Set up a detector by its class name, in whatever case."""
    detectors = known_detectors()
    match = {known.lower(): known for known in detectors}.get(name.lower())
    if match is None:
        common = ["IForest", "ECOD", "COPOD", "KNN", "LOF", "HBOS", "PCA", "OCSVM"]
        known = [*(c for c in common if c in detectors), *detectors]
        raise CommandError(f"PyOD has no detector {name!r}{_suggestion(name, known)}")
    with _foreign(match, "cannot be set up"):
        cls = getattr(import_module(detectors[match]), match)
    needed = [*_required(cls.__init__), *(p for p in _required(cls.fit) if p != "X")]
    if needed:
        raise CommandError(
            f"{match} needs {needed[0]!r}, which the command line cannot give: use it from Python."
        )
    settings: dict[str, Any] = {"random_state": seed, "contamination": contamination}
    accepted = inspect.signature(cls).parameters
    if contamination is None:
        del settings["contamination"]
    elif "contamination" not in accepted:
        raise CommandError(f"--contamination does not apply to {match}.")
    with _foreign(match, "cannot be set up"):
        return cls(**{key: value for key, value in settings.items() if key in accepted})


def fit_detector(detector: Any, X: FloatArray, seed: int = 0) -> None:
    """Fit it; the seed is also for detectors that draw from NumPy's global state."""
    import numpy as np

    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    try:
        with _foreign(type(detector).__name__, "cannot be fitted to this table"):
            detector.fit(X)
    finally:
        np.random.set_state(state)  # noqa: NPY002


def _required(function: Any) -> list[str]:
    """Parameters without a default."""
    return [
        parameter.name
        for parameter in list(inspect.signature(function).parameters.values())[1:]
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]


@contextmanager
def _foreign(name: str, what: str) -> Iterator[None]:
    """Run a detector's code: what it prints is dropped, what it raises becomes one line."""
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            yield
    except ImportError as error:
        if error.name is None:
            raise CommandError(f"{name} needs a package that is not there: {error}") from error
        package = error.name.partition(".")[0]
        raise CommandError(
            f"{name} needs the package {package}, which is not installed: pip install {package}"
        ) from error
    except Exception as error:
        if isinstance(error, NameError) and find_spec("torch") is None:
            # PyOD goes on without torch where it can, until a name such as nn is missing.
            raise CommandError(
                f"{name} needs the package torch, which is not installed: pip install torch"
            ) from error
        reason = str(error).strip() or type(error).__name__
        raise CommandError(f"{name} {what}: {reason}") from error


# ---------------------------------------------------------------- progress


class Status:
    """One line on the terminal about what is going on, for work of more than a second.

    It is drawn over itself, gone at the end, and never there if nobody looks. A thread draws
    what was said last while the work leaves no time to say anything.
    """

    delay = 1.0
    pause = 0.1
    tick = 1.0

    def __init__(self, wanted: bool = True) -> None:
        self.stream: IO[str] | None = sys.stderr
        self.notes = wanted and self.stream is not None
        self.wanted = wanted and self.stream is not None and self.stream.isatty()
        self.next = time.monotonic() + self.delay
        self.text = ""
        self.shown = ""
        self.lock = threading.RLock()
        self.done = threading.Event()
        self.thread: threading.Thread | None = None

    def __enter__(self) -> Status:
        if self.wanted:
            self.thread = threading.Thread(target=self._watch, daemon=True)
            self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.done.set()
        if self.thread is not None:
            self.thread.join()
        self._draw("")

    def say(self, text: str) -> None:
        """Say what begins now."""
        self.text = f"{text} ..."
        if self.wanted and (self.shown or time.monotonic() >= self.next):
            self._draw(self.text)

    def note(self, text: str) -> None:
        """Leave a line that stays."""
        if self.notes:
            with self.lock:
                self._draw("")
                _complain(f"note: {text}", 0)

    def progress(self, progress: Progress) -> None:
        """Show how far a search is."""
        now = time.monotonic()
        if self.wanted and now >= self.next:
            self.next = now + self.pause
            share = progress.done / max(progress.total, 1)
            bar = "#" * round(20 * share)
            self.text = (
                f"sets of {progress.level} (up to {progress.max_dim}) features  "
                f"[{bar:.<20}] {share:4.0%}  {progress.scored:,} tried"
            )
            self._draw(self.text)

    def _watch(self) -> None:
        pause = self.delay
        while not self.done.wait(pause):
            self._draw(self.text)
            pause = self.tick

    def _draw(self, text: str) -> None:
        text = text[: shutil.get_terminal_size().columns - 1]
        with self.lock, suppress(OSError, ValueError):
            if self.stream is not None and text != self.shown:
                # Spaces over the old line: not every terminal knows an escape code for it.
                line = "\r" + text.ljust(len(self.shown)) + ("" if text else "\r")
                self.shown = text
                self.stream.write(line)
                self.stream.flush()
