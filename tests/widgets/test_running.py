"""While a search runs it can be cancelled and replaced, and one can look around."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from pyod.models.ecod import ECOD
from widget_parts import LONG, picture, seen, status

from pyod_aspects import AspectExplainer, KDEBeam, OAMiner

pytest.importorskip("ipywidgets")


@pytest.fixture
def long_browser():
    """A search that would take very long."""
    wide = np.random.default_rng(0).normal(size=(300, 48))
    other = ECOD().fit(wide)
    browser = AspectExplainer(other, OAMiner(max_dim=6), n_queries=5).fit(wide).explore()
    yield browser
    browser.cancel()
    assert browser.wait(LONG)


def running(browser):
    """Wait for the first words of a search."""
    heard = threading.Event()
    browser.observe(lambda _: heard.set(), "message")
    assert heard.wait(LONG)


def test_a_search_can_be_cancelled(long_browser):
    running(long_browser)
    assert not long_browser.view.header.cancel.disabled
    assert "pyod-aspects-busy" in long_browser._dom_classes
    long_browser.view.header.cancel.click()
    assert long_browser.wait(LONG)
    assert status(long_browser) == "Cancelled; 0 rows shown."
    assert not seen(long_browser.view.header.cancel)
    assert "pyod-aspects-busy" not in long_browser._dom_classes
    assert "No rows were explained" in picture(long_browser)


def test_closing_ends_the_search(long_browser):
    running(long_browser)
    long_browser.close()
    assert long_browser.wait(LONG)
    assert long_browser.state == "ready"


def test_the_last_search_wins(long_browser):
    running(long_browser)
    long_browser.miner = "SGBeam"
    long_browser.max_dim = 1
    long_browser.find()
    assert long_browser.wait(LONG)
    assert long_browser.explanation.miner == "SGBeam"
    assert status(long_browser) == "Done: 5 rows explained."


def test_a_new_search_does_not_wait_for_a_cancelled_one(browser, monkeypatch):
    go_on, begun = threading.Event(), threading.Event()
    fit = KDEBeam.fit

    def slow(self, X):
        begun.set()
        assert go_on.wait(LONG)
        return fit(self, X)

    monkeypatch.setattr(KDEBeam, "fit", slow)
    ready = threading.Event()
    browser.observe(lambda change: change["new"] == "ready" and ready.set(), "state")
    browser.miner = "KDEBeam"
    browser.find()
    assert begun.wait(LONG)
    browser.miner = "GBeam"
    browser.find()
    try:
        assert ready.wait(LONG)
        assert browser.explanation.miner == "GBeam"
        assert not browser.wait(0.0)  # the first one is still at work
    finally:
        go_on.set()
    assert browser.wait(LONG)
    assert browser.explanation.miner == "GBeam"


def test_cancelling_does_not_wait_for_a_step_that_nothing_ends(browser, monkeypatch):
    go_on, begun, ready = threading.Event(), threading.Event(), threading.Event()

    def slow(self, X):
        begun.set()
        assert go_on.wait(LONG)
        raise AssertionError("nobody hears of this")

    monkeypatch.setattr(KDEBeam, "fit", slow)
    browser.miner = "KDEBeam"
    browser.find()
    assert begun.wait(LONG)
    browser.observe(lambda change: change["new"] == "ready" and ready.set(), "state")
    browser.cancel()
    try:
        assert ready.wait(LONG)
        assert not browser.wait(0.0)  # it is still at work
        assert status(browser) == "Cancelled; 4 rows shown."
    finally:
        go_on.set()
    assert browser.wait(LONG)
    assert (browser.state, status(browser)) == ("ready", "Cancelled; 4 rows shown.")


def test_one_can_choose_while_a_search_runs(browser, explanation, monkeypatch):
    go_on, begun = threading.Event(), threading.Event()
    real = AspectExplainer.iter_scored

    def slow(self, *args, **kwargs):
        begun.set()
        assert go_on.wait(LONG)
        yield from real(self, *args, **kwargs)

    monkeypatch.setattr(AspectExplainer, "iter_scored", slow)
    browser.find()
    assert begun.wait(LONG)
    before = picture(browser)
    browser.view.lists.rows.items[2].button.click()
    assert picture(browser) != before
    assert browser.state == "running"
    go_on.set()
    assert browser.wait(LONG)
    assert browser.state == "ready"


def test_who_reads_an_aspect_while_a_search_runs_is_left_to_it(browser, explanation, monkeypatch):
    go_on, shown = threading.Event(), threading.Event()
    real = AspectExplainer.iter_scored

    def slow(self, *args, **kwargs):
        found = real(self, *args, **kwargs)
        yield next(found)
        shown.set()
        assert go_on.wait(LONG)
        yield from found

    monkeypatch.setattr(AspectExplainer, "iter_scored", slow)
    browser.row = explanation[3].row
    browser.find()
    assert shown.wait(LONG)
    assert browser.row == explanation[0].row
    browser.aspect = 1
    go_on.set()
    assert browser.wait(LONG)
    assert len(browser.explanation) == 4
    assert (browser.row, browser.aspect) == (explanation[0].row, 1)
