"""Which feature to blame: the one that recurs in a row's aspects and lies farthest outside.

One by one, the aspects {price, y}, {x, y} and {y, z} blame price, x and z in turn. Together they
blame y.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

from .redundancy import distinct

if TYPE_CHECKING:
    from ...search.aspect import Aspect, Evidence
    from ..values import Explanation


def blame_features(explanation: Explanation) -> Explanation:
    """Return an explanation with the features to blame in each row.

    They come from its convincing aspects; from all aspects without p-values.
    """
    told = explanation.convincing() if explanation.n_reference else explanation
    queries = tuple(
        replace(query, features=weigh_features(strong.aspects, explanation.score_name))
        for query, strong in zip(explanation.queries, told.queries, strict=True)
    )
    return replace(explanation, queries=queries)


def weigh_features(aspects: Sequence[Aspect], score_name: str) -> dict[str, float]:
    """Weight of each feature of a row, the largest first; they add up to 1.

    Each aspect that is not redundant divides its strength among its features. The share of a
    feature grows with the distance of its value outside its expected range, in widths of that
    range, up to a limit. Features inside their range get a little.
    """
    weights: dict[str, float] = defaultdict(float)
    for aspect in distinct(tuple(aspects), score_name):
        shares = _shares(aspect)
        for feature, share in zip(aspect.features, shares, strict=True):
            weights[feature] += strength(aspect, score_name) * share
    total = sum(weights.values())
    # A stable sort: features with equal weights stay in the order of their aspects.
    ordered = sorted(weights.items(), key=lambda item: -item[1])
    return {feature: weight / total for feature, weight in ordered if total > 0.0}


def feature_to_blame(aspect: Aspect, weights: Mapping[str, float] | None = None) -> Evidence | None:
    """Evidence of the feature of an aspect that is to blame; None without evidence.

    Of the features outside their expected range, it is the one with the largest weight in all
    aspects of the row, or else the one farthest outside.

    Parameters
    ----------
    aspect : Aspect
    weights : mapping of str to float, optional
        `QueryExplanation.features` of the row.

    Examples
    --------
    >>> from pyod_aspects import Aspect, Evidence
    >>> x = Evidence("x", 6.79, (4.3, 7.7), (4.1, 4.4), "high", outside=7.97)
    >>> y = Evidence("y", 4.24, (4.3, 7.7), (6.7, 6.9), "low", outside=12.3)
    >>> aspect = Aspect((0, 1), ("x", "y"), score=0.01, evidence=(x, y))
    >>> feature_to_blame(aspect).feature
    'y'
    >>> feature_to_blame(aspect, {"x": 0.9, "y": 0.1}).feature
    'x'
    """
    weighed = weights or {}
    return max(
        aspect.evidence,
        key=lambda one: (one.outside > 0.0, weighed.get(one.feature, 0.0), *_order(one)),
        default=None,
    )


def _order(one: Evidence) -> tuple[bool, bool, float]:
    """Sort key of features: outside of a well-known range, then direction, then distance."""
    return one.outside > 0.0 and not one.rough, one.direction != "between", one.outside


_LEAST, _MOST = 0.1, 1.0  # claim of a feature inside its range, and most for one outside


def _shares(aspect: Aspect) -> list[float]:
    """Share of each feature of an aspect."""
    outside = {evidence.feature: evidence.outside for evidence in aspect.evidence}
    offers = [_LEAST + min(_MOST, outside.get(name, 0.0)) for name in aspect.features]
    return [offer / sum(offers) for offer in offers]


def strength(aspect: Aspect, score_name: str) -> float:
    """Strength of an aspect: the logarithm of the lift, deviations, or the inverse of a rank."""
    if score_name == "lift":
        # Miners never give a lift of 0, but JSON may.
        return max(0.0, -log(max(aspect.score, 1e-300)))
    if score_name == "zscore":
        return max(0.0, -aspect.score)
    return 1.0 / aspect.score if score_name == "rank" and aspect.score > 0.0 else 1.0
