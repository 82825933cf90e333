"""The paper's tables from finished cells, with the paper's figures beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import markdown
from . import printed
from .cells import Cells, Result
from .data import N_QUERIES
from .paper import COLUMNS, GENERATED, REAL, SHARES
from .printed import MINERS

COMPARED = ("KDEBeam", "SGBeam", "SGBeam-auto")
"""In the table of real data: the paper's Beam and sGBeam, and SGBeam with its default bins."""


def sets(cells: Cells) -> list[str]:
    """The synthetic sets that have cells: the paper's first."""
    names = {name.partition("/")[0] for name in cells.entries}
    known = [n for n in names if n.startswith(("hics_", "generated_"))]
    return sorted(known, key=lambda n: (n.startswith("generated_"), n))


def sizes(cells: Cells, name: str) -> tuple[int, int]:
    """Attributes and queries of a set, from any of its finished cells; 0 without cells."""
    for miner in MINERS:
        result = cells.result(f"{name}/{miner}") or {}
        if "shape" in result:
            return result["shape"][1], len(result["found"])
    return 0, 0


def papers(cells: Cells, name: str) -> int:
    """Attributes of the paper's set of this size, 0 if none has as many queries."""
    d, n = sizes(cells, name)
    return d if N_QUERIES.get(d) == n else 0


def title(name: str) -> str:
    """Name of a set in the tables.

    >>> title("hics_010"), title("generated_030"), title("hics_mine")
    ('10-D', '30-D, generated', 'hics_mine')
    """
    kind, _, size = name.partition("_")
    if not size.isdigit():
        return name
    return f"{int(size)}-D" + (", generated" if kind == "generated" else "")


def time_of(result: Result | None) -> str:
    """Format a time in seconds, or the reason for having none."""
    if result is None or "skipped" in result:
        return "–"
    if "refused" in result:
        return "too large"
    if "over" in result:
        return f"> {result['over']:,.0f}"
    return seconds(result["seconds"])


def seconds(time: float) -> str:
    """Format seconds with two digits, or all before the point.

    >>> seconds(0.0312), seconds(26.15), seconds(1234.5), seconds(0.00002)
    ('0.031', '26', '1,234', '< 0.001')
    """
    if time < 0.001:
        return "< 0.001"
    return f"{time:,.0f}" if time >= 10 else f"{time:.2g}"


def times(cells: Cells, table: str) -> list[str]:
    """The times of all miners on a table."""
    return [time_of(cells.result(f"{table}/{miner}")) for miner in MINERS]


def runtimes(cells: Cells) -> str:
    """Table "runtime results for the synthetic datasets"."""
    rows = []
    for name in sets(cells):
        n = sizes(cells, name)[1]
        rows.append([title(name), str(n or "–"), "ours", *times(cells, name)])
        if d := papers(cells, name):
            rows.append(["", "", "paper", *(f"{s:,}" for s in printed.SECONDS[d])])
    return markdown.table(["set", "queries", "seconds", *MINERS], rows)


def summary(cells: Cells) -> str:
    """Table "summary results of five synthetic datasets": matches, and in brackets exact ones."""
    rows = []
    for name in sets(cells):
        ours = [_counted(cells.result(f"{name}/{miner}")) for miner in MINERS]
        rows.append([title(name), "ours", *ours])
        if d := papers(cells, name):
            rows.append(["", "paper", *(f"{m:g} ({e:g})" for m, e in printed.MATCHES[d])])
        first = [_figure(cells.result(f"{name}/{miner}"), "exact_first") for miner in MINERS]
        rows.append(["", "ours, rank one", *first])
    return markdown.table(["set", "", *MINERS], rows)


def _counted(result: Result | None) -> str:
    if result is None or "matches" not in result:
        return "–"
    return f"{result['matches']:g} ({result['exact']:g})"


def _figure(result: Result | None, key: str) -> str:
    return "–" if result is None or key not in result else f"({result[key]:g})"


def subspace(attributes: Iterable[int]) -> str:
    """Format a subspace as the paper does.

    >>> subspace([2, 3])
    '{2,3}'
    """
    return "{" + ",".join(map(str, attributes)) + "}"


def examples(cells: Cells) -> str:
    """Table "examples of matches": as many subspaces as the paper prints, exact ones bold."""
    rows = []
    for row, theirs in printed.EXAMPLES.items():
        true = printed.TRUTH[row].split()
        ours = []
        for miner, words in zip(MINERS, theirs, strict=True):
            result = cells.result(f"hics_010/{miner}") or {}
            found = [subspace(s) for s in result.get("found", {}).get(str(row), [])]
            ours.append(_bold(found[: len(words.split())], true) or "–")
        rows.append([str(row), printed.TRUTH[row], "ours", *ours])
        rows.append(["", "", "paper", *(_bold(words.split(), true) for words in theirs)])
    return markdown.table(["row", "true", "", *MINERS], rows)


def _bold(found: Sequence[str], true: Sequence[str]) -> str:
    return " ".join(f"**{s}**" if s in true else s for s in found)


def starred(cells: Cells, table: str, row: int) -> list[str]:
    """Top three of each miner for a row; * is not in KDEBeam's top ten (for KDEBeam: SGBeam's)."""
    tens = []
    for miner in COMPARED:
        result = cells.result(f"{table}/{miner}") or {}
        tens.append([subspace(s) for s in result.get("found", {}).get(str(row), [])])
    others = [tens[1], tens[0], tens[0]]
    return [
        " ".join(s if s in other else f"{s}\\*" for s in mine[:3]) or "–"
        for mine, other in zip(tens, others, strict=True)
    ]


def real_queries(cells: Cells, table: str) -> list[int]:
    """The explained rows of a table, the most anomalous first."""
    if not all(f"{table}/{miner}" in cells for miner in COMPARED[:2]):
        return []
    queries = (cells.result(f"{table}/{COMPARED[0]}") or {})["queries"]
    return [int(row) for row in queries]


def real(cells: Cells) -> str:
    """Table "subspaces discovered by Beam and sGBeam": three top anomalies of each table."""
    rows = []
    for table, name, theirs in (
        ("nba_guards", "NBA", printed.NBA),
        ("shuttle_100", "shuttle", printed.SHUTTLE),
    ):
        ours = real_queries(cells, table)[:3]
        # Rows of shuttle have other numbers in the paper, whose file is unknown.
        same = set(ours) & set(theirs) if name == "NBA" else set()
        for row in sorted(ours, key=lambda row: row not in same):
            rows.append([name, str(row), "ours", *starred(cells, table, row)])
            if row in same:
                rows.append(["", "", "paper", *_escaped(theirs[row]), ""])
        for row in sorted(set(theirs) - same):
            rows.append([name, str(row), "paper", *_escaped(theirs[row]), ""])
    header = ["KDEBeam", "SGBeam", "SGBeam, default bins"]
    return markdown.table(["table", "row", "", *header], rows)


def _escaped(words: Iterable[str]) -> list[str]:
    """Escape stars for Markdown."""
    return [word.replace("*", "\\*") for word in words]


def agreement(cells: Cells) -> str:
    """Share of the top three subspaces that are in the other's top ten, over all queries."""
    sentences = []
    for table, name in (("nba_guards", "NBA"), ("shuttle_100", "shuttle")):
        tops = [starred(cells, table, row) for row in real_queries(cells, table)]
        for i, which in ((1, "SGBeam"), (2, "SGBeam with default bins")):
            mine = [top[i] for top in tops if top[i] != "–"]
            n = sum(len(top.split()) for top in mine)
            shared = n - sum(top.count("*") for top in mine)
            if n:
                sentences.append(f"{name}, {which}: {shared} of {n}")
    return (
        "Of the best three for ten queries, among KDEBeam's best ten: " + "; ".join(sentences) + "."
    )


def by_rows(cells: Cells) -> str:
    """The figure of runtime against rows, in figures."""
    rows = []
    for name, what in (("shuttle", "shuttle"), ("shuttle_like", "generated, like shuttle")):
        for share in SHARES:
            table = f"{name}_{share:03}"
            if any(f"{table}/{miner}" in cells for miner in MINERS):
                rows.append([what, f"{share} %", *times(cells, table)])
    return markdown.table(["table", "rows", *MINERS], rows)


def by_columns(cells: Cells) -> str:
    """The figure of runtime against columns, in figures."""
    rows = [[f"{d:,}", *times(cells, f"wide_{d:04}")] for d in COLUMNS]
    return markdown.table(["columns", *MINERS], rows)


def real_runtimes(cells: Cells) -> str:
    """Table "runtime result for 10 queries on each real-world dataset"."""
    rows = []
    for name in (*REAL, *GENERATED):
        shape = next(
            (r["shape"] for m in MINERS if "shape" in (r := cells.result(f"{name}/{m}") or {})),
            None,
        )
        if shape is None:
            continue
        what = f"generated, as large as {GENERATED[name]}" if name in GENERATED else name
        rows.append([what, f"{shape[0]:,} × {shape[1]}", "ours", *times(cells, name)])
        theirs = {"nba_guards": "NBA", **GENERATED}.get(name)
        if theirs:
            rows.append(["", "", f"paper, {theirs}", *printed.REAL_SECONDS[theirs]])
    return markdown.table(["table", "size", "seconds", *MINERS], rows)


def losses(cells: Cells) -> list[str]:
    """List where SGBeam finds less than the paper's sGBeam, or than another miner."""
    lines = []
    for name in sets(cells):
        ours = cells.result(f"{name}/SGBeam") or {}
        if "exact" not in ours:
            continue
        d = papers(cells, name)
        if d and name.startswith("hics_"):
            theirs = printed.MATCHES[d][MINERS.index("SGBeam")]
            for key, value in zip(("matches", "exact"), theirs, strict=True):
                if ours[key] < value:
                    lines.append(f"{title(name)}, {key}: SGBeam {ours[key]:g}, paper {value:g}.")
        for key, what in (
            ("exact", "exact matches in the top ten"),
            ("exact_first", "exact at rank one"),
            ("matches", "matches in the top ten"),
        ):
            results = {miner: cells.result(f"{name}/{miner}") or {} for miner in MINERS}
            better = [
                f"{miner} {r[key]:g}" for miner, r in results.items() if r.get(key, 0) > ours[key]
            ]
            if better:
                lines.append(f"{title(name)}, {what}: {', '.join(better)}, SGBeam {ours[key]:g}.")
    return lines
