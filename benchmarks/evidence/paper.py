"""The paper's tables and figures, as cells: which miner on which table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from pyod_aspects import GBeam, KDEBeam, OAMiner, Progress, SGBeam
from pyod_aspects._util.types import FloatArray
from pyod_aspects.metrics import exact_matches, matches
from pyod_aspects.miners import BaseMiner

from .. import tables
from . import data
from .cells import Cell, Result
from .printed import MINERS

MAKE: dict[str, Callable[..., BaseMiner]] = {
    "OAMiner": OAMiner,
    "KDEBeam": KDEBeam,
    "SGBeam": partial(SGBeam, score="zscore", bins="fd"),  # the paper's rule
    "GBeam": partial(GBeam, bins="fd"),
    "SGBeam-auto": partial(
        SGBeam, score="zscore"
    ),  # the default rule, which differs for repeated values and long tails
}

SHARES = (5, 10, 25, 50, 75, 100)
"""Percent of the rows of shuttle."""

COLUMNS = (54, 270, 540, 1_081, 2_704, 5_408)
"""From 1 to 100 percent of the columns of P53Mutant."""

N_SHUTTLE, N_WIDE = 49_097, 31_159

GENERATED = {"u2r_like": "U2R", "aloi_like": "ALOI", "har_like": "Har"}
"""Generated tables as large as those of the paper that are not available."""

REAL = ("nba_guards", "glass", "wdbc", "cardio_ctg", "pendigits", "mnist", "musk", "isolet")


def cells(folder: Path | None) -> list[Cell]:
    """All cells, those of a table together; the fast ones of a table first."""
    return [*_synthetic(folder), *_real(folder), *_by_rows(folder), *_by_columns()]


def _synthetic(folder: Path | None) -> Iterator[Cell]:
    """The same runs give runtimes, matches and examples."""
    for name in data.hics_names(folder):
        inputs = data.fingerprint(name, folder)
        for miner in reversed(MINERS):
            yield Cell(f"{name}/{miner}", mine_hics, (miner, name, folder), inputs=inputs)


def _real(folder: Path | None) -> Iterator[Cell]:
    known = REAL if folder is not None else ()
    for name in (*known, *GENERATED):
        inputs = data.fingerprint(name, folder)
        miners = (*MINERS, "SGBeam-auto") if name == "nba_guards" else MINERS
        for miner in reversed(miners):
            yield Cell(f"{name}/{miner}", mine_real, (miner, name, folder), inputs=inputs)


def _by_rows(folder: Path | None) -> Iterator[Cell]:
    """The figure of runtime against rows."""
    table = "shuttle_like" if folder is None else "shuttle"
    inputs = data.fingerprint("shuttle", folder)
    for miner in reversed(MINERS):
        for share in SHARES:
            name, args = f"{table}_{share:03}/{miner}", (miner, share, folder)
            yield Cell(name, mine_shuttle, args, series=f"{table}/{miner}", inputs=inputs)
    args = ("SGBeam-auto", 100, folder)
    yield Cell(f"{table}_100/SGBeam-auto", mine_shuttle, args, inputs=inputs)


def _by_columns() -> Iterator[Cell]:
    """The figure of runtime against columns."""
    for miner in reversed(MINERS):
        for d in COLUMNS:
            yield Cell(f"wide_{d:04}/{miner}", mine_wide, (miner, d), series=f"wide/{miner}")


def mine_hics(miner: str, name: str, folder: Path | None) -> Result:
    """Mine all outliers of a HiCS set, up to five attributes."""
    hics = data.hics(name, folder)
    result = mined(MAKE[miner](max_dim=5), hics.X, list(hics.truth))
    found = {int(row): subspaces for row, subspaces in result["found"].items()}
    return result | {
        "shape": list(hics.X.shape),
        "matches": matches(found, hics.truth),
        "exact": exact_matches(found, hics.truth),
        "exact_first": sum(
            tuple(sorted(found[row][0])) in true for row, true in hics.truth.items() if found[row]
        ),
    }


def mine_real(miner: str, name: str, folder: Path | None) -> Result:
    """Mine the ten top anomalies of a table, up to five attributes."""
    X = generated(name) if name in GENERATED else data.real(name, folder)
    rows = data.top_anomalies(X, 10)
    return mined(MAKE[miner](max_dim=5), X, rows) | {"queries": rows, "shape": list(X.shape)}


def mine_shuttle(miner: str, share: int, folder: Path | None) -> Result:
    """Mine the ten top anomalies of a part of shuttle, up to three attributes."""
    X = data.shuttle(N_SHUTTLE * share // 100, folder)
    rows = data.top_anomalies(X, 10)
    return mined(MAKE[miner](max_dim=3), X, rows) | {"queries": rows, "shape": list(X.shape)}


def mine_wide(miner: str, d: int) -> Result:
    """Mine the top anomaly of a generated table of many columns, up to three attributes."""
    X = tables.factors(N_WIDE, d)
    rows = data.top_anomalies(X[:, :54], 1)  # the forest only chooses a row
    return mined(MAKE[miner](max_dim=3), X, rows) | {"queries": rows, "shape": list(X.shape)}


def generated(name: str) -> FloatArray:
    """A table as large as one of the paper's: atoms as in U2R, continuous columns in the others."""
    if name == "u2r_like":
        return tables.kdd_like(60_821, 34)
    return tables.factors(*{"aloi_like": (100_000, 64), "har_like": (5_272, 551)}[name])


def mined(miner: BaseMiner, X: FloatArray, rows: list[int]) -> Result:
    """Time of fitting and mining with one thread, subspaces scored and found, by row.

    It repeats a run of less than 40 seconds, as the first may compile kernels; the median counts.
    """
    scored = 0

    def note(progress: Progress) -> None:
        nonlocal scored
        scored = progress.scored

    points = X[rows]
    times: list[float] = []
    for enough in (float("inf"), 40, 10, 10):  # seconds so far that rule out another run
        if sum(times) > enough:
            break
        begin = perf_counter()
        answers = miner.fit(X).mine(points, note)
        times.append(perf_counter() - begin)
    found: dict[str, Any] = {
        str(row): [list(aspect.subspace) for aspect in answer]
        for row, answer in zip(rows, answers, strict=True)
    }
    return {"seconds": round(median(times[1:] or times), 4), "scored": scored, "found": found}
