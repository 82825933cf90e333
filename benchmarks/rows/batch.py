"""A batch of new rows on a large table, as in a nightly run."""

from __future__ import annotations

import pickle
from time import process_time

from pyod_aspects import AspectExplainer, SGBeam

from .. import tables
from ..registry import Run, benchmark
from ..results import Outcome, at_most, finished
from ..timing import shown


@benchmark("batch", "1,000 new rows on 200,000 × 12, the first night and the next")
def batch(run: Run) -> Outcome:
    """`explain` from scores to evidence; the next night loads the saved explainer of the first."""
    n_rows, n_new = run.pick(200_000, 2_000), run.pick(1_000, 20)
    whole = tables.correlated_pairs(n_rows + 2 * n_new, run.pick(12, 5))
    X, first, second = whole[:n_rows], whole[n_rows:-n_new], whole[-n_new:]
    explainer = AspectExplainer(tables.detector_for(X), SGBeam(), n_queries=n_new).fit(X)
    explainer.set_params(n_reference=0).explain(first[:2])  # compiles the kernels
    explainer.set_params(n_reference="auto")
    figures, times = [], []
    for night, new in (("the first night", first), ("the next night", second)):
        before = explainer.reference_.best.size
        begin = process_time()
        found = explainer.explain(new)
        times.append(process_time() - begin)
        searched = explainer.reference_.best.size - before
        what = f"{n_new:,} new rows on {n_rows:,} × {X.shape[1]}, correlated pairs, {night}"
        note = "IForest, `SGBeam()` by lift, fitted before; "
        note += f"{searched:,} of {found.n_reference:,} reference rows searched"
        figures.append(finished(what, f"{shown(times[-1])} of CPU", note))
        explainer = pickle.loads(pickle.dumps(explainer))
    what = f"The next night against the first, {n_new:,} new rows on {n_rows:,} × {X.shape[1]}"
    note = "CPU time; the saved explainer keeps its reference rows"
    figures.append(at_most(what, times[1] / times[0], 0.7, "times as long", note))
    return Outcome(figures)
