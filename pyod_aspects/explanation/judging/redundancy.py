"""Redundant aspects: sets of features that add little to a smaller set that they contain.

A row that is rare in one feature is about as rare in that feature and any other, so that one
finding can fill a list of ten. A set is worth reading if it adds to the sets it contains. Its lift
shows that: if a feature is superfluous, the others predict the count, and the lift is about 1.
Without a lift, scores decide.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from math import inf, isnan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...search.aspect import Aspect

MOST_LIFT = 0.5
"""Largest lift of a set that needs every feature: it holds at most half of the expected rows."""

MARGIN = 0.05
"""Least advantage of a set over a smaller set within, as a share of its Z-score."""


def distinct(
    aspects: tuple[Aspect, ...],
    score_name: str,
    most_lift: float = MOST_LIFT,
    margin: float = MARGIN,
) -> tuple[Aspect, ...]:
    """Aspects that are not redundant, in their order; the best one always stays.

    Without a lift, scores decide. Smaller sets come first, and only sets that stay count against
    larger ones. So each redundant aspect contains a set that stays and is about as good.
    """
    limits: dict[frozenset[int], float] = {}  # by set that stays
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
    """Candidates within a set; looks up its subsets if these are fewer."""
    if 2 ** len(here) > len(candidates):
        return (other for other in candidates if other < here)
    parts = (frozenset(part) for k in range(1, len(here)) for part in combinations(here, k))
    return (part for part in parts if part in candidates)


def _limit(score: float, score_name: str, margin: float) -> float:
    """Upper limit of a larger set's score; no margin for a score of unknown scale."""
    return score - margin * abs(score) if score_name == "zscore" else score
