"""Tables of the detectors' judgements, from finished cells."""

from __future__ import annotations

from statistics import mean

from .. import markdown
from .cells import Cells, Result
from .judges import ANSWERS, DETECTORS, TABLES

HEADER = ["SGBeam (lift)", "SGBeam (Z-score)", "random features", "best single feature"]


def by_detector(cells: Cells) -> str:
    """One line per detector: means over the tables; the last line has means over all."""
    results = _results(cells)
    rows = []
    for detector in DETECTORS:
        some = [r for (_, d), r in results.items() if d == detector]
        if some:
            rows.append([detector, f"{len(some)}", *_means(some)])
    if results:
        rows.append(["all", f"{len(results)}", *_means(list(results.values()))])
    return markdown.table(["", "tables", *HEADER], rows)


def by_table(cells: Cells) -> str:
    """One line per table: means over the detectors."""
    results = _results(cells)
    rows = []
    for table in TABLES:
        some = {d: r for (t, d), r in results.items() if t == table}
        if some:
            rows.append([table, ", ".join(some), *_means(list(some.values()))])
    return markdown.table(["", "detectors", *HEADER], rows)


def overall(cells: Cells) -> list[str]:
    """Means over all tables and detectors, one for each answer; empty without results."""
    results = list(_results(cells).values())
    return _means(results) if results else []


def losses(cells: Cells) -> list[str]:
    """List where another answer of the same miner, or random features, removes more."""
    lines = []
    for (table, detector), r in _results(cells).items():
        for answer, title in (("zscore", "the Z-score"), ("random", "random features")):
            if r[answer] > r["lift"]:
                lines.append(f"{table}, {detector}: {title} {r[answer]:.2f}, lift {r['lift']:.2f}.")
    return lines


def _results(cells: Cells) -> dict[tuple[str, str], Result]:
    """The finished results by table and detector."""
    every = {(t, d): cells.result(f"{t}/{d}") for t in TABLES for d in DETECTORS}
    return {key: r for key, r in every.items() if r is not None and "lift" in r}


def _means(results: list[Result]) -> list[str]:
    means = (round(mean(r[answer] for r in results), 2) for answer in ANSWERS)
    return [f"{share + 0.0:.2f}" for share in means]  # no -0.00
