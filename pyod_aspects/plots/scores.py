"""The detector's scores of all rows, with the explained ones."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from .._util.numbers import score_text
from .._util.types import FloatArray
from ..explanation import Explanation
from ..explanation.background import threshold_of
from ..explanation.writing.wording import row_words
from ..tables import Column
from .axis import dress
from .bars import Bars
from .outside import draw_arrows
from .scale import Scale
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
    write_counts,
)
from .view import background_of
from .window import Range, find_window


def plot_scores(
    explanation: Explanation, row: int | str | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the distribution of the detector's scores, its threshold and the explained rows.

    Parameters
    ----------
    explanation : Explanation
        A result of `AspectExplainer.explain`, with its scores.
    row : int or str, optional
        An explained row to mark with a star, by position or label.
    ax : matplotlib Axes, optional
        Axes to draw on. Default: those of a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> X = load_demo().frame.select_dtypes("number")
    >>> explanation = AspectExplainer(ECOD().fit(X)).fit(X).explain(n_queries=3)
    >>> plot_scores(explanation, row=explanation[0].row).get_xlabel()
    'score of ECOD'
    """
    background = background_of(explanation, "plot_scores")
    chosen = None if row is None else explanation.row(row)
    if ax is None:
        figure = new_figure(6.4, 2.6)
        margins(figure, 0.75, 0.25, 0.45, 0.55)
        ax = figure.subplots()
    scores = background.scores[np.isfinite(background.scores)]
    explained = np.array([q.score for q in explanation if np.isfinite(q.score)])
    limit, window = threshold_of(background), find_window(scores)
    wanted = [] if limit is None else [(limit, limit)]
    column = Column(f"score of {explanation.detector}")
    scale = Scale.of(column, window, explained, missing=False, wanted=wanted, far=0.5)
    hide_frame(ax)
    dress(scale, ax, "x", room=60)
    tallest = _draw_bars(ax, scale, scores, window)
    # Below the bars, so that a single row far out is visible beside a bar of thousands.
    rug = -0.1 * tallest
    ax.plot(
        scale.place(explained),
        np.full(len(explained), rug),
        marker="^",
        markersize=6,
        color=NEAR,
        markeredgecolor=NEAR_EDGE,
        markeredgewidth=0.5,
        linestyle="none",
        clip_on=False,
        label="explained rows",
    )
    if limit is not None:
        _draw_threshold(ax, scale, limit)
    if chosen is not None and np.isfinite(chosen.score):
        most = 24 if inches(ax.figure)[0] > 5 else 12  # the legend is one line
        words = label(f"{row_words(chosen, most=most)}: {score_text(chosen.score)}", 60)
        place = scale.place(np.array([chosen.score]))
        ax.plot(place, [rug], markersize=13, zorder=5, clip_on=False, label=words, **QUERY_STAR)
    beyond = scores[~scale.inside(scores)]
    for marker, out in (("<", beyond < scale.window[0]), (">", beyond > scale.window[1])):
        edges = np.unique(scale.clip(beyond[out]))
        draw_arrows(ax, edges, np.full(len(edges), rug), marker)
    ax.axhline(0, color=FAINT, linewidth=0.6)
    ax.set_ylim(-0.22 * tallest, 1.2 * tallest)
    if inches(ax.figure)[0] > 4:  # a small picture has no space for it
        ax.set_ylabel("rows")
    ax.spines["left"].set_bounds(0, tallest)
    write_counts(ax, tallest, 3)
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


def _draw_bars(ax: Axes, scale: Scale, scores: FloatArray, window: Range) -> int:
    """Draw a histogram of the scores, and return the number of rows in the tallest bar."""
    n = int(np.clip(2 * len(scores) ** (1 / 3), 10, 50))
    bars = Bars(window[0], (window[1] - window[0]) / n if window[1] > window[0] else 1.0)
    edges = bars.edges(*scale.window)
    inside = scores[(scale.window[0] <= scores) & (scores <= scale.window[1])]
    heights = np.histogram(inside, edges)[0]
    places = np.clip(edges, *scale.window)
    lefts, widths = places[:-1], np.diff(places)
    for side, ends in (("below", scale.below), ("above", scale.above)):
        if ends is not None:
            first, last = scale.strips[side]
            held = (ends[0] <= scores) & (scores <= ends[1]) & ~np.isin(scores, inside)
            lefts, widths = np.append(lefts, first), np.append(widths, last - first)
            heights = np.append(heights, held.sum())
    draw_bars(ax, lefts, widths, heights)
    return max(int(heights.max(initial=0)), 1)


def _draw_threshold(ax: Axes, scale: Scale, limit: float) -> None:
    """Draw the threshold, above which anomalies begin."""
    at = float(scale.place(np.array([limit]))[0])
    ax.axvline(at, color=FAINT, linestyle="--", linewidth=1.1)
    right = at > sum(scale.ends) / 2
    ax.annotate(
        f"threshold {score_text(limit)}",
        (at, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(-5 if right else 5, -3),
        textcoords="offset points",
        ha="right" if right else "left",
        va="top",
        fontsize="small",
    )
