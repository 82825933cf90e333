"""A row in two features, or in all pairs of three or four."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.patches import Rectangle

from . import marks
from .sample import sample_rows
from .style import NEAR, NEAR_EDGE, QUERY_STAR, ROWS, hide_frame, inches, margins
from .view import View


def draw_scatter(figure: Any, view: View) -> None:
    """Draw a view of two features."""
    words = view.scales[1].column.kind == "category"
    margins(figure, 1.25 if words else 0.95, 0.2, 0.62, 1.0)
    ax = figure.subplots()
    _points(ax, view, 0, 1)
    view.scales[0].dress(ax, "x", room=50)
    view.scales[1].dress(ax, "y", room=32)
    hide_frame(ax)
    marks.legend_below(figure, marks.star(view), marks.dots(), *marks.frame(view))


def draw_pairs(figure: Any, view: View) -> None:
    """Draw a view of three or four features: a triangle of scatter plots."""
    words = any(scale.column.kind == "category" for scale in view.scales)
    long = any(scale.column.offset for scale in view.scales)  # numbers with many digits
    left, bottom = (1.3, 0.9) if words or long else (1.0, 0.75)
    margins(figure, left, 0.15, 0.68, bottom)
    side = len(view.scales) - 1
    grid = figure.add_gridspec(side, side, wspace=0.12, hspace=0.12)
    axes = {(r, c): figure.add_subplot(grid[r, c]) for r in range(side) for c in range(r + 1)}
    for (r, c), ax in axes.items():
        lowest, first = r == side - 1, c == 0
        _points(ax, view, c, r + 1, size=0.5)
        # Numbers on the outside only; ticks take most of the time of drawing.
        view.scales[c].dress(ax, "x", lowest, room=46 // side, ticks=(6 - side) * lowest)
        view.scales[r + 1].dress(ax, "y", first, room=34 // side, ticks=(6 - side) * first)
        hide_frame(ax)
        for axis in (ax.xaxis, ax.yaxis):
            axis.label.set_size("small")
    # All names in line, whatever the length of the numbers.
    width, height = inches(figure)
    for k in range(side):
        box = axes[k, 0].get_position()
        axes[k, 0].yaxis.set_label_coords(-(left - 0.4) / (box.width * width), 0.5)
        box = axes[side - 1, k].get_position()
        axes[side - 1, k].xaxis.set_label_coords(0.5, -(bottom - 0.38) / (box.height * height))
    handles = [
        marks.star(view),
        marks.dots(),
        *marks.frame(view, "nearby in these two"),
        *marks.diamonds(view, "nearby in all"),
    ]
    # In the empty corner of the triangle.
    corner = axes[0, 0].get_position().y1
    figure.legend(
        handles=handles,
        loc="upper right",
        bbox_to_anchor=(1.0, corner),
        frameon=False,
        fontsize="small",
    )


def _points(ax: Any, view: View, i: int, j: int, size: float = 1.0) -> None:
    """Draw the rows in two features, the query, and the frame of what is near."""
    across, up = view.scales[i], view.scales[j]
    places = np.column_stack(
        [across.place(view.values[:, i], spread=i), up.place(view.values[:, j], spread=j)]
    )
    others = places[view.others]
    others = others[sample_rows(others)]
    area = size * float(np.clip(6000 / max(len(others), 1), 3.0, 18.0))
    ax.scatter(
        *others.T, s=area, color=ROWS, alpha=0.6, linewidth=0, rasterized=True, label="other rows"
    )
    if view.near.any():
        near = places[view.near]
        near = near[sample_rows(near)]
        ax.scatter(
            *near.T,
            s=max(1.3 * area, 9.0),
            marker="D",
            facecolor=NEAR,
            edgecolor=NEAR_EDGE,
            linewidth=0.6,
            rasterized=True,
            zorder=3,
            label="nearby",
        )
    wide, high = view.span(i), view.span(j)
    if wide is not None and high is not None:
        box: dict[str, Any] = {
            "xy": (wide[0], high[0]),
            "width": wide[1] - wide[0],
            "height": high[1] - high[0],
        }
        ax.add_patch(Rectangle(**box, facecolor=NEAR, alpha=0.22, linewidth=0, zorder=0.5))
        ax.add_patch(
            Rectangle(**box, fill=False, edgecolor=NEAR, linestyle="--", linewidth=1.4, zorder=3)
        )
    ax.plot([across.query], [up.query], markersize=17 * size**0.5, zorder=5, **QUERY_STAR)
