"""A column as an axis: numbers, categories by name, dates, and a strip for missing values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib import dates, ticker

from .._util.types import FloatArray
from ..tables import Column
from .style import FAINT, label, wrap

MOST_LABELS = 12
"""Categories named on an axis; more cannot be read."""

_DAY = 86400.0

# Times over fewer seconds than this are drawn as seconds: matplotlib's dates have microseconds.
_SHORT = 1.0


@dataclass(frozen=True)
class Scale:
    """Where the values of a column are drawn.

    Attributes
    ----------
    column : Column
    low, high : float
        Ends of the axis, in its units: days for times, unless they are all within a second.
    value : float
        The query's.
    missing : bool
        Whether there is a strip for missing values, below `low`.
    days : bool
        Whether the axis is one of dates.
    """

    column: Column
    low: float
    high: float
    value: float
    missing: bool
    days: bool = False

    @classmethod
    def of(
        cls, column: Column, values: FloatArray, value: float, near: tuple[float, float]
    ) -> Scale:
        """Scale for all values, the query's among them, and for what is near to it."""
        finite = np.append(values, value)
        finite = finite[np.isfinite(finite)]
        missing = bool(np.isnan(value) or np.isnan(values).any())
        if column.kind == "category":
            most = max(len(column.labels) - 1.0, finite.max(initial=0.0))
            return cls(column, -0.6, most + 0.6, value, missing)
        low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
        span = high - low
        pad = 0.05 * span if span > 0 else max(0.05 * abs(low), 0.5)
        if np.isfinite(near).all() and near[0] <= value <= near[1]:
            # The edge of the neighbourhood shall be seen, but not at the price of the rest.
            low = max(min(low, near[0]), low - 2 * pad)
            high = min(max(high, near[1]), high + 2 * pad)
        ends = np.array([low - pad, high + pad])
        days = column.kind == "time" and not (column.offset and span < _SHORT)
        if days:
            ends = _days(ends + column.offset)
        return cls(column, float(ends[0]), float(ends[1]), value, missing, days)

    @property
    def width(self) -> float:
        """Length of the axis without the strip."""
        return self.high - self.low

    @property
    def strip(self) -> tuple[float, float]:
        """From where to where missing values are drawn."""
        return self.low - 0.12 * self.width, self.low - 0.02 * self.width

    @property
    def ends(self) -> tuple[float, float]:
        """Limits of the axis."""
        return (self.strip[0] if self.missing else self.low), self.high

    def place(self, values: FloatArray, spread: int | None = None) -> FloatArray:
        """Positions of values; a seed in `spread` moves those of a category, or missing, apart."""
        position = values.astype(np.float64)
        if self.days:
            position = _days(position + self.column.offset)
        absent = np.isnan(position)
        middle = sum(self.strip) / 2
        if spread is not None and (self.column.kind == "category" or absent.any()):
            shift = np.random.default_rng(spread).uniform(-0.5, 0.5, size=values.shape)
            if self.column.kind == "category":
                position = position + 0.5 * shift
            room = self.strip[1] - self.strip[0]
            return np.where(absent, middle + 0.7 * room * shift, position)
        return np.where(absent, middle, position)

    @property
    def query(self) -> float:
        """Position of the query."""
        return float(self.place(np.array([self.value]))[0])

    def span(self, low: float, high: float) -> tuple[float, float] | None:
        """Where a neighbourhood from `low` to `high` is drawn; None if it has no width."""
        if np.isnan(self.value):
            return self.strip
        if self.column.kind == "category":
            return self.value - 0.4, self.value + 0.4
        if not low <= self.value <= high or low == high:
            return None
        first, last = self.place(np.array([low, high]))
        return max(float(first), self.low), min(float(last), self.high)

    def dress(self, ax: Any, side: str, named: bool = True, room: int = 34, ticks: int = 5) -> None:
        """Give an axis its limits, about so many ticks, and its name."""
        axis = ax.xaxis if side == "x" else ax.yaxis
        (ax.set_xlim if side == "x" else ax.set_ylim)(*self.ends)
        if ticks:
            self._ticks(axis, side, ticks)
        else:
            axis.set_ticks([])
        if self.missing:
            (ax.axvspan if side == "x" else ax.axhspan)(
                *self.strip, facecolor=FAINT, alpha=0.18, linewidth=0, zorder=0
            )
        if self.column.offset:
            axis.offsetText.set_size("x-small")
        if named:
            axis.set_label_text(wrap(self.column.name, room))

    def _ticks(self, axis: Any, side: str, number: int) -> None:
        absent = "missing" if number >= 5 or side == "y" else "n/a"
        if self.column.kind == "category":
            places = self._tick_codes()
            most = 13 if side == "y" else max(8, 12 * number // len(places))
            texts = [label(self.column.text(code), most) for code in places]
            if self.missing:
                places, texts = [sum(self.strip) / 2, *places], [absent, *texts]
            axis.set_ticks(places, labels=texts)
            if side == "x" and sum(map(len, texts)) > (60 if number >= 5 else 18):
                for text in axis.get_ticklabels():
                    text.set(rotation=30, ha="right", rotation_mode="anchor")
            return
        if self.days:
            locator: ticker.Locator = dates.AutoDateLocator(
                tz="UTC", minticks=2, maxticks=number + 1
            )
            formatter: ticker.Formatter = dates.ConciseDateFormatter(locator, tz="UTC")
        else:
            locator, formatter = ticker.MaxNLocator(number), _formatter(self.column)
        axis.set_major_formatter(formatter)
        if not self.missing:
            axis.set_major_locator(locator)
            return
        if isinstance(locator, dates.AutoDateLocator):
            ticks = locator.tick_values(*dates.num2date([self.low, self.high], tz="UTC"))
        else:
            ticks = locator.tick_values(self.low, self.high)
        inner = [t for t in ticks if self.low + 0.03 * self.width < t <= self.high]
        axis.set_ticks(inner)
        axis.set_ticks([sum(self.strip) / 2], labels=[absent], minor=True)
        axis.set_tick_params(which="minor", length=0, labelsize="small")
        axis.remove_overlapping_locs = False

    def _tick_codes(self) -> list[float]:
        """Categories that are named: all, or some of them and the query's."""
        n = int(self.high)
        step = -(-(n + 1) // MOST_LABELS)
        codes = set(range(0, n + 1, step))
        if step > 1 and np.isfinite(self.value):
            # Its neighbours' names would run into its own.
            codes = {c for c in codes if abs(c - self.value) >= step / 2} | {int(self.value)}
        return sorted(float(code) for code in codes)


def _formatter(column: Column) -> ticker.Formatter:
    """Numbers at ticks; an offset that all of them have in common is written once, at the end."""
    if not column.offset:
        return ticker.ScalarFormatter()
    origin = column.text(0.0)
    return _OffsetFormatter(f"s after {origin}" if column.kind == "time" else f"+ {origin}")


class _OffsetFormatter(ticker.ScalarFormatter):
    """Numbers without what was subtracted from them, which stands at the end of the axis."""

    def __init__(self, origin: str) -> None:
        super().__init__(useOffset=False)
        self._origin = origin

    def get_offset(self) -> str:
        power = super().get_offset()
        return f"{power} {self._origin}" if power else self._origin


def _days(seconds: FloatArray) -> FloatArray:
    """Seconds since 1970 as matplotlib counts time."""
    return np.asarray(seconds / _DAY + dates.date2num(np.datetime64(0, "s")))
