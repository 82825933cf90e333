"""A few pictures that explain most rows: the definition, and how good greed is."""

from __future__ import annotations

import json
import math

import naive
import pytest
from explanation_cases import aspect, explanation, explanations, query
from hypothesis import given
from hypothesis import strategies as st

from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.explanation.judging.cover import choose

SUBSPACES = st.sets(st.integers(0, 4), min_size=1, max_size=3).map(sorted).map(tuple)
TOLD = st.lists(st.lists(SUBSPACES, max_size=4, unique=True), max_size=9)


def covered(told, n_pictures):
    return choose([{s: place for place, s in enumerate(row)} for row in told], n_pictures)


@given(TOLD, st.integers(1, 4))
def test_the_choice_is_the_definition(told, n_pictures):
    found = covered(told, n_pictures)
    assert [s for s, _ in found] == naive.greedy_cover(told, n_pictures)
    for s, places in found:
        assert list(places) == sorted(naive.picture_rows(told, s))
        assert all(set(told[i][place]) <= set(s) for i, place in places.items())


@given(TOLD, st.integers(1, 3))
def test_greed_explains_nearly_two_thirds_of_the_best(told, n_pictures):
    explained = {i for _, places in covered(told, n_pictures) for i in places}
    best = naive.best_cover(told, n_pictures)
    assert (1 - 1 / math.e) * best <= len(explained) <= best


@given(explanations(), st.integers(1, 3))
def test_any_explanation_has_a_cover(explanation, n_pictures):
    cover = explanation.cover(n_pictures)
    assert len(cover.pictures) <= n_pictures
    assert 0.0 <= cover.share <= 1.0
    shares = [picture.share for picture in cover.pictures]
    assert shares == sorted(set(shares))
    assert len(cover.to_frame()) == sum(map(len, cover.pictures))
    assert json.loads(cover.to_json())["share"] == cover.share
    assert repr(cover).startswith("Cover: ")


def test_redundant_aspects_explain_nothing():
    told = explanation(
        query(1, aspect(0, score=-4.0), aspect(0, 1, score=-4.1)),
        query(2, aspect(0, 1, score=-9.0)),
        query(3),
    )
    [picture] = told.cover().pictures
    assert picture.features == ("alcohol", "colour intensity")
    assert picture.rows == (1, 2)
    assert picture.places == (0, 0)
    assert picture.share == told.cover().share == 1.0
    assert told.cover().n_rows == 2


def test_a_cover_reads_well():
    rows = [query(i, aspect(i % 3)) for i in range(5)]
    assert repr(explanation(*rows).cover(2)).splitlines() == [
        "Cover: 2 pictures explain 4 of 5 rows (80 %)",
        "  {alcohol}            2 rows   40 %",
        "  {colour intensity}   2 rows   80 %",
    ]
    assert repr(explanation(query(1)).cover()) == "Cover: nothing is convincing"
    assert explanation(query(1)).cover().share == 0.0


@pytest.mark.parametrize("n_pictures", [0, -1, 1.5, True, "4"])
def test_a_number_of_pictures_is_a_whole_number(n_pictures):
    with pytest.raises(InvalidInputError, match=r"n_pictures=.*expected a whole number, 1 or more"):
        explanation(query(1, aspect(0))).cover(n_pictures)
