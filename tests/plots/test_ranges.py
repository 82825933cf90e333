"""The range that rows like it have is drawn where it is, and the star never hides its frame."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from plot_parts import Scores, capsules, dashed_box, extent, stars, texts

from pyod_aspects import AspectExplainer
from pyod_aspects.explanation.judging.blame import feature_to_blame
from pyod_aspects.plots import plot_aspect


@pytest.fixture(scope="module")
def line():
    """Row 0 is too low in "x1" for its "x0"; "x2" has nothing to do with them."""
    rng = np.random.default_rng(0)
    X = rng.uniform(4, 9, size=(3000, 3))
    X[:, 1] = X[:, 0] + 0.1 * rng.normal(size=3000)
    X[0] = 6.8, 4.2, 6.0
    scores = np.zeros(3000)
    scores[0] = 1.0
    return AspectExplainer(Scores(scores), n_reference=0).fit(X).explain(n_queries=1)


def test_in_two_features_the_range_of_the_one_to_blame_is_drawn_at_the_query(line):
    (query,) = line
    aspect = next(a for a in query.aspects if a.subspace == (0, 1))
    blamed = feature_to_blame(aspect, query.features)
    figure = plot_aspect(line, 0, aspect)
    (ax,) = figure.axes
    ((xs, ys),) = capsules(ax)
    assert blamed.feature == "x1"
    assert xs == pytest.approx((6.8, 6.8))
    assert ys == pytest.approx(blamed.expected, abs=0.06)  # the evidence is rounded
    low, high = (f"{end:g}" for end in blamed.expected)
    assert f"rows with this x0\nhave x1 {low} to {high}" in texts(figure)
    arrow = next(t for t in ax.texts if t.get_text() == "")
    assert arrow.xyann == pytest.approx((6.8, 4.2))
    assert arrow.xy[1] == pytest.approx(ys[0], abs=0.2)


def test_in_one_feature_the_typical_range_has_a_word(line):
    figure = plot_aspect(line, 0, ("x2",))
    (ax,) = figure.axes
    ((xs, ys),) = capsules(ax)
    assert xs == pytest.approx((4.25, 8.75), abs=0.1)
    assert ys[0] == ys[1] > max(bar.vertices[:, 1].max() for bar in ax.collections[0].get_paths())
    assert any(text.startswith("most rows 4.") for text in texts(figure))


def test_in_three_features_every_panel_with_the_blamed_one_has_its_range(line):
    figure = plot_aspect(line, 0, ("x0", "x1", "x2"))
    drawn = {(ax.get_subplotspec().rowspan[0], ax.get_subplotspec().colspan[0]): capsules(ax)
             for ax in figure.axes}  # fmt: skip
    assert [place for place, found in drawn.items() if found] == [(0, 0), (1, 1)]
    assert "rows like it" in texts(figure)


def test_nothing_is_drawn_where_no_value_is_odd_for_the_others(line):
    made = line.background.explainer.explain(rows=[7])
    (ax,) = plot_aspect(made, 7, ("x0", "x1")).axes
    assert not capsules(ax)


@pytest.mark.parametrize("size", [(5.4, 4.0), (3.2, 2.4), (9.0, 6.0)])
@pytest.mark.parametrize("reach", [0, 1, 60])
def test_the_star_never_hides_its_frame(line, size, reach):
    from pyod_aspects import Aspect

    aspect = Aspect((0, 1), ("x0", "x1"), score=0.1, density=9, reach=(reach, reach))
    figure = plot_aspect(line, 0, aspect, figure=Figure(figsize=size))
    (ax,) = figure.axes
    box = dashed_box(ax).get_window_extent()
    (star,) = stars(ax)
    across = star.get_markersize() * figure.dpi / 72
    assert across < 0.75 * min(box.width, box.height)
    x, y = ax.transData.transform((star.get_xdata()[0], star.get_ydata()[0]))
    assert box.x0 < x - across / 2 < x + across / 2 < box.x1
    assert box.y0 < y - across / 2 < y + across / 2 < box.y1


@pytest.mark.parametrize("size", [(6.4, 4.2), (5.4, 4.0), (3.6, 3.0)])
@pytest.mark.parametrize("features", [("x0", "x1"), ("x1", "x2")])
def test_words_cover_neither_each_other_nor_a_mark(line, size, features):
    figure = plot_aspect(line, 0, features, figure=Figure(figsize=size))
    (ax,) = figure.axes
    words = [text for text in ax.texts if text.get_text()]
    boxes = [extent(figure, text) for text in words] + [dashed_box(ax).get_window_extent()]
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            assert not one.overlaps(other)
