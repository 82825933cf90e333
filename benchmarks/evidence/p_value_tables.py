"""Tables of the p-values, from finished cells."""

from __future__ import annotations

from .. import markdown
from .cells import Cells, Result
from .p_values import ALPHA, UNIFORM
from .structures.miners import OURS

LEVEL = 0.05
"""Chance that any test on the page calls sound p-values too small."""


def uniform(cells: Cells) -> str:
    """One line per distribution, one column per miner: both tests of each cell, and a verdict."""
    results = _uniform(cells)
    kinds = [kind for kind in UNIFORM if any(k == kind for k, _ in results)]
    rows = [[kind, *(_tests(results.get((kind, miner))) for miner in OURS)] for kind in kinds]
    table = markdown.table(["", *(m.title for m in OURS.values())], rows)
    return f"{table}\n\n{_verdict(results)}"


def planted(cells: Cells) -> str:
    """One line per miner: the share of wrong rows among the convincing ones, and of found ones."""
    rows = []
    for miner, how in OURS.items():
        r = cells.result(f"planted/{miner}")
        if r is not None and "tables" in r:
            wrong = f"{100 * r['wrong']:.1f} ± {100 * r['error']:.1f} %"
            wrong += "" if r["wrong"] <= ALPHA else " (too many)"
            kept = [f"{r['n_kept']}", wrong, *(f"{100 * r[k]:.0f} %" for k in ("found", "exact"))]
            rows.append([how.title, f"{len(r['tables'])}", *kept])
    header = ["", "tables", "rows kept", "of them ordinary", "planted rows kept"]
    header += ["with the true set first"]
    return markdown.table(header, rows)


def _uniform(cells: Cells) -> dict[tuple[str, str], Result]:
    """The finished results by distribution and miner."""
    every = {(kind, m): cells.result(f"uniform-{kind}/{m}") for kind in UNIFORM for m in OURS}
    return {key: r for key, r in every.items() if r is not None and "smaller" in r}


def _tests(result: Result | None) -> str:
    return "–" if result is None else f"{result['smaller']:.2f}; {result['differs']:.2f}"


def _verdict(results: dict[tuple[str, str], Result]) -> str:
    """Name the cells whose p-values are too small; all tests share the level."""
    level = LEVEL / max(1, len(results))
    small = [
        f"{OURS[miner].title}, {kind}"
        for (kind, miner), r in results.items()
        if r["smaller"] < level
    ]
    least = min((r["smaller"] for r in results.values()), default=1.0)
    tests = f"the least of {len(results)} is {least:.3f}, and in so many one below {level:g}"
    if small:
        return f"Too small (first figure; {tests} is a finding): {'; '.join(small)}."
    return f"No p-values are too small (first figure): {tests} would be a finding."
