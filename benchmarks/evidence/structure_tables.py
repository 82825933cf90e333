"""Tables of the structures with known answers, from finished cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt
from statistics import mean
from typing import Any

from .. import markdown
from .cells import Cells, Result
from .structures.miners import DEFAULT, MINERS, Compared
from .structures.registry import STRUCTURES

ALPHA = 0.05
"""Largest p-value of a convincing answer."""

ENOUGH = 0.75
"""The page lists a structure as lost if the default finds less than this share of it."""

SURE_ENOUGH = 0.5
"""The page lists a structure as lost if fewer of the right answers are convincing."""

WITH_P_VALUES = {name: miner for name, miner in MINERS.items() if miner.n_reference}
"""The miners whose answers have p-values."""


def rank_one(cells: Cells) -> str:
    """Rows whose first aspect is the true set, and in brackets F1 of the first aspect."""
    return _table(cells, lambda r: f"{r['right']} ({mean(_all(r, 'f1')):.2f})")


def in_ten(cells: Cells) -> str:
    """Rows whose true set is among the first ten aspects."""
    return _table(cells, lambda r: f"{_found(r)}")


def how_sure(cells: Cells) -> str:
    """Right first answers that are convincing, and wrong ones, each of how many."""
    return _table(cells, _both_convincing, WITH_P_VALUES)


def nothing_to_find(cells: Cells) -> str:
    """Ordinary rows with a p-value of at most 0.05, of how many."""
    return _table(cells, lambda r: _of(_small(r["answers"])), WITH_P_VALUES, ordinary=True)


def losses(cells: Cells) -> list[str]:
    """List where the default finds little, less than another, or too much in ordinary rows."""
    lines: list[str] = []
    for name, structure in STRUCTURES.items():
        results = _results(cells, name)
        ours = results.pop(DEFAULT, None)
        if ours is None:
            continue
        if structure.ordinary:
            lines += _false_alarms(structure.title, ours)
        else:
            lines += _found_less(structure.title, ours, results)
    return lines


def right_answers(cells: Cells, miner: str) -> dict[str, tuple[int, int]]:
    """Right first answers and rows of each structure with something to find."""
    found = {name: _results(cells, name).get(miner) for name in STRUCTURES}
    return {
        name: (int(r["right"]), int(r["n"]))
        for name, r in found.items()
        if r is not None and not STRUCTURES[name].ordinary
    }


def has_p_values(cells: Cells) -> bool:
    """Whether any of the cells has p-values."""
    return any(_small(cells.entries[name]["result"].get("answers", [])) for name in cells.entries)


def _found_less(title: str, ours: Result, others: dict[str, Result]) -> Iterable[str]:
    miner = MINERS[DEFAULT].title
    kinds: list[tuple[str, Callable[[Result], int]]] = [
        ("at rank one", lambda r: int(r["right"])),
        ("in the first ten", _found),
    ]
    for where, count in kinds:
        better = [
            f"{MINERS[name].title} {count(r)}"
            for name, r in others.items()
            if count(r) > count(ours)
        ]
        if better or count(ours) < ENOUGH * ours["n"]:
            beside = f", {', '.join(better)}" if better else ""
            yield f"{title}, {where}: {miner} {count(ours)} of {ours['n']}{beside}."
    right, wrong = _convincing(ours, True), _convincing(ours, False)
    if right and mean(right) < SURE_ENOUGH:
        yield f"{title}: only {_of(right)} right first answers of {miner} have p ≤ {ALPHA:g}."
    if any(wrong):
        yield f"{title}: {_of(wrong)} wrong first answers of {miner} have p ≤ {ALPHA:g}."


def _false_alarms(title: str, ours: Result) -> Iterable[str]:
    """Report more small p-values among ordinary rows than chance allows: two standard errors."""
    small = _small(ours["answers"])
    if small and mean(small) > ALPHA + 2 * sqrt(ALPHA * (1 - ALPHA) / len(small)):
        yield f"{title}: {_of(small)} rows have p ≤ {ALPHA:g} with {MINERS[DEFAULT].title}."


def _table(
    cells: Cells,
    figure: Callable[[Result], str],
    miners: dict[str, Compared] = MINERS,
    ordinary: bool = False,
) -> str:
    """One line per structure, one column per miner; a dash without a result."""
    rows = []
    for name, structure in STRUCTURES.items():
        results = _results(cells, name)
        if structure.ordinary is ordinary and results:
            n = len(next(iter(results.values()))["answers"])
            cols = [figure(results[miner]) if miner in results else "–" for miner in miners]
            rows.append([structure.title, str(n), *cols])
    return markdown.table(["structure", "rows", *(m.title for m in miners.values())], rows)


def _results(cells: Cells, structure: str) -> dict[str, Result]:
    """The finished results of a structure by miner."""
    found = {miner: cells.result(f"{structure}/{miner}") for miner in MINERS}
    return {miner: r for miner, r in found.items() if r is not None and "answers" in r}


def _all(result: Result, key: str) -> list[Any]:
    return [answer[key] for answer in result["answers"]]


def _found(result: Result) -> int:
    return sum(rank is not None for rank in _all(result, "rank"))


def _both_convincing(result: Result) -> str:
    right, wrong = _convincing(result, True), _convincing(result, False)
    return f"{_of(right)}; {_of(wrong)}" if right or wrong else "–"


def _convincing(result: Result, right: bool) -> list[bool]:
    """For each right answer, or each wrong one, whether its p-value is small."""
    return _small(a for a in result["answers"] if (a["rank"] == 1) is right)


def _small(answers: Iterable[dict[str, Any]]) -> list[bool]:
    """For each answer with a p-value, whether it is small."""
    return [a["p"] <= ALPHA for a in answers if a["p"] is not None]


def _of(flags: list[bool]) -> str:
    return f"{sum(flags)} of {len(flags)}" if flags else "–"
