"""A matrix of rows and detectors."""

from __future__ import annotations

from itertools import pairwise

import pytest
from explanation_cases import explanation, query
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from pyod_aspects import Aspect, Evidence
from pyod_aspects.explanation import compare
from pyod_aspects.plots import plot_comparison, to_svg
from pyod_aspects.plots.comparison import _POINTS, COLOURS, MOST_ROWS


def answer(rows, name="depth", label=None):
    """An explanation in which each row is low in one feature; row 0 in none."""
    low = Evidence(name, 43.0, (59.0, 64.0), None, "low", 3.0)
    aspect = Aspect((0,), (name,), score=-4.0, evidence=(low,))
    queries = [query(row, *([aspect] if row else []), label=label) for row in rows]
    return explanation(*queries, feature_names=(name,))


def cells(ax):
    return [patch for patch in ax.patches if isinstance(patch, Rectangle)]


def test_each_flagged_row_has_a_cell_with_its_reason():
    ax = plot_comparison(compare({"KNN": answer([1, 2]), "ECOD": answer([2, 0])}))
    assert [text.get_text() for text in ax.get_xticklabels()] == ["KNN", "ECOD"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["row 2", "row 1", "row 0"]
    corners = {(round(cell.get_x()), round(cell.get_y())) for cell in cells(ax)}
    assert corners == {(0, 0), (1, 0), (0, 1), (1, 2)}
    words = [text.get_text() for text in ax.texts]
    assert words.count("depth is low") == 3
    assert words.count("nothing convincing") == 1
    assert {"by both", "by one"} <= set(words)


def test_letters_can_be_read_on_every_colour():
    def light(part):
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    for colour in COLOURS:
        red, green, blue = (light(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
        luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        assert 1.05 / (luminance + 0.05) >= 3.5, colour


@pytest.mark.parametrize("n_rows", [1, 10, 40, 90])
def test_many_rows_are_cut_and_words_do_not_overlap(n_rows):
    both = {"KNN": answer(range(1, n_rows + 1)), "ECOD": answer(range(1, n_rows + 1))}
    ax = plot_comparison(compare(both))
    assert len(ax.get_yticklabels()) == min(n_rows, MOST_ROWS)
    assert ("50 more rows not shown" in ax.get_xlabel()) == (n_rows == 90)
    figure = ax.figure
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.get_yticklabels()]
    assert all(a.y0 >= b.y1 for a, b in pairwise(boxes))
    for text, cell in zip(ax.texts, cells(ax), strict=False):
        assert text.get_window_extent().width <= cell.get_window_extent().width


def test_letters_of_six_detectors_can_be_read_on_a_page():
    """A page shows a picture of 736 pixels: small letters have nine of them."""
    name = "fractal dimension error"
    names = ["IForest", "ECOD", "KNN", "LOF", "PCA", "HBOS"]
    ax = plot_comparison(compare({one: answer([1, 2, 0], name) for one in names}))
    figure = ax.figure
    assert _POINTS / 72 * min(100.0, 736 / figure.get_figwidth()) >= 9.0
    figure.canvas.draw()
    words = {text.get_text() for text in ax.texts}
    assert "fractal dimension\nerror is low" in words
    for text, cell in zip(ax.texts, cells(ax), strict=False):
        drawn, frame = text.get_window_extent(), cell.get_window_extent()
        assert drawn.width <= frame.width
        assert drawn.height <= frame.height


def test_it_draws_on_given_axes_and_names_are_safe():
    figure = Figure()
    given = figure.subplots()
    both = {"K$N$N\n": answer([1], "a$b$"), "ECOD": answer([1], "a$b$")}
    ax = plot_comparison(compare(both), ax=given)
    assert ax is given
    assert "K$N$N" in to_svg(figure, "detectors")


def test_nothing_flagged_says_so():
    nobody = explanation(feature_names=("x",))
    ax = plot_comparison(compare({"A": nobody, "B": nobody}))
    assert [text.get_text() for text in ax.texts] == ["no row is flagged"]
