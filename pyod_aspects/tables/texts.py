"""Warn of text that looks like times or decimal numbers: it counts as categories."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence

from ..exceptions import TextWarning
from .column import Column

_LOOKED_AT = 100  # most labels of a column to test
_FEWEST = 20  # fewest labels to warn of: fewer may well be categories

_FORMS = {
    "times": (
        re.compile(r"\s*\d{1,4}([-./])\d{1,2}\1\d{1,4}([ T]\d{1,2}:\d{2}.*)?\s*"),
        "pd.to_datetime makes times of it",
    ),
    "numbers with decimal commas": (
        re.compile(r"\s*[-+]?\d+(\.\d{3})*(,\d+)?\s*"),
        "turn it into numbers, or read the file with its decimal comma",
    ),
    "numbers": (
        re.compile(r"\s*[-+]?\d+(\.\d+)?([eE][-+]?\d+)?\s*"),
        "pd.to_numeric makes numbers of it",
    ),
}


def text_form(labels: Sequence[str]) -> str:
    """Say what all labels look like: "times", or a form of numbers; else "".

    Whole numbers may be codes, so some numbers must have decimals.

    >>> text_form([f"2024-01-{day:02}" for day in range(1, 31)])
    'times'
    >>> text_form([f"{i},90" for i in range(30)])
    'numbers with decimal commas'
    >>> text_form([str(10115 + i) for i in range(30)])
    ''
    """
    some = labels[:_LOOKED_AT]
    if len(some) < _FEWEST:
        return ""
    for form, (pattern, _) in _FORMS.items():
        whole = form != "times" and all(label.strip().lstrip("+-").isdigit() for label in some)
        if not whole and all(pattern.fullmatch(label) for label in some):
            return form
    return ""


def warn_of_text(columns: Sequence[Column], stacklevel: int = 3) -> None:
    """Warn of text columns that look like times or numbers."""
    for column in columns:
        form = text_form(column.labels) if column.kind == "category" else ""
        if form:
            warnings.warn(
                f"column {column.name!r} holds text that reads as {form} and counts as categories: "
                f"{_FORMS[form][1]}.",
                TextWarning,
                stacklevel=stacklevel,
            )
