"""A row: a line that says what is odd, and a card to unfold with a picture and facts."""

from __future__ import annotations

from html import escape

from .._util.numbers import score_text, set_minus
from ..explanation import Aspect, Explanation, QueryExplanation
from ..explanation.judging.blame import feature_to_blame
from ..explanation.judging.findings import find
from ..explanation.writing.known import known_words
from ..explanation.writing.sentences import (
    agreement_words,
    alike_words,
    evidence_words,
    find_answer,
    finding_words,
    further_words,
    row_sentence,
)
from ..explanation.writing.sentences.aspect import rows_words
from ..explanation.writing.sentences.detector import GONE
from ..explanation.writing.sentences.values import pair_words, wish_words
from ..explanation.writing.wording import (
    density_words,
    detector_words,
    elide,
    is_convincing,
    plural,
    row_name,
    score_words,
    sure_words,
)
from .limits import LONGEST_NAME, MOST_ASPECTS
from .parts import Layout, first_aspect, first_finding
from .pictures import aspect_picture
from .pieces import bar, capital, chips, list_facts, told

BAR_WORDS = "Share of the score above that of a middle row that is gone with other values"


def card(explanation: Explanation, query: QueryExplanation, layout: Layout, left_out: int) -> str:
    """Write one row."""
    opened = " open" if query.row in layout.open else ""
    body = _body(explanation, query, layout, left_out)
    position = "" if query.label is None else f' title="position {query.row}"'
    score = set_minus(score_text(query.score))
    known = told(known_words(explanation, query))
    known = known and f' <span class="chip">{known}</span>'
    return (
        f'<details class="row" id="row-{query.row}"{opened}><summary><h3>'
        f'<span class="id"{position}>{escape(row_name(query.row, query.label))}</span> '
        f'<span class="say">{sentence(explanation, query, layout)}{known}</span></h3> '
        f'<span class="count">{score}</span></summary>{body}</details>\n'
    )


def sentence(explanation: Explanation, query: QueryExplanation, layout: Layout) -> str:
    """Say what is odd about a row: the headline, and below it further findings.

    If nothing is convincing, the strongest finding comes with the doubt. A row's group may be
    about another feature than its headline; then the sentence names that feature, too.
    """
    if query.aspects and is_convincing(explanation, query) is False:
        strongest = first_finding(explanation, query)
        words = finding_words(strongest) if strongest else ""
        doubt = sure_words(explanation, query)
        if not words:
            return told(doubt)
        return (
            f'{told(words)}; <span class="soft">{told(doubt.replace("nothing", "not", 1))}</span>'
        )
    words, further = row_sentence(explanation, query), further_words(query, explanation.score_name)
    shared, findings = layout.told.get(query.row), find(query, explanation.score_name)
    if shared is not None and findings and shared not in findings[0].aspects:
        blamed = feature_to_blame(shared, query.features)
        if blamed is not None and pair_words(blamed) not in "; ".join([words, *further]):
            further = [evidence_words(shared, query.features), *further]
    also = f' <span class="also">also: {told("; ".join(further))}</span>' if further else ""
    return told(words) + also


def _body(explanation: Explanation, query: QueryExplanation, layout: Layout, left_out: int) -> str:
    figure = ""
    first = first_aspect(explanation, query)
    if first is not None and query.row in layout.pictured:
        figure = f"<figure>{aspect_picture(explanation, query, first)}</figure>"
    css = "card pictured" if figure else "card"
    facts = list_facts(_facts(explanation, query, layout, first))
    return (
        f'<div class="{css}">{figure}{facts}{_further(explanation, query, first, left_out)}</div>'
    )


def _facts(
    explanation: Explanation, query: QueryExplanation, layout: Layout, first: Aspect | None
) -> list[tuple[str, str]]:
    """Facts beside the picture."""
    facts = []
    if first is not None:
        here, usual = density_words(explanation, first)
        facts.append((_wish(explanation, query) or chips(first.features), told(f"{here} {usual}")))
    facts.append(_detector_fact(explanation, query))
    if query.aspects and is_convincing(explanation, query):  # else the line above says it
        facts.append(("How sure", told(capital(sure_words(explanation, query)) + ".")))
    alike = alike_words(explanation, query, layout.groups)
    if alike:
        count, _, names = alike.partition(": ")
        facts.append((told(count), told(names)))
    return facts


def _detector_fact(explanation: Explanation, query: QueryExplanation) -> tuple[str, str]:
    """The detector's score of the row, and its answer for other values."""
    score, comparison = f"Score {score_text(query.score)}", detector_words(query)
    words = told(f"{score}, {comparison}." if comparison else f"{score}.")
    says = agreement_words(explanation, query)
    if not says:
        return told(f"What {elide(explanation.detector, LONGEST_NAME)} says"), words
    what, _, verdict = says.rpartition(": ")
    answer = find_answer(explanation, query)
    meter = "" if answer is None else bar(answer.says.share, BAR_WORDS, GONE)
    return told(capital(verdict)), f"{words} {told(what)}.{meter}"


def _wish(explanation: Explanation, query: QueryExplanation) -> str:
    """State the expected values of the feature to blame."""
    finding = first_finding(explanation, query)
    if finding is None:
        return ""
    one, alone = finding.blamed, finding.is_alone
    wished = one.typical if alone or not one.expected else one.expected
    if not wished:
        return ""
    near = [other for other in finding.best.evidence if other is not one]
    who = "Most rows" if wished is one.typical else capital(rows_words(near, one.rough))
    return told(f"{who} have {wish_words(one, wished)}")


def _further(
    explanation: Explanation, query: QueryExplanation, first: Aspect | None, left_out: int
) -> str:
    """Fold the other aspects away."""
    others = [aspect for aspect in query.aspects if aspect is not first]
    title = plural(len(others), "more aspect") if others else ""
    if left_out:
        title += f"{', ' if others else ''}{left_out:,} redundant not shown"
    if not others:
        return f'<p class="wide soft">{capital(title)}.</p>' if title else ""
    lines = "".join(_line(explanation, query, aspect) for aspect in others[:MOST_ASPECTS])
    rest = len(others) - MOST_ASPECTS
    if rest > 0:
        lines += f"<li>and {rest:,} more: see explanation.to_frame()</li>"
    return (
        f'<details class="more wide"><summary>{title}</summary>'
        f'<ol class="aspects">{lines}</ol></details>'
    )


def _line(explanation: Explanation, query: QueryExplanation, aspect: Aspect) -> str:
    here, usual = density_words(explanation, aspect)
    words = told(evidence_words(aspect, query.features))
    figures = told(f"{here} {usual}, {score_words(explanation, aspect)}")
    cells = (chips(aspect.features), words, figures)
    return f"<li>{' '.join(f'<span>{cell}</span>' for cell in cells)}</li>"
