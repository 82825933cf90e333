"""Time two ways in turns, so that other work on the machine slows both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

# A machine may be slow for seconds: only many short runs average that out.
_MOST_RUNS = 45

Way = Callable[[], Any]
"""Work to time."""

Timed = Callable[[], float]
"""Work that times itself, and returns seconds."""


def seconds(way: Way) -> float:
    """Wall time of one call."""
    begin = perf_counter()
    way()
    return perf_counter() - begin


def shown(time: float) -> str:
    """Format a time with two digits and a suitable unit.

    >>> shown(0.0123), shown(4.56), shown(754.0)
    ('12 ms', '4.6 s', '12.6 min')
    """
    if time < 1e-3:
        return f"{time * 1e6:.3g} µs"
    if time < 0.1:
        return f"{time * 1e3:.2g} ms"
    if time < 100:
        return f"{time:.2g} s"
    return f"{time / 60:.1f} min"


@dataclass(frozen=True)
class Comparison:
    """Times of two ways, with the same number of runs."""

    first: list[float]
    second: list[float]

    @property
    def times(self) -> tuple[float, float]:
        """Median time of each way."""
        return median(self.first), median(self.second)

    @property
    def ratio(self) -> float:
        """Time of the second way as a multiple of the first."""
        return self.times[1] / self.times[0]

    @property
    def spread(self) -> tuple[float, float]:
        """Lowest and highest ratio of consecutive runs."""
        ratios = [b / a for a, b in zip(self.first, self.second, strict=True)]
        return min(ratios), max(ratios)

    def __str__(self) -> str:
        a, b = self.times
        n = len(self.first)
        runs = f"median of {n} runs" if n > 1 else "one run"
        return f"{shown(a)} and {shown(b)}, {runs} each"


def compare(
    first: Timed, second: Timed, *, repeats: int, budget: float, say: Callable[[str], None]
) -> Comparison:
    """Run both in turns: at least `repeats` times, and more while they fit in `budget` seconds.

    Compile and load everything before.
    """
    a: list[float] = []
    b: list[float] = []
    spent = 0.0
    while len(a) < repeats or (len(a) < _MOST_RUNS and spent * (1 + 1 / len(a)) < budget):
        a.append(first())
        b.append(second())
        spent += a[-1] + b[-1]
        so_far = Comparison(a, b)
        say(f"run {len(a)}: {shown(a[-1])} and {shown(b[-1])}, ratio {so_far.ratio:.3g}")
    return Comparison(a, b)


def medians(
    ways: dict[str, Way], *, repeats: int, budget: float, say: Callable[[str], None]
) -> list[float]:
    """Median time of each way, in turns as in `compare`."""
    times: list[list[float]] = [[] for _ in ways]
    spent, rounds = 0.0, 0
    while rounds < repeats or (rounds < _MOST_RUNS and spent * (1 + 1 / rounds) < budget):
        for (label, way), mine in zip(ways.items(), times, strict=True):
            mine.append(seconds(way))
            spent += mine[-1]
            say(f"run {rounds + 1}, {label}: {shown(mine[-1])}")
        rounds += 1
    return [median(mine) for mine in times]
