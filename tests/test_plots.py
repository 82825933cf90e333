"""Pictures show the rows, the query and what is near to it, whatever the columns hold."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import same_color
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from mixed import explain, mixed_table

from pyod_aspects import AspectExplainer, Explanation, OAMiner, SGBeam
from pyod_aspects.datasets import make_hics
from pyod_aspects.exceptions import InvalidInputError, QueryError
from pyod_aspects.plots import (
    describe_aspect,
    describe_overview,
    describe_scores,
    plot_aspect,
    plot_aspects,
    plot_overview,
    plot_scores,
    to_svg,
)
from pyod_aspects.plots.sample import MOST_POINTS, drawn_rows
from pyod_aspects.plots.style import QUERY, elided, label, wrapped
from pyod_aspects.tables import Column, Table

ALL = [(0,), (1,), (2,), (3,), (0, 1), (1, 2), (2, 3), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4)]


class Scores:
    """A detector that is nothing but its scores."""

    def __init__(self, scores):
        self.decision_scores_ = np.asarray(scores, dtype=float)


@pytest.fixture(scope="module")
def mixed():
    return explain(mixed_table(), ALL)


@pytest.fixture(scope="module")
def plain():
    """An explanation by SGBeam of rows that stand out in two to four features."""
    data = make_hics(n_rows=600, n_features=6, block_sizes=[2, 4], random_state=0)
    row = next(row for row, true in data.truth.items() if true == [(2, 3, 4, 5)])
    scores = np.linspace(0, 1, len(data.X))
    explainer = AspectExplainer(Scores(scores)).fit(data.X)
    return explainer.explain(rows=[row, 5])


def texts(figure):
    return [text.get_text() for text in figure.findobj(lambda a: hasattr(a, "get_text"))]


def title(figure):
    (found,) = (text for text in texts(figure) if text.startswith("Row "))
    return found


def stars(ax):
    return [line for line in ax.lines if line.get_marker() == "*"]


def dashed_box(ax):
    boxes = [p for p in ax.patches if isinstance(p, Rectangle) and p.get_linestyle() == "--"]
    assert len(boxes) == 1
    return boxes[0]


# ---------------------------------------------------------------- which picture


def test_one_feature_is_a_histogram_of_all_rows(mixed):
    figure = plot_aspect(mixed, 0, (0,))
    (ax,) = figure.axes
    bars = next(c for c in ax.collections if isinstance(c, PolyCollection))
    heights = [path.vertices[:, 1].max() for path in bars.get_paths()]
    assert sum(heights) == 300
    assert ax.get_xlabel() == "temperature"


def test_the_bars_in_the_frame_add_up_to_the_count(plain):
    """The bars are the bins that were counted."""
    for row in (query.row for query in plain):
        for feature in range(6):
            figure = plot_aspect(plain, row, (feature,))
            (ax,) = figure.axes
            edges = [line.get_xdata()[0] for line in ax.lines if line.get_linestyle() == "--"]
            bars = next(c for c in ax.collections if isinstance(c, PolyCollection))
            inside = 0
            for path in bars.get_paths():
                middle = (path.vertices[:, 0].min() + path.vertices[:, 0].max()) / 2
                inside += path.vertices[:, 1].max() * (min(edges) < middle < max(edges))
            count = plain.background.density.density((feature,), plain.background.explained.values)
            assert inside == count[row]


def test_two_features_are_points_with_the_query_in_its_frame(plain):
    row = plain[0].row
    figure = plot_aspect(plain, row, (2, 4))
    (ax,) = figure.axes
    x, y = plain.background.explained.values[row, [2, 4]]
    (star,) = stars(ax)
    assert (star.get_xdata()[0], star.get_ydata()[0]) == (x, y)
    low, high = plain.background.density.neighbourhood(plain.background.explained.values[[row]])
    box = dashed_box(ax)
    assert box.get_x() <= x <= box.get_x() + box.get_width()
    assert box.get_width() <= high[0, 2] - low[0, 2] + 1e-9
    assert box.get_height() <= high[0, 4] - low[0, 4] + 1e-9


def test_rows_nearby_are_those_that_were_counted(plain):
    row = plain[0].row
    for subspace in [(2, 3), (2, 3, 4), (0, 1)]:
        figure = plot_aspect(plain, row, subspace)
        found = [c for c in figure.axes[0].collections if c.get_label() == "nearby"]
        drawn = sum(len(c.get_offsets()) for c in found)
        count = plain.background.density.density(subspace)[row]
        assert drawn == count - 1  # all but the row itself


def test_a_value_with_a_bin_of_its_own_is_not_nearby_though_it_lies_within_the_frame():
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [np.concatenate([np.zeros(900), np.arange(1.0, 101.0)]), rng.uniform(size=1000)]
    )
    row = 900  # at 1.0: the bins around it begin below 0, where 900 rows are
    made = AspectExplainer(Scores(np.arange(1000))).fit(X).explain(rows=[row])
    low, _ = made.background.density.neighbourhood(X[[row]])
    assert low[0, 0] < 0.0
    figure = plot_aspect(made, row, (0, 1))
    found = [c for c in figure.axes[0].collections if c.get_label() == "nearby"]
    drawn = sum(len(c.get_offsets()) for c in found)
    assert drawn == made.background.density.density((0, 1))[row] - 1


@pytest.mark.parametrize(("k", "panels"), [(3, 3), (4, 6)])
def test_three_and_four_features_are_all_pairs(mixed, k, panels):
    figure = plot_aspect(mixed, 0, tuple(range(k)))
    assert len(figure.axes) == panels
    assert all(len(stars(ax)) == 1 for ax in figure.axes)


def test_five_features_are_parallel_axes_with_a_band(mixed):
    figure = plot_aspect(mixed, 0, (0, 1, 2, 3, 4))
    (ax,) = figure.axes
    names = [text.get_text() for text in ax.get_xticklabels()]
    assert names == ["temperature", "humidity", "station", "measured", "drift"]
    assert any(isinstance(c, LineCollection) for c in ax.collections)
    (star,) = stars(ax)
    assert len(star.get_xdata()) == 5
    assert star.get_ydata()[1] == 1.0  # the largest humidity of all


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


def test_an_aspect_is_named_by_position_value_names_or_numbers(plain):
    query = plain[0]
    aspect = query.aspects[1]
    titles = {
        title(plot_aspect(plain, query.row, which))
        for which in (1, np.int64(1), aspect, aspect.features, aspect.subspace)
    }
    assert titles == {f"Row {query.row}: {' × '.join(aspect.features)}"}


def test_features_that_were_not_found_are_measured(plain):
    query = plain.row(5)
    subspace = next((i,) for i in range(6) if (i,) not in [a.subspace for a in query.aspects])
    density = plain.background.density
    count, mean, _ = density.moments([subspace], plain.background.explained.values[[5]])
    words = describe_aspect(plain, 5, subspace)
    assert f"{count[0, 0]:.0f} rows nearby, {mean[0]:.0f} on average, z = " in words


@pytest.mark.parametrize(
    ("aspect", "message"),
    [
        (99, "has no such aspect, it has 10, counted from 0"),
        (("x0", "height"), "there is no feature 'height'"),
        ((0, 6), "there is no feature 6; pass names of columns, or numbers from 0 to 5"),
        ((), "expected one feature or more"),
    ],
)
def test_what_is_not_an_aspect_is_said(plain, aspect, message):
    with pytest.raises(InvalidInputError, match=re.escape(message)):
        plot_aspect(plain, plain[0].row, aspect)


def test_a_row_that_was_not_explained_is_said(plain):
    for draw in (plot_aspect, plot_aspects, plot_scores, describe_aspect):
        with pytest.raises(QueryError, match="row 599 was not explained"):
            draw(plain, 599)


# ---------------------------------------------------------------- columns of all kinds


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
    known = mixed.background.explained.values[:, 1]
    bottom = ax.get_ylim()[0]
    (star,) = stars(ax)
    assert bottom < star.get_ydata()[0] < np.nanmin(known)
    assert "missing" in [text.get_text() for text in ax.get_yticklabels(minor=True)]
    points = next(c for c in ax.collections if isinstance(c, PathCollection))
    heights = points.get_offsets()[:, 1]
    n_missing = np.isnan(known).sum()
    near = next(c for c in ax.collections if c.get_label() == "nearby").get_offsets()
    assert (heights < np.nanmin(known)).sum() == n_missing - len(near) - 1
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


def test_a_density_that_does_not_say_what_is_near_has_no_frame(plain, monkeypatch):
    monkeypatch.setattr(plain.background.density, "neighbourhood", lambda points: None)
    for subspace in [(0,), (0, 1), (0, 1, 2), (0, 1, 2, 3, 4)]:
        figure = plot_aspect(plain, 5, subspace)
        assert "nearby" not in texts(figure)


def test_new_rows_are_drawn_among_the_fitted_ones(plain):
    explainer = plain.background.explainer

    class Scorer(Scores):
        def decision_function(self, X):
            return np.full(len(X), 2.0)

    values = plain.background.reference.values
    explainer = AspectExplainer(Scorer(np.linspace(0, 1, 600))).fit(values)
    made = explainer.explain(np.full((1, 6), 3.0))
    (ax,) = plot_aspect(made, 0, (0, 1)).axes
    assert stars(ax)[0].get_xdata()[0] == 3.0
    assert ax.get_xlim()[1] > 3.0
    points = next(c for c in ax.collections if isinstance(c, PathCollection))
    assert len(points.get_offsets()) == 600
    assert plot_scores(made, 0).get_xlim()[1] > 2.0


@pytest.mark.parametrize("miner", ["sgbeam", "kdebeam"])
@pytest.mark.parametrize("value", [1e9, -1e9, 1.0 + 1e-9])
def test_a_new_row_far_outside_is_drawn_beside_all_bars_of_the_table(miner, value):
    class Scorer(Scores):
        def decision_function(self, X):
            return np.full(len(X), 2.0)

    values = np.random.default_rng(0).uniform(size=(200, 1))
    made = AspectExplainer(Scorer(np.zeros(200)), miner).fit(values).explain([[value]])
    (ax,) = plot_aspect(made, 0, (0,)).axes
    bars = next(c for c in ax.collections if isinstance(c, PolyCollection))
    assert sum(path.vertices[:, 1].max() for path in bars.get_paths()) == 200
    assert len(bars.get_paths()) <= 92


def test_kernel_densities_and_ranks_can_be_drawn(plain):
    values = plain.background.reference.values[:80]
    explainer = AspectExplainer(Scores(np.arange(80.0)), OAMiner(max_dim=2)).fit(values)
    made = explainer.explain(n_queries=1)
    row = made[0].row
    said = texts(plot_aspect(made, row, (0, 1)))
    assert any(re.search(r"density .*, rank \d+ of 80", text) for text in said)
    ax = plot_aspects(made, row)
    assert "1 is the loneliest" in ax.get_xlabel()
    found = [star for line in stars(ax) for star in line.get_xdata()]
    assert found == [aspect.score for aspect in made[0].aspects]


# ---------------------------------------------------------------- large tables


def test_a_sample_is_fixed_and_keeps_every_lonely_row():
    rng = np.random.default_rng(0)
    crowd = rng.normal(size=(50_000, 2))
    lonely = rng.uniform(8, 30, size=(40, 2))
    rows = drawn_rows(np.vstack([crowd, lonely]))
    assert len(rows) == MOST_POINTS
    assert set(range(50_000, 50_040)) <= set(rows)
    assert np.array_equal(rows, drawn_rows(np.vstack([crowd, lonely])))
    assert len(np.unique(rows)) == len(rows)


def test_a_sample_of_a_crowd_stays_a_crowd():
    """Twice as crowded in the table is more crowded in the picture."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(0, 1, 30_000), rng.uniform(1, 2, 10_000)])
    positions = np.column_stack([x, rng.uniform(size=40_000)])
    drawn = positions[drawn_rows(positions)]
    assert (drawn[:, 0] < 1).sum() > 1.3 * (drawn[:, 0] > 1).sum()


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_a_sample_is_never_larger_than_asked_for(k):
    positions = np.random.default_rng(0).uniform(size=(3000, k))
    assert len(drawn_rows(positions, 600)) == 600
    assert len(drawn_rows(np.zeros((3000, k)), 600)) == 600
    assert len(drawn_rows(positions[:600], 600)) == 600
    assert len(drawn_rows(positions[:0], 600)) == 0


def test_fifty_thousand_rows_make_a_small_picture():
    table = mixed_table(50_000)
    made = explain(table, [], rows=[0])
    aspect = explain(mixed_table(), [(0, 1)], rows=[0])[0].aspects[0]
    figure = plot_aspect(made, 0, aspect)
    points = next(c for c in figure.axes[0].collections if isinstance(c, PathCollection))
    assert len(points.get_offsets()) <= MOST_POINTS
    assert points.get_rasterized()
    assert len(to_svg(figure, "x")) < 150_000


# ---------------------------------------------------------------- scores, ranking, overview


def test_scores_show_the_threshold_the_explained_rows_and_the_chosen_one(mixed):
    ax = plot_scores(mixed, 0)
    lines = {line.get_label(): line for line in ax.lines}
    assert sorted(lines["explained rows"].get_xdata()) == sorted(q.score for q in mixed)
    (mine,) = (line for name, line in lines.items() if name.startswith("row 0: "))
    assert mine.get_xdata()[0] == mixed[0].score
    assert mine.get_marker() == "*"
    dashes = [line for line in ax.lines if line.get_linestyle() == "--"]
    assert [line.get_xdata()[0] for line in dashes] == [mixed.background.threshold]
    bars = next(c for c in ax.collections if isinstance(c, PolyCollection))
    assert sum(path.vertices[:, 1].max() for path in bars.get_paths()) == 300


def test_scores_without_a_threshold_or_all_alike_can_be_drawn(mixed):
    background = replace(mixed.background, threshold=None, scores=np.zeros(300))
    queries = tuple(replace(query, score=0.0) for query in mixed)
    ax = plot_scores(replace(mixed, background=background, queries=queries))
    assert not [line for line in ax.lines if line.get_linestyle() == "--"]


def test_the_ranking_has_the_best_aspect_on_top(plain):
    query = plain[0]
    ax = plot_aspects(plain, query.row)
    names = [text.get_text().replace("\n", " ") for text in ax.get_yticklabels()]
    assert names == [" × ".join(aspect.features) for aspect in query.aspects]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    assert [bar.get_width() for bar in ax.patches] == [a.score for a in query.aspects]
    assert any(f"z = −{-query.aspects[0].score:.2f}" in text for text in texts(ax.figure))


def test_scores_that_are_not_numbers_are_drawn_as_nothing(plain):
    """JSON has no word for them, so they may come back from it."""
    query = plain[0]
    aspects = (replace(query.aspects[0], score=np.nan), *query.aspects[1:])
    ax = plot_aspects(replace(plain, queries=(replace(query, aspects=aspects),)), query.row)
    assert np.isfinite(ax.get_xlim()).all()


def test_a_row_without_aspects_is_said_in_the_picture(mixed):
    empty = replace(mixed, queries=(replace(mixed[0], aspects=()),))
    assert "no aspect was found" in texts(plot_aspects(empty, 0).figure)
    assert "no aspect was found" in texts(plot_overview(empty).figure)
    assert "no aspect was found" in texts(plot_overview(empty[:0]).figure)
    with pytest.raises(InvalidInputError, match="row 0 has no such aspect, it has none"):
        plot_aspect(empty, 0)


def test_the_overview_counts_the_place_of_the_best_aspect_with_a_feature(plain):
    ax = plot_overview(plain)
    names = [text.get_text() for text in ax.get_xticklabels()]
    cells = {
        (round(t.get_position()[1] - 0.5), names[round(t.get_position()[0] - 0.5)]): int(
            t.get_text()
        )
        for t in ax.texts
    }
    expected = {}
    for i, query in enumerate(plain):
        for place, aspect in enumerate(query.aspects, start=1):
            for name in aspect.features:
                expected.setdefault((i, name), place)
    assert cells == expected


def test_the_overview_says_what_it_leaves_out():
    names = tuple(f"x{i}" for i in range(50))
    made = explain(mixed_table(), [(0,)])
    aspect = made[0].aspects[0]
    aspects = tuple(replace(aspect, subspace=(i,), features=(names[i],)) for i in range(50))
    queries = tuple(replace(made[0], row=i, aspects=aspects) for i in range(45))
    ax = plot_overview(replace(made, queries=queries, feature_names=names))
    assert "20 more features not shown; 5 more rows not shown" in ax.get_xlabel()


# ---------------------------------------------------------------- where it is drawn


def test_what_is_given_is_drawn_on_and_returned(mixed):
    figure = Figure()
    assert plot_aspect(mixed, 0, 0, figure=figure) is figure
    left, right = Figure().subfigures(1, 2)
    assert plot_aspect(mixed, 0, (0, 1, 2), figure=right) is right
    assert right.axes
    assert not left.axes
    for draw in (
        lambda ax: plot_scores(mixed, 0, ax=ax),
        lambda ax: plot_aspects(mixed, 0, ax=ax),
        lambda ax: plot_overview(mixed, ax=ax),
    ):
        ax = Figure().subplots()
        assert draw(ax) is ax


def test_a_notebook_shows_a_picture_by_itself(mixed):
    for figure in (plot_aspect(mixed, 0), plot_scores(mixed).figure):
        assert figure._repr_png_().startswith(b"\x89PNG")


def test_without_the_table_what_can_be_drawn_is_drawn(plain):
    read = Explanation.from_json(plain.to_json())
    row = read[0].row
    assert plot_aspects(read, row).get_yticklabels()
    assert plot_overview(read).get_yticklabels()
    assert re.match(rf"Row {row} stands (out|alone) in x3, x4 and x5: ", describe_aspect(read, row))
    assert describe_scores(read, row).startswith("Scores that Scores gives 600 rows. Row ")
    for draw in (lambda: plot_scores(read), lambda: plot_aspect(read, row)):
        with pytest.raises(InvalidInputError, match=r"make it anew with AspectExplainer\.explain"):
            draw()


def test_pictures_are_the_same_from_any_thread(mixed):
    expected = to_svg(plot_aspect(mixed, 0, (0, 1)), "x")
    made: list[str] = []
    threads = [
        threading.Thread(target=lambda: made.append(to_svg(plot_aspect(mixed, 0, (0, 1)), "x")))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [expected] * 4


def test_importing_the_package_imports_no_matplotlib_and_plots_no_pyplot(tmp_path):
    code = (
        "import sys, pyod_aspects; assert 'matplotlib' not in sys.modules;"
        "import pyod_aspects.plots, pyod_aspects.report;"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


# ---------------------------------------------------------------- names, words, pages

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
    assert elided("x" * 30 + "y" * 30, 11) == "xxxxx…yyyyy"
    assert label("short $") == r"short \$"
    lines = wrapped("a name of many words that goes on and on and on", 14, 2).split("\n")
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


def test_the_query_is_told_apart_by_its_shape_and_not_by_its_colour_alone(mixed):
    for subspace in [(0,), (0, 1), (0, 1, 2), (0, 1, 2, 3, 4)]:
        for ax in plot_aspect(mixed, 0, subspace).axes:
            (star,) = stars(ax)
            assert same_color(star.get_color(), QUERY)


def test_words_say_where_a_row_lies(mixed):
    assert describe_aspect(mixed, 0, (0, 2)) == (
        "Row 0 lies alone at temperature 34 and station the old mill: "
        "1 row nearby, 20 on average, z = -1.85."
    )
    assert describe_scores(mixed, 0).startswith("Scores that Distance gives 300 rows; anomalies")
    assert describe_overview(mixed) == (
        "Rows, and the features in which each of them stands out; most often temperature (2 of 2), "
        "humidity (2 of 2) and station (2 of 2)."
    )


def test_a_new_row_is_alone_only_if_no_row_of_the_table_is_near():
    """A row of the table counts itself, a new one does not."""

    class Scorer(Scores):
        def decision_function(self, X):
            return np.full(len(X), 2.0)

    values = np.append(np.linspace(0, 1, 199), 5.0)[:, None]
    made = AspectExplainer(Scorer(np.zeros(200))).fit(values).explain([[5.0], [3.0]])
    with_one, alone = (describe_aspect(made, row, (0,)) for row in (0, 1))
    assert with_one.startswith("Row 0 lies at x0 5: 1 row nearby")
    assert alone.startswith("Row 1 lies alone at x0 3: 0 rows nearby")


def test_depth_of_the_miner_does_not_matter_for_the_picture(plain):
    values = plain.background.reference.values
    made = AspectExplainer(Scores(np.arange(600.0)), SGBeam(max_dim=1)).fit(values).explain(rows=5)
    assert len(plot_aspect(made, 5, ("x0", "x1", "x2")).axes) == 3
