"""Columns of all kinds can be drawn: categories, times, missing values."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from mixed import explain, mixed_table
from plot_parts import ALL, dashed_box, stars

from pyod_aspects.plots import describe_aspect, plot_aspect, to_svg
from pyod_aspects.tables import Column, Table


def test_categories_are_named_on_their_axis(mixed):
    (ax,) = plot_aspect(mixed, 0, (0, 2)).axes
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names == ["missing", "north", "east", "south", "the old mill"]
    (star,) = stars(ax)
    assert star.get_ydata()[0] == 3
    box = dashed_box(ax)
    assert 2.5 < box.get_y() < 3 < box.get_y() + box.get_height() < 3.5


def test_of_many_categories_some_are_named_the_rows_own_among_them():
    labels = tuple(f"city {i}" for i in range(300))
    values = np.arange(300.0)[:, None].repeat(2, axis=1)
    table = Table(values, (Column("city", "category", labels), Column("x")), True)
    (ax,) = plot_aspect(explain(table, [(0, 1)], rows=[137]), 137).axes
    names = [text.get_text() for text in ax.get_xticklabels()]
    assert "city 137" in names
    assert len(names) <= 14


def test_times_are_dates_on_their_axis(mixed):
    figure = plot_aspect(mixed, 0, (0, 3))
    figure.canvas.draw()
    (ax,) = figure.axes
    ticks = [t.get_text() for t in ax.get_yticklabels()]
    assert "2024" in ticks
    days = (1.7e9 + 2.9e7) / 86400
    assert stars(ax)[0].get_ydata()[0] == pytest.approx(days)


def test_missing_values_lie_in_a_strip_beside_the_axis(mixed):
    (ax,) = plot_aspect(mixed, 1, (0, 1)).axes  # row 1 has no humidity
    values = mixed.background.explained.values[:, 1]
    bottom = ax.get_ylim()[0]
    (star,) = stars(ax)
    assert bottom < star.get_ydata()[0] < np.nanmin(values)
    assert "missing" in [text.get_text() for text in ax.get_yticklabels(minor=True)]
    points = next(c for c in ax.collections if isinstance(c, PathCollection))
    heights = points.get_offsets()[:, 1]
    n_missing = np.isnan(values).sum()
    near = next(c for c in ax.collections if c.get_label() == "nearby").get_offsets()
    assert (heights < np.nanmin(values)).sum() == n_missing - len(near) - 1
    assert len(points.get_offsets()) + len(near) + 1 == 300


def test_a_row_is_near_to_others_that_miss_the_same_value(mixed):
    (ax,) = plot_aspect(mixed, 1, (1,)).axes
    edges = sorted(line.get_xdata()[0] for line in ax.lines if line.get_linestyle() == "--")
    assert edges[1] < 0  # the strip, left of all humidities
    assert "lies at humidity missing: 16 rows nearby" in describe_aspect(mixed, 1, (1,))


@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize("subspace", ALL, ids=str)
def test_all_kinds_of_columns_go_into_all_pictures(mixed, row, subspace):
    figure = plot_aspect(mixed, row, subspace)
    words = describe_aspect(mixed, row, subspace)
    ET.fromstring(to_svg(figure, words))


@pytest.mark.parametrize("subspace", [(0,), (0, 1), (0, 1, 2), (0, 1, 2, 3, 4)], ids=str)
def test_constant_and_empty_columns_can_be_drawn(subspace):
    table = mixed_table(50, missing=False)
    table.values[:, 0] = 7.0
    table.values[:, 1] = np.nan
    with np.errstate(all="ignore"), pytest.warns(RuntimeWarning, match="All-NaN"):
        made = explain(table, [(3,)], rows=[0])
    aspect = replace(made[0].aspects[0], subspace=subspace, features=("f",) * len(subspace))
    ET.fromstring(to_svg(plot_aspect(made, 0, aspect), "x"))
