"""The plots of the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from ..report import STYLE, save
from .cells import Cells
from .paper import COLUMNS, N_SHUTTLE, SHARES
from .peers import COLUMNS as COLUMNS_OF_PEERS
from .peers import N_ROWS, growth_table
from .printed import MINERS

COLOURS = dict(zip(MINERS, ("#8a8a8a", "#D55E00", "#1f5f8b", "#7db9e0"), strict=True))
MARKERS = dict(zip(MINERS, ("s", "^", "o", "D"), strict=True))


def scale_up(cells: Cells, path: Path) -> None:
    """Plot runtime against rows and columns; a hollow mark stands for a reached limit."""
    table = "shuttle" if "shuttle_005/GBeam" in cells else "shuttle_like"
    rows = [(N_SHUTTLE * share // 100, f"{table}_{share:03}") for share in SHARES]
    columns = [(d, f"wide_{d:04}") for d in COLUMNS]
    with mpl.rc_context(STYLE):
        drawn = Figure(figsize=(9.2, 4.2), layout="constrained")
        left, right = drawn.subplots(1, 2)
        _draw(left, cells, rows)
        left.set_xlabel("rows")
        left.set_title(f"{table.replace('_', '-')}, 9 columns, 10 queries", loc="left")
        _draw(right, cells, columns)
        right.set_xlabel("columns")
        right.set_title("Generated, 31,159 rows, 1 query", loc="left")
        if left.get_legend_handles_labels()[0]:
            left.legend(frameon=False)
        save(drawn, path)


def _draw(ax: Axes, cells: Cells, sizes: Sequence[tuple[int, str]]) -> None:
    ax.set_xlim(0.8 * sizes[0][0], 1.3 * sizes[-1][0])
    for miner in MINERS:
        results = {n: cells.result(f"{table}/{miner}") or {} for n, table in sizes}
        done = [(n, r["seconds"]) for n, r in results.items() if "seconds" in r]
        style: dict[str, Any] = {"color": COLOURS[miner], "marker": MARKERS[miner], "markersize": 5}
        if done:
            ax.plot([n for n, _ in done], [t for _, t in done], label=miner, **style)
        over = [(n, r["over"]) for n, r in results.items() if "over" in r and "after" not in r]
        for n, limit in over[:1]:
            ax.plot([n], [limit], markerfacecolor="white", linestyle="none", **style)
            ax.annotate(
                f"> {limit:,.0f} s",
                (n, limit),
                xytext=(7, -3),
                textcoords="offset points",
                fontsize=7.5,
                color=COLOURS[miner],
            )
    ax.set_xscale("log")
    if ax.lines:
        ax.set_yscale("log")
    ax.set_xticks([n for n, _ in sizes], [f"{n:,}" for n, _ in sizes], fontsize=7.5, rotation=30)
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set_xticks([], minor=True)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g} s"))
    ax.yaxis.set_minor_formatter(NullFormatter())


PEER_STYLES: dict[str, tuple[str, str]] = {
    "SGBeam": ("#1f5f8b", "o"),
    "SGBeam-zscore": ("#4a90c2", "o"),
    "GBeam": ("#7db9e0", "D"),
    "KDEBeam": ("#D55E00", "^"),
    "outliertree": ("#E69F00", "s"),
    "outliertree-5": ("#b37700", "s"),
    "outliertree-tuned": ("#7a5200", "s"),
    "AcME-AD": ("#8e5ea2", "v"),
    "shapiq": ("#0f7a4f", "P"),
    "KernelSHAP": ("#3cb371", "X"),
    "TreeSHAP": ("#98c379", "p"),
    "LIME": ("#c23b6b", "*"),
    "ECOD": ("#555555", "<"),
    "COPOD": ("#8a8a8a", ">"),
    "ADEngine": ("#b5b5b5", "h"),
}
"""Colour and marker: families have similar colours."""


def peer_growth(cells: Cells, path: Path) -> None:
    """Plot the time of each peer against rows and columns."""
    with mpl.rc_context(STYLE):
        drawn = Figure(figsize=(9.2, 4.4), layout="constrained")
        axes = drawn.subplots(1, 2, sharey=True)
        for ax, series, sizes, what in zip(
            axes,
            ("rows", "columns"),
            (N_ROWS, COLUMNS_OF_PEERS),
            ("10 columns", "1,000 rows"),
            strict=True,
        ):
            for peer, (colour, marker) in PEER_STYLES.items():
                results = {
                    n: cells.result(f"{growth_table(series, n)}/{peer}") or {} for n in sizes
                }
                done = [(n, r["seconds"]) for n, r in results.items() if "seconds" in r]
                if done:
                    x, y = zip(*done, strict=True)
                    thick = 2.4 if peer == "SGBeam" else 1.2
                    ax.plot(x, y, color=colour, marker=marker, ms=5, lw=thick, label=peer)
            ax.set_xscale("log")
            if ax.lines:
                ax.set_yscale("log")
            ax.set_xticks(sizes, [f"{n:,}" for n in sizes])
            ax.set_xticks([], minor=True)
            ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g} s"))
            ax.set_xlabel(series)
            ax.set_title(f"Five rows explained, {what}", loc="left")
        handles, labels = axes[0].get_legend_handles_labels()
        drawn.legend(handles, labels, loc="outside right center", frameon=False, fontsize=8)
        save(drawn, path)
