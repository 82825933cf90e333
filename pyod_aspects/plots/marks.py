"""The legend of a picture: an artist for each kind of mark."""

from __future__ import annotations

from typing import Any

from matplotlib.artist import Artist
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ..explanation.writing.wording import plural
from .style import EXPECTED, NEAR, NEAR_EDGE, QUERY_STAR, ROWS, label
from .view import View


def star(view: View) -> Artist:
    """The explained row, or the rows of a group."""
    name = view.names[0] if len(view.names) == 1 else plural(len(view.names), "row")
    return Line2D([], [], markersize=10, label=label(name), **QUERY_STAR)


def stars(view: View) -> list[Artist]:
    """The rows of a group; empty for a single row, whose name stands beside it."""
    return [star(view)] if len(view.names) > 1 else []


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
    """Edge of the neighbourhood; empty if the density defines none."""
    if all(view.span(i) is None for i in range(len(view.scales))):
        return []
    return [Patch(facecolor=to_rgba(NEAR, 0.18), edgecolor=NEAR, linestyle="--", label=text)]


def diamonds(view: View, text: str) -> list[Artist]:
    """Rows nearby; empty if there are none."""
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


def capsule(view: View) -> list[Artist]:
    """Range of rows like the query; empty without one."""
    return [_capsule("rows like it")] if view.expected else []


def capsules(view: View) -> list[Artist]:
    """Ranges of rows like each row of a group; empty without any."""
    return [_capsule("rows like them")] if any(view.each) else []


def _capsule(text: str) -> Artist:
    how: dict[str, Any] = {
        "color": EXPECTED,
        "alpha": 0.75,
        "linewidth": 5,
        "solid_capstyle": "round",
    }
    return Line2D([], [], label=text, **how)


def outside(view: View) -> list[Artist]:
    """Rows beyond the edges; empty if there are none."""
    n = int(view.outside.sum())
    if not n:
        return []
    return [
        Line2D(
            [],
            [],
            marker=">",
            color=ROWS,
            markersize=4,
            markeredgewidth=0,
            linestyle="none",
            label=f"{plural(n, 'row')} beyond the axis",
        )
    ]


def legend_below(figure: Any, *handles: Artist) -> None:
    """Put a legend under the axes: in one line, or in two in a narrow picture."""
    letters = sum(len(str(handle.get_label())) for handle in handles)
    wide = 0.065 * letters + 0.37 * len(handles)  # inches, about
    lines = 1 if wide < figure.bbox.width / figure.dpi else 2
    figure.legend(
        handles=list(handles),
        loc="lower center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=-(-len(handles) // lines),
        frameon=False,
        fontsize="small",
        handlelength=1.3,
        handletextpad=0.5,
        columnspacing=1.5,
        labelspacing=0.3,
    )
