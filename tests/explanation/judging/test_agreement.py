"""Whether the detector agrees: its score of rows in which some values are those of others."""

from __future__ import annotations

import pickle
import threading
import time
from dataclasses import replace

import naive
import numpy as np
import pandas as pd
import pytest
from pyod.models.cof import COF
from pyod.models.ecod import ECOD
from pyod.models.hbos import HBOS
from pyod.models.iforest import IForest
from pyod.models.knn import KNN
from sklearn.compose import make_column_transformer
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import KernelDensity, LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from pyod_aspects import AspectExplainer, Explanation, KDEBeam, SGBeam
from pyod_aspects.exceptions import DetectorError, InvalidInputError
from pyod_aspects.explanation.judging import agreement
from pyod_aspects.explanation.judging.agreement import (
    Asking,
    agreement_if_cheap,
    estimate_seconds,
)
from pyod_aspects.explanation.judging.asking import Asked

ROW, PAIR = 5, (1, 3)
"""A row that is ordinary in every feature, and the two that do not go together."""


def planted(n_rows=300, seed=0):
    """Six columns, of which two go together but in one row."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 6))
    X[:, 3] = X[:, 1] + rng.normal(0, 0.05, n_rows)
    X[ROW, list(PAIR)] = 2.0, -2.0
    X[ROW, [0, 2, 4, 5]] = 0.0
    return X


X = planted()


def explain(detector, table=X, rows=(ROW,), new=None, **settings):
    explainer = AspectExplainer(detector, SGBeam(max_dim=2), n_reference=0).fit(table)
    return explainer.explain(new, rows=rows)


def find(query, subspace):
    [aspect] = [a for a in query.aspects if a.subspace == subspace]
    return aspect


def donors(n_rows, row, n_samples, seed=0):
    """Rows that lend their values: the first of a random order, without the row itself."""
    order = np.random.RandomState(seed).permutation(n_rows)
    return [r for r in order if r != row][:n_samples]


@pytest.mark.parametrize(
    "detector",
    [KNN(), IForest(random_state=0), HBOS(), COF(), ECOD()],
    ids=["KNN", "IForest", "HBOS", "COF", "ECOD"],
)
def test_agreement_is_the_definition(detector):
    detector.fit(X)
    told = explain(detector, rows=(ROW, 7)).with_agreement(n_samples=5, n_aspects=2)
    asked = 0
    for query in told:
        for aspect in query.aspects[:2]:
            lent = X[donors(len(X), query.row, 5)][:, aspect.subspace]
            expected = naive.replacement(
                detector.decision_function,
                detector.decision_scores_,
                X,
                query.row,
                aspect.subspace,
                lent,
            )
            if expected is None:
                assert aspect.agreement is None
                continue
            asked += 1
            assert aspect.agreement.features == aspect.features
            # ECOD scores several tables in one, so that each new row sees the others.
            near = {"rel": 0.02, "abs": 0.01} if type(detector) is ECOD else {"rel": 1e-9}
            assert aspect.agreement.score == pytest.approx(expected[0], **near)
            assert aspect.agreement.share == pytest.approx(expected[1], **near)
            assert aspect.agreement.percentile == pytest.approx(expected[2], abs=1.0)
    assert asked >= 2


def test_repair_is_the_definition():
    detector = KNN().fit(X)
    [query] = explain(detector).with_agreement(n_samples=7)
    repaired = [aspect for aspect in query.aspects if aspect.repair is not None]
    assert len(repaired) >= 3
    for aspect in repaired:
        [name] = aspect.repair.features
        blamed = aspect.subspace[aspect.features.index(name)]
        values = sorted(naive.ordinary_values(X, aspect.subspace, X[ROW], blamed, ROW))
        m = len(values)
        lent = values if m <= 7 else [values[(2 * i + 1) * m // 14] for i in range(7)]
        expected = naive.replacement(
            detector.decision_function,
            detector.decision_scores_,
            X,
            ROW,
            [blamed],
            [[v] for v in lent],
        )
        found = aspect.repair.score, aspect.repair.share, aspect.repair.percentile
        assert found == pytest.approx(expected)


def test_the_repair_of_a_row_is_the_definition():
    table = planted()
    table[ROW] = 0.0
    table[ROW, [2, 4]] = 9.0, -7.0  # odd by themselves, one high and one low
    detector = KNN().fit(table)
    [query] = explain(detector, table).with_agreement(n_samples=7)
    assert query.repair.features == ("x2", "x4")
    ranges = {a: naive.middle(table[:, a].tolist(), False) for a in (2, 4)}
    typical = [
        row
        for row in donors(len(table), ROW, len(table))
        if all(low <= table[row, a] <= high for a, (low, high) in ranges.items())
    ]
    expected = naive.replacement(
        detector.decision_function,
        detector.decision_scores_,
        table,
        ROW,
        [2, 4],
        table[typical[:7]][:, [2, 4]],
    )
    found = query.repair.score, query.repair.share, query.repair.percentile
    assert found == pytest.approx(expected)
    alone = [aspect.repair.share for aspect in query.aspects if aspect.subspace in ((2,), (4,))]
    assert len(alone) == 2
    assert query.repair.share > 0.9 > max(alone)


def test_a_row_with_one_odd_feature_has_no_repair_of_its_own():
    [query] = explain(KNN().fit(X)).with_agreement()
    assert query.was_asked
    assert query.repair is None
    assert not explain(KNN().fit(X))[0].was_asked


def test_the_planted_aspect_is_what_the_detector_saw():
    [query] = explain(KNN().fit(X)).with_agreement()
    aspect = query.aspects[0]
    assert aspect.subspace == PAIR
    assert aspect.agreement.share > 0.8
    assert aspect.repair.share > 0.8
    assert aspect.repair.percentile < 90
    others = [a for a in query.aspects if not set(PAIR) & set(a.subspace)]
    assert others
    assert all(a.agreement.share < 0.3 for a in others)


def test_only_the_best_aspects_are_asked_about_if_wished():
    told = explain(KNN().fit(X)).with_agreement(n_samples=3, n_aspects=2)
    asked = [aspect.agreement is not None for aspect in told[0].aspects]
    assert asked == [True, True] + [False] * (len(asked) - 2)


def test_a_row_that_is_not_above_the_median_is_not_asked_about():
    detector = KNN().fit(X)
    low = int(np.argmin(detector.decision_scores_))
    told = explain(detector, rows=(low, ROW)).with_agreement(n_samples=3)
    assert all(a.agreement is None and a.repair is None for a in told.row(low).aspects)
    assert told.row(ROW).aspects[0].agreement is not None


def test_a_feature_inside_its_range_is_not_repaired():
    """Nothing is to blame alone where values are common and rare together."""
    told = explain(KNN().fit(X)).with_agreement(n_samples=3)
    inside = [
        a for a in told[0].aspects if not any(evidence.outside > 0.0 for evidence in a.evidence)
    ]
    assert inside
    assert all(a.repair is None and a.agreement is not None for a in inside)


def test_kernel_densities_are_asked_about_alike():
    explainer = AspectExplainer(KNN().fit(X), KDEBeam(max_dim=2), n_reference=0).fit(X)
    [query] = explainer.explain(rows=[ROW]).with_agreement()
    assert find(query, PAIR).agreement.share > 0.8
    assert find(query, PAIR).repair.share > 0.8


# ---------------------------------------------------------------- same input, same output


def test_the_same_question_has_the_same_answer():
    explanation = explain(IForest(random_state=0).fit(X), rows=(ROW, 7, 9))
    first = explanation.with_agreement(n_samples=10)
    assert first == explanation.with_agreement(n_samples=10, random_state=0)
    assert first != explanation.with_agreement(n_samples=10, random_state=1)
    assert explanation[0].aspects[0].agreement is None  # as it was


@pytest.mark.parametrize("detector", [KNN(), COF(), ECOD()], ids=["KNN", "COF", "ECOD"])
def test_an_answer_does_not_depend_on_what_else_is_asked(detector):
    detector.fit(X)
    alone = explain(detector, rows=(ROW,)).with_agreement(n_samples=4, n_aspects=1)
    together = explain(detector, rows=(2, ROW, 9)).with_agreement(n_samples=4, n_aspects=3)
    best = together.row(ROW).aspects[0]
    assert best.agreement == alone[0].aspects[0].agreement
    assert best.repair == alone[0].aspects[0].repair


def test_global_random_numbers_do_not_matter():
    explanation = explain(KNN().fit(X))
    np.random.seed(1)  # noqa: NPY002
    first = explanation.with_agreement(n_samples=5)
    np.random.seed(2)  # noqa: NPY002
    assert explanation.with_agreement(n_samples=5) == first


def test_several_threads_may_ask_at_once():
    explanation = explain(ECOD().fit(X))
    expected = explanation.with_agreement(n_samples=4, n_aspects=2)
    found = []
    threads = [
        threading.Thread(
            target=lambda: found.append(explanation.with_agreement(n_samples=4, n_aspects=2))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@pytest.mark.parametrize("detector", [ECOD(), KNN(), COF()], ids=["ECOD", "KNN", "COF"])
def test_the_users_detector_stays_as_it_is(detector):
    detector.fit(X)
    before = pickle.dumps(detector)
    explain(detector).with_agreement(n_samples=2, n_aspects=1)
    assert pickle.dumps(detector) == before


def test_what_is_found_survives_json():
    told = explain(KNN().fit(X)).with_agreement(n_samples=5)
    assert Explanation.from_json(told.to_json()) == told


# ---------------------------------------------------------------- detectors that compare rows


@pytest.mark.parametrize(
    ("detector", "apart", "repeatable"),
    [
        (KNN(), True, None),
        (IForest(random_state=0), True, None),
        (ECOD(), False, True),
        (COF(), False, False),
    ],
    ids=["KNN", "IForest", "ECOD", "COF"],
)
def test_detectors_are_told_apart_by_how_they_score(detector, apart, repeatable):
    asked = Asked(explain(detector.fit(X)).background)
    assert asked.apart is apart
    if repeatable is not None:
        assert (asked.copies > 1) is repeatable


def test_a_table_of_two_rows_can_be_asked_about():
    small = np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 9.0]])
    detector = KNN(n_neighbors=1).fit(small)
    explainer = AspectExplainer(detector, n_reference=0).fit(small)
    [query] = explainer.explain(rows=[2]).with_agreement()
    assert query.aspects[0].agreement.share == 1.0


# ---------------------------------------------------------------- tables in the user's own form


def mixed_frame(n_rows=200):
    rng = np.random.default_rng(1)
    size = rng.normal(10, 1, n_rows)
    colour = np.where(size > 10, "red", "blue").astype(object)
    frame = pd.DataFrame(
        {
            "size": size,
            "colour": colour,
            "grade": pd.Categorical(rng.choice(["low", "high"], n_rows), ["low", "high"]),
            "sold": pd.Timestamp("2024-01-01", tz="Europe/Vienna")
            + pd.to_timedelta(rng.integers(0, 300, n_rows), unit="D"),
            "weight": rng.normal(size=n_rows),
            "checked": rng.random(n_rows) < 0.5,
            "n": pd.array(rng.integers(0, 9, n_rows), dtype="Int64"),
        }
    )
    frame.loc[frame.index[::17], "weight"] = np.nan
    frame.loc[ROW, ["size", "colour"]] = 12.5, "blue"
    return frame


class Checking(FunctionTransformer):
    """Passes on a DataFrame that looks as it did in `fit`, and nothing else."""

    def fit(self, X, y=None):
        self.seen_ = X.dtypes, list(X.columns)
        return super().fit(X)

    def transform(self, X):
        assert list(X.columns) == self.seen_[1]
        assert (X.dtypes == self.seen_[0]).all()
        return super().transform(X)


def mixed_pipeline():
    days = FunctionTransformer(
        lambda f: f.apply(lambda c: (c - pd.Timestamp("2024-01-01", tz="UTC")).dt.days)
    )
    numbers = FunctionTransformer(lambda f: f.astype("float64").fillna(0.0))
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["colour", "grade"]),
        (make_pipeline(numbers, StandardScaler()), ["size", "weight", "checked", "n"]),
        (days, ["sold"]),
    )
    return make_pipeline(Checking(), columns, StandardScaler(), KNN())


def test_a_pipeline_gets_rows_in_the_users_own_form():
    frame = mixed_frame()
    detector = mixed_pipeline().fit(frame)
    [query] = explain(detector, frame).with_agreement(n_samples=20)
    aspect = find(query, (0, 1))
    assert aspect.agreement.share > 0.25
    # The definition, with pandas alone.
    scores = detector[-1].decision_scores_
    rows = pd.concat([frame.iloc[[ROW]]] * 20, ignore_index=True)
    lenders = donors(len(frame), ROW, 20)
    for name in ("size", "colour"):
        rows[name] = frame[name].iloc[lenders].to_numpy()
    mean = detector.decision_function(rows).mean()
    assert aspect.agreement.score == pytest.approx(mean)
    own, median = scores[ROW], np.median(scores)
    assert aspect.agreement.share == pytest.approx((own - mean) / (own - median))


def test_a_category_is_repaired_with_the_labels_that_rows_like_it_have():
    frame = mixed_frame()
    detector = mixed_pipeline().fit(frame)
    [query] = explain(detector, frame).with_agreement(n_samples=20)
    aspect = replace(find(query, (0, 1)))
    [name] = aspect.repair.features
    expected = next(e.expected for e in aspect.evidence if e.feature == name)
    assert (name, expected) in {("colour", ("red",)), ("size", expected)}
    row = frame.iloc[[ROW]].copy()
    if name == "colour":
        row["colour"] = "red"
        assert aspect.repair.score == pytest.approx(float(detector.decision_function(row)[0]))


def test_a_missing_value_is_repaired_with_values_that_others_have():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(5, 1, 200), "b": rng.normal(size=200)})
    table.loc[ROW, "a"] = np.nan
    fill = FunctionTransformer(lambda f: f.fillna(-20.0))
    detector = make_pipeline(fill, KNN()).fit(table)
    [query] = explain(detector, table).with_agreement()
    repair = find(query, (0,)).repair
    assert repair.features == ("a",)
    assert repair.share > 0.9


def test_new_rows_borrow_from_the_fitted_ones():
    new = X[[3, ROW, 8]] + 0.001
    detector = KNN().fit(X)
    told = explain(detector, rows=(1,), new=new).with_agreement(n_samples=6)
    [query] = told
    assert told.new_rows
    aspect = find(query, PAIR)
    lent = X[donors(len(X), None, 6)][:, PAIR]
    expected = naive.replacement(
        detector.decision_function, detector.decision_scores_, new, 1, PAIR, lent
    )
    assert aspect.agreement.score == pytest.approx(expected[0])
    assert aspect.agreement.share == pytest.approx(expected[1])


@pytest.mark.parametrize("unseen", [False, True])
def test_new_rows_of_a_mixed_table_are_asked_about(unseen):
    frame = mixed_frame()
    detector = mixed_pipeline()
    detector.steps.pop(0)  # a column of new rows may have another dtype
    detector.fit(frame)
    new = frame.iloc[[3, ROW, 8]].reset_index(drop=True)
    new["colour"] = new["colour"].astype(object)
    if unseen:
        new.loc[1, "colour"] = "green"
    told = explain(detector, frame, rows=(1,), new=new).with_agreement(n_samples=10)
    aspect = find(told[0], (1,) if unseen else (0, 1))
    rows = pd.concat([new.iloc[[1]]] * 10, ignore_index=True)
    for name in aspect.features:
        rows[name] = frame[name].iloc[donors(len(frame), None, 10)].to_numpy()
    assert aspect.agreement.score == pytest.approx(detector.decision_function(rows).mean())


@pytest.mark.parametrize(
    "form",
    [
        lambda x: x,
        lambda x: x.tolist(),
        lambda x: x.astype(np.float32),
        pd.DataFrame,
        lambda x: pd.DataFrame(x, columns=list("abcdef"), index=[f"r{i}" for i in range(len(x))]),
        lambda x: pytest.importorskip("polars").DataFrame(x, schema=list("abcdef")),
    ],
    ids=["array", "lists", "float32", "frame", "names and labels", "polars"],
)
def test_every_form_of_numbers_gives_the_same_agreement(form):
    detector = KNN().fit(X)
    [query] = explain(detector, form(X)).with_agreement(n_samples=5)
    [plain] = explain(detector).with_agreement(n_samples=5)
    share = find(query, PAIR).agreement.share
    assert share == pytest.approx(find(plain, PAIR).agreement.share, rel=1e-4)


def test_scikit_learns_detectors_and_names_give_no_warning():
    frame = pd.DataFrame(X, columns=list("abcdef"))
    for detector in (IsolationForest(random_state=0), LocalOutlierFactor(novelty=True)):
        [query] = explain(detector.fit(frame), frame).with_agreement(n_samples=3)
        assert query.aspects[0].agreement is not None


# ---------------------------------------------------------------- what cannot be asked


def test_a_detector_that_cannot_score_new_rows_says_so():
    explanation = explain(LocalOutlierFactor().fit(X))
    message = (
        r"^LocalOutlierFactor\(novelty=False\) cannot score new rows, so that it cannot be asked "
        r"whether it agrees: fit it with novelty=True\.$"
    )
    with pytest.raises(DetectorError, match=message):
        explanation.with_agreement()
    with pytest.raises(DetectorError, match=message):
        estimate_seconds(explanation)
    assert agreement_if_cheap(explanation) is explanation


def test_plain_scores_cannot_be_asked():
    scores = np.arange(len(X)) == ROW
    explanation = AspectExplainer.from_scores(scores, n_queries=1, n_reference=0).fit(X).explain()
    with pytest.raises(DetectorError, match=r"agrees: give AspectExplainer the detector\.$"):
        explanation.with_agreement()


def test_without_its_background_an_explanation_cannot_be_asked_about():
    explanation = explain(KNN().fit(X))
    for lost in (
        Explanation.from_json(explanation.to_json()),
        pickle.loads(pickle.dumps(explanation)),
    ):
        with pytest.raises(InvalidInputError, match="came from JSON or a pickle"):
            lost.with_agreement()
        assert agreement_if_cheap(lost) is lost


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_samples": 0}, "n_samples=0: expected a whole number"),
        ({"n_samples": 2.5}, "n_samples=2.5: expected a whole number"),
        ({"n_aspects": 0}, "n_aspects=0: expected a whole number"),
        ({"random_state": "x"}, "random_state='x': expected a whole number"),
        ({"progress": 3}, "progress=3: expected"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(InvalidInputError, match=message):
        explain(KNN().fit(X)).with_agreement(**settings)


class Half(KNN):
    """Gives no finite score to rows with a negative value in column 0."""

    least = 0.0

    def decision_function(self, X):
        scores = super().decision_function(X)
        scores[X[:, 0] < self.least] = np.nan
        return scores


def test_samples_without_a_finite_score_are_left_out():
    detector = Half().fit(X)
    [query] = explain(detector).with_agreement(n_samples=30)
    aspect = next(a for a in query.aspects if 0 in a.subspace)
    lent = X[donors(len(X), ROW, 30)][:, aspect.subspace]
    kept = lent[lent[:, aspect.subspace.index(0)] >= 0.0]
    if 2 * len(kept) >= len(lent):
        plain = KNN().fit(X)
        expected = naive.replacement(
            plain.decision_function, plain.decision_scores_, X, ROW, aspect.subspace, kept
        )
        assert aspect.agreement.score == pytest.approx(expected[0])
    else:
        assert aspect.agreement is None
    Half.least = np.inf
    try:
        [query] = explain(detector).with_agreement(n_samples=30)
    finally:
        Half.least = 0.0
    assert all(a.agreement is None and a.repair is None for a in query.aspects)


def test_infinite_scores_are_left_out():
    detector = KernelDensity(kernel="tophat", bandwidth=2.0).fit(X)
    with pytest.raises(DetectorError, match="not finite"):
        # Fitted rows must have a score.
        explain(KernelDensity(kernel="tophat", bandwidth=2.0).fit(X + 100.0))
    [query] = explain(detector).with_agreement(n_samples=30)
    assert all(a.agreement is None or np.isfinite(a.agreement.score) for a in query.aspects)


# ---------------------------------------------------------------- progress and time


def test_progress_tells_rows_and_comes_to_its_end():
    seen = []
    explain(KNN().fit(X), rows=range(20)).with_agreement(n_samples=50, progress=seen.append)
    assert len(seen) >= 3
    assert all(p.asking and p.whole for p in seen)
    shares = [p.share for p in seen]
    assert shares[0] == 0.0
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0, abs=0.2)


def test_an_exception_of_the_callback_ends_it():
    calls = []

    def stop(progress):
        calls.append(progress)
        if len(calls) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explain(COF().fit(X), rows=range(5)).with_agreement(n_samples=3, progress=stop)
    assert len(calls) == 2


class Slow(KNN):
    """Takes a millisecond for each row."""

    def decision_function(self, X):
        time.sleep(0.001 * len(X))
        return super().decision_function(X)


def test_the_time_is_estimated_before_it_is_spent():
    explanation = explain(Slow().fit(X), rows=range(100))
    n_rows = 50 * sum(
        1 + any(e.outside > 0.0 for e in aspect.evidence)
        for query in explanation
        if query.score > np.median(explanation.background.scores)
        for aspect in query.aspects
    )
    begin = time.perf_counter()
    assert estimate_seconds(explanation) == pytest.approx(0.001 * n_rows, rel=0.5)
    assert time.perf_counter() - begin < 0.001 * n_rows / 5


def test_the_time_of_a_slow_table_is_estimated_from_a_part():
    """Cubic in its rows: LOCI would take minutes for the whole."""
    explanation = explain(COF().fit(X), rows=range(100))
    assert estimate_seconds(explanation) > 1.0


@pytest.mark.parametrize("n_aspects", [None, 3, 1, 0])
def test_cheap_agreement_asks_about_as_many_aspects_as_rows_may_be_scored(monkeypatch, n_aspects):
    explanation = explain(KNN().fit(X), rows=range(0, 300, 30))
    enough = 0 if n_aspects == 0 else Asking(explanation, n_aspects=n_aspects).size()[1]
    monkeypatch.setattr(agreement, "_affordable", lambda n_fitted: enough)
    monkeypatch.setattr(Asked, "estimate", lambda *_: pytest.fail("the clock was asked"))
    found = agreement_if_cheap(explanation)
    if n_aspects == 0:
        assert found is explanation
    else:
        assert found == explanation.with_agreement(n_aspects=n_aspects)


def test_as_many_rows_may_be_scored_as_were_fitted_within_limits():
    found = [agreement._affordable(n) for n in (40, 1_000, 5_000, 10_000, 200_000)]
    assert found == [1_000, 1_000, 5_000, 10_000, 10_000]


def test_a_detector_that_scores_whole_tables_is_not_asked_by_itself():
    explanation = explain(ECOD().fit(X))
    assert agreement_if_cheap(explanation) is explanation
    assert explanation.with_agreement() != explanation
