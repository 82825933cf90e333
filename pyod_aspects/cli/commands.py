"""The commands: `demo` and `explain`."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .background import in_background
from .by_name import fit_detector, load_detector, make_detector, make_miner
from .messages import PROG, CommandError, show, standard_output
from .reading import STDIN, is_number, read_table
from .status import Status

if TYPE_CHECKING:
    import argparse

    import pandas as pd

    from ..explanation import Explanation
    from ..miners import BaseMiner

SHOWN_ASPECTS = 3
"""Aspects printed for each row when nobody said how many."""

DETECTOR = "IForest"
"""Detector that is fitted when nobody named one."""


def demo(args: argparse.Namespace) -> None:
    """Explain the table that comes along."""
    with standard_output():  # Known before the work begins.
        pass
    with Status() as status:
        from ..datasets import load_demo

        data = load_demo()
        detector = make_detector("IForest", seed=0)
        in_background(lambda: _fit(detector, data.frame, status))
        miner = make_miner("sgbeam")
        explanation = in_background(lambda: _explanation(data.frame, detector, miner, status))
    malignant = int(data.y[[query.row for query in explanation]].sum())
    n_rows, n_columns = data.X.shape
    show(
        f"The table: {n_rows} breast tumours, {n_columns} measurements of each; "
        f"{int(data.y.sum())} are malignant.\n"
        f"PyOD's IForest, which was not told, finds these {len(explanation)} the most anomalous: "
        f"{malignant} are malignant.\n"
        "SGBeam finds the measurements in which each of them stands out.\n"
    )
    show(explanation.summary(SHOWN_ASPECTS))
    show(f"\nNow your own table:  {PROG} explain data.csv  (options: {PROG} explain --help)")


def explain(args: argparse.Namespace) -> None:
    """Explain a CSV file."""
    with Status(wanted=not args.quiet) as status:
        # All that can be wrong is looked at before the long work begins.
        if args.json not in (None, "-"):
            from ..files import check_target

            check_target(args.json)
            _check_other_file(args.json, args.data)
        if args.json in (None, "-") or not args.quiet:
            with standard_output():  # Something will be printed.
                pass
        if args.model is not None and args.contamination is not None:
            raise CommandError("--contamination does not apply to --model, which is fitted.")
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
        if args.model is None:
            name = args.detector or DETECTOR
            detector = make_detector(name, args.seed, args.contamination)
            in_background(lambda: _fit(detector, frame, status, args.seed))
        else:
            detector = load_detector(args.model)
        explanation = in_background(
            lambda: _explanation(frame, detector, miner, status, rows=args.rows, n_queries=args.top)
        )
    if args.json == "-":
        show(explanation.to_json())
        return
    if args.json is not None:
        from ..files import write_text

        write_text(args.json, explanation.to_json() + "\n")
        if args.quiet:
            return
    show(explanation.summary(args.top_k or SHOWN_ASPECTS, copies=args.copies))
    if not args.quiet:
        first = "line of the file" if args.no_header else "line after the header"
        show(f"  Rows are counted from 0: row 0 is the first {first}.")
        if not args.no_header and all(map(is_number, explanation.feature_names)):
            show("  The first line was taken for a header; if it is data, add --no-header.")
        if args.json is not None:
            show(f"Everything is in {args.json}: Explanation.from_json reads it.")


def _check_other_file(target: str, data: str) -> None:
    """See that the data is not about to be replaced by what is said about it."""
    with suppress(OSError, ValueError, AttributeError):  # What is not there is not the same.
        found = os.stat(target)
        source = os.fstat(sys.stdin.fileno()) if data == STDIN else os.stat(data)
        if stat.S_ISREG(found.st_mode) and os.path.samestat(found, source):
            raise CommandError(f"--json {target} would replace the data: name another file.")


def _fit(detector: Any, frame: pd.DataFrame, status: Status, seed: int = 0) -> None:
    """Fit the detector to the numbers of a table."""
    status.say(f"fitting {type(detector).__name__} to {len(frame):,} rows")
    fit_detector(detector, frame.to_numpy(dtype="float64"), seed)


def _explanation(
    frame: pd.DataFrame, detector: Any, miner: BaseMiner, status: Status, **queries: Any
) -> Explanation:
    """Explain what a fitted detector finds."""
    from ..explainer import AspectExplainer

    status.say("preparing the search")
    explainer = AspectExplainer(detector, miner).fit(frame)
    return explainer.explain(progress=status.progress, **queries)
