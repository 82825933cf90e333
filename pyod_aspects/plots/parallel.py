"""A row in five features or more: an axis for each, side by side, and a line for each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection

from .._util.types import FloatArray
from . import marks
from .axis import short_text
from .ranges import draw_capsule
from .sample import sample_rows
from .scale import Scale
from .style import FAINT, NEAR, NEAR_EDGE, QUERY, QUERY_STAR, ROWS, margins, wrap
from .view import View

_MOST_LINES = 600

# Most letters of a value at the end of an axis.
_LETTERS = 12

# Place of missing values, as a share of an axis.
_STRIP = -0.34

_SLASH = [(-1.0, -0.45), (1.0, 0.45)]  # across a break


def draw_parallel(figure: Any, view: View) -> None:
    """Draw a view of many features."""
    margins(figure, 0.5, 0.5, 0.92, 1.0)
    ax, k = figure.subplots(), len(view.scales)
    at = np.arange(k)
    axes = [_Axis(scale) for scale in view.scales]
    missing = any(scale.missing for scale in view.scales)
    low = min(_STRIP - 0.06 if missing else 0.0, *(axis.ends[0] for axis in axes))
    high = max(axis.ends[1] for axis in axes)
    ax.set(xlim=(-0.25, k - 0.75), ylim=(low, high))
    units = np.column_stack([axis.share(view.places[:, i]) for i, axis in enumerate(axes)])
    others = units[view.others]
    others = others[sample_rows(others, _MOST_LINES)]
    ax.add_collection(_lines(others, color=ROWS, alpha=0.22, linewidth=0.6))
    near = units[view.near][:_MOST_LINES]
    ax.add_collection(_lines(near, color=NEAR_EDGE, linewidth=1.0, linestyle=(0, (4, 2)), zorder=3))
    spans = [span for i in range(k) if (span := view.span(i)) is not None]
    if len(spans) == k:
        pairs = zip(axes, spans, strict=True)
        bottom, top = np.array([axis.share(np.array(span)) for axis, span in pairs]).T
        ax.fill_between(at, bottom, top, facecolor=NEAR, alpha=0.3, linewidth=0, zorder=2.5)
        for edge in (bottom, top):
            ax.plot(at, edge, color=NEAR, linestyle="--", linewidth=1.2, zorder=2.6)
    ax.vlines(at, 0, 1, color=FAINT, linewidth=0.8, zorder=2)
    for one in view.expected:
        axis = axes[one.feature]
        for span in axis.scale.spans(one.values):
            draw_capsule(ax, tuple(axis.share(np.array(span))), one.feature, "y")
    for point in view.points:
        query = [float(axis.share(axis.scale.place(point[[i]]))[0]) for i, axis in enumerate(axes)]
        ax.plot(at, query, color=QUERY, linewidth=1.4, zorder=4)
        size = 11 if len(view.points) == 1 else 8
        ax.plot(at, query, markersize=size, zorder=5, clip_on=False, **QUERY_STAR)
    for i, axis in enumerate(axes):
        axis.write_ends(ax, i)
    names = [wrap(scale.column.name, max(9, 66 // k), 3) for scale in view.scales]
    ax.set_xticks(at, labels=names)
    ax.tick_params(axis="x", length=0, labelsize="small", pad=4 if missing else 16)
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    marks.legend_below(
        figure,
        marks.star(view),
        marks.lines(),
        *marks.frame(view),
        *marks.capsule(view),
        *marks.outside(view),
    )


@dataclass(frozen=True)
class _Axis:
    """A scale with its window from 0 to 1; missing values lie below, far ones behind a break."""

    scale: Scale

    def share(self, positions: FloatArray) -> FloatArray:
        """Positions as shares of the window."""
        shares = np.clip(self._shares(positions), *self.ends)
        return np.where(positions < self.scale.strip[1], _STRIP, shares)

    def _shares(self, positions: Any) -> FloatArray:
        low, high = self.scale.place(np.array(self.scale.shown))
        if low == high or self.scale.column.kind == "category":  # rows scatter around a label
            low, high = self.scale.low, self.scale.high
        return np.asarray((np.asarray(positions) - low) / (high - low))

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of the drawn values, without the strip of missing ones."""
        strips = self.scale.strips
        low = strips.get("below", (self.scale.low,))[0]
        high = strips.get("above", (self.scale.high,))[-1]
        first, last = self._shares([low, high])
        return float(first), float(last)

    def write_ends(self, ax: Any, at: int) -> None:
        """Write the values at the ends of the window, or in the strips beyond them."""
        scale = self.scale
        for side, held, va in (("below", scale.below, "top"), ("above", scale.above, "bottom")):
            end, value = (0.0, scale.shown[0]) if side == "below" else (1.0, scale.shown[1])
            if held is not None:
                strip = self.share(np.array(scale.strips[side]))
                ax.vlines(at, *strip, color=FAINT, linewidth=0.8, zorder=2)
                near, far = strip[::-1] if side == "below" else strip
                ax.plot(
                    [at, at], [end, near], marker=_SLASH, markersize=8, color=FAINT,
                    linestyle="none",
                )  # fmt: skip
                value = next(v for v in scale.marked if held[0] <= v <= held[1])
                end = float(far)
            _write(ax, short_text(scale.column, value, _LETTERS), at, end, "center", va)
        if scale.missing:
            _write(ax, " missing", at, _STRIP, "left", "center")


def _lines(heights: FloatArray, **how: Any) -> LineCollection:
    at = np.broadcast_to(np.arange(heights.shape[1]), heights.shape)
    return LineCollection(list(np.stack([at, heights], axis=2)), rasterized=True, **how)


def _write(ax: Any, text: str, x: float, y: float, ha: str, va: str) -> None:
    shift = {"top": -7, "bottom": 7}.get(va, 0)
    ax.annotate(
        text,
        (x, y),
        xytext=(0, shift),
        textcoords="offset points",
        fontsize="x-small",
        ha=ha,
        va=va,
        zorder=4.5,
        annotation_clip=False,
    )
