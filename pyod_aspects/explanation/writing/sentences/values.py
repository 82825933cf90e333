"""Values, ranges and features with their values, in the words of a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..wording import LONGEST, elide, feature_words, join_all

if TYPE_CHECKING:
    from ....search.aspect import Evidence, Value

_TIME = re.compile(r"-?\d{4,}-\d\d-\d\d\b")


def number_words(value: float) -> str:
    """Rounded number, with commas between thousands.

    >>> number_words(2499.0), number_words(100000.12), number_words(1.5e-07)
    ('2,499', '100,000.12', '1.5e-07')
    """
    return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:,}"


def value_words(value: Value) -> str:
    """Value of a row: cuts a long label, and quotes one that could mislead.

    >>> value_words("missing"), value_words(None), value_words("")
    ('"missing"', 'missing', '""')
    """
    if value is None:
        return "missing"
    if not isinstance(value, str):
        return number_words(value)
    misread = value == "missing" or value != value.strip() or not value
    return f'"{elide(value, LONGEST)}"' if misread else elide(value, LONGEST)


def range_words(values: Sequence[Value]) -> str:
    """Range of numbers, "4.3 to 7.7".

    >>> range_words((4.3, 7.7)), range_words((5.0, 5.0))
    ('4.3 to 7.7', '5')
    """
    low, high = values[0], values[-1]
    return value_words(low) if low == high else f"{value_words(low)} to {value_words(high)}"


def labels_words(values: Sequence[Value]) -> str:
    """Labels of a category as alternatives.

    >>> labels_words(("G", "E", "F"))
    'G, E or F'
    """
    labels = [value_words(value) for value in values]
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} or {labels[-1]}"


def pair_words(one: Evidence) -> str:
    """Feature with its value.

    >>> from pyod_aspects import Evidence
    >>> pair_words(Evidence("x", 6.79, (4.3, 7.7), None, "high"))
    'x = 6.79'
    """
    name = feature_words(one.feature)
    return f"{name} missing" if one.value is None else f"{name} = {value_words(one.value)}"


def way_words(one: Evidence) -> str:
    """Return "high" or "low", of a time "late" or "early".

    >>> from pyod_aspects import Evidence
    >>> way_words(Evidence("sold", "2024-01-05", ("2023-01-01", "2023-12-20"), None, "high"))
    'late'
    """
    if isinstance(one.value, str) and is_time(one.value):
        return {"high": "late", "low": "early"}.get(one.direction, one.direction)
    return one.direction


def for_words(others: Sequence[Evidence]) -> str:
    """Name the other features for which a value is too high or low.

    >>> from pyod_aspects import Evidence
    >>> x = Evidence("x", 6.79, (4.3, 7.7), None, "high")
    >>> for_words([x, Evidence("w", None, (4.3, 7.7), None, "rare")])
    'for x = 6.79 where w is missing'
    """
    known, unknown = _known_and_missing(others)
    words = [f"for {join_all(known)}"] if known else []
    if unknown:
        words.append(f"where {join_all(unknown)} {'is' if len(unknown) == 1 else 'are'} missing")
    return " ".join(words)


def with_words(others: Sequence[Evidence]) -> str:
    """Name rows with the same values in these features.

    >>> from pyod_aspects import Evidence
    >>> x = Evidence("x", 6.79, (4.3, 7.7), None, "high")
    >>> with_words([x, Evidence("w", None, (4.3, 7.7), None, "rare")])
    'with x = 6.79 and without w'
    """
    known, unknown = _known_and_missing(others)
    words = [f"with {join_all(known)}"] if known else []
    words += [f"without {join_all(unknown)}"] if unknown else []
    return " and ".join(words)


def similar_words(others: Sequence[Evidence]) -> str:
    """Name rows with similar numbers and the same labels in these features.

    >>> from pyod_aspects import Evidence
    >>> x = Evidence("x", 6.79, (4.3, 7.7), None, "high")
    >>> cut = Evidence("cut", "Fair", ("Ideal", "Good"), None, "rare")
    >>> similar_words([x]), similar_words([cut, x])
    ('with similar x', 'with similar x and the same cut')
    >>> similar_words([Evidence("w", None, (4.3, 7.7), None, "rare")])
    'without w'
    """
    numbers: list[str] = []
    labels: list[str] = []
    missing: list[str] = []
    for one in others:
        same = isinstance(one.value, str) and not is_time(one.value)
        kind = missing if one.value is None else labels if same else numbers
        kind.append(feature_words(one.feature))
    words = [f"similar {join_all(numbers)}"] if numbers else []
    words += [f"the same {join_all(labels)}"] if labels else []
    words = [f"with {' and '.join(words)}"] if words else []
    words += [f"without {join_all(missing)}"] if missing else []
    return " and ".join(words)


def is_time(value: str) -> bool:
    """Whether a value in words is a time, not a label.

    >>> is_time("2024-01-05"), is_time("Fair")
    (True, False)
    """
    return _TIME.match(value) is not None


def _known_and_missing(others: Sequence[Evidence]) -> tuple[list[str], list[str]]:
    known = [pair_words(one) for one in others if one.value is not None]
    return known, [feature_words(one.feature) for one in others if one.value is None]


def wish_words(one: Evidence, wished: Sequence[Value]) -> str:
    """Feature with its ordinary values.

    >>> from pyod_aspects import Evidence
    >>> wish_words(Evidence("y", 4.24, (4.3, 7.7), (6.7, 6.9), "low"), (6.7, 6.9))
    'y between 6.7 and 6.9'
    """
    name = feature_words(one.feature)
    if tuple(wished) == (None,):
        return f"{name} missing"
    number = not isinstance(wished[0], str) or one.direction in ("high", "low", "between")
    if number and wished[0] != wished[-1]:
        return f"{name} between {value_words(wished[0])} and {value_words(wished[-1])}"
    return f"{name} = {labels_words(tuple(dict.fromkeys(wished)))}"
