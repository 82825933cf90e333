"""The commands: `demo` and `explain`."""

from __future__ import annotations

import os
import stat
import sys
import warnings
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
    _check_targets(html=args.html)
    with Status() as status:
        from ..datasets import load_demo

        data = load_demo()
        detector = make_detector("IForest", seed=0)
        in_background(lambda: _fit(detector, data.frame, status))
        miner = make_miner("sgbeam")
        explanation = in_background(lambda: _explanation(data.frame, detector, miner, status))
        page = _page(explanation, args.html, status)
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
    _write(args.html, page)
    if args.html is not None:
        show(_page_words(args.html))
    show(f"\nNow your own table:  {PROG} explain data.csv  (options: {PROG} explain --help)")


def explain(args: argparse.Namespace) -> None:
    """Explain a CSV file."""
    with Status(wanted=not args.quiet) as status:
        # All that can be wrong is looked at before the long work begins.
        _check_targets(args.data, json=None if args.json == "-" else args.json, html=args.html)
        silent = args.quiet and (args.json or args.html)
        if args.json == "-" or not silent:
            with standard_output():  # Something will be printed.
                pass
        if args.model is not None and args.contamination is not None:
            raise CommandError("--contamination does not apply to --model, which is fitted.")
        miner = make_miner(
            args.miner,
            score=args.score,
            max_dim=args.max_dim,
            width=args.width,
            top_k=args.top_k,
        )
        _check_reference(args.n_reference, args.alpha)
        detector = None if args.model is None else load_detector(args.model)
        if args.data != STDIN:  # Somebody may be typing.
            status.say(f"reading {args.data}")
        frame = read_table(
            args.data,
            args.sep,
            args.no_header,
            args.columns,
            args.exclude,
            status.note,
            text=hasattr(detector, "steps"),  # A pipeline may turn it into numbers.
            gaps=args.model is not None,  # Some detectors take them.
        )
        for row in args.rows or ():
            if row >= len(frame):
                raise CommandError(
                    f"--rows: row {row} does not exist, {args.data} has {len(frame)} rows "
                    f"(0 to {len(frame) - 1})."
                )
        if args.alpha is not None:
            _check_enough_rows(len(frame), args.data)
        if args.model is None:
            name = args.detector or DETECTOR
            detector = make_detector(name, args.seed, args.contamination)
            in_background(lambda: _fit(detector, frame, status, args.seed))
        explanation = in_background(
            lambda: _explanation(
                frame,
                detector,
                miner,
                status,
                args.n_reference,
                args.random_state,
                rows=args.rows,
                n_queries=args.n_queries,
            )
        )
        shown = explanation
        if args.alpha is not None:
            if not explanation.n_reference:
                raise CommandError(
                    "--alpha needs p-values, for which there was no time: give a number of rows "
                    "with --n-reference."
                )
            shown = explanation.convincing(args.alpha)
        page = _page(shown, args.html, status, args.redundant)
    text = "" if args.json is None else explanation.to_json()
    _write(args.html, page)
    _write(None if args.json == "-" else args.json, text + "\n")
    if args.json == "-":
        show(text)
        return
    if silent:
        return
    show(shown.summary(args.top_k or SHOWN_ASPECTS, redundant=args.redundant))
    if not args.quiet:
        if args.alpha is not None:
            show(
                "  Shown is what is stronger than in ordinary rows, convincing at "
                f"{100 * args.alpha:g} % (Benjamini and Hochberg)."
            )
        first = "line of the file" if args.no_header else "line after the header"
        show(f"  Rows are counted from 0: row 0 is the first {first}.")
        if not args.no_header and all(map(is_number, explanation.feature_names)):
            show("  The first line was taken for a header; if it is data, add --no-header.")
        if args.json is not None:
            show(f"Everything is in {args.json}: Explanation.from_json reads it.")
        if args.html is not None:
            show(_page_words(args.html))


def _check_reference(n_reference: int | str, alpha: float | None) -> None:
    """Refuse too few reference rows, and a level without p-values."""
    from ..miners.reference import FEWEST

    if isinstance(n_reference, int) and 0 < n_reference < FEWEST:
        raise CommandError(
            f"--n-reference {n_reference}: expected auto, 0 for no p-values, or a number of rows "
            f"from {FEWEST} on."
        )
    if alpha is not None and n_reference == 0:
        raise CommandError("--alpha needs p-values, and --n-reference 0 asks for none.")


def _check_enough_rows(n_rows: int, data: str) -> None:
    from ..miners.reference import FEWEST

    if n_rows <= FEWEST:
        raise CommandError(
            f"--alpha needs p-values, and these need more than {FEWEST} rows: {data} has {n_rows}."
        )


def _check_targets(data: str | None = None, **targets: str | None) -> None:
    """See that the files can be written, and that none replaces the data or another one."""
    from .._util.files import check_target

    given = {f"--{option}": path for option, path in targets.items() if path is not None}
    for option, path in given.items():
        check_target(path)
        if data is not None and _is_data(path, data):
            raise CommandError(f"{option} {path} would replace the data: name another file.")
    if len({os.path.realpath(path) for path in given.values()}) < len(given):
        raise CommandError(f"{' and '.join(given)} name the same file: name two.")


def _is_data(target: str, data: str) -> bool:
    with suppress(OSError, ValueError, AttributeError):  # What is not there is not the same.
        found = os.stat(target)
        source = os.fstat(sys.stdin.fileno()) if data == STDIN else os.stat(data)
        return stat.S_ISREG(found.st_mode) and os.path.samestat(found, source)
    return False


def _page(
    explanation: Explanation, path: str | None, status: Status, redundant: bool = False
) -> str:
    if path is None:
        return ""
    status.say("drawing the page")
    return explanation.to_html(redundant=redundant)


def _page_words(path: str) -> str:
    return f"A page with pictures is in {path}: open it in a browser."


def _write(path: str | None, text: str) -> None:
    if path is not None:
        from .._util.files import write_text

        write_text(path, text)


def _fit(detector: Any, frame: pd.DataFrame, status: Status, seed: int = 0) -> None:
    """Fit the detector to the numbers of a table."""
    status.say(f"fitting {type(detector).__name__} to {len(frame):,} rows")
    fit_detector(detector, frame.to_numpy(dtype="float64"), seed)


def _explanation(
    frame: pd.DataFrame,
    detector: Any,
    miner: BaseMiner,
    status: Status,
    n_reference: int | str = "auto",
    random_state: int = 0,
    **queries: Any,
) -> Explanation:
    """Explain what a fitted detector finds."""
    from ..exceptions import PrecisionWarning
    from ..explainer import AspectExplainer

    status.say("preparing the search")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PrecisionWarning)
        explainer = AspectExplainer(
            detector, miner, n_reference=n_reference, random_state=random_state
        ).fit(frame)
    for warning in caught:
        status.note(str(warning.message))
    return explainer.explain(progress=status.progress, **queries)
