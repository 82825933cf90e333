"""Conclusions from the parts of the evidence: one line for each question."""

from __future__ import annotations

from .. import markdown
from . import judge_tables, paper_tables, peer_tables, printed, structure_tables
from .cells import Cells
from .p_values import ALPHA
from .peers.registry import PEERS
from .structures.miners import DEFAULT, MINERS, OURS


def table(paper: Cells, peers: Cells, structures: Cells, p_values: Cells, judges: Cells) -> str:
    """Table of questions with their answers in figures; omits questions without results."""
    answers = [
        ("Is the first answer the true set?", _peers(peers), "Other packages", "peers"),
        ("Which kinds of outliers?", _kinds(structures), "Known kinds", "structures"),
        ("Can you believe the p-values?", _sure(p_values), "P-values", "p_values"),
        ("Do detectors agree on real tables?", _agree(judges), "Judged by detectors", "judges"),
        ("Is it the method of the paper?", _paper(paper), "The paper's tables", "paper"),
    ]
    rows = ([q, said, f"[{part}](evidence_{page}.md)"] for q, said, part, page in answers if said)
    return markdown.table(["question", "answer", "part"], rows)


def _peers(cells: Cells) -> str:
    """Rows whose first answer is a true set, by our miner and by the best other package."""
    sets = [name for name in paper_tables.sets(cells) if peer_tables.measured(cells, name)]
    right = {
        peer: [peer_tables.measured(cells, name).get(peer, {}) for name in sets] for peer in PEERS
    }
    counts = {p: [r["rows_natural"] for r in rs] for p, rs in right.items() if rs and all(rs)}
    others = {peer: n for peer, n in counts.items() if peer not in OURS}
    if "SGBeam" not in counts or not others:
        return ""
    best = max(others, key=lambda peer: sum(others[peer]))
    n_rows = [r["n_rows"] for r in right["SGBeam"]]
    where = ", ".join(paper_tables.title(name) for name in sets)
    return (
        f"`SGBeam`: {_listed(counts['SGBeam'], n_rows)} rows ({where}). "
        f"Best other, {best}: {_listed(others[best], n_rows)}."
    )


def _kinds(cells: Cells) -> str:
    """Right first answers over all structures, by our default and by the best other miner."""
    right = {miner: structure_tables.right_answers(cells, miner) for miner in MINERS}
    ours = right.pop(DEFAULT)
    others = {miner: them for miner, them in right.items() if them.keys() == ours.keys()}
    if not ours or not others:
        return ""
    best = max(others, key=lambda miner: sum(r for r, _ in others[miner].values()))
    n = sum(n for _, n in ours.values())
    found = {DEFAULT: ours, best: others[best]}
    told = [f"{MINERS[m].title} {sum(r for r, _ in them.values())}" for m, them in found.items()]
    return f"Right first answers for {n:,} rows of {len(ours)} kinds: {', '.join(told)}."


def _sure(cells: Cells) -> str:
    r = cells.result(f"planted/{DEFAULT}")
    if r is None or "wrong" not in r:
        return ""
    return (
        f"Of the rows that `convincing({ALPHA:g})` keeps, {100 * r['wrong']:.1f} ± "
        f"{100 * r['error']:.1f} % are ordinary. It keeps {100 * r['found']:.0f} % of the outliers."
    )


def _agree(cells: Cells) -> str:
    means = judge_tables.overall(cells)
    if not means:
        return ""
    lift, zscore, random, single = means
    return (
        f"Ordinary values in our features remove {lift} of a score's excess; by Z-score {zscore}, "
        f"random features {random}, the detector's own best feature {single}."
    )


def _paper(cells: Cells) -> str:
    ours, theirs, sizes = [], [], []
    for d in (10, 20, 40):
        r = cells.result(f"hics_{d:03}/SGBeam") or {}
        if "exact" in r:
            ours.append(f"{r['exact']:g}")
            theirs.append(f"{printed.MATCHES[d][printed.MINERS.index('SGBeam')][1]:g}")
            sizes.append(f"{d}-D")
    if not ours:
        return ""
    return (
        f"Exact matches by Z-score: ours {', '.join(ours)}, "
        f"the paper {', '.join(theirs)} ({', '.join(sizes)})."
    )


def _listed(counts: list[int], n_rows: list[int]) -> str:
    return ", ".join(f"{c} of {n}" for c, n in zip(counts, n_rows, strict=True))
