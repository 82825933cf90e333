"""Set limits, ticks, names of categories, breaks and the strip of missing values of an axis."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import dates, ticker

from .._util.numbers import set_minus
from ..tables import Column
from ..tables.clock import clocks, duration_unit
from .scale import Scale
from .style import FAINT, THIN, label, wrap

MOST_LABELS = 12
"""Most categories to name on an axis."""


def dress(
    scale: Scale, ax: Any, side: str, named: bool = True, room: int = 34, ticks: int = 5
) -> None:
    """Set the limits of an axis, about `ticks` ticks, and its name."""
    axis = ax.xaxis if side == "x" else ax.yaxis
    (ax.set_xlim if side == "x" else ax.set_ylim)(*scale.ends)
    spine = ax.spines["bottom" if side == "x" else "left"]
    if scale.strips or scale.missing:
        spine.set_bounds(scale.low, scale.high)
        _draw_breaks(scale, ax, side)
    if ticks:
        _write_ticks(scale, axis, side, ticks)
    else:
        axis.set_ticks([])
    if scale.missing:
        (ax.axvspan if side == "x" else ax.axhspan)(
            *scale.strip, facecolor=FAINT, alpha=0.15, linewidth=0, zorder=0
        )
    if scale.column.offset:
        axis.offsetText.set_size("x-small")
    if named:
        axis.set_label_text(wrap(scale.column.name, room))


def _draw_breaks(scale: Scale, ax: Any, side: str) -> None:
    """Draw lines along the strips behind breaks, with two dashes across each break."""
    frame = ax.get_xaxis_transform() if side == "x" else ax.get_yaxis_transform()
    how: dict[str, Any] = {
        "transform": frame, "color": "black", "linewidth": THIN, "clip_on": False,
    }  # fmt: skip
    slash = [(-0.45, -1.0), (0.45, 1.0)] if side == "x" else [(-1.0, -0.45), (1.0, 0.45)]
    for where, strip in scale.strips.items():
        ax.plot(*_turn(strip, side), **how)
        near, far = (scale.low, strip[1]) if where == "below" else (scale.high, strip[0])
        dashes = how | {"marker": slash, "markersize": 9, "linestyle": "none"}
        ax.plot(*_turn((near, far), side), **dashes)


def _turn(along: tuple[float, float], side: str) -> tuple[tuple[float, float], ...]:
    """Coordinates of two places on an axis."""
    return (along, (0.0, 0.0)) if side == "x" else ((0.0, 0.0), along)


def _write_ticks(scale: Scale, axis: Any, side: str, number: int) -> None:
    absent = "missing" if number >= 5 or side == "y" else "n/a"
    if scale.column.kind == "category":
        places = _tick_codes(scale)
        most = 13 if side == "y" else max(8, 12 * number // len(places))
        texts = [label(scale.column.text(code), most) for code in places]
        if scale.missing:
            places, texts = [sum(scale.strip) / 2, *places], [absent, *texts]
        axis.set_ticks(places, labels=texts)
        if side == "x" and sum(map(len, texts)) > (60 if number >= 5 else 18):
            for text in axis.get_ticklabels():
                text.set(rotation=30, ha="right", rotation_mode="anchor")
        return
    if scale.days:
        zone = clocks(scale.column.zone)
        locator: ticker.Locator = dates.AutoDateLocator(tz=zone, minticks=2, maxticks=number + 1)
        formatter: ticker.Formatter = dates.ConciseDateFormatter(locator, tz=zone)
    elif scale.column.duration and not scale.column.offset:
        seconds, unit = duration_unit(scale.width)
        locator = _DurationLocator(number, seconds)
        formatter = ticker.FuncFormatter(lambda x, _: set_minus(f"{x / seconds:,g} {unit}"))
    else:
        locator, formatter = ticker.MaxNLocator(number), _formatter(scale.column)
    axis.set_major_formatter(formatter)
    if not (scale.missing or scale.strips):
        axis.set_major_locator(locator)
        return
    if isinstance(locator, dates.AutoDateLocator):
        ticks = locator.tick_values(
            *dates.num2date([scale.low, scale.high], tz=clocks(scale.column.zone))
        )
    else:
        ticks = locator.tick_values(scale.low, scale.high)
    clear = 0.05 * scale.width
    low = scale.low + clear * (scale.missing or scale.below is not None)
    high = scale.high - clear * (scale.above is not None)
    axis.set_ticks([tick for tick in ticks if low <= tick <= high])
    places, texts = _strip_ticks(scale, side)
    if scale.missing:
        places, texts = [sum(scale.strip) / 2, *places], [absent, *texts]
    axis.set_ticks(places, labels=texts, minor=True)
    axis.set_tick_params(which="minor", length=0, labelsize="small")
    axis.remove_overlapping_locs = False


def _strip_ticks(scale: Scale, side: str) -> tuple[list[float], list[str]]:
    """Outermost marked value in a strip behind a break; on a vertical axis, the innermost, too."""
    values: list[float] = []
    for ends, outermost in ((scale.below, min), (scale.above, max)):
        far = [v for v in scale.marked if ends is not None and ends[0] <= v <= ends[1]]
        if far:
            values += [outermost(far)] if side == "x" else sorted({min(far), max(far)})
    texts = [short_text(scale.column, value) for value in values]
    return list(scale.place(np.array(values, dtype=float))), texts


def _tick_codes(scale: Scale) -> list[float]:
    """Categories to name: all, or a selection and the marked ones."""
    n = int(scale.window[1])
    step = -(-(n + 1) // MOST_LABELS)
    codes = set(range(0, n + 1, step))
    if step > 1:
        for value in [v for v in scale.marked if np.isfinite(v)][:MOST_LABELS]:
            # The names of neighbours would overlap with this one.
            codes = {c for c in codes if abs(c - value) >= step / 2} | {int(value)}
    return sorted(float(code) for code in codes)


def short_text(column: Column, value: float, most: int = 9) -> str:
    """A value in few letters: the last ones, where all rows share the first ones.

    >>> short_text(Column("x"), -1e9), short_text(Column("id", offset=2.0**60), 7.0)
    ('−1e+09', '…,846,983')
    """
    text = column.text(value)
    if column.kind == "number" and not column.offset and len(text) > most:
        text = f"{value:.3g}"
    elif column.kind == "time" and not column.offset:
        text = text[:10]
    if column.offset and len(text) > most:
        return "…" + text[1 - most :]
    return label(set_minus(text), max(most, 10))


def _formatter(column: Column) -> ticker.Formatter:
    """Numbers at ticks; the end of the axis shows a common offset once."""
    if not column.offset:
        return _CommaFormatter()
    origin = column.text(0.0)
    return _OffsetFormatter(f"s after {origin}" if column.kind == "time" else f"+ {origin}")


class _DurationLocator(ticker.MaxNLocator):
    """Ticks at round multiples of a unit, given in seconds."""

    def __init__(self, number: int, seconds: float) -> None:
        super().__init__(number)
        self.seconds = seconds

    def tick_values(self, vmin: float, vmax: float) -> Any:
        ticks = super().tick_values(vmin / self.seconds, vmax / self.seconds)
        return np.asarray(ticks) * self.seconds


class _CommaFormatter(ticker.ScalarFormatter):
    """Numbers with commas between thousands; without on an axis of four digits, maybe years."""

    _large = False

    def set_locs(self, locs: Any) -> None:
        super().set_locs(locs)
        self._large = len(locs) > 0 and float(np.abs(locs).max()) >= 1e4

    def __call__(self, x: float, pos: int | None = None) -> str:
        text = super().__call__(x, pos)
        plain = text.isascii() and text.isdigit()
        return f"{int(text):,}" if self._large and plain else text


class _OffsetFormatter(ticker.ScalarFormatter):
    """Numbers without the column's offset, which stands at the end of the axis."""

    def __init__(self, origin: str) -> None:
        super().__init__(useOffset=False)
        self._origin = origin

    def get_offset(self) -> str:
        power = super().get_offset()
        return f"{power} {self._origin}" if power else self._origin
