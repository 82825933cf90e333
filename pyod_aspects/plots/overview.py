"""The features to blame for each anomaly: a matrix of rows and features."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgba

from .._util.types import FloatArray
from ..explanation import Explanation
from ..explanation.judging.blame import weigh_features
from ..explanation.writing.wording import elide, plural, row_words
from .style import FAINT, QUERY, label, margins, new_figure

MOST_FEATURES = 30
MOST_ROWS = 40
LEAST_WEIGHT = 0.005
"""Least weight to draw: smaller ones would read 0 %."""

# From nearly transparent to full: more colour is more on white, on black and in grey.
_FADE = LinearSegmentedColormap.from_list("fade", [to_rgba(QUERY, 0.12), to_rgba(QUERY, 1.0)])


def plot_overview(explanation: Explanation, ax: Axes | None = None) -> Axes:
    """Draw the features to blame for each row.

    The number in a cell is the weight of the feature in percent, from `QueryExplanation.features`.
    The stronger the colour, the larger the weight. The plot leaves out weights below half a
    percent. Rows with nothing convincing have no cells and say so.

    Parameters
    ----------
    explanation : Explanation
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
    >>> ax = plot_overview(explanation)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['row 27515', 'row 26744', 'row 27739']
    """
    queries = explanation.queries[:MOST_ROWS]
    weights = blame_matrix(explanation)[:MOST_ROWS]
    # The features that matter most come first; ties keep the order of the table.
    order = np.argsort(-weights.sum(axis=0), kind="stable")
    used = order[(weights[:, order] >= LEAST_WEIGHT).any(axis=0)]
    columns = used[:MOST_FEATURES]
    matrix = weights[:, columns]
    names = [elide(explanation.feature_names[j], 22) for j in columns]
    rows = [row_words(query, most=22) for query in queries]
    if ax is None:
        ax = _new_axes(rows, names)
    if not len(columns):
        found = any(query.aspects or query.p_value is not None for query in queries)
        nothing = "nothing is convincing" if found else "no aspect was found"
        ax.text(0.5, 0.5, nothing, ha="center", transform=ax.transAxes)
        ax.set_axis_off()
        return ax
    filled = np.ma.masked_less(matrix, LEAST_WEIGHT)
    # Full colour is the whole weight, so that colours of two pictures compare.
    ax.pcolormesh(filled, cmap=_FADE, vmin=0.0, vmax=1.0, edgecolors="none", rasterized=False)
    for i, j in np.argwhere(matrix >= LEAST_WEIGHT):
        # White on strong colour; elsewhere the colour of text, which pages may turn light.
        strong = matrix[i, j] >= 0.65
        ink: dict[str, Any] = {"color": "white", "fontweight": "bold"} if strong else {}
        percent = f"{100 * matrix[i, j]:.0f}"
        ax.text(j + 0.5, i + 0.5, percent, ha="center", va="center", fontsize="small", **ink)
    for i, query in enumerate(queries):
        if not weights[i].any():
            words = "no aspect" if query.p_value is None else "nothing convincing"
            ax.text(0.15, i + 0.5, words, va="center", fontsize="small", color=FAINT)
    ax.set(xlim=(0, len(columns)), ylim=(len(queries), 0))
    ax.set_xticks(np.arange(len(columns)) + 0.5)
    ax.set_xticklabels(map(label, names), rotation=45, ha="left", rotation_mode="anchor")
    ax.set_yticks(np.arange(len(queries)) + 0.5, labels=list(map(label, rows)))
    ax.xaxis.tick_top()
    ax.tick_params(length=0, labelsize="small")
    ax.spines[:].set_visible(False)
    ax.hlines(range(len(queries) + 1), 0, len(columns), color=FAINT, linewidth=0.4, alpha=0.5)
    ax.vlines(range(len(columns) + 1), 0, len(queries), color=FAINT, linewidth=0.4, alpha=0.5)
    notes = ["weight of the feature in the row, in %"]
    if len(used) > len(columns):
        notes.append(f"{plural(len(used) - len(columns), 'more feature')} not shown")
    if len(explanation) > len(queries):
        notes.append(f"{plural(len(explanation) - len(queries), 'more row')} not shown")
    ax.set_xlabel(elide("; ".join(notes), 120), fontsize="small")
    return ax


def blame_matrix(explanation: Explanation) -> FloatArray:
    """Weights of all features, a line for each explained row; a row adds up to 1, or to 0."""
    column = {name: j for j, name in enumerate(explanation.feature_names)}
    weights = np.zeros((len(explanation), len(column)))
    for i, query in enumerate(explanation):
        features = query.features
        if not features and query.p_value is None:  # a query without weights, made by hand
            features = weigh_features(query.aspects, explanation.score_name)
        for name, weight in features.items():
            weights[i, column[name]] = weight
    return weights


def _new_axes(rows: list[str], names: list[str]) -> Axes:
    """Axes with space for the rows to the left, and for slanted names above and to the right."""
    cell, letter = 0.31, 0.066
    inner = max(cell * len(names), 3.8)
    cell = inner / max(len(names), 1)
    top = 0.25 + letter * max(map(len, names), default=0)
    right = [letter * len(name) - cell * (len(names) - i - 0.5) for i, name in enumerate(names)]
    beyond = 0.15 + max([0.0, *right])
    height = 0.27 * max(len(rows), 2)
    left = max(0.85, 0.25 + 0.078 * max(map(len, rows), default=0))
    figure = new_figure(left + inner + beyond, top + height + 0.45)
    margins(figure, left, beyond, top, 0.45)
    return figure.subplots()
