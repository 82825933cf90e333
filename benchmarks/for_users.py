"""The page for users, "how long will mine take": a table and a plot."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure as Picture
from matplotlib.ticker import FuncFormatter, NullLocator

from . import markdown
from .report import STYLE, save
from .results import Outcome, Store
from .rows.users import NAME, WITH_P_VALUES
from .timing import shown

PAGE = """---
orphan: true
---
# Performance

How long an explanation takes, measured by `python -m benchmarks`.
"""

COLOURS = ("#1f5f8b", "#009E73", "#D55E00", "#8a5fa8")

ALT = (
    "Seconds to explain ten rows over the number of rows of the table, on logarithmic axes, one "
    "line for each number of features; dotted lines include p-values."
)

ALSO = ("first-use", "batch", "memory", "click")
"""Benchmarks that answer further questions of users, in this order."""


def table(outcome: Outcome) -> str:
    """Table of rows by features: the time of ten rows, and with p-values in brackets."""
    alone = {k: dict(v) for k, v in outcome.curves.items() if not k.endswith(WITH_P_VALUES)}
    sizes = sorted({n for points in alone.values() for n in points})
    lines = []
    for n in sizes:
        cells = []
        for name, points in alone.items():
            with_p = dict(outcome.curves[name + WITH_P_VALUES])
            cells.append(f"{_whole(points[n])} ({_whole(with_p[n])})" if n in points else "–")
        lines.append([f"{n:,.0f}", *cells])
    return markdown.table(["rows", *alone], lines)


def _whole(time: float) -> str:
    """Format a time so that a browser does not break it between number and unit."""
    return shown(time).replace(" ", "\u00a0")


def further(store: Store) -> str:
    """List further figures, one line each: the first call, batches, memory, the widget."""
    figures = [f for name in ALSO if name in store.entries for f in store.outcome(name).figures]
    kept = [f for f in figures if "zscore" not in f.what and "against" not in f.what]
    lines = ([f.what.replace(" queries", " explained rows"), f.measured] for f in kept)
    return markdown.table(["", "measured"], lines)


def picture(outcome: Outcome) -> Picture:
    """Plot time over rows, a line for each number of features."""
    with mpl.rc_context(STYLE):
        drawn = Picture(figsize=(5.6, 3.3), layout="constrained")
        ax = drawn.subplots()
        alone = [name for name in outcome.curves if not name.endswith(WITH_P_VALUES)]
        for name, colour in zip(alone, COLOURS, strict=False):
            rows, times = zip(*outcome.curves[name], strict=True)
            ax.plot(rows, times, marker="o", markersize=4, color=colour, label=name)
            rows, times = zip(*outcome.curves[name + WITH_P_VALUES], strict=True)
            ax.plot(rows, times, linestyle=":", color=colour, linewidth=1.2)
        ax.set_xscale("log")
        ax.set_yscale("log")
        sizes = sorted({n for name in alone for n, _ in outcome.curves[name]})
        ax.set_xticks(sizes, [f"{n:,.0f}" for n in sizes])
        ax.xaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g} s"))
        ax.set_xlabel("rows")
        ax.set_title("Ten rows explained on one core (dotted: with p-values)", loc="left")
        ax.legend(frameon=False, loc="upper left")
    return drawn


def write(store: Store, folder: Path) -> Path:
    """Write the plot, and the tables into the page between their markers; return the page."""
    page = folder / "performance.md"
    new = {"further": further(store)}
    if NAME in store.entries:
        outcome = store.outcome(NAME)
        with mpl.rc_context(STYLE):
            save(picture(outcome), folder / "_static" / "how_long.svg")
        figure = f"```{{figure}} _static/how_long.svg\n:alt: {ALT}\n```"
        new |= {
            "how-long": f"{table(outcome)}\n\n{figure}",
            "circumstances": markdown.circumstances([store.entries[NAME]]),
        }
    markdown.renew(page, new, PAGE)
    return page
