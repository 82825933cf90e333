"""Marked rows in two features, or in all pairs of three or four."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.patches import Rectangle

from .._util.numbers import set_minus
from .._util.types import FloatArray
from ..explanation.writing.wording import elide
from . import marks
from .axis import dress
from .names import name_clusters
from .outside import draw_outside
from .ranges import draw_each, draw_expected, write_expected
from .room import Room
from .sample import sample_rows
from .scale import Scale
from .style import NEAR, NEAR_EDGE, QUERY, QUERY_STAR, ROWS, hide_frame, inches, margins
from .view import View

_LEAST_BOX = 16.0  # least size of the frame around its star, in points
_FEW = 100  # most rows nearby with large dots
_STARS = (8.0, 15.0)  # size of a star in points: in a small frame, and at most


def draw_scatter(figure: Any, view: View) -> None:
    """Draw a view of two features."""
    words = view.scales[1].column.kind == "category"
    long = view.scales[1].column.offset  # numbers with many digits
    margins(figure, 1.2 if words else 1.05 if long else 0.8, 0.25, 0.66, 0.84)
    ax = figure.subplots()
    hide_frame(ax)
    dress(view.scales[0], ax, "x", room=50)
    dress(view.scales[1], ax, "y", room=32)
    room = _draw_rows(ax, view, 0, 1)
    draw_expected(ax, view, 0, 1, room)
    draw_each(ax, view, room)
    _name_rows(ax, room, view)
    write_expected(ax, view, room)
    marks.legend_below(
        figure,
        *marks.stars(view),
        marks.dots(),
        *marks.capsules(view),
        *marks.frame(view),
        *marks.outside(view),
    )


def draw_pairs(figure: Any, view: View) -> None:
    """Draw a view of three or four features: a triangle of scatter plots."""
    words = any(scale.column.kind == "category" for scale in view.scales)
    long = any(scale.column.offset for scale in view.scales)  # numbers with many digits
    left, bottom = (1.3, 0.8) if words or long else (0.95, 0.65)
    margins(figure, left, 0.2, 0.72, bottom)
    side = len(view.scales) - 1
    grid = figure.add_gridspec(side, side, wspace=0.14, hspace=0.14)
    axes = {(r, c): figure.add_subplot(grid[r, c]) for r in range(side) for c in range(r + 1)}
    for (r, c), ax in axes.items():
        lowest, first = r == side - 1, c == 0
        hide_frame(ax)
        # Numbers on the outside only: drawing ticks takes most of the time.
        dress(view.scales[c], ax, "x", lowest, room=46 // side, ticks=(6 - side) * lowest)
        dress(view.scales[r + 1], ax, "y", first, room=34 // side, ticks=(6 - side) * first)
        room = _draw_rows(ax, view, c, r + 1, size=0.5)
        draw_expected(ax, view, c, r + 1, room)
    # All names in line, for numbers of any length.
    width, height = inches(figure)
    for k in range(side):
        box = axes[k, 0].get_position()
        axes[k, 0].yaxis.set_label_coords(-(left - 0.36) / (box.width * width), 0.5)
        box = axes[side - 1, k].get_position()
        axes[side - 1, k].xaxis.set_label_coords(0.5, -(bottom - 0.3) / (box.height * height))
    handles = [
        marks.star(view),
        marks.dots(),
        *marks.frame(view, "nearby in these two"),
        *marks.diamonds(view, "nearby in all"),
        *marks.capsule(view),
        *marks.outside(view),
    ]
    # In the empty corner of the triangle.
    corner = axes[0, 0].get_position().y1
    figure.legend(
        handles=handles,
        loc="upper right",
        bbox_to_anchor=(0.995, corner),
        frameon=False,
        fontsize="small",
        handletextpad=0.6,
        labelspacing=0.55,
    )


def _draw_rows(ax: Any, view: View, i: int, j: int, size: float = 1.0) -> Room:
    """Draw the rows in two features, the frame of the neighbourhood, and the marked rows."""
    across, up = view.scales[i], view.scales[j]
    places = view.places[:, [i, j]]
    others = places[view.others]
    others = others[sample_rows(others)]
    area = size * float(np.clip(9000 / max(len(others), 1), 3.0, 16.0))
    alpha = 0.4 if len(others) > 2000 else 0.55
    ax.scatter(
        *others.T, s=area, color=ROWS, alpha=alpha, linewidth=0, rasterized=True, label="other rows"
    )
    if view.near.any():
        near = places[view.near]
        near = near[sample_rows(near)]
        few = len(near) <= _FEW
        ax.scatter(
            *near.T,
            s=max(1.3 * area, 9.0) if few else max(area, 4.0),
            marker="D",
            facecolor=NEAR,
            edgecolor=NEAR_EDGE,
            linewidth=0.6 if few else 0.15,
            rasterized=True,
            zorder=3,
            label="nearby",
        )
    draw_outside(ax, view, i, j)
    drawn = np.vstack([others, places[view.near]])
    room = Room(ax, ax.transData.transform(drawn))
    star = _STARS[1] * size**0.5 * (1.0 if len(view.points) == 1 else 0.75)
    box = _box(ax, view, i, j)
    if box is not None:
        low, high = box
        corners = {"xy": tuple(low), "width": high[0] - low[0], "height": high[1] - low[1]}
        ax.add_patch(Rectangle(**corners, facecolor=NEAR, alpha=0.18, linewidth=0, zorder=0.5))
        ax.add_patch(
            Rectangle(
                **corners, fill=False, edgecolor=NEAR, linestyle="--", linewidth=1.3, zorder=3
            )
        )
        pixels = ax.transData.transform([low, high])
        frame = room.add(pixels, 1.0)
        # The star stays within its frame.
        middle = ax.transData.transform((across.query, up.query))
        nearest = float(np.abs(pixels - middle).min()) * 72 / ax.figure.dpi
        star = float(np.clip(1.4 * nearest, _STARS[0], star))
    x, y = across.place(view.points[:, i]), up.place(view.points[:, j])
    ax.plot(x, y, markersize=star, zorder=5, clip_on=False, **QUERY_STAR)
    for place in ax.transData.transform(np.column_stack([x, y])):
        around = room.add(place, star / 2)
        room.marks.append(around if box is None else frame)
    return room


def _box(ax: Any, view: View, i: int, j: int) -> tuple[FloatArray, FloatArray] | None:
    """Corners of the frame of the neighbourhood, at least as large as the star needs."""
    wide, high = view.span(i), view.span(j)
    if wide is None or high is None:
        return None
    low, top = ax.transData.transform(np.column_stack([wide, high]))
    star = ax.transData.transform((view.scales[i].query, view.scales[j].query))
    least = _LEAST_BOX / 2 * ax.figure.dpi / 72
    corners = [np.minimum(low, star - least), np.maximum(top, star + least)]
    low, top = ax.transData.inverted().transform(corners)
    return low, top


def _name_rows(ax: Any, room: Room, view: View) -> None:
    """Write the names of the marked rows beside them; rows that lie together share one."""
    across, up = view.scales
    places = ax.transData.transform(
        np.column_stack([across.place(view.points[:, 0]), up.place(view.points[:, 1])])
    )
    texts = view.names
    if len(texts) == 1:
        told = [one.feature for one in view.expected] or [0, 1]
        values = [_pair(view.scales[i]) for i in told]
        texts = ("\n".join([elide(texts[0], 28), *values]),)
    for words, group in name_clusters(texts, places, room.pixels(30.0)):
        room.write(
            set_minus(words).replace("$", r"\$"),
            places[group[0]],
            5.0,
            QUERY,
            room.marks[group[0]],
            optional=len(view.names) > 1,
            fontsize="small",
            fontweight="bold" if len(view.names) == 1 else "normal",
            linespacing=1.2,
            zorder=6,
        )


def _pair(scale: Scale) -> str:
    """Name of a feature and the value of the query."""
    name, value = elide(scale.column.name, 16), scale.value
    return f"{name} {'missing' if np.isnan(value) else f'= {elide(scale.column.text(value), 20)}'}"
