"""The command line: python -m benchmarks --help."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from . import calibrate, for_users, machine, report, rows, scaling  # noqa: F401
from .evidence import command as evidence
from .registry import BENCHMARKS, Benchmark, Run
from .results import Disagreement, Figure, Outcome, Skipped, Store
from .tables import REPOSITORY
from .timing import shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen benchmarks; return 0 unless one failed."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in evidence.PARTS:
        return evidence.main(given[0], given[1:])
    if given and given[0] == "calibrate":
        return calibrate.main(given[1:])
    if given and given[0] == "scaling":
        return scaling.main(given[1:])
    options = _parser().parse_args(given)
    every = list(BENCHMARKS.values())
    if options.list:
        for one in every:
            print(f"{one.name:20} {one.title}{' (not with --short)' if one.long else ''}")
        return 0
    unknown = set(options.only) - set(BENCHMARKS)
    if unknown:
        print(f"--only {' '.join(sorted(unknown))}: no such benchmark; see --list", file=sys.stderr)
        return 2
    default = REPOSITORY / ("build/benchmarks" if options.quick else "docs")
    folder: Path = options.output or default
    kept = folder if options.output or options.quick else REPOSITORY / "benchmarks"
    store = Store(kept / "results.json")
    if options.fresh:
        store.forget()

    about = machine.about(options.quick)
    wanted = [b for b in every if (b.name in options.only if options.only else _due(b, options))]
    print(f"{about['cpu']}; {about['versions']}; {about['package']} {about['commit']}")
    if machine.load() > 0.5:
        print(f"load {machine.load():.1f}: something else is running, figures will be off")
    begin = perf_counter()
    n_failed = 0
    for i, one in enumerate([] if options.report else wanted):
        print(f"[{i + 1:2}/{len(wanted)}] {one.name}: {one.title}", flush=True)
        if not options.only and _is_finished(store, one, about):
            outcome = store.outcome(one.name)
            _show(outcome, f"kept, measured on {store.entries[one.name]['date']}")
            continue
        started = perf_counter()
        outcome, failed = _measure(one, Run(options.quick, _say))
        n_failed += failed
        if not failed:
            store.put(one.name, outcome, machine.about(options.quick))
        _show(outcome, shown(perf_counter() - started))
    if store.entries:
        pages = report.write(store, every, folder), for_users.write(store, folder)
        took = shown(perf_counter() - begin)
        print(f"{' and '.join(map(str, pages))} are written, after {took}")
    missed = [f for name in store.entries for f in store.outcome(name).figures if f.met is False]
    if missed and not options.quick:
        print(f"{len(missed)} targets missed:")
        for figure in missed:
            print(f"  {figure.what}: {figure.measured}, {figure.target}")
    return 1 if n_failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure speed and memory, and write docs/performance.md and "
        "docs/performance_notes.md. The command keeps results of the same code on the same "
        "machine, so an interrupted run continues. "
        "Five other commands, with their own --help, write docs/evidence.md: "
        "'python -m benchmarks paper' the paper's tables, 'python -m benchmarks peers' the same "
        "queries explained by other packages, 'python -m benchmarks structures' outliers of known "
        "kinds explained by every miner, 'python -m benchmarks p-values' tests of the p-values, "
        "'python -m benchmarks judges' the answers judged by detectors. "
        "'python -m benchmarks scaling' measures tables in partitions for docs/scaling.md. "
        "'python -m benchmarks calibrate' measures the tuned numbers of counting again.",
    )
    add = parser.add_argument
    add("--list", action="store_true", help="list the benchmarks")
    add("--only", nargs="+", default=[], metavar="NAME", help="measure these, even if kept")
    add("--short", action="store_true", help="skip benchmarks that take many minutes")
    add("--quick", action="store_true", help="small sizes for a trial; into build/benchmarks")
    add("--fresh", action="store_true", help="forget earlier results")
    add("--report", action="store_true", help="only rewrite the page")
    add("--output", type=Path, metavar="FOLDER", help="folder for page, plot and results")
    return parser


def _due(one: Benchmark, options: argparse.Namespace) -> bool:
    return not (options.short and one.long)


def _is_finished(store: Store, one: Benchmark, about: dict[str, object]) -> bool:
    entry = store.entries.get(one.name)
    same = ("cpu", "versions", "source", "quick")
    return entry is not None and all(entry[key] == about[key] for key in same)


def _measure(one: Benchmark, run: Run) -> tuple[Outcome, bool]:
    """Return the outcome of a benchmark, and whether it failed."""
    try:
        outcome = one.measure(run)
        if run.quick:  # small sizes have no targets
            outcome = replace(outcome, figures=[replace(f, met=None) for f in outcome.figures])
        return outcome, False
    except Skipped as reason:
        return Outcome([Figure(one.title, "skipped", "", note=str(reason))]), False
    except Disagreement as reason:
        return Outcome(
            [Figure(one.title, "wrong", "same output", met=False, note=str(reason))]
        ), True
    except Exception as error:
        traceback.print_exc()
        return Outcome([Figure(one.title, "failed", "", met=False, note=repr(error))]), True


def _say(text: str) -> None:
    """Show the progress of a benchmark: on a terminal, over the last such line."""
    if sys.stdout.isatty():
        print(f"\r\x1b[K        {text}", end="", flush=True)
    else:
        print(f"        {text}", flush=True)


def _show(outcome: Outcome, took: str) -> None:
    if sys.stdout.isatty():
        print("\r\x1b[K", end="")
    sign = {True: "met", False: "MISSED", None: ""}
    for f in outcome.figures:
        goal = f" ({f.target})" if f.target else ""
        print(f"    {f.what}\n        {f.measured}{goal} {sign[f.met]}".rstrip())
        if f.note:
            print(f"        {f.note}")
    print(f"    {took}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
