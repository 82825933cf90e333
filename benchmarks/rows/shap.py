"""SGBeam against SHAP's KernelExplainer: the same detector, table and rows."""

from __future__ import annotations

from dataclasses import replace

from pyod_aspects import SGBeam
from pyod_aspects._util.types import FloatArray

from .. import tables
from ..kernel_shap import SETTINGS, check_installed, kernel_shap
from ..registry import Run, benchmark
from ..results import Outcome, at_least, at_most
from ..timing import Comparison


def against_shap(run: Run, X: FloatArray, screen: bool | str) -> Comparison:
    """Times of SGBeam with five dimensions, and of KernelExplainer, for ten rows."""
    check_installed()
    detector = tables.detector_for(X)
    rows = tables.top_rows(detector, run.pick(10, 2))
    miner = SGBeam(score="zscore", screen=screen, n_jobs=2)
    miner.fit(X[:500]).mine(X[rows])
    kernel_shap(detector, X, rows[:1])
    return run.compare_warm(
        lambda: miner.fit(X).mine(X[rows]), lambda: kernel_shap(detector, X, rows), budget=60.0
    )


@benchmark("kdd-shap", "a table with many atoms, against SHAP's KernelExplainer")
def kdd_shap(run: Run) -> Outcome:
    """Exact, on a table like those of KDD Cup 99."""
    X = tables.kdd_like(run.pick(60_821, 1_000), run.pick(34, 12))
    timed = against_shap(run, X, screen=False)
    what = f"KDD-like {len(X):,} × {X.shape[1]}, 10 queries, `max_dim=5`, exact, "
    what += "against KernelExplainer"
    note = f"{timed}, two jobs; {SETTINGS}"
    return Outcome([at_least(what, timed.ratio, 5, "times faster", note)])


@benchmark("hics-shap", "a continuous table, against SHAP's KernelExplainer")
def hics_shap(run: Run) -> Outcome:
    """Screened and exact, where cells hardly repeat."""
    X = tables.hics(run.pick(50_000, 1_000), run.pick(30, 8))
    what = f"HiCS-like {len(X):,} × {X.shape[1]}, 10 queries, `max_dim=5`, "
    figures = []
    # "auto", the default, screens a level if that is faster than exact figures for all.
    for screen, kind, bound in (("auto", "screened", 1.0), (False, "exact", 10.0)):
        line = f"{what}{kind}, against KernelExplainer"
        timed = against_shap(run, X, screen)
        note = f"{timed}, two jobs, `screen={screen!r}`; SHAP as above"
        figure = at_most(line, 1 / timed.ratio, bound, "times as long", note)
        figures.append(replace(figure, target="not slower") if bound == 1 else figure)
    return Outcome(figures)
