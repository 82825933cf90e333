"""Copy as code: the lines give what is shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from widget_parts import LONG

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects.density import SGrid
from pyod_aspects.miners import Miner

pytest.importorskip("ipywidgets")

from pyod_aspects.widgets import AspectBrowser


def run_code(browser, **names):
    exec(browser.code(), names)
    return names


def test_the_code_gives_what_is_shown(browser, detector, X):
    browser.aspect = 2
    names = run_code(browser, detector=detector, X=X)
    assert names["explanation"] == browser.explanation
    assert names["aspect"] == browser.explanation.row(browser.row).aspects[2]
    assert "n_queries=4" in browser.code()
    browser.view.show_code.click()
    assert "plot_aspect" in browser.view.code.value


def test_the_code_knows_added_rows_new_tables_and_settings(browser, explainer, detector, X):
    browser.explain_row(int(np.argsort(explainer.scores_)[0]))
    assert browser.wait(LONG)
    assert run_code(browser, detector=detector, X=X)["explanation"] == browser.explanation
    assert "SGBeam(max_dim=3, width=20)" in browser.code()
    new = explainer.explain(X.iloc[:20], n_queries=2).explore()
    names = run_code(new, detector=detector, X=X, X_new=X.iloc[:20])
    assert names["explanation"] == new.explanation


@pytest.mark.parametrize(
    "told",
    [{"n_reference": 0}, {"n_reference": 60}, {"random_state": 3}, {"n_reference": "auto"}],
)
def test_the_code_gives_the_same_p_values(X, detector, told):
    made = AspectExplainer(detector, SGBeam(max_dim=1), n_queries=2, **told).fit(X).explain()
    browser = made.explore()
    assert run_code(browser, detector=detector, X=X)["explanation"] == made
    written = ", ".join(f"{name}={value}" for name, value in told.items() if value != "auto")
    arguments = ", ".join(filter(None, ["SGBeam(max_dim=1)", written]))
    assert f"AspectExplainer(detector, {arguments})" in browser.code()
    kept = made.convincing(0.3) if made.n_reference else made
    assert run_code(kept.explore(), detector=detector, X=X)["explanation"] == kept


def test_the_code_asks_for_a_state_that_cannot_be_written(X, detector):
    state = np.random.RandomState(5)
    explainer = AspectExplainer(detector, SGBeam(max_dim=1), 2, random_state=state).fit(X)
    browser = explainer.explain().explore()
    names = run_code(browser, detector=detector, X=X, random_state=np.random.RandomState(5))
    assert names["explanation"] == browser.explanation
    assert "# random_state: yours" in browser.code()


def test_the_code_of_a_miner_of_ones_own_asks_for_it(X, detector):
    miner = Miner(SGrid(bins=5))
    browser = AspectExplainer(detector, miner, n_queries=1).fit(X).explain().explore()
    names = run_code(browser, detector=detector, X=X, miner=miner)
    assert names["explanation"] == browser.explanation


def test_the_code_of_plain_scores_asks_for_the_scores(X):
    scores = np.arange(300.0)
    for told in ({}, {"threshold": 290.0, "name": "the\ngateway"}):
        made = AspectExplainer.from_scores(scores, SGBeam(max_dim=1), 2, **told).fit(X).explain()
        names = run_code(made.explore(), scores=scores, X=X)
        assert names["explanation"] == made
        assert names["explanation"].detector == made.detector


def test_a_name_of_two_lines_stays_in_its_comment(explanation, detector, X):
    browser = replace(explanation, detector="A\nraise").explore()
    assert "# detector: your fitted A\\nraise" in browser.code()
    run_code(browser, detector=detector, X=X)


def test_the_code_is_written_when_something_else_is_shown_and_not_with_each_message(
    browser, explanation, monkeypatch
):
    written = []
    real = AspectBrowser.code
    monkeypatch.setattr(AspectBrowser, "code", lambda self: written.append(1) or real(self))
    browser.code_shown = True
    for share in (0.1, 0.2, 0.3):
        browser.share, browser.message = share, f"{share} done"
    assert len(written) == 1
    browser.row = explanation[1].row
    assert f"explanation.row({browser.row})" in browser.view.code.value
    browser.aspect = 1
    assert "query.aspects[1]" in browser.view.code.value
    assert len(written) == 3
    browser.code_shown = False
    assert browser.view.code.value == ""
