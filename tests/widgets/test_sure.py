"""How sure each row is comes last, and does not disturb those who read."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
from widget_parts import LONG, headline, lines, picture, read

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects.explanation.writing.wording import is_convincing

pytest.importorskip("ipywidgets")


def sure(browser):
    return read(browser.view.answer.sure)


def rows(browser):
    return lines(browser.view.lists.rows)


@pytest.fixture
def far_out(X, detector):
    """An explanation in which some rows are convincing and others are not."""
    table = X.copy()
    table.iloc[5, 0] = 40.0
    explainer = AspectExplainer(detector, SGBeam(max_dim=1)).fit(table)
    explanation = explainer.explain(rows=[5, 7, 8])
    assert {is_convincing(explanation, query) for query in explanation} == {True, False}
    return explanation


def test_a_fact_says_how_sure_the_chosen_row_is(far_out):
    browser = far_out.explore()
    browser.row = 5
    assert sure(browser) == ("ConvincingNo ordinary row of 200 has an aspect as strong (p = 0.005)")
    browser.row = 7
    p = far_out.row(7).p_value
    assert sure(browser).startswith("Nothing convincing")
    assert f"{100 * p:.0f} % of ordinary rows have an aspect as strong (p = {p:.2g})" in sure(
        browser
    )


def test_the_list_says_which_rows_are_not_convincing(far_out):
    browser = far_out.explore()
    told = {line.split(":")[0]: "nothing convincing" in line for line in rows(browser)}
    assert told == {"Row 5": False, "Row 7": True, "Row 8": True}
    assert "1 explained, 2 nothing convincing" in read(browser.view.header.found)


def test_without_p_values_the_list_is_silent_and_the_fact_says_so(explanation):
    queries = tuple(replace(query, p_value=None) for query in explanation)
    browser = replace(explanation, queries=queries, n_reference=0).explore()
    assert not any("nothing convincing" in line for line in rows(browser))
    assert sure(browser).startswith("How sureNo p-value: ")


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
        assert "Still being worked out" in sure(browser)
        assert "no p-value" not in sure(browser)
        browser.row = browser.explanation[1].row
        browser.aspect = 1
        before = browser.row, picture(browser), browser.view.lists.scores.value
        drawn = []
        browser.view.answer.picture.observe(drawn.append, "value")
        browser.view.lists.scores.observe(drawn.append, "value")
    finally:
        go_on.set()
    assert browser.wait(LONG)
    assert browser.query.p_value is not None
    assert (browser.row, picture(browser), browser.view.lists.scores.value) == before
    assert browser.aspect == 1
    assert drawn == []
    assert f"(p = {browser.query.p_value:.2g})" in sure(browser)
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
    assert "No p-value: no ordinary rows were searched" in sure(browser)
    assert "n_reference=0" in browser.code()


def test_a_row_that_is_added_to_what_is_convincing_must_be_convincing(far_out):
    browser = far_out.convincing().explore()
    assert [len(query.aspects) > 0 for query in browser.explanation] == [
        query.row == 5 for query in browser.explanation
    ]
    browser.explain_row(11)
    assert browser.wait(LONG)
    assert len(browser.explanation) == 4
    assert browser.query.aspects == ()
    assert "Nothing convincing" in headline(browser)


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
