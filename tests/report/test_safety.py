"""The page loads nothing, runs nothing, and takes names from the data as text."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

import explanation_cases as cases
import pytest
from html_page import Page
from hypothesis import given, settings
from mixed import explain, mixed_table

from pyod_aspects import Evidence
from pyod_aspects.report import report
from pyod_aspects.tables import Column


def test_the_page_loads_nothing_and_runs_nothing(page):
    seen = Page(page)
    assert not {"script", "iframe", "link", "object", "embed", "form"} & {
        t for t, _ in seen.elements
    }
    for _, attrs in seen.elements:
        assert not [name for name in attrs if name.startswith("on")]
        for name in ("src", "href", "xlink:href"):
            assert re.match(r"#|data:image/png;base64,", attrs.get(name) or "#")
    assert not re.search(r"url\((?!#)", page)
    assert "@import" not in page
    policy = [a["content"] for a in seen.all("meta") if "http-equiv" in a]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]


HOSTILE = (
    "<script>alert('x')</script>",
    '"><img src=x onerror=alert(1)>',
    "$\\frac{a}{b}$ & <b>",
    "tab\tline\nnull\x00escape\x1b[31m",
    "</svg></style></title><!-- --> ]]> \ud800",
)


def test_names_from_the_data_are_text_and_nothing_else():
    columns = tuple(Column(name) for name in HOSTILE)
    columns = (*columns[:2], Column(HOSTILE[2], "category", HOSTILE[:4]), *columns[3:])
    table = replace(mixed_table(missing=False), columns=columns)
    subspaces = [(0,), (1,), (2,), (0, 1), (2, 3), (0, 1, 2), (0, 1, 2, 3, 4), (3,), (4,)]
    made = explain(
        table, subspaces, detector=HOSTILE[0], miner=HOSTILE[1], settings={HOSTILE[0]: HOSTILE[4]}
    )
    labels = (HOSTILE[0], HOSTILE[4])
    queries = tuple(replace(q, label=label) for q, label in zip(made, labels, strict=True))
    text = replace(made, queries=queries).to_html()
    seen = Page(text)
    clean = Page(explain(mixed_table(missing=False), subspaces).to_html())
    kinds = {tag for tag, _ in clean.elements}
    assert {tag for tag, _ in seen.elements} <= kinds
    assert not [n for _, attrs in seen.elements for n in attrs if n.startswith("on")]
    for name in HOSTILE[:3]:
        assert " ".join(name.split()) in seen.words
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]", text)


EVIL = "<x-evil a=\"1\" b='2'>&amp;"


@pytest.mark.parametrize(
    "changes",
    [
        {"detector": EVIL},
        {"miner": EVIL},
        {"score_name": EVIL},
        {"nearby": EVIL},
        {"duplicate_columns": {EVIL: "hue"}},
        {"duplicate_columns": {"ash": EVIL}},
        {"settings": {EVIL: 1}},
        {"settings": {"bins": EVIL}},
        {"version": EVIL},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_every_word_of_the_page_is_escaped(changes):
    aspects = cases.aspect(0), cases.aspect(1)
    page = report(cases.explanation(cases.query(1, *aspects), **changes))
    assert "<x-evil" not in page
    assert escape(EVIL) in page


def evil_evidence(feature, value=EVIL, typical=(EVIL,)):
    return Evidence(feature, value, typical, None, "rare", outside=1.0)


def test_title_sentences_groups_facts_and_aspects_are_escaped():
    """One name in every place that shows one: feature, value, label and detector."""
    first = replace(cases.aspect(1, names=("a", EVIL)), evidence=(evil_evidence(EVIL),))
    second = cases.aspect(0, 1, names=("a", EVIL))
    rows = [replace(cases.query(i, first, second), label=f"{EVIL}{i}") for i in range(20)]
    made = cases.explanation(*rows, feature_names=("a", EVIL), detector=EVIL)
    page = report(made, redundant=True)
    assert "<x-evil" not in page
    seen = Page(page)
    assert f"<title>20 anomalies of {escape(EVIL)} among" in page
    assert f"<h1>20 anomalies of {escape(EVIL)} among" in page
    assert f'<span class="chip">{escape(EVIL)}</span>' in page
    assert f"{EVIL}19" in seen.words
    assert "group-1" in {a.get("id") for a in seen.all("section")}


@settings(max_examples=30, deadline=None)
@given(cases.explanations())
def test_any_explanation_makes_a_page(made):
    seen = Page(report(made))
    assert "script" not in {tag for tag, _ in seen.elements}
    rows = {query.row for query in made}
    assert len(seen.all("details", "row")) == len(rows)
