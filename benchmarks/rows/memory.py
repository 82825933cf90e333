"""Peak memory of whole processes."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from .. import tables
from ..child import run_child
from ..registry import Run, benchmark
from ..results import Outcome, at_most


@benchmark("memory", "peak memory of every miner but OAMiner")
def memory(run: Run) -> Outcome:
    """Peak memory beyond that after the imports, the table included."""
    figures = []
    tall = run.pick((50_000, 30), (1_000, 8))
    short = run.pick((5_000, 30), (200, 8))
    many = run.pick((1_000, 50), (200, 8))
    wide = run.pick((500, 1_000), (100, 20))
    for miner, (n, d), depth, n_queries in (
        ("SGBeam by lift", tall, 4, 10),
        ("SGBeam by lift", run.pick((1_000_000, 20), (1_000, 8)), 5, 10),
        ("SGBeam by zscore", tall, 4, 10),
        ("GBeam", tall, 4, 10),
        ("KDEBeam", short, 2, 10),
        ("SGBeam by lift", many, 5, run.pick(1_000, 20)),
        ("SGBeam by zscore", many, 5, run.pick(1_000, 20)),
        ("SGBeam by lift", wide, 5, 20),
        ("SGBeam by zscore", wide, 5, 20),
    ):
        X = tables.factors(n, d) if n < d else tables.hics(n, d)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "table.npy"
            np.save(path, X)
            for _ in range(2):  # the first may compile, which takes memory, too
                printed = run_child("memory", str(path), miner, str(depth), str(n_queries))
                if run.quick:
                    break
        used = json.loads(printed)["peak"] / 1e6
        table = X.nbytes / 1e6
        what = f"Peak memory of {miner}, {n:,} × {d:,}, {n_queries:,} queries, `max_dim={depth}`"
        note = f"table {table:.3g} MB; three times that and 200 MB are allowed"
        run.say(f"{miner}: {used:.0f} MB")
        figures.append(at_most(what, used, 3 * table + 200, "MB", note))
    return Outcome(figures)
