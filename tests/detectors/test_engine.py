"""What PyOD's ADEngine returns is explained like a detector."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import naive
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pyod.models.ecod import ECOD

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects.datasets import load_demo
from pyod_aspects.detectors import adapt
from pyod_aspects.exceptions import DetectorError

QUICK = SGBeam(max_dim=2)


@pytest.fixture(scope="module")
def engine():
    module = pytest.importorskip(
        "pyod.utils.ad_engine", reason="needs ADEngine, which pyod has from version 3 on"
    )
    return module.ADEngine()


@pytest.fixture(scope="module")
def X():
    return load_demo().frame.select_dtypes("number").iloc[::10]


@pytest.fixture(scope="module")
def state(engine, X):
    return engine.investigate(X)


def test_what_detect_returns_is_explained_by_its_detector(engine, X):
    result = engine.detect(X)
    one, other = (
        AspectExplainer(detector, QUICK, n_queries=3).fit(X).explain()
        for detector in (result, result["detector"])
    )
    assert one == other
    assert one.detector == type(result["detector"]).__name__
    assert [query.score for query in one] == sorted(result["scores_train"])[:-4:-1]


def test_one_result_of_an_investigation_is_a_detector_of_its_own(state, X):
    for result in state.results:
        explanation = AspectExplainer(result, QUICK, n_queries=1, n_reference=0).fit(X).explain()
        assert explanation.detector == result["detector_name"]
        assert explanation[0].score == result["scores_train"].max()


def test_an_investigation_is_explained_by_its_consensus(state, X):
    explanation = AspectExplainer(state, QUICK, n_queries=3, n_reference=0).fit(X).explain()
    names = [result["detector_name"] for result in state.results]
    assert len(names) > 1
    assert explanation.detector == f"consensus of {', '.join(names[:-1])} and {names[-1]}"
    assert explanation[0].score == state.consensus["scores"].max()
    assert {query.is_anomaly for query in explanation} == {None}
    assert f"3 rows scored by {explanation.detector}" in str(explanation)


def test_the_consensus_of_new_rows_is_the_definition(state, X):
    new = X.iloc[:7] * 1.01
    known = [result["scores_train"] for result in state.results]
    scores = [result["detector"].decision_function(new.to_numpy()) for result in state.results]
    found = adapt(state).new_scores(new, len(new))
    assert_allclose(found, naive.consensus(known, scores))
    assert_allclose(naive.consensus(known, known), state.consensus["scores"])


def test_tied_scores_share_their_rank_in_a_consensus():
    """By detectors whose scores of new rows are known: the first column, and the second."""

    class Column:
        def __init__(self, place):
            self.place = place

        def decision_function(self, X):
            return X[:, self.place]

    X = np.array([[1.0, 5.0], [1.0, 2.0], [3.0, 2.0], [2.0, 2.0]])
    detectors = [Column(0), Column(1)]
    for detector in detectors:
        detector.decision_scores_ = detector.decision_function(X)
    results = [{"detector": d, "scores_train": d.decision_scores_} for d in detectors]
    known = [result["scores_train"] for result in results]
    scores = naive.consensus(known, known)
    state = SimpleNamespace(results=results, consensus={"scores": scores})
    adapter = adapt(state)
    assert_array_equal(adapter.training_scores(X, *X.shape), scores)
    assert_allclose(adapter.new_scores(X, len(X)), scores)
    far = np.array([[9.0, 0.0], [np.nan, 2.0]])
    assert_allclose(adapter.private().new_scores(far, 2), [(4.5 / 4 + 0.5 / 4) / 2, np.nan])


def test_a_consensus_can_be_asked_whether_it_agrees(state, X):
    explainer = AspectExplainer(state, QUICK, n_queries=1, n_reference=0).fit(X)
    before = [np.array(result["detector"].decision_scores_) for result in state.results]
    aspect = explainer.explain().with_agreement(n_samples=10, n_aspects=1)[0].aspects[0]
    assert aspect.agreement.score < explainer.scores_.max()
    for result, scores in zip(state.results, before, strict=True):
        assert_array_equal(result["detector"].decision_scores_, scores)


def test_an_investigation_of_which_one_detector_is_left_is_that_detector(engine, state, X):
    names = [result["detector_name"] for result in state.results]
    failed = [{"detector_name": name, "status": "error", "error": "no"} for name in names[1:]]
    left = replace(state, results=[state.results[0], *failed])
    explanation = AspectExplainer(left, QUICK, n_queries=1, n_reference=0).fit(X).explain()
    assert explanation.detector == names[0]
    assert explanation[0].is_anomaly


def test_a_table_of_other_rows_or_columns_than_the_investigation_is_refused(state, X):
    with pytest.raises(DetectorError, match=r"consensus of .* was fitted on 500 rows, X has 499"):
        AspectExplainer(state).fit(X.iloc[1:])
    with pytest.raises(DetectorError, match=r"was fitted on 7 columns, X has 6"):
        AspectExplainer(state).fit(X.iloc[:, 1:])


def test_the_engine_and_its_plans_are_no_detectors(engine, X):
    with pytest.raises(DetectorError, match=r"is the engine: pass what its detect\(X\)"):
        AspectExplainer(engine).fit(X)
    plan = engine.plan_detection(engine.profile_data(X.to_numpy()))
    with pytest.raises(DetectorError, match=r"a plan of ADEngine for \w+, not a result: pass"):
        AspectExplainer(plan).fit(X)
    started = engine.start(X.to_numpy())
    with pytest.raises(
        DetectorError, match=r"no results, its phase is 'profiled': call engine\.run"
    ):
        AspectExplainer(started).fit(X)


def test_an_engine_whose_detectors_all_failed_says_so(engine):
    gaps = np.full((40, 3), np.nan)  # The detectors take no missing values.
    state = engine.run(engine.plan(engine.start(gaps, data_type="tabular")))
    with pytest.raises(DetectorError, match=r"all \d detectors of the investigation failed"):
        AspectExplainer(state).fit(gaps)
    with pytest.raises(DetectorError, match=r"\w+ failed in ADEngine \(.*\): pass a result"):
        AspectExplainer(state.results[0]).fit(gaps)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ({}, r"a dict without 'detector', its keys are \[\]: expected what ADEngine\.detect"),
        ({"scores": [1.0]}, r"its keys are \['scores'\]: expected what"),
        ({"detector": ECOD()}, "ECOD has no decision_scores_: expected a fitted detector"),
        (
            {"detector_name": "LOF", "status": "error", "error": "too\nfew rows."},
            r"LOF failed in ADEngine \(too few rows\): pass a result that has a detector",
        ),
    ],
)
def test_a_result_that_will_not_do_is_refused_in_one_sentence(result, message):
    with pytest.raises(DetectorError, match=message) as error:
        AspectExplainer(result).fit(np.zeros((3, 2)))
    assert "\n" not in str(error.value)
