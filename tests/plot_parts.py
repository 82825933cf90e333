"""What a picture is made of, for tests that look at its parts."""

from __future__ import annotations

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Rectangle

ALL = [(0,), (1,), (2,), (3,), (0, 1), (1, 2), (2, 3), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4)]


class Scores:
    """A detector that is nothing but its scores."""

    def __init__(self, scores):
        self.decision_scores_ = np.asarray(scores, dtype=float)


def texts(figure):
    return [text.get_text() for text in figure.findobj(lambda a: hasattr(a, "get_text"))]


def title(figure):
    (found,) = (text for text in texts(figure) if text.startswith("Row "))
    return found


def stars(ax):
    return [line for line in ax.lines if line.get_marker() == "*"]


def dashed_box(ax):
    boxes = [p for p in ax.patches if isinstance(p, Rectangle) and p.get_linestyle() == "--"]
    assert len(boxes) == 1
    return boxes[0]


def capsules(ax):
    """Ends of the ranges that are drawn: x and y of each, with the round ends."""
    found = []
    for line in (line for line in ax.lines if line.get_gid() == "expected"):
        ends = line.get_transform().transform(np.column_stack(line.get_data()))
        along = ends[-1] - ends[0]
        if along.any():
            along *= line.get_linewidth() / 2 * ax.figure.dpi / 72 / np.hypot(*along)
        x, y = line.get_transform().inverted().transform([ends[0] - along, ends[-1] + along]).T
        found.append((tuple(x), tuple(y)))
    return found


def outside_marks(ax):
    """Where arrows stand for rows outside the window."""
    marks = [line for line in ax.lines if line.get_gid() == "outside"]
    return [
        place for mark in marks for place in zip(mark.get_xdata(), mark.get_ydata(), strict=True)
    ]


def extent(figure, text):
    """Box of a text, in pixels."""
    return text.get_window_extent(FigureCanvasAgg(figure).get_renderer())
