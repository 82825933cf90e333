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
import shlex
import shutil
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

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
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except BrokenPipeError:
        # The reader, such as "head", has seen enough; python would complain at exit.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
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
    sys.stderr.write(f"{PROG}: {line}\n")
    return code


def _print(text: str) -> None:
    """Print, with escapes for what the terminal's encoding does not have."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))


# ---------------------------------------------------------------- arguments


class _Parser(argparse.ArgumentParser):
    """Parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (see {self.prog} --help)")


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
    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True))]


def _separator(text: str) -> str:
    text = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(text) != 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected one character, or tab")
    return text


# ---------------------------------------------------------------- commands


def _demo(args: argparse.Namespace) -> None:
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
        miner = make_miner(args.miner, max_dim=args.max_dim, width=args.width, top_k=args.top_k)
        frame = read_table(args.data, args.sep, args.no_header, args.columns, args.exclude)
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
) -> pd.DataFrame:
    """Read the columns of numbers that the user wants from a CSV file."""
    frame = _read_csv(path, sep, no_header)
    known = list(frame.columns)
    for name in [*(columns or ()), *(exclude or ())]:
        if name not in known:
            hint = _suggestion(name, known)
            raise CommandError(f"{path} has no column {name!r}{hint}")
    # Each once, in the order of the user or else of the file.
    wanted = [name for name in dict.fromkeys(columns or known) if name not in (exclude or ())]
    if not wanted:
        raise CommandError(f"--exclude leaves no column of {path}.")
    return _numbers(path, frame[wanted])


def _read_csv(path: str, sep: str, no_header: bool) -> pd.DataFrame:
    import pandas as pd

    try:
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
            f"{path} has lines with more values than there are names in its header."
        ) from None
    except ValueError as error:
        raise CommandError(
            f"{path} cannot be read as CSV: {error} (--sep says what separates the columns)."
        ) from None
    except FileNotFoundError:
        raise CommandError(f"there is no file {path}.") from None
    except IsADirectoryError:
        raise CommandError(f"{path} is a folder: expected a CSV file.") from None
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from None
    frame.columns = [f"x{i}" if no_header else str(name) for i, name in enumerate(frame.columns)]
    if len(frame) == 0:
        raise CommandError(f"{path} has no rows{' below its header' * (not no_header)}.")
    if len(frame.columns) == 1:
        for other, option in ((";", "';'"), ("\t", "tab"), ("|", "'|'"), (",", "','")):
            if other != sep and other in frame.columns[0]:
                raise CommandError(f"{path} has one column only: try --sep {option}.")
    return frame


def _numbers(path: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Turn the columns into float64, or say which ones are not numbers."""
    import numpy as np
    import pandas as pd

    columns, problems = {}, {}
    for name in frame.columns:
        raw = frame[name]
        column = pd.to_numeric(raw, errors="coerce").astype("float64")
        missing, text = raw.isna(), column.isna() & raw.notna()
        infinite = np.isinf(column)
        for bad, what in (
            (text, "holds text"),
            (missing, "has missing values"),
            (infinite, "has infinite values"),
        ):
            if bad.any():
                row = int(np.flatnonzero(bad)[0])
                value = "" if bad is missing else f"{raw.iloc[row]!r} "
                problems[name] = (
                    f"column {name!r} {what} ({value}in row {row}, {bad.sum():,} in all)"
                )
                break
        columns[name] = column
    if len(problems) == len(columns):
        raise CommandError(
            f"{path} has no column of numbers alone: {next(iter(problems.values()))}."
        )
    if problems:
        others = f", and {len(problems) - 1} more such" if len(problems) > 1 else ""
        option = io.StringIO()
        csv.writer(option, lineterminator="").writerow(problems)
        raise CommandError(
            f"{path}: {next(iter(problems.values()))}{others}; "
            f"leave out with --exclude {shlex.quote(option.getvalue())}"
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

    It is drawn over itself, gone at the end, and never there if nobody looks.
    """

    delay = 1.0
    pause = 0.1

    def __init__(self, wanted: bool = True) -> None:
        self.stream = sys.stderr
        self.wanted = wanted and self.stream.isatty()
        self.next = time.monotonic() + self.delay
        self.drawn = 0

    def __enter__(self) -> Status:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._draw("")

    def say(self, text: str) -> None:
        """Say what begins now."""
        if self.wanted and (self.drawn or time.monotonic() >= self.next):
            self._draw(f"{text} ...")

    def progress(self, progress: Progress) -> None:
        """Show how far a search is."""
        now = time.monotonic()
        if self.wanted and now >= self.next:
            self.next = now + self.pause
            share = progress.done / max(progress.total, 1)
            bar = "#" * round(20 * share)
            self._draw(
                f"sets of {progress.level} (up to {progress.max_dim}) features  "
                f"[{bar:.<20}] {share:4.0%}  {progress.scored:,} tried"
            )

    def _draw(self, text: str) -> None:
        text = text[: shutil.get_terminal_size().columns - 1]
        if self.drawn or text:
            # Spaces over the old line: not every terminal knows an escape code for it.
            self.stream.write("\r" + text.ljust(self.drawn) + ("" if text else "\r"))
            self.stream.flush()
            self.drawn = len(text)
