"""A picture shows where the rows are, whatever lies far out, and says what it leaves out."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.collections import PathCollection, PolyCollection
from plot_parts import Scores, outside_marks, stars, texts

from pyod_aspects import AspectExplainer
from pyod_aspects.plots import describe_aspect, plot_aspect
from pyod_aspects.plots.scale import Scale
from pyod_aspects.plots.window import find_window
from pyod_aspects.tables import Column


def cloud(n=2000, seed=0):
    """Two features along a line, and three more."""
    rng = np.random.default_rng(seed)
    X = rng.normal(5.7, 1.1, size=(n, 5))
    X[:, 1] = X[:, 0] + 0.05 * rng.normal(size=n)
    return X


def explain(X, row, **settings):
    scores = np.zeros(len(X))
    scores[row] = 1.0
    explainer = AspectExplainer(Scores(scores), n_reference=0, **settings).fit(X)
    return explainer.explain(rows=[row])


def test_two_outliers_do_not_squash_the_cloud():
    X = cloud()
    X[1], X[2] = [8.0, 58.9, 0, 0, 0], [5.0, 31.8, 0, 0, 0]
    X[0, :2] = 6.8, 4.2
    made = explain(X, 0)
    figure = plot_aspect(made, 0, (0, 1))
    (ax,) = figure.axes
    low, high = ax.get_ylim()
    inside = (low <= X[:, 1]) & (X[:, 1] <= high)
    assert inside.sum() == len(X) - 2
    middle = np.ptp(np.quantile(X[:, 1], [0.01, 0.99]))
    assert middle > 0.4 * (high - low)
    assert len(outside_marks(ax)) == 2
    assert "2 rows beyond the axis" in texts(figure)
    assert describe_aspect(made, 0, (0, 1)).endswith(". 2 rows lie outside the picture.")


def test_nothing_is_said_of_rows_outside_if_there_are_none():
    made = explain(np.random.default_rng(0).uniform(size=(400, 2)), 0)
    figure = plot_aspect(made, 0, (0, 1))
    assert not outside_marks(figure.axes[0])
    assert not any("outside" in text for text in texts(figure))
    assert "outside" not in describe_aspect(made, 0, (0, 1))


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_the_count_is_that_of_rows_that_are_not_drawn(k):
    X = np.random.default_rng(0).standard_t(1.5, size=(1500, 5))
    made = explain(X, 3)
    names = [f"x{i}" for i in range(k)]
    figure = plot_aspect(made, 3, names)
    (n,) = {
        int(found[1])
        for t in texts(figure)
        if (found := re.match(r"(\d+) rows? beyond the axis", t))
    }
    assert f" {n} row" in describe_aspect(made, 3, names)
    if k == 1:
        bars = next(c for c in figure.axes[0].collections if isinstance(c, PolyCollection))
        drawn = sum(path.vertices[:, 1].max() for path in bars.get_paths())
        own = 0  # its bar is drawn, and counts it
    elif k < 5:
        ax = figure.axes[0]
        drawn = sum(len(c.get_offsets()) for c in ax.collections if isinstance(c, PathCollection))
        own = 1
    else:
        return
    assert drawn + own + n == len(X)


@pytest.mark.parametrize("far", [0.0, 12.0, 60.0, -60.0, 1e6, -1e15, 1e300])
@pytest.mark.parametrize("features", [("x1",), ("x0", "x1"), ("x0", "x1", "x2")])
def test_the_query_is_always_seen_and_so_is_the_cloud(far, features):
    X = cloud()
    X[0, 1] = far
    figure = plot_aspect(explain(X, 0), 0, features)
    for ax in figure.axes:
        (star,) = stars(ax)
        (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
        assert x0 <= star.get_xdata()[0] <= x1
        assert y0 <= star.get_ydata()[0] <= y1
    ax = figure.axes[0]
    ends = ax.get_xlim() if len(features) == 1 else ax.get_ylim()
    middle = np.ptp(np.quantile(X[:, 1], [0.01, 0.99]))
    assert middle > 0.25 * (ends[1] - ends[0])
    shown = " ".join(texts(figure))
    assert Column("x1").text(far).replace("-", "−") in shown or len(features) == 3


def test_a_far_query_lies_behind_a_break_with_its_value_on_the_axis():
    X = cloud()
    X[0, 1], X[1, 1] = 58.9, 31.8
    (ax,) = plot_aspect(explain(X, 0), 0, (0, 1)).axes
    assert [text.get_text() for text in ax.get_yticklabels(minor=True)] == ["58.9"]
    end = ax.spines["left"].get_bounds()[1]
    assert X[2:, 1].max() < end < stars(ax)[0].get_ydata()[0]
    ((x, y),) = outside_marks(ax)  # the row between lies in the break
    assert (x, y) == (pytest.approx(X[1, 0]), pytest.approx(end))


def test_rows_beside_a_far_query_are_drawn_with_it():
    X = cloud()
    X[0, 1], X[1, 1] = 1000.0, 1000.5
    made = explain(X, 0)
    (ax,) = plot_aspect(made, 0, (0, 1)).axes
    assert not outside_marks(ax)
    points = np.vstack([c.get_offsets() for c in ax.collections if isinstance(c, PathCollection)])
    assert len(points) == len(X) - 1


def test_the_window_of_a_column_is_the_same_for_all_rows():
    X = cloud()
    X[5] = 6.0
    windows = {plot_aspect(explain(X, row), row, (1, 2)).axes[0].get_xlim() for row in (5, 6, 7)}
    narrowest = min(high - low for low, high in windows)
    assert all(high - low < 1.4 * narrowest for low, high in windows)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=60),
    st.integers(0, 2**32 - 1),
)
def test_a_window_holds_most_rows_and_ends_at_rows(values, seed):
    column = np.array(values)
    low, high = find_window(column)
    inside = (low <= column) & (column <= high)
    assert {low, high} <= set(column.tolist())
    assert (~inside).sum() <= max(4, 0.02 * len(column) + 4)
    shuffled = np.random.default_rng(seed).permutation(column)
    assert find_window(shuffled) == (low, high)


def test_a_window_of_nearly_one_value_holds_the_others_too():
    rng = np.random.default_rng(0)
    column = np.concatenate([np.zeros(9990), rng.uniform(1, 5, 10)])
    low, high = find_window(column)
    assert low == 0.0
    assert high > 1.0
    assert find_window(np.full(7, 3.0)) == (3.0, 3.0)
    assert find_window(np.full(7, np.nan)) == (0.0, 1.0)


@settings(max_examples=100, deadline=None)
@given(
    st.floats(-1e3, 1e3),
    st.floats(0.0, 1e3),
    st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=5),
)
def test_places_on_a_scale_keep_the_order_of_values(low, width, marked):
    scale = Scale.of(Column("x"), (low, low + width), marked, missing=False)
    values = np.sort(np.array(marked))
    assert scale.inside(values).all()
    places = scale.place(values)
    assert (np.diff(places) >= 0).all()
    assert scale.ends[0] <= places[0]
    assert places[-1] <= scale.ends[1]
