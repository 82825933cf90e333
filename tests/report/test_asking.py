"""The detector is asked if it agrees, where that is wanted, possible and quick."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from html_page import Page
from pyod.models.cof import COF
from pyod.models.knn import KNN

from pyod_aspects import Aspect, AspectExplainer, Evidence, Explanation, QueryExplanation
from pyod_aspects._util.numbers import set_minus
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.explanation import Replacement
from pyod_aspects.explanation.writing.sentences import agreement_words
from pyod_aspects.report.asking import ask_detector
from pyod_aspects.report.limits import OPEN_ROWS
from pyod_aspects.report.parts import arrange


@pytest.fixture(scope="module")
def X():
    X = np.random.default_rng(0).normal(size=(300, 3))
    X[0] = [9.0, 0.0, 0.0]
    return X


@pytest.fixture(scope="module")
def made(X) -> Explanation:
    return AspectExplainer(KNN().fit(X), n_queries=2).fit(X).explain()


def test_a_quick_detector_is_asked(made):
    words = Page(made.to_html()).words
    asked = made.with_agreement()
    said, _, verdict = agreement_words(asked, asked[0]).rpartition(": ")
    assert said
    assert set_minus(said) in words
    assert verdict[1:] in words


def test_nobody_is_asked_if_that_is_not_wanted(made):
    words = Page(made.to_html(agreement=False)).words
    assert "KNN's score" not in words
    assert "was not asked" not in words


def test_a_slow_detector_is_not_asked_unless_wanted(X):
    """COF scores a row among all others, so that each question takes the whole table."""
    made = AspectExplainer(COF().fit(X), n_reference=0).fit(X).explain()
    page = Page(made.to_html())
    assert (
        page.words.count("was not asked whether it agrees: it would have to score the whole table")
        == 1
    )
    assert "to_html(agreement=True) asks." in page.words
    assert "COF's score" not in page.words


def test_if_all_rows_take_too_many_scores_the_open_ones_are_asked_about():
    X = np.random.default_rng(0).normal(size=(400, 3))
    X[:8, 0], X[8:16, 1] = 20 + np.arange(8), -20 - np.arange(8)
    made = AspectExplainer(KNN().fit(X), n_queries=16, n_reference=0).fit(X).explain()
    assert len(made) > OPEN_ROWS
    asked, note = ask_detector(made, "auto")
    assert note.startswith("The detector was asked whether it agrees about the rows that are open")
    assert re.search(r"for all 16 rows it would have to score about 1,\d00 rows\. to_html", note)
    said = {query.row for query in asked if agreement_words(asked, query)}
    assert said == arrange(made).open
    assert 0 < len(said) < len(made)


def test_rows_with_nothing_convincing_are_not_asked_about(made):
    first, *others = made
    unsure = [replace(query, p_value=0.9, features={}) for query in others]
    asked = ask_detector(replace(made, queries=(first, *unsure)), True).explanation
    assert [any(a.agreement for a in query.aspects) for query in asked] == [True, False]
    nothing = replace(made, queries=tuple(unsure))
    assert ask_detector(nothing, True) == (nothing, "")


def test_an_answer_that_is_there_is_kept(made):
    known = made.with_agreement(n_samples=3)
    assert ask_detector(known, True).explanation is known
    assert ask_detector(known, "auto").explanation is known


def test_who_cannot_be_asked_says_why_once(X):
    scores = np.abs(X).max(axis=1)
    made = AspectExplainer.from_scores(scores, n_queries=3, n_reference=0).fit(X).explain()
    for agreement in ("auto", True):
        words = Page(made.to_html(agreement=agreement)).words
        assert words.count("it cannot be asked whether it agrees") == 1
    assert "cannot be asked" not in Page(made.to_html(agreement=False)).words


def test_without_the_table_nobody_is_asked(made):
    read = Explanation.from_json(made.to_json())
    assert ask_detector(read, True) == (read, "")


def test_no_other_word_is_taken(made):
    with pytest.raises(InvalidInputError, match=r'agreement=.yes.: expected "auto", True or False'):
        made.to_html(agreement="yes")


def test_the_bar_shows_the_share_of_the_answer_that_is_told():
    aspects = [
        Aspect(
            (i,),
            (name,),
            score=0.01,
            lift=0.01,
            evidence=(Evidence(name, 0.0, (2.6, 4.7), None, "low", 1.2),),
            repair=Replacement((name,), 5.0 - share, share, 99.9),
        )
        for i, (name, share) in enumerate({"z": 0.1, "x": 0.6}.items())
    ]
    told = Explanation(
        [QueryExplanation(1, 5.0, True, aspects)],
        *("KNN", "SGBeam", {}, "lift", "count", 500, ("z", "x")),
    )
    page = Page(told.to_html())
    assert "With x between 2.6 and 4.7 KNN's score falls to 4.4" in page.words
    (bar,) = page.all("span", "bar")
    assert bar["title"].endswith(": 60 %")
