"""Find space for words in a picture: they cover no rows, no marks and no other words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._util.types import AnyArray, FloatArray
from .style import measure

Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in pixels of the figure."""

_GRID = (17, 13)  # places to try across and up
_EDGE = 4.0  # points between words and the axes
_CELL = 5.0  # pixels
_PER_ROW = 8.0  # points of detour to avoid covering one row; ten times that for a hundred
_PER_BOX = 3000.0  # pixels of detour to avoid covering a mark


@dataclass
class Room:
    """Contents of an axes so far.

    Attributes
    ----------
    ax : matplotlib Axes
        Axes with final limits.
    points : ndarray of shape (n, 2)
        Rows in the picture, in pixels.
    boxes : list of Box
        Marks and words in the picture.
    marks : list of Box
        For each marked row the box around it, with its frame.
    """

    ax: Any
    points: FloatArray
    boxes: list[Box] = field(default_factory=list)
    marks: list[Box] = field(default_factory=list)
    _sums: FloatArray | None = None

    def add(self, corners: AnyArray, margin: float = 0.0) -> Box:
        """Keep the box around these points free, with a margin in points."""
        more, corners = self.pixels(margin), np.atleast_2d(corners)
        low, high = corners.min(axis=0) - more, corners.max(axis=0) + more
        box = float(low[0]), float(low[1]), float(high[0]), float(high[1])
        self.boxes.append(box)
        return box

    def pixels(self, points: float) -> float:
        """Length in points as pixels."""
        return float(points * self.ax.figure.dpi / 72)

    def write(
        self,
        text: str,
        at: FloatArray,
        away: float,
        color: str,
        mark: Box | None = None,
        optional: bool = False,
        **how: Any,
    ) -> None:
        """Write words near a place, `away` points or more from the mark there.

        The words get the nearest place that covers least, beside the mark or on a grid. A line
        leads to words that are far. Optional words disappear if there is no space.
        """
        around = (*at, *at) if mark is None else mark
        first_corner, last_corner = np.array(around[:2]), np.array(around[2:])
        note = self.ax.text(0, 0, text, ha="center", va="center", multialignment="left", **how)
        ((width, height),) = measure(self.ax.figure, note)
        frame, edge = self.ax.get_window_extent(), self.pixels(_EDGE)
        gap, half = self.pixels(away), np.array([width, height]) / 2
        middles = self._places(first_corner, last_corner, half, gap)
        low, high = middles - half, middles + half
        away_from = np.maximum(np.maximum(first_corner - high, low - last_corner), 0.0)
        distance = np.hypot(away_from[:, 0], away_from[:, 1])
        cost = distance + np.where(distance < 0.9 * gap, _PER_BOX, 0.0)
        first, last = (frame.x0 + edge, frame.y0 + edge), (frame.x1 + edge, frame.y1 + edge)
        within = (low >= first).all(axis=1) & (high <= last).all(axis=1)
        cost += np.where(within, 0.0, 10 * _PER_BOX)
        cost += self.pixels(_PER_ROW) * np.sqrt(self._covered(low, high))
        for x0, y0, x1, y1 in self.boxes:
            apart = (high[:, 0] < x0) | (low[:, 0] > x1) | (high[:, 1] < y0) | (low[:, 1] > y1)
            cost += np.where(apart, 0.0, _PER_BOX)
        best = int(np.argmin(cost))
        if optional and cost[best] >= _PER_BOX:
            note.remove()
            return
        note.set_position(self.ax.transData.inverted().transform(middles[best]))
        self.add(np.array([low[best], high[best]]), 2.0)
        if distance[best] > self.pixels(2.0 * away):
            ends = [np.clip(at, low[best], high[best]), at]
            line = self.ax.transData.inverted().transform(ends)
            self.ax.plot(*line.T, color=color, linewidth=0.7, zorder=3.9)

    def _covered(self, low: FloatArray, high: FloatArray) -> AnyArray:
        """Approximate number of rows that boxes cover, counted in cells of a few pixels."""
        frame = self.ax.get_window_extent()
        size = np.array([frame.width, frame.height])
        n = np.maximum(size // _CELL, 1).astype(int)
        if self._sums is None:
            ends = [(frame.x0, frame.x1), (frame.y0, frame.y1)]
            x, y = self.points.T
            counts = np.histogram2d(x, y, bins=[int(n[0]), int(n[1])], range=ends)[0]
            self._sums = np.zeros(n + 1)
            self._sums[1:, 1:] = counts.cumsum(axis=0).cumsum(axis=1)
        corner, cell = np.array([frame.x0, frame.y0]), size / n
        first = np.clip(np.floor((low - corner) / cell).astype(int), 0, n)
        last = np.clip(np.ceil((high - corner) / cell).astype(int), 0, n)
        sums, (x0, y0), (x1, y1) = self._sums, first.T, last.T
        return np.asarray(sums[x1, y1] - sums[x0, y1] - sums[x1, y0] + sums[x0, y0])

    def _places(
        self, first: FloatArray, last: FloatArray, half: FloatArray, gap: float
    ) -> FloatArray:
        """Middles of the words to try: beside the mark, then all over the axes."""
        frame = self.ax.get_window_extent()
        middle = (first + last) / 2
        across = [first[0] - half[0] - gap, middle[0], last[0] + half[0] + gap]
        across += [first[0] + half[0], last[0] - half[0]]  # flush with the mark
        up = [last[1] + half[1] + gap, middle[1], first[1] - half[1] - gap]
        beside = [(x, y) for y in (up[1], up[0], up[2]) for x in (across[2], across[0], *across)]
        xs = np.linspace(frame.x0 + half[0], frame.x1 - half[0], _GRID[0])
        ys = np.linspace(frame.y0 + half[1], frame.y1 - half[1], _GRID[1])
        everywhere = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        return np.vstack([np.array(beside), everywhere])
