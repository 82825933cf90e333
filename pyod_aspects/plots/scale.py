"""A column as an axis: numbers, categories by name, dates, and strips beside them.

The axis shows the window that holds the rows. A marked row that lies a little outside widens the
window. One that lies far outside gets a strip of its own behind a break, so that the others stay
visible. Missing values have a strip, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib import dates

from .._util.types import AnyArray, FloatArray
from ..tables import Column
from .window import Range

_DAY = 86400.0

# A shorter span of times appears in seconds: matplotlib's dates have microseconds.
_SHORT = 1.0

_MARGIN = 0.04  # this and the next two are shares of the window
_GAP, _STRIP = 0.05, 0.16
_MISSING_GAP, _MISSING = 0.02, 0.1


@dataclass(frozen=True)
class Scale:
    """Positions of the values of a column on an axis.

    Attributes
    ----------
    column : Column
    window : tuple of float
        Ends of the part to scale, in the numbers of the column.
    shown : tuple of float
        The window without margins: its ends are values of rows, or meaningful ones.
    marked : tuple of float
        Values that must be visible: the query's, or those of a group.
    missing : bool
        Whether there is a strip for missing values, below all others.
    below, above : tuple of float or None
        Ends of the strips behind breaks, in the numbers of the column.
    days : bool
        Whether the axis is one of dates.
    """

    column: Column
    window: Range
    shown: Range
    marked: tuple[float, ...]
    missing: bool
    below: Range | None = None
    above: Range | None = None
    days: bool = False

    @classmethod
    def of(
        cls,
        column: Column,
        window: Range,
        marked: Sequence[float] | FloatArray,
        missing: bool,
        near: Range | None = None,
        wanted: Sequence[Range] = (),
        beyond: float = 0.3,
        far: float = 1.5,
    ) -> Scale:
        """Make a scale for the window of the rows, the marked values and the wanted ranges.

        `near` is the neighbourhood of the only marked value; it widens the window by at most the
        share `beyond`. A marked value widens it by at most `far` windows; one farther out gets a
        strip.
        """
        values = tuple(map(float, marked))
        present = np.array([value for value in values if np.isfinite(value)])
        missing = missing or len(present) < len(values)
        if column.kind == "category":
            most = max([len(column.labels) - 1.0, *present])
            return cls(column, (-0.6, most + 0.6), (0.0, most), values, missing)
        low = min([window[0], *(one[0] for one in wanted)])
        high = max([window[1], *(one[1] for one in wanted)])
        width = high - low
        is_below, is_above = present < low - far * width, present > high + far * width
        seen = present[~is_below & ~is_above]
        low, high = min([low, *seen]), max([high, *seen])
        if near is not None and seen.size and np.isfinite(near).all():
            # Show the edge of the neighbourhood, but do not squeeze the rest for it.
            width = high - low
            low = max(min(low, near[0]), low - beyond * width)
            high = min(max(high, near[1]), high + beyond * width)
        margin = _MARGIN * (high - low) or max(0.05 * abs(low), 0.5)
        days = column.kind == "time" and not (column.offset and high - low < _SHORT)
        window = (low - margin, high + margin)
        is_below, is_above = present < window[0], present > window[1]
        below, above = (_strip_range(present[out], window, near) for out in (is_below, is_above))
        return cls(column, window, (low, high), values, missing, below, above, days)

    @property
    def value(self) -> float:
        """The only marked value."""
        return self.marked[0]

    @property
    def low(self) -> float:
        """Lower end of the window, in units of the axis: days for times."""
        return float(self._on_axis(np.array(self.window))[0])

    @property
    def high(self) -> float:
        """Upper end of the window."""
        return float(self._on_axis(np.array(self.window))[1])

    @property
    def width(self) -> float:
        """Length of the window."""
        return self.high - self.low

    @property
    def strips(self) -> dict[str, Range]:
        """Ends of the strips behind breaks, in units of the axis."""
        low, high, width = self.low, self.high, self.width
        strips = {}
        if self.below is not None:
            strips["below"] = (low - (_GAP + _STRIP) * width, low - _GAP * width)
        if self.above is not None:
            strips["above"] = (high + _GAP * width, high + (_GAP + _STRIP) * width)
        return strips

    @property
    def strip(self) -> Range:
        """Ends of the strip of missing values."""
        bottom = self.strips.get("below", (self.low,))[0]
        gap, width = _MISSING_GAP * self.width, _MISSING * self.width
        return bottom - gap - width, bottom - gap

    @property
    def ends(self) -> Range:
        """Limits of the axis."""
        strips = self.strips
        low = self.strip[0] if self.missing else strips.get("below", (self.low,))[0]
        return low, strips.get("above", (self.high,))[-1]

    def _on_axis(self, values: FloatArray) -> FloatArray:
        return _days(values + self.column.offset) if self.days else values

    def inside(self, values: FloatArray) -> AnyArray:
        """Which values the axis shows: those in the window or in a strip, and missing ones."""
        shown = np.isnan(values)
        for ends in (self.window, self.below, self.above):
            if ends is not None:
                shown |= (ends[0] <= values) & (values <= ends[1])
        return shown

    def place(self, values: FloatArray, spread: int | None = None) -> FloatArray:
        """Positions of values; a seed in `spread` scatters categories and missing values."""
        values = values.astype(np.float64)
        position = self._on_axis(values)
        for side, strip in self.strips.items():
            first, last = (self.below if side == "below" else self.above) or self.window
            far = values < self.window[0] if side == "below" else values > self.window[1]
            share = (values[far] - first) / (last - first) if last > first else 0.5
            position = position.copy()
            position[far] = strip[0] + share * (strip[1] - strip[0])
        absent = np.isnan(position)
        middle = sum(self.strip) / 2
        if spread is not None and (self.column.kind == "category" or absent.any()):
            shift = np.random.default_rng(spread).uniform(-0.5, 0.5, size=values.shape)
            if self.column.kind == "category":
                position = position + 0.5 * shift
            room = self.strip[1] - self.strip[0]
            return np.where(absent, middle + 0.7 * room * shift, position)
        return np.where(absent, middle, position)

    def clip(self, values: FloatArray) -> FloatArray:
        """Positions of values; the nearest edge for values that the axis does not show."""
        position = self.place(np.where(self.inside(values), values, self.window[0]))
        for beyond, ends, edge, far in (
            (values < self.window[0], self.below, self.low, self.ends[0]),
            (values > self.window[1], self.above, self.high, self.ends[1]),
        ):
            hidden = beyond & ~self.inside(values)
            position = np.where(hidden, far, position)
            if ends is not None:  # in the break, or beyond the strip
                between = values > ends[1] if ends is self.below else values < ends[0]
                position = np.where(hidden & between, edge, position)
        return position

    @property
    def query(self) -> float:
        """Position of the only marked value."""
        return float(self.place(np.array([self.value]))[0])

    def span(self, low: float, high: float) -> Range | None:
        """Ends of a neighbourhood from `low` to `high` on the axis; None if it has no width."""
        if np.isnan(self.value):
            return self.strip
        if self.column.kind == "category":
            return self.value - 0.4, self.value + 0.4
        if not low <= self.value <= high or low == high:
            return None
        for side, ends in (("below", self.below), ("above", self.above)):
            if ends is not None and ends[0] <= self.value <= ends[1]:
                return self.strips[side]
        first, last = self.place(np.clip([low, high], *self.window))
        return float(first), float(last)

    def spans(self, values: Sequence[float]) -> list[Range]:
        """Positions of a range: its ends, each label of a category, or "missing"."""
        if not len(values):
            return []
        if np.isnan(values[0]):
            return [self.strip]
        if self.column.kind == "category":
            return [(code - 0.3, code + 0.3) for code in sorted(values)]
        first, last = self.clip(np.array([values[0], values[-1]]))
        return [(float(first), float(last))]


def _strip_range(far: FloatArray, window: Range, near: Range | None) -> Range | None:
    """Ends of the strip of far values: their neighbourhood, if they have one."""
    if not far.size:
        return None
    low, high = float(far.min()), float(far.max())
    if near is not None and near[0] < low and high < near[1] and np.isfinite(near).all():
        first = max(near[0], window[1]) if low > window[1] else near[0]
        last = min(near[1], window[0]) if high < window[0] else near[1]
        return float(first), float(last)
    margin = 0.3 * (high - low) if np.isfinite(high - low) else 0.0
    if low > window[1]:
        return max(low - margin, window[1]), high + margin
    return low - margin, min(high + margin, window[0])


def _days(seconds: FloatArray) -> FloatArray:
    """Seconds since 1970 in matplotlib's days."""
    return np.asarray(seconds / _DAY + dates.date2num(np.datetime64(0, "s")))
