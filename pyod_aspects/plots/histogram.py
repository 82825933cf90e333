"""Marked rows in one feature: a histogram of all rows, with the neighbourhood and the usual range.

Marked rows are pins whose heads stand above all bars, so that neither they nor their names cover
anything. Above them lies the typical range.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._util.numbers import set_minus
from .._util.types import AnyArray, FloatArray
from . import marks
from .axis import dress
from .names import name_clusters
from .outside import draw_arrows
from .ranges import draw_capsule
from .style import (
    FAINT,
    NEAR,
    QUERY,
    QUERY_STAR,
    draw_bars,
    hide_frame,
    label,
    margins,
    measure,
    write_counts,
)
from .view import View

_MOST_TICKS = 2000
_LOW = 0.008  # share of the tallest bar below which a bar is invisible
_STAR, _RANGE, _WORDS, _TOP = 15.0, 36.0, 42.0, 56.0  # points above the tallest bar
_UNDER = 12.0  # points under the bars, for single rows


def draw_histogram(figure: Any, view: View) -> None:
    """Draw the only feature of a view."""
    margins(figure, 0.8, 0.25, 0.66, 0.84)
    ax, scale = figure.subplots(), view.scales[0]
    hide_frame(ax)
    dress(scale, ax, "x", room=60)
    lefts, widths, heights, rare = _bars(view)
    tallest = max(int(heights.max(initial=0)), 1)
    unit = _unit(ax, tallest)  # rows in the height of a point
    ax.set_ylim(-_UNDER * unit, tallest + _TOP * unit)
    draw_bars(ax, lefts, widths, heights)
    span = view.span(0)
    if span is not None:
        top = tallest + (_STAR + 10.0) * unit
        ax.fill_between(
            span, -_UNDER * unit, top, facecolor=NEAR, alpha=0.18, linewidth=0, zorder=0.5
        )
        for edge in span:
            line = ([edge, edge], [-_UNDER * unit, top])
            ax.plot(*line, color=NEAR, linestyle="--", linewidth=1.2, zorder=0.6)
    ticks: list[Any] = []
    if rare.size:
        under = np.full(len(rare), -0.5 * _UNDER * unit)
        ticks = ax.plot(rare, under, "|", color=FAINT, alpha=0.7, markersize=5, label="single rows")
    x = scale.place(view.points[:, 0])
    head = tallest + _STAR * unit
    alone = len(x) == 1
    ax.vlines(x, 0, head, color=QUERY, linewidth=1.1 if alone else 0.6, zorder=4)
    size = 12 if alone else 10
    ax.plot(x, np.full(len(x), head), markersize=size, zorder=5, clip_on=False, **QUERY_STAR)
    _name(ax, view, x, head)
    _draw_range(ax, view, tallest, unit)
    _draw_outside(ax, view, -0.5 * _UNDER * unit)
    ax.set_ylabel("rows")
    ax.yaxis.set_label_coords(
        -0.56 / (ax.get_position().width * figure.bbox.width / figure.dpi), 0.5
    )
    ax.spines["left"].set_bounds(0, tallest)
    write_counts(ax, tallest)
    ax.axhline(0, color=FAINT, linewidth=0.6)
    legend = [*marks.stars(view), marks.bars(), *marks.frame(view), *ticks, *marks.outside(view)]
    marks.legend_below(figure, *legend)


def _unit(ax: Any, tallest: int) -> float:
    """Rows in the height of a point; a low picture leaves less space above the bars."""
    height = float(ax.get_window_extent().height) * 72 / ax.figure.dpi
    return float(tallest / max(height - _TOP - _UNDER, 0.45 * height))


def _bars(view: View) -> tuple[FloatArray, FloatArray, AnyArray, FloatArray]:
    """Left ends, widths and heights of the bars, and the places of rows in invisible bars."""
    scale, values = view.scales[0], view.values[:, 0]
    finite = values[np.isfinite(values)]
    missing = len(values) - len(finite)
    rare = np.empty(0)
    if scale.column.kind == "category":
        codes, heights = np.unique(finite, return_counts=True)
        lefts, widths = codes - 0.4, np.full(len(codes), 0.8)
    else:
        edges = view.bars[0].edges(*scale.window)
        inside = finite[(scale.window[0] <= finite) & (finite <= scale.window[1])]
        heights = np.histogram(inside, edges)[0].astype(np.int64)
        places = np.clip(scale.place(np.clip(edges, *scale.window)), scale.low, scale.high)
        lefts, widths = places[:-1], np.diff(places)
        low = heights < _LOW * max(int(heights.max(initial=0)), 1)
        bar = np.searchsorted(edges, inside, side="right") - 1
        hardly = inside[low[np.clip(bar, 0, len(low) - 1)]]
        for side, ends in (("below", scale.below), ("above", scale.above)):
            if ends is None:
                continue
            beyond = finite < scale.window[0] if side == "below" else finite > scale.window[1]
            held = finite[beyond & (ends[0] <= finite) & (finite <= ends[1])]
            strip = scale.strips[side]
            lefts, widths = np.append(lefts, strip[0]), np.append(widths, strip[1] - strip[0])
            heights = np.append(heights, len(held))
            hardly = np.append(hardly, held)
        rare = scale.place(hardly[:_MOST_TICKS])
    if missing:
        lefts = np.append(lefts, scale.strip[0])
        widths = np.append(widths, scale.strip[1] - scale.strip[0])
        heights = np.append(heights, missing)
    return lefts, widths, heights, rare


def _name(ax: Any, view: View, x: FloatArray, head: float) -> None:
    """Write names and values beside the heads of the pins, on the side with more space."""
    column = view.scales[0].column
    texts = view.names
    if len(view.names) == 1:
        value = column.text(view.scales[0].value)
        texts = (f"{view.names[0]}: {value}",)
    frame = ax.get_window_extent()
    places = ax.transData.transform(np.column_stack([x, np.full(len(x), head)]))
    gap = 9.0 * ax.figure.dpi / 72
    taken = [(place - gap + 1, place + gap - 1) for place in places[:, 0]]
    span = view.span(0)
    edges = [] if span is None else [float(ax.transData.transform((x, 0))[0]) for x in span]
    for words, group in name_clusters(texts, places, 90.0 * ax.figure.dpi / 72):
        note = ax.annotate(
            label(set_minus(words), 60),
            (0, 0),
            fontsize="small",
            fontweight="bold" if len(view.names) == 1 else "normal",
            va="center",
            zorder=6,
            annotation_clip=False,
        )
        ((width, _),) = measure(ax.figure, note)
        left, right = places[group, 0].min() - gap, places[group, 0].max() + gap
        spots = [(right, right + width), (left - width, left)]
        spots += [(edge + gap, edge + gap + width) for edge in edges]
        spots += [(edge - gap - width, edge - gap) for edge in edges]
        spots = [
            (begin, end)
            for begin, end in spots
            if begin >= frame.x0 - 4
            and end <= ax.figure.bbox.x1 - 2
            and not any(begin < last and first < end for first, last in taken)
        ]
        free = [spot for spot in spots if not any(spot[0] < edge < spot[1] for edge in edges)]
        free = free or spots
        if not free and len(view.names) > 1:  # the title names some rows, too
            note.remove()
            continue
        begin, end = free[0] if free else (frame.x1 - width, frame.x1)
        taken.append((begin, end))
        at = ax.transData.inverted().transform((begin, places[group[0], 1]))
        note.set(position=(at[0], head), ha="left")
        note.xy = (at[0], head)


def _draw_range(ax: Any, view: View, tallest: int, unit: float) -> None:
    """Draw the typical range, with words above it."""
    for one in view.expected:
        spans = view.scales[0].spans(one.values)
        for span in spans:
            draw_capsule(ax, span, tallest + _RANGE * unit, "x")
        words = "most rows miss it" if np.isnan(one.values[0]) else f"most rows {one.words}"
        middle = (spans[0][0] + spans[-1][1]) / 2
        note = ax.text(
            middle, tallest + _WORDS * unit, label(set_minus(words), 60), ha="center", va="bottom",
            fontsize="small", zorder=6,
        )  # fmt: skip
        ((width, _),) = measure(ax.figure, note)
        frame = ax.get_window_extent()
        at = float(ax.transData.transform((middle, 0))[0])
        inside = np.clip(at, frame.x0 + width / 2, max(frame.x1 - width / 2, frame.x0 + width / 2))
        note.set_x(ax.transData.inverted().transform((inside, 0))[0])


def _draw_outside(ax: Any, view: View, under: float) -> None:
    """Draw an arrow at each end with rows beyond it, and in each break."""
    scale, values = view.scales[0], view.values[view.outside, 0]
    for marker, beyond in (("<", values < scale.window[0]), (">", values > scale.window[1])):
        places = np.unique(scale.clip(values[beyond]))
        draw_arrows(ax, places, np.full(len(places), under), marker)
