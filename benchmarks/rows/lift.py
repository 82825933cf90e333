"""SGBeam by lift: against the Z-score, against SHAP, and the growth of its time with the rows.

The benchmarks fit miners before: lifts need no statistics of all rows, and the figures show that.
"""

from __future__ import annotations

from functools import partial
from time import perf_counter

import numpy as np

from pyod_aspects import SGBeam
from pyod_aspects._util.types import FloatArray

from .. import tables
from ..kernel_shap import SETTINGS, check_installed, kernel_shap, tree_shap
from ..registry import Run, benchmark
from ..results import Outcome, at_most, finished
from ..timing import Way, shown


@benchmark("lift-zscore", "lift against Z-score, 1,000 × 50, 60 queries")
def lift_zscore(run: Run) -> Outcome:
    """Many queries on a small table, without cached statistics of the Z-score."""
    X = tables.hics(run.pick(1_000, 300), run.pick(50, 8))
    points = X[: run.pick(60, 5)]

    def search(score: str) -> float:
        miner = SGBeam(score=score, n_jobs=2).fit(X)
        begin = perf_counter()
        miner.mine(points)
        return perf_counter() - begin

    search("lift")
    search("zscore")
    timed = run.compare_timed(partial(search, "lift"), partial(search, "zscore"))
    what = f"Lift against Z-score, {len(X):,} × {X.shape[1]}, {len(points)} queries, `max_dim=5`"
    note = f"{timed}, two jobs, fitted before"
    return Outcome([at_most(what, 1 / timed.ratio, 0.5, "times as long", note)])


@benchmark("lift-shap", "lift on 1,000,000 × 20, against SHAP")
def lift_shap(run: Run) -> Outcome:
    """Ten rows of a tall table, explored on a sample and counted on all rows."""
    check_installed()
    X = tables.correlated_pairs(run.pick(1_000_000, 2_000), run.pick(20, 8))
    detector = tables.detector_for(X)
    rows = tables.top_rows(detector, run.pick(10, 2))
    miner = SGBeam(n_jobs=2).fit(X)
    ways: dict[str, Way] = {
        "lift": partial(miner.mine, X[rows]),
        "KernelExplainer": partial(kernel_shap, detector, X, rows),
        "TreeExplainer": partial(tree_shap, detector, X, rows),
    }
    for way in ways.values():
        way()
    ours, kernel, tree = run.medians(ways, budget=60.0)
    what = f"Lift, {len(X):,} × {X.shape[1]} correlated pairs, {len(rows)} queries, `max_dim=5`, "
    note = f"{shown(ours)} and {shown(kernel)}, two jobs, fitted before; {SETTINGS}"
    tree_note = f"{shown(ours)} and {shown(tree)}; the mark to reach is 1"
    return Outcome(
        [
            at_most(f"{what}against KernelExplainer", ours / kernel, 1.0, "times as long", note),
            finished(f"{what}against TreeExplainer", f"{ours / tree:.2g} times as long", tree_note),
        ]
    )


@benchmark("lift-growth", "growth of time with rows, lift")
def lift_growth(run: Run) -> Outcome:
    """From 100,000 to 1,600,000 rows: the sample stays the same, counting all rows grows."""
    sizes = [run.pick(100_000, 500) * 2**i for i in range(run.pick(5, 3))]
    whole = tables.correlated_pairs(sizes[-1], run.pick(20, 8))
    points = tables.queries(whole[: sizes[0]], 10)
    ways: dict[str, Way] = {}
    for n in sizes:
        miner = SGBeam(n_jobs=2).fit(whole[:n])
        miner.mine(points[:1])
        ways[f"{n:,} rows"] = partial(miner.mine, points)
    times = run.medians(ways)
    exponent = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
    what = f"Growth from {sizes[0]:,} to {sizes[-1]:,} rows, lift, `max_dim=5`: exponent"
    note = f"{whole.shape[1]} columns, correlated pairs, 10 queries, fitted before; "
    note += ", ".join(shown(t) for t in times)
    return Outcome([at_most(what, exponent, 0.7, "", note)])


@benchmark("lift-wide", "lift against Z-score, 31,159 × 5,408, one query, max_dim=3", long=True)
def lift_wide(run: Run) -> Outcome:
    """All pairs of thousands of columns."""
    X = tables.factors(run.pick(31_159, 500), run.pick(5_408, 60))
    row = X[[int(np.argmax(np.abs(X[:, :64]).sum(axis=1)))]]
    times = {score: _timed(run, X, row, score) for score in ("lift", "zscore")}
    what = f"Lift against Z-score, {len(X):,} × {X.shape[1]:,}, one query, `max_dim=3`"
    note = f"{shown(times['lift'])} and {shown(times['zscore'])}, one run each, two jobs, "
    note += "fitted before"
    ratio = times["lift"] / times["zscore"]
    return Outcome([at_most(what, ratio, 0.25, "times as long", note)])


def _timed(run: Run, X: FloatArray, row: FloatArray, score: str) -> float:
    miner = SGBeam(score=score, max_dim=3, n_jobs=2)
    miner.fit(X[:1_000, :20]).mine(row[:, :20])
    miner.fit(X)
    run.say(f"{score}: fitted")
    begin = perf_counter()
    miner.mine(row)
    return perf_counter() - begin
