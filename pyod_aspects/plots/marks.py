"""What the marks in a picture mean: the pieces of its legend."""

from __future__ import annotations

from typing import Any

from matplotlib.artist import Artist
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from .style import NEAR, NEAR_EDGE, QUERY_STAR, ROWS, label
from .view import View


def star(view: View) -> Artist:
    """The row that is explained."""
    return Line2D([], [], markersize=12, label=label(view.name), **QUERY_STAR)


def bars() -> Artist:
    """Rows as bars."""
    return Patch(color=ROWS, label="all rows")


def dots() -> Artist:
    """Rows as dots."""
    return Line2D(
        [], [], marker="o", color=ROWS, markersize=4, linestyle="none", label="other rows"
    )


def lines() -> Artist:
    """Rows as lines."""
    return Line2D([], [], color=ROWS, linewidth=1.2, label="other rows")


def frame(view: View, text: str = "nearby") -> list[Artist]:
    """Where near ends; nothing if the density does not say."""
    if all(view.span(i) is None for i in range(len(view.scales))):
        return []
    return [Patch(facecolor=to_rgba(NEAR, 0.25), edgecolor=NEAR, linestyle="--", label=text)]


def diamonds(view: View, text: str) -> list[Artist]:
    """Rows that are near; nothing if there are none."""
    if not view.near.any():
        return []
    return [
        Line2D(
            [],
            [],
            marker="D",
            color=NEAR,
            markeredgecolor=NEAR_EDGE,
            markersize=5,
            linestyle="none",
            label=text,
        )
    ]


def legend_below(figure: Any, *handles: Artist) -> None:
    """Put a legend in one line under the axes."""
    figure.legend(
        handles=list(handles),
        loc="lower center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=len(handles),
        frameon=False,
        fontsize="small",
        handletextpad=0.5,
        columnspacing=1.6,
    )
