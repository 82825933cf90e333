"""An explanation as HTML for a notebook: inline styles, no script, every name escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from .._util.numbers import score_text, set_minus
from .redundancy import distinct
from .sentences import evidence_words
from .wording import (
    MOST_ROWS,
    density_words,
    detector_words,
    heading,
    left_out_words,
    legend,
    no_aspect_words,
    plural,
    printable,
    row_name,
    score_words,
    sure_words,
    usual_density,
)

if TYPE_CHECKING:
    from ..search.aspect import Aspect
    from .values import Explanation, QueryExplanation

# Colours that hold on a white page and on a black one; text is always currentColor.
_FAINT = "rgba(127,127,127,.15)"
_LINE = "rgba(127,127,127,.4)"
_QUERY = "#D55E00"
_CELL = f"padding:.45em .9em .45em 0;border:0;border-top:1px solid {_LINE}"


def to_html_fragment(explanation: Explanation, aspects: int = 3, rows: int = MOST_ROWS) -> str:
    """Write a static page fragment."""
    head = "".join(
        f'<th scope="col" style="text-align:left;padding:.3em .9em .3em 0;border:0">{title}</th>'
        for title in ("Row", "Score", "Stands out in")
    )
    body = "".join(_row(explanation, query, aspects) for query in explanation.queries[:rows])
    left = len(explanation) - rows
    more = f"<p>and {plural(left, 'more row')}: see explanation.to_frame()</p>" if left > 0 else ""
    redundant = any(
        len(distinct(query.aspects, explanation.score_name)) < len(query.aspects)
        for query in explanation.queries[:rows]
    )
    notes = " ".join(escape(line) for line in legend(explanation, redundant, pictures=False))
    if any(query.aspects for query in explanation):
        aspects_shown = [aspect for query in explanation for aspect in query.aspects]
        _, what = usual_density(aspects_shown[0])
        notes += f" A full bar is {'the average' if what == 'on average' else 'what is expected'}."
    table = (
        '<table style="table-layout:auto;border-collapse:collapse;border:0;margin:0;width:100%;'
        'font-size:1em;color:inherit">'
        f'<thead><tr style="background:transparent">{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )
    # The class keeps MathJax from reading a name with $ in it as a formula.
    return (
        '<div class="tex2jax_ignore mathjax_ignore" '
        'style="max-width:76em;line-height:1.4;color:inherit">'
        f'<p style="margin:.3em 0"><strong>{escape(heading(explanation))}</strong></p>'
        f"{table if explanation else ''}{more}"
        f'<p style="margin:.5em 0;font-size:.9em;opacity:.8">{notes}</p></div>'
    )


def _row(explanation: Explanation, query: QueryExplanation, aspects: int) -> str:
    top = "vertical-align:top;text-align:left"
    name = row_name(query.row, query.label)
    room = 0.7 * min(len(name), 14)  # a longer name is broken into lines
    position = "" if query.label is None else f' title="position {query.row}"'
    comparison = escape(detector_words(query)).replace(" %", "&nbsp;%")
    return (
        '<tr style="background:transparent">'
        f'<th scope="row"{position} style="{_CELL};{top};min-width:{room:.1f}em;'
        f'overflow-wrap:anywhere">{escape(name)}</th>'
        f'<td style="{_CELL};{top};min-width:9em">{set_minus(score_text(query.score))}'
        f'<div style="font-size:.85em;opacity:.8">{comparison}</div></td>'
        f'<td style="{_CELL};{top};padding-right:0;width:100%">'
        f"{_aspect_lists(explanation, query, aspects)}</td></tr>"
    )


def _aspect_lists(explanation: Explanation, query: QueryExplanation, most: int) -> str:
    aspects = query.aspects
    if not aspects:
        return escape(no_aspect_words(explanation, query))

    def ordered_list(part: tuple[Aspect, ...], start: int) -> str:
        items = "".join(_aspect_item(explanation, query, aspect) for aspect in part)
        return f'<ol start="{start}" style="list-style:none;margin:0;padding:0">{items}</ol>'

    def fold(part: tuple[Aspect, ...], words: str, start: int) -> str:
        if not part:
            return ""
        return (
            '<details style="margin:0">'
            '<summary style="cursor:pointer;margin:0 0 .3em;font-size:.85em;opacity:.8">'
            f"{words}</summary>{ordered_list(part, start)}</details>"
        )

    found = distinct(aspects, explanation.score_name)
    redundant = tuple(aspect for aspect in aspects if aspect not in found)
    sure = ""
    if query.p_value is not None:
        words = escape(sure_words(explanation, query)).replace(" %", "&nbsp;%")
        sure = f'<div style="font-size:.85em;opacity:.8;margin:0 0 .3em">{words}</div>'
    return (
        sure
        + ordered_list(found[:most], 1)
        + fold(found[most:], left_out_words(len(found[most:]), 0), most + 1)
        + fold(redundant, left_out_words(0, len(redundant)), len(found) + 1)
    )


def _aspect_item(explanation: Explanation, query: QueryExplanation, aspect: Aspect) -> str:
    chips = " ".join(
        '<code style="display:inline-block;max-width:100%;box-sizing:border-box;font:inherit;'
        f"color:inherit;background:{_FAINT};border:1px solid {_LINE};border-radius:.3em;"
        f'padding:0 .35em;margin:0 0 .15em;overflow-wrap:anywhere">{escape(printable(name))}</code>'
        for name in aspect.features
    )
    here, average = density_words(explanation, aspect)
    usual, _ = usual_density(aspect)
    filled = min(1.0, max(0.0, aspect.density / usual)) if usual > 0.0 else 1.0
    # The words beside it say the same, so a reader who does not see the bar misses nothing.
    bar = (
        '<span aria-hidden="true" style="flex:0 0 5em;height:.6em;'
        f'background:{_FAINT};border:1px solid {_LINE};border-radius:.15em">'
        '<span style="display:block;height:100%;'
        f'width:{100 * filled:.0f}%;min-width:2px;background:{_QUERY}"></span></span>'
    )
    score = set_minus(escape(score_words(explanation, aspect)))
    words = set_minus(escape(evidence_words(aspect, query.features)))
    style = "flex:1 0 100%;min-width:0;padding-bottom:.3em;overflow-wrap:anywhere"
    evidence = words and f' <span style="{style}">{words}</span>'
    room = 30 if explanation.measure == "count" else 36
    return (
        '<li style="display:flex;flex-wrap:wrap;gap:0 1.2em;align-items:baseline;margin:0 0 .3em">'
        f'<span style="flex:1 1 14em;min-width:0">{chips}</span> '
        f'<span style="flex:0 0 {room}em;max-width:100%;'
        "display:flex;gap:.8em;align-items:baseline;"
        f'font-variant-numeric:tabular-nums">{bar}'
        f'<span style="flex:1 1 auto">{escape(here)} {escape(average)}</span> '
        f'<span style="flex:0 0 auto;white-space:nowrap">{score}</span></span>{evidence}</li>'
    )
