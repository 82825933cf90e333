"""The rows that several detectors flag, and why: a matrix of rows and detectors."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ..explanation import ComparedRow, Comparison
from ..explanation.writing.comparing import NOTHING
from ..explanation.writing.wording import elide, plural, row_name
from .style import FAINT, label, margins, new_figure

MOST_ROWS = 40
MOST_NAME = 22

_POINTS = 8.0  # of the letters in a cell
_LETTER, _LINE = 0.06, 0.145  # inches of such a letter and of a line of them
_PAGE = 8.2  # inches: a wider picture is made smaller on a page, and its letters with it
_CELL = (1.1, 1.75)  # inches of the narrowest and of the widest cell

COLOURS = ("#0072B2", "#D55E00", "#007A5A", "#A8497D", "#8A6D00", "#4C5C9A", "#7A4B00")
"""Colours of the reasons with most rows, dark enough for white letters."""

OTHERS = "#5f5f5f"
"""Colour of all further reasons."""


def plot_comparison(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """Draw the rows that each detector flags, and the reasons.

    A line is a row, a column a detector. A framed cell says that the detector flags the row, and
    names the reason. Each of the most frequent reasons has a colour. In a cell without colour
    nothing is convincing, or the score is above the threshold without an explanation. Rows that
    most detectors flag come first; among them, rows with the same reason stand together.

    Parameters
    ----------
    comparison : Comparison
        From `compare`. The plot shows the first 40 rows.
    ax : matplotlib Axes, optional
        Axes to draw on. Default: those of a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod.models.knn import KNN
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> from pyod_aspects.explanation import compare
    >>> X = load_demo().frame.select_dtypes("number")
    >>> detectors = {"ECOD": ECOD().fit(X), "KNN": KNN().fit(X)}
    >>> answers = {name: AspectExplainer(d).fit(X).explain() for name, d in detectors.items()}
    >>> ax = plot_comparison(compare(answers))
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['ECOD', 'KNN']
    """
    shown = sorted(comparison.rows[:MOST_ROWS], key=_order)
    names = [elide(name, MOST_NAME) for name in comparison.names]
    rows = [f"row {row_name(row.row, row.label, 18)}" for row in shown]
    if ax is None:
        said = [_words(comparison, row, k) for row in shown for k in range(len(names))]
        ax = _new_axes(rows, len(names), max(map(len, said), default=0))
    if not shown:
        ax.text(0.5, 0.5, "no row is flagged", ha="center", transform=ax.transAxes)
        ax.set_axis_off()
        return ax
    room = _room(ax, len(shown), len(names))
    for i, row in enumerate(shown):
        for k in range(len(names)):
            if row.flagged[k]:
                _draw_cell(ax, _in_lines(_words(comparison, row, k), *room), row.reasons[k], i, k)
    _draw_blocks(ax, [row.n_detectors for row in shown], len(names))
    ax.set(xlim=(0, len(names)), ylim=(len(shown), 0))
    ax.set_xticks([k + 0.5 for k in range(len(names))], labels=list(map(label, names)))
    ax.set_yticks([i + 0.5 for i in range(len(shown))], labels=list(map(label, rows)))
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.tick_params(axis="y", labelsize="small")
    ax.spines[:].set_visible(False)
    ax.set_xlabel(_note(comparison, len(shown)), fontsize="small")
    return ax


def _order(row: ComparedRow) -> tuple[int, list[int], list[bool]]:
    """Sort key: rows of most detectors first, then by their reasons, then by the detectors."""
    known = sorted({reason for reason in row.reasons if reason is not None})
    return -row.n_detectors, known or [10**9], [not one for one in row.flagged]


def _words(comparison: Comparison, row: ComparedRow, k: int) -> str:
    """Reason for which a detector flags a row; "" if it does not."""
    reason = row.reasons[k]
    if not row.flagged[k]:
        return ""
    if row.places[k] is None:
        return "not explained"
    return NOTHING if reason is None else comparison.reasons[reason].short


def _in_lines(words: str, letters: int, lines: int) -> str:
    """Words in one line, or in two about as long ones, each cut to so many letters.

    >>> print(_in_lines("worst area is high", 12, 2))
    worst area
    is high
    """
    if len(words) <= letters or lines == 1 or " " not in words:
        return label(words, letters)
    spaces = [i for i, letter in enumerate(words) if letter == " "]
    middle = min(spaces, key=lambda i: max(i, len(words) - i - 1))
    return f"{label(words[:middle], letters)}\n{label(words[middle + 1 :], letters)}"


def _draw_cell(ax: Axes, words: str, reason: int | None, i: int, k: int) -> None:
    """Fill a cell, with the reason in words."""
    place = (k + 0.02, i + 0.07)
    if reason is None:
        frame = Rectangle(place, 0.96, 0.86, facecolor="none", edgecolor=FAINT, linewidth=0.8)
        ink = FAINT
    else:
        colour = COLOURS[reason] if reason < len(COLOURS) else OTHERS
        frame = Rectangle(place, 0.96, 0.86, facecolor=colour, edgecolor="none")
        ink = "white"
    ax.add_patch(frame)
    where: Any = {"ha": "center", "va": "center", "fontsize": _POINTS, "linespacing": 1.05}
    ax.text(k + 0.5, i + 0.5, words, color=ink, **where)


def _draw_blocks(ax: Axes, n_detectors: list[int], total: int) -> None:
    """Write on the right how many detectors flag the rows, and draw a line between the blocks."""
    for n in sorted(set(n_detectors)):
        start, size = n_detectors.index(n), n_detectors.count(n)
        if start:
            ax.hlines(start, 0, total, color=FAINT, linewidth=1.0)
        words = f"all {n}" if n == total > 2 else "both" if n == total else "one" if n == 1 else n
        where: Any = {"ha": "left", "va": "center", "fontsize": "small", "clip_on": False}
        ax.text(total + 0.04, start + size / 2, f"by {words}", color=FAINT, **where)


def _note(comparison: Comparison, shown: int) -> str:
    """Say what a cell means, and how many rows the plot leaves out."""
    notes = ["framed: flagged; coloured: for this reason"]
    if len(comparison.rows) > shown:
        notes.append(f"{plural(len(comparison.rows) - shown, 'more row')} not shown")
    return "; ".join(notes)


def _new_axes(rows: list[str], n_names: int, longest: int) -> Axes:
    """Axes with space for names of rows to the left and of detectors above.

    The more detectors, the narrower the cells, so that the picture fits a page. Words longer than a
    cell then take two lines.
    """
    left = max(0.85, 0.25 + 0.078 * max(map(len, rows), default=0))
    cell = min(max((_PAGE - left - 0.6) / n_names, _CELL[0]), _CELL[1])
    line = 0.24 if longest <= _letters(cell) else 0.24 + _LINE
    figure = new_figure(left + cell * n_names + 0.6, line * max(len(rows), 2) + 0.85)
    margins(figure, left, 0.6, 0.4, 0.4)
    return figure.subplots()


def _letters(cell: float) -> int:
    """Letters that a line of a cell holds, which is so many inches wide."""
    return max(4, int((0.96 * cell - 0.04) / _LETTER))


def _room(ax: Axes, n_rows: int, n_names: int) -> tuple[int, int]:
    """Letters of a line, and lines, that a cell of the axes holds."""
    size, dpi = ax.bbox, ax.figure.dpi
    width, height = size.width / dpi, size.height / dpi
    return _letters(width / n_names), 2 if height / max(n_rows, 2) > 2.2 * _LINE else 1
