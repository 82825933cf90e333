"""Measurements of a peer: how often it names the true columns, and how long it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from time import perf_counter

from pyod_aspects._util.types import FloatArray, Subspace
from pyod_aspects.datasets import make_hics
from pyod_aspects.metrics import exact_matches

from .. import data
from ..cells import Result
from .base import SEED, Answer, Peer
from .registry import PEERS

Truth = Mapping[int, Sequence[Subspace]]


def accuracy(peer_name: str, set_name: str, folder: Path | None = None) -> Result:
    """Explain all outliers of a HiCS set, and compare with the truth."""
    hics = data.hics(set_name, folder)
    rows = list(hics.truth)
    answers, times = timed(PEERS[peer_name], hics.X, rows)
    by_row = dict(zip(rows, answers, strict=True))
    return times | {"version": PEERS[peer_name].version} | compared(by_row, hics.truth)


def flagged(set_name: str, folder: Path | None = None) -> Result:
    """Number of outliers of a HiCS set that the detectors flag, at their default thresholds."""
    from pyod.models.ecod import ECOD
    from pyod.models.iforest import IForest
    from pyod.models.lof import LOF

    hics = data.hics(set_name, folder)
    rows = list(hics.truth)
    begin = perf_counter()
    detectors = {"LOF": LOF(), "IForest": IForest(random_state=SEED), "ECOD": ECOD()}
    counts = {name: int(d.fit(hics.X).labels_[rows].sum()) for name, d in detectors.items()}
    return {"seconds": round(perf_counter() - begin, 4), "flagged": counts, "n_rows": len(rows)}


def growth(peer_name: str, n: int, d: int, n_rows: int = 5) -> Result:
    """Explain `n_rows` outliers of a generated table with n rows and d columns."""
    hics = make_hics(n, d, random_state=0)
    rows = list(hics.truth)[:n_rows]
    _, times = timed(PEERS[peer_name], hics.X, rows)
    return times | {"version": PEERS[peer_name].version, "shape": [n, d]}


def timed(peer: Peer, X: FloatArray, rows: Sequence[int]) -> tuple[list[Answer], Result]:
    """Return the answers, and the time of fitting and of explaining; the first run is not timed.

    It repeats a short run, and the median counts.
    """
    peer.fit(X)(rows[: peer.warm_rows])
    fits: list[float] = []
    explains: list[float] = []
    while not fits or (len(fits) < 5 and sum(fits) + sum(explains) < 2.0):
        begin = perf_counter()
        explain = peer.fit(X)
        between = perf_counter()
        answers = explain(rows)
        fits.append(between - begin)
        explains.append(perf_counter() - between)
    fit, explaining = median(fits), median(explains)
    return answers, {
        "seconds": round(fit + explaining, 4),
        "fit_seconds": round(fit, 4),
        "seconds_per_row": (fit + explaining) / len(rows),
        "explain_seconds_per_row": explaining / len(rows),
        "n_rows": len(rows),
    }


def compared(answers: Mapping[int, Answer], truth: Truth) -> Result:
    """Exact matches and F1, with the true size given and by the peer's own cut.

    A row with two true subspaces gives half a point for each, as in `pyod_aspects.metrics`. One set
    can match only one of them, so not even a perfect answer gets both halves: `best_possible`.
    Figures that begin with "rows" count a row in full if its set is one of the true ones.
    """
    sized = {row: {len(t): answers[row].of_size(len(t)) for t in ts} for row, ts in truth.items()}
    natural = {row: answer.natural for row, answer in answers.items()}
    named = {row: [s] for row, s in natural.items() if s}
    result: Result = {
        "answered": sum(map(bool, answers.values())),
        "exact_given_size": float(
            sum(mean(sized[row][len(t)] == t for t in ts) for row, ts in truth.items())
        ),
        "exact_natural": exact_matches(named, truth, top_k=1),
        "rows_given_size": sum(
            any(sized[row][len(t)] == t for t in ts) for row, ts in truth.items()
        ),
        "rows_natural": sum(natural[row] in ts for row, ts in truth.items()),
        "f1_given_size": mean(
            mean(f1(sized[row][len(t)], t) for t in ts) for row, ts in truth.items()
        ),
        "f1_natural": mean(mean(f1(natural[row], t) for t in ts) for row, ts in truth.items()),
        "best_possible": float(sum(1 / len(ts) for ts in truth.values())),
        "found": {
            str(row): {
                "natural": list(natural[row]),
                "given_size": [list(s) for _, s in sorted(sized[row].items())],
            }
            for row in truth
        },
    }
    if any(answer.subspaces for answer in answers.values()):
        every = {row: answer.subspaces for row, answer in answers.items()}
        result["exact_top_ten"] = exact_matches(every, truth, top_k=10)
    return result


def f1(found: Subspace, true: Subspace) -> float:
    """Agreement of two sets of columns: 1 if equal, 0 if disjoint.

    >>> f1((0, 1), (0, 1)), f1((0, 2), (0, 1)), f1((), (0, 1))
    (1.0, 0.5, 0.0)
    """
    return 2 * len({*found} & {*true}) / (len(found) + len(true))
