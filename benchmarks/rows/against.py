"""SGBeam against other miners."""

from __future__ import annotations

from functools import partial

from pyod_aspects import GBeam, KDEBeam, Miner, Progress, SGBeam
from pyod_aspects._util.types import FloatArray
from pyod_aspects.miners import BaseMiner
from pyod_aspects.search import BeamSearch

from .. import tables
from ..paper_way import PaperSGrid, paper_figures
from ..registry import Run, benchmark
from ..results import Disagreement, Figure, Outcome, at_least, at_most
from ..timing import seconds, shown


@benchmark("paper-way", "SGBeam against the paper's own way of counting")
def paper_way(run: Run) -> Outcome:
    """Pseudo-bins as bitsets, every row against every row; the rest of the miner is the same."""
    table, name = tables.shuttle()
    X = table[: run.pick(20_000, 1_000)]
    points = tables.queries(X, 10)
    ours = SGBeam(score="zscore", max_dim=3, bins="fd")  # the paper's bins, too
    paper = Miner(PaperSGrid(), search=BeamSearch(max_dim=3, tau=0.0))
    mined = (paper_figures(miner.fit(X).mine(points)) for miner in (ours, paper))
    if next(mined) != next(mined):
        raise Disagreement("SGBeam and the paper's way found different aspects")
    whole = run.compare_warm(partial(mine, ours, X, points), partial(mine, paper, X, points))

    def mine_only(miner: BaseMiner) -> float:
        fitted = miner.fit(X)  # fit again each time: the density caches statistics
        return seconds(partial(fitted.mine, points))

    search = run.compare_timed(partial(mine_only, ours), partial(mine_only, paper))
    what = f"SGBeam against the paper's way, {len(X):,} × {X.shape[1]}, 10 queries, `max_dim=3`"
    figures = [
        at_least(
            what, search.ratio, 30, "times faster", f"{name}; same output; {search}, fitted before"
        ),
        Figure("The same with fitting", f"{whole.ratio:.3g} times faster", "", note=str(whole)),
    ]
    return Outcome(figures)


@benchmark("kdebeam", "SGBeam against KDEBeam")
def kdebeam(run: Run) -> Outcome:
    """The exact kernel density, in this package's fastest form."""
    table, name = tables.shuttle()
    X = table[: run.pick(5_000, 300)]
    points = tables.queries(X, 10)
    for miner in (SGBeam(score="zscore", max_dim=3), KDEBeam(max_dim=3)):
        miner.fit(X[:200]).mine(points)
    what = f"SGBeam against KDEBeam, {len(X):,} × {X.shape[1]}, 10 queries, `max_dim=3`"
    figures = []
    for bins, which in (("fd", "the paper's bins"), ("auto", "default bins")):
        timed = run.compare_warm(
            partial(mine, SGBeam(score="zscore", max_dim=3, bins=bins), X, points),
            partial(mine, KDEBeam(max_dim=3), X, points),
        )
        note = f"{name}; {timed}, fitting included"
        figures.append(at_least(f"{what}, {which}", timed.ratio, 100, "times faster", note))
    return Outcome(figures)


def mine(miner: BaseMiner, X: FloatArray, points: FloatArray) -> None:
    """Fit and search."""
    miner.fit(X).mine(points)


def n_scored(miner: BaseMiner, X: FloatArray, points: FloatArray) -> int:
    """Number of subspaces that a miner scores."""
    scored = 0

    def note(progress: Progress) -> None:
        nonlocal scored
        scored = progress.scored

    miner.fit(X).mine(points, note)
    return scored


@benchmark("gbeam", "SGBeam against GBeam, per subspace")
def gbeam(run: Run) -> Outcome:
    """Cost of smoothing: three bins for each one, in every dimension."""
    table, name = tables.shuttle()
    shuttle = table[: run.pick(49_097, 1_000)]
    figures = []
    for X, which, depth in (
        (shuttle, name, 5),
        (tables.hics(run.pick(1_000, 200), run.pick(40, 8)), "HiCS, generated", 5),
        (tables.hics(run.pick(50_000, 500), run.pick(30, 6)), "HiCS, generated", 3),
    ):
        points = tables.queries(X, 10)
        smooth, plain = (
            m(max_dim=depth, screen=False) for m in (partial(SGBeam, score="zscore"), GBeam)
        )
        n_smooth, n_plain = n_scored(smooth, X, points), n_scored(plain, X, points)
        timed = run.compare_warm(partial(mine, plain, X, points), partial(mine, smooth, X, points))
        what = f"SGBeam against GBeam per subspace, {len(X):,} × {X.shape[1]}, `max_dim={depth}`"
        note = f"{which}; {n_plain:,} subspaces in {shown(timed.times[0])}, {n_smooth:,} in "
        note += f"{shown(timed.times[1])}"
        ratio = timed.ratio * n_plain / n_smooth
        figures.append(at_most(what, ratio, 1.5, "times as long", note))
    return Outcome(figures)
