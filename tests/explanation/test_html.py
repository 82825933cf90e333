"""An explanation shows itself as HTML: static, escaped and fit for any theme."""

from __future__ import annotations

import math
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from explanation_cases import aspect, explanation, explanations, query, told
from hypothesis import given

from pyod_aspects import Evidence


class Page(HTMLParser):
    """Text, tags and attributes of a page; it notices a tag that is not closed."""

    def __init__(self, source):
        super().__init__()
        self.open, self.tags, self.text, self.attributes = [], [], "", []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_page_says_what_the_text_says(wine):
    page = Page(wine._repr_html_())
    for expected in (
        "3 anomalies of IForest among 178 rows, explained by SGBeam",
        "alcohol",
        "2 rows nearby, 31 on average",
        "z = −3.41",
        "higher than\xa099.2".replace("\xa0", " "),
        "no aspect: in no set of features",
        "Nearby: in the same bin or the next one",
        "A full bar is the average.",
    ):
        assert expected in page.text


def test_the_page_tells_the_evidence_and_what_is_expected():
    page = Page(told()._repr_html_())
    for expected in (
        "1 row nearby, 40 expected",
        "proline = 1,680 is high (most rows 380 to 1,300)",
        "A full bar is what is expected.",
    ):
        assert expected in page.text


def test_evidence_is_escaped():
    evidence = (Evidence("alcohol", "<b>14</b>", ("<i>",), None, "rare"),)
    page = Page(explanation(query(1, replace(aspect(0), evidence=evidence)))._repr_html_())
    assert "alcohol = <b>14</b> is rare (most rows <i>)" in page.text
    assert not {"b", "i"} & set(page.tags)


def test_the_page_is_static_and_brings_its_own_style(wine):
    page = Page(wine._repr_html_())
    assert not {"script", "style", "link", "img", "iframe"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert "http" not in wine._repr_html_()


def test_the_page_fits_any_theme_as_text_has_no_colour_of_its_own(wine):
    for name, value in Page(wine._repr_html_()).attributes:
        if name == "style":
            declared = dict(part.split(":", 1) for part in value.split(";"))
            assert declared.get("color", "inherit") == "inherit"


def test_all_aspects_are_in_the_page_those_after_the_third_folded_away(wine):
    page = Page(wine._repr_html_())
    assert page.tags.count("li") == 6
    assert page.tags.count("details") == 2
    assert "1 more" in page.text
    assert "1 redundant" in page.text
    assert "Redundant: adds little" in page.text


def test_names_are_escaped_in_the_page():
    names = ("<script>alert(1)</script>", "a & b")
    made = explanation(query(1, aspect(0, 1, names=names)), feature_names=names, detector="<b>")
    page = Page(made._repr_html_())
    assert "script" not in page.tags
    assert "b" not in page.tags
    assert "<script>alert(1)</script>" in page.text
    assert "a & b" in page.text


def test_a_name_with_dollars_is_no_formula(wine):
    assert ("class", "tex2jax_ignore mathjax_ignore") in Page(wine._repr_html_()).attributes


def test_a_page_of_many_rows_is_cut_and_says_so():
    page = Page(explanation(*(query(row, aspect(0)) for row in range(50)))._repr_html_())
    assert page.tags.count("tr") == 1 + 20
    assert "and 30 more rows" in page.text


@pytest.mark.parametrize(
    "figures", [(0.0, 0.0), (5.0, 2.0), (math.nan, math.nan), (math.inf, math.inf)]
)
@pytest.mark.parametrize("measure", ["count", "density"])
def test_odd_figures_are_shown_too(figures, measure):
    made = explanation(query(1, aspect(0, density=figures[0], mean=figures[1])), measure=measure)
    assert "alcohol" in repr(made)
    Page(made._repr_html_())


def test_an_empty_explanation_can_be_shown():
    assert "0 rows" in Page(explanation()._repr_html_()).text
    assert explanation().to_frame().empty


@given(explanations())
def test_anything_can_be_shown(made):
    assert repr(made).isprintable() or "\n" in repr(made)
    assert str(made).startswith("Explanation: ")
    Page(made._repr_html_())


def test_labels_name_the_rows_and_are_escaped():
    made = explanation(query(7, aspect(0), label="<b>$1$\n"), query(3, label="TX3"))
    source = made._repr_html_()
    page = Page(source)
    assert "b" not in page.tags
    assert "<b>$1$\\n" in page.text
    assert "TX3" in page.text
    assert "Rows are named by the table's index" in page.text
    assert ("title", "position 7") in page.attributes
