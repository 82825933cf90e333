"""One row in the features of one aspect, among all others.

One feature is a histogram, two are a scatter plot, three and four are pairs of features, and
more are parallel axes. In each the row is a star, and what counts as near to it is framed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from ..explanation import Aspect, Explanation
from .sample import drawn_rows
from .scale import Scale
from .style import (
    FAINT,
    NEAR,
    QUERY,
    QUERY_STAR,
    ROWS,
    elided,
    label,
    margins,
    new_figure,
    quiet,
    wrapped,
)
from .view import AspectLike, View, find_aspect
from .words import figures

_MOST_BARS = 90
_MOST_LINES = 600
_NEAR_EDGE = "#7a4b00"
_TITLE_ROOM = 62


def plot_aspect(
    explanation: Explanation,
    row: int,
    aspect: AspectLike = 0,
    figure: Any = None,
) -> Figure | SubFigure:
    """Draw a row in the features of one of its aspects, among all other rows.

    One feature gives a histogram, two a scatter plot, three and four all pairs of features,
    more parallel axes. The row is a star; what is near to it is framed by dashes.

    Parameters
    ----------
    explanation : Explanation
        As it came from `AspectExplainer.explain`: the table is needed.
    row : int
        A row that was explained.
    aspect : int, Aspect or sequence of features, default=0
        Position among the aspects of the row, 0 for the best; or an aspect; or any
        features, by name or column number.
    figure : matplotlib Figure or SubFigure, optional
        An empty one to draw on.

    Returns
    -------
    matplotlib Figure or SubFigure
        The one that was given, or a new one, which notebooks show.

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> X = load_demo().frame
    >>> explanation = AspectExplainer(ECOD().fit(X)).fit(X).explain(n_queries=1)
    >>> figure = plot_aspect(explanation, 0, ["mean area", "worst symmetry"])
    >>> figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()
    ('mean area', 'worst symmetry')
    """
    query = explanation.row(row)
    found = find_aspect(explanation, query, aspect)
    view = View.of(explanation, query, found)
    k = len(found.subspace)
    if figure is None:
        figure = new_figure(6.4, 4.2 if k <= 2 or k >= 5 else 5.6)
    if k == 1:
        _histogram(figure, view, row)
    elif k == 2:
        _scatter(figure, view, row)
    elif k <= 4:
        _pairs(figure, view, row)
    else:
        _parallel(figure, view, row)
    _title(figure, explanation, row, found)
    return figure  # type: ignore[no-any-return]


def _title(figure: Any, explanation: Explanation, row: int, aspect: Aspect) -> None:
    """Say which row in which features, and the figures."""
    names, room = [], _TITLE_ROOM
    for i, name in enumerate(aspect.features):
        left = len(aspect.features) - i
        names.append(elided(name, max(12, room // left - 3)))
        room -= len(names[-1]) + 3
    title = label(f"Row {row}: {' × '.join(names)}", _TITLE_ROOM + 20)
    height = figure.bbox.height / figure.dpi
    left = 0.16 / (figure.bbox.width / figure.dpi)
    figure.text(left, 1 - 0.1 / height, title, va="top", fontsize="medium", fontweight="bold")
    words = figures(explanation, aspect).replace("-", "\u2212").replace("$", r"\$")
    figure.text(left, 1 - 0.32 / height, words, va="top", fontsize="small")


def _legend(figure: Any, view: View, row: int, **where: Any) -> None:
    """Explain the marks."""
    handles: list[Any] = [
        Line2D([], [], markersize=12, label=f"row {row}", **QUERY_STAR),
        Line2D([], [], marker="o", color=ROWS, markersize=4, linestyle="none", label="other rows"),
    ]
    if any(view.span(i) is not None for i in range(len(view.scales))):
        handles.append(_near_patch())
    figure.legend(handles=handles, frameon=False, fontsize="small", handletextpad=0.4, **where)


def _near_patch() -> Patch:
    return Patch(facecolor=(*_rgb(NEAR), 0.25), edgecolor=NEAR, linestyle="--", label="nearby")


def _rgb(colour: str) -> tuple[float, float, float]:
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))  # type: ignore[return-value]


_BOTTOM: dict[str, Any] = {"loc": "lower center", "ncols": 3, "bbox_to_anchor": (0.5, 0.0)}


# ---------------------------------------------------------------- one feature


def _histogram(figure: Any, view: View, row: int) -> None:
    margins(figure, 0.75, 0.2, 0.68, 0.95)
    ax, scale, values = figure.subplots(), view.scales[0], view.values[:, 0]
    known = values[np.isfinite(values)]
    if scale.column.kind == "category":
        codes, heights = np.unique(known, return_counts=True)
        lefts, widths = codes - 0.4, np.full(len(codes), 0.8)
    else:
        edges = _edges(view, known)
        heights, _ = np.histogram(known, edges)
        places = scale.place(edges)
        lefts, widths = places[:-1], np.diff(places)
    missing = len(values) - len(known)
    if missing:
        lefts = np.append(lefts, scale.strip[0])
        widths = np.append(widths, scale.strip[1] - scale.strip[0])
        heights = np.append(heights, missing)
    tallest = max(int(heights.max(initial=0)), 1)
    span = view.span(0)
    if span is not None:
        _band(ax, span)
    ax.bar(lefts, heights, widths, align="edge", color=ROWS, edgecolor="white", linewidth=0.4)
    # A bar of one row cannot be seen beside one of thousands: such rows get a tick each.
    if scale.column.kind != "category" and known.size:
        which = np.clip(np.searchsorted(edges, known, side="right") - 1, 0, len(edges) - 2)
        rare = known[heights[: len(edges) - 1][which] < 0.02 * tallest][:2000]
        ax.plot(
            scale.place(rare), np.full(len(rare), -0.025 * tallest), "|", color=FAINT, markersize=5
        )
    x = scale.query
    inside = (lefts <= x) & (x <= lefts + widths)
    top = float(heights[inside].max(initial=0))
    ax.vlines(x, 0, top + 0.09 * tallest, color=QUERY, linewidth=1.4, zorder=4)
    ax.plot([x], [top + 0.09 * tallest], markersize=15, zorder=5, **QUERY_STAR)
    text = label(scale.column.text(scale.value), 20)
    right = x > sum(scale.ends) / 2
    ax.annotate(
        text,
        (x, top + 0.09 * tallest),
        xytext=(-10 if right else 10, 0),
        textcoords="offset points",
        ha="right" if right else "left",
        va="center",
        fontsize="small",
        fontweight="bold",
        zorder=6,
    )
    scale.dress(ax, "x", room=60)
    ax.set_ylim(-0.05 * tallest, 1.25 * tallest)
    ax.set_ylabel("rows")
    ax.yaxis.get_major_locator().set_params(integer=True)
    quiet(ax)
    ax.axhline(0, color=FAINT, linewidth=0.8)
    ax.spines["bottom"].set_visible(True)
    handles = [Line2D([], [], markersize=12, label=f"row {row}", **QUERY_STAR)]
    handles.append(Patch(color=ROWS, label="all rows"))  # type: ignore[arg-type]
    if span is not None:
        handles.append(_near_patch())  # type: ignore[arg-type]
    figure.legend(handles=handles, frameon=False, fontsize="small", handletextpad=0.5, **_BOTTOM)


def _edges(view: View, known: Any) -> Any:
    """Edges of the bars: those of the bins that were counted, where they can be seen."""
    low, high = float(view.low[0]), float(view.high[0])
    if not known.size:
        return np.array([0.0, 1.0])
    first, last = float(known.min()), float(known.max())
    width = (high - low) / (2 * view.reach + 1)
    if np.isfinite(width) and width > 0 and (last - first) / width <= _MOST_BARS:
        before, after = np.ceil((low - first) / width), np.ceil((last - low) / width)
        edges = low + width * np.arange(-before, max(after, 1) + 1)
        # The last bin includes the largest value.
        return edges if edges[-1] > last else np.append(edges[:-1], np.nextafter(last, np.inf))
    return np.linspace(first, last, 61) if last > first else np.array([first - 0.5, last + 0.5])


def _band(ax: Any, span: tuple[float, float]) -> None:
    ax.axvspan(*span, facecolor=NEAR, alpha=0.25, linewidth=0, zorder=0.5)
    for edge in span:
        ax.axvline(edge, color=NEAR, linestyle="--", linewidth=1.3, zorder=0.6)


# ---------------------------------------------------------------- two features


def _scatter(figure: Any, view: View, row: int) -> None:
    margins(figure, 0.95, 0.2, 0.68, 0.95)
    ax = figure.subplots()
    _points(ax, view, 0, 1)
    view.scales[0].dress(ax, "x", room=50)
    view.scales[1].dress(ax, "y")
    quiet(ax)
    _legend(figure, view, row, **_BOTTOM)


def _points(ax: Any, view: View, i: int, j: int, small: bool = False) -> None:
    """Rows in two features, the query, and the frame of what is near."""
    across, up = view.scales[i], view.scales[j]
    places = np.column_stack(
        [across.place(view.values[:, i], True), up.place(view.values[:, j], True)]
    )
    others = places[view.others]
    others = others[drawn_rows(others)] if len(others) else others
    size = float(np.clip(6000 / max(len(others), 1), 3.0, 18.0)) * (0.5 if small else 1.0)
    ax.scatter(
        *others.T, s=size, color=ROWS, alpha=0.6, linewidth=0, rasterized=True, label="other rows"
    )
    near = places[view.near]
    near = near[drawn_rows(near)] if len(near) else near
    ax.scatter(
        *near.T,
        s=max(1.4 * size, 8.0),
        marker="D",
        facecolor=NEAR,
        edgecolor=_NEAR_EDGE,
        linewidth=0.6,
        rasterized=True,
        zorder=3,
        label="nearby",
    )
    spans = view.span(i), view.span(j)
    if spans[0] is not None and spans[1] is not None:
        (left, right), (bottom, top) = spans
        frame: dict[str, Any] = {"xy": (left, bottom), "width": right - left}
        frame["height"] = top - bottom
        ax.add_patch(Rectangle(**frame, facecolor=NEAR, alpha=0.22, linewidth=0, zorder=0.5))
        ax.add_patch(
            Rectangle(**frame, fill=False, edgecolor=NEAR, linestyle="--", linewidth=1.4, zorder=3)
        )
    ax.plot([across.query], [up.query], markersize=11 if small else 17, zorder=5, **QUERY_STAR)


# ---------------------------------------------------------------- three and four


def _pairs(figure: Any, view: View, row: int) -> None:
    margins(figure, 0.95, 0.15, 0.68, 0.7)
    side = len(view.scales) - 1
    axes = figure.subplots(side, side, squeeze=False, gridspec_kw={"wspace": 0.12, "hspace": 0.12})
    room = 30 // side
    for r in range(side):
        for c in range(side):
            ax = axes[r, c]
            if c > r:
                ax.remove()
                continue
            _points(ax, view, c, r + 1, small=True)
            view.scales[c].dress(ax, "x", r == side - 1, room + 6)
            view.scales[r + 1].dress(ax, "y", c == 0, room)
            quiet(ax)
            ax.tick_params(labelbottom=r == side - 1, labelleft=c == 0, which="both")
            ax.xaxis.label.set_size("small")
            ax.yaxis.label.set_size("small")
            if r < side - 1:
                ax.xaxis.get_offset_text().set_visible(False)
            if c > 0:
                ax.yaxis.get_offset_text().set_visible(False)
        axes[r, 0].yaxis.set_label_coords(-0.62 / (5.2 / side), 0.5)
    note = "nearby in all features" if view.near.any() else None
    _pairs_legend(figure, view, row, note)


def _pairs_legend(figure: Any, view: View, row: int, note: str | None) -> None:
    """In the empty corner."""
    handles: list[Any] = [
        Line2D([], [], markersize=12, label=f"row {row}", **QUERY_STAR),
        Line2D([], [], marker="o", color=ROWS, markersize=4, linestyle="none", label="other rows"),
    ]
    if any(view.span(i) is not None for i in range(len(view.scales))):
        patch = _near_patch()
        patch.set_label("nearby in these two")
        handles.append(patch)
    if note:
        handles.append(
            Line2D(
                [],
                [],
                marker="D",
                color=NEAR,
                markeredgecolor=_NEAR_EDGE,
                markersize=5,
                linestyle="none",
                label=note,
            )
        )
    figure.legend(
        handles=handles,
        frameon=False,
        fontsize="small",
        loc="upper right",
        bbox_to_anchor=(1, 0.87),
    )


# ---------------------------------------------------------------- five and more


def _parallel(figure: Any, view: View, row: int) -> None:
    margins(figure, 0.45, 0.45, 0.9, 1.15)
    ax, k = figure.subplots(), len(view.scales)
    at = np.arange(k)
    units = np.column_stack(
        [_unit(scale, scale.place(view.values[:, i], True)) for i, scale in enumerate(view.scales)]
    )
    others = units[view.others]
    others = others[drawn_rows(others, _MOST_LINES)] if len(others) else others
    ax.add_collection(_lines(at, others, color=ROWS, alpha=0.22, linewidth=0.6))
    near = units[view.near][:_MOST_LINES]
    ax.add_collection(
        _lines(at, near, color=_NEAR_EDGE, alpha=0.8, linewidth=1.0, linestyle=(0, (4, 2)))
    )
    spans = [view.span(i) for i in range(k)]
    if all(span is not None for span in spans):
        edges = np.array(
            [_unit(s, np.array(span)) for s, span in zip(view.scales, spans, strict=True)]
        )
        ax.fill_between(at, *edges.T, facecolor=NEAR, alpha=0.3, linewidth=0, zorder=2.5)
        for edge in edges.T:
            ax.plot(at, edge, color=NEAR, linestyle="--", linewidth=1.3, zorder=2.6)
    ax.vlines(at, 0, 1, color=FAINT, linewidth=0.9, zorder=2)
    query = [float(_unit(s, np.array([s.query]))[0]) for s in view.scales]
    ax.plot(at, query, color=QUERY, linewidth=1.6, zorder=4)
    ax.plot(at, query, markersize=14, zorder=5, **QUERY_STAR)
    for i, scale in enumerate(view.scales):
        _ends(ax, i, scale)
    bottom = -0.14 if any(scale.missing for scale in view.scales) else -0.03
    ax.set(xlim=(-0.25, k - 0.75), ylim=(bottom, 1.03))
    room = max(9, 66 // k)
    ax.set_xticks(at, labels=[wrapped(scale.column.name, room, 3) for scale in view.scales])
    ax.tick_params(axis="x", length=0, labelsize="small", pad=16)
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    _legend(figure, view, row, **_BOTTOM)


def _lines(at: Any, heights: Any, **how: Any) -> LineCollection:
    segments = np.stack([np.broadcast_to(at, heights.shape), heights], axis=2)
    return LineCollection(list(segments), rasterized=True, **how)


def _unit(scale: Scale, positions: Any) -> Any:
    """Positions as shares of the axis."""
    return (positions - scale.low) / scale.width


def _ends(ax: Any, i: int, scale: Scale) -> None:
    """Write the values at both ends of a parallel axis."""
    if scale.column.kind == "category":
        texts = [
            label(scale.column.text(code), 11)
            for code in (0.0, max(len(scale.column.labels) - 1.0, 0.0))
        ]
        places = (0.6 / scale.width, 1 - 0.6 / scale.width)
        for text, place in zip(texts, places, strict=True):
            ax.annotate(
                text,
                (i, place),
                xytext=(4, 0),
                textcoords="offset points",
                fontsize="x-small",
                va="center",
            )
    else:
        factor = 86400.0 if scale.column.kind == "time" else 1.0
        for end, place, shift, va in ((scale.low, 0, -3, "top"), (scale.high, 1, 3, "bottom")):
            ax.annotate(
                label(scale.column.text(end * factor), 12),
                (i, place),
                xytext=(0, shift),
                textcoords="offset points",
                fontsize="x-small",
                ha="center",
                va=va,
            )
    if scale.missing:
        middle = float(_unit(scale, np.array([sum(scale.strip) / 2]))[0])
        ax.annotate(
            "missing",
            (i, middle),
            xytext=(4, 0),
            textcoords="offset points",
            fontsize="x-small",
            va="center",
        )
