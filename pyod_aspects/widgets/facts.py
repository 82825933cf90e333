"""The answer about the chosen row as HTML: its headline and the facts beside the picture.

It depends only on an explanation and a choice. This module escapes names from the data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from .._util.numbers import percent_text, score_text, set_minus
from ..explanation import Explanation, QueryExplanation
from ..explanation.judging.blame import feature_to_blame
from ..explanation.writing.known import known_words
from ..explanation.writing.sentences import (
    agreement_words,
    evidence_words,
    find_answer,
    further_words,
    headline,
)
from ..explanation.writing.sentences.aspect import rows_words
from ..explanation.writing.sentences.detector import GONE
from ..explanation.writing.sentences.values import labels_words, range_words, value_words
from ..explanation.writing.wording import (
    density_words,
    is_convincing,
    join_first,
    no_aspect_words,
    plural,
    printable,
    row_name,
    row_words,
    score_words,
    sure_words,
)
from .controls import Entry

if TYPE_CHECKING:
    from ..explanation.judging.groups import Group
    from ..search.aspect import Aspect, Value

_SHORT = 76  # most letters of a headline in large type

# A space in "99.7 %" or "(p = 0.005)" that must not break.
_TOGETHER = re.compile(r"(?<=\d) (?=%)|(?<=\(p) (?== )|(?<=\(p =) (?=\d)")

# The range at the end of a sentence; it stands beside the picture as a fact of its own.
_RANGE = re.compile(
    r": (the rows most like it|rows like it|rows with|few rows are like it)\b.*$"
    r"| \(most rows .*?\)(?=, as (is|are) |$)"
)

NOT_YET = "Still being worked out: ordinary rows are searched when all rows are finished."


def text(words: str) -> str:
    """Words as HTML, with minus signs and unbroken figures."""
    return escape(set_minus(_TOGETHER.sub("\u00a0", words)))


def capital(words: str) -> str:
    """Words with a capital letter in front."""
    return words[:1].upper() + words[1:]


def fact(title: str, words: str, below: str = "") -> str:
    """One fact: a title, and its text."""
    said = words and f"<p>{text(words)}</p>"
    return f'<div class="pa-fact"><b>{text(title)}</b>{said}{below}</div>'


# ---------------------------------------------------------------- the headline


def row_headline(explanation: Explanation, query: QueryExplanation) -> str:
    """The row in one short sentence."""
    if not query.aspects:
        return capital(no_aspect_words(explanation, query))
    words = headline(query, explanation.score_name)
    if not words:
        words = evidence_words(query.aspects[0], query.features)
    best = " × ".join(map(printable, query.aspects[0].features))
    words = _RANGE.sub("", words, count=1) or f"{row_words(query, 'row')} stands out in {best}"
    if is_convincing(explanation, query) is False:
        return f"Nothing convincing; at most, {words}"
    return words


def headline_html(words: str) -> str:
    """Title of the answer."""
    size = "pa-headline" if len(words) <= _SHORT else "pa-headline pa-long"
    return f'<div class="{size}" role="heading" aria-level="3">{text(words)}</div>'


def further_html(explanation: Explanation, query: QueryExplanation) -> str:
    """Further odd features of a row, below its headline; "" if none is convincing."""
    if is_convincing(explanation, query) is False:
        return ""
    words = "; ".join(further_words(query, explanation.score_name))
    return words and f'<div class="pa-also">{text(f"also: {words}")}</div>'


def row_line(explanation: Explanation, query: QueryExplanation) -> str:
    """The row, and its score by the detector."""
    score = f"{printable(explanation.detector)} score {score_text(query.score)}"
    if query.percentile is not None:
        score += f", higher than {percent_text(query.percentile)} of rows"
    parts = [row_words(query, "Row"), score]
    if query.is_anomaly is False:
        parts.append("not an anomaly")
    known = known_words(explanation, query)
    parts += [known] if known else []
    return f'<span class="pa-sub">{" &nbsp;·&nbsp; ".join(map(text, parts))}</span>'


# ---------------------------------------------------------------- the facts


def expected_fact(explanation: Explanation, query: QueryExplanation, aspect: Aspect) -> str:
    """Values of rows like it, and the number of rows nearby."""
    words = " ".join(density_words(explanation, aspect))
    blamed = feature_to_blame(aspect, query.features)
    title = score_words(explanation, aspect)
    if blamed is not None and blamed.expected:
        near = [one for one in aspect.evidence if one is not blamed]
        usual = _usual(blamed.feature, blamed.expected, blamed.direction)
        title = f"{capital(rows_words(near, blamed.rough))} have {usual}"
    elif blamed is not None and blamed.typical:
        title = f"Most rows have {_usual(blamed.feature, blamed.typical, blamed.direction)}"
    return fact(title, words)


def _usual(feature: str, values: Sequence[Value], direction: str) -> str:
    """A feature with the values of other rows: a range, or labels.

    >>> _usual("y", (6.7, 6.9), "low"), _usual("cut", ("Good", "Fair"), "rare")
    ('y 6.7 to 6.9', 'cut Good or Fair')
    """
    name = printable(feature)
    if tuple(values) == (None,):
        return f"no {name}"
    labels = isinstance(values[0], str) and direction == "rare"
    return f"{name} {labels_words(values) if labels else range_words(values)}"


def sure_fact(explanation: Explanation, query: QueryExplanation, awaited: bool) -> str:
    """How sure the answer is."""
    if awaited:
        return fact("How sure", NOT_YET)
    words = capital(sure_words(explanation, query))
    p = query.p_value
    if p is not None and "p = " not in words and p < 1.0:
        words += f" (p = {p:.2g})"
    title = {True: "Convincing", False: "Nothing convincing", None: "How sure"}
    verdict = is_convincing(explanation, query)
    if verdict is False:
        words = capital(words.removeprefix("Nothing convincing").removeprefix(": ").strip())
    return fact(title[verdict], words)


def agreement_fact(explanation: Explanation, query: QueryExplanation) -> str:
    """Whether the detector agrees, with a bar; "" without its answer."""
    words = agreement_words(explanation, query)
    answer = find_answer(explanation, query)
    if answer is None:
        return ""
    says = answer.says
    said, _, verdict = words.rpartition(": ")
    titles = {2: "The detector agrees", 1: "The detector agrees in part"}
    title = titles.get(answer.grade, capital(verdict))
    gone = f"{100 * max(0.0, min(1.0, says.share)):.0f}"
    tip = f"{gone} % of what the score is above the median is gone"
    bar = (
        f'<div class="pa-share" role="img" aria-label="{tip}" title="{tip}">'
        f'<i style="width:{gone}%"></i></div><div class="pa-below">{text(f"{gone} % {GONE}")}</div>'
    )
    return fact(title, said or verdict, bar)


# ---------------------------------------------------------------- lines of the lists


def row_entry(
    explanation: Explanation, query: QueryExplanation, awaited: bool, width: int = 0
) -> Entry:
    """A row in the list, with its name padded to `width` letters."""
    convincing = None if awaited else is_convincing(explanation, query)
    said = row_headline(explanation, query)
    if convincing is False or not query.aspects:
        said = "nothing convincing" if convincing is False else "no aspect"
        what = f"<em>{said}</em>"
    else:
        what = text(said)
    name, figures = row_name(query.row, query.label), row_figures(query)
    face = (
        f'<span class="pa-name" style="min-width:{width}ch">{text(name)}</span>'
        f'<span class="pa-said"><span class="pa-what">{what}</span>'
        f'<span class="pa-figure">{text(" · ".join(figures.values()))}</span></span>'
    )
    heard = [f"score {figures['score']}"]
    if "percentile" in figures:
        heard.append(f"higher than {figures['percentile']} of rows")
    heard += [figures["p"]] if "p" in figures else []
    return Entry(face, f"{row_words(query, 'Row')}: {said}, {', '.join(heard)}", said)


def row_figures(query: QueryExplanation) -> dict[str, str]:
    """Figures of a row in the list: score, percentile and p, as far as known."""
    figures = {"score": score_text(query.score)}
    if query.percentile is not None:
        figures["percentile"] = percent_text(query.percentile)
    if query.p_value is not None:
        figures["p"] = f"p = {query.p_value:.2g}"
    return figures


def group_entry(group: Group) -> Entry:
    """A group in the list."""
    n = f"{len(group):,} rows"
    face = f'<span class="pa-what">{text(group.sentence)}</span><span class="pa-figure">{n}</span>'
    return Entry(face, f"{printable(group.sentence)}, {n}", printable(group.sentence))


def aspect_entry(
    explanation: Explanation, query: QueryExplanation, place: int, limit: float | None = None
) -> Entry:
    """An aspect in the list; weak if its p-value is above the limit."""
    aspect = query.aspects[place]
    nearby, usual = density_words(explanation, aspect)
    score = score_words(explanation, aspect)
    words = evidence_words(aspect, query.features)
    names = [printable(name) for name in aspect.features]
    chips = "".join(
        f'<span class="pa-chip" title="{text(name)}">{text(name)}</span>' for name in names
    )
    figures = f"{nearby} {usual}"
    weak = limit is not None and aspect.p_value is not None and aspect.p_value > limit
    if weak:
        figures += f", p = {aspect.p_value:.2g}"
    face = (
        f'<span class="pa-place">{place + 1}</span><span class="pa-chips">{chips}</span>'
        f'<span class="pa-what{" pa-weak" if weak else ""}">{text(words)}</span>'
        f'<span class="pa-figure">{text(figures)}</span>'
    )
    said = f"Aspect {place + 1}: {', '.join(names)}"
    if weak:
        words += f"{', ' if words else ''}not convincing, p = {aspect.p_value:.2g}"
    return Entry(face, f"{said}: {words}" if words else said, set_minus(score))


# ---------------------------------------------------------------- groups


def group_line(explanation: Explanation, group: Group) -> str:
    """Number of rows of a group."""
    words = f"{len(group):,} of {len(explanation):,} rows are odd in this way"
    return f'<span class="pa-sub">{text(words)}</span>'


def group_facts(group: Group) -> tuple[str, str]:
    """Values of the rows of a group, and its features."""
    usual = ""
    if group.features and group.values and group.typical:
        numbers = [value for value in group.values if isinstance(value, float)]
        if len(numbers) == len(group.values):
            values = range_words((min(numbers), max(numbers)))
        else:
            values = join_first([value_words(one) for one in dict.fromkeys(group.values)], 3)
        most = _usual(group.features[0], group.typical, group.directions[0])
        usual = fact(f"Most rows have {most}", f"These have {values}")
    chips = "".join(
        f'<span class="pa-chip">{text(printable(name))}</span>' for name in group.features
    )
    return usual, f'<div class="pa-fact"><b>Features</b>{chips}</div>'


def alike_title(n: int) -> str:
    """Number of other rows that are odd in the same way."""
    return f"{plural(n, 'other row')} {'is' if n == 1 else 'are'} odd in the same way"
