"""What a picture is made of, for tests that look at its parts."""

from __future__ import annotations

import numpy as np
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
