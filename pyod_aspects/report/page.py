"""The page as a whole: head, findings, rows, and settings."""

from __future__ import annotations

from html import escape

from ..explanation import Explanation
from ..explanation.writing.wording import outcome_heading
from .asking import Asked, ask_detector
from .notes import notes
from .opening import opening
from .parts import arrange
from .rows import sections
from .style import STYLE

# The page loads and runs nothing, for any text in the data.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def report(
    explanation: Explanation, redundant: bool = False, agreement: bool | str = "auto"
) -> str:
    """Write the page.

    Parameters
    ----------
    explanation : Explanation
    redundant : bool, default=False
        Whether to show redundant aspects too; else each row says how many it has.
    agreement : {"auto", True, False}, default="auto"
        Whether to ask the detector. "auto" asks if it has to score few rows, or else only about
        the rows whose cards are open.

    Returns
    -------
    str
        HTML. The same explanation gives the same page.

    Examples
    --------
    >>> from pyod_aspects import Aspect, QueryExplanation
    >>> aspect = Aspect((0, 1), ("alcohol", "proline"), score=-3.41, density=2, mean=31.2, std=8.5)
    >>> explanation = Explanation(
    ...     queries=(QueryExplanation(22, 0.71, True, (aspect,), percentile=99.2),),
    ...     detector="IForest",
    ...     miner="SGBeam",
    ...     settings={"max_dim": 5},
    ...     score_name="zscore",
    ...     measure="count",
    ...     n_rows=178,
    ...     feature_names=("alcohol", "proline"),
    ... )
    >>> page = report(explanation)
    >>> page[:15], 'id="row-22"' in page, "<script" in page
    ('<!DOCTYPE html>', True, False)
    """
    found = {query.row: len(query.aspects) for query in explanation}
    # Ask the detector only about aspects on the page.
    asked = ask_detector(explanation if redundant else explanation.distinct(), agreement)
    explanation = asked.explanation
    left_out = {query.row: found[query.row] - len(query.aspects) for query in explanation}
    layout = arrange(explanation)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(outcome_heading(explanation))}</title>\n"
        f"<style>{STYLE}</style>\n</head>\n<body>\n"
        f"{_head(explanation, asked)}"
        f"<main>\n{opening(explanation, layout)}"
        f"{sections(explanation, layout, left_out)}</main>\n"
        f"{notes(explanation, any(left_out.values()))}</body>\n</html>\n"
    )


def _head(explanation: Explanation, asked: Asked) -> str:
    """The outcome in one line, and what the page lacks."""
    lines = []
    if not explanation.queries:
        lines.append("No row was explained.")
    elif explanation.background is None:
        lines.append(
            "There are no pictures of the rows: this explanation was read from a file, and the "
            "table that it was made from did not come along."
        )
    if asked.note:
        lines.append(asked.note)
    words = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return (
        f'<header class="panel top"><h1>{escape(outcome_heading(explanation))}</h1>{words}'
        "</header>\n"
    )
