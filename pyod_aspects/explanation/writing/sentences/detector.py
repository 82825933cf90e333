"""Whether the detector agrees: its score if the odd values were ordinary.

If the score falls to the detector's threshold or below, the odd values are what the detector saw,
however far it fell. A score that stays does not say that the detector saw something else: another
value, as odd, may hold it up. A score that rises says that the other values go even less with the
ordinary ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...._util.numbers import score_text
from ...background import threshold_of
from ...judging.findings import Finding, find, odd_together
from ..wording import feature_words, higher_words, join_all, printable
from .values import pair_words, wish_words

if TYPE_CHECKING:
    from ....search.aspect import Aspect, Evidence, Replacement, Value
    from ...query import QueryExplanation
    from ...values import Explanation

ALL, PART, NOTHING = 0.8, 0.25, 0.05
"""Shares of the excess that must go: for all that the detector saw, part of it, or a little.

The score rises if it grows by more than the last of these shares.
"""

GONE = "of the score's excess is gone"
"""Words at the bar of a share."""

_MOST_RANGES = 2  # most ranges in a sentence
_HIGH = 95.0  # percentile from which on a score stays high


def agreement_words(explanation: Explanation, query: QueryExplanation) -> str:
    """Say how the detector would score the row with ordinary values; "" if unknown.

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
    answer = find_answer(explanation, query)
    if answer is None:
        return ""
    rest = set(explanation.feature_names) - set(answer.says.features)
    says = answer.says
    moves = "falls" if says.score < query.score else "rises"
    if score_text(says.score) == score_text(query.score):
        moved = f"stays {score_text(says.score)}"
    else:
        moved = f"{moves} to {score_text(says.score)}"
    told = [f"With {_changed(answer)} {printable(explanation.detector)}'s score {moved}"]
    where = higher_words(says.percentile)
    own = None if query.percentile is None else higher_words(query.percentile)
    if answer.threshold is None or where != own:
        told.append(where)
    if answer.threshold is not None:
        becomes = "no longer" if answer.is_cleared else "still"
        told.append(f"{becomes} an anomaly (threshold {score_text(answer.threshold)})")
    return f"{', '.join(told)}: {_verdict(answer, bool(rest))}"


class Answer(NamedTuple):
    """The detector's answer about a row.

    Attributes
    ----------
    says : Replacement
        The repair of the row, or the repair or the agreement of an aspect.
    wishes : tuple of str
        The replaced features, each with its ordinary values; empty if random rows lent the values.
    rather : Aspect or None
        The aspect of other features for which the score falls more, if it deserves a mention.
    threshold : float or None
        Score above which the detector calls a row an anomaly, if the row is one; None if unknown.
    """

    says: Replacement
    wishes: tuple[str, ...]
    rather: Aspect | None = None
    threshold: float | None = None

    @property
    def is_cleared(self) -> bool:
        """Whether the new score is at most the threshold; False if unknown."""
        return self.threshold is not None and self.says.score <= self.threshold

    @property
    def grade(self) -> int:
        """2 if the replaced values are what the detector saw, 1 if part of it, else 0."""
        if self.is_cleared:
            return 2
        return (self.says.share >= PART) + (self.says.share >= ALL)


def find_answer(explanation: Explanation, query: QueryExplanation) -> Answer | None:
    """Return the detector's answer about the features of a row's sentences; None if unknown.

    If several features are odd by themselves, this is the repair of all of them. Otherwise it is
    the answer with the best verdict; of equal ones the first, repairs before the rest.
    """
    findings = find(query, explanation.score_name)
    if not findings:
        return None
    threshold = _threshold(explanation, query)
    together = odd_together(findings)
    named = {one.blamed.feature for one in together}
    if query.repair is not None and named == set(query.repair.features):
        wishes = [_wish(one.blamed, one.blamed.typical) for one in together]
        return _with_rather(Answer(query.repair, tuple(wishes), threshold=threshold), query)
    asked = [one for finding in together if (one := _asked(finding)) is not None]
    if not asked:
        others = (_asked(finding) for finding in findings)
        asked = [one for one in others if one is not None][:1]
    answers = [
        Answer(says, _repaired(aspect) if says is aspect.repair else (), threshold=threshold)
        for aspect in asked
        for says in (aspect.repair, aspect.agreement)
        if says is not None
        if says is aspect.repair or aspect.repair is None or len(says.features) > 1
    ]
    best = max(answers, key=lambda answer: answer.grade, default=None)
    return best and _with_rather(best, query)


def _threshold(explanation: Explanation, query: QueryExplanation) -> float | None:
    """Threshold of the detector, if the row is above it."""
    if explanation.background is None or query.is_anomaly is not True:
        return None
    return threshold_of(explanation.background)


def _with_rather(answer: Answer, query: QueryExplanation) -> Answer:
    """Look for other features, if the replaced ones explain little of the score."""
    if answer.grade:
        return answer
    shares = {
        aspect: aspect.agreement.share
        for aspect in query.aspects
        if aspect.agreement and not set(aspect.features) & set(answer.says.features)
    }
    best = max(shares, key=lambda aspect: shares[aspect], default=None)
    if best is None or shares[best] < max(PART, 2.0 * answer.says.share):
        return answer
    return answer._replace(rather=best)


def _asked(finding: Finding) -> Aspect | None:
    """First aspect of a finding with an answer of the detector."""
    aspects = (finding.best, *finding.aspects)
    return next((one for one in aspects if one.repair or one.agreement), None)


def _wish(one: Evidence, wished: Sequence[Value] | None) -> str:
    """Feature with its ordinary values; "" if unknown.

    A range that holds the row's own value says nothing.
    """
    if one.direction == "between" and not one.outside > 0.0:
        return f"{feature_words(one.feature)} of other rows"
    return wish_words(one, wished) if wished else ""


def _repaired(aspect: Aspect) -> tuple[str, ...]:
    """Wishes for the features that the repair of an aspect replaced."""
    names = aspect.repair.features if aspect.repair else ()
    one = next((e for e in aspect.evidence if (e.feature,) == names), None)
    wish = one and _wish(one, one.expected if len(aspect.evidence) > 1 else one.typical)
    return (wish,) if wish else ()


def _changed(answer: Answer) -> str:
    """Name the replaced features: two with their ranges, more without."""
    names = join_all([feature_words(name) for name in answer.says.features])
    if not all(answer.wishes) or not answer.wishes:
        return f"{names} of other rows"
    if len(answer.wishes) <= _MOST_RANGES:
        return join_all(answer.wishes)
    return f"{names} as most rows have them"


def _verdict(answer: Answer, rest: bool) -> str:
    """What the new score says; `rest` if some features of the row were not replaced."""
    says = answer.says
    if answer.grade == 2:
        most = "most of " if says.percentile >= _HIGH and not answer.is_cleared else ""
        return f"this is {most}what the detector saw"
    if answer.grade == 1:
        return "this is part of what the detector saw"
    if answer.rather:
        return f"the detector rather saw {_values(answer.rather)}"
    if says.share > NOTHING:
        return "this explains little of the score"
    if says.share >= -NOTHING:
        return "this alone explains nothing of the score"
    why = ", as the other values go even less with that" if rest else ""
    return f"the detector cannot confirm it{why}"


def _values(aspect: Aspect) -> str:
    """Features of an aspect, with their values if known."""
    names = [feature_words(name) for name in aspect.features]
    return join_all([pair_words(one) for one in aspect.evidence] or names)
