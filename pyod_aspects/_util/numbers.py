"""Numbers as text: one function for each kind of number that people read."""

from __future__ import annotations

import re

import numpy as np

from .types import Measure

_HYPHEN = re.compile(r"(?<=\de)-(?=\d)|(?<!\w)-(?=\d|inf)")


def value_text(value: float) -> str:
    """Value of a column in four digits; a larger whole number has all of them.

    >>> value_text(2.4312), value_text(123456.0), value_text(-0.0), value_text(0.00001234)
    ('2.431', '123,456', '0', '1.234e-05')
    """
    size = abs(value)
    if size >= 1e15 or 0.0 < size < 1e-4:
        return f"{value:.4g}"
    if size >= 1e4 or (size >= 1e3 and float(value).is_integer()):
        return f"{value:,.0f}"
    return f"{float(f'{value:.4g}') + 0.0:g}"


def score_text(value: float) -> str:
    """Anomaly score in four digits; detectors' scales run from 1e-15 to 3e5.

    >>> score_text(0.212345), score_text(-0.0), score_text(123456.0)
    ('0.2123', '0', '1.235e+05')
    """
    return f"{value + 0.0:.4g}"


def aspect_score_text(value: float, score_name: str) -> str:
    """Score of an aspect: a Z-score has two decimals, a rank is a whole number, a lift two digits.

    >>> aspect_score_text(-3.407, "zscore"), aspect_score_text(1200.0, "rank")
    ('-3.41', '1,200')
    >>> aspect_score_text(0.07336, "lift"), aspect_score_text(4.204e-05, "lift")
    ('0.073', '0.000042')
    >>> aspect_score_text(0.125, "a score of your own")
    '0.125'
    """
    if score_name == "zscore":
        return f"{value:.2f}"
    if score_name == "lift" and value >= 1e-7:
        return np.format_float_positional(value, 2, fractional=False, trim="-")
    return f"{value:,.0f}" if score_name == "rank" else f"{value:.4g}"


def density_text(value: float, measure: Measure) -> str:
    """Density in three digits; a count of rows has decimals only where they matter.

    >>> density_text(0.31416, "density"), density_text(31.2, "count"), density_text(1.25, "count")
    ('0.314', '31', '1.2')
    """
    if measure == "density":
        return f"{value:.3g}"
    return f"{value:,.0f}" if value >= 10 or value.is_integer() else f"{value:.1f}"


def percent_text(value: float) -> str:
    """Percentage with one decimal, or as many as keep it from reading 100 when it is less.

    >>> percent_text(99.735), percent_text(99.9998), percent_text(100.0), percent_text(5.0)
    ('99.7 %', '99.9998 %', '100 %', '5 %')
    >>> percent_text(100 - 1e-9)
    '99.9999999 %'
    """
    for decimals in range(1, 8):
        text = f"{value:.{decimals}f}"
        if float(text) < 100.0 or value >= 100.0:
            break
    if float(text) >= 100.0 > value:
        text = "99.9999999"
    return f"{text.rstrip('0').rstrip('.')} %"


def set_minus(text: str) -> str:
    """Text whose negative numbers have a minus sign, as wide as a digit; hyphens in names stay.

    >>> set_minus("z = -3.41"), set_minus("my-score = 2e-05")
    ('z = −3.41', 'my-score = 2e−05')
    """
    return _HYPHEN.sub("\u2212", text)
