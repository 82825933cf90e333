"""Rows outside the window of a picture: a small arrow at the edge for each, and their number."""

from __future__ import annotations

from typing import Any

import numpy as np

from .style import ROWS
from .view import View

_MOST_ARROWS = 200


def draw_outside(ax: Any, view: View, i: int, j: int) -> None:
    """Draw arrows at the edges of two features, if rows lie beyond them."""
    out = np.flatnonzero(view.outside)[:_MOST_ARROWS]
    if not out.size:
        return
    across, up = view.scales[i], view.scales[j]
    x, y = view.values[out, i], view.values[out, j]
    beyond_x, beyond_y = ~across.inside(x), ~up.inside(y)
    places = np.column_stack([across.clip(x), up.clip(y)])
    right, top = places[:, 0] > sum(across.ends) / 2, places[:, 1] > sum(up.ends) / 2
    for marker, chosen in (
        (">", beyond_x & right),
        ("<", beyond_x & ~right),
        ("^", beyond_y & ~beyond_x & top),
        ("v", beyond_y & ~beyond_x & ~top),
    ):
        draw_arrows(ax, places[chosen, 0], places[chosen, 1], marker)


def draw_arrows(ax: Any, x: Any, y: Any, marker: str) -> None:
    """Draw small arrows at the edge."""
    if len(x):
        ax.plot(
            x,
            y,
            marker=marker,
            markersize=3.5,
            color=ROWS,
            markeredgewidth=0,
            alpha=0.8,
            linestyle="none",
            clip_on=False,
            zorder=3,
            gid="outside",
        )
