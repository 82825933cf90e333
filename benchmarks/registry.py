"""The benchmarks by name, and the tools that a benchmark gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from .results import Outcome
from .timing import Comparison, Timed, Way, compare, medians, seconds

T = TypeVar("T")


@dataclass(frozen=True)
class Run:
    """Settings of a run: full or quick, and a function for progress."""

    quick: bool
    say: Callable[[str], None]

    def pick(self, full: T, quick: T) -> T:
        """Return the size for the real measurement, or the one for a trial."""
        return quick if self.quick else full

    def compare(self, first: Way, second: Way, budget: float = 20.0) -> Comparison:
        """Time both in turns, after one run of each."""
        first()
        second()
        return self.compare_warm(first, second, budget)

    def compare_warm(self, first: Way, second: Way, budget: float = 20.0) -> Comparison:
        """Time both in turns, at least three times each."""
        return self.compare_timed(partial(seconds, first), partial(seconds, second), budget)

    def compare_timed(self, first: Timed, second: Timed, budget: float = 20.0) -> Comparison:
        """As `compare_warm`, for functions that return their own time."""
        return compare(
            first, second, repeats=self.pick(3, 1), budget=self.pick(budget, 0.0), say=self.say
        )

    def medians(self, ways: dict[str, Way], budget: float = 30.0) -> list[float]:
        """Median time of each way, in turns, at least three times each."""
        return medians(ways, repeats=self.pick(3, 1), budget=self.pick(budget, 0.0), say=self.say)


@dataclass(frozen=True)
class Benchmark:
    """A measurement; `--short` skips a long one."""

    name: str
    title: str
    measure: Callable[[Run], Outcome]
    long: bool = False


BENCHMARKS: dict[str, Benchmark] = {}
"""All benchmarks, in the order of the table."""


def benchmark(
    name: str, title: str, *, long: bool = False
) -> Callable[[Callable[[Run], Outcome]], Callable[[Run], Outcome]]:
    """Enter a function into `BENCHMARKS`."""

    def enter(measure: Callable[[Run], Outcome]) -> Callable[[Run], Outcome]:
        BENCHMARKS[name] = Benchmark(name, title, measure, long)
        return measure

    return enter
