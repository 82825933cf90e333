"""Explanations with a part missing are shown all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from widget_parts import headline, lines, picture, seen

from pyod_aspects import AspectExplainer, Explanation
from pyod_aspects.exceptions import InvalidInputError, NotFittedError

pytest.importorskip("ipywidgets")

from pyod_aspects.widgets import AspectBrowser


def test_an_explanation_without_its_table_shows_lists_and_words(explanation):
    browser = Explanation.from_json(explanation.to_json()).explore()
    assert len(lines(browser.view.lists.rows)) == 4
    assert f"Row {browser.row} stands" in picture(browser)
    assert "did not come along" in picture(browser)
    assert "<svg" not in picture(browser)
    assert browser.view.settings.find.disabled
    assert (browser.view.settings.miner.value, browser.view.settings.max_dim.value) == ("SGBeam", 3)
    other = replace(explanation, miner="GBeam", background=None)
    assert other.explore().view.settings.miner.value == "GBeam"
    with pytest.raises(InvalidInputError, match="did not come along"):
        browser.find()
    assert "did not come along" in browser.code()


def test_nothing_explained_is_said_in_words(explanation):
    browser = explanation[:0].explore()
    assert (browser.row, browser.aspect) == (None, None)
    assert "No rows were explained" in picture(browser)
    assert browser.view.answer.row_place.disabled


def test_a_row_without_aspects_is_said_in_words(explanation):
    bare = replace(explanation[0], aspects=())
    browser = replace(explanation, queries=(bare,)).explore()
    assert browser.aspect is None
    assert headline(browser).startswith("No aspect")
    assert picture(browser) == ""
    assert not seen(browser.view.answer.aspects_box)
    assert f"explanation.row({bare.row})" in browser.code()


def test_it_takes_explanations_and_fitted_explainers_only(detector):
    with pytest.raises(InvalidInputError, match="not ECOD"):
        AspectBrowser(detector)
    with pytest.raises(NotFittedError, match="call fit"):
        AspectExplainer(detector).explore()
