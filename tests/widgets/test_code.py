"""Copy as code: the lines give what is shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pyod.models.ecod import ECOD
from widget_parts import LONG

from pyod_aspects import AspectExplainer, GBeam, KDEBeam, OAMiner, SGBeam
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
    browser.view.answer.show_code.click()
    assert "plot_aspect" in browser.view.answer.code.value


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


INF = float("inf")

MINERS_AND_SETTINGS = [
    SGBeam(max_dim=np.int64(2), width=np.int32(20), tau=np.float64(0.9)),
    SGBeam(max_dim=1, tau=INF),
    SGBeam(max_dim=1, score="zscore", tau=np.float32(0.5), top_k=np.uint8(4)),
    SGBeam(max_dim=1, tau=-INF),
    GBeam(max_dim=1, tau=INF, bins=np.int64(7)),
    KDEBeam(max_dim=1, tau=np.inf),
    KDEBeam(max_dim=2, width=5, bandwidth=np.float64(0.7)),
    OAMiner(max_dim=np.int64(1), alpha=np.float64(0.5)),
]


@pytest.mark.parametrize("miner", MINERS_AND_SETTINGS, ids=repr)
@pytest.mark.parametrize(
    "told",
    [
        {"n_reference": np.int64(0)},
        {"n_reference": np.int64(40), "random_state": np.int64(7)},
        {"n_reference": 40, "random_state": np.uint32(0)},
    ],
    ids=repr,
)
def test_the_code_runs_for_every_miner_and_odd_settings(X, detector, miner, told):
    table = X.iloc[:, :4]
    detector = ECOD().fit(table)
    made = AspectExplainer(detector, miner, n_queries=np.int64(2), **told).fit(table).explain()
    browser = made.explore()
    names = run_code(browser, detector=detector, X=table)
    assert names["explanation"] == made
    assert "np." not in browser.code()
    assert names["explanation"].settings == made.settings


def test_the_code_runs_for_new_labelled_rows_and_what_is_convincing(X, detector):
    table = X.set_axis([f"row\n{i}" for i in range(len(X))])
    explainer = AspectExplainer(detector, SGBeam(max_dim=1), n_reference=np.int64(60)).fit(table)
    new = table.iloc[:20].set_axis([f"new {i}" for i in range(20)])
    made = explainer.explain(new, rows=["new 3", "new 7"]).convincing(np.float64(0.4))
    names = run_code(made.explore(), detector=detector, X=table, X_new=new)
    assert names["explanation"] == made


def test_the_code_of_scores_runs_with_an_odd_threshold(X):
    scores = np.arange(300.0)
    for threshold in (np.float64(290.0), np.int64(290), np.float32(0.1)):
        plain = AspectExplainer.from_scores(
            scores, SGBeam(max_dim=1), 2, threshold=threshold, n_reference=0
        )
        made = plain.fit(X).explain()
        assert run_code(made.explore(), scores=scores, X=X)["explanation"] == made


def test_the_code_of_a_group_draws_it(X, detector):
    table = X.copy()
    table.iloc[[5, 6, 7], 0] = [40.0, 41.0, 42.0]
    explainer = AspectExplainer(detector, SGBeam(max_dim=1)).fit(table)
    browser = explainer.explain(rows=[5, 6, 7]).explore()
    browser.group = 0
    names = run_code(browser, detector=detector, X=table)
    assert names["group"] == browser.groups[0]
    assert names["explanation"] == browser.explanation


def test_the_code_of_an_explanation_with_agreement_asks_the_detector(X, detector):
    explainer = AspectExplainer(detector, SGBeam(max_dim=1), n_queries=1, n_reference=0).fit(X)
    made = explainer.explain().with_agreement()
    assert run_code(made.explore(), detector=detector, X=X)["explanation"] == made


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
    assert f"explanation.row({browser.row})" in browser.view.answer.code.value
    browser.aspect = 1
    assert "query.aspects[1]" in browser.view.answer.code.value
    assert len(written) == 3
    browser.code_shown = False
    assert browser.view.answer.code.value == ""
