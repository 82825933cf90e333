"""How long will mine take: ten rows of tables of many sizes, explained as a user would."""

from __future__ import annotations

from time import process_time

import numpy as np

from pyod_aspects import AspectExplainer

from .. import tables
from ..registry import Run, benchmark
from ..results import Outcome, finished
from ..timing import shown

NAME = "users"

ROWS = (1_000, 10_000, 100_000, 1_000_000)
COLUMNS = (10, 30, 100)

MOST_CELLS = 30_000_000
"""Values of the largest table to try, 240 MB."""

WITH_P_VALUES = ", p-values"
"""Ends the name of a curve that includes the search of 200 reference rows."""


@benchmark(NAME, "ten rows of tables of many sizes")
def users(run: Run) -> Outcome:
    """CPU seconds of `explain` on one thread, with the defaults, and again with p-values."""
    figures = []
    curves: dict[str, list[tuple[float, float]]] = {}
    for d in run.pick(COLUMNS, (4, 6)):
        for n in run.pick(ROWS, (200, 400)):
            if n * d > MOST_CELLS:
                continue
            run.say(f"{n:,} × {d}")
            search, with_p = _times(n, d, run.pick(200, 40))
            curves.setdefault(f"{d} features", []).append((n, search))
            curves.setdefault(f"{d} features{WITH_P_VALUES}", []).append((n, with_p))
            what = f"Ten rows of {n:,} × {d}, correlated pairs"
            note = f"with 200 reference rows {shown(with_p)} of CPU"
            figures.append(finished(what, f"{shown(search)} of CPU", note))
    return Outcome(figures, curves)


def _times(n: int, d: int, n_reference: int) -> tuple[float, float]:
    """Seconds for ten rows alone, and with `n_reference` reference rows; both include fitting."""
    X = tables.correlated_pairs(n, d)
    scores = np.abs(X).max(axis=1)
    AspectExplainer.from_scores(scores, n_queries=1, n_reference=0).fit(X).explain()  # compiles
    times = []
    for reference in (0, n_reference):
        begin = process_time()
        AspectExplainer.from_scores(scores, n_reference=reference).fit(X).explain()
        times.append(process_time() - begin)
    return times[0], times[1]
