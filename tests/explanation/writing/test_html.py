"""An explanation shows itself as HTML: static, escaped and fit for any theme."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from explanation_cases import (
    FURTHER,
    NAMES,
    aspect,
    explanation,
    explanations,
    query,
    told,
    told_in_three_lines,
)
from html_page import Page
from hypothesis import given

from pyod_aspects import Evidence
from pyod_aspects.explanation.writing.sentences import agreement_words, evidence_words, headline
from pyod_aspects.explanation.writing.wording import outcome_heading, outcome_words


def tags(page):
    return [tag for tag, _ in page.elements]


def attributes(page):
    return [pair for _, attrs in page.elements for pair in attrs.items()]


def test_the_page_says_what_the_text_says(wine):
    words = Page(wine._repr_html_()).words.replace("\xa0", " ")
    for expected in (
        "3 anomalies of IForest among 178 rows: 2 explained, 1 without an aspect",
        "by SGBeam",
        "stands out in alcohol",
        "2 rows nearby, 31 on average, z = −3.41",
        "0.7123 99.2 %",
        "no aspect: in no set of features",
        "Nearby: in the same bin or the next one",
    ):
        assert expected in words


def test_a_row_is_told_in_one_sentence_with_what_the_detector_says():
    made = told()
    words = Page(made._repr_html_()).words.replace("\xa0", " ")
    for expected in (
        headline(made[0], made.score_name),
        agreement_words(made, made[0]),
        "1 row nearby, 40 expected, lift = 0.05",
        evidence_words(made[0].aspects[1], made[0].features),
    ):
        assert expected
        assert expected in words


def words_for(*p_values):
    rows = [replace(query(i, aspect(0)), p_value=p) for i, p in enumerate(p_values)]
    made = explanation(*rows, n_reference=200)
    return Page(made._repr_html_()).words.replace("\xa0", " ")


@pytest.mark.parametrize(
    ("p_values", "said"),
    [
        ((0.005, 0.005), "No ordinary row of 200 has an aspect as strong as any of these"),
        ((0.005, 0.02), "At most 2 % of ordinary rows have an aspect as strong as any of these."),
        ((0.005, 0.02, 0.5), "Sentences in bold: at most 2 % of ordinary rows have an aspect"),
    ],
)
def test_how_sure_one_can_be_of_convincing_rows_is_said_once_before_them(p_values, said):
    words = words_for(*p_values)
    assert words.count(said) == 1
    assert words.index(said) < words.index("What is odd")
    told = words[words.index("What is odd") :]
    assert told.count("as strong") == sum(p > 0.05 for p in p_values)


def test_how_sure_is_said_where_there_are_p_values():
    words = words_for(0.005, 0.34)
    assert "no ordinary row of 200 has an aspect as strong (p = 0.005)" in words
    assert "nothing convincing: 34 % of ordinary rows have an aspect as strong" in words
    assert "no ordinary row of 200 has an aspect as strong (p = 0.005)" in words_for(0.005)
    assert "ordinary" not in Page(explanation(query(1, aspect(0)))._repr_html_()).words


def test_a_guess_that_is_not_convincing_is_told_without_weight():
    high = Evidence("alcohol", 15.0, (11.0, 14.0), None, "high", outside=0.3)
    odd = replace(aspect(0), evidence=(high,))
    rows = [replace(query(i, odd), p_value=0.5) for i in range(2)]
    page = Page(explanation(*rows, n_reference=200)._repr_html_())
    assert "alcohol = 15 is high (most rows 11 to 14) nothing convincing: 50" in page.words
    assert len(page.all("strong")) == 1  # the heading


def test_many_rows_begin_with_what_they_have_in_common():
    def high(feature, row):
        found = (Evidence(feature, 9.0, (1.0, 2.0), None, "high", outside=7.0),)
        return query(row, replace(aspect(NAMES.index(feature)), evidence=found))

    rows = [high("alcohol", i) for i in range(8)]
    made = explanation(*rows, *(high("hue", i) for i in (20, 21)))
    words = Page(made._repr_html_()).words
    first, second = made.groups()
    assert f"8 rows {first.sentence} : 0, 1, 2, 3, 4, 5 and 2 more" in words
    assert f"2 rows {second.sentence} : 20, 21" in words
    assert words.index("in common") < words.index("What is odd")
    assert "in common" not in Page(made[:4]._repr_html_()).words


def test_evidence_is_escaped():
    evidence = (Evidence("alcohol", "<b>14</b>", ("<i>",), None, "rare"),)
    odd = replace(aspect(0), evidence=evidence)
    page = Page(explanation(*(query(i, odd) for i in range(9)))._repr_html_())
    assert "alcohol = <b>14</b> is rare (most rows <i>)" in page.words
    assert not {"b", "i"} & set(tags(page))


def test_the_page_is_static_and_its_style_is_for_itself(wine):
    page = Page(wine._repr_html_())
    assert not {"script", "link", "img", "iframe"} & set(tags(page))
    assert not [name for name, _ in attributes(page) if name.startswith("on")]
    assert "http" not in wine._repr_html_()
    style = wine._repr_html_().split("<style>")[1].split("</style>")[0]
    for selectors in re.findall(r"([^{}]+){", style):
        outside = re.sub(r"\([^)]*\)", "", selectors)
        assert all(one.strip().startswith(".pyod-aspects-html") for one in outside.split(","))


def test_the_page_fits_any_theme_as_text_has_no_colour_of_its_own(wine):
    style = wine._repr_html_().split("<style>")[1].split("</style>")[0]
    assert set(re.findall(r"(?<![-\w])color:([^;}]*)", style)) == {"inherit"}
    assert not [value for name, value in attributes(Page(wine._repr_html_())) if name == "style"]


def test_without_its_style_the_page_is_a_plain_table_that_reads_the_same(wine):
    bare = re.sub("<style>.*?</style>", "", wine._repr_html_(), flags=re.DOTALL)
    page = Page(bare)
    assert tags(page).count("table") == 1
    assert "Row Score Higher than What is odd" in page.words


def test_all_aspects_are_in_the_page_folded_away(wine):
    page = Page(wine._repr_html_())
    assert tags(page).count("li") == 6
    assert tags(page).count("details") == 2 + 1  # two rows with aspects, and the words
    assert "4 aspects, 1 redundant" in page.words
    assert page.words.count("(redundant)") == 1
    assert "Redundant: adds little" in page.words


def test_names_are_escaped_in_the_page():
    names = ("<script>alert(1)</script>", "a & b")
    made = explanation(query(1, aspect(0, 1, names=names)), feature_names=names, detector="<b>")
    page = Page(made._repr_html_())
    assert not {"script", "b"} & set(tags(page))
    assert "<script>alert(1)</script>" in page.words
    assert "a & b" in page.words


def test_a_name_with_dollars_is_no_formula(wine):
    (outer,) = Page(wine._repr_html_()).all("div")
    assert {"tex2jax_ignore", "mathjax_ignore"} <= set(outer["class"].split())


def test_a_page_of_many_rows_is_cut_and_says_so():
    page = Page(explanation(*(query(row, aspect(0)) for row in range(50)))._repr_html_())
    assert tags(page).count("tr") == 1 + 20
    assert "and 30 more rows" in page.words


def test_a_page_of_many_rows_is_small(wine):
    rows = [replace(wine[0], row=i) for i in range(100)]
    assert len(replace(wine, queries=tuple(rows))._repr_html_()) < 40_000


@pytest.mark.parametrize(
    "figures", [(0.0, 0.0), (5.0, 2.0), (math.nan, math.nan), (math.inf, math.inf)]
)
@pytest.mark.parametrize("measure", ["count", "density"])
def test_odd_figures_are_shown_too(figures, measure):
    made = explanation(query(1, aspect(0, density=figures[0], mean=figures[1])), measure=measure)
    assert "alcohol" in repr(made)
    Page(made._repr_html_())


def test_an_empty_explanation_can_be_shown():
    assert "0 rows" in Page(explanation()._repr_html_()).words
    assert explanation().to_frame().empty


@given(explanations())
def test_anything_can_be_shown(made):
    assert repr(made).isprintable() or "\n" in repr(made)
    assert str(made).startswith("Explanation: ")
    Page(made._repr_html_())


def test_labels_name_the_rows_and_are_escaped():
    made = explanation(query(7, aspect(0), label="<b>$1$\n"), query(3, label="TX3"))
    page = Page(made._repr_html_())
    assert not page.all("b")
    assert "<b>$1$\\n" in page.words
    assert "TX3" in page.words
    assert "Rows are named by the table's index" in page.words
    assert ("title", "position 7") in attributes(page)


@pytest.mark.parametrize(
    ("p_values", "words"),
    [
        ((0.005, 0.005), "2 anomalies of IForest among 178 rows: all explained"),
        ((0.005, 0.5), "2 anomalies of IForest among 178 rows: 1 explained, 1 nothing convincing"),
        ((0.4, 0.5), "2 anomalies of IForest among 178 rows: nothing convincing"),
        ((0.5,), "1 anomaly of IForest among 178 rows: nothing convincing"),
        ((0.005,), "1 anomaly of IForest among 178 rows: explained"),
        ((None, 0.005), "2 anomalies of IForest among 178 rows: all explained"),
        ((), "0 rows scored by IForest among 178 rows"),
    ],
)
def test_the_heading_says_for_how_many_rows_there_is_an_answer(p_values, words):
    rows = [replace(query(i, aspect(0)), p_value=p) for i, p in enumerate(p_values)]
    assert outcome_heading(explanation(*rows, n_reference=200)) == words


def test_without_p_values_a_row_with_an_aspect_is_explained():
    assert outcome_words(explanation(query(1, aspect(0)), query(2))) == (
        "1 explained, 1 without an aspect"
    )
    assert outcome_words(explanation(query(1), query(2))) == "all without an aspect"


def test_what_else_is_odd_stands_below_the_sentence():
    words = re.sub("<details>.*?</details>", "", told_in_three_lines()._repr_html_())
    assert f'</strong><div class="pa-also">{FURTHER}</div>' in words
