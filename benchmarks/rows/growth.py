"""Growth of SGBeam's time with the rows."""

from __future__ import annotations

from functools import partial

import numpy as np

from pyod_aspects import SGBeam

from .. import tables
from ..registry import Run, benchmark
from ..results import Outcome, at_most
from ..timing import shown
from .against import mine


def growth(run: Run, max_dim: int, screen: bool | str, shape: str = "shuttle") -> Outcome:
    """Exponent of a power law in the rows, fitted to the times of five tables.

    Each table is the beginning of the largest one, and the queries are the same.
    """
    sizes = [run.pick(10_000, 500) * 2**i for i in range(run.pick(5, 3))]
    if shape == "HiCS-like":
        whole, name = tables.shuffled_hics(sizes[-1], 10), "HiCS, generated, 10 columns"
    elif shape == "log-normal":
        whole, name = tables.log_normal(sizes[-1], 10), "10 log-normal columns"
    else:
        whole, name = tables.grown_shuttle(sizes[-1])
    points = tables.queries(whole[: sizes[0]], 10)
    miner = SGBeam(score="zscore", max_dim=max_dim, screen=screen)
    miner.fit(whole[: sizes[0]]).mine(points)
    times = run.medians({f"{n:,} rows": partial(mine, miner, whole[:n], points) for n in sizes})
    exponent = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
    kind = "exact" if screen is False else "default"
    what = (
        f"Growth from {sizes[0]:,} to {sizes[-1]:,} rows, {shape}, `max_dim={max_dim}`, {kind}: "
        "exponent"
    )
    note = f"{name}, 10 queries; " + ", ".join(shown(t) for t in times)
    curve = {
        f"{shape}, max_dim={max_dim}, {kind}": list(zip(map(float, sizes), times, strict=True))
    }
    return Outcome([at_most(what, exponent, 1.15, "", note)], curve)


@benchmark("growth-3-exact", "growth of time with rows, max_dim=3, screen=False")
def growth_3_exact(run: Run) -> Outcome:
    """Exact, three dimensions."""
    return growth(run, 3, screen=False)


@benchmark("growth-3", "growth of time with rows, max_dim=3")
def growth_3(run: Run) -> Outcome:
    """The default, three dimensions."""
    return growth(run, 3, screen="auto")


@benchmark("growth-5-exact", "growth of time with rows, max_dim=5, screen=False")
def growth_5_exact(run: Run) -> Outcome:
    """Exact, five dimensions."""
    return growth(run, 5, screen=False)


@benchmark("growth-5", "growth of time with rows, max_dim=5")
def growth_5(run: Run) -> Outcome:
    """The default, five dimensions."""
    return growth(run, 5, screen="auto")


@benchmark("growth-3-continuous", "growth of time with rows, continuous columns, max_dim=3")
def growth_3_continuous(run: Run) -> Outcome:
    """Exact, three dimensions, cells that hardly repeat."""
    return growth(run, 3, screen=False, shape="HiCS-like")


@benchmark("growth-5-continuous", "growth of time with rows, continuous columns, max_dim=5")
def growth_5_continuous(run: Run) -> Outcome:
    """Exact, five dimensions, cells that hardly repeat."""
    return growth(run, 5, screen=False, shape="HiCS-like")


@benchmark("growth-5-tails", "growth of time with rows, columns with long tails, max_dim=5")
def growth_5_tails(run: Run) -> Outcome:
    """Exact, five dimensions, many bins that are almost empty."""
    return growth(run, 5, screen=False, shape="log-normal")
