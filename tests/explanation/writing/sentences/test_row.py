"""A row reads as one sentence: aspects that blame the same feature are told together."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from explanation_cases import explanation, explanations, query, told
from hypothesis import given

from pyod_aspects import Aspect, Evidence, QueryExplanation
from pyod_aspects.explanation.writing.sentences import alike_words, headline, strongest_words


class Rows(NamedTuple):
    """A group of rows, as `alike_words` needs it."""

    rows: tuple[int, ...]
    places: tuple[int, ...]


def alone(name, value, way="high", outside=1.0, typical=(4.0, 8.0), lift=0.001, p=0.005):
    one = Evidence(name, value, typical, None, way, outside)
    return Aspect((0,), (name,), score=lift, lift=lift, evidence=(one,), p_value=p)


def pair(other, value, expected=(6.7, 6.9), typical=(4.3, 7.7), lift=0.01, way="low", **changes):
    """An aspect that blames y = 4.24."""
    x = Evidence(other, value, (0.3, 7.7), (0.3, 7.7), "between")
    y = Evidence("y", 4.24, typical, expected, way, **({"outside": 12.3} | changes))
    return Aspect((0, 1), (other, "y"), score=lift, lift=lift, evidence=(x, y), p_value=0.005)


def together(*names, lift=0.01):
    """An aspect that blames nobody."""
    evidence = tuple(Evidence(name, 5.0, (0, 9), (1, 8), "between") for name in names)
    return Aspect(tuple(range(len(names))), names, score=lift, lift=lift, evidence=evidence)


@pytest.mark.parametrize(
    ("aspects", "words"),
    [
        ([], ""),
        ([Aspect((0,), ("x",), score=0.1)], ""),
        ([pair("x", 6.79)], "y = 4.24 is too low for x = 6.79: rows like it have 6.7 to 6.9"),
        (
            [pair("x", 6.79), pair("z", 3.76), pair("carat", 1.22)],
            "y = 4.24 is too low for x = 6.79, z = 3.76 and carat = 1.22: "
            "rows like it in x have 6.7 to 6.9",
        ),
        # the range that tells most
        (
            [pair("x", 6.79, outside=3.0), pair("z", 3.76, (6.8, 7.0), outside=9.0)],
            "y = 4.24 is too low for z = 3.76 and x = 6.79: rows like it in z have 6.8 to 7",
        ),
        (
            [pair("x", 6.79), pair("z", 3.76, (6.8, 7.0), outside=99.0, rough=True)],
            "y = 4.24 is too low for x = 6.79 and z = 3.76: rows like it in x have 6.7 to 6.9",
        ),
        # at most three companions
        (
            [pair(name, 1.0) for name in "abcde"],
            "y = 4.24 is too low for a = 1, b = 1 and c = 1: rows like it in a have 6.7 to 6.9",
        ),
        # far outside by itself
        (
            [pair("x", 6.79, typical=(6.1, 7.7)), pair("z", 3.76, typical=(6.1, 7.7))],
            "y = 4.24 is low (most rows 6.1 to 7.7)",
        ),
        # too low for one, too high for another: told apart, the stronger one first
        (
            [pair("x", 6.79, lift=0.001), pair("z", 2.1, (3.1, 3.9), way="high")],
            "y = 4.24 is too low for x = 6.79: rows like it have 6.7 to 6.9",
        ),
        # the feature that lies farthest outside, of those about equally rare
        (
            [
                alone("f3", 9.0, outside=0.3, lift=0.0001),
                alone("f1", 4400.0, outside=549.0, lift=0.0002),
            ],
            "f1 = 4,400 is high (most rows 4 to 8), as is f3 = 9",
        ),
        (
            [alone(f"f{i}", 9.0 + i, outside=i) for i in range(6)],
            "f5 = 14 is high (most rows 4 to 8), as are f0 = 9, f1 = 10 and f2 = 11",
        ),
        (
            [alone("a", 9.0), alone("b", 2.0, way="low"), alone("c", 99.0, lift=0.4, outside=9)],
            "a = 9 is high (most rows 4 to 8)",
        ),
        # the same value in all of them
        (
            [alone(name, 0.0, way="low", outside=1.0) for name in "xyz"],
            "x, y and z are 0 (most rows have x 4 to 8)",
        ),
        # a single feature that is much weaker does not hide the company it keeps
        (
            [pair("x", 6.79, lift=0.0001), alone("y", 4.24, "low", 0.1, (4.3, 7.7), lift=0.1)],
            "y = 4.24 is too low for x = 6.79: rows like it have 6.7 to 6.9",
        ),
        (
            [together("a", "b"), together("a", "c")],
            "a = 5 and b = 5 are each common, but rare together",
        ),
    ],
)
def test_the_headline_reads_like_this(aspects, words):
    assert headline(query(1, *aspects), "lift") == words


def test_without_convincing_aspects_there_is_no_headline():
    aspects = (alone("a", 9.0, p=0.3),)
    assert headline(QueryExplanation(1, 0.7, True, aspects, p_value=0.3), "lift") == ""


def test_weak_aspects_are_not_told_beside_convincing_ones():
    aspects = (alone("a", 9.0, outside=1.0), alone("b", 99.0, outside=9.0, p=0.2))
    row = QueryExplanation(1, 0.7, True, aspects, p_value=0.005, features={"a": 1.0})
    assert headline(row, "lift") == "a = 9 is high (most rows 4 to 8)"


@given(explanations())
def test_whatever_the_aspects_are_the_headline_is_printable(made):
    for row in made:
        assert headline(row, made.score_name).isprintable()


def test_rows_of_the_same_group_are_named_by_their_labels():
    made = explanation(query(3), query(5, label="TX5"), query(8), *map(query, range(20, 30)))
    group, alone_ = Rows((3, 5), (0, 1)), Rows((8,), (0,))
    groups = [group, alone_]
    assert alike_words(made, made[0], groups) == "1 other row is odd in the same way: TX5"
    assert alike_words(made, made[1], groups) == "1 other row is odd in the same way: 3"
    assert alike_words(made, made[2], groups) == ""
    many = Rows((3, *range(20, 30)), (0,) * 11)
    assert alike_words(made, made[0], [many]) == (
        "10 other rows are odd in the same way: 20, 21, 22, 23, 24 and 5 more"
    )


def test_of_several_groups_that_of_the_strongest_aspect_is_told():
    made = explanation(query(3), query(5), query(8))
    weaker, stronger = Rows((3, 5, 8), (2, 0, 0)), Rows((3, 8), (0, 1))
    words = alike_words(made, made[0], [weaker, stronger])
    assert words == "1 other row is odd in the same way: 8"


def test_the_headline_of_an_explanation_with_all_figures():
    assert headline(told()[0], "lift") == "proline = 1,680 is high (most rows 380 to 1,300)"


def test_what_is_not_convincing_is_told_by_the_very_aspect_whose_p_value_is_given():
    """A feature alone that is about as strong is not told in its place."""
    price = Evidence("price", 489.9, (8.0, 450.0), None, "high", 0.1)
    pair = Aspect(
        (0, 1),
        ("category", "price"),
        score=0.027,
        lift=0.027,
        p_value=0.057,
        evidence=(
            Evidence("category", "books", ("books", "toys"), ("phones",), "rare", 0.0),
            Evidence("price", 489.9, (8.0, 450.0), (6.0, 22.0), "high", 29.0),
        ),
    )
    alone = Aspect((1,), ("price",), score=0.065, lift=0.065, p_value=0.16, evidence=(price,))
    query = QueryExplanation(700, 1.2, True, (pair, alone), p_value=0.057)
    assert strongest_words(query, "lift").startswith(
        "price = 489.9 is too high for category = books: "
    )
