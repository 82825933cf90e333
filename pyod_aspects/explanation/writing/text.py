"""An explanation as text for a terminal.

First come the reasons that rows share. Then comes each row: its score, what is odd about it, how
sure that is, the detector's answer, and other rows that are odd in the same way. Definitions last.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from ..._util.numbers import score_text
from ..judging.findings import find
from ..judging.redundancy import distinct
from .grouping import own_way_words
from .known import known_lines, known_words
from .layout import Figures, Item, in_braces, item_lines, pad
from .sentences import (
    agreement_words,
    alike_words,
    evidence_words,
    finding_words,
    headline,
    named_findings,
)
from .wording import (
    WIDTH,
    all_sure_words,
    density_words,
    detector_words,
    display_width,
    heading,
    is_convincing,
    legend,
    no_aspect_words,
    plural,
    printable,
    row_name,
    row_words,
    score_words,
    sure_words,
    terms,
    wrap,
)

if TYPE_CHECKING:
    from ...search.aspect import Aspect
    from ..judging.groups import Group
    from ..query import QueryExplanation
    from ..values import Explanation

FEW_ROWS = 5
"""Most rows for which each names the rows odd in the same way; beyond, groups come first."""

MOST_GROUPS = 8
"""Most groups to list."""

_INDENT = 6  # columns in front of the sentences about a row


def query_line(query: QueryExplanation) -> str:
    """Represent one row in one line."""
    parts = [f"QueryExplanation: {row_words(query)}", f"score {score_text(query.score)}"]
    if query.percentile is not None or query.is_anomaly is False:
        parts.append(detector_words(query))
    found = plural(len(query.aspects), "aspect")
    if query.aspects:
        best = query.aspects[0]
        braces = " ".join(in_braces(best.features, WIDTH))
        found += f": {evidence_words(best, query.features) or braces}"
        found += ", ..." * (len(query.aspects) > 1)
    return ", ".join([*parts, found])


def summary(
    explanation: Explanation, aspects: int, rows: int | None, redundant: bool = False
) -> str:
    """Text of `Explanation.summary`."""
    queries = explanation.queries[:rows]
    groups = explanation.groups()
    many = len(explanation) > FEW_ROWS and any(len(group) > 1 for group in groups)
    sure = all_sure_words(explanation)
    lines = ["Explanation: " + heading(explanation)]
    lines += [f"  {_sentence(sure)}"] if sure else []
    lines += [f"  {line}" for line in known_lines(explanation)]
    if many:
        lines += _common_lines(explanation, groups)
    if redundant:
        items = [_aspect_items(explanation, query, aspects) for query in queries]
    else:
        items = [_finding_items(explanation, query, aspects) for query in queries]
    row_width = max((display_width(row_words(query)) for query in queries), default=0)
    score_width = max((len(score_text(query.score)) for query in queries), default=0)
    for query, block in zip(queries, item_lines(items, _INDENT), strict=True):
        row = f"  {pad(row_words(query), row_width)}   "
        row += f"score {score_text(query.score):>{score_width}}"
        said = [row, detector_words(query), known_words(explanation, query)]
        lines.append(", ".join(filter(None, said)))
        before, after = _judgement(explanation, query, sure=not sure)
        if not many:
            after.append(alike_words(explanation, query, groups))
        lines += [*_notes(before), *block, *_notes(after)]
    rows_left = len(explanation) - len(queries)
    if rows_left > 0:
        lines.append(f"  and {plural(rows_left, 'more row')}: print(explanation.summary())")
    figures = [item.figures for row in items for item in row if item.figures != Figures()]
    scores = any(one.score for one in figures)
    used = terms(explanation, pictures=False, scores=scores) if figures else []
    notes = legend(explanation, pictures=False, used=used)
    return "\n".join(lines + ["  " + line for line in notes])


def _judgement(
    explanation: Explanation, query: QueryExplanation, sure: bool
) -> tuple[list[str], list[str]]:
    """Sentences before and after the findings of a row."""
    if not query.aspects:
        return [no_aspect_words(explanation, query)], []
    if is_convincing(explanation, query) is False:
        return [f"{sure_words(explanation, query)}. The strongest:"], []
    known = sure and query.p_value is not None
    words = sure_words(explanation, query) if known else ""
    return [], [words, agreement_words(explanation, query)]


def _notes(sentences: Sequence[str]) -> list[str]:
    """Sentences about a row, in lines."""
    lines = []
    for words in filter(None, sentences):
        lines += [f"    {line}" for line in wrap(_sentence(words), WIDTH - 4, hang=2)]
    return lines


def _sentence(words: str) -> str:
    """Words with a capital letter in front and a full stop at the end, or the mark they have."""
    words = words[0].upper() + words[1:]
    return words if words.endswith((".", ":")) else f"{words}."


def _finding_items(explanation: Explanation, query: QueryExplanation, most: int) -> list[Item]:
    """Findings of a row; only the strongest, if it is not convincing."""
    name = explanation.score_name
    sure = is_convincing(explanation, query) is not False
    findings = find(query, name) if sure else ()
    findings = findings or find(query, name, convincing=False)
    if findings and most == 1:  # all in one sentence, without figures
        words = (headline(query, name) if sure else "") or finding_words(findings[0])
        more = len(findings) - len(named_findings(findings)) if sure else 0
        return [Item(_names(query.aspects), words + f" (+{more} more)" * bool(more), Figures())]
    found = [(one.best, finding_words(one), _names(one.aspects)) for one in findings]
    if not findings:
        found = [(aspect, "", aspect.features) for aspect in distinct(query.aspects, name)]
    if not sure:
        found, most = found[:1], min(1, most)
    items = [
        Item(features, words, _figures(explanation, aspect, score=not words))
        for aspect, words, features in found[:most]
    ]
    return _with_tail(items, len(found) - len(items))


def _aspect_items(explanation: Explanation, query: QueryExplanation, most: int) -> list[Item]:
    """All aspects of a row, one by one, with scores."""
    items = []
    for aspect in query.aspects[:most]:
        figures = _figures(explanation, aspect, score=True)
        items.append(Item(aspect.features, "", figures, evidence_words(aspect, query.features)))
    return _with_tail(items, len(query.aspects) - len(items))


def _names(aspects: Sequence[Aspect]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for aspect in aspects for name in aspect.features))


def _with_tail(items: list[Item], more: int) -> list[Item]:
    return [*items[:-1], items[-1]._replace(tail=f"(+{more:,} more)")] if items and more else items


def _figures(explanation: Explanation, aspect: Aspect, score: bool = False) -> Figures:
    """Counts of rows; the score where there are no counts, or with `score`."""
    counts = explanation.measure == "count" and not isnan(aspect.density)
    figures = Figures(score=score_words(explanation, aspect) if score or not counts else "")
    if not (counts or score):
        return figures
    here, usual = density_words(explanation, aspect)
    number, _, unit = here.partition(" ") if counts else (here, "", "")
    return figures._replace(number=number, unit=unit, usual=usual)


def _common_lines(explanation: Explanation, groups: Sequence[Group]) -> list[str]:
    """State the groups, the largest first, and the rows left."""
    names = {query.row: row_name(query.row, query.label, 20) for query in explanation}
    alone = [group for group in groups if len(group) == 1]
    several = [group for group in groups if len(group) > 1]
    told: list[tuple[int, str, Sequence[int]]] = [
        (len(group), group.sentence, group.rows) for group in several[:MOST_GROUPS]
    ]
    rest = [row for group in several[MOST_GROUPS:] for row in group.rows]
    if rest:
        told.append((len(rest), f"in {plural(len(several) - MOST_GROUPS, 'smaller group')}", rest))
    if alone:
        told.append((len(alone), own_way_words(len(alone)), [g.rows[0] for g in alone]))
    width = len(f"{max(number for number, _, _ in told):,}")
    lines = ["  What they have in common"]
    for number, sentence, rows in told:
        count = f"    {number:>{width},} {'row ' if number == 1 else 'rows'}   "
        listed = ", ".join(names[row] for row in rows)
        first, *more = wrap(f"{printable(sentence)}: {listed}", WIDTH - len(count))
        if more:  # as many row names as fit the line
            kept = first.rstrip(",")
            first = f"{kept} …" if ": " in kept else first
        lines.append(count + first)
    return lines
