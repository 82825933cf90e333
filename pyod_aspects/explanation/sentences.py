"""The evidence of an aspect in one sentence.

The sentence begins with the feature to blame: of those outside the range that rows like it have,
the one with the largest weight in all aspects of the row, or else the one that lies farthest
outside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .redundancy import MOST_LIFT
from .wording import elide, join_all, printable

if TYPE_CHECKING:
    from ..search.aspect import Aspect, Evidence, Value

_LONGEST = 40  # characters of a label in a sentence
_MISSING = "missing"


def evidence_words(aspect: Aspect, weights: Mapping[str, float] | None = None) -> str:
    """Say what is odd about a row in the features of an aspect; nothing if that is not known.

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
    'y = 4.24 is too low for x = 6.79: rows like it have 6.7 to 6.9'
    >>> evidence_words(
    ...     Aspect((0, 1), ("x", "y"), score=0.01, evidence=(x, y)), {"x": 0.9, "y": 0.1}
    ... )
    'x = 6.79 is too high for y = 4.24: rows like it have 4.1 to 4.4'
    """
    if not aspect.evidence:
        return ""
    if len(aspect.evidence) == 1:
        return _alone(aspect.evidence[0], "less common" if aspect.lift > MOST_LIFT else "rare")
    weighed = weights or {}
    blamed = max(
        aspect.evidence,
        key=lambda one: (one.outside > 0.0, weighed.get(one.feature, 0.0), *_blame(one)),
    )
    others = [one for one in aspect.evidence if one is not blamed]
    if blamed.direction == "between":
        return f"{join_all(_pairs(aspect.evidence))} are each common, but rare together"
    if blamed.outside == 0.0 or not blamed.expected:
        return f"{_alone(blamed)}, and rarer with {join_all(_pairs(others))}"
    return _among(blamed, join_all(_pairs(others)))


def number_words(value: float) -> str:
    """Number as it was rounded, with commas between thousands.

    >>> number_words(2499.0), number_words(100000.12), number_words(1.5e-07)
    ('2,499', '100,000.12', '1.5e-07')
    """
    return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:,}"


def _blame(one: Evidence) -> tuple[bool, bool, float]:
    """Order of features: outside of what is expected, first if that is well known."""
    return one.outside > 0.0 and not one.rough, one.direction != "between", one.outside


def _alone(one: Evidence, rare: str = "rare") -> str:
    """A feature among all rows; a value that hardly stands out is not called rare."""
    name, value = printable(one.feature), _value_words(one.value)
    if one.value == _MISSING:
        most = ", though other rows have it" if one.typical != (_MISSING,) else ""
        return f"{name} is missing{most}"
    if one.typical == (_MISSING,):
        return f"{name} = {value}, though most rows have none"
    if not one.typical:
        return f"{name} = {value} is {rare}"
    if one.direction == "rare":
        return f"{name} = {value} is {rare} (most rows {_labels_words(one.typical)})"
    most = _range_words(one.typical)
    if one.direction == "between":
        return f"{name} = {value} is {rare}, though most rows lie around it ({most})"
    return f"{name} = {value} is {one.direction} (most rows {most})"


def _among(one: Evidence, others: str) -> str:
    """A feature among the rows that are near in the others."""
    name, value = printable(one.feature), _value_words(one.value)
    expected = one.expected or ()
    rows = "the rows most like it have" if one.rough else "rows like it have"
    if one.value == _MISSING:
        return f"{name} is missing, though rows with {others} have it"
    if expected == (_MISSING,):
        return f"{name} = {value}, though rows with {others} have none"
    if one.direction == "rare":
        return f"{name} = {value} is rare where {others}: {rows} {_labels_words(expected)}"
    return f"{name} = {value} is too {one.direction} for {others}: {rows} {_range_words(expected)}"


def _pairs(evidence: Sequence[Evidence]) -> list[str]:
    """Features with their values."""
    return [
        f"{printable(one.feature)} missing"
        if one.value == _MISSING
        else f"{printable(one.feature)} = {_value_words(one.value)}"
        for one in evidence
    ]


def _value_words(value: Value) -> str:
    return elide(value, _LONGEST) if isinstance(value, str) else number_words(value)


def _range_words(values: Sequence[Value]) -> str:
    low, high = values[0], values[-1]
    return _value_words(low) if low == high else f"{_value_words(low)} to {_value_words(high)}"


def _labels_words(values: Sequence[Value]) -> str:
    labels = [_value_words(value) for value in values]
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} or {labels[-1]}"
