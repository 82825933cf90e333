"""What the detector says if the odd values were ordinary reads as a sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from explanation_cases import aspect, explanation, explanations, query, told
from hypothesis import given
from sklearn.covariance import EllipticEnvelope

from pyod_aspects import Aspect, AspectExplainer, Evidence, Explanation
from pyod_aspects.explanation import Replacement
from pyod_aspects.explanation.writing.sentences import agreement_words

Y = Evidence("y", 4.24, (4.3, 7.7), (6.7, 6.9), "low", 12.3)
X = Evidence("x", 6.79, (4.3, 7.7), (4.1, 7.4), "between")


def says(*evidence, repair=None, agreement=None, score=1.83):
    names = tuple(one.feature for one in evidence)
    one = Aspect(
        tuple(range(len(names))),
        names,
        score=0.01,
        lift=0.01,
        evidence=evidence,
        repair=repair,
        agreement=agreement,
    )
    rows = [query(2274, one, score=score)]
    made = Explanation(rows, "KNN", "SGBeam", {}, "lift", "count", 500, ("x", "y"))
    return agreement_words(made, made[0])


@pytest.mark.parametrize(
    ("repair", "words"),
    [
        (
            Replacement(("y",), 0.21, 0.97, 71.0),
            "With y between 6.7 and 6.9 KNN's score falls to 0.21, higher than 71 % of rows: "
            "this is what the detector saw",
        ),
        (
            Replacement(("y",), 0.4, 0.85, 98.2),
            "With y between 6.7 and 6.9 KNN's score falls to 0.4, higher than 98.2 % of rows: "
            "this is most of what the detector saw",
        ),
        (
            Replacement(("y",), 0.4, 0.88, 99.97),
            "With y between 6.7 and 6.9 KNN's score falls to 0.4, higher than 99.97 % of rows: "
            "this is most of what the detector saw",
        ),
        (
            Replacement(("y",), 1.02, 0.5, 99.997),
            "With y between 6.7 and 6.9 KNN's score falls to 1.02, higher than 99.997 % of rows: "
            "this is part of what the detector saw",
        ),
        (
            Replacement(("y",), 1.9, -0.1, 99.999),
            "With y between 6.7 and 6.9 KNN's score rises to 1.9, higher than 99.999 % of rows: "
            "the detector cannot confirm it, as the other values go even less with that",
        ),
        (
            Replacement(("y",), 1.83, 0.0, 99.999),
            "With y between 6.7 and 6.9 KNN's score stays 1.83, higher than 99.999 % of rows: "
            "this alone explains nothing of the score",
        ),
    ],
)
def test_a_repaired_feature_reads_like_this(repair, words):
    assert says(X, Y, repair=repair) == words


@pytest.mark.parametrize(
    ("evidence", "with_what"),
    [
        (Evidence("y", 9.0, (4.3, 7.7), None, "high", 1.0), "y between 4.3 and 7.7"),
        (Evidence("y", 9.0, (5.0, 5.0), None, "high", 1.0), "y = 5"),
        (Evidence("y", "J", ("G", "E", "F"), None, "rare", 1.0), "y = G, E or F"),
        (
            Evidence("y", "2024-01-05", ("2023-01-01", "2023-12-20"), None, "high", 1.0),
            "y between 2023-01-01 and 2023-12-20",
        ),
    ],
)
def test_the_values_that_it_could_have_had_are_named(evidence, with_what):
    words = says(evidence, repair=Replacement(("y",), 0.21, 0.97, 71.0))
    assert words.startswith(f"With {with_what} KNN's score falls to 0.21, ")


def test_without_a_repair_values_of_other_rows_are_told():
    words = says(X, Y, agreement=Replacement(("x", "y"), 0.21, 0.97, 71.0))
    assert words.startswith("With x and y of other rows KNN's score falls to 0.21, ")


def zeros(together=None, **shares):
    """What is said of features that are 0, whose repairs take these shares of the excess."""
    aspects = [
        Aspect(
            (i,),
            (name,),
            score=0.01,
            lift=0.01,
            evidence=(Evidence(name, 0.0, (2.6, 4.7), None, "low", 1.2),),
            repair=Replacement((name,), 5.0 - share, share, 99.9),
            agreement=Replacement((name,), 5.0 - share, share, 99.9),
        )
        for i, (name, share) in enumerate(shares.items())
    ]
    both = together and Replacement(tuple(shares), 5.0 - together, together, 90.0)
    rows = [replace(query(1, *aspects, score=5.0), repair=both)]
    made = Explanation(rows, "KNN", "SGBeam", {}, "lift", "count", 500, tuple(shares))
    return agreement_words(made, made[0])


def test_a_headline_of_several_features_is_not_refuted_by_the_repair_of_one():
    assert zeros(z=0.0).endswith(": this alone explains nothing of the score")
    assert zeros(z=0.1, x=0.2).endswith(": this explains little of the score")
    words = zeros(z=0.1, x=0.6)
    assert words.startswith("With x between 2.6 and 4.7 KNN's score falls to 4.4, ")
    assert words.endswith(": this is part of what the detector saw")


def test_features_that_are_odd_by_themselves_are_repaired_together():
    words = zeros(z=0.1, x=0.6, together=0.9)
    assert words == (
        "With z between 2.6 and 4.7 and x between 2.6 and 4.7 KNN's score falls to 4.1, "
        "higher than 90 % of rows: this is what the detector saw"
    )
    three = zeros(x=0.1, y=0.1, z=0.1, together=0.9)
    assert three.startswith("With x, y and z as most rows have them KNN's score falls to 4.1, ")
    assert zeros(x=0.1, y=0.1, together=0.2).endswith(": this explains little of the score")


def test_a_range_that_the_value_is_in_is_no_wish():
    """72 is rare, though inside the range of most rows: "x between 37 and 79" would be as it is."""
    high = Evidence("y", 8.0, (-4.0, 4.0), None, "high", 0.5)
    rare = Evidence("x", 72.0, (37.0, 79.0), None, "between")
    aspects = [
        Aspect((i,), (one.feature,), score=0.01, lift=0.01, evidence=(one,))
        for i, one in ((1, high), (0, rare))
    ]
    repair = Replacement(("x", "y"), 1.0, 0.5, 99.0)
    rows = [replace(query(1, *aspects, score=1.83), repair=repair)]
    made = Explanation(rows, "KNN", "SGBeam", {}, "lift", "count", 500, ("x", "y"))
    words = agreement_words(made, made[0])
    assert words.startswith("With y between -4 and 4 and x of other rows KNN's score falls to 1, ")


def test_if_all_features_of_an_aspect_say_more_than_one_of_them_they_are_told():
    little, part = Replacement(("y",), 1.7, 0.1, 99.9), Replacement(("y",), 1.0, 0.5, 99.0)
    both = Replacement(("x", "y"), 1.1, 0.45, 99.0)
    words = says(X, Y, repair=little, agreement=both)
    assert words.startswith("With x and y of other rows KNN's score falls to 1.1, ")
    assert words.endswith(": this is part of what the detector saw")
    words = says(X, Y, repair=part, agreement=both)
    assert words.startswith("With y between 6.7 and 6.9 KNN's score falls to 1, ")
    refuted = says(X, Y, repair=little, agreement=replace(both, share=0.2))
    assert refuted.endswith(": this explains little of the score")


@pytest.mark.parametrize(
    ("share", "verdict"),
    [
        (0.4, "the detector rather saw hue = 16"),
        (0.2, "this explains little of the score"),
    ],
)
def test_features_that_the_detector_saw_rather_are_named(share, verdict):
    low = Evidence("z", 0.0, (2.6, 4.7), None, "low", 1.2)
    hue = Evidence("hue", 16.0, (7.9, 12.0), None, "high", 1.0)
    first = Aspect(
        (0,),
        ("z",),
        score=0.01,
        evidence=(low,),
        p_value=0.01,
        repair=Replacement(("z",), 4.5, 0.1, 99.0),
    )
    other = Aspect(
        (1,),
        ("hue",),
        score=0.02,
        evidence=(hue,),
        p_value=0.2,
        agreement=Replacement(("hue",), 3.0, share, 95.0),
    )
    row = replace(query(1, first, other, score=5.0), p_value=0.01, features={"z": 1.0})
    made = Explanation(
        [row], "KNN", "SGBeam", {}, "lift", "count", 500, ("z", "hue"), n_reference=200
    )
    assert agreement_words(made, made[0]).endswith(f": {verdict}")


class Known(NamedTuple):
    """The part of a background that is needed."""

    threshold: float | None
    scores: np.ndarray = np.array([0.1, 0.5, 1.83])


@pytest.mark.parametrize(
    ("repair", "threshold", "words"),
    [
        (
            Replacement(("y",), 0.79, 0.97, 71.0),
            1.1,
            "falls to 0.79, higher than 71 % of rows, no longer an anomaly (threshold 1.1): "
            "this is what the detector saw",
        ),
        # not above the threshold: whatever the share is, and however high the score
        (
            Replacement(("y",), 1.1, 0.5, 97.0),
            1.1,
            "falls to 1.1, higher than 97 % of rows, no longer an anomaly (threshold 1.1): "
            "this is what the detector saw",
        ),
        (
            Replacement(("y",), 1.0, 0.9, 97.0),
            1.1,
            "falls to 1, higher than 97 % of rows, no longer an anomaly (threshold 1.1): "
            "this is what the detector saw",
        ),
        (
            Replacement(("y",), 1.2, 0.5, 98.0),
            1.1,
            "falls to 1.2, higher than 98 % of rows, still an anomaly (threshold 1.1): "
            "this is part of what the detector saw",
        ),
        # the row's own percentile is not repeated
        (
            Replacement(("y",), 1.7, 0.9, 99.2),
            1.1,
            "falls to 1.7, still an anomaly (threshold 1.1): this is most of what the detector saw",
        ),
        (
            Replacement(("y",), 1.83, 0.0, 99.2),
            1.1,
            "stays 1.83, still an anomaly (threshold 1.1): "
            "this alone explains nothing of the score",
        ),
        # no threshold
        (
            Replacement(("y",), 1.7, 0.5, 99.2),
            None,
            "falls to 1.7, higher than 99.2 % of rows: this is part of what the detector saw",
        ),
    ],
)
def test_a_threshold_decides_whether_the_row_would_still_be_an_anomaly(repair, threshold, words):
    one = Aspect((0, 1), ("x", "y"), score=0.01, lift=0.01, evidence=(X, Y), repair=repair)
    made = explanation(query(2274, one, score=1.83), detector="KNN", score_name="lift")
    made = replace(made, background=Known(threshold))
    assert agreement_words(made, made[0]) == f"With y between 6.7 and 6.9 KNN's score {words}"


def test_features_that_belong_together_are_not_said_to_be_unseen_by_the_detector():
    """Of three sizes that go together, two are replaced: the row becomes odder still."""
    rng = np.random.default_rng(0)
    size = rng.lognormal(0.0, 0.5, 400)
    X = size[:, None] * np.exp(rng.normal(0.0, 0.05, (400, 3)))
    X[0] = 6.0, 6.1, 4.0
    made = AspectExplainer(EllipticEnvelope(random_state=0).fit(X)).fit(X).explain(rows=[0])
    [row] = made = made.with_agreement()
    assert row.repair.share < -0.1
    words = agreement_words(made, row)
    assert " score rises to " in words
    assert words.endswith(
        ": the detector cannot confirm it, as the other values go even less with that"
    )


def test_if_all_features_are_replaced_none_is_said_to_go_less_with_them():
    high = Evidence("y", 9.0, (4.3, 7.7), None, "high", 1.0)
    rises = Replacement(("y",), 2.9, -0.9, 99.0)
    one = Aspect((0,), ("y",), score=0.01, lift=0.01, evidence=(high,), repair=rises)
    rows = [query(1, one, score=1.83)]
    made = Explanation(rows, "KNN", "SGBeam", {}, "lift", "count", 500, ("y",))
    assert agreement_words(made, made[0]).endswith(": the detector cannot confirm it")


def test_of_a_row_that_is_no_anomaly_the_threshold_is_not_told():
    repair = Replacement(("y",), 0.79, 0.5, 71.0)
    one = Aspect((0, 1), ("x", "y"), score=0.01, lift=0.01, evidence=(X, Y), repair=repair)
    made = explanation(query(1, one, score=1.0, is_anomaly=False), score_name="lift")
    words = agreement_words(replace(made, background=Known(1.1)), made[0])
    assert words.endswith("higher than 71 % of rows: this is part of what the detector saw")


def test_without_agreement_nothing_is_said():
    made = explanation(query(1, aspect(0)), query(2))
    assert [agreement_words(made, row) for row in made] == ["", ""]
    assert agreement_words(told(), told()[0]).startswith("With proline between 380 and 1,300 ")


@given(explanations())
def test_whatever_the_detector_says_is_printable(made):
    for row in made:
        assert agreement_words(made, row).isprintable()
