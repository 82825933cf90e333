"""What is needed of a fitted detector, and what is said of one that will not do."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from pyod.models.ecod import ECOD
from pyod.models.iforest import IForest
from pyod.models.knn import KNN

from pyod_aspects import DetectorError
from pyod_aspects.detectors import new_scores, threshold, training_scores

X = np.random.default_rng(0).normal(size=(50, 3))


def test_training_scores_are_the_detectors_own():
    detector = KNN().fit(X)
    np.testing.assert_array_equal(training_scores(detector, 50, 3), detector.decision_scores_)


@pytest.mark.parametrize(
    ("detector", "message"),
    [
        (KNN(), "call its fit"),
        (IForest(), "call its fit"),
        (KNN, r"KNN\(\)\.fit\(X\)"),
        ("IForest", "expected a fitted PyOD detector"),
        (SimpleNamespace(decision_scores_=np.ones(49)), "fitted on 49 rows, X has 50"),
        (SimpleNamespace(decision_scores_=np.full(50, np.nan)), "50 scores that are not finite"),
        (SimpleNamespace(decision_scores_=np.ones(50), n_features_in_=4), "fitted on 4 columns"),
    ],
)
def test_a_detector_that_will_not_do_is_refused_in_one_sentence(detector, message):
    with pytest.raises(DetectorError, match=message) as error:
        training_scores(detector, 50, 3)
    assert "\n" not in str(error.value)


def test_scoring_new_rows_leaves_the_detector_as_it_is():
    detector = ECOD().fit(X)
    before = {name: np.array(value) for name, value in vars(detector).items()}
    expected = ECOD().fit(X).decision_function(X[:5] + 1)
    np.testing.assert_allclose(new_scores(detector, X[:5] + 1), expected)
    after = vars(detector)
    assert before.keys() == after.keys()
    for name, value in before.items():
        np.testing.assert_array_equal(value, np.array(after[name]))


def test_a_detector_that_cannot_score_new_rows_says_so():
    class Closed:
        def decision_function(self, X):
            raise NotImplementedError

    with pytest.raises(DetectorError, match="explain rows of the fitted X"):
        new_scores(Closed(), X)
    with pytest.raises(DetectorError, match="no decision_function"):
        new_scores(SimpleNamespace(), X)


def test_a_threshold_counts_only_where_contamination_is_a_number():
    assert threshold(KNN(contamination=0.2).fit(X)) == pytest.approx(
        np.percentile(KNN().fit(X).decision_scores_, 80)
    )
    assert threshold(SimpleNamespace(threshold_=1.0, contamination=object())) is None
    assert threshold(SimpleNamespace()) is None
