"""Tables of the other packages from finished cells."""

from __future__ import annotations

import numpy as np

from .. import markdown
from .cells import Cells, Result
from .paper_tables import seconds, sets, title
from .peers import COLUMNS, N_ROWS, growth_table
from .peers.registry import PEERS


def measured(cells: Cells, table: str) -> dict[str, Result]:
    """The finished results of a table by peer, in the order of the peers."""
    found = {peer: cells.result(f"{table}/{peer}") for peer in PEERS}
    return {peer: r for peer, r in found.items() if r is not None and "seconds" in r}


def who(cells: Cells) -> str:
    """List the packages with their calls, and the rule that turns an answer into a set."""
    lines = []
    for name, peer in PEERS.items():
        seen = [r["version"] for key in cells.entries if (r := _of(cells, key, name))]
        label = " ".join([peer.package, ", ".join(sorted(set(seen)))]).strip()
        words = {"Explains": peer.detector, "Settings": peer.settings, "Own cut": peer.cut}
        told = " ".join(f"*{key}*: {value}." for key, value in words.items())
        lines.append(f"**{name}** ({label}). {told}")
    return markdown.bullets(lines)


def _of(cells: Cells, key: str, peer: str) -> Result | None:
    """Return the result under a key, if this peer has finished it."""
    result = cells.result(key) if key.rpartition("/")[2] == peer else None
    return result if result is not None and "version" in result else None


def accuracy(cells: Cells) -> str:
    """For each set: exact answers and F1, with the true size given and by the peer's own cut."""
    parts = []
    for name in sets(cells):
        results = measured(cells, name)
        n = max((r["n_rows"] for r in results.values()), default=0)
        rows = [
            [
                peer,
                f"{r['rows_given_size']}",
                f"{r['f1_given_size']:.2f}",
                f"{r['rows_natural']}",
                f"{r['f1_natural']:.2f}",
                f"{r['answered']}",
                seconds(r["seconds_per_row"]),
                seconds(r["explain_seconds_per_row"]),
            ]
            for peer, r in results.items()
        ]
        missing = [p for p in PEERS if p not in results and f"{name}/{p}" in cells.entries]
        rows += [[peer, *["–"] * 7] for peer in missing]
        header = ["", "exact, size given", "F1", "exact, own cut", "F1", "answered"]
        header += ["seconds per row", "without fitting"]
        parts.append(f"**{title(name)}, {n} rows{_flagged(cells, name)}**")
        parts.append(markdown.table(header, rows))
    return "\n\n".join(parts)


def _flagged(cells: Cells, name: str) -> str:
    """Number of rows that the detectors flag, for the heading of a set."""
    counts = (cells.result(f"{name}/flagged") or {}).get("flagged", {})
    return ", of which " + ", ".join(f"{d} flags {n}" for d, n in counts.items()) if counts else ""


def growth(cells: Cells) -> str:
    """Time of fitting and explaining five rows, and its exponents in rows and columns."""
    parts = []
    for series, sizes, what in (("rows", N_ROWS, "rows"), ("columns", COLUMNS, "columns")):
        rows = []
        for peer in PEERS:
            results = [cells.result(f"{growth_table(series, n)}/{peer}") or {} for n in sizes]
            if any(results):
                times = [_time(r) for r in results]
                rows.append([peer, *times, _exponent(sizes, results)])
        header = ["", *(f"{n:,} {what}" for n in sizes), "power"]
        parts.append(markdown.table(header, rows))
    return "\n\n".join(parts)


def _time(result: Result) -> str:
    if "over" in result:
        return f"> {result['over']:,.0f}"
    return seconds(result["seconds"]) if "seconds" in result else "–"


def _exponent(sizes: tuple[int, ...], results: list[Result]) -> str:
    """Slope of the upper half of the curve on logarithmic axes: small sizes are mostly start-up."""
    done = [(n, r["seconds"]) for n, r in zip(sizes, results, strict=True) if "seconds" in r]
    upper = np.log(np.array(done[-3:]))
    return f"{np.polyfit(upper[:, 0], upper[:, 1], 1)[0]:.1f}" if len(upper) == 3 else "–"


def verdict(cells: Cells) -> str:
    """Say whether SGBeam has more exact matches than every peer that weighs columns."""
    exceptions = []
    for name in sets(cells):
        results = measured(cells, name)
        ours = results.get("SGBeam")
        for peer, r in results.items():
            for key, cut in (("rows_given_size", "size given"), ("rows_natural", "own cut")):
                if ours and PEERS[peer].attribution and r[key] >= ours[key]:
                    exceptions.append(f"{peer} on {title(name)}, {cut}")
    text = (
        "`SGBeam` has more exact matches than every package that weighs columns, on every set and"
    )
    text += " with either cut"
    return f"{text}{', except: ' + '; '.join(exceptions) if exceptions else ''}."


def losses(cells: Cells) -> list[str]:
    """List where a peer does as well as SGBeam or better."""
    lines = []
    for name in sets(cells):
        results = measured(cells, name)
        ours = results.pop("SGBeam", None)
        if ours is None:
            continue
        for key, what in (
            ("rows_given_size", "exact matches with the true size given"),
            ("rows_natural", "exact matches by its own cut"),
            ("f1_given_size", "F1 with the true size given"),
            ("f1_natural", "F1 by its own cut"),
        ):
            better = [
                f"{peer} {_shown(r[key])}" for peer, r in results.items() if r[key] >= ours[key]
            ]
            if better:
                lines.append(
                    f"{title(name)}, {what}: {', '.join(better)} (SGBeam {_shown(ours[key])})."
                )
        quicker = [
            peer for peer, r in results.items() if r["seconds_per_row"] < ours["seconds_per_row"]
        ]
        if quicker:
            lines.append(
                f"{title(name)}, less time for all rows, fitting included: {', '.join(quicker)}."
            )
    return lines


def _shown(value: float) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)
