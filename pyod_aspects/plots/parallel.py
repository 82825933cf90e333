"""A row in five features or more: an axis for each, side by side, and a line for each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection

from .._util.types import FloatArray
from ..tables import Column
from . import marks
from .sample import sample_rows
from .scale import Scale
from .style import FAINT, NEAR, NEAR_EDGE, QUERY, QUERY_STAR, ROWS, label, margins, wrap
from .view import View

_MOST_LINES = 600

# Letters of a value at the end of an axis.
_LETTERS = 12

# Where missing values are, in shares of an axis.
_STRIP = -0.2


def draw_parallel(figure: Any, view: View) -> None:
    """Draw a view of many features."""
    margins(figure, 0.5, 0.5, 0.85, 1.15)
    ax, k = figure.subplots(), len(view.scales)
    at = np.arange(k)
    axes = [_Axis.of(scale, view.values[:, i]) for i, scale in enumerate(view.scales)]
    units = np.column_stack(
        [axis.share(axis.scale.place(view.values[:, i], spread=i)) for i, axis in enumerate(axes)]
    )
    others = units[view.others]
    others = others[sample_rows(others, _MOST_LINES)]
    ax.add_collection(_lines(others, color=ROWS, alpha=0.25, linewidth=0.6))
    near = units[view.near][:_MOST_LINES]
    ax.add_collection(_lines(near, color=NEAR_EDGE, linewidth=1.0, linestyle=(0, (4, 2)), zorder=3))
    spans = [span for i in range(k) if (span := view.span(i)) is not None]
    if len(spans) == k:
        pairs = zip(axes, spans, strict=True)
        bottom, top = np.array([axis.share(np.array(span)) for axis, span in pairs]).T
        ax.fill_between(at, bottom, top, facecolor=NEAR, alpha=0.3, linewidth=0, zorder=2.5)
        for edge in (bottom, top):
            ax.plot(at, edge, color=NEAR, linestyle="--", linewidth=1.3, zorder=2.6)
    ax.vlines(at, 0, 1, color=FAINT, linewidth=0.9, zorder=2)
    query = [float(axis.share(np.array([axis.scale.query]))[0]) for axis in axes]
    ax.plot(at, query, color=QUERY, linewidth=1.6, zorder=4)
    ax.plot(at, query, markersize=14, zorder=5, clip_on=False, **QUERY_STAR)
    missing = any(scale.missing for scale in view.scales)
    for i, axis in enumerate(axes):
        _write(ax, axis.first, i, -0.04, "center", "top")
        _write(ax, axis.last, i, 1.04, "center", "bottom")
        if axis.scale.missing:
            _write(ax, " missing", i, _STRIP, "left", "center")
    ax.set(xlim=(-0.25, k - 0.75), ylim=(_STRIP - 0.08 if missing else -0.04, 1.04))
    names = [wrap(scale.column.name, max(9, 66 // k), 3) for scale in view.scales]
    ax.set_xticks(at, labels=names)
    ax.tick_params(axis="x", length=0, labelsize="small", pad=4 if missing else 18)
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    marks.legend_below(figure, marks.star(view), marks.lines(), *marks.frame(view))


@dataclass(frozen=True)
class _Axis:
    """A scale from its smallest value, at 0, to its largest, at 1; missing ones are below."""

    scale: Scale
    low: float
    high: float
    first: str
    last: str

    @classmethod
    def of(cls, scale: Scale, values: FloatArray) -> _Axis:
        finite = np.append(values, scale.value)
        finite = finite[np.isfinite(finite)]
        ends = np.array([finite.min(), finite.max()] if finite.size else [0.0, 1.0])
        low, high = scale.place(ends)
        first, last = (_short(scale.column, float(end)) for end in ends)
        if low == high:
            low, high = low - 0.5, high + 0.5
        return cls(scale, float(low), float(high), first, last)

    def share(self, positions: FloatArray) -> FloatArray:
        """Positions as shares of the axis."""
        inside = np.clip((positions - self.low) / (self.high - self.low), -0.04, 1.04)
        return np.where(positions < self.scale.strip[1], _STRIP, inside)


def _short(column: Column, value: float) -> str:
    """A value in twelve letters: the last ones, where the first ones are the same in all rows."""
    text = column.text(value)
    if column.offset and len(text) > _LETTERS:
        return "…" + text[1 - _LETTERS :]
    return label(text, _LETTERS)


def _lines(heights: FloatArray, **how: Any) -> LineCollection:
    at = np.broadcast_to(np.arange(heights.shape[1]), heights.shape)
    return LineCollection(list(np.stack([at, heights], axis=2)), rasterized=True, **how)


def _write(ax: Any, text: str, x: float, y: float, ha: str, va: str) -> None:
    ax.text(x, y, text, fontsize="x-small", ha=ha, va=va, zorder=4.5)
