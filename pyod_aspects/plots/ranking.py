"""The aspects of one row, best first, with the figures behind them."""

from __future__ import annotations

import numpy as np
from matplotlib import ticker
from matplotlib.axes import Axes

from .._util.numbers import set_minus
from ..explanation import Explanation
from ..explanation.wording import density_words, no_aspect_words, row_words, score_words
from .style import QUERY, hide_frame, label, margins, new_figure, wrap

MOST_ASPECTS = 20


def plot_aspects(explanation: Explanation, row: int | str, ax: Axes | None = None) -> Axes:
    """Draw the aspects of a row, the best on top, with their scores and counts.

    The longer the bar, the more outlying. A lift of 0.01 is drawn as 100 times fewer rows than
    expected, on a logarithmic scale.

    Parameters
    ----------
    explanation : Explanation
    row : int or str
        A row that was explained, by position or label.
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
    >>> explanation = AspectExplainer(ECOD().fit(X)).fit(X).explain(n_queries=1)
    >>> ax = plot_aspects(explanation, 0)
    >>> ax.get_yticklabels()[0].get_text()
    'mean compactness'
    """
    query = explanation.row(row)
    aspects = query.aspects[:MOST_ASPECTS]
    if ax is None:
        figure = new_figure(6.4, 1.1 + 0.36 * max(len(aspects), 2))
        margins(figure, 2.3, 0.25, 0.4, 0.55)
        ax = figure.subplots()
    title = label(f"{row_words(query, 'Row', 24)}: where it stands out", 80)
    ax.set_title(title, fontsize="medium", loc="left")
    hide_frame(ax)
    if not aspects:
        words = no_aspect_words(explanation, query)
        ax.text(0.5, 0.5, words, ha="center", transform=ax.transAxes, wrap=True)
        ax.set_axis_off()
        return ax
    places = np.arange(len(aspects))
    scores = np.array([aspect.score for aspect in aspects])
    names = [wrap(" × ".join(aspect.features), 30) for aspect in aspects]
    ax.set_yticks(places, labels=names)
    ax.set_ylim(len(aspects) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    if explanation.score_name == "zscore":
        # To the right is more outlying, so the axis runs from 0 down.
        ax.barh(places, scores, height=0.72, color=QUERY, alpha=0.3)
        ax.plot(scores, places, "*", color=QUERY, markersize=10, clip_on=False)
        finite = scores[np.isfinite(scores)]
        ax.set_xlim(finite.max(initial=0.0), 1.04 * finite.min(initial=-0.1))
        ax.set_xlabel("Z-score: standard deviations from the average")
    elif explanation.score_name == "lift":
        times = 1.0 / np.where(scores > 0.0, np.clip(scores, 1e-15, 1e15), np.nan)
        # No stars: many bars are short, and the words reach beyond their ends.
        ax.barh(places, times - 1.0, left=1.0, height=0.72, color=QUERY, alpha=0.3)
        finite = times[np.isfinite(times)]
        ax.set_xscale("log")
        ax.set_xlim(finite.min(initial=1.0), finite.max(initial=2.0) ** 1.04)
        _write_ticks(ax)
        ax.set_xlabel("times fewer rows nearby than expected (1 / lift)")
    else:
        ax.plot(scores, places, "*", color=QUERY, markersize=11, clip_on=False)
        ax.grid(axis="y", alpha=0.4)
        if explanation.score_name == "rank":
            ax.set_xlim(0.5, explanation.n_rows)
            ax.set_xlabel(f"rank by density among {explanation.n_rows:,} rows; 1 is the loneliest")
        else:
            ax.set_xlabel(label(explanation.score_name, 60))
    barred = explanation.score_name in ("zscore", "lift")
    # Words stand at the far end from the stars, unless there are bars to write on.
    middle = sum(ax.get_xlim()) / 2
    for place, aspect in enumerate(aspects):
        right = not barred and aspect.score < middle
        here, average = density_words(explanation, aspect)
        text = f"{here} {average}, {score_words(explanation, aspect)}"
        ax.annotate(
            label(set_minus(text), 100),
            (float(right), place),
            xycoords=("axes fraction", "data"),
            xytext=(-4 if right else 4, 0),
            textcoords="offset points",
            ha="right" if right else "left",
            va="center",
            fontsize="small",
        )
    return ax


def _write_ticks(ax: Axes) -> None:
    """Plain numbers on a logarithmic axis, at 1, 2 and 5 where it is short."""
    low, high = ax.get_xlim()
    steps = (1.0, 2.0, 5.0) if high < 200.0 * low else (1.0,)
    ax.xaxis.set_major_locator(ticker.LogLocator(subs=steps, numticks=12))
    numbers = ticker.FuncFormatter(lambda x, _: f"{x:,.0f}" if x >= 1.0 else f"{x:g}")
    ax.xaxis.set_major_formatter(numbers)
    ax.xaxis.set_minor_locator(ticker.NullLocator())
