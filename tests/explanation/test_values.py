"""Explanations are values: sequences of queries that nobody can change."""

from __future__ import annotations

import copy
import json
import math
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from explanation_cases import explanation, query

from pyod_aspects.exceptions import QueryError
from pyod_aspects.explanation import Aspect, Explanation, QueryExplanation


def test_an_explanation_is_a_sequence_of_its_queries(wine):
    assert len(wine) == 3
    assert [q.row for q in wine] == [22, 7, 140]
    assert wine[-1].row == 140
    assert wine[0] in wine
    assert wine.index(wine[1]) == 1


def test_a_slice_is_an_explanation_of_these_rows(wine):
    best = wine[:2]
    assert isinstance(best, Explanation)
    assert [q.row for q in best] == [22, 7]
    assert best.settings == wine.settings


def test_a_row_is_found_by_its_number_in_the_table(wine):
    assert wine.row(140) is wine[2]


def test_a_row_that_was_not_explained_is_an_error_that_names_those_that_were(wine):
    with pytest.raises(QueryError, match="row 5 was not explained, only: 22, 7, 140") as error:
        wine.row(5)
    assert "explain(rows=[5])" in str(error.value)
    with pytest.raises(IndexError, match="only: none"):
        wine[:0].row(5)


def test_a_position_out_of_range_is_an_error_that_points_to_row(wine):
    with pytest.raises(QueryError, match=r"3 rows were explained.*explanation\.row"):
        wine[22]


@pytest.mark.parametrize("part", [lambda e: e, lambda e: e[0], lambda e: e[0].aspects[0]])
def test_nothing_in_it_can_be_changed(wine, part):
    value = part(wine)
    with pytest.raises(FrozenInstanceError):
        value.score_name = value.row = value.score = 1
    with pytest.raises(TypeError):
        wine.settings["max_dim"] = 6


def test_settings_are_a_copy_of_what_was_passed():
    settings = {"max_dim": 5}
    made = explanation(settings=settings)
    settings["max_dim"] = 6
    assert made.settings == {"max_dim": 5}


def test_a_number_beyond_64_bits_is_kept_as_text():
    made = explanation(settings={"random_state": 2**70, "seeds": [-(2**63), 1]})
    assert made.settings == {"random_state": str(2**70), "seeds": (str(-(2**63)), 1)}
    assert Explanation.from_json(made.to_json()) == made


def test_settings_read_like_a_dict():
    made = explanation(settings={"max_dim": 5, "bins": "fd"})
    assert repr(made.settings) == "{'max_dim': 5, 'bins': 'fd'}"
    assert len(made.settings) == 2


def test_settings_that_json_cannot_hold_are_kept_as_text():
    made = explanation(settings={"tau": math.inf, "bins": [1, 2], "state": np.float32(1)})
    assert made.settings == {"tau": "inf", "bins": (1, 2), "state": "1.0"}


def test_numbers_of_numpy_become_plain_ones():
    figures = dict(zip(("score", "density", "mean", "std"), np.arange(1.0, 5.0), strict=True))
    made = Aspect(np.array([0, 3]), ["a", "b"], **figures)
    assert repr(made) == (
        "Aspect(subspace=(0, 3), features=('a', 'b'), score=1.0, density=2.0, mean=3.0, std=4.0)"
    )
    asked = QueryExplanation(np.int64(3), np.float64(0.5), np.True_, [made], np.float64(99))
    assert json.dumps([asked.row, asked.score, asked.is_anomaly, asked.percentile]) == (
        "[3, 0.5, true, 99.0]"
    )


def test_equal_content_is_equal_and_hashes_alike(wine):
    again = replace(wine, settings=dict(wine.settings))
    assert again == wine
    assert hash(again) == hash(wine)
    assert replace(wine, n_rows=179) != wine
    assert wine[:2] != wine


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_it_survives_copying_and_pickling(wine, how):
    assert how(wine) == wine


def test_a_row_is_found_by_its_label_too():
    made = explanation(query(7, label="TX7"), query(3, label="17"), query(17, label="3"))
    assert made.row("TX7") is made[0]
    assert made.row("17") is made[1]
    assert made.row(17) is made[2]


def test_a_label_that_names_no_single_explained_row_is_an_error():
    made = explanation(query(7, label="A"), query(3, label="A"), query(5, label="B"))
    with pytest.raises(QueryError, match=r"2 explained rows have the label 'A': .* 7, 3\."):
        made.row("A")
    with pytest.raises(QueryError, match="row 'C' was not explained, only: 'A', 'A', 'B'"):
        made.row("C")
    with pytest.raises(QueryError, match=r"row 4 was not explained.*To ask by label, pass it as"):
        made.row(4)
    with pytest.raises(QueryError, match="the rows have no labels; ask by position"):
        explanation(query(7)).row("A")
