"""A feature has the same bars everywhere, and no words stand on them."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from mixed import explain, mixed_table
from plot_parts import Scores, extent

from pyod_aspects import AspectExplainer
from pyod_aspects.plots import plot_aspect
from pyod_aspects.plots.bars import Bars


def bars_of(figure):
    ax = figure.axes[0]
    paths = next(c for c in ax.collections if isinstance(c, PolyCollection)).get_paths()
    return np.array(
        [(p.vertices[:, 0].min(), p.vertices[:, 0].max(), p.vertices[:, 1].max()) for p in paths]
    )


@pytest.mark.parametrize("miner", ["sgbeam", "kdebeam"])
def test_two_rows_have_the_same_bars(miner):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.gamma(2, 3, 500), rng.normal(size=500)])
    X[0, 0], X[1, 0] = 60.0, -9.0
    explainer = AspectExplainer(Scores(np.arange(500.0)), miner, n_reference=0).fit(X)
    made = explainer.explain(rows=[0, 1, 7])
    seen = [bars_of(plot_aspect(made, row, ("x0",))) for row in (0, 1, 7)]
    edges = [{round(left, 9): height for left, _, height in bars} for bars in seen]
    common = set.intersection(*map(set, edges))
    assert len(common) > 15
    assert all(len({one[left] for one in edges}) == 1 for left in common)
    # Beyond the others' windows there are bars of the same width.
    widths = np.concatenate([bars[:, 1] - bars[:, 0] for bars in seen])
    assert np.median(widths) == pytest.approx(widths[len(widths) // 3])


@pytest.mark.parametrize("n", [20, 200, 20_000])
def test_there_are_neither_too_few_bars_nor_too_many(n):
    rng = np.random.default_rng(0)
    X = rng.lognormal(0, 1.5, size=(n, 1))
    made = AspectExplainer(Scores(X[:, 0]), n_reference=0).fit(X).explain(n_queries=1)
    bars = made.background and bars_of(plot_aspect(made, made[0].row, ("x0",)))
    widths = bars[:, 1] - bars[:, 0]
    low, high = np.quantile(X, [0.01, 0.99])
    assert (high - low) / 64 < np.median(widths)
    assert np.median(widths) < (high - low) / min(12, n / 10)


def test_whole_numbers_get_no_bars_without_one():
    X = np.random.default_rng(0).integers(0, 12, size=(4000, 1)).astype(float)
    made = AspectExplainer(Scores(X[:, 0]), n_reference=0).fit(X).explain(rows=[3])
    assert len(bars_of(plot_aspect(made, 3, ("x0",)))) <= 12


def test_bars_begin_before_and_end_after_what_they_are_asked_for():
    edges = Bars(anchor=2.0, width=0.5).edges(-3.2, 9.1)
    assert edges[0] <= -3.2
    assert edges[-1] >= 9.1
    assert np.allclose(np.diff(edges), 0.5)
    assert 2.0 in edges


@pytest.mark.parametrize("size", [(6.4, 4.2), (5.4, 4.0), (3.4, 2.6)])
@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize("feature", [0, 1, 2, 3])
def test_no_words_stand_on_bars_or_on_each_other(row, feature, size):
    made = explain(mixed_table(), [(feature,)])
    figure = plot_aspect(made, row, 0, figure=Figure(figsize=size))
    (ax,) = figure.axes
    tops = [
        ax.transData.transform([(left, 0), (right, height)])
        for left, right, height in bars_of(figure)
    ]
    boxes = [extent(figure, text) for text in ax.texts if text.get_text()]
    assert len(boxes) == 2
    for box in boxes:
        for (x0, y0), (x1, y1) in tops:
            assert box.x1 <= x0 or x1 <= box.x0 or box.y1 <= y0 or y1 <= box.y0
    assert not boxes[0].overlaps(boxes[1])
