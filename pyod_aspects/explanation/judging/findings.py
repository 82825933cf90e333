"""Findings: the odd features of a row.

A finding is a feature to blame with all aspects that blame it. {price, y}, {x, y} and {y, z} are
three aspects and one finding: y.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...search.aspect import Aspect, Evidence
from .blame import feature_to_blame, strength
from .redundancy import distinct
from .significance import ALPHA

if TYPE_CHECKING:
    from ..query import QueryExplanation

ABOUT_EQUAL = 0.75
"""Least share of the strongest finding's strength that counts as about equal."""

COMPARABLE = 0.5
"""Least share of the first finding's strength that deserves a mention beside it."""

MOST_TOGETHER = 4
"""Most features to state, and repair, together."""

FAR = 1.0
"""Least distance outside the typical range, in its widths, of a value that is odd by itself."""


@dataclass(frozen=True)
class Finding:
    """A feature to blame, and the aspects that blame it.

    Attributes
    ----------
    blamed : Evidence
        Evidence of the feature.
    best : Aspect
        The aspect that states it, one of the strongest and as convincing as the first: that of the
        feature alone, or else that in which it lies farthest outside.
    aspects : tuple of Aspect
        Best first. All blame the feature for the same direction.
    strength : float
        Strength of the strongest aspect.
    is_alone : bool
        Whether the feature is odd by itself, without the others.
    """

    blamed: Evidence
    best: Aspect
    aspects: tuple[Aspect, ...]
    strength: float
    is_alone: bool


def find(query: QueryExplanation, score_name: str, convincing: bool = True) -> tuple[Finding, ...]:
    """Findings of a row, the most important first; empty without evidence.

    They cover the convincing aspects that are not redundant. Without p-values, or with
    `convincing=False`, they cover all that are not redundant, strictly by strength.
    Strong ones come first. Among features that are odd by themselves and about equally rare, the
    one that lies farthest outside its typical range comes first.
    """
    groups: dict[object, list[Aspect]] = {}
    told = _convincing(query) if convincing else query.aspects
    for aspect in distinct(told, score_name):
        one = feature_to_blame(aspect, query.features)
        if one is not None:
            apart = one.direction == "between" and len(aspect.features) > 1
            key = aspect.subspace if apart else (one.feature, one.direction)
            groups.setdefault(key, []).append(aspect)
    # If nothing is convincing, show the strongest as it is: its p-value stands beside it.
    findings = [
        _finding(aspects if convincing else aspects[:1], query, score_name)
        for aspects in groups.values()
    ]
    if convincing and len(findings) > 1 and findings[0].is_alone:
        least = ABOUT_EQUAL * findings[0].strength
        # The first one stays even if its strength is NaN.
        others = [one for one in findings[1:] if one.is_alone and one.strength >= least]
        first = max([findings[0], *others], key=lambda one: one.blamed.outside)
        findings.remove(first)
        findings.insert(0, first)
    return tuple(findings)


def odd_together(findings: Sequence[Finding]) -> list[Finding]:
    """Findings to state together: features odd by themselves, comparable to the first.

    Only the first one, if its feature is odd only for others.
    """
    if not findings or not findings[0].is_alone:
        return list(findings[:1])
    least = COMPARABLE * findings[0].strength
    others = [one for one in findings[1:] if one.is_alone and one.strength >= least]
    return [findings[0], *others[: MOST_TOGETHER - 1]]


def _finding(aspects: list[Aspect], query: QueryExplanation, score_name: str) -> Finding:
    strengths = [strength(aspect, score_name) for aspect in aspects]
    strongest = max(strengths)
    equals = [
        aspect
        for place, (aspect, here) in enumerate(zip(aspects, strengths, strict=True))
        if place == 0 or (here >= ABOUT_EQUAL * strongest and _as_sure(aspect, aspects[0]))
    ]
    for aspect in equals:
        if len(aspect.features) == 1:
            return Finding(aspect.evidence[0], aspect, tuple(aspects), strongest, True)
    blamed = [feature_to_blame(aspect, query.features) for aspect in equals]
    # The narrowest range says most.
    one, best = max(
        ((one, aspect) for one, aspect in zip(blamed, equals, strict=True) if one is not None),
        key=lambda pair: (not pair[0].rough, pair[0].outside),
    )
    return Finding(one, best, tuple(aspects), strongest, _is_far(one))


def _as_sure(aspect: Aspect, best: Aspect) -> bool:
    """Whether an aspect is as convincing as another, so that its p-value may stand beside it."""
    if aspect.p_value is None or best.p_value is None:
        return True
    return aspect.p_value <= best.p_value


def _is_far(one: Evidence) -> bool:
    """Whether a number lies far outside the typical range, in the direction of its evidence."""
    if len(one.typical) != 2:
        return False
    value, (low, high) = one.value, one.typical
    if not (isinstance(value, float) and isinstance(low, float) and isinstance(high, float)):
        return False
    away = value - high if one.direction == "high" else low - value
    return one.direction in ("high", "low") and away > 0.0 and away >= FAR * (high - low)


def _convincing(query: QueryExplanation) -> tuple[Aspect, ...]:
    """Convincing aspects, or all of them without p-values.

    Their features are those with a weight, as only convincing aspects give weights.
    """
    if query.p_value is None:
        return query.aspects
    most = max(ALPHA, query.p_value)
    return tuple(
        aspect
        for aspect in query.aspects
        if aspect.p_value is not None
        and aspect.p_value <= most
        and set(aspect.features) <= set(query.features)
    )
