"""How sure one can be of a row is said in one sentence."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from explanation_cases import aspect, explanation, query

from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.explanation import Explanation
from pyod_aspects.explanation.writing.wording import (
    all_sure_words,
    is_convincing,
    no_aspect_words,
    sure_words,
)


def explained(*p_values, n_reference=200, **changes):
    """An explanation of rows with one aspect each, with these p-values."""
    queries = [
        replace(query(i, replace(aspect(0), p_value=p)), p_value=p) for i, p in enumerate(p_values)
    ]
    return explanation(*queries, n_reference=n_reference, **changes)


@pytest.mark.parametrize(
    ("p_values", "words"),
    [
        ([1 / 201], "no ordinary row of 200 has an aspect as strong (p = 0.005)"),
        # One of the 200 is the row itself.
        ([1 / 200], "no ordinary row of 200 has an aspect as strong (p = 0.005)"),
        ([2 / 201], "only 1 % of ordinary rows have an aspect as strong"),
        ([6 / 201], "only 3 % of ordinary rows have an aspect as strong"),
        ([0.34], "nothing convincing: 34 % of ordinary rows have an aspect as strong"),
        ([0.9999], "nothing convincing: 99 % of ordinary rows have an aspect as strong"),
        ([1.0], "nothing convincing: every ordinary row has an aspect as strong"),
        (
            [0.03, 0.4, 0.9],
            "nothing convincing among 3 rows: 3 % of ordinary rows have an aspect as strong",
        ),
        (
            [1 / 201] + [0.5] * 10,
            "nothing convincing among 11 rows: no ordinary row of 200 has an aspect as strong "
            "(p = 0.005); that takes 220 of them (n_reference)",
        ),
    ],
)
def test_how_many_ordinary_rows_are_as_strong(p_values, words):
    made = explained(*p_values, n_rows=1000)
    assert sure_words(made, made[0]) == words
    assert is_convincing(made, made[0]) == ("nothing" not in words)


def test_a_table_that_is_too_small_for_so_many_rows_is_named():
    made = explained(1 / 201, *[0.5] * 10, n_rows=220)
    assert sure_words(made, made[0]).endswith("the table is too small for so many rows at once")


@pytest.mark.parametrize(
    ("p_values", "words"),
    [
        (
            [1 / 201, 1 / 201],
            "no ordinary row of 200 has an aspect as strong as any of these (p = 0.005)",
        ),
        (
            [1 / 201, 6 / 201],
            "at most 3 % of ordinary rows have an aspect as strong as any of these",
        ),
        ([1 / 201], ""),
        ([1 / 201, 0.5], ""),
        ([None, None], ""),
    ],
)
def test_rows_that_are_all_convincing_are_told_together(p_values, words):
    assert all_sure_words(explained(*p_values)) == words


def test_what_is_convincing_depends_on_the_share_of_wrong_ones_that_is_put_up_with():
    made = explained(0.15, 0.5)
    assert sure_words(made, made[0]).startswith("nothing convincing: 15 %")
    kept = made.convincing(0.3)
    assert sure_words(kept, kept[0]) == "only 15 % of ordinary rows have an aspect as strong"
    assert sure_words(kept, kept[1]).startswith("nothing convincing: 50 %")
    assert (kept.alpha, kept.convincing_p(), made.convincing_p()) == (0.3, 0.15, 0.0)
    assert Explanation.from_json(kept.to_json()).alpha == 0.3


def test_of_a_row_whose_aspects_are_left_out_it_is_said_that_nothing_is_convincing():
    kept = explained(1 / 201, 0.34, 1.0).convincing()
    shown = kept.summary()
    assert shown.count("Nothing convincing") == 2
    assert "    Nothing convincing: 34 % of ordinary rows have an aspect as strong.\n" in shown
    assert "no aspect" not in shown.replace("has an aspect", "")
    assert "nothing convincing: 34\u00a0%" in kept._repr_html_()
    assert "nothing convincing: 34\u00a0%" in kept.to_html()
    assert no_aspect_words(kept, kept[2]) == "nothing convincing"


def test_a_row_without_aspects_is_not_convincing():
    made = explanation(replace(query(1), p_value=1.0), n_reference=200)
    assert sure_words(made, made[0]) == "nothing convincing: it has no aspect"


@pytest.mark.parametrize(
    ("n_rows", "words"),
    [
        (39, "no p-value: it needs a table of more than 39 rows"),
        (178, "no p-value: no ordinary rows were searched (n_reference=200 searches some)"),
    ],
)
def test_without_p_values_it_says_why(n_rows, words):
    made = explained(None, n_reference=0, n_rows=n_rows)
    assert sure_words(made, made[0]) == words
    assert is_convincing(made, made[0]) is None
    with pytest.raises(InvalidInputError, match="no p-values"):
        made.convincing_p()


@pytest.mark.parametrize("alpha", [0.0, 1.0, -1.0, math.nan])
def test_a_share_that_makes_no_sense_is_refused(alpha):
    with pytest.raises(InvalidInputError, match="expected a number between 0 and 1"):
        explained(0.01).convincing(alpha)


@pytest.mark.parametrize(
    ("score_name", "tau", "words"),
    [
        ("zscore", None, "is it rarer than average (z below 0)"),
        ("lift", None, "is it rarer than expected (lift below 1)"),
        ("lift", 0.5, "is lift below 0.5"),
    ],
)
def test_a_threshold_that_was_not_given_is_the_one_of_the_score(score_name, tau, words):
    made = explanation(query(1), score_name=score_name, settings={"tau": tau})
    assert no_aspect_words(made).endswith(words)
