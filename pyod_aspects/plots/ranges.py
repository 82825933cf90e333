"""Draw the range of rows like the query: a capsule, and an arrow that leads there."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._util.types import FloatArray
from .expected import expected_words
from .room import Room
from .style import EXPECTED, QUERY
from .view import View
from .window import Range

CAPSULE = 7.0
"""Width of a capsule in points; the shortest one is a dot."""


def draw_capsule(ax: Any, span: Range, at: float, side: str, transform: Any = None) -> None:
    """Draw a range along the axis `side`, at `at` on the other one, with round ends inside."""
    transform = ax.transData if transform is None else transform
    ends = np.array([[span[0], at], [span[1], at]])
    ends = ends if side == "x" else ends[:, ::-1]
    pixels = transform.transform(ends)
    along = pixels[1] - pixels[0]
    length = float(np.hypot(*along))
    radius = CAPSULE / 2 * ax.figure.dpi / 72
    how: dict[str, Any] = {"linewidth": CAPSULE, "solid_capstyle": "round"}
    if length > 2.1 * radius:
        inset = along * radius / length
        ends = transform.inverted().transform([pixels[0] + inset, pixels[1] - inset])
    else:  # a line without length shows no ends
        ends = ends.mean(axis=0, keepdims=True)
        how = {"marker": "o", "markersize": CAPSULE, "markeredgewidth": 0, "linestyle": "none"}
    ax.plot(
        *ends.T, color=EXPECTED, alpha=0.75, transform=transform, zorder=4, gid="expected", **how
    )


def draw_expected(ax: Any, view: View, i: int, j: int, room: Room) -> None:
    """Draw the range of the feature to blame, beside the query, and an arrow to it."""
    for one in view.expected:
        if one.feature not in (i, j):
            continue
        side = "x" if one.feature == i else "y"
        along, other = (view.scales[a] for a in ((i, j) if side == "x" else (j, i)))
        spans = along.spans(one.values)
        for span in spans:
            draw_capsule(ax, span, other.query, side)
        star = ax.transData.transform((view.scales[i].query, view.scales[j].query))
        nearest = _nearest(ax, along.query, other.query, spans, side)
        _draw_arrow(ax, star, nearest)
        for span in spans:
            room.add(_corners(ax, span, other.query, side), CAPSULE / 2 + 1)
        room.add(np.array([star, nearest]), 3.0)


def draw_each(ax: Any, view: View, room: Room) -> None:
    """Draw the range of the second feature beside each row of a group."""
    across, up = view.scales
    for point, one in zip(view.points, view.each, strict=False):
        if one is not None:
            at = float(across.place(point[[0]])[0])
            for span in up.spans(one.values):
                draw_capsule(ax, span, at, "y")
                room.add(_corners(ax, span, at, "y"), CAPSULE / 2 + 1)


def write_expected(ax: Any, view: View, room: Room) -> None:
    """Describe the range in a picture of two features, beside it."""
    for one in view.expected:
        side = "x" if one.feature == 0 else "y"
        along, other = view.scales[one.feature], view.scales[1 - one.feature]
        span = along.spans(one.values)[0]
        middle = sum(span) / 2
        at = (middle, other.query) if side == "x" else (other.query, middle)
        text = expected_words(one, along.column.name, [other.column.name])
        mark = room.add(_corners(ax, span, other.query, side), CAPSULE / 2)
        room.write(
            text,
            np.asarray(ax.transData.transform(at)),
            5.0,
            EXPECTED,
            mark,
            fontsize="small",
            linespacing=1.2,
            zorder=6,
        )


def _corners(ax: Any, span: Range, at: float, side: str) -> FloatArray:
    ends = [(span[0], at), (span[1], at)] if side == "x" else [(at, span[0]), (at, span[1])]
    return np.asarray(ax.transData.transform(ends))


def _nearest(ax: Any, query: float, at: float, spans: list[Range], side: str) -> FloatArray:
    """Nearest end of the spans to the query, in pixels."""
    end = min((end for span in spans for end in span), key=lambda end: abs(end - query))
    return np.asarray(ax.transData.transform((end, at) if side == "x" else (at, end)))


def _draw_arrow(ax: Any, star: FloatArray, end: FloatArray) -> None:
    """Draw an arrow from the star to the range, if it fits."""
    length = float(np.hypot(*(end - star))) * 72 / ax.figure.dpi
    if length < 22.0:
        return
    back = ax.transData.inverted()
    ax.annotate(
        "",
        xy=back.transform(end),
        xytext=back.transform(star),
        arrowprops={
            "arrowstyle": "-|>,head_length=0.35,head_width=0.16",
            "linestyle": (0, (3, 2)),
            "color": QUERY,
            "linewidth": 1.0,
            "shrinkA": 8.0,
            "shrinkB": 1.5,
        },
        zorder=4,
    )
