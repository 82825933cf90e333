"""Several detectors on one table: which rows they flag, for which reasons, where they agree."""

from __future__ import annotations

from dataclasses import replace

import pytest
from explanation_cases import explanation, explanations, query
from hypothesis import given
from hypothesis import strategies as st
from pyod.models.ecod import ECOD
from pyod.models.knn import KNN

from pyod_aspects import Aspect, AspectExplainer, Evidence, Explanation
from pyod_aspects.datasets import load_demo
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.explanation import compare

NAMES = ("x", "y")


def odd(name, direction="low", value=1.0):
    one = Evidence(name, value, (4.0, 8.0), None, direction, 1.0)
    return Aspect((NAMES.index(name),), (name,), score=-4.0, evidence=(one,))


def table(*rows, **changes):
    """An explanation of rows: each a number and the aspects."""
    queries = [query(row, *aspects) for row, *aspects in rows]
    return explanation(*queries, feature_names=NAMES, **changes)


@pytest.fixture
def two():
    return compare(
        {
            "A": table((1, odd("x")), (2, odd("x")), (3, odd("y", "high", 9.0)), (4,)),
            "B": table((2, odd("x")), (1, odd("y", "high", 9.0)), (5, odd("x", value=2.0))),
        }
    )


def test_rows_of_most_detectors_come_first(two):
    assert [row.row for row in two.rows] == [1, 2, 3, 5, 4]
    assert [row.n_detectors for row in two.rows] == [2, 2, 1, 1, 1]
    assert [row.places for row in two.rows][:3] == [(0, 1), (1, 0), (2, None)]
    assert two.common == ((4, 2), (2, 3))


def test_reasons_are_counted_for_each_detector(two):
    found = [(reason.sentence, reason.rows) for reason in two.reasons]
    assert found == [("x is low", ((1, 2), (2, 5))), ("y is high", ((3,), (1,)))]
    assert [row.same_reason for row in two.rows] == [False, True, None, None, None]
    assert two.rows[-1].reasons == (None, None)


def test_a_row_of_two_detectors_is_one_row_of_a_group():
    zero = [(row, odd("x", value=0.0)) for row in (1, 2)]
    comparison = compare({"A": table(*zero), "B": table(*zero, (3, odd("x", value=3.0)))})
    assert [reason.sentence for reason in comparison.reasons] == ["x is low"]


def test_a_row_that_detectors_explain_with_other_figures_counts_once():
    more = {"A": table((1, odd("x"))), "B": table((1, odd("x"), odd("y")))}
    assert [reason.sentence for reason in compare(more).reasons] == ["x is low"]
    assert compare(more).reasons[0].rows == ((1,), (1,))


def test_a_comparison_reads_well(two):
    assert repr(two).splitlines() == [
        "Comparison: A and B on 178 rows",
        "  A   explains 4 rows, 2 of them flagged by no other",
        "  B   explains 3 rows, 1 of them flagged by no other",
        "  2 rows are flagged by both, 1 of them for different reasons: 1, 2",
        "                       A   B",
        "  x is low             2   2",
        "  y is high            1   1",
        "  nothing convincing   1   -",
    ]
    apart = compare({"A": table((1, odd("x"))), "B": table((2, odd("y")))})
    assert "No row is flagged by two detectors." in repr(apart)


def test_a_comparison_is_a_frame(two):
    frame = two.to_frame()
    assert list(frame) == [
        "row",
        "label",
        "n_detectors",
        "same_reason",
        "place_A",
        "reason_A",
        "place_B",
        "reason_B",
    ]
    assert list(frame["place_B"].fillna(0)) == [2, 1, 0, 3, 0]
    assert list(frame["reason_A"])[:3] == ["x is low", "x is low", "y is high"]
    assert frame["reason_A"].iloc[-1] == "nothing convincing"
    assert frame["reason_B"].iloc[2] is None
    assert two.reasons_frame().loc["x is low"].to_dict() == {"A": 2, "B": 2}


def test_rows_below_the_threshold_are_not_flagged():
    ordinary = replace(query(7, odd("x")), is_anomaly=False)
    both = {"A": explanation(ordinary, feature_names=NAMES), "B": table((7, odd("x")))}
    assert [row.places for row in compare(both).rows] == [(None, 0)]


def test_rows_above_the_threshold_are_flagged_though_not_explained():
    X = load_demo().frame.select_dtypes("number")[:300]
    scores = {"A": range(300), "B": range(300, 0, -1), "C": range(300)}
    thresholds = {"A": 100.0, "B": 0.5, "C": 298.5}
    found = {
        name: AspectExplainer.from_scores(scores[name], threshold=limit, n_queries=2, n_reference=0)
        .fit(X)
        .explain()
        for name, limit in thresholds.items()
    }
    comparison = compare(found)
    flags = {row.row: row.flagged for row in comparison.rows}
    assert flags == {
        row: tuple(scores[name][row] > limit for name, limit in thresholds.items())
        for row in (299, 298, 0, 1)
    }
    only = {row.row: row.only_flagged for row in comparison.rows}
    assert only[299] == (False, True, False)
    lost = {name: Explanation.from_json(one.to_json()) for name, one in found.items()}
    assert not any(any(row.only_flagged) for row in compare(lost).rows)


def test_several_detectors_share_some_rows():
    low, high = (1, odd("x")), (2, odd("y", "high", 9.0))
    three = compare({"A": table(low, high), "B": table(low, high), "C": table(low)})
    assert "1 row is flagged by all 3: 1" in repr(three)
    assert "1 row is flagged by several: 2" in repr(three)


@given(explanations(), st.booleans())
def test_an_explanation_agrees_with_itself(explanation, by_json):
    other = Explanation.from_json(explanation.to_json()) if by_json else explanation
    comparison = compare({"A": explanation, "B": other})
    flagged = {query.row for query in explanation if query.is_anomaly is not False}
    assert {row.row for row in comparison.rows} == flagged
    assert all(row.places[0] == row.places[1] for row in comparison.rows)
    assert all(row.same_reason is not False for row in comparison.rows)
    assert len(comparison.to_frame()) == len(flagged)
    assert repr(comparison).startswith("Comparison: A and B on ")


def test_detectors_that_look_at_other_things_flag_for_other_reasons():
    X = load_demo().frame.select_dtypes("number")
    scaled = (X - X.mean()) / X.std()
    scores = {"KNN": KNN().fit(scaled).decision_scores_, "ECOD": ECOD().fit(X).decision_scores_}
    found = {
        name: AspectExplainer.from_scores(score, n_queries=20).fit(X).explain()
        for name, score in scores.items()
    }
    frame = compare(found).reasons_frame()
    height = frame[frame.index.str.startswith("z is 0")]
    weight = frame[frame.index.str.startswith("carat is high")]
    assert height["KNN"].sum() > height["ECOD"].sum()
    assert weight["KNN"].sum() < weight["ECOD"].sum()


one = table((1, odd("x")))
WRONG = [
    ([one, one], "compare got a list: expected a mapping of names to explanations"),
    ({"A": one}, "compare got a mapping of length 1: expected two explanations or more"),
    ({1: one, 2: one}, "compare got the name 1: expected the name of a detector as text"),
    ({"A": one, "B": 3}, "compare got a int for 'B': expected an Explanation"),
    ({"A": one, "B": replace(one, n_rows=9)}, "'A' and 'B' .* different tables: 178 and 9 rows"),
    ({"A": one, "B": replace(one, new_rows=True)}, "one explains new rows, the other rows of"),
    ({"A": one, "B": replace(one, feature_names=("x",))}, "2 and 1 features"),
    ({"A": one, "B": replace(one, feature_names=("x", "z"))}, "the feature 'y' in the place of"),
    (
        {"A": one, "B": explanation(query(1, label="a"), feature_names=NAMES)},
        "row 1 is called None and 'a'",
    ),
]


@pytest.mark.parametrize(("given", "words"), WRONG, ids=[words for _, words in WRONG])
def test_what_cannot_be_compared_is_refused_in_one_sentence(given, words):
    with pytest.raises(InvalidInputError, match=words):
        compare(given)


def test_tables_with_other_values_are_refused():
    X = load_demo().frame.select_dtypes("number")[:200]
    first, second = (
        AspectExplainer.from_scores(range(len(X)), n_queries=2, n_reference=0).fit(part).explain()
        for part in (X, X.assign(carat=X["carat"] + 1))
    )
    with pytest.raises(InvalidInputError, match="speak of different tables: their values differ"):
        compare({"A": first, "B": second})
