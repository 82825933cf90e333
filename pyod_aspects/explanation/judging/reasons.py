"""Reasons: the features to blame in a row, each with the way in which its value is odd.

A reason is a feature and a way: "depth is low". The reasons of a row are its findings (see
`findings`), in their order: the headline states the first one. If no value of an aspect is
high, low, rare or outside of its expected range, the whole set is one reason: its values are
common, but rare together. Aspects without evidence are reasons as they are.

A feature that is odd by itself is another reason than one that is odd only for others. A large
diamond is heavy; one with a mistyped weight is too heavy for its size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..._util.types import Subspace
from .blame import strength
from .findings import Finding, find
from .redundancy import distinct

if TYPE_CHECKING:
    from ...search.aspect import Aspect, Evidence
    from ..query import QueryExplanation
    from ..values import Explanation

WAYS = ("high", "low", "rare", "missing", "given", "between", "")
"""Ways of values to be odd: "given" if missing in rows like it, "" without evidence."""

_STRONGEST = 1e300


class Reason(NamedTuple):
    """Features to blame, by column number: one, or several that are only rare together.

    Attributes
    ----------
    columns : tuple of int
    way : str
        One of `WAYS`.
    alone : bool
        Whether these features are odd by themselves, not only for others.
    """

    columns: Subspace
    way: str
    alone: bool


@dataclass(frozen=True)
class RowReasons:
    """The reasons of one row.

    Attributes
    ----------
    query : QueryExplanation
    told : dict of int to Aspect
        The aspects to show, by their place in the row, best first.
    weights : dict of Reason to float
        Strength of each reason as a share of the first one's, at most 1. The first one is that of
        the headline.
    places : dict of Reason to tuple of int
        Places of the aspects that give this reason, the one that states it first.
    """

    query: QueryExplanation
    told: dict[int, Aspect]
    weights: dict[Reason, float]
    places: dict[Reason, tuple[int, ...]]

    @property
    def first(self) -> Reason:
        """The reason in the headline."""
        return next(iter(self.weights))

    def evidence_of(self, reason: Reason) -> Evidence | None:
        """Evidence of the first feature of a reason; None if there is none."""
        return self.evidence(self.places[reason][0], reason.columns[0])

    def evidence(self, place: int, column: int) -> Evidence | None:
        """Evidence of a feature in an aspect; None if it has none."""
        aspect = self.told[place]
        if not aspect.evidence or column not in aspect.subspace:
            return None
        return aspect.evidence[aspect.subspace.index(column)]


def all_reasons(explanation: Explanation) -> list[RowReasons]:
    """Reasons of each row, in the order of the explanation."""
    limit = told_limit(explanation)
    return [row_reasons(query, explanation.score_name, limit) for query in explanation.queries]


def told_limit(explanation: Explanation) -> float | None:
    """Largest p-value of the aspects to show; None to show all."""
    if any(query.p_value is None for query in explanation.queries) or not explanation.queries:
        return None
    return explanation.convincing_p()


def told_aspects(
    query: QueryExplanation, score_name: str, limit: float | None
) -> dict[int, Aspect]:
    """Aspects to show for a row, by their place: convincing, not redundant."""
    strong = {
        place: aspect
        for place, aspect in enumerate(query.aspects)
        if limit is None or (aspect.p_value is not None and aspect.p_value <= limit)
    }
    stay = {id(aspect) for aspect in distinct(tuple(strong.values()), score_name)}
    return {place: aspect for place, aspect in strong.items() if id(aspect) in stay}


def row_reasons(query: QueryExplanation, score_name: str, limit: float | None) -> RowReasons:
    """Reasons of a row: its findings, with their weights and their aspects."""
    told = told_aspects(query, score_name, limit)
    place_of = {id(aspect): place for place, aspect in enumerate(query.aspects)}
    weights: dict[Reason, float] = {}
    places: dict[Reason, list[int]] = {}
    most = 0.0
    for reason, power, aspects in _found(query, told.values(), score_name) if told else ():
        most = most if weights else power
        weights.setdefault(reason, min(1.0, power / most) if most > 0.0 else 1.0)
        places.setdefault(reason, []).extend(place_of[id(aspect)] for aspect in aspects)
    told |= {place: query.aspects[place] for found in places.values() for place in found}
    return RowReasons(
        query,
        dict(sorted(told.items())),
        weights,
        {reason: tuple(dict.fromkeys(found)) for reason, found in places.items()},
    )


def _found(
    query: QueryExplanation, told: Iterable[Aspect], score_name: str
) -> Iterator[tuple[Reason, float, tuple[Aspect, ...]]]:
    """Yield the reasons of a row in their order, with their strengths and aspects."""
    findings = find(query, score_name)
    for one in findings:
        yield _reason(one), _finite(one.strength), (one.best, *one.aspects)
    if not findings:
        for aspect in told:
            power = _finite(strength(aspect, score_name))
            yield Reason(aspect.subspace, "", True), power, (aspect,)


def _reason(finding: Finding) -> Reason:
    """Reason of a finding."""
    one, best = finding.blamed, finding.best
    oddity = way(one)
    if oddity == "between" and len(best.subspace) > 1 and not one.outside > 0.0:
        return Reason(best.subspace, oddity, True)
    return Reason((best.subspace[best.evidence.index(one)],), oddity, finding.is_alone)


def way(evidence: Evidence) -> str:
    """Way in which a value is odd; one of `WAYS`."""
    if evidence.value is None:
        return "missing"
    usual = evidence.typical if evidence.expected is None else evidence.expected
    return "given" if usual == (None,) else evidence.direction


def _finite(number: float) -> float:
    """Strength of an aspect, made finite: JSON may hold any number."""
    return 0.0 if math.isnan(number) else min(number, _STRONGEST)
