"""An explanation as a table: one line for each aspect, always of the same types."""

from __future__ import annotations

from dataclasses import replace

import pytest
from explanation_cases import aspect, explanation, query, told


def test_the_table_has_one_line_for_each_aspect(wine):
    frame = wine.to_frame()
    assert list(frame.columns) == [
        "row",
        "label",
        "score",
        "percentile",
        "is_anomaly",
        "known",
        "aspect",
        "features",
        "subspace",
        "zscore",
        "count",
        "mean",
        "std",
        "expected",
        "lift",
        "p_value",
        "agreement",
        "repair",
        "evidence",
    ]
    assert frame["row"].tolist() == [22, 22, 22, 22, 22, 7, 140]
    first = frame.iloc[0]
    assert first["aspect"] == 1
    assert first["features"] == "alcohol & proline"
    assert first["subspace"] == (0, 3)
    assert first["zscore"] == -3.41


def test_labels_stand_beside_positions():
    made = explanation(query(7, aspect(0), aspect(1), label="TX7"), query(3, label="TX3"))
    frame = made.to_frame()
    assert frame["row"].tolist() == [7, 7, 3]
    assert frame["label"].tolist() == ["TX7", "TX7", "TX3"]
    assert explanation(query(7, aspect(0))).to_frame()["label"].tolist() == [None]


def test_a_row_without_aspects_is_not_lost_from_the_table(wine):
    last = wine.to_frame().iloc[-1]
    assert last["row"] == 140
    assert last.loc["aspect":].isna().all()


def test_the_table_has_expected_counts_and_evidence_in_words():
    frame = told().to_frame()
    assert frame["expected"].tolist()[:2] == [40.0, 31.2]
    assert frame["p_value"].tolist()[:2] == [0.005, 0.03]
    assert frame["evidence"].tolist() == [
        "proline = 1,680 is high (most rows 380 to 1,300)",
        "hue = 1.71 is too high for alcohol = 14.2: rows with similar alcohol have hue 0.55 to 1.2",
        None,
    ]


def test_a_score_that_is_the_lift_has_one_column():
    frame = told().to_frame()
    assert list(frame.columns).count("lift") == 1
    assert frame["lift"].tolist()[:2] == [0.05, 0.2]
    other = explanation(query(1, replace(aspect(0), lift=0.3))).to_frame()
    assert other["lift"].tolist() == [0.3]


def test_the_types_of_the_table_do_not_depend_on_its_content(wine):
    expected = wine.to_frame().dtypes
    unknown = query(1, is_anomaly=None, percentile=None)
    for made in (explanation(), explanation(unknown), explanation(query(2, aspect(0)))):
        assert made.to_frame().dtypes.equals(expected)


@pytest.mark.parametrize(("measure", "other"), [("count", "density"), ("density", "count")])
def test_counts_and_densities_have_columns_of_their_names(measure, other):
    frame = explanation(query(1, aspect(0, density=2.0)), measure=measure).to_frame()
    assert frame[measure].tolist() == [2.0]
    assert other not in frame.columns


@pytest.mark.parametrize(
    ("name", "column"), [("rank", "rank"), ("score", "aspect_score"), ("count", "aspect_count")]
)
def test_the_score_has_a_column_of_its_own(name, column):
    frame = explanation(query(1, aspect(0)), score_name=name).to_frame()
    assert frame[column].tolist() == [-3.41]
    assert frame["score"].tolist() == [0.7123456]


def test_the_table_has_the_shares_that_the_detector_agrees_to():
    frame = told().to_frame()
    assert frame["agreement"].tolist()[:2] == [0.8, -0.1]
    assert frame["repair"].iloc[0] == 0.97
    assert frame["repair"].iloc[1:].isna().all()
