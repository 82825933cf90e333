"""The browser calls rows by their labels, and takes positions and labels."""

from __future__ import annotations

import pytest
from widget_parts import LONG, picture, status, words

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects.exceptions import QueryError

pytest.importorskip("ipywidgets")


@pytest.fixture(scope="module")
def labelled(X, detector):
    names = [f"<b>{i}" for i in range(len(X))]
    return AspectExplainer(detector, SGBeam(max_dim=1), n_queries=3).fit(X.set_axis(names))


@pytest.fixture
def browser(labelled):
    browser = labelled.explain().explore()
    yield browser
    browser.cancel()
    assert browser.wait(LONG)


def test_lists_and_pictures_have_labels_and_the_state_has_positions(browser):
    rows = [query.row for query in browser.explanation]
    assert [value for _, value in browser.view.rows.options] == rows
    shown = [text.split("\u00a0\u00a0")[0].strip("\u00a0") for text, _ in browser.view.rows.options]
    assert shown == [f"<b>{row}" for row in rows]
    assert browser.row == rows[0]
    assert words(browser).startswith(f"Row &lt;b&gt;{rows[0]} lies")
    assert "Rows are named by the table&#x27;s index" in picture(browser)
    assert "<b>" not in picture(browser) + browser.view.scores.value


def test_a_row_is_explained_by_position_or_label(browser, labelled):
    for row, number in ((7, 7), ("<b>8", 8)):
        browser.explain_row(row)
        assert browser.wait(LONG)
        assert browser.row == number
        assert browser.query == labelled.explain(rows=number)[0]
    with pytest.raises(QueryError, match="no row has the label 'nobody'"):
        browser.explain_row("nobody")


def test_the_status_calls_the_row_by_its_label(browser, monkeypatch):
    monkeypatch.setattr(browser._runs, "start", lambda work: None)
    browser.explain_row(7)
    assert status(browser) == "Explaining row &lt;b&gt;7 ..."


def test_a_label_of_many_letters_is_cut_in_the_list(X, detector):
    names = [f"a rather long label {i}" for i in range(len(X))]
    explainer = AspectExplainer(detector, SGBeam(max_dim=1), n_queries=1).fit(X.set_axis(names))
    browser = explainer.explain().explore()
    ((text, row),) = browser.view.rows.options
    assert len(text) < 50  # The list has room for as many.
    assert str(row) in text.split("…")[1]


def test_code_that_is_copied_uses_positions(browser):
    assert f"explanation.row({browser.row})" in browser.code()
