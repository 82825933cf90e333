"""Measure the miners on generated tables and print the table of choosing_a_miner.md."""

from __future__ import annotations

from time import perf_counter

from pyod_aspects import GBeam, KDEBeam, OAMiner, SGBeam
from pyod_aspects.datasets import make_hics
from pyod_aspects.metrics import exact_matches, matches

MINERS = (SGBeam, GBeam, KDEBeam, OAMiner)
REPEATS = 3  # the quickest counts: a busy machine only ever makes a run longer


def tables():
    """Three tables of 1,000 rows, with true subspaces of two, three, three and four features."""
    return [
        make_hics(n_rows=1000, n_features=12, block_sizes=[2, 3, 3, 4], random_state=seed)
        for seed in range(3)
    ]


def measure(miner, data):
    """Seconds, exact matches and matches of a miner on one table."""
    rows = list(data.truth)
    seconds = []
    for _ in range(REPEATS):
        start = perf_counter()
        mined = miner().fit(data.X).mine(data.X[rows])
        seconds.append(perf_counter() - start)
    found = {row: [a.subspace for a in aspects] for row, aspects in zip(rows, mined, strict=True)}
    return min(seconds), exact_matches(found, data.truth), matches(found, data.truth)


def main() -> None:
    small = make_hics(n_rows=200, n_features=5, random_state=0)
    all_tables = tables()
    print(f"{sum(len(data.truth) for data in all_tables)} queries")
    print("| miner | exact matches | matches | time |")
    print("|---|---|---|---|")
    first = None
    for miner in MINERS:
        miner().fit(small.X).mine(small.X[list(small.truth)])  # compiles
        results = [measure(miner, data) for data in all_tables]
        seconds, exact, match = (sum(column) for column in zip(*results, strict=True))
        first = first or seconds
        print(f"| `{miner.__name__}` | {exact:g} | {match:g} | {seconds / first:.2g} |")


if __name__ == "__main__":
    main()
