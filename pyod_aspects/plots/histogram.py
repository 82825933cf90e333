"""A row in one feature: a histogram of all rows, with the bins that count as near."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._util.types import FloatArray
from . import marks
from .style import FAINT, NEAR, QUERY, QUERY_STAR, draw_bars, hide_frame, label, margins
from .view import View

_MOST_BARS = 90
_MOST_TICKS = 2000
_FAR = 1e6


def draw_histogram(figure: Any, view: View) -> None:
    """Draw the only feature of a view."""
    margins(figure, 0.8, 0.2, 0.62, 1.0)
    ax, scale, values = figure.subplots(), view.scales[0], view.values[:, 0]
    finite = values[np.isfinite(values)]
    if scale.column.kind == "category":
        codes, heights = np.unique(finite, return_counts=True)
        lefts, widths = codes - 0.4, np.full(len(codes), 0.8)
    else:
        edges = _edges(view, finite)
        heights = np.histogram(finite, edges)[0]
        places = scale.place(edges)
        lefts, widths = places[:-1], np.diff(places)
    missing = len(values) - len(finite)
    if missing:
        lefts = np.append(lefts, scale.strip[0])
        widths = np.append(widths, scale.strip[1] - scale.strip[0])
        heights = np.append(heights, missing)
    tallest = max(int(heights.max(initial=0)), 1)
    ticks: list[Any] = []
    span = view.span(0)
    draw_bars(ax, lefts, widths, heights)
    if span is not None:
        ax.axvspan(*span, facecolor=NEAR, alpha=0.25, linewidth=0, zorder=0.5)
        for edge in span:
            ax.axvline(edge, color=NEAR, linestyle="--", linewidth=1.3, zorder=0.6)
    # A bar of one row cannot be seen beside one of thousands.
    low = heights < 0.008 * tallest
    if scale.column.kind != "category" and low.any():
        bar = np.clip(np.searchsorted(edges, finite, side="right") - 1, 0, len(edges) - 2)
        rare = scale.place(finite[low[bar]][:_MOST_TICKS])
        if rare.size:
            under = np.full(len(rare), -0.03 * tallest)
            ticks = ax.plot(rare, under, "|", color=FAINT, markersize=6, label="single rows")
    x = scale.query
    inside = (lefts <= x) & (x <= lefts + widths)
    height = float(heights[inside].max(initial=0)) + 0.09 * tallest
    ax.vlines(x, 0, height, color=QUERY, linewidth=1.4, zorder=4)
    ax.plot([x], [height], markersize=15, zorder=5, **QUERY_STAR)
    edge_ = (x - scale.ends[0]) / (scale.ends[1] - scale.ends[0])
    words = label(scale.column.text(scale.value), 36 if scale.column.offset else 24)
    # Half of it, as a share of the axis; numbers with an offset have many digits.
    half = 0.011 * len(words) if scale.column.offset else 0.08
    ax.annotate(
        words,
        (x, height),
        xytext=(0, 9),
        textcoords="offset points",
        ha="left" if edge_ < half else "right" if edge_ > 1 - half else "center",
        va="bottom",
        fontsize="small",
        fontweight="bold",
        zorder=6,
    )
    scale.dress(ax, "x", room=60)
    ax.set_ylim(-0.06 * tallest, 1.3 * tallest)
    ax.set_ylabel("rows")
    ax.yaxis.get_major_locator().set_params(integer=True)
    hide_frame(ax)
    ax.axhline(0, color=FAINT, linewidth=0.8)
    marks.legend_below(figure, marks.star(view), marks.bars(), *marks.frame(view), *ticks)


def _edges(view: View, finite: FloatArray) -> FloatArray:
    """Edges of the bars: as wide as the bins around the query, where they can be seen."""
    if not finite.size:
        return np.array([0.0, 1.0])
    low, high = float(view.low[0]), float(view.high[0])
    first, last = float(finite.min()), float(finite.max())
    width = float(view.bin_width[0])
    # A new row may lie anywhere, and the bars go only as far as the table.
    seen = low <= last and first <= high
    if seen and np.isfinite(width) and width > 0 and (last - first) / width <= _MOST_BARS:
        if first - low > _FAR * width:  # a wide reach in a heavy tail: no edge to begin at
            low = first
        start, stop = np.floor((first - low) / width), np.ceil((last - low) / width)
        edges = low + width * np.arange(start, max(stop, start + 1, 1) + 1)
        # The last bar includes the largest value.
        return np.asarray(edges if edges[-1] >= last else np.append(edges[:-1], last))
    if first == last:
        return np.array([first - 0.5, last + 0.5])
    return np.linspace(first, last, 61)
