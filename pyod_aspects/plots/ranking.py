"""The aspects of one row, best first: rows nearby against rows expected."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib import ticker
from matplotlib.axes import Axes

from .._util.numbers import density_text, set_minus
from .._util.types import FloatArray
from ..explanation import Aspect, Explanation
from ..explanation.writing.wording import no_aspect_words, row_words, score_words, usual_density
from .style import QUERY, QUERY_STAR, ROWS, hide_frame, label, margins, new_figure, wrap

MOST_ASPECTS = 20

_SMALLEST, _LARGEST = 1e-100, 1e100
_NUMBERS = (48.0, 52.0)  # points for the numbers beside bars, left and right


def plot_aspects(explanation: Explanation, row: int | str, ax: Axes | None = None) -> Axes:
    """Draw the aspects of a row, the best on top: the rows nearby, and the rows expected.

    A bar goes from the rows nearby, a star, to the rows expected, a dot, on a logarithmic scale:
    the longer the bar, the more outlying. For kernel densities the dot is the average. The score
    stands beside the bar.

    Parameters
    ----------
    explanation : Explanation
    row : int or str
        An explained row, by position or label.
    ax : matplotlib Axes, optional
        Axes to draw on. Default: those of a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> X = load_demo().frame.select_dtypes("number")
    >>> explanation = AspectExplainer(ECOD().fit(X)).fit(X).explain(n_queries=1)
    >>> ax = plot_aspects(explanation, explanation[0].row)
    >>> ax.get_yticklabels()[0].get_text()
    'carat'
    """
    query = explanation.row(row)
    aspects = query.aspects[:MOST_ASPECTS]
    if ax is None:
        figure = new_figure(6.4, 1.15 + 0.32 * max(len(aspects), 2))
        margins(figure, 2.1, 1.15, 0.55, 0.6)
        ax = figure.subplots()
    title = label(f"{row_words(query, 'Row', 24)}: where it stands out", 80)
    ax.set_title(title, fontsize="medium", fontweight="bold", loc="left", pad=14)
    hide_frame(ax)
    if not aspects:
        words = no_aspect_words(explanation, query)
        ax.text(0.5, 0.5, words, ha="center", transform=ax.transAxes, wrap=True)
        ax.set_axis_off()
        return ax
    places = np.arange(len(aspects))
    here, usual = _ends(explanation, aspects)
    ax.hlines(places, here, usual, color=QUERY, alpha=0.3, linewidth=5)
    ax.plot(usual, places, "o", color=ROWS, markersize=6, label=usual_density(aspects[0])[1])
    ax.plot(here, places, markersize=11, zorder=4, label=_here_words(explanation), **QUERY_STAR)
    for place, aspect in enumerate(aspects):
        _write_ends(ax, explanation, here[place], usual[place], place)
        _write(ax, score_words(explanation, aspect), 1.0, place, 6, "left")
    ax.set_yticks(places, labels=[wrap(" × ".join(a.features), 30) for a in aspects])
    ax.set_ylim(len(aspects) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    _set_scale(ax, np.concatenate([here, usual]), explanation)
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=2,
        frameon=False,
        fontsize="small",
        borderpad=0,
        borderaxespad=0.1,
        handletextpad=0.2,
        columnspacing=1.2,
    )
    return ax


def _ends(explanation: Explanation, aspects: tuple[Aspect, ...]) -> tuple[FloatArray, FloatArray]:
    """Ends of the bars: at the row, and the usual value; NaN where unknown."""
    ends = np.array([[a.density for a in aspects], [usual_density(a)[0] for a in aspects]])
    ends[~((ends >= 0.0) & (ends < np.inf))] = np.nan
    ends = np.minimum(ends, _LARGEST / 1e20)
    # A logarithmic scale has no 0: put it at a tenth of the least.
    least = np.nanmin(ends[ends > _SMALLEST], initial=_LARGEST) / 10.0
    floor = least if least < _LARGEST / 100.0 else 1.0
    first, second = np.where(ends <= _SMALLEST, floor, ends)
    return first, second


def _here_words(explanation: Explanation) -> str:
    return "rows nearby" if explanation.measure == "count" else "density at the row"


def _write_ends(ax: Axes, explanation: Explanation, here: float, usual: float, place: int) -> None:
    """Write numbers beside the ends of a bar, on the outside."""
    sides = (-1, 1) if not here > usual else (1, -1)
    for value, side, gap in ((here, sides[0], 8), (usual, sides[1], 6)):
        if math.isnan(value):
            continue
        text = density_text(value, explanation.measure)
        _write(ax, text, value, place, side * gap, "left" if side > 0 else "right", data=True)


def _write(
    ax: Axes, text: str, x: float, place: int, shift: float, ha: str, data: bool = False
) -> None:
    how: dict[str, Any] = {} if data else {"xycoords": ("axes fraction", "data")}
    ax.annotate(
        label(set_minus(text), 40),
        (x, place),
        xytext=(shift, 0),
        textcoords="offset points",
        ha=ha,
        va="center",
        fontsize="small",
        annotation_clip=False,
        **how,
    )


def _set_scale(ax: Axes, ends: FloatArray, explanation: Explanation) -> None:
    """Set a logarithmic scale with plain numbers, and space for those at the ends of bars."""
    known = ends[np.isfinite(ends)]
    low, high = (known.min(), known.max()) if known.size else (1.0, 10.0)
    ax.set_xscale("log")
    points = ax.get_window_extent().width * 72 / ax.figure.dpi
    decades = max(math.log10(high) - math.log10(low), 1.0)
    unit = decades / max(points - sum(_NUMBERS), 0.4 * points)  # decades in the width of a point
    left, right = (10.0 ** (room * unit) for room in _NUMBERS)
    ax.set_xlim(max(low / left, _SMALLEST), min(high * right, _LARGEST))
    steps = (1.0, 2.0, 5.0) if high < 200.0 * low else (1.0,)
    ticks = ticker.LogLocator(subs=steps, numticks=6).tick_values(low, high)
    first, last = low / 1.01, high * right**0.6  # no ticks below: a count of 0.1 says nothing
    ax.xaxis.set_major_locator(ticker.FixedLocator([t for t in ticks if first <= t <= last]))
    ax.xaxis.set_major_formatter(ticker.FuncFormatter(_number))
    ax.xaxis.set_minor_locator(ticker.NullLocator())
    what = "rows" if explanation.measure == "count" else "density"
    rank = "; rank 1 is the loneliest" if explanation.score_name == "rank" else ""
    ax.set_xlabel(f"{what} (logarithmic){rank}", fontsize="small")


def _number(x: float, _: float) -> str:
    return f"{x:,.0f}" if 1.0 <= x < 1e9 else f"{x:g}"
