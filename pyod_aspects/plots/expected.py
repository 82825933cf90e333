"""The expected range of a feature in a picture: the range of rows like the query.

The numbers are those of the evidence before rounding, the words those of the evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._util.numbers import set_minus
from .._util.types import FloatArray
from ..explanation import Aspect, Explanation, QueryExplanation
from ..explanation.judging.blame import feature_to_blame
from ..explanation.judging.evidence import EvidenceFinder, Query, in_units
from ..explanation.writing.sentences.values import value_words
from ..explanation.writing.wording import elide
from ..search.aspect import Value

_LONGEST = 20  # most letters of a label in a range

MANY = 5
"""Fewest features of a picture with parallel axes, each with its range."""

MOST_RANGES = 25
"""Most rows of a group whose ranges a picture shows."""


@dataclass(frozen=True)
class Expected:
    """Range of rows like the query in one feature of a picture.

    Attributes
    ----------
    feature : int
        Position of the feature in the picture.
    values : tuple of float
        Ends in the numbers of the column; codes of a category; (NaN,) for "missing".
    words : str
        The range in the user's units: "6.64 to 6.97".
    rough : bool
        Whether few rows are like the query in the other features.
    """

    feature: int
    values: tuple[float, ...]
    words: str
    rough: bool = False


def find_expected(
    explanation: Explanation,
    query: QueryExplanation,
    aspect: Aspect,
    finder: EvidenceFinder,
) -> tuple[Expected, ...]:
    """Find the ranges to draw: the typical one of a single feature, else that of the one to blame.

    With five features or more, the ranges of all. Empty without evidence, or if no value is odd
    for the others.
    """
    assert explanation.background is not None
    background = explanation.background
    point = background.explained.values[background.place(query.row)]
    own = None if explanation.new_rows else query.row
    if not aspect.evidence:
        columns = background.explained.columns
        (aspect,) = finder.add_evidence([aspect], point, columns, own)
    blamed = feature_to_blame(aspect, query.features)
    if blamed is None or len(aspect.evidence) != len(aspect.subspace):
        return ()
    asked = Query(finder, point, own)
    k = len(aspect.subspace)

    def is_category(i: int) -> bool:
        return finder.columns[aspect.subspace[i]].kind == "category"

    found = []
    for i, one in enumerate(aspect.evidence):
        facts = asked.facts(aspect, aspect.subspace[i])
        if k == 1:
            found.append(Expected(i, facts.typical, range_words(one.typical, is_category(i))))
        elif (one is blamed and one.outside > 0.0) or k >= MANY:
            words = range_words(one.expected or (), is_category(i))
            found.append(Expected(i, facts.expected or (), words, facts.rough))
    return tuple(one for one in found if one.values)


def find_typical(finder: EvidenceFinder, j: int, value: float) -> tuple[Expected, ...]:
    """Find the typical range of a column; its words have as many digits as a value needs."""
    typical, column = finder.typical(j), finder.columns[j]
    _, (shown,) = in_units(column, value, [typical])
    words = range_words(shown, column.kind == "category")
    return (Expected(0, typical, words),) if typical else ()


def find_beside(
    finder: EvidenceFinder, point: FloatArray, own: int | None, columns: Sequence[int]
) -> Expected | None:
    """Find the range of the second column, of rows near a point in the first one.

    None if the point lies in it, for a category, and if few rows are near.
    """
    second = columns[1]
    if finder.columns[second].kind == "category" or not finder.has_neighbourhood(point):
        return None
    pair = Aspect(tuple(sorted(columns)), score=np.nan)
    facts = Query(finder, point, own).facts(pair, second)
    values = facts.expected or ()
    if facts.rough or not facts.outside > 0.0 or not np.isfinite(values).all():
        return None
    return Expected(1, values, "")


def expected_words(one: Expected, name: str, others: Sequence[str]) -> str:
    r"""Describe the range of a feature for a picture, in two short lines.

    >>> expected_words(Expected(1, (6.64, 6.97), "6.64 to 6.97"), "y", ["x"])
    'rows with this x\nhave y 6.64 to 6.97'
    """
    rows = f"rows with this {elide(others[0], 22)}" if len(others) == 1 else "rows like it"
    if one.rough:
        rows = "the rows most like it"
    name = elide(name, 22)
    have = f"miss {name}" if np.isnan(one.values[0]) else f"have {name} {one.words}"
    return set_minus(f"{rows}\n{have}").replace("$", r"\$")


def range_words(values: Sequence[Value], labels: bool = False) -> str:
    """Range in the user's units: its ends, or the labels of a category.

    >>> range_words((6.64, 6.97)), range_words(("Ideal", "Premium", "Good"), labels=True)
    ('6.64 to 6.97', 'Ideal, Premium or Good')
    """
    texts = [_words(value) for value in values]
    if not labels or len(texts) < 2:
        return " to ".join(dict.fromkeys(texts))
    return f"{', '.join(texts[:-1])} or {texts[-1]}"


def _words(value: Value) -> str:
    return value_words(elide(value, _LONGEST) if isinstance(value, str) else value)
