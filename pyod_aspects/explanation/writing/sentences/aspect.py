"""The evidence of an aspect in one sentence.

The sentence begins with the feature to blame, see `judging.blame`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING

from ...judging.blame import feature_to_blame
from ...judging.redundancy import MOST_LIFT
from ..wording import feature_words, join_all
from .values import (
    for_words,
    labels_words,
    pair_words,
    range_words,
    similar_words,
    value_words,
    way_words,
    with_words,
)

if TYPE_CHECKING:
    from ....search.aspect import Aspect, Evidence

MANY = 30
"""Rows nearby from which on a value is not rare, unless far more are expected."""

RARE_LIFT = 0.1
"""Lift up to which a value is rare, with any number of rows nearby."""

MOST_SIMILAR = 2
"""Most features that a sentence repeats to name the rows that it compares with."""


def evidence_words(aspect: Aspect, weights: Mapping[str, float] | None = None) -> str:
    """Say what is odd about a row in the features of an aspect; "" without evidence.

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
    >>> evidence_words(Aspect((0, 1), ("x", "y"), score=0.01, evidence=(x, y)))
    'y = 4.24 is too low for x = 6.79: rows with similar x have y 6.7 to 6.9'
    >>> evidence_words(
    ...     Aspect((0, 1), ("x", "y"), score=0.01, evidence=(x, y)), {"x": 0.9, "y": 0.1}
    ... )
    'x = 6.79 is too high for y = 4.24: rows with similar y have x 4.1 to 4.4'
    """
    one = feature_to_blame(aspect, weights)
    if one is None:
        return ""
    if len(aspect.evidence) == 1:
        return alone_words(one, rarity(aspect))
    others = [other for other in aspect.evidence if other is not one]
    if one.direction == "between":
        return _together(aspect)
    if one.outside == 0.0 or not one.expected:
        return f"{alone_words(one)}, and rarer {with_words(others)}"
    return among_words(one, others)


def rarity(aspect: Aspect) -> str:
    """Rarity of the values of an aspect: unique, rare, less common; rare without a lift."""
    if isnan(aspect.lift):
        return "rare"
    if aspect.density == 1.0:  # the row itself
        return "unique"
    common = aspect.lift > MOST_LIFT or (aspect.density >= MANY and aspect.lift > RARE_LIFT)
    return "less common" if common else "rare"


def alone_words(one: Evidence, rarity: str = "rare") -> str:
    """A feature among all rows; `rarity` decides how strong the words are."""
    name, value, typical = feature_words(one.feature), value_words(one.value), one.typical
    if one.value is None:
        return f"{name} is missing" + ", though other rows have it" * (typical != (None,))
    if typical == (None,):
        return f"{name} = {value}, though it is missing in most rows"
    if one.direction in ("high", "low") and typical:
        return f"{name} = {value} is {way_words(one)} (most rows {range_words(typical)})"
    if one.gap is not None:
        low, high = map(value_words, one.gap)
        return f"{name} = {value} lies in a gap: no other row is between {low} and {high}"
    if one.direction == "between" and typical:
        rare, most = rarity.replace("unique", "rare"), range_words(typical)
        return f"{name} = {value} is {rare}, though inside the range of most rows ({most})"
    rare = "occurs in no other row" if rarity == "unique" else f"is {rarity}"
    if one.value in typical:  # one of the most frequent labels, which come in this order
        more = typical[: typical.index(one.value)]
        return (
            f"{name} = {value} is less common than {labels_words(more)}"
            if more
            else (f"{name} = {value} {rare}")
        )
    if not typical:
        return f"{name} = {value} {rare}"
    return f"{name} = {value} {rare} (most rows {labels_words(typical)})"


def among_words(
    one: Evidence, others: Sequence[Evidence], near: Sequence[Evidence] | None = None
) -> str:
    """A feature among the rows that are near in the others, or in those of `near`.

    The range names the feature again: "rows with similar x have 6.7 to 6.9" reads as a range of x.
    """
    name, value = feature_words(one.feature), value_words(one.value)
    expected = one.expected or ()
    rows = f"{rows_words(others if near is None else near, one.rough, near is None)} have {name}"
    if one.value is None:
        return f"{name} is missing, though rows {with_words(others)} have it"
    if expected == (None,):
        return f"{name} = {value}, though it is missing in rows {with_words(others)}"
    given = for_words(others)
    if one.rough and len(set(expected)) == 1:  # one value is no range, and may be one row's
        alike = "like it" if near is None else _alike_in(near)
        few = f"few rows are {alike}, and these have {name} {value_words(expected[0])}"
        way = "unusual" if one.direction == "rare" else f"too {way_words(one)}"
        return f"{name} = {value} is {way} {given}: {few}"
    if one.direction == "rare":
        return f"{name} = {value} is unusual {given}: {rows} {labels_words(expected)}"
    return f"{name} = {value} is too {way_words(one)} {given}: {rows} {range_words(expected)}"


def rows_words(near: Sequence[Evidence], rough: bool = False, whole: bool = True) -> str:
    """Name the rows that the sentence compares with.

    Parameters
    ----------
    near : sequence of Evidence
        Features in which they are near.
    rough : bool, default=False
        Whether they are the nearest rows, because few are near.
    whole : bool, default=True
        Whether the sentence names no other features.

    Examples
    --------
    >>> from pyod_aspects import Evidence
    >>> x = Evidence("x", 6.79, (4.3, 7.7), None, "high")
    >>> rows_words([x]), rows_words([x], rough=True), rows_words([x] * 3)
    ('rows with similar x', 'the rows most like it', 'rows like it')
    """
    if not rough and len(near) <= MOST_SIMILAR:
        return f"rows {similar_words(near)}"
    alike = "like it" if whole else _alike_in(near)
    return f"the rows most {alike}" if rough else f"rows {alike}"


def _alike_in(near: Sequence[Evidence]) -> str:
    return f"like it in {join_all([feature_words(one.feature) for one in near])}"


def _together(aspect: Aspect) -> str:
    """Features none of which is to blame."""
    pairs = join_all([pair_words(one) for one in aspect.evidence])
    common = all(one.direction == "between" and one.typical for one in aspect.evidence)
    if rarity(aspect) == "unique":
        found = "each common, but not found together" if common else "together in no other row"
    else:
        found = "each common, but rare together" if common else "rare together"
    return f"{pairs} are {found}"
