"""An aspect is drawn with the rows, the query and what is near to it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import same_color
from plot_parts import Scores, dashed_box, stars, texts, title

from pyod_aspects import Aspect, AspectExplainer, GBeam, Miner, OAMiner, SGBeam
from pyod_aspects._util.numbers import aspect_score_text
from pyod_aspects.density import Density
from pyod_aspects.exceptions import InvalidInputError, QueryError
from pyod_aspects.miners import MINERS
from pyod_aspects.plots import describe_aspect, plot_aspect, plot_aspects, plot_scores
from pyod_aspects.plots.style import QUERY
from pyod_aspects.plots.view import find_aspect
from pyod_aspects.scoring.lift import constant, lift
from pyod_aspects.search import BeamSearch


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
            aspect = find_aspect(plain, plain.row(row), (feature,))
            assert len(aspect.reach) == 1
            (ax,) = figure.axes
            edges = [line.get_xdata()[0] for line in ax.lines if line.get_linestyle() == "--"]
            bars = next(c for c in ax.collections if isinstance(c, PolyCollection))
            inside = 0
            for path in bars.get_paths():
                middle = (path.vertices[:, 0].min() + path.vertices[:, 0].max()) / 2
                inside += path.vertices[:, 1].max() * (min(edges) < middle < max(edges))
            reach = np.array(aspect.reach * 6)
            point = plain.background.explained.values[[row]]
            count = plain.background.density.near([(feature,)], point, reach)[0, 0]
            assert inside == count == aspect.density


def test_two_features_are_points_with_the_query_in_its_frame(plain):
    row = plain[0].row
    figure = plot_aspect(plain, row, (2, 4))
    (ax,) = figure.axes
    x, y = plain.background.explained.values[row, [2, 4]]
    (star,) = stars(ax)
    assert (star.get_xdata()[0], star.get_ydata()[0]) == (x, y)
    reach = np.ones(6, dtype=int)
    reach[[2, 4]] = find_aspect(plain, plain[0], (2, 4)).reach
    point = plain.background.explained.values[[row]]
    low, high = plain.background.density.neighbourhood(point, reach)
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
        aspect = find_aspect(plain, plain[0], subspace)
        assert drawn == aspect.density - 1  # all but the row itself
        said = texts(figure)
        assert any(text.startswith(f"{aspect.density:.0f} rows nearby, ") for text in said)


def test_the_frame_is_as_wide_as_the_reach_of_the_aspect(plain):
    row = plain[0].row
    density, values = plain.background.density, plain.background.explained.values
    aspect = Aspect((2, 4), ("x2", "x4"), score=0.1, density=9, reach=(3, 2))
    reach = np.array([1, 1, 3, 1, 2, 1])
    low, high = density.neighbourhood(values[[row]], reach)
    figure = plot_aspect(plain, row, aspect)
    (ax,) = figure.axes
    box = dashed_box(ax)
    left, right = max(low[0, 2], ax.get_xlim()[0]), min(high[0, 2], ax.get_xlim()[1])
    assert box.get_width() == pytest.approx(right - left)
    bottom, top = max(low[0, 4], ax.get_ylim()[0]), min(high[0, 4], ax.get_ylim()[1])
    assert box.get_height() == pytest.approx(top - bottom)
    found = [c for c in ax.collections if c.get_label() == "nearby"]
    drawn = sum(len(c.get_offsets()) for c in found)
    assert drawn == density.near([(2, 4)], values[[row]], reach)[0, 0] - 1


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("reach", [0, 50, 2**20 - 1])
def test_a_reach_beyond_all_values_is_framed_as_far_as_the_axes_go(k, reach):
    X = np.random.default_rng(0).standard_cauchy(size=(400, 5))
    made = AspectExplainer(Scores(np.abs(X[:, 0]))).fit(X).explain(n_queries=1)
    row, names = made[0].row, tuple(f"x{i}" for i in range(k))
    aspect = Aspect(tuple(range(k)), names, score=0.1, density=9, mean=9, reach=(reach,) * k)
    figure = plot_aspect(made, row, aspect)
    figure.draw_without_rendering()
    assert all(np.isfinite([*ax.get_xlim(), *ax.get_ylim()]).all() for ax in figure.axes)


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


def test_an_aspect_is_named_by_position_value_names_or_numbers(plain):
    query = plain[0]
    aspect = query.aspects[1]
    titles = {
        title(plot_aspect(plain, query.row, which))
        for which in (1, np.int64(1), aspect, aspect.features, aspect.subspace)
    }
    assert titles == {f"Row {query.row}: {' × '.join(aspect.features)}"}


def not_found(explanation, row):
    """A feature that is no aspect of a row."""
    found = [aspect.subspace for aspect in explanation.row(row).aspects]
    return next((i,) for i in range(6) if (i,) not in found)


def test_features_that_were_not_found_are_measured(plain):
    subspace = not_found(plain, 5)
    density, point = plain.background.density, plain.background.explained.values[[5]]
    (score,) = lift(density, [subspace], point)[0]
    aspect = find_aspect(plain, plain.row(5), subspace)
    assert aspect.features == (f"x{subspace[0]}",)
    assert aspect.score == aspect.lift == pytest.approx(score)
    assert aspect.density == density.near([subspace], point, np.array(aspect.reach * 6))[0, 0]
    added = constant(1) - 1  # the counts include the row itself
    assert (aspect.density + added) / (aspect.expected + added) == pytest.approx(score)
    words = describe_aspect(plain, 5, subspace)
    figures = f"{aspect.density:.0f} rows nearby, {aspect.expected:.0f} expected"
    assert f"{figures}, lift = {aspect_score_text(score, 'lift')}." in words


@pytest.mark.parametrize("miner", [SGBeam(score="zscore", tau=-1.0), GBeam(tau=-1.0)])
def test_features_that_were_not_found_are_measured_by_z_scores(plain, miner):
    values = plain.background.reference.values
    made = AspectExplainer(Scores(np.arange(600.0)), miner).fit(values).explain(rows=5)
    subspace, density = not_found(made, 5), made.background.density
    count, mean, std = density.moments([subspace], values[[5]])
    aspect = find_aspect(made, made.row(5), subspace)
    assert (aspect.density, aspect.mean, aspect.std) == (count[0, 0], mean[0], std[0])
    assert aspect.score == pytest.approx((count[0, 0] - mean[0]) / std[0])
    assert aspect.reach == (density.reach,)
    words = describe_aspect(made, 5, subspace)
    figures = f"{count[0, 0]:.0f} rows nearby, {aspect.expected:.0f} expected"
    assert f"{figures}, z = {aspect.score:.2f}." in words


@pytest.mark.parametrize("miner", [*MINERS, SGBeam(score="zscore")])
def test_features_that_were_found_are_measured_alike(plain, miner):
    values = plain.background.reference.values[:200]

    class Scorer(Scores):
        def decision_function(self, X):
            return np.full(len(X), 2.0)

    explainer = AspectExplainer(Scorer(np.arange(200.0)), miner, n_reference=0).fit(values)
    for made in (explainer.explain(rows=[5]), explainer.explain(values[5:6] + 0.1)):
        (query,) = made
        for aspect in query.aspects[:4]:
            alone = replace(made, queries=(replace(query, aspects=()),))
            again = find_aspect(alone, alone[0], aspect.subspace)
            assert replace(again, evidence=aspect.evidence) == aspect


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


class DistanceFromZero(Density):
    """Density of your own, which has no neighbourhoods."""

    def _fit(self, values):
        self.values = values

    def density(self, subspace, points=None):
        points = self.values if points is None else points
        return np.exp(-np.abs(points[:, list(subspace)]).sum(axis=1))


def test_a_density_that_does_not_say_what_is_near_has_no_frame(plain):
    values = plain.background.reference.values
    miner = Miner(DistanceFromZero(), search=BeamSearch(max_dim=1))
    made = AspectExplainer(Scores(np.arange(600.0)), miner).fit(values).explain(rows=5)
    for subspace in [(0,), (0, 1), (0, 1, 2), (0, 1, 2, 3, 4)]:
        figure = plot_aspect(made, 5, subspace)
        assert "nearby" not in texts(figure)
    assert "Nearby" not in made.to_html()


def test_kernel_densities_and_ranks_can_be_drawn(plain):
    values = plain.background.reference.values[:80]
    explainer = AspectExplainer(Scores(np.arange(80.0)), OAMiner(max_dim=2)).fit(values)
    made = explainer.explain(n_queries=1)
    row = made[0].row
    said = texts(plot_aspect(made, row, (0, 1)))
    assert any(re.search(r"density .*, rank \d+ of 80", text) for text in said)
    ax = plot_aspects(made, row)
    assert "rank 1 is the loneliest" in ax.get_xlabel()
    found = [star for line in stars(ax) for star in line.get_xdata()]
    assert found == [aspect.density for aspect in made[0].aspects]
    assert any(re.fullmatch(r"rank \d+ of 80", text) for text in texts(ax.figure))


def test_the_query_is_told_apart_by_its_shape_and_not_by_its_colour_alone(mixed):
    for subspace in [(0,), (0, 1), (0, 1, 2), (0, 1, 2, 3, 4)]:
        for ax in plot_aspect(mixed, 0, subspace).axes:
            (star,) = stars(ax)
            assert same_color(star.get_color(), QUERY)


def test_depth_of_the_miner_does_not_matter_for_the_picture(plain):
    values = plain.background.reference.values
    made = AspectExplainer(Scores(np.arange(600.0)), SGBeam(max_dim=1)).fit(values).explain(rows=5)
    assert len(plot_aspect(made, 5, ("x0", "x1", "x2")).axes) == 3
