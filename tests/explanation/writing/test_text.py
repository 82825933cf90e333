"""An explanation reads as text that fits the terminal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from explanation_cases import NAMES, aspect, explanation, query, told

from pyod_aspects import Aspect, AspectExplainer, Evidence, QueryExplanation, SGBeam
from pyod_aspects.explanation.writing.sentences import evidence_words
from pyod_aspects.explanation.writing.wording import WIDTH, display_width


def test_without_evidence_sets_of_features_stand_with_their_figures(wine):
    assert wine.summary(aspects=2) == (
        "Explanation: 3 anomalies of IForest among 178 rows, explained by SGBeam\n"
        "  row 22    score 0.7123, higher than 99.2 % of rows\n"
        "      {alcohol, proline}   2 rows nearby, 31 on average   z = -3.41\n"
        "      {colour intensity}   1 row nearby,  31 on average   z = -2.50   (+2 more)\n"
        "  row 7     score   0.51, higher than 98.1 % of rows\n"
        "      {alcohol}            2 rows nearby, 31 on average   z = -3.41\n"
        "  row 140   score    0.5, higher than 95 % of rows\n"
        "    No aspect: in no set of features that was tried is it rarer than average "
        "(z below 0).\n"
        "  Nearby: in the same bin or the next one, in each of the features; "
        "the row itself counts.\n"
        "  z: number of standard deviations from the average over all rows."
    )


def test_what_is_odd_reads_as_sentences_with_the_counts_beside_them():
    assert told().summary() == (
        "Explanation: 2 anomalies of IForest among 178 rows, explained by SGBeam\n"
        "  row 22   score 0.7123, higher than 99.2 % of rows\n"
        "      proline = 1,680 is high (most rows 380 to 1,300)               "
        "1 row nearby,  40 expected\n"
        "      hue = 1.71 is too high for alcohol = 14.2: rows with similar   "
        "2 rows nearby, 31 expected\n"
        "        alcohol have hue 0.55 to 1.2\n"
        "    With proline between 380 and 1,300 IForest's score falls to 0.2, higher than 55 % of "
        "rows: this\n"
        "      is what the detector saw.\n"
        "  row 7    score 0.7123, higher than 99.2 % of rows\n"
        "    No aspect: in no set of features that was tried is lift below 0.\n"
        "  Nearby: in the same bin or the next one, in each of the features; "
        "the row itself counts.\n"
        "  Expected: rows nearby if one feature were independent of the others; "
        "for one feature, the average."
    )


def test_one_sentence_a_row_needs_no_figures():
    """Nor their definitions: this is what the prompt shows. How many more there are is told."""
    lines = told().summary(aspects=1).splitlines()
    assert lines[2] == "      proline = 1,680 is high (most rows 380 to 1,300) (+1 more)"
    assert lines[3].startswith("    With proline between")
    assert len(lines) == 7


def test_all_aspects_one_by_one_come_with_all_figures():
    assert (
        told()
        .summary(redundant=True)
        .startswith(
            "Explanation: 2 anomalies of IForest among 178 rows, explained by SGBeam\n"
            "  row 22   score 0.7123, higher than 99.2 % of rows\n"
            "      {proline}        1 row nearby,  40 expected   lift = 0.05\n"
            "        proline = 1,680 is high (most rows 380 to 1,300)\n"
            "      {alcohol, hue}   2 rows nearby, 31 expected    lift = 0.2\n"
            "        hue = 1.71 is too high for alcohol = 14.2: "
            "rows with similar alcohol have hue 0.55 to 1.2\n"
        )
    )


def sure(row, p, *evidence, limit=0.05):
    """A row with an aspect for each feature, all with the same p-value."""
    figures = {"score": 0.01, "lift": 0.01, "density": 1.0, "expected": 40.0, "p_value": p}
    aspects = [
        Aspect((NAMES.index(one.feature),), (one.feature,), evidence=(one,), **figures)
        for one in evidence
    ]
    weights = {one.feature: 1 / len(evidence) for one in evidence} if p <= limit else {}
    return QueryExplanation(row, 0.7, True, aspects, 99.9, p_value=p, features=weights)


HIGH = Evidence("hue", 1.7, (0.5, 1.2), None, "high", 0.8)
LOW = Evidence("alcohol", 9.0, (11.0, 14.0), None, "low", 0.7)


def test_a_row_that_is_not_convincing_says_so_before_its_strongest_aspect():
    made = explanation(sure(3, 0.34, HIGH, LOW), score_name="lift", n_reference=200)
    assert made.summary().splitlines()[2:4] == [
        "    Nothing convincing: 34 % of ordinary rows have an aspect as strong. The strongest:",
        "      hue = 1.7 is high (most rows 0.5 to 1.2)   1 row nearby, 40 expected",
    ]
    assert "alcohol" not in made.summary()


def test_a_convincing_row_says_how_sure_that_is():
    made = explanation(sure(3, 2 / 201, HIGH), sure(4, 0.5, LOW), n_reference=200)
    lines = made.summary(aspects=1).splitlines()
    assert lines[2] == "      hue = 1.7 is high (most rows 0.5 to 1.2)"
    assert lines[3] == "    Only 1 % of ordinary rows have an aspect as strong."
    assert lines[5].startswith("    Nothing convincing: 50 % of")


def test_what_all_rows_have_in_common_is_said_once_and_first():
    rows = [sure(i, 1 / 201, HIGH) for i in range(4)] + [sure(9, 1 / 201, LOW)]
    few = explanation(*rows, n_reference=200).summary(aspects=1).splitlines()
    once = "  No ordinary row of 200 has an aspect as strong as any of these (p = 0.005)."
    assert few[1] == once
    assert few[2:5] == [
        "  row 0   score 0.7, higher than 99.9 % of rows",
        "      hue = 1.7 is high (most rows 0.5 to 1.2)",
        "    3 other rows are odd in the same way: 1, 2, 3.",
    ]
    many = explanation(
        *rows, sure(11, 1 / 201, LOW), sure(12, 1 / 201, replace(LOW, feature="proline"))
    )
    many = replace(many, n_reference=200)
    hue, alcohol, _ = (group.sentence for group in many.groups())
    lines = many.summary(aspects=1).splitlines()
    assert lines[1:6] == [
        once,
        "  What they have in common",
        f"    4 rows   {hue}: 0, 1, 2, 3",
        f"    2 rows   {alcohol}: 9, 11",
        "    1 row    odd in its own way: 12",
    ]
    assert (hue[:3], alcohol[:7]) == ("hue", "alcohol")
    assert "odd in the same way" not in "\n".join(lines)


def test_of_large_groups_as_many_rows_are_named_as_fit():
    rows = [sure(10**6 + i, 1 / 2001, HIGH) for i in range(100)]
    made = explanation(*rows, n_reference=2000)
    (line,) = (line for line in made.summary().splitlines() if line.startswith("    100 rows"))
    assert line.startswith("    100 rows   hue ")
    assert ": 1000000, 1000001, " in line
    assert line.endswith(" …")
    assert len(line) <= WIDTH


def test_what_is_left_out_comes_last():
    evidence = [replace(HIGH, feature=name) for name in NAMES]
    made = explanation(sure(1, 1 / 201, *evidence), n_reference=200)
    lines = made.summary(aspects=2).splitlines()
    assert lines[2].endswith("1 row nearby, 40 expected")
    assert lines[3].endswith("1 row nearby, 40 expected   (+2 more)")


def test_long_evidence_wraps_between_words_and_fits_the_terminal():
    names = tuple(f"年龄 of the {i}th person who was asked" for i in range(5))
    one = Evidence("", 12345.678, (1, 12000), (1, 2), "high", 9.0)
    evidence = tuple(replace(one, feature=name) for name in names)
    one = replace(aspect(*range(5), names=names), evidence=evidence)
    made = explanation(query(1, one), feature_names=names)
    for shown in (made.summary(), made.summary(aspects=1), made.summary(redundant=True)):
        assert max(map(display_width, shown.splitlines())) <= WIDTH
        assert all(f"{name} = 12,345.678" in shown for name in names[1:])  # not broken
    assert evidence_words(one) in " ".join(made.summary(aspects=1).split())


def test_long_names_are_cut_so_that_a_row_fits_the_terminal():
    names = tuple(f"{i} {'very ' * 30}long name {i}" for i in range(3))
    evidence = [
        Evidence(name, 9.0 + i, (1.0, 2.0), (1.5, 1.6), "high", 9.0) for i, name in enumerate(names)
    ]
    alone = replace(aspect(0, names=names), evidence=(replace(evidence[0], expected=None),))
    pair = replace(aspect(1, 2, names=names), evidence=tuple(evidence[1:]))
    bare = aspect(0, 1, 2, names=names)
    made = explanation(query(1, alone, pair), query(2, bare), feature_names=names)
    for shown in (made.summary(), made.summary(aspects=1), made.summary(redundant=True)):
        assert max(map(display_width, shown.splitlines())) <= WIDTH
        assert "long name 0 = 9" in shown
        assert "long name 2" in shown


def test_repr_shows_the_best_aspect_and_str_the_best_three(wine):
    assert repr(wine) == wine.summary(aspects=1)
    assert str(wine) == wine.summary(aspects=3)


def test_many_rows_are_cut_in_repr_and_str_but_not_in_the_summary():
    many = explanation(*(query(row, aspect(0)) for row in range(50)))
    for text in (repr(many), str(many)):
        assert text.count("  row ") == 20
        assert "  and 30 more rows: print(explanation.summary())" in text
    assert many.summary().count("  row ") == 50


def test_long_lists_of_features_wrap_between_names_and_fit_the_terminal():
    names = tuple(f"a rather long name of column {i}" for i in range(5))
    text = explanation(query(1, aspect(*range(5), names=names)), feature_names=names).summary()
    assert max(map(len, text.splitlines())) <= WIDTH
    assert all(name in text for name in names)


def test_what_is_left_out_has_a_line_of_its_own_beside_a_name_that_takes_all_the_room():
    names = tuple(f"{'measured' * 5} {i}" for i in range(4))
    aspects = [aspect(i, names=names) for i in range(4)]
    text = explanation(query(1, *aspects), feature_names=names).summary(aspects=3)
    assert "\n      (+1 more)\n" in text
    assert max(map(len, text.splitlines())) <= WIDTH


def test_columns_line_up_under_wide_characters():
    names = ("年龄", "ab")
    text = explanation(query(1, aspect(0, names=names), aspect(1, names=names))).summary()
    first, second = (line for line in text.splitlines() if "{" in line)
    assert display_width(first.partition("2 rows")[0]) == display_width(
        second.partition("2 rows")[0]
    )


def test_a_name_cannot_send_escape_codes_or_line_breaks_to_the_terminal():
    names = ("a\nb\x1b[31m",)
    text = explanation(query(1, aspect(0, names=names)), feature_names=names).summary()
    assert r"{a\nb\x1b[31m}" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("queries", "changes", "expected"),
    [
        ([query(1)], {}, "1 anomaly of IForest among 178 rows"),
        ([query(1, is_anomaly=None)], {}, "1 row scored by IForest among 178 rows"),
        ([query(1, is_anomaly=False)], {}, "1 row, not an anomaly of IForest, among"),
        ([query(1, is_anomaly=False)] * 2, {}, "2 rows, none of them an anomaly of IForest, among"),
        ([query(1), query(2, is_anomaly=False)], {}, "2 rows, 1 of them an anomaly of IForest,"),
        ([query(1)], {"new_rows": True}, "of IForest in a new table, compared with 178 rows"),
        ([query(1)], {"n_rows": 12345}, "among 12,345 rows, explained by SGBeam"),
        ([], {}, "0 rows scored by IForest among 178 rows"),
    ],
)
def test_the_heading_says_which_rows_these_are(queries, changes, expected):
    assert expected in repr(explanation(*queries, **changes)).splitlines()[0]


def test_a_row_below_the_threshold_is_marked():
    assert "higher than 99.2 % of rows, not an anomaly" in repr(
        explanation(query(1, is_anomaly=False))
    )


def test_without_percentile_there_is_just_the_score():
    assert "  row 1   score 0.7123\n" in repr(explanation(query(1, percentile=None)))


def test_densities_are_not_called_rows():
    text = repr(explanation(query(1, aspect(0, density=0.00213, mean=0.18)), measure="density"))
    assert "{alcohol}   density 0.00213, 0.18 on average   z = -3.41" in text
    assert "Density: how closely" in text
    assert "nearby" not in text


def test_ranks_are_places_among_all_rows():
    text = repr(explanation(query(1, aspect(0, score=1)), score_name="rank", measure="density"))
    assert "rank 1 of 178" in text
    assert "Rank: place among all rows" in text


def test_a_score_of_your_own_is_shown_by_its_name():
    assert "myscore = 0.125" in repr(
        explanation(query(1, aspect(0, score=0.125)), score_name="myscore")
    )


@pytest.mark.parametrize("words", ["in the same bin", "at most an arm's length away"])
def test_the_legend_has_the_words_of_the_density_for_nearby(words):
    made = explanation(query(1, aspect(0)), nearby=words)
    assert f"  Nearby: {words}; the row itself counts.\n" in repr(made)


def test_the_legend_has_words_for_nearby_if_the_density_has_none():
    made = explanation(query(1, aspect(0)), nearby="")
    assert "  Nearby: close to the row in each of the features; the row" in repr(made)


def test_a_new_row_counts_itself_too():
    assert "; the row itself counts." in repr(explanation(query(1, aspect(0)), new_rows=True))


def test_the_legend_says_what_expected_and_lift_mean_where_they_are_shown():
    shown = repr(explanation(query(1, aspect(0, expected=31.0)), score_name="lift"))
    assert "\n  Expected: rows nearby if one feature were independent of the others; " in shown
    assert "\n  lift: rows nearby as a share of those expected, " in shown
    assert max(map(len, shown.split("\n"))) <= 100
    by_z = repr(explanation(query(1, aspect(0, expected=31.0)), score_name="zscore"))
    assert "\n  Expected: " in by_z
    assert "lift" not in by_z
    on_average = repr(explanation(query(1, aspect(0)), score_name="zscore"))
    assert "xpected" not in on_average


def test_nearby_is_said_of_the_reach_that_a_lift_chooses():
    X = np.random.default_rng(0).normal(size=(60, 2))
    scores = np.abs(X).sum(axis=1)
    said = {
        score: AspectExplainer.from_scores(scores, SGBeam(score=score)).fit(X).explain().nearby
        for score in ("lift", "zscore")
    }
    assert said == {
        "lift": "close to the row in each feature, at the most telling distance",
        "zscore": "in the same bin or the next one, in each of the features",
    }


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"tau": -2.0}, "    No aspect: in no set of features that was tried is z below -2."),
        ({}, "    No aspect was found."),
    ],
)
def test_no_aspect_is_said_plainly(settings, expected):
    assert expected in repr(explanation(query(1), settings=settings))


def test_a_query_reads_as_one_line():
    assert repr(query(22, aspect(0, 3), aspect(1))) == (
        "QueryExplanation: row 22, score 0.7123, higher than 99.2 % of rows, "
        "2 aspects: {alcohol, proline}, ..."
    )
    assert repr(query(3, percentile=None)) == "QueryExplanation: row 3, score 0.7123, 0 aspects"


def test_rows_are_called_by_their_labels_and_a_note_says_where_positions_are():
    made = explanation(query(7, aspect(0), label="TX7"), query(300, aspect(0), label="年龄"))
    lines = made.summary().splitlines()
    assert lines[1].startswith("  row TX7    score 0.7123")
    assert lines[3] == "    1 other row is odd in the same way: 年龄."
    assert lines[4].startswith("  row 年龄   score 0.7123")
    note = "  Rows are named by the table's index; row in to_frame() is their position, from 0."
    assert lines[-1] == note
    assert note not in explanation(query(7, aspect(0))).summary().splitlines()
    assert "the new table's index" in explanation(query(7, label="a"), new_rows=True).summary()
    assert repr(made[0]).startswith("QueryExplanation: row TX7, score 0.7123")


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("a\nb\x1b[1m", r"row a\nb\x1b[1m"),
        ("", "row ''"),
        ("x" * 300 + "42", f"row {'x' * 20}…{'x' * 17}42"),
        ("17", "row 17"),
    ],
)
def test_odd_labels_neither_break_lines_nor_fill_them(label, shown):
    made = explanation(query(5, aspect(0), label=label))
    assert made.summary().splitlines()[1].startswith(f"  {shown}   score")
    assert f": {shown}, score" in repr(made[0])
