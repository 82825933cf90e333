"""What is needed of a fitted detector, and what is said of one that will not do."""

from __future__ import annotations

import pickle
import re
import warnings
from types import SimpleNamespace

import bad_inputs
import detector_cases
import numpy as np
import pandas as pd
import pytest
from pyod.models.ecod import ECOD
from pyod.models.hbos import HBOS
from pyod.models.knn import KNN
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.covariance import EllipticEnvelope
from sklearn.decomposition import PCA
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import SGDOneClassSVM
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity, LocalOutlierFactor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import OneClassSVM

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects.detectors import adapt
from pyod_aspects.exceptions import DetectorError

X = bad_inputs.X
NEW = np.vstack([X[:4] + 0.1, [[0.0, 20.0, 0.0]]])
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])
QUICK = SGBeam(max_dim=2)


def scores_of(detector, table=X):
    return adapt(detector).training_scores(table, *np.shape(table))


def new_scores_of(detector, table=NEW):
    return adapt(detector).new_scores(table, len(table))


# ---------------------------------------------------------------- PyOD


def test_training_scores_are_the_detectors_own():
    detector = KNN().fit(X)
    np.testing.assert_array_equal(scores_of(detector), detector.decision_scores_)


def test_scoring_new_rows_leaves_the_detector_as_it_is():
    detector = ECOD().fit(X)
    before = {name: np.array(value) for name, value in vars(detector).items()}
    expected = ECOD().fit(X).decision_function(X[:5] + 1)
    np.testing.assert_allclose(new_scores_of(detector, X[:5] + 1), expected)
    after = vars(detector)
    assert before.keys() == after.keys()
    for name, value in before.items():
        np.testing.assert_array_equal(value, np.array(after[name]))


def test_a_detector_that_cannot_score_new_rows_says_so():
    class Closed:
        decision_scores_ = np.zeros(3)

        def decision_function(self, X):
            raise NotImplementedError

    with pytest.raises(DetectorError, match="explain rows of the fitted X"):
        new_scores_of(Closed())
    with pytest.raises(DetectorError, match="no decision_function"):
        new_scores_of(SimpleNamespace(decision_scores_=np.zeros(3)))


def test_what_a_detector_raises_becomes_one_sentence():
    class Broken:
        decision_scores_ = np.zeros(3)

        def decision_function(self, X):
            raise ValueError("the matrix\nis singular.")

    with pytest.raises(DetectorError, match=r"^Broken cannot score X: the matrix is singular\.$"):
        new_scores_of(Broken())


def test_a_threshold_counts_only_where_contamination_is_a_number():
    assert adapt(KNN(contamination=0.2).fit(X)).threshold() == pytest.approx(
        np.percentile(KNN().fit(X).decision_scores_, 80)
    )
    scored = {"decision_scores_": np.zeros(3)}
    other = SimpleNamespace(threshold_=1.0, contamination=object(), **scored)
    assert adapt(other).threshold() is None
    assert adapt(SimpleNamespace(**scored)).threshold() is None


def test_new_rows_that_are_no_numbers_are_refused_where_numbers_are_needed():
    text = pd.DataFrame({"a": ["x"], "b": ["y"], "c": ["z"]})
    with pytest.raises(DetectorError, match=r"KNN cannot score new rows that.*in a Pipeline"):
        new_scores_of(KNN().fit(X), text)


def test_a_detector_that_takes_more_than_numbers_gets_the_table_as_it_came():
    class Frames:
        decision_scores_ = np.zeros(3)

        def decision_function(self, X):
            return X["size"].str.len()

    frame = pd.DataFrame({"size": ["large", "xl"], "price": [1.0, 2.0]})
    assert new_scores_of(Frames(), frame).tolist() == [5.0, 2.0]


@pytest.mark.parametrize(
    "new",
    [
        NEW.astype(object),
        np.ma.array(NEW),
        pd.DataFrame(NEW).convert_dtypes(),
        NEW.tolist(),
        np.asfortranarray(NEW, dtype=np.float64),
    ],
    ids=["objects", "masked", "nullable", "list", "Fortran"],
)
def test_numbers_are_numbers_in_whatever_form_they_come(new):
    detector = KNN().fit(X)
    np.testing.assert_array_equal(new_scores_of(detector, new), new_scores_of(detector, NEW))


def test_truth_values_are_the_numbers_0_and_1_for_a_detector():
    flags = X > 0
    detector = KNN().fit(flags.astype(float))
    np.testing.assert_array_equal(
        new_scores_of(detector, flags), detector.decision_function(flags.astype(float))
    )


@pytest.mark.parametrize(
    "name",
    ["CBLOF", "COPOD", "GMM", "INNE", "KDE", "LODA", "LOF", "MCD", "OCSVM", "PCA", "Sampling"],
)
def test_columns_are_counted_wherever_a_detector_of_pyod_remembers_them(name):
    detector = detector_cases.make_pyod(name).fit(X)
    assert len(scores_of(detector)) == 50
    with pytest.raises(DetectorError, match=f"{name} was fitted on 3 columns, X has 2"):
        scores_of(detector, X[:, :2])


def test_columns_of_windows_are_not_those_of_the_table():
    """As in PyOD's TimeSeriesOD, which fits a detector to windows of a series."""
    windows = np.lib.stride_tricks.sliding_window_view(X[:, 0], 5)
    detector = SimpleNamespace(decision_scores_=np.zeros(50), detector_=KNN().fit(windows))
    assert len(scores_of(detector)) == 50


def test_histograms_with_bins_of_their_own_are_counted_too():
    with pytest.raises(DetectorError, match="HBOS was fitted on 3 columns, X has 2"):
        scores_of(HBOS(n_bins="auto").fit(X), X[:, :2])


# ---------------------------------------------------------------- scikit-learn


SKLEARN = [
    IsolationForest(random_state=0),
    IsolationForest(contamination=0.1, random_state=0),
    LocalOutlierFactor(novelty=True),
    LocalOutlierFactor(novelty=True, contamination=0.1),
    OneClassSVM(nu=0.1),
    SGDOneClassSVM(random_state=0),
    EllipticEnvelope(random_state=0),
]


@pytest.mark.parametrize("detector", SKLEARN, ids=repr)
def test_scores_of_scikit_learn_are_turned_so_that_high_is_anomalous(detector):
    detector = clone(detector).fit(X)
    scores = scores_of(detector)
    if not isinstance(detector, SGDOneClassSVM):  # a straight line
        assert scores.argmax() == 7
    if not isinstance(detector, LocalOutlierFactor):
        np.testing.assert_array_equal(scores, -detector.score_samples(X))
    np.testing.assert_array_equal(new_scores_of(detector), -detector.score_samples(NEW))


@pytest.mark.parametrize("detector", SKLEARN, ids=repr)
def test_the_threshold_calls_the_rows_anomalies_that_scikit_learn_does(detector):
    detector = clone(detector).fit(X)
    adapter = adapt(detector)
    called = new_scores_of(detector, NEW) > adapter.threshold()
    np.testing.assert_array_equal(called, detector.predict(NEW) == -1)


@pytest.mark.parametrize("novelty", [True, False])
def test_the_local_outlier_factor_is_asked_for_what_it_kept(novelty):
    detector = LocalOutlierFactor(novelty=novelty).fit(X)
    np.testing.assert_array_equal(scores_of(detector), -detector.negative_outlier_factor_)
    called = scores_of(detector) > adapt(detector).threshold()
    np.testing.assert_array_equal(called, LocalOutlierFactor().fit_predict(X) == -1)


def test_the_local_outlier_factor_without_novelty_cannot_score_new_rows():
    explainer = AspectExplainer(LocalOutlierFactor().fit(X), QUICK).fit(X)
    assert explainer.explain()[0].row == 7
    with pytest.raises(DetectorError, match=r"novelty=False\) cannot score new.*novelty=True"):
        explainer.explain(NEW)


@pytest.mark.parametrize("detector", [KernelDensity(), GaussianMixture(random_state=0)], ids=repr)
def test_a_density_of_scikit_learn_is_a_detector_without_threshold(detector):
    detector = clone(detector).fit(X)
    assert scores_of(detector).argmax() == 7
    assert adapt(detector).threshold() is None
    assert AspectExplainer(detector, QUICK).fit(X).explain()[0].is_anomaly is None


def test_a_decision_function_alone_will_not_do_as_nobody_knows_which_way_it_points():
    class Distance(IsolationForest):
        score_samples = property()  # raises AttributeError, as if it were not there

    with pytest.raises(DetectorError, match="Distance has no decision_scores_"):
        scores_of(Distance().fit(X))


@pytest.mark.parametrize("detector", SKLEARN, ids=repr)
@pytest.mark.parametrize("fitted_on", [X, FRAME], ids=["array", "frame"])
@pytest.mark.parametrize("explained", [X, FRAME], ids=["array", "frame"])
def test_scikit_learn_never_warns_of_names(detector, fitted_on, explained):
    detector = clone(detector).fit(fitted_on)
    new = pd.DataFrame(NEW, columns=FRAME.columns) if explained is FRAME else NEW
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explainer = AspectExplainer(detector, QUICK, n_queries=1).fit(explained)
        assert explainer.explain()[0].row == scores_of(detector, explained).argmax()
        assert explainer.explain(new)[0].row == new_scores_of(detector, new).argmax()


# ---------------------------------------------------------------- pipelines


@pytest.mark.parametrize(
    "detector",
    [KNN(), ECOD(), LocalOutlierFactor(), IsolationForest(random_state=0), OneClassSVM(nu=0.1)],
    ids=repr,
)
@pytest.mark.parametrize("table", [X, FRAME], ids=["array", "frame"])
def test_a_pipeline_is_explained_in_the_units_of_the_table(detector, table):
    stretched = table * [1.0, 1000.0, 1e-6]
    pipeline = make_pipeline(StandardScaler(), detector).fit(stretched)
    explainer = AspectExplainer(pipeline, QUICK, n_queries=2).fit(stretched)
    explanation = explainer.explain()
    assert explanation[0].row == 7
    assert explanation.detector == type(detector).__name__
    np.testing.assert_array_equal(explanation.background.reference.values, stretched)


def test_new_rows_go_through_the_whole_pipeline():
    for detector in (KNN(), IsolationForest(random_state=0)):
        pipeline = make_pipeline(StandardScaler(), PCA(2), detector).fit(X)
        prepared = pipeline[:-1].transform(NEW)
        expected = pipeline[-1].decision_function(prepared)
        sign = 1 if isinstance(detector, KNN) else -1
        got = new_scores_of(pipeline) + (0 if sign == 1 else pipeline[-1].offset_)
        np.testing.assert_allclose(got, sign * expected)


def test_a_pipeline_may_begin_with_nothing_and_may_hold_one_step_or_another_pipeline():
    detector = IsolationForest(random_state=0)
    expected = -detector.fit(X).score_samples(X)
    for steps in (
        [("only", detector)],
        [("nothing", "passthrough"), ("last", detector)],
        [("nothing", "passthrough"), ("last", Pipeline([("only", detector)]))],
    ):
        pipeline = Pipeline(steps)
        pipeline.fit(X)
        np.testing.assert_allclose(scores_of(pipeline), expected)
        with pytest.raises(DetectorError, match="fitted on 3 columns, X has 2"):
            scores_of(pipeline, X[:, :2])


def test_columns_are_counted_at_the_first_step_of_a_pipeline():
    pipeline = make_pipeline(PCA(2), KNN()).fit(X)
    assert scores_of(pipeline).argmax() == 7
    with pytest.raises(DetectorError, match="KNN was fitted on 3 columns, X has 2"):
        scores_of(pipeline, X[:, :2])


def test_a_pipeline_gets_the_table_as_the_user_has_it():
    """What turns text into numbers is the pipeline's work."""
    frame = FRAME.assign(kind=["x", "y"] * 25)
    encode = ColumnTransformer(
        [("numbers", StandardScaler(), ["a", "b", "c"]), ("text", OneHotEncoder(), ["kind"])]
    )
    for detector in (KNN(), IsolationForest(random_state=0)):
        pipeline = make_pipeline(encode, detector).fit(frame)
        assert scores_of(pipeline, frame).argmax() == 7
        assert new_scores_of(pipeline, frame[5:9]).argmax() == 2


def test_a_pipeline_that_keeps_frames_works_alike():
    for detector in (KNN(), IsolationForest(random_state=0)):
        pipeline = make_pipeline(StandardScaler(), detector)
        pipeline[0].set_output(transform="pandas")
        pipeline.fit(FRAME)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert scores_of(pipeline, FRAME).argmax() == 7
            assert new_scores_of(pipeline, X[5:9]).argmax() == 2


class Ratio(TransformerMixin, BaseEstimator):
    """A transformer as users write them: it asks for columns by name and remembers nothing."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return np.c_[X["a"], X["b"] - X["c"]]


@pytest.mark.parametrize("detector", [KNN(), IsolationForest(random_state=0)], ids=repr)
def test_a_pipeline_may_begin_with_a_transformer_that_asks_for_columns_by_name(detector):
    pipeline = make_pipeline(Ratio(), detector).fit(FRAME)
    assert scores_of(pipeline, FRAME).argmax() == 7
    assert new_scores_of(pipeline, FRAME[5:9]).argmax() == 2


# ---------------------------------------------------------------- plain scores


def test_plain_scores_say_which_rows():
    scores = np.arange(50.0)
    explainer = AspectExplainer.from_scores(scores, miner=QUICK, n_queries=3, threshold=48.0)
    explanation = explainer.fit(X).explain()
    assert [(q.row, q.is_anomaly) for q in explanation] == [(49, True), (48, False), (47, False)]
    assert "of your model" in repr(explanation)
    named = AspectExplainer.from_scores(scores, QUICK, name="the gateway").fit(X).explain()
    assert "10 rows scored by the gateway among 50 rows" in repr(named)


@pytest.mark.parametrize("form", [list, tuple, np.float32, pd.Series, lambda s: np.c_[s]])
def test_plain_scores_come_in_any_form(form):
    scores = np.arange(50.0)[::-1]
    explanation = AspectExplainer.from_scores(form(scores), QUICK, 1).fit(X).explain()
    assert explanation[0].row == 0
    assert explanation[0].percentile == 98.0


def test_plain_scores_are_those_of_the_moment_they_were_given():
    scores = np.arange(50.0)
    explainer = AspectExplainer.from_scores(scores, QUICK, 1)
    scores[0] = 99.0
    assert explainer.fit(X).explain()[0].row == 49


def test_an_explainer_of_plain_scores_has_the_manners_of_any_other():
    explainer = AspectExplainer.from_scores(np.arange(50.0), QUICK, 2)
    assert repr(explainer.detector) == "PlainScores(50 rows)"
    assert "PlainScores(50 rows)" in repr(explainer)
    assert explainer.get_params(deep=False)["n_queries"] == 2
    twin = clone(explainer).fit(X)
    assert twin.explain() == explainer.fit(X).explain()
    assert pickle.loads(pickle.dumps(twin)).explain() == twin.explain()


def test_plain_scores_with_labels_belong_to_the_rows_of_these_labels():
    labelled = FRAME.set_axis(range(100, 150))
    scores = pd.Series(np.arange(50.0), index=labelled.index)
    for right in (scores, scores[::-1].loc[labelled.index], scores.to_numpy()):
        explanation = AspectExplainer.from_scores(right, QUICK, 1).fit(labelled).explain()
        assert explanation[0].row == 49
    for wrong in (scores[::-1], scores.reset_index(drop=True), scores[::-1].to_frame()):
        explainer = AspectExplainer.from_scores(wrong, QUICK)
        with pytest.raises(
            DetectorError, match=r"pass scores\.loc\[X\.index\], or scores\.to_numpy"
        ):
            explainer.fit(labelled)
    assert AspectExplainer.from_scores(scores, QUICK, 1).fit(X).explain()[0].row == 49


def test_plain_scores_know_no_new_rows():
    explainer = AspectExplainer.from_scores(np.arange(50.0), QUICK).fit(X)
    with pytest.raises(DetectorError, match="plain scores and no detector: explain rows of the"):
        explainer.explain(NEW)


# ---------------------------------------------------------------- what will not do


@pytest.mark.parametrize(
    ("detector", "message"),
    [pytest.param(*case[1:], id=case[0]) for case in bad_inputs.DETECTORS],
)
def test_a_detector_that_will_not_do_is_refused_in_one_sentence(detector, message):
    with pytest.raises(DetectorError, match=message) as error:
        AspectExplainer(detector, QUICK).fit(X)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("scores", "threshold", "message"),
    [
        (np.zeros((3, 2)), None, r"scores have shape \(3, 2\): expected one number for each row"),
        (5.0, None, r"scores have shape \(\)"),
        ([1.0, 2.0 + 1j], None, r"complex scores \(complex128\): expected real numbers; pass one"),
        ([1.0, np.nan], None, "1 scores that are not finite"),
        (["a", "b"], None, "scores that are not numbers"),
        (np.ma.array([1.0, 2.0], mask=[True, False]), None, "1 scores that are not finite .*row 0"),
        ([[1.0, 2.0], [3.0]], None, "scores cannot be read as an array: expected one number"),
        ([1.0, 2.0], np.nan, "threshold=nan: expected a number, or None"),
        ([1.0, 2.0], "high", "threshold='high': expected a number, or None"),
        ([1.0, 2.0], [0.5, 1.0], r"threshold=\[0\.5, 1\.0\]: expected a number, or None"),
    ],
)
def test_plain_scores_that_will_not_do_are_refused_at_once(scores, threshold, message):
    with pytest.raises(DetectorError, match=message):
        AspectExplainer.from_scores(scores, threshold=threshold)


@pytest.mark.parametrize("shape", [(25, 2), (1, 50), (50, 1, 1), (5, 10)])
def test_scores_of_another_shape_than_one_for_each_row_are_refused(shape):
    message = rf"has scores of shape {re.escape(str(shape))}: expected one for each row, .*; pass"
    raw = np.arange(50.0).reshape(shape)
    kept = SimpleNamespace(decision_scores_=raw)
    given = SimpleNamespace(decision_scores_=np.zeros(50), decision_function=lambda _: raw)
    with pytest.raises(DetectorError, match=message):
        scores_of(kept)
    with pytest.raises(DetectorError, match=message):
        new_scores_of(given, X)


def test_a_column_of_scores_is_one_score_for_each_row():
    column = np.arange(50.0)[:, None]
    np.testing.assert_array_equal(
        scores_of(SimpleNamespace(decision_scores_=column)), np.arange(50.0)
    )
    np.testing.assert_array_equal(
        adapt(AspectExplainer.from_scores(column).detector).training_scores(X, 50, 3),
        np.arange(50.0),
    )


def test_complex_scores_are_refused_and_lose_no_part():
    raw = np.arange(50.0) + 1j
    message = r"has complex scores \(complex128\): expected real numbers; pass one real number"
    with pytest.raises(DetectorError, match=message):
        scores_of(SimpleNamespace(decision_scores_=raw))
    given = SimpleNamespace(decision_scores_=np.zeros(50), decision_function=lambda _: raw)
    with pytest.raises(DetectorError, match=message):
        new_scores_of(given, X)
    with pytest.raises(DetectorError, match=message):
        scores_of(SimpleNamespace(decision_scores_=np.ma.array(raw)))


def test_names_in_another_order_than_the_detectors_are_refused():
    detector = IsolationForest().fit(FRAME)
    with pytest.raises(DetectorError, match=r"column 0 of X is 'b', IsolationForest was .* 'a'"):
        AspectExplainer(detector, QUICK).fit(FRAME[["b", "a", "c"]])
