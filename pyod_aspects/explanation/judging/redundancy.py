"""Redundant aspects: sets of features that add little to a smaller set that they contain.

A row that is rare in one feature is about as rare in that feature and any other, so that one
finding can fill a list of ten. A set is worth reading if it adds to the sets it contains. Where
rows are counted, its lift tells: if a feature is not needed, the others lead one to expect the
count that was found, and the lift is about 1. Where rows are not counted, scores are compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from math import inf, isnan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...search.aspect import Aspect

MOST_LIFT = 0.5
"""Lift up to which every feature of a set is needed: it holds half of the rows expected or less."""

MARGIN = 0.05
"""By how much, as a share, the Z-score of a set must be beyond that of a smaller set within."""


def distinct(
    aspects: tuple[Aspect, ...],
    score_name: str,
    most_lift: float = MOST_LIFT,
    margin: float = MARGIN,
) -> tuple[Aspect, ...]:
    """Aspects that are not redundant, in their order; the best one always stays.

    Aspects without a lift are compared by their scores. Smaller sets are judged first, and only
    sets that stay count against larger ones: what is left out always has a set within it that
    stays and is about as good.
    """
    limits: dict[frozenset[int], float] = {}  # of the sets that stay
    stays = set()
    for aspect in sorted(aspects, key=lambda aspect: len(aspect.subspace)):
        here = frozenset(aspect.subspace)
        if not isnan(aspect.lift):
            needed = len(here) == 1 or aspect.lift <= most_lift
        else:
            needed = not any(aspect.score >= limits[s] for s in _subsets(here, limits))
        if aspect is aspects[0] or needed:
            stays.add(id(aspect))
            limit = _limit(aspect.score, score_name, margin)
            limits[here] = min(limits.get(here, inf), limit)
    return tuple(aspect for aspect in aspects if id(aspect) in stays)


def _subsets(
    here: frozenset[int], candidates: Collection[frozenset[int]]
) -> Iterator[frozenset[int]]:
    """Candidates that a set contains: found by looking up its subsets if these are fewer."""
    if 2 ** len(here) > len(candidates):
        return (other for other in candidates if other < here)
    parts = (frozenset(part) for k in range(1, len(here)) for part in combinations(here, k))
    return (part for part in parts if part in candidates)


def _limit(score: float, score_name: str, margin: float) -> float:
    """Score that a larger set must be below; nobody knows the scale of a score of your own."""
    return score - margin * abs(score) if score_name == "zscore" else score
