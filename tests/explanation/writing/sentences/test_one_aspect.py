"""The evidence of an aspect reads as a sentence that an analyst would say."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from explanation_cases import explanations
from hypothesis import given

from pyod_aspects import Aspect, Evidence
from pyod_aspects.explanation.writing.sentences import evidence_words

AREA = Evidence("area", 2499.0, (200.0, 1300.0), None, "high", 1.09)
X = Evidence("x", 6.79, (4.3, 7.7), (4.1, 4.4), "high", 7.967)
Y = Evidence("y", 4.24, (4.3, 7.7), (6.7, 6.9), "low", 12.3)
CUT = Evidence("cut", "Ideal", ("Ideal", "Premium"), ("Ideal", "Good"), "between")
COLOUR = Evidence("color", "J", ("G", "E", "F"), ("G", "E"), "rare", 1.0)


def aspect(*evidence, density=math.nan, lift=math.nan):
    names = tuple(one.feature for one in evidence)
    figures = {"density": density, "lift": lift}
    return Aspect(tuple(range(len(names))), names, score=0.1, evidence=evidence, **figures)


# Evidence, and the sentence: read them aloud.
ONE_FEATURE = [
    ((), ""),
    ((AREA,), "area = 2,499 is high (most rows 200 to 1,300)"),
    ((Evidence("t", 3.5, (5.0, 5.0), None, "low", 0.3),), "t = 3.5 is low (most rows 5)"),
    # between common values
    (
        (Evidence("t", 3.5, (1.0, 9.0), None, "between"),),
        "t = 3.5 is rare, though inside the range of most rows (1 to 9)",
    ),
    (
        (Evidence("x", 5.0, (1.0, 9.0), None, "between", gap=(4.1, 5.9)),),
        "x = 5 lies in a gap: no other row is between 4.1 and 5.9",
    ),
    (
        (
            Evidence(
                "sold",
                "2023-06-02",
                ("2023-01-01", "2023-12-20"),
                None,
                "between",
                gap=("2023-05-01", "2023-07-30"),
            ),
        ),
        "sold = 2023-06-02 lies in a gap: no other row is between 2023-05-01 and 2023-07-30",
    ),
    # a category
    (
        (Evidence("color", "J", ("G", "E", "F"), None, "rare", 1.0),),
        "color = J is rare (most rows G, E or F)",
    ),
    ((Evidence("color", "J", ("G",), None, "rare", 1.0),), "color = J is rare (most rows G)"),
    ((Evidence("color", "J", ("J",), None, "rare"),), "color = J is rare"),
    ((Evidence("city", "Ulm", (), None, "rare"),), "city = Ulm is rare"),
    (
        (Evidence("color", "J", ("G", "E", "J"), None, "rare"),),
        "color = J is less common than G or E",
    ),
    # labels come with the most frequent first: rarer ones do not count
    (
        (Evidence("country", "FR", ("DE", "FR", "ES", "IT"), None, "rare"),),
        "country = FR is less common than DE",
    ),
    (
        (Evidence("smoker", "True", ("False",), None, "rare", 1.0),),
        "smoker = True is rare (most rows False)",
    ),
    # a time
    (
        (Evidence("sold", "2024-01-05", ("2023-01-01", "2023-12-20"), None, "high", 0.1),),
        "sold = 2024-01-05 is late (most rows 2023-01-01 to 2023-12-20)",
    ),
    (
        (
            Evidence(
                "sold", "2019-01-05 13:30 UTC", ("2023-01-01 UTC", "2023-12-20 UTC"), None, "low"
            ),
        ),
        "sold = 2019-01-05 13:30 UTC is early (most rows 2023-01-01 UTC to 2023-12-20 UTC)",
    ),
    # a number whose digits all matter is text, too
    (
        (Evidence("id", "1,152,921,504,606,846,983", ("1", "2"), None, "high", 0.1),),
        "id = 1,152,921,504,606,846,983 is high (most rows 1 to 2)",
    ),
    # missing, and a category of that name
    (
        (Evidence("y", None, (1.0, 2.0), None, "rare", 1.0),),
        "y is missing, though other rows have it",
    ),
    ((Evidence("y", None, (None,), None, "rare"),), "y is missing"),
    (
        (Evidence("y", 3.0, (None,), None, "rare", 1.0),),
        "y = 3, though it is missing in most rows",
    ),
    (
        (Evidence("y", "missing", ("a", "missing", ""), None, "rare", 1.0),),
        'y = "missing" is less common than a',
    ),
    # nothing to compare with
    ((Evidence("y", 3.0, (), None, "between"),), "y = 3 is rare"),
    # names and labels that would garble a terminal, or fill it
    (
        (Evidence("a\nb", "\x1b[31m", ("x" * 50,), None, "rare", 1.0),),
        rf"a\nb = \x1b[31m is rare (most rows {'x' * 20}…{'x' * 19})",
    ),
]

SEVERAL_FEATURES = [
    # The one that lies farthest outside comes first.
    ((X, Y), "y = 4.24 is too low for x = 6.79: rows like it have 6.7 to 6.9"),
    ((Y, X), "y = 4.24 is too low for x = 6.79: rows like it have 6.7 to 6.9"),
    # A rough range counts for less.
    (
        (X, replace(Y, rough=True)),
        "x = 6.79 is too high for y = 4.24: rows like it have 4.1 to 4.4",
    ),
    (
        (CUT, replace(Y, rough=True)),
        "y = 4.24 is too low for cut = Ideal: the rows most like it have 6.7 to 6.9",
    ),
    # categories
    ((COLOUR, CUT), "color = J is unusual for cut = Ideal: rows like it have G or E"),
    (
        (COLOUR, replace(X, outside=0.0)),
        "color = J is unusual for x = 6.79: rows like it have G or E",
    ),
    # times
    (
        (CUT, Evidence("sold", "2024-01-05", (), ("2023-01-01", "2023-12-20"), "high", 0.1)),
        "sold = 2024-01-05 is too late for cut = Ideal: rows like it have 2023-01-01 to 2023-12-20",
    ),
    # missing values
    (
        (X, Evidence("y", None, (1.0, 2.0), (1.0, 1.5), "rare", 9.0)),
        "y is missing, though rows with x = 6.79 have it",
    ),
    (
        (replace(X, value=None), Evidence("y", None, (1.0, 2.0), (1.0, 1.5), "rare", 9.0)),
        "y is missing, though rows without x have it",
    ),
    (
        (Y, Evidence("w", None, (1.0, 2.0), (1.0, 1.5), "rare", 1.0)),
        "y = 4.24 is too low where w is missing: rows like it have 6.7 to 6.9",
    ),
    (
        (Y, CUT, *(Evidence(name, None, (1.0, 2.0), (1.0, 1.5), "rare", 1.0) for name in "vw")),
        "y = 4.24 is too low for cut = Ideal where v and w are missing: "
        "rows like it have 6.7 to 6.9",
    ),
    (
        (CUT, Evidence("y", 3.0, (1.0, 4.0), (None,), "rare", 1.0)),
        "y = 3, though it is missing in rows with cut = Ideal",
    ),
    # inside of what is expected, outside of what is typical
    (
        (CUT, Evidence("y", 9.5, (4.3, 7.7), (4.0, 10.0), "high")),
        "y = 9.5 is high (most rows 4.3 to 7.7), and rarer with cut = Ideal",
    ),
    (
        (CUT, Evidence("color", "J", ("G", "E"), ("G", "J"), "rare")),
        "color = J is rare (most rows G or E), and rarer with cut = Ideal",
    ),
    # a density that does not say what is near
    (
        (CUT, Evidence("y", 9.5, (4.3, 7.7), None, "high")),
        "y = 9.5 is high (most rows 4.3 to 7.7), and rarer with cut = Ideal",
    ),
    # nobody to blame
    (
        (CUT, Evidence("t", 3.5, (1.0, 9.0), (1.0, 8.0), "between")),
        "cut = Ideal and t = 3.5 are each common, but rare together",
    ),
    (
        (CUT, Evidence("city", "Ulm", (), (), "between")),
        "cut = Ideal and city = Ulm are rare together",
    ),
    # three features
    (
        (CUT, X, Y),
        "y = 4.24 is too low for cut = Ideal and x = 6.79: rows like it have 6.7 to 6.9",
    ),
    (
        (CUT, *(Evidence(name, 3.5, (1.0, 9.0), (1.0, 8.0), "between") for name in "tu")),
        "cut = Ideal, t = 3.5 and u = 3.5 are each common, but rare together",
    ),
]


@pytest.mark.parametrize(("evidence", "words"), ONE_FEATURE + SEVERAL_FEATURES)
def test_the_sentence_reads_like_this(evidence, words):
    assert evidence_words(aspect(*evidence)) == words


@given(explanations())
def test_whatever_the_evidence_is_there_is_a_sentence(made):
    for query in made:
        for one in query.aspects:
            words = evidence_words(one)
            assert (words == "") == (one.evidence == ())
            assert words.isprintable()


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        (
            [Evidence("color", "J", ("G", "E"), None, "rare", 1.0)],
            "color = J occurs in no other row (most rows G or E)",
        ),
        ([Evidence("city", "Ulm", (), None, "rare")], "city = Ulm occurs in no other row"),
        (
            [Evidence("t", 3.5, (1.0, 9.0), None, "between")],
            "t = 3.5 is rare, though inside the range of most rows (1 to 9)",
        ),
        (
            [CUT, Evidence("t", 3.5, (1.0, 9.0), (1.0, 8.0), "between")],
            "cut = Ideal and t = 3.5 are each common, but not found together",
        ),
        (
            [CUT, Evidence("city", "Ulm", (), (), "between")],
            "cut = Ideal and city = Ulm are together in no other row",
        ),
    ],
)
def test_what_no_other_row_has_is_said(evidence, words):
    """The row itself is counted, so that one row nearby means no other."""
    assert evidence_words(aspect(*evidence, density=1.0, lift=0.01)) == words
    assert evidence_words(aspect(*evidence, density=1.0)) != words or "other" not in words
    assert "no other" not in evidence_words(aspect(*evidence, density=2.0, lift=0.01))


def test_a_value_that_hardly_stands_out_is_not_called_rare():
    between = Evidence("area", 700.0, (200.0, 1300.0), None, "between", 0.0)
    label = Evidence("colour", "red", ("blue",), None, "rare", 1.0)
    for evidence in (between, label):
        weak, strong = (
            evidence_words(
                Aspect((0,), (evidence.feature,), score=lift, lift=lift, evidence=(evidence,))
            )
            for lift in (0.6, 0.4)
        )
        assert "is less common" in weak
        assert "is rare" in strong


@pytest.mark.parametrize(
    ("density", "lift", "how"),
    [
        (587.0, 0.2, "less common"),
        (587.0, 0.05, "rare"),  # far more are expected
        (12.0, 0.2, "rare"),
        (12.0, 0.6, "less common"),
    ],
)
def test_a_value_with_many_rows_nearby_is_not_called_rare(density, lift, how):
    depth = Evidence("depth", 63.7, (59.3, 63.8), None, "between")
    words = evidence_words(aspect(depth, density=density, lift=lift))
    assert words.startswith(f"depth = 63.7 is {how}, though inside ")


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        (
            Evidence("a", -0.1815, (0.5, 3.6), (2.0, 2.0), "low", 0.7, rough=True),
            "a = -0.1815 is too low for id = user_3: few rows are like it, and these have 2",
        ),
        (
            Evidence("a", "J", ("G", "E"), ("G",), "rare", 1.0, rough=True),
            "a = J is unusual for id = user_3: few rows are like it, and these have G",
        ),
        (
            Evidence("a", -0.1815, (0.5, 3.6), (2.0, 2.0), "low", 0.7),
            "a = -0.1815 is too low for id = user_3: rows like it have 2",
        ),
    ],
)
def test_a_range_of_one_value_from_few_rows_is_not_told_as_a_range(evidence, words):
    given = Evidence("id", "user_3", (), (), "between")
    assert evidence_words(aspect(evidence, given)) == words
