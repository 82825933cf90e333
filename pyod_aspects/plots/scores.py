"""The detector's scores of all rows, with those that were explained."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from .._util.numbers import score_text
from ..explanation import Explanation
from ..explanation.wording import row_words
from .style import (
    FAINT,
    NEAR,
    NEAR_EDGE,
    QUERY_STAR,
    draw_bars,
    hide_frame,
    inches,
    label,
    margins,
    new_figure,
)
from .view import background_of, threshold_of


def plot_scores(
    explanation: Explanation, row: int | str | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the distribution of the detector's scores, its threshold and the explained rows.

    Parameters
    ----------
    explanation : Explanation
        As it came from `AspectExplainer.explain`: the scores are needed.
    row : int or str, optional
        An explained row to mark with a star, by position or label.
    ax : matplotlib Axes, optional
        Where to draw; on a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> X = load_demo().frame
    >>> explanation = AspectExplainer(ECOD().fit(X)).fit(X).explain(n_queries=3)
    >>> plot_scores(explanation, row=0).get_xlabel()
    'score of ECOD'
    """
    background = background_of(explanation, "plot_scores")
    chosen = None if row is None else explanation.row(row)
    if ax is None:
        figure = new_figure(6.4, 2.6)
        margins(figure, 0.75, 0.2, 0.45, 0.6)
        ax = figure.subplots()
    scores = background.scores[np.isfinite(background.scores)]
    explained = np.array([q.score for q in explanation if np.isfinite(q.score)])
    low, high = np.append(scores, explained).min(), np.append(scores, explained).max()
    bars = int(np.clip(2 * len(scores) ** (1 / 3), 10, 60))
    heights, edges = np.histogram(scores, bars, (low, high) if high > low else None)
    tallest = max(int(heights.max()), 1)
    draw_bars(ax, edges[:-1], np.diff(edges), heights)
    # Below the bars, so that a single row far out is seen beside a bar of thousands.
    rug = -0.09 * tallest
    ax.plot(
        explained,
        np.full(len(explained), rug),
        marker="^",
        markersize=6.5,
        color=NEAR,
        markeredgecolor=NEAR_EDGE,
        markeredgewidth=0.7,
        linestyle="none",
        clip_on=False,
        label="explained rows",
    )
    limit = threshold_of(background)
    if limit is not None:
        ax.axvline(limit, color=FAINT, linestyle="--", linewidth=1.3)
        if low <= limit <= high:
            right = limit > (low + high) / 2
            ax.annotate(
                f"threshold {score_text(limit)}",
                (limit, 1.0),
                xycoords=("data", "axes fraction"),
                xytext=(-5 if right else 5, -3),
                textcoords="offset points",
                ha="right" if right else "left",
                va="top",
                fontsize="small",
            )
    if chosen is not None and np.isfinite(chosen.score):
        most = 24 if inches(ax.figure)[0] > 5 else 12  # the legend is one line
        words = label(f"{row_words(chosen, most=most)}: {score_text(chosen.score)}", 60)
        ax.plot(
            [chosen.score], [rug], markersize=15, zorder=5, clip_on=False, label=words, **QUERY_STAR
        )
    ax.axhline(0, color=FAINT, linewidth=0.8)
    ax.set_ylim(-0.2 * tallest, 1.15 * tallest)
    pad = 0.04 * (high - low) or 0.5
    ax.set_xlim(low - pad, high + pad)
    ax.set_xlabel(f"score of {label(explanation.detector)}")
    ax.set_ylabel("rows")
    hide_frame(ax)
    ax.legend(
        loc="lower right",
        bbox_to_anchor=(1, 1),
        ncols=2,
        frameon=False,
        fontsize="small",
        borderpad=0,
        handletextpad=0.3,
    )
    return ax
