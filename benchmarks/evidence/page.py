"""docs/evidence.md from finished cells."""

from __future__ import annotations

from pathlib import Path

from .. import markdown
from ..tables import REPOSITORY
from . import figures, judge_tables, p_value_tables, paper_tables, peer_tables, structure_tables
from .cells import Cells

OURS = REPOSITORY / "docs" / "evidence.md"
"""What stands around the tables is written by hand there."""

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
    """Write the plots, and the tables into the page between their markers; return the page."""
    hand_written = OURS.read_text(encoding="utf-8")
    # In another folder the page begins without our figures.
    empty = {} if folder == OURS.parent else dict.fromkeys(markdown.parts(hand_written), "")
    parts: dict[str, str] = {}
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
    parts["losses"] = markdown.bullets([*paper_tables.losses(paper), *peer_tables.losses(peers)])
    page = folder / "evidence.md"
    markdown.renew(page, {**empty, **parts}, hand_written)
    return page


def _figure(name: str, words: str) -> str:
    return f"```{{figure}} _static/{name}\n:alt: {words}\n```"
