"""Columns of all kinds can be drawn: categories, times, missing values."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection, PolyCollection
from mixed import explain, mixed_table
from plot_parts import ALL, dashed_box, stars, texts

from pyod_aspects import AspectExplainer, SGBeam
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
    outside = 1  # row 0, with a humidity of 300
    assert len(points.get_offsets()) + len(near) + 1 + outside == 300


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


@pytest.fixture
def large():
    """Row 7 stands apart in whole numbers near 2**60, and by nanoseconds."""
    rng = np.random.default_rng(0)
    ticks = rng.integers(0, 300, 200)
    ticks[7] = 900
    moment = np.datetime64("2024-03-05T14:30:00.250001", "ns")
    frame = pd.DataFrame({"id": 2**60 + ticks, "sent": moment + ticks.astype("m8[ns]")})
    frame["day"] = moment + (ticks * 10**12 + 1).astype("m8[ns]")
    frame["gap"] = pd.array([None, *(2**61 + ticks[1:])], dtype="Int64")
    frame["size"] = rng.normal(size=200)
    scores = np.zeros(200)
    scores[7] = 1.0
    return AspectExplainer.from_scores(scores, SGBeam(max_dim=1), 1).fit(frame).explain()


def test_an_axis_of_large_numbers_says_what_is_added_to_its_ticks(large):
    figure = plot_aspect(large, 7, ["id"])
    (ax,) = figure.axes
    (column, *_) = large.background.reference.columns
    assert ax.xaxis.get_major_formatter().get_offset() == f"+ {int(column.offset):,}"
    assert "row 7: 1,152,921,504,606,847,876" in texts(figure)
    assert [text.get_text() for text in ax.get_xticklabels(minor=True)] == ["…,847,876"]
    assert ax.get_xlim()[1] - ax.get_xlim()[0] < 600
    assert 300 < stars(ax)[0].get_xdata()[0] < ax.get_xlim()[1]  # behind the break


def test_times_within_a_second_are_drawn_in_seconds_after_a_moment(large):
    figure = plot_aspect(large, 7, ["sent"])
    (ax,) = figure.axes
    assert ax.xaxis.get_major_formatter().get_offset() == "s after 2024-03-05 14:30"
    ticks = ax.get_xticks()
    assert len(ticks) >= 2
    assert ticks[0] >= 0.250001
    assert ticks[-1] <= 0.2500013
    assert "row 7: 2024-03-05 14:30:00.2500019" in texts(figure)


def test_nanoseconds_over_days_are_drawn_as_dates(large):
    figure = plot_aspect(large, 7, ["day"])
    (ax,) = figure.axes
    first = np.datetime64("2024-03-05T14:30:00") - np.datetime64("1970-01-01")
    bars = next(c for c in ax.collections if isinstance(c, PolyCollection))
    left = min(path.vertices[:, 0].min() for path in bars.get_paths())
    assert left == pytest.approx(first / np.timedelta64(1, "D"), abs=0.3)
    assert "row 7: 2024-03-16 00:30" in texts(figure)


def test_the_neighbourhood_of_large_numbers_is_drawn_around_the_row(large):
    (ax,) = plot_aspect(large, 7, ["id", "sent"]).axes
    box, (star,) = dashed_box(ax), stars(ax)
    assert box.get_x() < star.get_xdata()[0] < box.get_x() + box.get_width()
    assert box.get_y() < star.get_ydata()[0] < box.get_y() + box.get_height()
    assert box.get_width() < 600
    assert box.get_height() < 6e-7


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_large_numbers_can_be_drawn_in_every_kind_of_picture(large, k):
    words = describe_aspect(large, 7, ["id", "sent"])
    svg = to_svg(plot_aspect(large, 7, ["gap", "id", "sent", "day", "size"][:k]), words)
    assert ET.fromstring(svg) is not None
    assert "id 1,152,921,504,606,847,876 and sent 2024-03-05 14:30:00.2500019:" in words


def test_the_ends_of_parallel_axes_show_the_digits_in_which_large_numbers_differ(large):
    found = texts(plot_aspect(large, 7, ["gap", "id", "sent", "day", "size"]))
    assert "…606,847,876" in found
    assert "…:00.2500019" in found
