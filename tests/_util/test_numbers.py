"""Numbers read as people write them."""

from __future__ import annotations

import math

import pytest

from pyod_aspects._util.numbers import (
    aspect_score_text,
    density_text,
    percent_text,
    score_text,
    set_minus,
    value_text,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-3.41", "−3.41"),
        ("z = -3.41", "z = −3.41"),
        ("-inf", "−inf"),
        ("density 2.1e-05, 0.18 on average", "density 2.1e−05, 0.18 on average"),
        ("my-score = -2", "my-score = −2"),
        ("x-1 = 5", "x-1 = 5"),
    ],
)
def test_negative_numbers_get_a_minus_sign_and_names_keep_their_hyphens(text, expected):
    assert set_minus(text) == expected


@pytest.mark.parametrize("number", [0.0, -0.0, 1e-300, 12.5, 1e300, math.inf, math.nan])
def test_any_number_has_a_text(number):
    texts = [
        value_text(number),
        score_text(number),
        density_text(number, "count"),
        density_text(number, "density"),
        *(aspect_score_text(number, name) for name in ("zscore", "rank", "own")),
    ]
    assert all(texts)
    assert not any(text.startswith("-") for text in texts[:2])


def test_a_percentage_below_100_never_reads_100():
    assert percent_text(99.96) == "99.96 %"
    assert percent_text(100.0) == "100 %"
