"""A group is drawn with all its rows in the features that they share."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from mixed import explain, mixed_table
from plot_parts import ALL, Scores, extent, stars, texts

from pyod_aspects import AspectExplainer, Explanation
from pyod_aspects.exceptions import InvalidInputError, QueryError
from pyod_aspects.explanation.judging.groups import Group
from pyod_aspects.plots import describe_group, plot_group, to_svg


@pytest.fixture(scope="module")
def planted():
    """Rows 0 to 4 are too low in "x1" for "x0"; rows 5 to 7 lie far out in "x2"."""
    rng = np.random.default_rng(0)
    X = rng.uniform(4, 9, size=(2000, 3))
    X[:, 1] = X[:, 0] + 0.1 * rng.normal(size=2000)
    X[:5, 0] = [6.5, 7.0, 7.5, 8.0, 8.5]
    X[:5, 1] = X[:5, 0] - 2.5
    X[5:8, 2] = 40.0, 41.0, 1e6
    scores = np.zeros(2000)
    scores[:8] = np.linspace(2, 1, 8)
    return AspectExplainer(Scores(scores), n_queries=8).fit(X).explain()


def test_groups_that_were_found_are_drawn_with_all_their_rows(planted):
    values = planted.background.reference.values
    groups = planted.groups()
    assert sorted(row for group in groups for row in group.rows) == list(range(8))
    assert max(map(len, groups)) >= 3
    for group in groups:
        figure = plot_group(planted, group)
        for ax in figure.axes:
            (found,) = stars(ax)
            assert len(found.get_xdata()) == len(group)
            low, high = ax.get_xlim()
            assert ((low <= found.get_xdata()) & (found.get_xdata() <= high)).all()
        if len(group.features) == 2:
            (ax,) = figure.axes
            blamed = planted.feature_names.index(group.features[0])
            assert ax.get_ylabel() == group.features[0]
            assert stars(ax)[0].get_ydata() == pytest.approx(values[list(group.rows), blamed])


def test_each_row_of_a_pair_has_the_range_of_rows_like_it(planted):
    values = planted.background.reference.values
    ordinary = 8 + int(np.argmin(np.abs(values[8:, 0] - values[8:, 1])))
    rows = (0, 2, ordinary)
    group = Group(("x1", "x0"), ("low", "high"), rows, (0, 0, 0), "x1 too low for x0")
    shown = replace(planted, queries=(*planted, replace(planted[0], row=ordinary)))
    (ax,) = plot_group(shown, group).axes
    capsules = [line for line in ax.lines if line.get_gid() == "expected"]
    assert [line.get_xdata()[0] for line in capsules] == pytest.approx(values[[0, 2], 0])
    for line, row in zip(capsules, (0, 2), strict=True):
        assert np.abs(line.get_ydata() - values[row, 0]).max() < 0.6  # far from the row's own
    (legend,) = ax.figure.legends
    assert "rows like them" in [text.get_text() for text in legend.get_texts()]
    lone = Group(("x1", "x0"), ("low", "high"), (ordinary,), (0,), "")
    by_itself = replace(group, typical=(4.0, 9.0))
    for other in (lone, by_itself):
        (ax,) = plot_group(shown, other).axes
        assert not [line for line in ax.lines if line.get_gid() == "expected"]


def test_the_title_tells_the_reason_and_the_words_the_values(planted):
    group = Group(("x1", "x0"), ("low", "high"), (0, 2), (0, 0), "x1 too low for x0")
    figure = plot_group(planted, group)
    assert "2 rows: x1 too low for x0" in texts(figure)
    assert "rows 0, 2" in texts(figure)
    assert describe_group(planted, group) == (
        "2 rows among 2,000: x1 too low for x0. Rows 0, 2 lie at x0 6.5 to 7.5 and x1 4 to 5."
    )


def test_far_rows_of_a_group_share_a_strip_and_the_others_are_still_seen(planted):
    group = Group(("x2",), ("high",), (5, 6, 7), (0, 0, 0), "x2 is high")
    (ax,) = plot_group(planted, group).axes
    low, high = ax.get_xlim()
    assert high - low < 10
    assert [text.get_text() for text in ax.get_xticklabels(minor=True)] == ["1,000,000"]
    assert "x2 40 to 1,000,000" in describe_group(planted, group)


def test_few_rows_are_named_beside_their_stars_and_many_are_not(planted):
    few = Group(("x1", "x0"), ("low", "high"), (0, 4), (0, 0), "")
    figure = plot_group(planted, few)
    assert {"row 0", "row 4"} <= set(texts(figure))
    assert "2 rows: x1 × x0" in texts(figure)
    (ax,) = figure.axes
    named = [extent(figure, text) for text in ax.texts if text.get_text().startswith("row")]
    assert not named[0].overlaps(named[1])
    made = planted.background.explainer.explain(rows=list(range(30)))
    many = Group(("x1", "x0"), ("low", "high"), tuple(range(30)), (0,) * 30, "")
    assert not [t for t in plot_group(made, many).axes[0].texts if t.get_text()]


@pytest.mark.parametrize("subspace", ALL, ids=str)
def test_columns_of_all_kinds_can_be_drawn(mixed, subspace):
    names = tuple(mixed.feature_names[j] for j in subspace)
    group = Group(names, ("",) * len(names), (0, 1), (0, 0), "odd $x$ <b>")
    words = describe_group(mixed, group)
    svg = to_svg(plot_group(mixed, group), words)
    assert "odd $x$ <b>" in "".join(ET.fromstring(svg).itertext())
    if 1 in subspace:
        assert "humidity 300 or missing" in words
    if 2 in subspace:
        assert "station east, the old mill" in words


def test_pictures_of_a_cover_are_drawn_too(planted):
    for picture in planted.cover().pictures:
        assert plot_group(planted, picture, figure=Figure()).axes


def test_groups_of_another_explanation_are_refused(planted, mixed):
    group = Group(("height",), ("low",), (0,), (0,), "height is low")
    with pytest.raises(InvalidInputError, match="there is no feature 'height'; pass one of"):
        plot_group(planted, group)
    with pytest.raises(InvalidInputError, match="it has no features or rows"):
        plot_group(planted, replace(group, features=()))
    with pytest.raises(QueryError, match="row 99 was not explained"):
        plot_group(planted, replace(group, features=("x0",), rows=(99,)))


def test_without_its_table_a_group_has_words_only(planted):
    read = Explanation.from_json(planted.to_json())
    group = Group(("x1", "x0"), ("low", "high"), (0, 2), (0, 0), "x1 too low for x0")
    assert describe_group(read, group) == "2 rows among 2,000: x1 too low for x0. Rows 0, 2."
    with pytest.raises(InvalidInputError, match="plot_group needs the table"):
        plot_group(read, group)


def test_rows_are_named_by_their_labels():
    made = explain(mixed_table(60), [(0,)])
    queries = tuple(replace(q, label=f"TX{q.row}") for q in made)
    group = Group(("temperature",), ("high",), (0, 1), (0, 0), "temperature is high")
    figure = plot_group(replace(made, queries=queries), group)
    assert "rows TX0, TX1" in texts(figure)
