"""The order of rows: groups first, then rows alone, then rows with nothing convincing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..explanation import Aspect, Explanation, QueryExplanation
from ..explanation.judging.findings import Finding, find
from ..explanation.judging.groups import Group
from ..explanation.writing.wording import is_convincing
from .limits import MOST_ROWS, OPEN_OF_GROUP, OPEN_ROWS, OPEN_UNSURE, PICTURED_ROWS


@dataclass(frozen=True)
class Layout:
    """The parts of the page.

    Attributes
    ----------
    groups : tuple of Group
        Groups of two rows and more, the largest first.
    members : tuple of tuple of QueryExplanation
        The rows of each group; the first one is its example.
    alone, unsure : tuple of QueryExplanation
        Rows that share their reason with no other, and rows with nothing convincing.
    queries : tuple of QueryExplanation
        All rows on the page, highest score first.
    open, pictured : frozenset of int
        Rows whose card is open, and rows whose card has a picture.
    told : mapping of int to Aspect
        For each row in a group the aspect that it shares with the others.
    """

    groups: tuple[Group, ...]
    members: tuple[tuple[QueryExplanation, ...], ...]
    alone: tuple[QueryExplanation, ...]
    unsure: tuple[QueryExplanation, ...]
    queries: tuple[QueryExplanation, ...]
    open: frozenset[int]
    pictured: frozenset[int]
    told: Mapping[int, Aspect]


def arrange(explanation: Explanation) -> Layout:
    """Lay out the rows of an explanation."""
    queries = {query.row: query for query in explanation.queries[:MOST_ROWS]}
    groups, members, told = [], [], {}
    left = dict(queries)
    for group in explanation.groups():
        if len(group) == 1:
            continue
        pairs = [pair for pair in zip(group.rows, group.places, strict=True) if pair[0] in left]
        rows = [left.pop(row) for row in dict.fromkeys(row for row, _ in pairs)]
        if rows:
            groups.append(group)
            members.append(tuple(_example_first(rows, group, explanation.score_name)))
            told.update({row: queries[row].aspects[place] for row, place in pairs})
    alone = tuple(query for query in left.values() if _is_told(explanation, query))
    unsure = tuple(query for query in left.values() if not _is_told(explanation, query))
    most = OPEN_OF_GROUP if len(queries) <= OPEN_ROWS else 1
    first = [query.row for rows in members for query in rows[:most]]
    first += [query.row for query in alone]
    opened = first[:OPEN_ROWS] or [query.row for query in unsure[:OPEN_UNSURE]]
    by_need = list(dict.fromkeys([*opened, *(query.row for query in alone), *queries]))
    pictured = by_need[:PICTURED_ROWS] if explanation.background is not None else []
    return Layout(
        tuple(groups),
        tuple(members),
        alone,
        unsure,
        tuple(queries.values()),
        frozenset(opened),
        frozenset(pictured),
        told,
    )


def first_finding(explanation: Explanation, query: QueryExplanation) -> Finding | None:
    """Return the finding of the headline, or if nothing is convincing, the strongest one."""
    sure = is_convincing(explanation, query) is not False
    findings = find(query, explanation.score_name, convincing=sure)
    return findings[0] if findings else None


def first_aspect(explanation: Explanation, query: QueryExplanation) -> Aspect | None:
    """Return the aspect of the headline, so that picture and figures show the same."""
    finding = first_finding(explanation, query)
    if finding is not None:
        return finding.best
    return query.aspects[0] if query.aspects else None


def _example_first(
    rows: list[QueryExplanation], group: Group, score_name: str
) -> list[QueryExplanation]:
    """Put the example of a group first: a row whose sentence blames the same feature."""
    for query in rows:
        findings = find(query, score_name)
        if findings and findings[0].blamed.feature == group.features[0]:
            return [query, *(other for other in rows if other is not query)]
    return rows


def _is_told(explanation: Explanation, query: QueryExplanation) -> bool:
    """Whether a row has an answer: a convincing one, with p-values."""
    return bool(query.aspects) and is_convincing(explanation, query) is not False
