"""How sure each row is comes last, and does not disturb those who read."""

from __future__ import annotations

import re
import threading
from dataclasses import replace

import numpy as np
import pytest
from widget_parts import LONG, picture

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects.explanation.wording import is_convincing, sure_words

pytest.importorskip("ipywidgets")


def sure(browser):
    return re.sub("<[^>]*>", "", browser.view.sure.value)


@pytest.fixture
def far_out(X, detector):
    """An explanation in which some rows are convincing and others are not."""
    table = X.copy()
    table.iloc[5, 0] = 40.0
    explainer = AspectExplainer(detector, SGBeam(max_dim=1)).fit(table)
    explanation = explainer.explain(rows=[5, 7, 8])
    assert {is_convincing(explanation, query) for query in explanation} == {True, False}
    return explanation


def test_the_line_under_the_rows_says_how_sure_the_chosen_one_is(far_out):
    browser = far_out.explore()
    browser.row = 5
    assert sure(browser) == "No ordinary row of 200 has an aspect as strong (p = 0.005)."
    browser.row = 7
    assert sure(browser) == f"N{sure_words(far_out, far_out.row(7))[1:]}."
    assert sure(browser).startswith("Nothing convincing: ")


def test_the_list_says_which_rows_are_convincing(far_out):
    browser = far_out.explore()
    told = {row: text.split("\u00a0")[-1] for text, row in browser.view.rows.options}
    assert told == {5: "yes", 7: "no", 8: "no"}
    assert browser.view.rows_head.value.endswith("sure</p>")


def test_without_p_values_the_list_is_silent_and_the_line_says_so(explanation):
    queries = tuple(replace(query, p_value=None) for query in explanation)
    browser = replace(explanation, queries=queries, n_reference=0).explore()
    assert {text.split("\u00a0")[-1] for text, _ in browser.view.rows.options} == {"yes"}
    assert sure(browser).startswith("No p-value: ")


def test_p_values_come_last_and_leave_the_reader_alone(X, detector, monkeypatch):
    """Row and aspect stay chosen, and nothing is drawn again."""
    shown, go_on = threading.Event(), threading.Event()
    explainer = AspectExplainer(detector, SGBeam(max_dim=2), n_queries=2).fit(X)
    search = type(explainer.reference_).search

    def slow(self, *args):
        shown.set()
        assert go_on.wait(LONG)
        search(self, *args)

    monkeypatch.setattr(type(explainer.reference_), "search", slow)
    browser = explainer.explore()
    try:
        assert shown.wait(LONG)
        assert len(browser.explanation) == 2
        assert browser.query.p_value is None
        assert sure(browser).startswith("How sure? The search tells at its end")
        browser.row = browser.explanation[1].row
        browser.aspect = 1
        before = browser.row, picture(browser), browser.view.scores.value
        drawn = []
        browser.view.picture.observe(drawn.append, "value")
        browser.view.scores.observe(drawn.append, "value")
    finally:
        go_on.set()
    assert browser.wait(LONG)
    assert browser.query.p_value is not None
    assert (browser.row, picture(browser), browser.view.scores.value) == before
    assert browser.aspect == browser.view.aspects.value == 1
    assert drawn == []
    assert sure(browser) == f"{sure_words(browser.explanation, browser.query).capitalize()}."
    assert browser.explanation == explainer.explain()


def test_a_cancelled_search_has_no_p_values(X, detector, monkeypatch):
    explainer = AspectExplainer(detector, SGBeam(max_dim=1), n_queries=2).fit(X)
    opened = threading.Event()

    def cancel(*args):
        assert opened.wait(LONG)
        browser.cancel()

    monkeypatch.setattr(type(explainer.reference_), "search", cancel)
    browser = explainer.explore()
    opened.set()
    assert browser.wait(LONG)
    assert len(browser.explanation) == 2
    assert sure(browser).startswith("No p-value: no ordinary rows were searched")
    assert "n_reference=0" in browser.code()


def test_a_row_that_is_added_has_its_p_value_from_the_same_reference_rows(X, detector):
    explainer = AspectExplainer(detector, SGBeam(max_dim=1), 2, n_reference=50).fit(X)
    explanation = explainer.explain()
    explanation.background.explainer.n_reference = "auto"
    browser = explanation.explore()
    row = int(np.argsort(explainer.scores_)[0])
    browser.explain_row(row)
    assert browser.wait(LONG)
    assert browser.explanation.n_reference == 50
    assert browser.query == explainer.explain(rows=row)[0]
