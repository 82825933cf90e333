"""The evidence of an aspect reads as a sentence that an analyst would say."""

from __future__ import annotations

import pytest
from explanation_cases import explanations
from hypothesis import given

from pyod_aspects import Aspect, Evidence
from pyod_aspects.explanation.sentences import evidence_words

AREA = Evidence("area", 2499.0, (200.0, 1300.0), None, "high", 1.09)
X = Evidence("x", 6.79, (4.3, 7.7), (4.1, 4.4), "high", 7.967)
Y = Evidence("y", 4.24, (4.3, 7.7), (6.7, 6.9), "low", 12.3)
CUT = Evidence("cut", "Ideal", ("Ideal", "Premium"), ("Ideal", "Good"), "between")
COLOUR = Evidence("color", "J", ("G", "E", "F"), ("G", "E"), "rare", 1.0)


def aspect(*evidence):
    names = tuple(one.feature for one in evidence)
    return Aspect(tuple(range(len(names))), names, score=0.1, evidence=evidence)


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ((), ""),
        # one feature
        ((AREA,), "area = 2,499 is high (most rows 200 to 1,300)"),
        (
            (Evidence("t", 3.5, (1.0, 9.0), None, "between"),),
            "t = 3.5 is rare, though most rows lie around it (1 to 9)",
        ),
        ((Evidence("t", 3.5, (5.0, 5.0), None, "low", 0.3),), "t = 3.5 is low (most rows 5)"),
        (
            (Evidence("color", "J", ("G", "E", "F"), None, "rare", 1.0),),
            "color = J is rare (most rows G, E or F)",
        ),
        ((Evidence("color", "J", ("G",), None, "rare", 1.0),), "color = J is rare (most rows G)"),
        (
            (Evidence("sold", "2024-01-05", ("2023-01-01", "2023-12-20"), None, "high", 0.1),),
            "sold = 2024-01-05 is high (most rows 2023-01-01 to 2023-12-20)",
        ),
        (
            (Evidence("y", "missing", (1.0, 2.0), None, "rare", 1.0),),
            "y is missing, though other rows have it",
        ),
        ((Evidence("y", "missing", ("missing",), None, "rare"),), "y is missing"),
        (
            (Evidence("y", 3.0, ("missing",), None, "rare", 1.0),),
            "y = 3, though most rows have none",
        ),
        ((Evidence("y", 3.0, (), None, "between"),), "y = 3 is rare"),
        # two features: the one that lies farthest outside comes first
        ((X, Y), "y = 4.24 is too low for x = 6.79: rows like it have 6.7 to 6.9"),
        ((Y, X), "y = 4.24 is too low for x = 6.79: rows like it have 6.7 to 6.9"),
        (
            (X, Evidence("y", 4.24, (4.3, 7.7), (6.7, 6.9), "low", 12.3, rough=True)),
            "x = 6.79 is too high for y = 4.24: rows like it have 4.1 to 4.4",
        ),
        (
            (CUT, Evidence("y", 4.24, (4.3, 7.7), (6.7, 6.9), "low", 12.3, rough=True)),
            "y = 4.24 is too low for cut = Ideal: the rows most like it have 6.7 to 6.9",
        ),
        ((COLOUR, CUT), "color = J is rare where cut = Ideal: rows like it have G or E"),
        (
            (X, Evidence("y", "missing", (1.0, 2.0), (1.0, 1.5), "rare", 9.0)),
            "y is missing, though rows with x = 6.79 have it",
        ),
        (
            (Y, Evidence("w", "missing", (1.0, 2.0), (1.0, 1.5), "rare", 1.0)),
            "y = 4.24 is too low for w missing: rows like it have 6.7 to 6.9",
        ),
        (
            (CUT, Evidence("y", 3.0, (1.0, 4.0), ("missing",), "rare", 1.0)),
            "y = 3, though rows with cut = Ideal have none",
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
        # a gap
        (
            (CUT, Evidence("t", 3.5, (1.0, 9.0), (1.0, 8.0), "between")),
            "cut = Ideal and t = 3.5 are each common, but rare together",
        ),
        # three features
        (
            (CUT, X, Y),
            "y = 4.24 is too low for cut = Ideal and x = 6.79: rows like it have 6.7 to 6.9",
        ),
        # names and labels that would garble a terminal, or fill it
        (
            (Evidence("a\nb", "\x1b[31m", ("x" * 50,), None, "rare", 1.0),),
            rf"a\nb = \x1b[31m is rare (most rows {'x' * 20}…{'x' * 19})",
        ),
    ],
)
def test_the_sentence_reads_like_this(evidence, words):
    assert evidence_words(aspect(*evidence)) == words


@given(explanations())
def test_whatever_the_evidence_is_there_is_a_sentence(made):
    for query in made:
        for one in query.aspects:
            words = evidence_words(one)
            assert (words == "") == (one.evidence == ())
            assert words.isprintable()


def test_a_value_that_hardly_stands_out_is_not_called_rare():
    between = Evidence("area", 700.0, (200.0, 1300.0), None, "between", 0.0)
    label = Evidence("colour", "red", ("blue", "red"), None, "rare", 1.0)
    for evidence in (between, label):
        weak, strong = (
            evidence_words(
                Aspect((0,), (evidence.feature,), score=lift, lift=lift, evidence=(evidence,))
            )
            for lift in (0.6, 0.4)
        )
        assert "is less common" in weak
        assert "is rare" in strong
