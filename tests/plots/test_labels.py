"""Pictures and their words call rows by their labels, whatever these hold."""

from __future__ import annotations

from dataclasses import replace

import pytest
from matplotlib.figure import Figure
from mixed import explain, mixed_table
from plot_parts import texts, title

from pyod_aspects.plots import (
    describe_aspect,
    describe_scores,
    plot_aspect,
    plot_aspects,
    plot_overview,
    plot_scores,
    to_svg,
)

LONG = "a label that goes on and on until there is no room left for it, number 42"


def labelled(*labels):
    made = explain(mixed_table(60), [(0,), (0, 1), (0, 1, 2), (0, 1, 2, 3, 4)])
    queries = (replace(q, label=label) for q, label in zip(made, labels, strict=True))
    return replace(made, queries=tuple(queries))


@pytest.mark.parametrize("aspect", [0, 1, 2, 3])
def test_a_picture_of_an_aspect_has_the_label_in_its_title_and_beside_the_star(aspect):
    figure = plot_aspect(labelled("TX20451", "b"), "TX20451", aspect)
    assert title(figure).startswith("Row TX20451: temperature")
    assert any(text.startswith("row TX20451") for text in texts(figure))
    assert not any(text.startswith("row 0") for text in texts(figure))


def test_all_pictures_call_rows_by_their_labels():
    made = labelled("TX20451", "TX7")
    overview = plot_overview(made)
    assert [t.get_text() for t in overview.get_yticklabels()] == ["row TX20451", "row TX7"]
    assert plot_aspects(made, 1).get_title("left") == "Row TX7: where it stands out"
    shown = [line.get_label() for line in plot_scores(made, "TX7").lines]
    assert any(text.startswith("row TX7: ") for text in shown)


def test_the_words_call_rows_by_their_labels():
    made = labelled("TX20451", "TX7")
    by_label, by_position = (describe_aspect(made, row, 1) for row in ("TX20451", 0))
    assert by_label == by_position
    assert by_label.startswith("Row TX20451 lies ")
    value = made.background.explained.columns[0].text(made.background.explained.values[0, 0])
    assert f"temperature {value}" in by_label
    assert ". Row TX7 has " in describe_scores(made, "TX7")
    assert describe_aspect(replace(made, background=None), 0).startswith("Row TX20451 stands ")


@pytest.mark.parametrize("label", ["$x^2$ costs 5$", "<b>&\n</b>", LONG, "", "_hidden"])
def test_odd_labels_are_drawn_and_stay_within_the_picture(label):
    made = labelled(label, "b")
    for figure in (
        plot_aspect(made, 0, 1),
        plot_aspects(made, 0).figure,
        plot_overview(made).figure,
        plot_scores(made, 0).figure,
        plot_scores(made, 0, ax=Figure(figsize=(3.2, 1.7)).subplots()).figure,
    ):
        svg = to_svg(figure, "a picture")
        assert "<b>" not in svg
        for text in figure.findobj(lambda a: hasattr(a, "get_text") and a.get_text().strip()):
            if "ow " in text.get_text():
                extent = text.get_window_extent()
                assert extent.x0 >= -1, text.get_text()
                assert extent.x1 <= figure.bbox.x1 + 1, text.get_text()
