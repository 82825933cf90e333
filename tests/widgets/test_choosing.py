"""Rows and aspects are chosen by traits, lists and numbers alike."""

from __future__ import annotations

import threading
from dataclasses import replace
from html import escape

import pytest
from widget_parts import LONG, picture, words

from pyod_aspects import AspectExplainer, KDEBeam, SGBeam
from pyod_aspects._util.numbers import set_minus
from pyod_aspects.exceptions import InvalidInputError, QueryError
from pyod_aspects.explanation.sentences import evidence_words

pytest.importorskip("ipywidgets")

from pyod_aspects.widgets import pictures


def test_it_opens_with_the_best_aspect_of_the_first_row(browser, explanation):
    assert (browser.row, browser.aspect) == (explanation[0].row, 0)
    assert words(browser).startswith(f"Row {browser.row} lies")
    assert "<svg" in browser.view.scores.value
    assert len(browser.view.rows.options) == 4
    assert len(browser.view.aspects.options) == len(explanation[0].aspects)


def test_setting_the_row_chooses_it_everywhere(browser, explanation):
    before = picture(browser)
    browser.row = explanation[2].row
    assert browser.view.rows.value == explanation[2].row
    assert browser.view.row_place.value == 3
    assert len(browser.view.aspects.options) == len(explanation[2].aspects)
    assert picture(browser) != before
    assert f"Row {browser.row} " in browser.view.scores.value


def test_setting_the_aspect_draws_it(browser, explanation):
    browser.aspect = 1
    assert browser.view.aspects.value == 1
    assert browser.view.aspect_place.value == 2
    for feature in explanation[0].aspects[1].features:
        assert feature.replace("<", "&lt;").replace(">", "&gt;") in words(browser)


def test_the_lists_and_the_numbers_set_the_traits(browser, explanation):
    browser.view.rows.value = explanation[1].row
    assert browser.row == explanation[1].row
    browser.view.row_place.value = 4
    assert browser.row == explanation[3].row
    browser.view.aspects.value = 2
    assert browser.aspect == 2
    browser.view.aspect_place.value = 1
    assert browser.aspect == 0


def test_another_row_begins_with_its_best_aspect(browser, explanation):
    browser.aspect = 3
    browser.row = explanation[1].row
    assert browser.aspect == 0


def test_clicks_in_two_threads_are_both_heard(browser, explanation, monkeypatch):
    """Notebooks may handle a click while another thread still shows the last one."""
    inside, go_on = threading.Event(), threading.Event()
    real = browser.view.show_status

    def slow():
        inside.set()
        assert go_on.wait(LONG)
        real()

    monkeypatch.setattr(browser.view, "show_status", slow)
    first = threading.Thread(target=setattr, args=(browser, "row", explanation[1].row))
    first.start()
    assert inside.wait(LONG)
    second = threading.Thread(target=setattr, args=(browser.view.aspects, "value", 3))
    second.start()
    go_on.set()
    first.join(LONG)
    second.join(LONG)
    assert (browser.row, browser.aspect) == (explanation[1].row, 3)


def test_each_choice_is_drawn_once(browser, explanation, monkeypatch):
    drawn = []
    monkeypatch.setattr(pictures, "aspect_html", lambda *choice: str(drawn.append(choice)))
    browser.row = explanation[1].row
    browser.view.aspects.value = 2
    browser.view.row_place.value = 1
    assert [choice[1:] for choice in drawn] == [
        (explanation[1].row, 0),
        (explanation[1].row, 2),
        (explanation[0].row, 0),
    ]


def test_the_scores_are_up_to_date_when_the_aspect_is_drawn(browser, explanation):
    seen = []
    browser.view.picture.observe(lambda _: seen.append(browser.view.scores.value), "value")
    browser.row = explanation[1].row
    assert seen == [browser.view.scores.value]
    assert f"Row {browser.row} has" in seen[0]


def test_a_row_that_was_not_explained_is_refused_and_nothing_changes(browser):
    before = browser.row
    with pytest.raises(QueryError, match="was not explained"):
        browser.row = 299 if before != 299 else 298
    assert browser.row == before


def test_an_aspect_that_is_not_there_is_refused(browser):
    with pytest.raises(InvalidInputError, match="counted from 0"):
        browser.aspect = 99
    assert browser.aspect == 0


def test_the_words_of_the_caption_are_explained_under_it(browser, X, detector):
    terms = picture(browser).split('<p class="terms">')[1]
    assert "Nearby: in a range around the row" in terms
    assert "lift: rows nearby as a share of those expected" in terms
    assert "bandwidth" not in terms
    miner = SGBeam(max_dim=1, score="zscore")
    by_z = AspectExplainer(detector, miner, n_queries=1, n_reference=0).fit(X).explain()
    terms = picture(by_z.explore()).split('<p class="terms">')[1]
    assert "Nearby: in the same bin or the next one" in terms
    assert "z: number of standard deviations" in terms
    kernel = AspectExplainer(detector, KDEBeam(max_dim=1), n_queries=1).fit(X).explain()
    assert "Nearby: within one bandwidth of the kernel" in picture(kernel.explore())
    assert "Nearby: within one bandwidth of the kernel" in kernel.to_html()
    assert "bandwidth" not in kernel.summary() + kernel._repr_html_()


def test_the_caption_has_the_evidence(browser, explanation):
    words = evidence_words(explanation[0].aspects[0], explanation[0].features)
    assert f'<p class="caption">{escape(set_minus(words))}.</p>' in picture(browser)
    bare = replace(explanation[0].aspects[0], evidence=())
    queries = (replace(explanation[0], aspects=(bare,)),)
    assert picture(replace(explanation, queries=queries).explore()).count("caption") == 1


def test_names_from_the_data_are_escaped(browser):
    for widget in (browser.view.picture, browser.view.scores, browser.view.heading):
        assert "<x-" not in widget.value
    browser.code_shown = True
    assert "<pre" in browser.view.code.value
