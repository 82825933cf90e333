"""Whether the detector agrees: what becomes of its score if the odd values were ordinary."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...._util.numbers import score_text
from ...judging.findings import Finding, find
from ..wording import feature_words, higher_words, join_all, printable
from .row import named_findings
from .values import wish_words

if TYPE_CHECKING:
    from ....search.aspect import Aspect, Replacement
    from ...query import QueryExplanation
    from ...values import Explanation

ALL, PART = 0.8, 0.25
"""Share of the excess that has to go: if this is what the detector saw, or part of it."""

_HIGH = 95.0  # percentile from which a score is high all the same


def agreement_words(explanation: Explanation, query: QueryExplanation) -> str:
    """Say what the detector would think of the row with ordinary values; nothing if unknown.

    Parameters
    ----------
    explanation : Explanation
        With agreement, see `Explanation.with_agreement`.
    query : QueryExplanation
        One of its rows.

    Examples
    --------
    >>> from pyod_aspects import Aspect, Evidence, Explanation, QueryExplanation
    >>> from pyod_aspects.explanation import Replacement
    >>> y = Evidence("y", 58.9, (4.3, 7.7), None, "high", outside=15.1)
    >>> repair = Replacement(("y",), score=0.21, share=0.97, percentile=71.0)
    >>> aspect = Aspect((0,), ("y",), score=0.1, evidence=(y,), repair=repair)
    >>> row = QueryExplanation(24067, 43.3, True, (aspect,))
    >>> some = Explanation([row], "KNN", "SGBeam", {}, "lift", "count", 500, ("y",))
    >>> print(agreement_words(some, row))
    With y between 4.3 and 7.7 KNN's score falls to 0.21, higher than 71 % of rows:
    this is what the detector saw
    """
    answer = find_answer(query, explanation.score_name)
    if answer is None:
        return ""
    says = answer.says
    moves = "falls" if says.score < query.score else "rises"
    if score_text(says.score) == score_text(query.score):
        moved = f"stays {score_text(says.score)}"
    else:
        moved = f"{moves} to {score_text(says.score)}"
    where, changed = higher_words(says.percentile), _changed(answer.aspect, says)
    who = printable(explanation.detector)
    return f"With {changed} {who}'s score {moved}, {where}: {_verdict(answer)}"


class Answer(NamedTuple):
    """What the detector says of a row.

    Attributes
    ----------
    aspect : Aspect
        In which features it was asked.
    says : Replacement
        Either the aspect's repair or its agreement.
    is_part : bool
        Whether more is odd about the row than was replaced.
    """

    aspect: Aspect
    says: Replacement
    is_part: bool


def find_answer(query: QueryExplanation, score_name: str) -> Answer | None:
    """Return what the detector says of the features that the headline names; None if unknown.

    Of several answers that with the best verdict is told: a repair of one feature does not speak
    against a headline that names two. Of equal ones the first is told, repairs before the rest.
    """
    findings = find(query, score_name)
    if not findings:
        return None
    named = named_findings(findings)
    asked = [one for finding in named if (one := _asked(finding)) is not None]
    if not asked:
        others = (_asked(finding) for finding in findings)
        asked = [one for one in others if one is not None][:1]
    answers = [
        Answer(aspect, says, len(findings) > 1)
        for aspect in asked
        for says in (aspect.repair, aspect.agreement)
        if says is not None
        if says is aspect.repair or aspect.repair is None or len(says.features) > 1
    ]
    return max(answers, key=lambda answer: _grade(answer.says), default=None)


def _asked(finding: Finding) -> Aspect | None:
    """First aspect of a finding about which the detector was asked."""
    aspects = (finding.best, *finding.aspects)
    return next((one for one in aspects if one.repair or one.agreement), None)


def _grade(says: Replacement) -> int:
    return (says.share >= PART) + (says.share >= ALL)


def _changed(aspect: Aspect, says: Replacement) -> str:
    """What was replaced."""
    if says is aspect.repair and len(says.features) == 1:
        one = next((e for e in aspect.evidence if e.feature == says.features[0]), None)
        wished = one and (one.expected if len(aspect.evidence) > 1 else one.typical)
        if one and wished:
            return wish_words(one, wished)
    names = join_all([feature_words(name) for name in says.features])
    return f"{names} of other rows"


def _verdict(answer: Answer) -> str:
    says = answer.says
    if says.share >= ALL:
        most = "most of " if says.percentile >= _HIGH else ""
        return f"this is {most}what the detector saw"
    if says.share >= PART:
        return "this is part of what the detector saw"
    if answer.is_part:
        return "this alone explains little of the score"
    return "the detector saw something else"
