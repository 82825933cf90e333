"""One sentence about a row, and one about other rows that are odd in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ...judging.findings import Finding, find, odd_together
from ..wording import (
    feature_words,
    is_convincing,
    join_all,
    join_first,
    no_aspect_words,
    plural,
    row_name,
    sure_words,
)
from .aspect import alone_words, among_words, evidence_words, rarity
from .values import pair_words, range_words, value_words

if TYPE_CHECKING:
    from ....search.aspect import Evidence
    from ...query import QueryExplanation
    from ...values import Explanation

MOST_COMPANIONS = 3
"""Most other features that a sentence names."""

MOST_TOLD = 3
"""Findings of a row to state by default."""

MOST_NAMED = 5
"""Most features to name for a row without evidence."""


class _Group(Protocol):
    """The fields of a group that a sentence needs."""

    @property
    def rows(self) -> tuple[int, ...]: ...

    @property
    def places(self) -> tuple[int, ...]: ...


def headline(query: QueryExplanation, score_name: str) -> str:
    """Say in one sentence what is odd about a row; "" without a convincing finding.

    The sentence covers all aspects that blame the same feature.

    Parameters
    ----------
    query : QueryExplanation
    score_name : str
        `Explanation.score_name`.

    Examples
    --------
    >>> from pyod_aspects import Aspect, Evidence, QueryExplanation
    >>> def pair(other, value, expected):
    ...     y = Evidence("y", 4.24, (4.3, 7.7), expected, "low", outside=12.3)
    ...     x = Evidence(other, value, (0.3, 7.7), (0.3, 7.7), "between")
    ...     return Aspect((0, 1), (other, "y"), score=0.01, lift=0.01, evidence=(x, y))
    >>> aspects = (pair("x", 6.79, (6.7, 6.9)), pair("carat", 1.22, (6.8, 7.0)))
    >>> headline(QueryExplanation(2274, 1.83, True, aspects), "lift")
    'y = 4.24 is too low for x = 6.79 and carat = 1.22: rows with similar x have y 6.7 to 6.9'
    """
    findings = find(query, score_name)
    if not findings:
        return ""
    first, *alike = named_findings(findings)
    if alike and all(one.blamed.value == first.blamed.value for one in alike):
        return _same_words([first, *alike])
    words = finding_words(first)
    if alike:
        names = [_pair_with_range(one.blamed) for one in alike]
        words += f", {'as is' if len(names) == 1 else 'as are'} {join_all(names)}"
    return words


def further_words(query: QueryExplanation, score_name: str) -> list[str]:
    """Say what else is odd about a row, beside its headline: other features, or another way.

    These are the lines of the text, see `MOST_TOLD`, without the findings of the headline.

    >>> from pyod_aspects import Aspect, Evidence, QueryExplanation
    >>> amount = Evidence("amount", 2890.0, (20.0, 510.0), None, "high", outside=4.9)
    >>> hour = Evidence("hour", 3.2, (9.2, 19.1), None, "low", outside=0.6)
    >>> aspects = [
    ...     Aspect((i,), (one.feature,), score=0.001, evidence=(one,))
    ...     for i, one in enumerate((amount, hour))
    ... ]
    >>> row = QueryExplanation(1234, 9.4, True, tuple(aspects))
    >>> headline(row, "lift"), further_words(row, "lift")
    ('amount = 2,890 is high (most rows 20 to 510)', ['hour = 3.2 is low (most rows 9.2 to 19.1)'])
    """
    findings = find(query, score_name)
    named = {id(one) for one in named_findings(findings)} if findings else set()
    return [finding_words(one) for one in findings[:MOST_TOLD] if id(one) not in named]


def _same_words(findings: Sequence[Finding]) -> str:
    """Say that several features have the same odd value: "x, y and z are 0"."""
    findings = sorted(findings, key=_column)
    first = findings[0].blamed
    names = [feature_words(one.blamed.feature) for one in findings]
    most = f"most rows have {names[0]} {range_words(first.typical)}" if first.typical else ""
    words = f"{join_all(names)} are {value_words(first.value)}"
    return f"{words} ({most})" if most else words


def _pair_with_range(one: Evidence) -> str:
    """Feature with its value, and the range of most rows: "z = 8.06 (most rows 2.6 to 4.7)"."""
    most = f" (most rows {range_words(one.typical)})" if one.typical else ""
    return pair_words(one) + most


def _column(finding: Finding) -> int:
    """Column number of the feature that a finding blames."""
    best = finding.best
    return best.subspace[best.features.index(finding.blamed.feature)]


def named_findings(findings: Sequence[Finding]) -> list[Finding]:
    """Findings that a headline names: the first, and features that are as odd in the same way."""
    first, *others = odd_together(findings)
    way = first.blamed.direction
    if way not in ("high", "low"):
        return [first]
    return [first, *(one for one in others if one.blamed.direction == way)]


def row_sentence(explanation: Explanation, query: QueryExplanation) -> str:
    """Say in one sentence what is odd about a row, or why that is unknown.

    >>> from pyod_aspects import Aspect, Explanation, QueryExplanation
    >>> aspect = Aspect((0, 1), ("alcohol", "proline"), score=-3.41, density=2, mean=31.2, std=8.5)
    >>> row = QueryExplanation(22, 0.71, True, (aspect,))
    >>> some = Explanation([row], "KNN", "SGBeam", {}, "zscore", "count", 178, aspect.features)
    >>> row_sentence(some, row)
    'stands out in alcohol and proline'
    """
    if not query.aspects:
        return no_aspect_words(explanation, query)
    if is_convincing(explanation, query) is False:
        return sure_words(explanation, query)
    return headline(query, explanation.score_name) or f"stands out in {_listed(query)}"


def strongest_words(query: QueryExplanation, score_name: str) -> str:
    """State the strongest aspect of a row without convincing ones; its features if unknown.

    >>> from pyod_aspects import Aspect, Evidence, QueryExplanation
    >>> hue = Evidence("hue", 1.7, (0.5, 1.2), None, "high", 0.8)
    >>> aspect = Aspect((2,), ("hue",), score=0.1, evidence=(hue,), p_value=0.34)
    >>> strongest_words(QueryExplanation(3, 0.7, True, (aspect,), p_value=0.34), "lift")
    'hue = 1.7 is high (most rows 0.5 to 1.2)'
    """
    if not query.aspects:
        return ""
    findings = find(query, score_name, convincing=False)
    return finding_words(findings[0]) if findings else _listed(query)


def _listed(query: QueryExplanation) -> str:
    """Names of the features of the best aspect."""
    names = [feature_words(name) for name in query.aspects[0].features]
    return join_all(names) if len(names) <= MOST_NAMED else join_first(names, MOST_NAMED)


def finding_words(finding: Finding) -> str:
    """Say what is odd about one feature of a row, in one sentence for all its aspects."""
    one, aspects, best = finding.blamed, finding.aspects, finding.best
    if finding.is_alone:
        return alone_words(one, rarity(best) if len(best.features) == 1 else "rare")
    if len(aspects) == 1 or one.outside == 0.0 or not one.expected:
        return evidence_words(best, {one.feature: 1.0})
    companions: dict[str, Evidence] = {}
    for other in (other for aspect in (best, *aspects) for other in aspect.evidence):
        if other.feature != one.feature:
            companions.setdefault(other.feature, other)
    near = [name for name in best.features if name != one.feature]
    named = list(companions.values())[: max(MOST_COMPANIONS, len(near))]
    if len(named) == len(near):
        return among_words(one, named)
    return among_words(one, named, [companions[name] for name in near])


def alike_words(
    explanation: Explanation, query: QueryExplanation, groups: Sequence[_Group], most: int = 5
) -> str:
    """Say which other rows are odd in the same way; "" if there are none.

    Parameters
    ----------
    explanation : Explanation
    query : QueryExplanation
    groups : sequence of Group
        `explanation.groups()`.
    most : int, default=5
        How many rows to name.
    """
    mine = [group for group in groups if query.row in group.rows and len(group.rows) > 1]
    if not mine:
        return ""
    # The group of the row's strongest aspect.
    group = min(mine, key=lambda one: (one.places[one.rows.index(query.row)], -len(one.rows)))
    names = {one.row: row_name(one.row, one.label, 20) for one in explanation}
    others = [names[row] for row in group.rows if row != query.row]
    verb = "is" if len(others) == 1 else "are"
    which = join_first(others, most)
    return f"{plural(len(others), 'other row')} {verb} odd in the same way: {which}"
