"""The first use: compiling, and starting."""

from __future__ import annotations

import json
from statistics import median
from tempfile import TemporaryDirectory

from ..child import cpu_of_demo, run_child
from ..registry import Run, benchmark
from ..results import Outcome, at_most


@benchmark("first-use", "first explain without a cache, and the demo with one")
def first_use(run: Run) -> Outcome:
    """Processes of their own; the first with an empty folder for numba's cache."""
    large = run.pick(20_000, 500)
    with TemporaryDirectory() as folder:
        cold_large = json.loads(run_child("first", str(large), env={"NUMBA_CACHE_DIR": folder}))
        run.say(f"cold, {large:,} rows: {cold_large['seconds']:.1f} s")
    with TemporaryDirectory() as folder:
        cold = json.loads(run_child("first", "demo", env={"NUMBA_CACHE_DIR": folder}))
        run.say(f"cold: {cold['seconds']:.1f} s")
        cpu_of_demo(env={"NUMBA_CACHE_DIR": folder})
        warm = [cpu_of_demo(env={"NUMBA_CACHE_DIR": folder}) for _ in range(run.pick(5, 1))]
    return Outcome(
        [
            at_most(
                "First `explain`, nothing compiled yet",
                cold["seconds"],
                15,
                "s",
                f"demo table, 5 queries, {cold['cpu']:.1f} s of CPU; imports of pyod and fitting "
                "of the detector not included",
            ),
            at_most(
                f"First `explain`, nothing compiled yet, {large:,} rows",
                cold_large["seconds"],
                15,
                "s",
                f"HiCS, generated, 12 columns, 5 queries, {cold_large['cpu']:.1f} s of CPU",
            ),
            at_most(
                "`pyod-aspects demo`, compiled before",
                median(warm),
                4,
                "s of CPU",
                f"user and system time of the whole process, median of {len(warm)} runs",
            ),
        ]
    )
