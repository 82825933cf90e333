"""Tables for which the paper needed hours, or that it could not do."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from pyod_aspects import Progress, SGBeam
from pyod_aspects._util.types import FloatArray

from .. import tables
from ..registry import Run, benchmark
from ..results import Outcome, finished
from ..timing import shown


def timed_search(
    run: Run, X: FloatArray, points: FloatArray, max_dim: int
) -> tuple[float, int, dict[int, float]]:
    """Time of fitting and mining with two jobs, subspaces scored, and the time of each level."""
    spent: dict[int, float] = {}
    scored, last, told = 0, perf_counter(), 0.0

    def note(p: Progress) -> None:
        nonlocal scored, last, told
        now = perf_counter()
        spent[p.level] = spent.get(p.level, 0.0) + now - last
        scored, last = p.scored, now
        if now - told > 10:
            told = now
            run.say(
                f"{X.shape[1]:,} columns: level {p.level}, {p.done:,} of {p.total:,} subspaces, "
                f"{shown(now - begin)}"
            )

    begin = perf_counter()
    miner = SGBeam(score="zscore", max_dim=max_dim, n_jobs=2).fit(X)
    last = perf_counter()
    miner.mine(points, note)
    return perf_counter() - begin, scored, spent


@benchmark("wide", "31,159 × 5,408, one query, max_dim=3", long=True)
def wide(run: Run) -> Outcome:
    """All pairs of thousands of columns; fewer columns predict the time first."""
    d = run.pick(5_408, 60)
    X = tables.factors(run.pick(31_159, 500), d)
    row = tables.queries(X[:, :64], 1)  # the forest only chooses a row
    row = X[[np.flatnonzero((X[:, :64] == row[0]).all(axis=1))[0]]]
    few = run.pick((500, 1_000), (20, 40))
    timed_search(run, X[:1_000, :20], row[:, :20], 3)
    times = [timed_search(run, np.ascontiguousarray(X[:, :n]), row[:, :n], 3)[0] for n in few]
    # Pairs grow with the square of the columns, all other work in proportion to them.
    terms = np.array([[n * (n - 1) / 2, n] for n in few])
    per_pair, per_column = np.linalg.solve(terms, times)
    predicted = per_pair * d * (d - 1) / 2 + per_column * d
    run.say(
        f"{few[0]:,} and {few[1]:,} columns took {shown(times[0])} and {shown(times[1])}: "
        f"expecting about {shown(predicted)} for {d:,}"
    )
    total, scored, spent = timed_search(run, X, row, 3)
    levels = ", ".join(f"{shown(t)} at level {k}" for k, t in sorted(spent.items()))
    note = f"normal columns, two jobs, {scored:,} subspaces, {levels}; predicted "
    note += f"{shown(predicted)} from {few[0]:,} and {few[1]:,} columns"
    what = f"{len(X):,} × {d:,}, one query, `max_dim=3`"
    return Outcome([finished(what, shown(total), note)])


@benchmark("large", "100,000 × 64, 10 queries, max_dim=5", long=True)
def large(run: Run) -> Outcome:
    """Many rows, continuous columns, five dimensions."""
    X = tables.hics(run.pick(100_000, 1_000), run.pick(64, 8))
    points = tables.queries(X, 10)
    timed_search(run, X[:1_000, :20], points[:, :20], 5)
    total, scored, spent = timed_search(run, X, points, 5)
    levels = ", ".join(f"{shown(t)} at level {k}" for k, t in sorted(spent.items()))
    note = f"HiCS, generated; two jobs, {scored:,} subspaces, {scored / total:,.0f} per second; "
    note += levels
    what = f"{len(X):,} × {X.shape[1]}, 10 queries, `max_dim=5`"
    return Outcome([finished(what, shown(total), note)])
