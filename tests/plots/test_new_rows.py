"""New rows are drawn among the rows of the table, however far outside they lie."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.collections import PathCollection, PolyCollection
from plot_parts import Scores, stars

from pyod_aspects import AspectExplainer
from pyod_aspects.plots import plot_aspect, plot_scores


def test_new_rows_are_drawn_among_the_fitted_ones(plain):
    explainer = plain.background.explainer

    class Scorer(Scores):
        def decision_function(self, X):
            return np.full(len(X), 2.0)

    values = plain.background.reference.values
    explainer = AspectExplainer(Scorer(np.linspace(0, 1, 600))).fit(values)
    made = explainer.explain(np.full((1, 6), 3.0))
    (ax,) = plot_aspect(made, 0, (0, 1)).axes
    assert 1.0 < stars(ax)[0].get_xdata()[0] < ax.get_xlim()[1] < 1.5  # behind a break
    assert [text.get_text() for text in ax.get_xticklabels(minor=True)] == ["3"]
    points = next(c for c in ax.collections if isinstance(c, PathCollection))
    assert len(points.get_offsets()) == 600
    ax = plot_scores(made, 0)
    (star,) = stars(ax)
    assert 1.0 < star.get_xdata()[0] < ax.get_xlim()[1]
    assert [text.get_text() for text in ax.get_xticklabels(minor=True)] == ["2"]


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
