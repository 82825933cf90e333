"""Find searches with the settings that are shown, and says how it went."""

from __future__ import annotations

import re

import pytest
from widget_parts import LONG, picture, read, seen, status

from pyod_aspects import AspectExplainer, KDEBeam, SGBeam
from pyod_aspects.density import SGrid
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.explanation.writing.wording import outcome_words
from pyod_aspects.miners import Miner

pytest.importorskip("ipywidgets")

from pyod_aspects.widgets import AspectBrowser


def test_find_searches_with_the_settings(browser, detector, X):
    browser.miner = "KDEBeam"
    browser.max_dim = 2
    browser.n_queries = 3
    browser.find()
    assert browser.wait(LONG)
    assert browser.state == "ready"
    assert status(browser) == "Done: 3 rows explained."
    want = AspectExplainer(detector, KDEBeam(max_dim=2, width=20)).fit(X).explain(n_queries=3)
    assert browser.explanation == want
    assert "found by KDEBeam" in read(browser.view.answer.aspects_cap)


@pytest.mark.parametrize("miner", ["SGBeam", "GBeam", "KDEBeam", "OAMiner"])
def test_every_miner_can_be_chosen(browser, miner):
    browser.view.settings.miner.value = miner
    assert browser.view.settings.width.disabled == (miner == "OAMiner")
    browser.max_dim = 2
    browser.view.settings.find.click()
    assert browser.wait(LONG)
    assert browser.explanation.miner == miner
    assert "<svg" in picture(browser)


def test_the_settings_of_the_source_need_no_new_fit(browser, explanation, monkeypatch):
    monkeypatch.setattr(SGBeam, "fit", lambda *args: pytest.fail("fitted again"))
    browser.find()
    assert browser.wait(LONG)
    assert browser.state == "ready"
    assert browser.explanation == explanation


def test_a_source_that_is_fitted_anew_does_not_change_the_browser(X, detector):
    explainer = AspectExplainer(detector, SGBeam(max_dim=2), n_queries=2).fit(X)
    explanation = explainer.explain()
    browser = explanation.explore()
    explainer.fit(X * 2 + 1)
    browser.find()
    assert browser.wait(LONG)
    assert browser.explanation == explanation


def test_settings_of_the_source_carry_over(X, detector):
    miner = SGBeam(max_dim=2, bins=7, score="zscore", tau=-0.5)
    browser = AspectExplainer(detector, miner, n_queries=2).fit(X).explain().explore()
    assert (browser.max_dim, browser.n_queries, browser.score) == (2, 2, "zscore")
    browser.miner = "gbeam"
    browser.find()
    assert browser.wait(LONG)
    assert browser.explanation.miner == "GBeam"
    assert browser.explanation.settings["bins"] == 7
    assert browser.explanation.settings["tau"] == -0.5


def test_a_threshold_stays_with_its_score(X, detector):
    miner = SGBeam(max_dim=1, tau=0.5)
    browser = AspectExplainer(detector, miner, 1, n_reference=0).fit(X).explain().explore()
    assert browser.make_miner().tau == 0.5
    browser.score = "zscore"
    assert browser.make_miner().tau is None
    browser.miner = "KDEBeam"
    assert browser.make_miner().tau == 0.0


def test_the_score_of_sgbeam_can_be_chosen(browser, detector, X):
    assert (browser.score, browser.view.settings.score.value) == ("lift", "lift")
    browser.view.settings.score.value = "zscore"
    assert "press Find" in status(browser)
    browser.view.settings.find.click()
    assert browser.wait(LONG)
    miner = SGBeam(max_dim=3, width=20, score="zscore")
    assert browser.explanation == AspectExplainer(detector, miner, 4).fit(X).explain()
    assert 'score="zscore"' in browser.code().replace("'", '"')


def test_only_sgbeam_has_a_choice_of_scores(browser, X, detector):
    assert not browser.view.settings.score.disabled
    browser.miner = "GBeam"
    assert browser.view.settings.score.disabled
    own = AspectExplainer(detector, Miner(SGrid(bins=5)), 1, n_reference=0).fit(X).explain()
    assert own.explore().view.settings.score.disabled
    with pytest.raises(InvalidInputError, match="expected one of 'lift', 'zscore'"):
        browser.score = "z"


def test_a_miner_of_ones_own_can_be_used_again(X, detector):
    miner = Miner(SGrid(bins=5))
    explainer = AspectExplainer(detector, miner, n_queries=1, n_reference=0).fit(X)
    browser = explainer.explain().explore()
    assert browser.miner == "Miner"
    assert browser.view.settings.max_dim.disabled
    before = browser.explanation
    browser.n_queries = 2
    browser.find()
    assert browser.wait(LONG)
    assert browser.explanation[:1] == before


def test_the_row_stays_chosen_when_a_new_search_finds_it_too(browser, explanation):
    browser.row = explanation[3].row
    browser.top_k = 3
    browser.find()
    assert browser.wait(LONG)
    assert browser.row == explanation[3].row
    assert len(browser.query.aspects) == 3


def test_an_explainer_opens_with_a_search(explainer, explanation):
    browser = explainer.explore()
    assert browser.wait(LONG)
    assert browser.explanation == explanation
    assert browser.row == explanation[0].row


def test_rows_appear_as_they_are_finished(explainer, explanation):
    seen = []
    browser = AspectBrowser(explanation[:0])
    browser.n_queries = 4
    browser.observe(lambda change: seen.append(len(change["new"])), "explanation")
    browser.find()
    assert browser.wait(LONG)
    assert seen[0] == 1
    assert seen == sorted(set(seen))
    assert seen[-1] == 4


def test_progress_names_the_level_and_what_was_tried(browser):
    seen = []
    browser.observe(lambda change: seen.append(change["new"]), "message")
    browser.top_k = 5
    browser.find()
    assert browser.wait(LONG)
    assert any(re.search(r"sets of \d \(up to 3\) features?: [\d,]+ tried", text) for text in seen)


def test_errors_go_to_the_status_line(browser, monkeypatch):
    monkeypatch.setattr(SGBeam, "fit", lambda *args: 1 / 0)
    browser.max_dim = 4
    browser.find()
    assert browser.wait(LONG)
    assert browser.state == "failed"
    assert status(browser) == "Not done: ZeroDivisionError: division by zero"
    assert "<svg" in picture(browser)


@pytest.mark.parametrize("setting", ["max_dim", "width", "top_k", "n_queries"])
def test_the_tip_of_a_setting_names_its_parameter(browser, setting):
    control = getattr(browser.view.settings, setting)
    tip = control.tooltip if control.has_trait("tooltip") else control.description_tooltip
    assert tip.startswith(f"{setting}: ")


def test_changed_settings_ask_for_a_search(browser):
    browser.view.settings.max_dim.value = 4
    assert browser.max_dim == 4
    assert "press Find" in status(browser)


def test_a_wrong_miner_is_refused(browser):
    with pytest.raises(InvalidInputError, match="expected one of 'SGBeam'"):
        browser.miner = "SGBeem"


def test_settings_are_folded_until_they_are_wanted(browser, explanation):
    assert not seen(browser.view.settings.box)
    browser.view.header.settings.click()
    assert browser.settings_shown
    assert seen(browser.view.settings.box)
    assert "pa-open" in browser.view.header.settings._dom_classes
    empty = explanation[:0].explore()
    assert empty.settings_shown  # there is nothing else to see


def test_the_number_of_ordinary_rows_can_be_chosen(browser, X, detector):
    control = browser.view.settings.n_reference
    assert (browser.n_reference, control.value) == ("auto", "auto")
    control.value = 0
    assert browser.n_reference == 0
    browser.view.settings.find.click()
    assert browser.wait(LONG)
    assert browser.explanation.n_reference == 0
    browser.n_reference = 60
    assert ("60", 60) in control.options
    assert control.value == 60
    browser.find()
    assert browser.wait(LONG)
    made = AspectExplainer(detector, SGBeam(max_dim=3, width=20), 4, n_reference=60)
    assert browser.explanation == made.fit(X).explain()


def test_the_header_says_what_was_found(browser, explanation):
    said = read(browser.view.header.found)
    assert said.startswith("4 anomalies of ECOD among 300 rows")
    assert outcome_words(explanation) in said
