"""The detector's scores are drawn with the threshold and the explained rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from plot_parts import Scores

from pyod_aspects import AspectExplainer
from pyod_aspects.plots import plot_scores


def test_scores_show_the_threshold_the_explained_rows_and_the_chosen_one(mixed):
    ax = plot_scores(mixed, 0)
    lines = {line.get_label(): line for line in ax.lines}
    assert sorted(lines["explained rows"].get_xdata()) == sorted(q.score for q in mixed)
    (star,) = (line for name, line in lines.items() if name.startswith("row 0: "))
    assert star.get_xdata()[0] == mixed[0].score
    assert star.get_marker() == "*"
    dashes = [line for line in ax.lines if line.get_linestyle() == "--"]
    assert [line.get_xdata()[0] for line in dashes] == [mixed.background.threshold]
    bars = next(c for c in ax.collections if isinstance(c, PolyCollection))
    assert sum(path.vertices[:, 1].max() for path in bars.get_paths()) == 300


def test_scores_without_a_threshold_or_all_alike_can_be_drawn(mixed):
    background = replace(mixed.background, threshold=None, scores=np.zeros(300))
    queries = tuple(replace(query, score=0.0) for query in mixed)
    ax = plot_scores(replace(mixed, background=background, queries=queries))
    assert not [line for line in ax.lines if line.get_linestyle() == "--"]


@pytest.mark.parametrize("size", [(6.4, 2.6), (3.2, 1.7)])
@pytest.mark.parametrize("row", [None, 0, 40])
def test_far_scores_do_not_squash_the_others_and_are_all_seen(row, size):
    rng = np.random.default_rng(0)
    scores = rng.gamma(2, 0.1, 5000)
    scores[:60] = np.geomspace(43, 1, 60)
    made = (
        AspectExplainer(Scores(scores), n_queries=60, n_reference=0).fit(scores[:, None]).explain()
    )
    ax = plot_scores(made, row, ax=Figure(figsize=size).subplots())
    low, high = ax.get_xlim()
    assert np.ptp(np.quantile(scores, [0.01, 0.9])) > 0.1 * (high - low)
    (found,) = (line for line in ax.lines if line.get_label() == "explained rows")
    assert ((low <= found.get_xdata()) & (found.get_xdata() <= high)).all()
    order = np.argsort([query.score for query in made])
    assert (np.diff(np.array(found.get_xdata())[order]) >= 0).all()
    bars = next(c for c in ax.collections if isinstance(c, PolyCollection))
    shown = sum(path.vertices[:, 1].max() for path in bars.get_paths())
    assert shown == 5000
