"""A detector for a table with categories, times, truth values and gaps."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from pyod.models.knn import KNN
from sklearn.ensemble import IsolationForest
from sklearn.utils.validation import check_is_fitted

from pyod_aspects import AspectExplainer
from pyod_aspects.detectors import make_detector
from pyod_aspects.detectors.columns import Labels, TimeParts, silent_columns
from pyod_aspects.detectors.recipe import choose_detector, describe_recipe
from pyod_aspects.exceptions import DetectorError, InvalidInputError


@pytest.fixture(scope="module")
def bank():
    """Payments; row 123 is large for its category, row 321 is in an odd country by night."""
    rng = np.random.default_rng(0)
    n = 600
    category = rng.choice(["food", "fuel", "rent"], n, p=[0.6, 0.3, 0.1])
    amount = np.where(category == "rent", rng.normal(900, 60, n), rng.normal(40, 9, n)).round(2)
    when = pd.Timestamp("2024-03-01") + pd.to_timedelta(rng.uniform(8, 20, n), "h")
    when = when + pd.to_timedelta(rng.integers(0, 60, n), "D")
    frame = pd.DataFrame(
        {
            "id": np.arange(5000, 5000 + n),
            "when": when,
            "category": category,
            "country": rng.choice(["DE", "AT"], n),
            "amount": amount,
            "card": rng.random(n) < 0.7,
            "rating": np.where(rng.random(n) < 0.2, np.nan, rng.integers(1, 6, n)),
            "currency": "EUR",
        }
    )
    frame.loc[123, ["category", "amount"]] = ["food", 2930.0]
    frame.loc[321, "country"] = "XK"
    frame.loc[321, "when"] = pd.Timestamp("2024-03-20 03:12")
    return frame


@pytest.mark.parametrize("name", ["IForest", "ECOD", "KNN", "LOF", "PCA"])
def test_any_detector_is_fitted_and_explained_in_the_columns_of_the_table(bank, name):
    before = bank.copy()
    detector = make_detector(name, bank)
    check_is_fitted(detector)
    explanation = AspectExplainer(detector, n_queries=2, n_reference=0).fit(bank).explain()
    assert explanation.detector == name
    assert explanation.feature_names == tuple(bank.columns)
    pd.testing.assert_frame_equal(bank, before)


@pytest.mark.parametrize(
    ("name", "row", "odd"), [("KNN", 123, {"amount"}), ("ECOD", 321, {"when", "country"})]
)
def test_the_planted_rows_are_found(bank, name, row, odd):
    explanation = AspectExplainer(make_detector(name, bank), n_queries=5).fit(bank).explain()
    assert row in [query.row for query in explanation]
    assert odd & set(explanation.row(row).aspects[0].features)


def test_names_of_rows_and_constants_are_left_out(bank):
    assert silent_columns(bank) == {"id": "names rows", "currency": "constant"}
    seen = make_detector("ECOD", bank).named_steps["columns"].get_feature_names_out().tolist()
    assert not any("id" in name or "currency" in name for name in seen)


@pytest.mark.parametrize(
    ("column", "silent"),
    [
        (pd.Series(["a", "b", "c"], name="v"), True),
        (pd.Series([1, 2, 3], name="v"), False),
        (pd.Series([1, 2, 3], name="customer_id"), True),
        (pd.Series([1, 2, 3], name="idle"), False),
        (pd.Series([1.5, 2.5, 3.5], name="id"), False),
        (pd.Series(pd.date_range("2024-01-01", periods=3), name="id"), False),
        (pd.Series([None, None, None], name="v"), True),
        (pd.Series(["a", "b", "b"], name="id"), False),
    ],
)
def test_which_columns_are_silent(column, silent):
    assert bool(silent_columns(column.to_frame())) is silent


def test_scales_matter_only_to_detectors_that_compare_distances(bank):
    assert "scale" not in str(make_detector("ECOD", bank).named_steps["columns"].transformers_)
    values = make_detector("KNN", bank)[:-1].transform(bank)
    names = make_detector("KNN", bank)[:-1].get_feature_names_out().tolist()
    amount = np.asarray(values)[:, names.index("amount")]
    assert abs(amount.mean()) < 1e-9
    assert amount.std() == pytest.approx(1.0)


def test_new_rows_with_gaps_and_labels_that_nobody_had_are_scored(bank):
    new = bank.iloc[[0, 1]].copy()
    new["category"] = ["tea", None]
    new["amount"] = [np.nan, 12.0]
    new["when"] = [pd.NaT, pd.Timestamp("2024-03-04")]
    for name in ("IForest", "KNN"):
        explainer = AspectExplainer(make_detector(name, bank), n_reference=0).fit(bank)
        assert len(explainer.explain(new)) == 2


def test_a_pipeline_survives_pickling_and_gives_the_same_scores(bank):
    detector = make_detector("IForest", bank, random_state=3)
    again = pickle.loads(pickle.dumps(detector))
    assert (again.decision_function(bank) == detector.decision_function(bank)).all()
    same = make_detector("IForest", bank, random_state=3)
    assert (
        same.named_steps["detector"].decision_scores_
        == detector.named_steps["detector"].decision_scores_
    ).all()


def test_the_global_random_state_stays(bank):
    np.random.seed(7)  # noqa: NPY002
    make_detector("IForest", bank)
    drawn = np.random.random()  # noqa: NPY002
    np.random.seed(7)  # noqa: NPY002
    assert drawn == np.random.random()  # noqa: NPY002


def test_detectors_that_are_set_up_are_taken_and_stay_unfitted(bank):
    own = KNN(n_neighbors=3)
    fitted = make_detector(own, bank, contamination=0.02)
    assert fitted.named_steps["detector"].n_neighbors == 3
    assert fitted.named_steps["detector"].contamination == 0.02
    assert not hasattr(own, "decision_scores_") or own.decision_scores_ is None
    assert (
        make_detector(IsolationForest(random_state=0), bank).named_steps["detector"].n_features_in_
    )


def test_every_dtype_of_text_and_truth_is_taken():
    frame = pd.DataFrame({"n": np.arange(40.0)})
    frame["object"] = ["a", "b"] * 20
    frame["category"] = pd.Categorical(["x", None] * 20)
    frame["string"] = pd.array(["p", None] * 20, dtype="string")
    frame["truth"] = [True, False] * 20
    frame["nullable"] = pd.array([True, None] * 20, dtype="boolean")
    frame["whole"] = pd.array([1, None] * 20, dtype="Int64")
    frame["span"] = pd.to_timedelta(np.arange(40), "h")
    frame["zoned"] = pd.date_range("2024-01-01", periods=40, freq="h", tz="Europe/Berlin")
    explainer = AspectExplainer(make_detector("KNN", frame), n_queries=1, n_reference=0)
    assert len(explainer.fit(frame).explain()) == 1


def test_large_tables_get_a_detector_whose_time_grows_as_the_rows_do():
    assert [choose_detector(n) for n in (19, 20, 50_000)] == ["ECOD", "KNN", "KNN"]
    assert choose_detector(50_001) == "INNE"
    small = make_detector(X=pd.DataFrame({"a": np.arange(30.0)}))
    assert type(small.named_steps["detector"]).__name__ == "KNN"


def test_a_detector_that_nobody_named_takes_less_memory_than_the_same_by_name():
    X = pd.DataFrame({"a": np.random.default_rng(0).normal(size=50_001)})
    assert make_detector(X=X)["detector"].n_estimators == 64
    assert make_detector("INNE", X[:100])["detector"].n_estimators == 200


def test_the_recipe_can_be_read(bank):
    text = describe_recipe(make_detector("KNN", bank))
    assert "numbers: amount, rating (gaps filled with the median, then scaled)" in text
    assert "categories: category, country (a column for each level, rare levels together)" in text
    assert "times: when (days since the first, hour and weekday" in text
    assert "truth: card (0 and 1)" in text


def test_rare_levels_stand_together():
    rng = np.random.default_rng(0)
    levels = [f"l{i}" for i in rng.integers(0, 400, 3000)]
    frame = pd.DataFrame({"level": levels, "x": rng.normal(size=3000)})
    names = make_detector("ECOD", frame)[:-1].get_feature_names_out()
    assert len(names) <= 31


def test_times_become_days_hours_and_weekdays_where_these_vary():
    noon = pd.DataFrame({"at": pd.to_datetime(["2024-03-04 12:00", "2024-03-11 12:00"])})
    parts = TimeParts().fit(noon)
    assert parts.get_feature_names_out().tolist() == ["at"]
    assert parts.transform(noon).tolist() == [[0.0], [7.0]]
    gap = pd.DataFrame({"at": pd.to_datetime([None, "2024-03-04"])})
    assert np.isnan(parts.transform(gap)[0]).all()


def test_labels_are_text_and_gaps_none():
    frame = pd.DataFrame({"a": pd.array(["x", None], dtype="string"), "b": [1, 2]})
    assert Labels().fit_transform(frame).tolist() == [["x", "1"], [None, "2"]]


@pytest.mark.parametrize(
    ("detector", "X", "error", "message"),
    [
        ("KNM", None, InvalidInputError, "X is a NoneType: expected a pandas DataFrame"),
        ("KNN", np.eye(3), InvalidInputError, "X is a ndarray: expected a pandas DataFrame"),
        ("KNM", pd.DataFrame({"a": [1.0, 2.0]}), DetectorError, "did you mean 'KNN'"),
        (
            "KNN",
            pd.DataFrame({"a": [1, 1], "b": ["x", "x"]}),
            InvalidInputError,
            "no column could tell rows apart: 'a', 'b' are constant",
        ),
        ("XGBOD", pd.DataFrame({"a": [1.0, 2.0]}), DetectorError, "XGBOD needs"),
    ],
)
def test_what_will_not_do_is_refused_in_one_sentence(detector, X, error, message):
    with pytest.raises(error, match=message):
        make_detector(detector, X)
