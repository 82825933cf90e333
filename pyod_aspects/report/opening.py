"""The top of the page: reasons that rows share, a few pictures, how sure, the scores."""

from __future__ import annotations

from html import escape

from .._util.numbers import score_text, set_minus
from ..explanation import Explanation
from ..explanation.judging.significance import ALPHA
from ..explanation.writing.grouping import own_way_words
from ..explanation.writing.known import known_lines
from ..explanation.writing.wording import is_convincing, no_p_value_words, plural, row_name
from .cards import sentence
from .limits import FEW_GROUPS, LISTED_GROUPS, LISTED_ROWS, PICTURED_GROUPS
from .parts import Layout
from .pictures import group_picture, scores_picture
from .pieces import capital, list_facts, told


def opening(explanation: Explanation, layout: Layout) -> str:
    """Write the findings."""
    if len(explanation) < 2:  # the card says it all
        return ""
    title = "What they have in common" if layout.groups else "At a glance"
    facts, scores = list_facts(_facts(explanation, layout)), scores_picture(explanation)
    if layout.groups:
        left, right = _groups(explanation, layout), scores
        if len(layout.groups) <= FEW_GROUPS:  # keeps the columns about equally high
            left += facts
        else:
            right += facts
    elif layout.alone:
        left, right = _rows(explanation, layout), scores + facts
    else:  # the list of rows with nothing convincing follows
        left, right = facts, scores
    return (
        f'<section class="panel" id="found"><h2>{title}</h2>'
        f'<div class="common"><div>{left}</div><div>{right}</div></div>'
        f"{_wall(explanation, layout)}</section>\n"
    )


def _wall(explanation: Explanation, layout: Layout) -> str:
    """Pictures of the first groups side by side; "" without their table.

    A group with open cards only needs none: each card has a picture.
    """
    pictures = [group_picture(explanation, group) for group in layout.groups[:PICTURED_GROUPS]]
    figures = "".join(
        f'<figure>{picture}<figcaption><a href="#group-{number}"><b>{told(group.sentence)}</b></a>'
        f": {plural(len(group), 'row')}</figcaption></figure>"
        for number, (group, picture) in enumerate(zip(layout.groups, pictures, strict=False), 1)
        if picture and not layout.open.issuperset(group.rows)
    )
    return figures and f'<div class="wall">{figures}</div>'


def _groups(explanation: Explanation, layout: Layout) -> str:
    """List of groups, each with a link to its rows."""
    if not layout.groups:
        return ""
    n = len(explanation)
    lines = [
        _link(f"group-{number}", told(group.sentence), len(group), n)
        for number, group in enumerate(layout.groups[:LISTED_GROUPS], start=1)
    ]
    rest = layout.groups[LISTED_GROUPS:]
    if rest:
        rows = sum(map(len, rest))
        words = f"{len(rest):,} more, each in a section below"
        lines.append(_link(f"group-{LISTED_GROUPS + 1}", words, rows, n))
    if layout.alone:
        words = capital(own_way_words(len(layout.alone)))
        lines.append(_link("alone", words, len(layout.alone), n))
    if layout.unsure:
        lines.append(_link("unsure", "Nothing convincing", len(layout.unsure), n))
    return f'<ol class="groups">{"".join(lines)}</ol>'


def _rows(explanation: Explanation, layout: Layout) -> str:
    """List of rows that share no reason, and the number of rows with nothing convincing."""
    lines = [
        f'<li><a href="#row-{query.row}"><span><b>{escape(row_name(query.row, query.label))}</b> '
        f"{sentence(explanation, query, layout)}</span> "
        f'<span class="count">{set_minus(score_text(query.score))}</span></a></li>'
        for query in layout.alone[:LISTED_ROWS]
    ]
    rest = layout.alone[LISTED_ROWS:]
    if rest:
        words = f"{plural(len(rest), 'more row')} below"
        lines.append(f'<li><a href="#row-{rest[0].row}"><span>{words}</span></a></li>')
    if layout.unsure:
        count = f'<span class="count">{plural(len(layout.unsure), "row")}</span>'
        lines.append(f'<li><a href="#unsure"><span>Nothing convincing</span> {count}</a></li>')
    return f'<ol class="groups">{"".join(lines)}</ol>'


def _link(anchor: str, words: str, rows: int, n: int) -> str:
    return (
        f'<li><a href="#{anchor}" style="--share:{100 * rows / n:.0f}%"><b>{words}</b> '
        f'<span class="count">{plural(rows, "row")}</span></a></li>'
    )


def _facts(explanation: Explanation, layout: Layout) -> list[tuple[str, str]]:
    """How sure the answers are, known labels, and links to all rows by score."""
    facts = []
    tested = [is_convincing(explanation, query) for query in explanation]
    if None not in tested:
        alpha = ALPHA if explanation.alpha is None else explanation.alpha
        n = sum(map(bool, tested))
        some = "None" if n == 0 else "All" if n == len(tested) else f"{n:,}"
        words = (
            f"{some} of {plural(len(tested), 'row')} {'stands' if n == 1 else 'stand'} out more "
            f"than {plural(explanation.n_reference, 'ordinary row')}, drawn at random and searched "
            f"in the same way, at a level of {100 * alpha:g} %."
        )
        facts.append(("How sure", told(words)))
    else:
        facts += [("How sure", told(line)) for line in no_p_value_words(explanation)]
    lines = "<br>".join(map(told, known_lines(explanation)))
    if lines:
        facts.append(("Known labels", lines))
    if layout.groups:
        facts.append(("Rows, highest score first", _row_links(layout)))
    return facts


def _row_links(layout: Layout) -> str:
    """Links to all rows; folds those after the first ones."""
    links = [
        f'<a href="#row-{query.row}">{escape(row_name(query.row, query.label))}</a>'
        for query in layout.queries
    ]
    if len(links) <= LISTED_ROWS:
        return ", ".join(links)
    return (
        f"{', '.join(links[:LISTED_ROWS])} <details><summary>and {len(links) - LISTED_ROWS:,} more"
        f"</summary>{', '.join(links[LISTED_ROWS:])}</details>"
    )
