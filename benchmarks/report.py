"""From results to the page for developers: a table in Markdown and a plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Picture
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from . import markdown
from .registry import Benchmark
from .results import Figure, Outcome, Store, write_whole
from .rows import users

PAGE = """---
orphan: true
---
# Notes on speed

How fast the parts of `pyod_aspects` are, measured by `python -m benchmarks`.
"""

COLOURS = {True: "#3d8fc7", False: "#D55E00", None: "#8a8a8a"}  # met, missed, no verdict
CURVES = ("#009E73", "#7AC5A9", "#8a5fa8", "#1f5f8b", "#7db9e0", "#D55E00", "#E69F00")

STYLE: Any = {
    "font.size": 9,
    "axes.titlesize": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "pyod_aspects",  # makes the file reproducible
}


def table(store: Store, benchmarks: Sequence[Benchmark]) -> str:
    """All figures as a Markdown table, with a line for each one not measured."""
    sign = {True: "yes", False: "**no**", None: "–"}
    return markdown.table(
        ["", "what", "measured", "target", "met"],
        (
            [str(i), f.what, f.measured, f.target, sign[f.met]]
            for i, f in enumerate(_figures(store, benchmarks), 1)
        ),
    )


def details(store: Store, benchmarks: Sequence[Benchmark]) -> str:
    """For each line of the table: the comparison, its data and its time."""
    notes = [f.note or "see the line above" for f in _figures(store, benchmarks)]
    return "\n".join(f"{i}. {note}" for i, note in enumerate(notes, 1))


def _figures(store: Store, benchmarks: Sequence[Benchmark]) -> Iterator[Figure]:
    for one in benchmarks:
        if one.name in store.entries:
            yield from store.outcome(one.name).figures
        else:
            yield Figure(one.title, "–", "", note="not measured")


def picture(outcomes: Sequence[Outcome]) -> Picture:
    """Plot the distance of each figure from its target, and the growth of time with rows."""
    figures = [f for o in outcomes for f in o.figures if f.margin is not None]
    curves = {label: points for o in outcomes for label, points in o.curves.items()}
    height = 1.2 + 0.27 * len(figures) + (3.2 if curves else 0.0)
    with mpl.rc_context(STYLE):
        drawn = Picture(figsize=(9.2, height), layout="constrained")
        ratios = [0.6 + 0.27 * len(figures)] + ([3.2] if curves else [])
        axes = drawn.subplots(len(ratios), 1, height_ratios=ratios, squeeze=False)[:, 0]
        _draw_margins(axes[0], figures)
        if curves:
            _draw_growth(axes[1], curves)
    return drawn


def _draw_margins(ax: Axes, figures: Sequence[Figure]) -> None:
    for y, f in enumerate(figures):
        colour = COLOURS[f.met]
        ax.plot([1.0, f.margin or 1.0], [y, y], color=colour, linewidth=1.6)
        ax.plot([f.margin or 1.0], [y], marker="o", color=colour, markersize=5)
        ax.annotate(
            f.measured,
            (max(1.0, f.margin or 1.0), y),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=6.5,
        )
    ax.margins(x=0.25)
    ax.axvline(1.0, color="black", linewidth=0.8)
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}×"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set_yticks(range(len(figures)), [f.what.replace("`", "") for f in figures], fontsize=7.5)
    ax.set_ylim(max(1, len(figures)) - 0.5, -0.5)
    ax.set_title("Times better than the target (right of the line: met)", loc="left")


def _draw_growth(ax: Axes, curves: dict[str, list[tuple[float, float]]]) -> None:
    for i, (label, points) in enumerate(sorted(curves.items())):
        rows, times = zip(*points, strict=True)
        colour = CURVES[i % len(CURVES)]
        ax.plot(rows, times, marker="o", markersize=4, color=colour, label=label)
        in_proportion = [times[0] * n / rows[0] for n in rows]
        ax.plot(rows, in_proportion, color=colour, linestyle=":", linewidth=1)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks(rows, [f"{n:,.0f}" for n in rows])
    ax.set_xticks([], minor=True)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g} s"))
    ax.set_xlabel("rows")
    ax.set_title("Time of SGBeam (dotted: in proportion to the rows)", loc="left")
    # Beside the axes, where the names of the figures above leave room.
    ax.legend(frameon=False, loc="upper right", bbox_to_anchor=(-0.12, 1.0))


ALT = (
    "For every figure of the table how many times better or worse than its target it is, "
    "and the time of SGBeam over the number of rows on logarithmic axes."
)


def generated(store: Store, benchmarks: Sequence[Benchmark]) -> str:
    """Return the generated part of the page."""
    figure = f"```{{figure}} _static/performance.svg\n:alt: {ALT}\n```"
    how = "How each line was measured:"
    parts = [markdown.circumstances(store.entries.values()), table(store, benchmarks), figure, how]
    return "\n\n".join([*parts, details(store, benchmarks)])


def save(drawn: Picture, path: Path) -> None:
    """Write a picture as a whole file; the same picture gives the same file."""
    text = StringIO()
    drawn.savefig(text, format="svg", metadata={"Date": None})
    write_whole(path, text.getvalue())


def write(store: Store, benchmarks: Sequence[Benchmark], folder: Path) -> Path:
    """Write the plot, and the table into the page between its markers; return the page."""
    page = folder / "performance_notes.md"
    (folder / "_static").mkdir(parents=True, exist_ok=True)
    benchmarks = [b for b in benchmarks if b.name != users.NAME]  # they have a page of their own
    measured = [store.outcome(b.name) for b in benchmarks if b.name in store.entries]
    plot = folder / "_static" / "performance.svg"
    with mpl.rc_context(STYLE):
        save(picture(measured), plot)
    markdown.renew(page, {"generated": generated(store, benchmarks)}, PAGE)
    return page
