"""Names are shown as they are whatever they hold, and an SVG fits its page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from mixed import explain, mixed_table

from pyod_aspects.explanation.writing.wording import elide
from pyod_aspects.plots import (
    describe_aspect,
    plot_aspect,
    plot_aspects,
    plot_overview,
    plot_scores,
    to_svg,
)
from pyod_aspects.plots.style import label, wrap
from pyod_aspects.tables import Column

HOSTILE = [
    "<script>alert(1)</script>",
    "a \"quoted\" & 'b'",
    "$x_1^{2$ $",
    "line\nbreak\x00\x1b[0m",
]


def hostile(k):
    table = mixed_table(60, missing=False)
    columns = (
        Column(HOSTILE[0]),
        Column(HOSTILE[1]),
        Column(HOSTILE[2], "category", ("$a$", "</svg>", "b\x00", "$\\frac{")),
        Column(HOSTILE[3]),
        Column("\ud800 年齢"),
    )
    return explain(replace(table, columns=columns), [tuple(range(k))], rows=[0], detector="$<b>")


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_names_are_shown_as_they_are_whatever_they_hold(k):
    made = hostile(k)
    svg = to_svg(plot_aspect(made, 0), describe_aspect(made, 0))
    root = ET.fromstring(svg)
    assert not [e for e in root.iter() if e.tag.endswith("script")]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\ud800-\udfff]", svg)
    shown = " ".join("".join(e.itertext()) for e in root.iter() if e.tag.endswith("}text"))
    assert "<script>" in shown
    if k == 3:
        assert "$x_1^{2$ $" in shown
        assert "$\\frac{" in shown


def test_names_in_the_other_pictures_are_shown_as_they_are():
    made = hostile(3)
    for ax in (plot_scores(made, 0), plot_aspects(made, 0), plot_overview(made)):
        root = ET.fromstring(to_svg(ax.figure, "x"))
        assert "$" in "".join(root.itertext())
        assert not [e for e in root.iter() if e.tag.endswith("script")]


def test_long_names_are_cut_in_the_middle():
    assert elide("x" * 30 + "y" * 30, 11) == "xxxxx…yyyyy"
    assert label("short $") == r"short \$"
    lines = wrap("a name of many words that goes on and on and on", 14, 2).split("\n")
    assert len(lines) == 2
    assert max(map(len, lines)) <= 14


def test_an_svg_takes_the_colour_of_its_page(mixed):
    svg = to_svg(plot_aspect(mixed, 0, (0, 1)), "a <picture>")
    assert svg.startswith('<svg role="img" aria-label="a &lt;picture&gt;"')
    assert "#000000" not in svg
    assert "currentColor" in svg
    assert "<style" not in svg
    assert "<metadata" not in svg


def test_svgs_on_one_page_do_not_share_ids_by_accident(mixed):
    pictures = [to_svg(plot_aspect(mixed, 0, s), "x") for s in [(0,), (0, 1), (0, 1, 2)]]
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in pictures]
    used = [set(re.findall(r'(?:url\(|href=")#([^")]+)', svg)) for svg in pictures]
    assert ids == used
    by_id = [
        dict(re.findall(r'<clipPath id="([^"]+)">(.*?)</clipPath>', s, re.S)) for s in pictures
    ]
    for one in by_id:
        for other in by_id:
            assert all(one[key] == other[key] for key in one.keys() & other.keys())


def test_a_category_with_very_many_levels_makes_a_small_picture():
    table = mixed_table(20_000, missing=False)
    labels = tuple(f"customer {i:06d} of some long name" for i in range(20_000))
    columns = (*table.columns[:2], Column("customer", "category", labels), *table.columns[3:])
    values = table.values.copy()
    values[:, 2] = range(20_000)
    made = explain(replace(table, values=values, columns=columns), [(0,)], rows=(0,))
    for features in (["customer"], ["customer", "temperature"]):
        assert len(to_svg(plot_aspect(made, 0, features), "customers")) < 100_000


def test_a_picture_for_a_page_with_a_heading_has_no_title_and_is_lower(plain):
    def size(svg):
        return [float(x) for x in re.search(r'viewBox="([^"]*)"', svg)[1].split()]

    row = plain[0].row
    titled = to_svg(plot_aspect(plain, row), "words")
    bare = to_svg(plot_aspect(plain, row), "words", titled=False)
    assert f"Row {row}: " in titled
    assert f"Row {row}: " not in bare
    assert size(bare)[3] < size(titled)[3]
    assert size(bare)[1] + size(bare)[3] == size(titled)[3]  # cut at the top
    scores = plot_scores(plain)
    assert to_svg(scores.figure, "words") == to_svg(scores.figure, "words", titled=False)
