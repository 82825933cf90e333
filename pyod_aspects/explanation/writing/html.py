"""An explanation as HTML for a notebook: reasons that rows share, then a line for each row.

It has no script, and escapes every name. Its style sheet applies to this table only, and takes
its colours from the page around it. Viewers that drop it show a plain table with the same text.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ..._util.numbers import score_text, set_minus
from ..judging.redundancy import distinct
from .known import known_lines, known_words
from .sentences import agreement_words, evidence_words, further_words, row_sentence
from .wording import (
    MOST_ROWS,
    all_sure_words,
    density_words,
    detector_words,
    elide,
    is_convincing,
    join_first,
    left_out_words,
    legend,
    outcome_heading,
    plural,
    printable,
    row_name,
    score_words,
    sure_words,
)

if TYPE_CHECKING:
    from ...search.aspect import Aspect
    from ..query import QueryExplanation
    from ..values import Explanation

MOST_GROUPS = 8
"""Most groups to list."""

MOST_ASPECTS = 20
"""Most aspects in the fold of a row."""

MANY_ROWS = 5
"""Most rows without a list of groups."""

_MOST_FEATURES, _LONGEST = 8, 600

# Twice the class: notebooks stripe and right-align the cells of tables.
_STYLE = """
.pyod-aspects-html{max-width:78em;line-height:1.45;color:inherit}
.pyod-aspects-html.pyod-aspects-html p,.pyod-aspects-html.pyod-aspects-html ul{margin:.3em 0}
.pyod-aspects-html.pyod-aspects-html table{table-layout:auto;border-collapse:collapse;border:0;
margin:.6em 0;width:100%;font-size:1em;color:inherit}
.pyod-aspects-html.pyod-aspects-html tr{background:transparent;border:0}
.pyod-aspects-html.pyod-aspects-html :is(td,th){text-align:left;vertical-align:top;border:0;
border-top:1px solid rgba(127,137,150,.35);padding:.45em 1.1em .45em 0;white-space:normal;
overflow-wrap:break-word}
.pyod-aspects-html.pyod-aspects-html thead th{border:0;font-weight:400;opacity:.75;
padding-top:0;padding-bottom:.2em}
.pyod-aspects-html .pa-say{width:76%;min-width:14em}
.pyod-aspects-html :is(strong,.pa-head){font-weight:600}
.pyod-aspects-html.pyod-aspects-html .pa-groups{list-style:none;padding:0}
.pyod-aspects-html.pyod-aspects-html .pa-groups li{margin:.2em 0}
.pyod-aspects-html .pa-count{display:inline-block;min-width:4.6em;margin-right:.4em;
padding:0 .4em;text-align:center;border-radius:.35em;background:rgba(181,71,11,.13);
font-size:.86em;font-variant-numeric:tabular-nums}
.pyod-aspects-html .pa-score{white-space:nowrap;font-variant-numeric:tabular-nums}
.pyod-aspects-html .pa-also{font-size:.93em}
.pyod-aspects-html small{font-size:.86em;opacity:.78}
.pyod-aspects-html summary{cursor:pointer;font-size:.86em;opacity:.78}
.pyod-aspects-html.pyod-aspects-html :is(ol,ul){padding-left:1.4em}
.pyod-aspects-html.pyod-aspects-html code{font:inherit;color:inherit;border-radius:.3em;
background:rgba(127,137,150,.18);padding:0 .35em;overflow-wrap:anywhere}
"""


def to_html_fragment(explanation: Explanation, rows: int = MOST_ROWS) -> str:
    """Write a static page fragment."""
    shown = explanation.queries[:rows]
    left = len(explanation) - rows
    more = f"<p>and {plural(left, 'more row')}: see explanation.to_frame()</p>" if left > 0 else ""
    redundant = any(
        len(distinct(query.aspects, explanation.score_name)) < len(query.aspects) for query in shown
    )
    notes = "<br>".join(escape(line) for line in legend(explanation, redundant, pictures=False))
    if notes:
        notes = f"<details><summary>What the words mean</summary><small>{notes}</small></details>"
    # The classes keep MathJax from reading a name with $ in it as a formula.
    return (
        '<div class="pyod-aspects-html tex2jax_ignore mathjax_ignore">'
        f"<style>{_STYLE}</style><p><strong>{escape(outcome_heading(explanation))}</strong> "
        f"<small>by {escape(printable(explanation.miner))}</small></p>"
        f"{_sure(explanation)}{_known(explanation)}{_groups(explanation)}"
        f"{_table(explanation, shown)}{more}{notes}</div>"
    )


def _sure(explanation: Explanation) -> str:
    """Say once how sure the sentences in bold, the convincing ones, are."""
    words = _common_sure_words(explanation)
    return words and f"<p><small>{_told(words[0].upper() + words[1:])}.</small></p>"


def _known(explanation: Explanation) -> str:
    """Say how many rows have each known label."""
    lines = "<br>".join(map(_told, known_lines(explanation)))
    return lines and f"<p><small>{lines}</small></p>"


def _common_sure_words(explanation: Explanation) -> str:
    convincing = [query for query in explanation if is_convincing(explanation, query)]
    if len(convincing) < 2 or len(convincing) == len(explanation):
        return all_sure_words(explanation)
    least = max(convincing, key=lambda query: query.p_value or 0.0)
    words = sure_words(explanation, least).replace("only ", "at most ", 1)
    return f"sentences in bold: {words}"


def _groups(explanation: Explanation) -> str:
    """Reasons that rows share, if there are many rows."""
    if len(explanation) <= MANY_ROWS:
        return ""
    groups = [group for group in explanation.groups() if len(group) > 1]
    if not groups:
        return ""
    names = {query.row: row_name(query.row, query.label, 20) for query in explanation}
    lines = "".join(
        f'<li><span class="pa-count">{plural(len(group), "row")}</span> '
        f"<strong>{_told(group.sentence)}</strong><small>: "
        f"{escape(join_first([names[row] for row in group.rows], 6))}</small></li>"
        for group in groups[:MOST_GROUPS]
    )
    rest = groups[MOST_GROUPS:]
    if rest:
        words = f"{plural(len(rest), 'more group')} of {plural(sum(map(len, rest)), 'row')}"
        lines += f"<li><small>{words}: see explanation.groups()</small></li>"
    return f'<p class="pa-head">What they have in common</p><ul class="pa-groups">{lines}</ul>'


def _table(explanation: Explanation, queries: tuple[QueryExplanation, ...]) -> str:
    if not queries:
        return ""
    titles = ["Row", "Score", "Higher than", "What is odd"]
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    said = bool(_common_sure_words(explanation))
    body = "".join(_row(explanation, query, said) for query in queries)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row(explanation: Explanation, query: QueryExplanation, said: bool) -> str:
    """Write one row; `said` if the page has said how sure convincing rows are."""
    position = "" if query.label is None else f' title="position {query.row}"'
    comparison = detector_words(query).removeprefix("higher than ").replace(" of rows", "")
    known = _told(known_words(explanation, query))
    known = known and f"<br>{known}"
    convincing = is_convincing(explanation, query)
    if convincing is False:
        guess = evidence_words(query.aspects[0], query.features) if query.aspects else ""
        sentence = _told(guess) or "nothing convincing"
    else:
        sentence = _told(row_sentence(explanation, query))
        sentence = f"<strong>{sentence}</strong>" if query.aspects else sentence
        also = _told("; ".join(further_words(query, explanation.score_name)))
        sentence += f'<div class="pa-also">also: {also}</div>' if also else ""
    untold = query.p_value is not None and not (convincing and said)
    notes = [sure_words(explanation, query) if untold else "", agreement_words(explanation, query)]
    says = "".join(f"<div><small>{_told(words)}</small></div>" for words in notes if words)
    return (
        f'<tr><th scope="row"{position}>{escape(row_name(query.row, query.label))}</th>'
        f'<td class="pa-score">{set_minus(score_text(query.score))}</td>'
        f"<td><small>{_told(comparison)}{known}</small></td>"
        f'<td class="pa-say">{sentence}{says}{_fold(explanation, query)}</td></tr>'
    )


def _fold(explanation: Explanation, query: QueryExplanation) -> str:
    """All aspects of a row, the redundant ones last."""
    if not query.aspects:
        return ""
    found = distinct(query.aspects, explanation.score_name)
    redundant = tuple(aspect for aspect in query.aspects if aspect not in found)
    lines = [_line(explanation, query, aspect) for aspect in found]
    lines += [_line(explanation, query, aspect, " (redundant)") for aspect in redundant]
    if len(lines) > MOST_ASPECTS:
        rest = len(lines) - MOST_ASPECTS
        lines = [*lines[:MOST_ASPECTS], f"<li>and {rest:,} more: see explanation.to_frame()</li>"]
    words = ", ".join(
        filter(None, [plural(len(found), "aspect"), left_out_words(0, len(redundant))])
    )
    return f"<details><summary>{words}</summary><ol>{''.join(lines)}</ol></details>"


def _line(explanation: Explanation, query: QueryExplanation, aspect: Aspect, note: str = "") -> str:
    names = [f"<code>{escape(elide(name, 60))}</code>" for name in aspect.features]
    chips = " ".join(names[:_MOST_FEATURES])
    if len(names) > _MOST_FEATURES:
        chips += f" and {len(names) - _MOST_FEATURES:,} more"
    here, usual = density_words(explanation, aspect)
    figures = _told(f"{here} {usual}, {score_words(explanation, aspect)}{note}")
    words = _told(evidence_words(aspect, query.features))
    return f"<li>{chips} {words} <small>{figures}</small></li>"


def _told(words: str) -> str:
    """Sentence as HTML."""
    words = words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
    return escape(set_minus(words)).replace(" %", "\u00a0%")
