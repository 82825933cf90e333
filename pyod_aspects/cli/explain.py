"""`explain`: from files to an explanation, step by step."""

from __future__ import annotations

import json
import logging
import warnings
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

from .arguments import DETECTOR, SHOWN_ASPECTS
from .background import in_background
from .by_name import make_miner
from .messages import CommandError, escape, show, standard_output
from .models import load_model, save_explainer
from .output import check_targets, draw_page, page_words, to_csv, write
from .reading import STDIN, Input, Options, Wanted, read_new_rows, read_table
from .status import Status

if TYPE_CHECKING:
    import argparse
    from typing import TypeGuard

    from ..explainer import AspectExplainer
    from ..explanation import Explanation, Groups
    from ..miners import BaseMiner

log = logging.getLogger(__name__)


def explain(args: argparse.Namespace) -> None:
    """Explain the rows of files."""
    with Status(wanted=not args.quiet, verbose=args.verbose) as status, ExitStack() as stack:
        # Check all arguments before the long work begins.
        _check_outputs(args)
        _check_arguments(args)
        miner = make_miner(
            args.miner,
            score=args.score,
            max_dim=args.max_dim,
            width=args.width,
            top_k=args.top_k,
            n_jobs=args.n_jobs,
        )
        model = None if args.model is None else _load(args, status)
        if _is_explainer(model):
            explainer, table, new = model, _read_new(args, args.data, model, status), True
        else:
            table, new = _read(args, status, fitted=args.model is not None), args.new is not None
            if args.encode == "show":
                show(_recipe(args, table))
                return
            if table.files is not None:
                _check_parts(args, table)
                stack.enter_context(table.files.on_threads())
            explainer = in_background(lambda: _fit(args, table, model, miner, status))
            if new:
                table = _read_new(args, args.new, explainer, status)
        from ..detectors.printing import printing_logged

        status.say("preparing the search")
        rows = table.frame if new else None
        with printing_logged("the detector"):
            answer = in_background(
                lambda: explainer.explain(rows, args.rows, args.n_queries, status.progress)
            )
            answer = in_background(partial(_ask, args, answer, status))
            if table.labels is not None:
                answer = answer.with_known(table.labels)
            shown = _convincing(answer, args.alpha)
            wanted = args.html or args.format == "html"
            page = draw_page(shown, wanted, status, args.redundant, agreement=False)
        saved = None if args.save is None else save_explainer(explainer)
    _put_out(args, answer, shown, page, table, saved)


def _load(args: argparse.Namespace, status: Status) -> Any:
    model, remark = load_model(args.model, args.trust)
    if remark:
        status.note(remark)
    return model


def _is_explainer(model: Any) -> TypeGuard[AspectExplainer]:
    from ..explainer import AspectExplainer

    return isinstance(model, AspectExplainer)


def _check_outputs(args: argparse.Namespace) -> None:
    files = {"json": None if args.json == "-" else args.json, "html": args.html, "save": args.save}
    check_targets([*args.data, *(args.new or ())], **files)
    if args.json == "-" or args.format != "text" or not _is_silent(args):
        with standard_output():  # the command will print
            pass


def _is_silent(args: argparse.Namespace) -> bool:
    return bool(args.quiet and args.format == "text" and (args.json or args.html))


def _check_arguments(args: argparse.Namespace) -> None:
    """Refuse options that do not go together, before the heavy imports."""
    if args.model is not None and args.contamination is not None:
        raise CommandError("--contamination does not apply to --model, which is fitted.")
    if args.model is not None and args.encode is not None:
        raise CommandError("--encode does not apply to --model, which is fitted.")
    if [*args.data, *(args.new or ())].count(STDIN) > 1:
        raise CommandError("- can be read once only: name a file for the other.")
    if args.alpha is not None and args.n_reference == 0:
        raise CommandError("--alpha needs p-values, and --n-reference 0 asks for none.")
    if isinstance(args.n_reference, int) and args.n_reference > 0:
        from ..miners.reference import FEWEST

        if args.n_reference < FEWEST:
            raise CommandError(
                f"--n-reference {args.n_reference}: expected auto, 0 for no p-values, or a number "
                f"of rows from {FEWEST} on."
            )


# ---------------------------------------------------------------- reading


def _options(args: argparse.Namespace) -> Options:
    return Options(args.sep, args.decimal, args.encoding, args.header, args.sheet, args.max_size)


def _read(args: argparse.Namespace, status: Status, fitted: bool) -> Input:
    _say_reading(args.data, status)
    wanted = Wanted(args.columns, args.exclude, args.label, args.id, silent=fitted)
    table = read_table(args.data, _options(args), wanted, status.note, in_parts=True)
    n_columns = table.sample.shape[1]
    log.info("read %d rows and %d columns of %s", table.n_rows, n_columns, table.name)
    if args.new is None:
        _check_rows(args.rows, table)
    if args.alpha is not None:
        _check_enough_rows(table.n_rows, table.name)
    return table


def _read_new(
    args: argparse.Namespace, paths: list[str], explainer: AspectExplainer, status: Status
) -> Input:
    _say_reading(paths, status)
    like = explainer.table_
    new = paths is not args.data
    wanted = Wanted(like.names, None, args.label, args.id, label_optional=new)
    table = read_new_rows(paths, _options(args), wanted, like.columns, status.note)
    log.info("read %d new rows of %s", table.n_rows, table.name)
    _check_rows(args.rows, table)
    return table


def _say_reading(paths: list[str], status: Status) -> None:
    if STDIN not in paths:  # the user may be typing
        status.say(f"reading {paths[0]}")


def _check_rows(rows: list[int | str] | None, table: Input) -> None:
    n_rows = table.n_rows
    for row in rows or ():
        if isinstance(row, int) and row >= n_rows:
            raise CommandError(
                f"--rows: row {row} does not exist, {table.name} has {n_rows} rows "
                f"(0 to {n_rows - 1})."
            )


def _check_parts(args: argparse.Namespace, table: Input) -> None:
    if args.save is not None:
        raise CommandError(
            f"--save keeps all rows, and those of {table.name} do not fit in memory: leave it out."
        )


def _check_enough_rows(n_rows: int, name: str) -> None:
    from ..miners.reference import FEWEST

    if n_rows <= FEWEST:
        raise CommandError(
            f"--alpha needs p-values, and these need more than {FEWEST} rows: {name} has {n_rows}."
        )


# ---------------------------------------------------------------- fitting and explaining


def _make_detector(args: argparse.Namespace, table: Input) -> Any:
    from ..detectors import make_detector

    return make_detector(args.detector or DETECTOR, table.sample, args.contamination, args.seed)


def _detector_name(args: argparse.Namespace, table: Input) -> str:
    from ..detectors.recipe import choose_detector

    name: str = args.detector or DETECTOR
    return choose_detector(len(table.sample)) if name == "auto" else name


def _say_fitting(detector: str, table: Input, status: Status) -> None:
    if table.files is None:
        status.say(f"fitting {detector} to {table.n_rows:,} rows")
        return
    n = len(table.sample)
    some = "all" if n == table.n_rows else f"a random sample of {n:,}"
    status.note(f"{detector} is fitted to {some} of {table.n_rows:,} rows, and scores all.")
    status.say(f"fitting {detector} to {n:,} rows")


def _recipe(args: argparse.Namespace, table: Input) -> str:
    from ..detectors.recipe import describe_recipe

    return describe_recipe(_make_detector(args, table))


def _fit(
    args: argparse.Namespace, table: Input, detector: Any, miner: BaseMiner, status: Status
) -> AspectExplainer:
    """Fit a detector, unless there is one already, and the explainer."""
    from ..exceptions import PartitionsWarning, PrecisionWarning, TextWarning
    from ..explainer import AspectExplainer

    if args.model is None:
        _say_fitting(_detector_name(args, table), table, status)
        detector = _make_detector(args, table)
    status.say("preparing the search")
    told = (PartitionsWarning, PrecisionWarning, TextWarning)
    with warnings.catch_warnings(record=True) as caught:
        for category in told:
            warnings.simplefilter("always", category)
        explainer = AspectExplainer(
            detector, miner, n_reference=args.n_reference, random_state=args.random_state
        ).fit(table.frame)
    for warning in caught:
        if issubclass(warning.category, told):
            status.note(str(warning.message))
    return explainer


def _ask(args: argparse.Namespace, explanation: Explanation, status: Status) -> Explanation:
    """Ask the detector whether it agrees, on request or if it has to score few rows."""
    from ..explanation.judging.agreement import agreement_if_cheap

    if args.agreement is False:
        return explanation
    status.say("asking the detector")
    if args.agreement is None:
        return agreement_if_cheap(explanation, random_state=args.random_state)
    return explanation.with_agreement(random_state=args.random_state, progress=status.progress)


def _convincing(explanation: Explanation, alpha: float | None) -> Explanation:
    if alpha is None:
        return explanation
    if not explanation.n_reference:
        raise CommandError(
            "--alpha needs p-values, for which there was no time: give a number of rows with "
            "--n-reference."
        )
    return explanation.convincing(alpha)


# ---------------------------------------------------------------- output


def _put_out(
    args: argparse.Namespace,
    explanation: Explanation,
    shown: Explanation,
    page: str,
    table: Input,
    saved: bytes | None,
) -> None:
    """Write the files, then print."""
    from .._util.files import write_bytes

    groups = shown.groups() if args.groups else None
    wanted = args.json is not None or args.format == "json"
    text = _json_text(explanation, groups) if wanted else ""
    if saved is not None:
        write_bytes(args.save, saved)
    write(args.html, page)
    write(None if args.json == "-" else args.json, text + "\n")
    if args.json == "-" or args.format == "json":
        show(text)
    elif args.format != "text":
        show(page.rstrip("\n") if args.format == "html" else to_csv(shown))
    elif not _is_silent(args):
        if groups is not None:
            show(f"{groups}\n")
        show(shown.summary(args.top_k or SHOWN_ASPECTS, redundant=args.redundant))
        if not args.quiet:
            _show_notes(args, table)


def _json_text(explanation: Explanation, groups: Groups | None) -> str:
    """The explanation as JSON, with or without groups; `Explanation.from_json` reads both."""
    text = explanation.to_json()
    if groups is None:
        return text
    return json.dumps(json.loads(text) | {"groups": json.loads(groups.to_json())}, indent=2)


def _show_notes(args: argparse.Namespace, table: Input) -> None:
    if args.alpha is not None:
        show(
            "  Shown are aspects stronger than in ordinary rows, convincing at "
            f"{100 * args.alpha:g} % (Benjamini and Hochberg)."
        )
    if args.id is None:
        first = "line after the header" if table.header else "line of the file"
        show(f"  Rows are counted from 0: row 0 is the first {first}.")
    if args.json is not None:
        show(f"Everything is in {escape(args.json)}: Explanation.from_json reads it.")
    if args.html is not None:
        show(page_words(args.html))
    if args.save is not None:
        file = escape(args.save)
        show(f"The fitted explainer is in {file}: explain NEW --model {file} --trust")
