"""The detector is asked about the chosen row: at once if that is quick, else on a click."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
from widget_parts import LONG, read, seen

from pyod_aspects import AspectExplainer, Explanation, SGBeam
from pyod_aspects._util.numbers import set_minus
from pyod_aspects.explanation.writing.sentences import agreement_words
from pyod_aspects.explanation.writing.wording import is_convincing

pytest.importorskip("ipywidgets")

from pyod_aspects.widgets import asking


@pytest.fixture(scope="module")
def far_out(X, detector):
    """Three rows that are odd for the detector and for us, and one that is not."""
    table = X.copy()
    table.iloc[5, 0], table.iloc[17, 1], table.iloc[80, 2] = 40.0, 45.0, -50.0
    explainer = AspectExplainer(type(detector)().fit(table), SGBeam(max_dim=1)).fit(table)
    explanation = explainer.explain(rows=[5, 17, 80, 7])
    assert [is_convincing(explanation, explanation.row(i)) for i in (5, 17, 80, 7)] == (
        [True] * 3 + [False]
    )
    return explanation


def told(browser):
    return read(browser.view.answer.detector)


def test_a_quick_detector_is_asked_at_once(far_out):
    browser = far_out.explore()
    browser.row = 5
    assert browser.wait(LONG)
    answer = browser.agreement
    assert isinstance(answer, Explanation)
    assert answer[0].row == browser.row
    want = agreement_words(answer, answer[0])
    assert want
    said, _, verdict = set_minus(want).rpartition(": ")
    assert verdict == "this is what the detector saw"
    assert told(browser) == f"The detector agrees{said}"
    assert 'class="pa-share"' in browser.view.answer.detector.value
    assert not seen(browser.view.answer.ask)
    assert browser.explanation is far_out


def test_the_answer_is_that_of_with_agreement(far_out):
    browser = far_out.explore()
    browser.row = 17
    assert browser.wait(LONG)
    one = replace(far_out, queries=(far_out.row(17),))
    want = one.with_agreement(asking.N_SAMPLES, asking.N_ASPECTS)
    assert browser.agreement == want


def test_a_slow_detector_is_asked_on_a_click(far_out, monkeypatch):
    monkeypatch.setattr(asking, "estimate_seconds", lambda *args: 12.0)
    browser = far_out.explore()
    browser.row = 17
    assert browser.wait(LONG)
    assert browser.agreement == 12.0
    assert "takes about 12 s" in told(browser)
    assert seen(browser.view.answer.ask)
    browser.view.answer.ask.click()
    assert browser.wait(LONG)
    assert isinstance(browser.agreement, Explanation)
    assert not seen(browser.view.answer.ask)


def test_who_waits_for_the_detector_is_told_so(far_out, monkeypatch):
    inside, go_on = threading.Event(), threading.Event()
    real = asking.estimate_seconds

    def slow(*args):
        inside.set()
        assert go_on.wait(LONG)
        return real(*args)

    monkeypatch.setattr(asking, "estimate_seconds", slow)
    browser = far_out.explore()
    browser.row = 17
    try:
        assert inside.wait(LONG)
        assert browser.asks
        assert told(browser) == "The detectoris being asked …"
        browser.row = 80  # the last row counts
    finally:
        go_on.set()
    assert browser.wait(LONG)
    assert browser.agreement[0].row == 80


def test_scores_cannot_be_asked_and_the_fact_says_why(X):
    plain = AspectExplainer.from_scores(np.arange(300.0), SGBeam(max_dim=1), 1, n_reference=0)
    plain.fit(X)
    browser = plain.explain().explore()
    assert browser.wait(LONG)
    assert isinstance(browser.agreement, str)
    assert told(browser).startswith("The detector cannot be asked")
    assert browser.agreement in told(browser)


def test_an_error_of_the_detector_is_told(far_out, monkeypatch):
    monkeypatch.setattr(asking, "estimate_seconds", lambda *args: 1 / 0)
    browser = far_out.explore()
    browser.row = 17
    assert browser.wait(LONG)
    assert "ZeroDivisionError: division by zero" in told(browser)


def test_what_came_with_agreement_is_not_asked_again(far_out, monkeypatch):
    monkeypatch.setattr(asking, "estimate_seconds", lambda *args: pytest.fail("asked"))
    browser = far_out.with_agreement().explore()
    browser.row = 5
    assert browser.wait(LONG)
    assert "score" in told(browser)
    read_again = Explanation.from_json(browser.explanation.to_json()).explore()
    read_again.row = 5
    assert told(read_again) == told(browser)


def test_nobody_asks_about_a_row_without_a_convincing_aspect(far_out, monkeypatch):
    monkeypatch.setattr(asking, "estimate_seconds", lambda *args: pytest.fail("asked"))
    browser = replace(far_out, queries=(far_out.row(7),)).explore()
    assert browser.wait(LONG)
    assert not seen(browser.view.answer.detector_box)


def test_without_a_table_nobody_is_asked(far_out):
    browser = Explanation.from_json(far_out.to_json()).explore()
    assert browser.wait(LONG)
    assert browser.agreement is None
    assert not seen(browser.view.answer.detector_box)


def test_while_a_search_runs_the_detector_is_left_alone(X, detector, monkeypatch):
    asked = []
    real = asking.estimate_seconds
    explainer = AspectExplainer(detector, SGBeam(max_dim=2), n_queries=3, n_reference=0).fit(X)

    def noted(*args):
        asked.append(browser.state)
        return real(*args)

    monkeypatch.setattr(asking, "estimate_seconds", noted)
    browser = explainer.explore()
    assert browser.wait(LONG)
    assert asked == ["ready"]
