"""The first use: compile time and start time."""

from __future__ import annotations

import json
from statistics import median
from tempfile import TemporaryDirectory

from ..child import cpu_of_demo, run_child
from ..registry import Run, benchmark
from ..results import Outcome, at_most


@benchmark("first-use", "first explain without a cache, and the demo with one")
def first_use(run: Run) -> Outcome:
    """Separate processes; the first with an empty folder for numba's cache."""
    n = run.pick(20_000, 500)
    cold = {}
    for kind, *size in (("continuous", str(n)), ("mixed", str(n)), ("demo",)):
        with TemporaryDirectory() as folder:
            env = {"NUMBA_CACHE_DIR": folder}
            cold[kind] = json.loads(run_child("first", kind, *size, env=env))
            run.say(f"cold, {kind}: {cold[kind]['seconds']:.1f} s")
            if kind == "demo":
                cpu_of_demo(env=env)
                warm = [cpu_of_demo(env=env) for _ in range(run.pick(5, 1))]
    what = "First `explain`, nothing compiled yet"
    of_rows = f"{what}, {n:,} rows"
    hics = "HiCS, generated, 12 columns"
    mixed = f"{hics}, four of them with five values each, four with 70 % zeros"
    first = (
        (what, "demo", "demo table"),
        (f"{of_rows}, continuous", "continuous", hics),
        (f"{of_rows}, mixed", "mixed", mixed),
    )
    figures = [
        at_most(
            name,
            cold[kind]["seconds"],
            15,
            "s",
            f"{table}, 5 queries, {cold[kind]['cpu']:.1f} s of CPU; imports of pyod and fitting of "
            "the detector not included",
        )
        for name, kind, table in first
    ]
    note = f"user and system time of the whole process, median of {len(warm)} runs"
    demo = at_most("`pyod-aspects demo`, compiled before", median(warm), 4, "s of CPU", note)
    return Outcome([*figures, demo])
