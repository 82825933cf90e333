"""Two jobs against one."""

from __future__ import annotations

from functools import partial

from pyod_aspects import SGBeam
from pyod_aspects._util.types import FloatArray

from .. import tables
from ..registry import Run, benchmark
from ..results import Outcome, at_least
from ..timing import seconds


@benchmark("jobs", "two jobs against one")
def jobs(run: Run) -> Outcome:
    """The shuttle table in five dimensions, and the pairs of a wide table."""
    table, name = tables.shuttle()
    shuttle = table[: run.pick(49_097, 1_000)]
    wide = tables.factors(run.pick(31_159, 1_000), run.pick(300, 20))
    figures = []
    for X, which, depth in ((shuttle, name, 5), (wide, "normal columns", 2)):
        points = tables.queries(X, 10)
        one, two = (SGBeam(score="zscore", max_dim=depth, n_jobs=n) for n in (1, 2))

        def search(miner: SGBeam, X: FloatArray = X, points: FloatArray = points) -> float:
            fitted = miner.fit(X)  # fit again each time: the density caches statistics
            return seconds(partial(fitted.mine, points))

        search(two)  # compiles the kernels
        timed = run.compare_timed(partial(search, two), partial(search, one), budget=30.0)
        what = f"Two jobs against one, {len(X):,} × {X.shape[1]}, 10 queries, `max_dim={depth}`"
        figures.append(at_least(what, timed.ratio, 1.7, "times faster", f"{which}; {timed}"))
    return Outcome(figures)
