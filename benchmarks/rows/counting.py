"""Counting: pairs against `numpy.bincount`, and the share of a run in kernels."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import combinations
from statistics import median
from threading import Lock
from time import perf_counter
from types import ModuleType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from pyod_aspects import SGBeam
from pyod_aspects.counting.counter import LevelCounter
from pyod_aspects.density import SGrid

from .. import tables
from ..registry import Run, benchmark
from ..results import Outcome, at_least, at_most
from ..timing import seconds, shown

DENSITY = ("moments", "statistics", "sampled_statistics", "near", "cost")
"""Methods of a density that a search calls."""


@benchmark("pair-cost", "a subspace of two attributes against numpy.bincount")
def pair_cost(run: Run) -> Outcome:
    """All pairs of a continuous table, per pair, against `bincount` of existing codes."""
    X = tables.factors(run.pick(31_159, 1_000), run.pick(60, 6))
    density = SGrid().fit(X)
    table = density.table_
    counter = LevelCounter(table)
    pairs = np.array(list(combinations(range(X.shape[1]), 2)))
    some = pairs[:: max(1, len(pairs) // 20)]
    codes = [table.codes[a].astype(np.int64) * table.sizes[b] + table.codes[b] for a, b in some]

    def bincount() -> None:
        for i in range(len(pairs)):  # as many as pairs, so that both take about as long
            np.bincount(codes[i % len(codes)])

    timed = run.compare(bincount, lambda: counter.statistics(pairs), budget=10.0)
    one_bincount, one_pair = (time / len(pairs) for time in timed.times)
    note = f"normal columns, about {table.sizes.mean():.0f} bins each; all {len(pairs):,} pairs, "
    note += f"{shown(one_pair)} or {one_pair / len(X) * 1e9:.2g} ns per row each, on one thread, "
    note += f"with the sums; `bincount` of codes made before {shown(one_bincount)}"
    what = f"A subspace of two attributes, {len(X):,} rows, against one `numpy.bincount`"
    return Outcome([at_most(what, one_pair / one_bincount, 1.2, "times as long", note)])


class Stopwatch:
    """Wall time with at least one thread inside."""

    def __init__(self) -> None:
        self.total = 0.0
        self._inside, self._since, self._lock = 0, 0.0, Lock()

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same function, timed."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            with self._lock:
                if self._inside == 0:
                    self._since = perf_counter()
                self._inside += 1
            try:
                return function(*args, **kwargs)
            finally:
                with self._lock:
                    self._inside -= 1
                    if self._inside == 0:
                        self.total += perf_counter() - self._since

        return timed


@contextmanager
def kernels_timed(watch: Stopwatch) -> Iterator[None]:
    """Time every compiled function that Python calls.

    Compile them before: a compiled function does not read its module again.
    """
    modules = [m for name, m in sys.modules.items() if name.split(".")[0] == "pyod_aspects"]
    replaced: list[tuple[ModuleType, str, Any]] = []
    try:
        for module in modules:
            for name, value in list(vars(module).items()):
                if isinstance(value, Dispatcher):
                    replaced.append((module, name, value))
                    setattr(module, name, watch.around(value))
        yield
    finally:
        for module, name, value in replaced:
            setattr(module, name, value)


def bookkeeping_timed(miner: SGBeam) -> list[float]:
    """Return a list that gets, for each search, its time outside of the density."""
    watch = Stopwatch()
    for name in DENSITY:
        setattr(miner.density_, name, watch.around(getattr(miner.density_, name)))
    search, outside = miner.search_.search, []

    def timed(*args: Any) -> Any:
        begin, before = perf_counter(), watch.total
        found = search(*args)
        outside.append(perf_counter() - begin - (watch.total - before))
        return found

    miner.search_.search = timed  # type: ignore[assignment, method-assign]
    return outside


@benchmark("kernel-share", "share of a run that is spent in kernels")
def kernel_share(run: Run) -> Outcome:
    """The 40-D set of the paper, all its queries, two jobs."""
    hics = tables.hics_040()
    points = hics.X[list(hics.truth)][: run.pick(1_000, 4)]
    SGBeam(score="zscore", n_jobs=2).fit(hics.X).mine(points)
    totals, kernels, books = [], [], []
    for i in range(run.pick(7, 1)):
        miner = SGBeam(score="zscore", n_jobs=2).fit(hics.X)
        kernel, outside = Stopwatch(), bookkeeping_timed(miner)
        with kernels_timed(kernel):
            total = seconds(partial(miner.mine, points))
        totals.append(total)
        kernels.append(kernel.total / total)
        books.append(sum(outside) / total)
        run.say(f"run {i + 1}: {shown(total)}, {kernels[-1]:.0%} in kernels")
    note = f"{len(points)} queries, two jobs, {shown(median(totals))}; "
    return Outcome(
        [
            at_least(
                "Time in kernels, HiCS 40-D of the paper, `max_dim=5`",
                100 * median(kernels),
                80,
                "% of the run",
                note + "wall time in which at least one thread is in a kernel",
            ),
            at_most(
                "Candidate bookkeeping, same run",
                100 * median(books),
                20,
                "% of the run",
                note + "wall time of the search outside of the density",
            ),
        ]
    )
