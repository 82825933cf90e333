"""The detector's scores are drawn with the threshold and the explained rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.collections import PolyCollection

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
