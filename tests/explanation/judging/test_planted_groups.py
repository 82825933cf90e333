"""Errors of several kinds are planted into a table; a detector finds them, groups part them."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from pyod.models.knn import KNN
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import RobustScaler

from pyod_aspects import AspectExplainer

KINDS = {
    "ten times": "pulse is high",
    "swapped": "span is low|leg is high",
    "zero": "height is 0$",
    "gap": "temperature is (in a gap|rare, though neither high nor low)$",
    "another's": "span too low for (height|leg)",
}
"""Kinds of errors, and how the sentence of their group begins."""

EACH = 8


def planted(seed, n=2000):
    """People with a height, arm span and leg length in cm, a pulse, and the temperature around.

    Returns the table, and the kind of error of each row that has one.
    """
    rng = np.random.default_rng(seed)
    height = rng.normal(170, 10, n)
    frame = pd.DataFrame(
        {
            "height": height,
            "span": height + rng.normal(0, 2, n),
            "leg": 0.48 * height + rng.normal(0, 1, n),
            "pulse": rng.normal(70, 8, n),
            # Measured indoors or, one in six, outdoors in summer; nothing lies between.
            "temperature": np.where(rng.random(n) < 1 / 6, 35.0, 20.0) + rng.normal(0, 0.5, n),
        }
    )
    tall = rng.choice(np.flatnonzero(height > 180), EACH, replace=False)
    others = rng.choice(np.setdiff1d(np.arange(n), tall), 4 * EACH, replace=False)
    ten, swapped, zero, gap = others.reshape(4, EACH)
    frame.loc[ten, "pulse"] *= 10
    frame.loc[swapped, ["span", "leg"]] = frame.loc[swapped, ["leg", "span"]].to_numpy()
    frame.loc[zero, "height"] = 0.0
    frame.loc[gap, "temperature"] = rng.uniform(26, 29, EACH)
    frame.loc[tall, "span"] = rng.normal(158, 2, EACH)  # of somebody shorter
    found = zip(KINDS, (ten, swapped, zero, gap, tall), strict=True)
    return frame, {int(row): kind for kind, rows in found for row in rows}


@pytest.fixture(scope="module", params=range(3))
def explained(request):
    """The rows that a detector finds, explained, and the errors planted."""
    frame, kinds = planted(request.param)
    detector = make_pipeline(RobustScaler(), KNN(n_neighbors=20)).fit(frame)
    explainer = AspectExplainer(detector, n_queries=len(kinds) + 10)
    return explainer.fit(frame).explain(), kinds


def test_planted_groups_are_recovered(explained):
    explanation, kinds = explained
    group_of = {row: i for i, group in enumerate(explanation.groups()) for row in group.rows}
    rows = [row for row in kinds if row in group_of]
    assert len(rows) >= 0.8 * len(kinds)
    index = adjusted_rand_score([kinds[row] for row in rows], [group_of[row] for row in rows])
    assert index > 0.9


def test_planted_groups_are_told_in_words(explained):
    explanation, kinds = explained
    for kind, words in KINDS.items():
        rows = {row for row in kinds if kinds[row] == kind}
        group = max(explanation.groups(), key=lambda group: len(rows & set(group.rows)))
        assert re.match(words, group.sentence), (kind, group.sentence)


def test_four_pictures_explain_nearly_all_planted_rows(explained):
    explanation, kinds = explained
    cover = explanation.cover()
    shown = {row for picture in cover.pictures for row in picture.rows}
    told = {row for group in explanation.groups() for row in group.rows}
    assert cover.share >= 0.95
    assert len(shown & set(kinds)) >= 0.95 * len(told & set(kinds))


def test_groups_of_a_table_with_text_times_and_missing_values():
    rng = np.random.default_rng(0)
    n = 2000
    country = rng.choice(["DE", "FR", "IT"], n)
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 10, n).round(),
            "country": country,
            "city": [{"DE": "Berlin", "FR": "Paris", "IT": "Rome"}[one] for one in country],
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.uniform(0, 1e3, n), unit="D"),
        }
    )
    rows = rng.permutation(np.flatnonzero(country == "FR"))[:24].reshape(6, 4)
    frame.loc[rows[0], "age"] = 999.0
    frame.loc[rows[1], "age"] = np.nan
    frame.loc[rows[2], "country"] = "Atlantis"
    frame.loc[rows[3], "city"] = "Rome"
    frame.loc[rows[4], "since"] = pd.Timestamp("1900-01-01")
    frame.loc[rows[5], "since"] = pd.to_datetime([f"203{i}-05-17" for i in range(4)])
    scores = np.zeros(n)
    scores[rows.ravel()] = 1.0
    explainer = AspectExplainer.from_scores(scores, n_queries=rows.size, n_reference=400)
    expected = {
        "age is 999": rows[0],
        "age is missing": rows[1],
        "country = Atlantis is rare": rows[2],
        "country = FR is unusual for city": rows[3],
        "since is 1900-01-01": rows[4],
        "since is late": rows[5],
    }
    explanation = explainer.fit(frame).explain()
    found = {group.short: set(group.rows) for group in explanation.groups()}
    assert found == {words: set(chosen) for words, chosen in expected.items()}


def test_new_rows_have_groups():
    frame, kinds = planted(0)
    clean, new = frame.drop(list(kinds)), frame.loc[list(kinds)]
    detector = make_pipeline(RobustScaler(), KNN()).fit(clean)
    explanation = AspectExplainer(detector).fit(clean).explain(new, n_queries=len(new))
    groups = explanation.groups()
    group_of = {row: i for i, group in enumerate(groups) for row in group.rows}
    truth = [kinds[new.index[row]] for row in group_of]
    assert len(truth) == len(new)
    assert adjusted_rand_score(truth, list(group_of.values())) > 0.9
    assert "height is 0" in [group.short for group in groups]
