"""The title of a picture says which row and where, and stays within it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from matplotlib.figure import Figure
from mixed import explain, mixed_table
from plot_parts import texts, title

from pyod_aspects.plots import plot_aspect
from pyod_aspects.tables import Column


def test_the_title_says_which_row_where_and_how_lonely(mixed):
    said = texts(plot_aspect(mixed, 0, (0, 1)))
    assert "Row 0: temperature × humidity" in said
    assert any(re.fullmatch(r"1 row nearby, \d+ on average, z = −\d\.\d\d", t) for t in said)


def test_a_long_title_names_as_many_features_as_it_has_room_for():
    table = mixed_table(60, missing=False)
    columns = tuple(Column(f"measurement number {i} of a long list") for i in range(5))
    made = explain(replace(table, columns=columns), [(0, 1, 2), (0, 1, 2, 3, 4)], rows=[0])
    three, five = (title(plot_aspect(made, 0, i)) for i in (0, 1))
    assert three.count("×") == 2
    assert re.fullmatch(r"Row 0: .+….+ × .+ and \d more", five)
    assert max(len(three), len(five)) < 90


@pytest.mark.parametrize("k", [4, 5])
@pytest.mark.parametrize("width", [6.4, 4.0])
def test_the_title_stays_within_the_picture(k, width):
    names = ("MEAN WIDTH", "worst symmetry", "MEAN HOURS", "MAXIMUM HUMIDITY", "area of wood")
    table = replace(mixed_table(60, missing=False), columns=tuple(map(Column, names)))
    made = explain(table, [tuple(range(k))], rows=[0])
    figure, other = Figure(figsize=(width, 4.2)), Figure(figsize=(2 * width, 4.2))
    canvas = figure.canvas
    for part in (
        plot_aspect(made, 0, figure=figure),
        plot_aspect(made, 0, figure=other.subfigures(1, 2)[1]),
    ):
        for text in part.texts:
            assert text.get_window_extent().x1 <= part.bbox.x1
    assert figure.canvas is canvas
