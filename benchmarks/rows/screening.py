"""Screening: its agreement with the exact search, and its speed."""

from __future__ import annotations

from time import perf_counter

from pyod_aspects import SGBeam
from pyod_aspects._util.types import FloatArray, Subspace

from .. import tables
from ..registry import Run, benchmark
from ..results import Figure, Outcome, at_least
from ..timing import Comparison

TopTen = list[list[Subspace]]


def top_ten(miner: SGBeam, X: FloatArray, points: FloatArray) -> TopTen:
    """The aspects of each point, best first."""
    return [[aspect.subspace for aspect in found] for found in miner.fit(X).mine(points)]


@benchmark("screening", "agreement of the screened search with the exact one")
def screening(run: Run) -> Outcome:
    """The top ten of the most anomalous rows of three tables, one call for each table."""
    shuttle, name = tables.shuttle()
    n_queries = run.pick(50, 4)
    screened, exact = (
        SGBeam(score="zscore", screen=True, n_jobs=2),
        SGBeam(score="zscore", screen=False, n_jobs=2),
    )
    figures: list[Figure] = []
    same = asked = 0
    for which, X in (
        (name, shuttle[: run.pick(49_097, 1_000)]),
        ("HiCS-like", tables.hics(run.pick(50_000, 1_000), run.pick(30, 8))),
        ("KDD-like", tables.kdd_like(run.pick(60_821, 1_000), run.pick(34, 12))),
    ):
        points = tables.queries(X, n_queries)
        top_ten(screened, X[:500], points[:1])
        begin = perf_counter()
        with_screen = top_ten(screened, X, points)
        middle = perf_counter()
        without = top_ten(exact, X, points)
        timed = Comparison([middle - begin], [perf_counter() - middle])
        run.say(f"{which}: {timed}")
        agree = sum(a == b for a, b in zip(with_screen, without, strict=True))
        same, asked = same + agree, asked + len(points)
        what = f"Screening, {which} {len(X):,} × {X.shape[1]}, `max_dim=5`: same top ten"
        note = f"{agree} of {len(points)} queries; {timed.ratio:.2g} times as fast ({timed})"
        figures.append(at_least(what, 100 * agree / len(points), 99, "% of queries", note))
    what = "Screening, all three tables: same top ten"
    note = f"{same} of {asked} queries"
    figures.append(at_least(what, 100 * same / asked, 99, "% of queries", note))
    return Outcome(figures)
