"""AspectExplainer: two lines from a fitted detector to an explanation."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from pyod.models.ecod import ECOD
from pyod.models.hbos import HBOS
from pyod.models.iforest import IForest
from pyod.models.knn import KNN
from pyod.models.lof import LOF
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from pyod_aspects import AspectExplainer, Explanation, GBeam, Miner, SGBeam
from pyod_aspects.datasets import load_demo, make_hics
from pyod_aspects.density import Grid, SGrid
from pyod_aspects.detectors import PlainScores
from pyod_aspects.exceptions import DetectorError, InvalidInputError, QueryError
from pyod_aspects.scoring import lift, rank
from pyod_aspects.search import BeamSearch


@pytest.fixture(scope="module")
def X():
    return make_hics(n_rows=300, n_features=6, random_state=0).X


@pytest.fixture(scope="module")
def detector(X):
    return IForest(random_state=0).fit(X)


def test_two_lines_explain_the_ten_most_anomalous_rows(X, detector):
    explanation = AspectExplainer(detector).fit(X).explain()
    assert isinstance(explanation, Explanation)
    want = np.argsort(-detector.decision_scores_, kind="stable")[:10]
    assert [q.row for q in explanation] == want.tolist()
    assert [q.score for q in explanation] == sorted((q.score for q in explanation), reverse=True)
    for q in explanation:
        assert q.is_anomaly == bool(detector.labels_[q.row])
        assert q.percentile == pytest.approx(100 * np.mean(detector.decision_scores_ < q.score))
        assert [a.score for a in q.aspects] == sorted(a.score for a in q.aspects)


def test_hidden_subspaces_are_found():
    hics = make_hics(n_features=8, block_sizes=[2, 3, 3], random_state=3)
    X, truth = hics.X, hics.truth
    explanation = AspectExplainer(KNN().fit(X)).fit(X).explain(rows=list(truth))
    hits = sum(explanation.row(row).aspects[0].subspace in truth[row] for row in truth)
    assert hits >= 0.8 * len(truth)


class OwnGrid(SGrid):
    nearby = "a stone's throw away"


def legend(explanation):
    return [line for line in str(explanation).splitlines() if line.startswith("  Nearby: ")]


@pytest.mark.parametrize(
    ("miner", "parts", "words"),
    [
        (
            SGBeam(),
            Miner(SGrid(), lift),
            "close to the row in each feature, at the most telling distance",
        ),
        (
            SGBeam(score="zscore"),
            Miner(SGrid()),
            "in the same bin or the next one, in each of the features",
        ),
        (GBeam(), Miner(Grid()), "in the same bin, in each of the features"),
        (Miner(OwnGrid()), Miner(OwnGrid()), "a stone's throw away"),
    ],
)
def test_the_density_says_what_nearby_means_whatever_the_miner_is_called(
    miner, parts, words, X, detector
):
    for each in (miner, parts):
        explanation = AspectExplainer(detector, each, n_queries=1).fit(X).explain()
        assert legend(explanation) == [f"  Nearby: {words}; the row itself counts."]
        assert legend(Explanation.from_json(explanation.to_json())) == legend(explanation)


@pytest.mark.parametrize("Detector", [KNN, LOF, ECOD, HBOS])
@pytest.mark.parametrize("miner", ["sgbeam", "gbeam", "kdebeam", "oaminer"])
def test_every_miner_explains_any_detector(Detector, miner, X):
    explanation = AspectExplainer(Detector().fit(X), miner=miner, n_queries=2).fit(X).explain()
    assert len(explanation) == 2
    assert all(q.aspects for q in explanation)


def test_rows_are_explained_highest_score_first(X, detector):
    explanation = AspectExplainer(detector).fit(X).explain(rows=[5, 3, 5, 200])
    assert {q.row for q in explanation} == {3, 5, 200}
    assert [q.score for q in explanation] == sorted((q.score for q in explanation), reverse=True)
    [only] = AspectExplainer(detector).fit(X).explain(rows=7)
    assert only.row == 7


def test_rows_may_be_any_iterable(X, detector):
    explainer = AspectExplainer(detector, miner=SGBeam(max_dim=1)).fit(X)
    want = explainer.explain(rows=[3, 5])
    assert explainer.explain(rows={3, 5}) == want
    assert explainer.explain(rows={5: 0, 3: 0}.keys()) == want
    assert explainer.explain(rows=(r for r in (3, 5))) == want
    assert explainer.explain(rows=np.array([5, 3])) == want


def test_changing_the_table_afterwards_changes_nothing(detector, X):
    table = X.copy()
    explainer = AspectExplainer(detector).fit(table)
    want = explainer.explain(rows=[0])
    table[0] = 100.0
    assert explainer.explain(rows=[0]) == want


def test_a_score_at_the_threshold_is_no_anomaly(X):
    class Stepped:
        decision_scores_ = np.arange(300.0)
        threshold_, contamination = 298.0, 0.1

    first, second = AspectExplainer(Stepped(), n_queries=2).fit(X).explain()
    assert (first.is_anomaly, second.is_anomaly) == (True, False)


def test_ties_in_the_score_are_broken_by_row_number(X):
    class Flat:
        decision_scores_ = np.ones(300)

    assert [q.row for q in AspectExplainer(Flat(), n_queries=4).fit(X).explain()] == [0, 1, 2, 3]


def test_new_rows_are_scored_by_the_detector_and_compared_with_the_fitted_ones(X, detector):
    new = np.vstack([X[:3], np.full((1, 6), 50.0)])
    explanation = AspectExplainer(detector).fit(X).explain(new, n_queries=2)
    scores = detector.decision_function(new)
    assert explanation.new_rows
    assert explanation[0].row == int(np.argmax(scores))
    far = explanation.row(3)
    assert far.score == pytest.approx(scores[3])
    assert far.aspects[0].density == 1  # the row itself


def test_a_fitted_row_that_comes_as_a_new_one_counts_twice(X, detector):
    """As docs/new_rows.md warns: once as the fitted row, once as itself."""
    explainer = AspectExplainer(detector, GBeam(max_dim=1, tau=np.inf)).fit(X)
    [fitted], [new] = explainer.explain(rows=[3]), explainer.explain(X[[3]])
    counts = {aspect.features: aspect.density for aspect in fitted.aspects}
    assert counts
    assert {one.features: one.density for one in new.aspects} == {
        features: count + 1 for features, count in counts.items()
    }


@pytest.mark.parametrize("rows", [[300], [-1], [], [1.5], ["a"], [True, False], 1000])
def test_rows_that_do_not_exist_are_refused(X, detector, rows):
    with pytest.raises(QueryError, match="rows"):
        AspectExplainer(detector).fit(X).explain(rows=rows)


def test_names_of_a_frame_are_kept(detector, X):
    frame = pd.DataFrame(X, columns=[f"name {i}" for i in range(6)])
    explainer = AspectExplainer(detector).fit(frame)
    assert explainer.feature_names_in_.tolist() == list(frame.columns)
    aspect = explainer.explain()[0].aspects[0]
    assert aspect.features == tuple(f"name {i}" for i in aspect.subspace)
    with pytest.raises(InvalidInputError, match="'name 1'"):
        explainer.explain(frame[frame.columns[[0, 2, 1, 3, 4, 5]]])
    assert not hasattr(explainer.fit(X), "feature_names_in_")


def test_a_column_that_is_missing_or_new_is_named(X, detector):
    frame = pd.DataFrame(X, columns=list("abcdef"))
    explainer = AspectExplainer(detector).fit(frame)
    with pytest.raises(InvalidInputError, match="fitted on 6, it lacks 'c': pass the same columns"):
        explainer.explain(frame.drop(columns="c"))
    with pytest.raises(InvalidInputError, match="fitted on 6, it adds 'g': pass the same columns"):
        explainer.explain(frame.assign(g=1.0))


def test_another_number_of_columns_is_refused(X, detector):
    with pytest.raises(InvalidInputError, match="X has 5 columns, the explainer was fitted on 6"):
        AspectExplainer(detector).fit(X).explain(X[:, :5])
    with pytest.raises(DetectorError, match="5"):
        AspectExplainer(detector).fit(X[:, :5])
    with pytest.raises(DetectorError, match="300 rows, X has 299"):
        AspectExplainer(detector).fit(X[1:])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.zeros(5), "1 dimension"),
        (np.zeros((0, 3)), r"0 row\(s\) \(shape=\(0, 3\)\)"),
        ([["a", 1], [2, "b"]], "expected only numbers, only times or only text"),
        ([[np.inf, 1.0]], "infinite value in row 0, column 0"),
        (np.zeros((2, 2), dtype=complex), "Complex data"),
        (pd.DataFrame({"a": [1.0, np.inf]}), "row 1, column 'a'"),
    ],
)
def test_tables_that_will_not_do_are_refused_in_one_sentence(detector, table, message):
    with pytest.raises(InvalidInputError, match=message):
        AspectExplainer(detector).fit(table)


def test_sparse_matrices_are_refused_with_advice(detector):
    from scipy.sparse import eye

    with pytest.raises(InvalidInputError, match="toarray"):
        AspectExplainer(detector).fit(eye(4))


def test_scikit_learn_manners(X, detector):
    explainer = AspectExplainer(detector, miner=SGBeam(max_dim=2), n_queries=3)
    assert explainer.get_params(deep=False)["n_queries"] == 3
    assert explainer.get_params()["miner__max_dim"] == 2
    with pytest.raises(NotFittedError):
        explainer.explain()
    with pytest.raises(NotFittedError):
        check_is_fitted(explainer)
    explainer.fit(X)
    check_is_fitted(explainer)
    twin = clone(explainer)
    assert twin.detector is detector  # what is explained stays fitted
    assert twin.miner is not explainer.miner
    assert not hasattr(twin, "miner_")
    assert pickle.loads(pickle.dumps(explainer)).explain() == explainer.explain()
    assert twin.fit(X).explain() == explainer.explain()
    explainer.set_params(miner__max_dim=1, n_queries=1)
    [query] = explainer.fit(X).explain()
    assert {len(a.subspace) for a in query.aspects} == {1}


def test_the_table_is_not_changed_nor_is_the_order_of_queries_random(X, detector):
    before = X.copy()
    assert AspectExplainer(detector).fit(X).explain() == AspectExplainer(detector).fit(X).explain()
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("n_queries", [0, -3, 1.5, "all"])
def test_a_wrong_number_of_queries_is_refused(X, detector, n_queries):
    with pytest.raises(InvalidInputError, match="n_queries"):
        AspectExplainer(detector, n_queries=n_queries).fit(X)


def test_more_queries_than_rows_means_all_rows(X, detector):
    assert (
        len(AspectExplainer(detector, miner=SGBeam(max_dim=1)).fit(X).explain(n_queries=999)) == 300
    )


def test_settings_of_a_miner_of_own_parts_are_written_without_addresses(X, detector):
    miner = Miner(SGrid(bins=7), rank, BeamSearch(max_dim=2))
    first, again = (AspectExplainer(detector, miner).fit(X).explain() for _ in range(2))
    assert first == again
    assert first.settings["score"] == "rank"
    assert first.settings["density"] == "SGrid(bins=7)"


def test_another_miner_takes_the_same_rows_and_scores(X, detector):
    class Once(PlainScores):
        def training_scores(self, X, n_rows, n_features):
            scores = super().training_scores(X, n_rows, n_features)
            self.training_scores = None  # a second call would fail
            return scores

    scores = detector.decision_scores_
    explainer = AspectExplainer(Once(scores), n_queries=2).fit(X)
    other = explainer.with_miner(GBeam(max_dim=2))
    want = AspectExplainer.from_scores(scores, GBeam(max_dim=2), n_queries=2).fit(X).explain()
    assert other.explain() == want
    assert explainer.miner_.get_params()["max_dim"] == 5
    assert [*other.iter_scored(other.table_, scores, rows=7)][-1].row(7).score == scores[7]
    with pytest.raises(NotFittedError, match="not fitted yet"):
        AspectExplainer(detector).with_miner("gbeam")


def test_progress_is_reported(X, detector):
    seen = []
    AspectExplainer(detector).fit(X).explain(progress=seen.append)
    assert {p.level for p in seen} == {1, 2, 3, 4, 5}


def test_the_demo_table_has_an_explanation_in_its_own_names():
    demo = load_demo()
    explainer = AspectExplainer.from_scores(demo.y.astype(float), n_queries=1)
    [query] = explainer.fit(demo.frame).explain()
    assert set(query.aspects[0].features) <= set(demo.feature_names)
    assert int(query.label) in demo.errors


def test_an_explanation_knows_its_background_until_it_is_stored(X, detector):
    explainer = AspectExplainer(detector, n_queries=2).fit(X)
    explanation = explainer.explain()
    background = explanation.background
    assert background.explainer.detector is detector
    np.testing.assert_array_equal(background.reference.values, X)
    np.testing.assert_array_equal(background.scores, detector.decision_scores_)
    assert background.threshold == detector.threshold_
    explainer.fit(X[:, ::-1])
    again = background.explainer.explain()
    assert again == explanation
    for stored in (
        pickle.loads(pickle.dumps(explanation)),
        Explanation.from_json(explanation.to_json()),
    ):
        assert stored.background is None
        assert stored == explanation


@pytest.mark.parametrize("scores", [[0.0, 1.0], np.zeros((5, 2))])
def test_scores_that_do_not_fit_a_table_are_refused(scores):
    X = np.random.default_rng(0).normal(size=(5, 2))
    explainer = AspectExplainer.from_scores(np.arange(5.0)).fit(X)
    with pytest.raises(InvalidInputError, match="expected one score for each row"):
        explainer.iter_scored(explainer.table_, scores)


@pytest.fixture(scope="module")
def labelled(X, detector):
    """A fitted explainer whose rows are TX0, TX1 and so on, in reverse order."""
    names = [f"TX{i}" for i in reversed(range(len(X)))]
    return AspectExplainer(detector, n_queries=3).fit(pd.DataFrame(X, index=names))


def test_explained_rows_have_the_labels_of_the_index(X, detector, labelled):
    explanation = labelled.explain()
    assert [q.label for q in explanation] == [f"TX{len(X) - 1 - q.row}" for q in explanation]
    bare = AspectExplainer(detector, n_queries=3).fit(X).explain()
    assert [q.row for q in explanation] == [q.row for q in bare]
    assert [q.label for q in bare] == [None] * 3
    *_, last = labelled.iter_explain()
    assert last == explanation
    assert pickle.loads(pickle.dumps(labelled)).explain() == explanation


def test_new_rows_have_the_labels_of_their_own_table(X, labelled):
    new = pd.DataFrame(X[:4], index=[17, 23, 23, 5])
    explanation = labelled.explain(new, rows=[0, 2])
    assert sorted((q.row, q.label) for q in explanation) == [(0, "17"), (2, "23")]
    assert labelled.explain(new, rows="5")[0].row == 3


def test_rows_are_chosen_by_label_too(X, labelled):
    by_label = labelled.explain(rows=["TX5", "TX0"])
    assert sorted(q.row for q in by_label) == [len(X) - 6, len(X) - 1]
    assert by_label == labelled.explain(rows=[len(X) - 6, "TX0"])
    assert labelled.explain(rows="TX5") == labelled.explain(rows=len(X) - 6)
    assert labelled.explain(rows=pd.Index(["TX5"])).row("TX5").row == len(X) - 6


def test_labels_that_name_no_row_are_refused_in_one_sentence(X, detector, labelled):
    with pytest.raises(QueryError, match="no row has the label 'TX'"):
        labelled.explain(rows=["TX"])
    with pytest.raises(QueryError, match=r"100 rows have the label .*: pass a position"):
        AspectExplainer(detector).fit(pd.DataFrame(X, index=["a", "b", "c"] * 100)).explain(
            rows=["b", "a"]
        )
    with pytest.raises(QueryError, match="the rows have no labels"):
        AspectExplainer(detector).fit(X).explain(rows="TX5")
