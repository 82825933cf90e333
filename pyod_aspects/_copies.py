"""Near-copies: sets of features that say hardly more than a smaller set within them.

A row that is rare in one feature is about as rare in that feature and any other, so that one
finding can fill a list of ten. A set is worth reading if it adds to the sets it contains.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .explanation import Aspect

MARGIN = 0.05
"""By how much, as a share, the Z-score of a set must be beyond that of a smaller set within."""


def distinct(
    aspects: tuple[Aspect, ...], score_name: str, margin: float = MARGIN
) -> tuple[Aspect, ...]:
    """Aspects without near-copies, in their order; the best one always stays.

    Smaller sets are judged first, and only sets that stay count against larger ones: what is
    left out always has a set within it that stays and is about as good.
    """
    kept: list[Aspect] = []
    for aspect in sorted(aspects, key=lambda aspect: len(aspect.subspace)):
        here = set(aspect.subspace)
        limits = [
            _limit(other.score, score_name, margin) for other in kept if here > set(other.subspace)
        ]
        if aspect is aspects[0] or not any(aspect.score >= limit for limit in limits):
            kept.append(aspect)
    stays = {id(aspect) for aspect in kept}
    return tuple(aspect for aspect in aspects if id(aspect) in stays)


def _limit(score: float, score_name: str, margin: float) -> float:
    """Score that a larger set must be below; nobody knows the scale of a score of your own."""
    return score - margin * abs(score) if score_name == "zscore" else score
