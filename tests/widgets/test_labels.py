"""The browser calls rows by their labels, and takes positions and labels."""

from __future__ import annotations

import pytest
from widget_parts import LONG, lines, picture, read, status, words

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
    shown = [line.split(":")[0] for line in lines(browser.view.lists.rows)]
    assert shown == [f"Row <b>{row}" for row in rows]
    assert f"Row <b>{rows[0]}" in read(browser.view.answer.which)
    assert browser.row == rows[0]
    assert words(browser).startswith(f"Row &lt;b&gt;{rows[0]} lies")
    browser.words_shown = True
    assert "Rows are named by the table's index" in read(browser.view.answer.words)
    assert "<b>" not in picture(browser) + browser.view.lists.scores.value
    assert "<b>" not in browser.view.lists.rows.items[0].face.value


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
    assert status(browser) == "Explaining row <b>7 ..."


def test_a_label_of_many_letters_is_cut_in_the_list(X, detector):
    names = [f"a rather long label of many words, and then some, {i}" for i in range(len(X))]
    explainer = AspectExplainer(detector, SGBeam(max_dim=1), n_queries=1).fit(X.set_axis(names))
    browser = explainer.explain().explore()
    (line,) = lines(browser.view.lists.rows)
    name = line.split(":")[0]
    assert len(name) <= 44
    assert name.endswith(str(browser.row))


def test_code_that_is_copied_uses_positions(browser):
    assert f"explanation.row({browser.row})" in browser.code()
