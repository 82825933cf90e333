"""The rows: a section for each group, one for rows alone, one for rows with nothing convincing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..explanation import Explanation, QueryExplanation
from ..explanation.writing.grouping import own_way_words
from ..explanation.writing.wording import elide, plural
from .cards import card
from .limits import LONGEST_NAME
from .parts import Layout
from .pictures import scores_picture
from .pieces import capital, told


def sections(explanation: Explanation, layout: Layout, left_out: Mapping[int, int]) -> str:
    """Write all rows.

    Parameters
    ----------
    explanation : Explanation
    layout : Layout
    left_out : mapping of int to int
        Number of redundant aspects of each row, which the page does not show.
    """

    def cards(queries: Sequence[QueryExplanation]) -> str:
        lines = "".join(card(explanation, query, layout, left_out[query.row]) for query in queries)
        return f'<div class="rows">{lines}</div>'

    score = told(f"score of {elide(explanation.detector, LONGEST_NAME)}")

    def section(anchor: str, title: str, n: int, rows: str) -> str:
        return (
            f'<section class="panel group" id="{anchor}"><h2>{title} '
            f'<span class="count">{plural(n, "row")}</span> '
            f'<span class="soft">{score}</span></h2>{rows}</section>\n'
        )

    parts = []
    for number, group in enumerate(layout.groups, start=1):
        rows = cards(layout.members[number - 1])
        parts.append(section(f"group-{number}", told(group.sentence), len(group), rows))
    if layout.alone:
        n = len(layout.alone)
        title = capital(own_way_words(n)) if layout.groups else "What is odd"
        parts.append(section("alone", title, n, cards(layout.alone)))
    if layout.unsure:
        n = len(layout.unsure)
        parts.append(section("unsure", "Nothing convincing", n, cards(layout.unsure)))
    rest = len(explanation) - len(layout.queries)
    if rest:
        words = f"And {plural(rest, 'more row')}: explanation.to_frame() has all."
        parts.append(f'<p class="panel soft">{words}</p>')
    if len(explanation) == 1 and explanation.background is not None:
        figure = scores_picture(explanation)
        parts.append(f'<section class="panel"><h2>The scores</h2>{figure}</section>\n')
    return "".join(parts)
