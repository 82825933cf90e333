"""Findings have the keys of PyOD's engine, in plain values, and the aspects."""

from __future__ import annotations

import json
from dataclasses import replace

import explanation_cases as cases
import numpy as np
import pytest
from pyod.models.knn import KNN
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from pyod_aspects import Aspect, AspectExplainer, Evidence, Explanation
from pyod_aspects.datasets import load_demo
from pyod_aspects.explanation.writing.sentences import strongest_words


@pytest.fixture(scope="module")
def demo():
    """Every tenth diamond, and the most anomalous ones of all."""
    data = load_demo()
    X = data.frame
    return X.loc[sorted({*X.index[::10], 2274, 24067, 24932})]


@pytest.fixture(scope="module")
def explanation(demo):
    columns = make_column_transformer(
        (OneHotEncoder(), ["cut", "color", "clarity"]), remainder=StandardScaler()
    )
    detector = make_pipeline(columns, KNN()).fit(demo)
    rows = ["24067", "2274", "24932", str(demo.index[5])]
    return AspectExplainer(detector).fit(demo).explain(rows=rows)


def test_findings_have_the_keys_types_and_figures_of_the_engine():
    module = pytest.importorskip(
        "pyod.utils.ad_engine", reason="needs ADEngine, which pyod has from version 3 on"
    )
    X = load_demo().frame.select_dtypes("number").iloc[::10]
    engine = module.ADEngine()
    result = engine.detect(X.to_numpy())
    # Without p-values all aspects count, so every row has features to blame.
    explanation = AspectExplainer(result, n_queries=6, n_reference=0).fit(X).explain()
    rows = [query.row for query in explanation]
    theirs = engine.explain_findings(result, rows, 6, X.to_numpy(), list(X.columns))
    ours = explanation.to_findings()
    assert len(ours) == len(theirs) == 6
    blamed = 0
    for mine, other in zip(ours, theirs, strict=True):
        assert [*mine] == [*other, "aspects"]
        for key, value in other.items():
            assert type(mine[key]) is type(value)
        for key in ("index", "score", "percentile", "label"):
            assert mine[key] == other[key]
        features = {feature["feature"]: feature for feature in other["contributing_features"]}
        for feature in mine["contributing_features"]:
            same = features.get(feature["feature"])
            if same is None:  # theirs are five
                continue
            blamed += 1
            assert [*feature] == [*same, "weight"]
            assert all(type(feature[key]) is type(value) for key, value in same.items())
            assert (feature["name"], feature["value"]) == (same["name"], same["value"])
            np.testing.assert_allclose(
                [feature["mean"], feature["z_score"]], [same["mean"], same["z_score"]]
            )
    assert blamed


def test_a_finding_is_told_in_whole_sentences(explanation):
    texts = {finding["index"]: finding["narrative"] for finding in explanation.to_findings()}
    text = texts[explanation.row("24067").row]
    assert text.startswith("Row 24067 is scored ")
    assert " by KNN, higher than " in text
    assert ". What is odd: y = 58.9 is high (most rows " in text
    assert text.endswith(").")
    assert "y = 4.24 is too low for " in texts[explanation.row("2274").row]
    assert " Nothing convincing: " in texts[explanation[-1].row]


def test_a_finding_tells_all_that_the_text_does():
    amount = Evidence("amount", 2890.0, (20.0, 510.0), None, "high", 4.9)
    hour = Evidence("hour", 3.2, (9.2, 19.1), None, "low", 0.6)
    aspects = [
        Aspect((i,), (one.feature,), score=0.001, density=1, expected=50.0, evidence=(one,))
        for i, one in enumerate((amount, hour))
    ]
    row = cases.query(3, *aspects, score=9.4)
    made = cases.explanation(row, score_name="lift", feature_names=("amount", "hour"))
    [finding] = made.to_findings()
    first = "amount = 2,890 is high (most rows 20 to 510)"
    second = "hour = 3.2 is low (most rows 9.2 to 19.1)"
    assert finding["narrative"].endswith(f". What is odd: {first}. Also: {second}.")
    assert first in made.summary()
    assert second in made.summary()


def test_a_row_that_is_not_convincing_tells_its_strongest_aspect_as_the_text_does(explanation):
    last = explanation[-1]
    narrative = explanation.to_findings()[-1]["narrative"]
    before, _, strongest = narrative.partition(". The strongest: ")
    assert before.endswith("ordinary rows have an aspect as strong")
    assert "What is odd" not in narrative
    assert strongest == f"{strongest_words(last, explanation.score_name)}."
    text = " ".join(explanation.summary(aspects=1).split())
    assert f"The strongest: {strongest[:-1]}" in text


def test_without_evidence_the_features_of_the_strongest_aspect_are_named():
    row = replace(cases.query(3, cases.aspect(0, 2, p_value=0.34)), p_value=0.34)
    [finding] = cases.explanation(row, n_reference=200).to_findings()
    assert finding["narrative"].endswith(
        " Nothing convincing: 34 % of ordinary rows have an aspect as strong. "
        "The strongest: alcohol and hue."
    )


def test_features_to_blame_come_with_their_weights(explanation):
    for query, finding in zip(explanation, explanation.to_findings(), strict=True):
        weights = {one["name"]: one["weight"] for one in finding["contributing_features"]}
        assert list(weights.items()) == list(query.features.items())
        for one in finding["contributing_features"]:
            assert explanation.feature_names[one["feature"]] == one["name"]
    [y, *_] = [
        one for one in explanation.to_findings()[0]["contributing_features"] if one["name"] == "y"
    ]
    assert (y["value"], y["direction"]) == (58.9, "high")


def test_aspects_of_a_finding_are_those_of_the_explanation(explanation):
    written = json.loads(explanation.to_json())["queries"]
    for finding, query in zip(explanation.to_findings(), written, strict=True):
        found = json.loads(json.dumps(finding["aspects"], allow_nan=False))
        sentences = [aspect.pop("sentence") for aspect in found]
        assert found == query["aspects"]
        assert all(sentences)


def test_findings_are_plain_values(explanation):
    findings = explanation.to_findings()
    assert json.loads(json.dumps(findings, allow_nan=False))[0]["index"] == findings[0]["index"]


def test_what_was_stored_has_no_mean(explanation):
    stored = Explanation.from_json(explanation.to_json())
    assert stored[0].features
    for finding, query in zip(stored.to_findings(), stored, strict=True):
        assert finding["percentile"] == query.percentile
        for one in finding["contributing_features"]:
            assert (one["mean"], one["z_score"]) == (None, None)


def test_a_category_has_a_value_and_no_mean(demo):
    X = demo.assign(cut=["Odd" if i == 7 else "Fair" for i in range(len(demo))])
    scores = np.arange(len(demo)) == 7
    [finding] = AspectExplainer.from_scores(scores, n_queries=1).fit(X).explain().to_findings()
    [cut] = [one for one in finding["contributing_features"] if one["name"] == "cut"]
    assert (cut["value"], cut["mean"], cut["z_score"], cut["direction"]) == (
        *("Odd", None, None, "rare"),
    )
    assert finding["label"] is None


def test_a_row_without_aspects_is_a_finding_too():
    empty = cases.explanation(cases.query(3))
    [finding] = empty.to_findings()
    assert finding["aspects"] == finding["contributing_features"] == []
    assert finding["narrative"].startswith("Row 3 is scored ")
