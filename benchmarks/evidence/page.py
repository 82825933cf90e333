"""docs/evidence.md and its parts from finished cells."""

from __future__ import annotations

from pathlib import Path

from .. import markdown
from ..tables import REPOSITORY
from . import (
    conclusions,
    figures,
    judge_tables,
    p_value_tables,
    paper_tables,
    peer_tables,
    structure_tables,
)
from .cells import Cells

DOCS = REPOSITORY / "docs"
"""Folder of the pages; people write the text around the tables."""

PAGES = (
    "evidence.md",
    *(f"evidence_{part}.md" for part in ("peers", "structures", "p_values", "judges", "paper")),
)
"""The conclusions, then the parts. Markers name the table at each place."""

SCALE_UP = (
    "Runtime of the four miners against the number of rows and against the number of columns, "
    "on logarithmic axes."
)

GROWTH = (
    "Time that each package takes to fit a table and to explain five of its rows, against the "
    "number of rows and against the number of columns, on logarithmic axes."
)


NO_P_VALUES = "These runs had no p-values."


def write(
    paper: Cells,
    peers: Cells,
    structures: Cells,
    p_values: Cells,
    judges: Cells,
    folder: Path,
) -> Path:
    """Write the plots, and the tables into the pages between markers; return the first page."""
    parts = {"conclusions": conclusions.table(paper, peers, structures, p_values, judges)}
    if paper.entries:
        figures.scale_up(paper, folder / "_static" / "scale_up.svg")
        parts |= {
            "paper": markdown.circumstances(paper.entries.values()),
            "runtimes": paper_tables.runtimes(paper),
            "summary": paper_tables.summary(paper),
            "examples": paper_tables.examples(paper),
            "real": f"{paper_tables.real(paper)}\n\n{paper_tables.agreement(paper)}",
            "scale-up": _figure("scale_up.svg", SCALE_UP),
            "by-rows": paper_tables.by_rows(paper),
            "by-columns": paper_tables.by_columns(paper),
            "real-runtimes": paper_tables.real_runtimes(paper),
        }
    if peers.entries:
        figures.peer_growth(peers, folder / "_static" / "peer_growth.svg")
        parts |= {
            "peers": markdown.circumstances(peers.entries.values()),
            "who": peer_tables.who(peers),
            "accuracy": f"{peer_tables.accuracy(peers)}\n\n{peer_tables.verdict(peers)}",
            "peer-growth": _figure("peer_growth.svg", GROWTH),
            "growth": peer_tables.growth(peers),
        }
    if structures.entries:
        sure = structure_tables.has_p_values(structures)
        parts |= {
            "structures": markdown.circumstances(structures.entries.values()),
            "rank-one": structure_tables.rank_one(structures),
            "in-ten": structure_tables.in_ten(structures),
            "how-sure": structure_tables.how_sure(structures) if sure else NO_P_VALUES,
            "nothing": structure_tables.nothing_to_find(structures) if sure else NO_P_VALUES,
            "structure-losses": markdown.bullets(structure_tables.losses(structures)),
        }
    if p_values.entries:
        parts |= {
            "p-values": markdown.circumstances(p_values.entries.values()),
            "uniform": p_value_tables.uniform(p_values),
            "planted": p_value_tables.planted(p_values),
        }
    if judges.entries:
        parts |= {
            "judges": markdown.circumstances(judges.entries.values()),
            "judges-detectors": judge_tables.by_detector(judges),
            "judges-tables": judge_tables.by_table(judges),
            "judges-losses": markdown.bullets(judge_tables.losses(judges)),
        }
    parts["paper-losses"] = markdown.bullets(paper_tables.losses(paper))
    parts["peer-losses"] = markdown.bullets(peer_tables.losses(peers))
    for name in PAGES:
        hand_written = (DOCS / name).read_text(encoding="utf-8")
        # In another folder the pages begin without our figures.
        kept = {} if folder == DOCS else dict.fromkeys(markdown.parts(hand_written), "")
        new = {part: parts[part] for part in markdown.parts(hand_written) if part in parts}
        markdown.renew(folder / name, {**kept, **new}, hand_written)
    return folder / PAGES[0]


def _figure(name: str, words: str) -> str:
    return f"```{{figure}} _static/{name}\n:alt: {words}\n```"
