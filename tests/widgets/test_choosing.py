"""Rows and aspects are chosen by traits, buttons and numbers alike."""

from __future__ import annotations

import threading
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from pyod.models.iforest import IForest
from widget_parts import LONG, chosen, headline, lines, picture, read, seen, words

from pyod_aspects import AspectExplainer, KDEBeam, SGBeam
from pyod_aspects._util.numbers import percent_text, score_text, set_minus
from pyod_aspects.exceptions import InvalidInputError, QueryError
from pyod_aspects.explanation.judging.redundancy import distinct
from pyod_aspects.explanation.writing.sentences import evidence_words

pytest.importorskip("ipywidgets")

from pyod_aspects.widgets import pictures


def test_it_opens_with_the_best_aspect_of_the_first_row(browser, explanation):
    assert (browser.row, browser.aspect, browser.group) == (explanation[0].row, 0, None)
    assert words(browser).startswith(f"Row {browser.row} lies")
    assert "<svg" in browser.view.lists.scores.value
    assert len(browser.view.lists.rows.shown) == 4
    assert len(chosen(browser.view.lists.rows)) == len(chosen(browser.view.answer.aspects)) == 1


def test_setting_the_row_chooses_it_everywhere(browser, explanation):
    before, said = picture(browser), headline(browser)
    browser.row = explanation[2].row
    (marked,) = chosen(browser.view.lists.rows)
    assert marked.startswith(f"Row {browser.row}: ")
    assert marked.endswith(", chosen")
    assert browser.view.answer.row_place.value == 3
    assert picture(browser) != before
    assert headline(browser) != said
    assert f"Row {browser.row} " in browser.view.lists.scores.value
    score = score_text(explanation[2].score)
    which = read(browser.view.answer.which)
    assert f"Row {browser.row}" in which
    assert f"ECOD score {score}, higher than " in which


def test_setting_the_aspect_draws_it(browser, explanation):
    browser.aspect = 1
    (marked,) = chosen(browser.view.answer.aspects)
    assert marked.startswith("Aspect 2: ")
    for feature in explanation[0].aspects[1].features:
        assert feature.replace("<", "&lt;").replace(">", "&gt;") in words(browser)


def test_the_buttons_and_the_numbers_set_the_traits(browser, explanation):
    browser.view.lists.rows.items[1].button.click()
    assert browser.row == explanation[1].row
    browser.view.answer.row_place.value = 4
    assert browser.row == explanation[3].row
    browser.redundant_shown = True
    browser.view.answer.aspects.items[2].button.click()
    third = browser.aspect
    assert third != 0
    assert browser.view.answer.aspect_place.value == 3
    browser.view.answer.aspect_place.value = 1
    assert browser.aspect == 0


def test_another_row_begins_with_its_best_aspect(browser, explanation):
    browser.aspect = 3
    browser.row = explanation[1].row
    assert browser.aspect == 0


def test_each_row_of_the_list_has_score_percentile_and_p_value(browser, explanation):
    for query, item in zip(explanation, browser.view.lists.rows.shown, strict=True):
        percentile, p = percent_text(query.percentile), f"p = {query.p_value:.2g}"
        figures = read(item.face)
        assert figures.endswith(f"{score_text(query.score)} · {percentile} · {p}")
        heard = item.button.description.removesuffix(", chosen")
        assert heard.endswith(f"{score_text(query.score)}, higher than {percentile} of rows, {p}")
        assert item.button.tooltip in heard
    assert read(browser.view.lists.rows_cap).endswith("ECOD score · percentile · p")


def test_clicks_in_two_threads_are_both_heard(browser, explanation, monkeypatch):
    """Notebooks may handle a click while another thread still shows the last one."""
    inside, go_on = threading.Event(), threading.Event()
    browser.redundant_shown = True
    real = browser.view.show_status

    def slow():
        inside.set()
        assert go_on.wait(LONG)
        real()

    monkeypatch.setattr(browser.view, "show_status", slow)
    first = threading.Thread(target=setattr, args=(browser, "row", explanation[1].row))
    first.start()
    assert inside.wait(LONG)
    second = threading.Thread(target=browser.view.answer.aspects.items[3].button.click)
    second.start()
    go_on.set()
    first.join(LONG)
    second.join(LONG)
    assert browser.row == explanation[1].row
    assert chosen(browser.view.answer.aspects) == [lines(browser.view.answer.aspects)[3]]
    assert browser.aspect != 0


def test_each_choice_is_drawn_once(browser, explanation, monkeypatch):
    drawn = []
    monkeypatch.setattr(pictures, "aspect_html", lambda *choice: str(drawn.append(choice)))
    browser.row = explanation[1].row
    browser.aspect = 2
    browser.view.answer.row_place.value = 1
    assert browser.wait(LONG)
    assert [choice[1:] for choice in drawn] == [
        (explanation[1].row, 0),
        (explanation[1].row, 2),
        (explanation[0].row, 0),
    ]


def test_the_scores_are_up_to_date_when_the_aspect_is_drawn(browser, explanation):
    seen_then = []
    target, scores = browser.view.answer.picture, browser.view.lists.scores
    target.observe(lambda _: seen_then.append(scores.value), "value")
    browser.row = explanation[1].row
    assert seen_then == [scores.value]
    assert f"Row {browser.row} has" in seen_then[0]


def test_facts_change_without_a_moment_of_emptiness(browser, explanation):
    values = []
    for piece in (browser.view.answer.expected, browser.view.answer.sure):
        piece.observe(lambda change: values.append(change["new"]), "value")
    browser.row = explanation[1].row
    assert browser.wait(LONG)
    assert values
    assert "" not in values


def test_a_row_that_was_not_explained_is_refused_and_nothing_changes(browser):
    before = browser.row
    with pytest.raises(QueryError, match="was not explained"):
        browser.row = 299 if before != 299 else 298
    assert browser.row == before


def test_an_aspect_that_is_not_there_is_refused(browser):
    with pytest.raises(InvalidInputError, match="counted from 0"):
        browser.aspect = 99
    assert browser.aspect == 0


def test_redundant_aspects_are_folded_until_they_are_wanted(browser, explanation):
    query = explanation[0]
    kept = distinct(query.aspects, explanation.score_name)
    n = len(query.aspects) - len(kept)
    assert n > 0
    answer = browser.view.answer
    assert answer.aspects.n == len(kept)
    assert answer.redundant.description == f"{n} redundant"
    answer.redundant.click()
    assert browser.redundant_shown
    assert answer.aspects.n == len(query.aspects)
    browser.redundant_shown = False
    folded = next(i for i, one in enumerate(query.aspects) if one not in kept)
    browser.aspect = folded  # whoever chooses one sees it
    assert chosen(answer.aspects)[0].startswith(f"Aspect {folded + 1}: ")


def test_the_aspects_are_listed_with_their_features_and_evidence(browser, explanation):
    query = explanation[0]
    (first, *_) = browser.view.answer.aspects.shown
    said = read(first.face)
    assert set_minus(evidence_words(query.aspects[0], query.features)) in said
    assert "nearby, " in said
    for feature in query.aspects[0].features:
        assert feature in said


def test_the_words_are_explained_when_somebody_wants_it(browser, X, detector):
    answer = browser.view.answer
    assert not seen(answer.words)
    answer.show_words.click()
    assert seen(answer.words)
    assert "Nearby: close to the row in each feature" in read(answer.words)
    assert "lift: rows nearby as a share of those expected" in read(answer.words)
    miner = SGBeam(max_dim=1, score="zscore")
    by_z = AspectExplainer(detector, miner, n_queries=1, n_reference=0).fit(X).explain().explore()
    by_z.words_shown = True
    assert "z: number of standard deviations" in read(by_z.view.answer.words)
    kernel = AspectExplainer(detector, KDEBeam(max_dim=1), n_queries=1).fit(X).explain().explore()
    kernel.words_shown = True
    assert "Nearby: within one bandwidth of the kernel" in read(kernel.view.answer.words)


def test_without_evidence_the_headline_names_the_features(explanation):
    bare = replace(explanation[0].aspects[0], evidence=())
    query = replace(explanation[0], aspects=(bare,))
    browser = replace(explanation, queries=(query,)).explore()
    features = " × ".join(bare.features)
    assert headline(browser).endswith(f"row {query.row} stands out in {features}")


def test_names_from_the_data_are_escaped(browser):
    view = browser.view
    browser.code_shown = browser.words_shown = browser.redundant_shown = True
    pieces = [view.header.found, view.lists.scores, view.answer.picture, view.answer.headline]
    pieces += [view.answer.expected, view.answer.sure, view.answer.detector, view.answer.code]
    pieces += [item.face for item in view.lists.rows.items + view.answer.aspects.items]
    for widget in pieces:
        assert "<x-" not in widget.value
    assert "<pre" in view.answer.code.value


def test_a_few_high_scores_do_not_squash_the_others():
    X = np.random.default_rng(0).normal(size=(500, 3))
    scores = np.append(np.linspace(0, 1, 499), 1000.0)
    explanation = AspectExplainer.from_scores(scores, n_queries=2).fit(X).explain()
    drawn = ET.fromstring(pictures.scores_html(explanation, None, explanation))
    bars = [float(bar.get("x")) for bar in drawn.iter("rect")]
    assert len(bars) > 30
    assert max(bars[:-1]) < 0.75 * 280 < bars[-1]
    even = AspectExplainer.from_scores(np.linspace(0, 1, 500), n_queries=2).fit(X).explain()
    bars = list(ET.fromstring(pictures.scores_html(even, None, even)).iter("rect"))
    assert len({bar.get("height") for bar in bars}) <= 2


def test_a_threshold_that_is_0_but_for_rounding_reads_as_0():
    X = np.random.default_rng(0).normal(size=(100, 3))
    detector = IForest(random_state=0).fit(X)
    detector.threshold_ = -1.5e-17
    explanation = AspectExplainer(detector, n_queries=2).fit(X).explain()
    drawn = ET.fromstring(pictures.scores_html(explanation, None, explanation))
    assert "threshold 0" in [text.text for text in drawn.iter("text")]


def test_aspects_that_are_not_convincing_say_so(browser, explanation):
    browser.redundant_shown = True
    limit = explanation.convincing_p()
    weak = 0
    for query in explanation:
        browser.row = query.row
        items = zip(browser.view.answer._listed, browser.view.answer.aspects.shown, strict=False)
        for place, item in items:
            p = query.aspects[place].p_value
            assert ("not convincing, p = " in item.button.description) == (p > limit)
            assert ("pa-weak" in item.face.value) == (p > limit)
            weak += p > limit
    assert weak
