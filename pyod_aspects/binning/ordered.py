"""Order statistics of a column, without sorting it.

The code counts a column of whole numbers, or of numbers with few decimals. It then cuts the
distinct values alone, and every row takes the bin of its value. Any other column is `Plain`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import frexp, ldexp

import numpy as np

from .._util.types import AnyArray, FloatArray, IntArray

# Numbers with few decimals are whole multiples of a step; _PROBED rows tell the step.
_STEPS_PER_UNIT = (1.0, 10.0, 100.0, 1000.0)
_PROBED = 50

# A counted column has at most this many steps in its range: per row, and in addition.
_STEPS_PER_ROW, _FEW_STEPS = 4, 8192

# From _MANY_ROWS rows on, the search for a rank looks into one of _GROUPS groups of close values.
_MANY_ROWS, _GROUPS = 2000, 1000.0

# If the largest value lies between these, the squares of the column fit in a float64.
_SMALL, _LARGE = 1e-100, 1e100

# The upper bits of a number times this are its hash (Knuth, volume 3, section 6.4).
_MULTIPLIER, _ALL_BUT_12_BITS = np.uint64(0x9E3779B97F4A7C15), np.uint64(52)


class Ranked(ABC):
    """A column without missing values that knows its order statistics."""

    size: int
    first: float
    last: float

    @abstractmethod
    def at(self, ranks: Sequence[int]) -> list[float]:
        """Values at the given places of the sorted column."""

    @abstractmethod
    def deviation(self) -> float:
        """Standard deviation; sums in the order of the rows, if that is known."""

    def percentiles(self, *percents: float) -> list[float]:
        """Percentiles of the column, equal to the last bit to those of `numpy.percentile`."""
        places = [(self.size - 1) * (percent / 100.0) for percent in percents]
        ranks = [int(place) for place in places]
        found = self.at([*ranks, *(min(rank + 1, self.size - 1) for rank in ranks)])
        between = zip(places, ranks, found, found[len(ranks) :], strict=False)
        return [_between(low, high, place - rank) for place, rank, low, high in between]


class Ordered(Ranked):
    """A column from which one can remove values and subtract a number."""

    @abstractmethod
    def held_by_more_than(self, most: int) -> FloatArray:
        """Sorted values that more than `most` rows have."""

    @abstractmethod
    def without(self, values: FloatArray) -> Ordered | None:
        """Return the column without the given sorted values; None if nothing remains."""

    @abstractmethod
    def minus(self, origin: float) -> Ranked:
        """Return the same rows with `origin` subtracted from every value."""


def deviation(column: FloatArray) -> float:
    """Standard deviation as `numpy.std`, also if the squares do not fit in a float64.

    >>> deviation(np.array([3e-200, 5e-200])), deviation(np.array([3e200, 5e200]))
    (1e-200, 1e+200)
    """
    size = float(np.abs(column).max(initial=0.0))
    if squares_fit(size):
        return float(np.std(column))
    exponent = frexp(size)[1]  # powers of two do not round
    return ldexp(float(np.std(np.ldexp(column, -exponent))), exponent)


def squares_fit(largest: float) -> bool:
    """Whether the squares of numbers up to the largest fit in a float64, for any deviation."""
    return _SMALL < largest < _LARGE


def _between(low: float, high: float, t: float) -> float:
    """Interpolate from the nearer side, as numpy does."""
    return high - (high - low) * (1.0 - t) if t >= 0.5 else low + (high - low) * t


class Plain(Ordered):
    """A column as it comes.

    Examples
    --------
    >>> Plain(np.array([3.0, 1.0, 2.0, 9.0])).percentiles(50, 25)
    [2.5, 1.75]
    """

    def __init__(self, column: FloatArray) -> None:
        self.column, self.size = column, column.size
        self.first, self.last = float(column.min()), float(column.max())
        self._known: dict[int, float] = {}

    def at(self, ranks: Sequence[int]) -> list[float]:
        """Values at the given places of the sorted column."""
        unknown = sorted(set(ranks) - set(self._known))
        if unknown:
            self._known.update(self._select(unknown))
        return [self._known[rank] for rank in ranks]

    def _select(self, ranks: list[int]) -> dict[int, float]:
        """Find values at the given places among the few values close to them."""
        span = self.last - self.first
        if self.size < _MANY_ROWS or not 1e-300 < span < 1e300:
            return _parted(self.column, ranks)
        scaled = self.column - self.first
        scaled *= _GROUPS / span
        group_of = scaled.astype(np.int64)  # never falls as the value rises, despite rounding
        up_to = np.bincount(group_of).cumsum()
        groups = up_to.searchsorted(ranks, side="right").tolist()
        found = {}
        for group in set(groups):
            members = self.column[group_of == group]
            before = int(up_to[group]) - members.size
            places = [
                rank - before for rank, its in zip(ranks, groups, strict=True) if its == group
            ]
            for place, value in _parted(members, places).items():
                found[before + place] = value
        return found

    def deviation(self) -> float:
        """Standard deviation."""
        return deviation(self.column)

    def held_by_more_than(self, most: int) -> FloatArray:
        """Sorted values that more than `most` rows have."""
        # Mostly no hash occurs so often, and so no value does. Adding 0.0 turns -0.0 into 0.0.
        hashes = ((self.column + 0.0).view(np.uint64) * _MULTIPLIER) >> _ALL_BUT_12_BITS
        often = np.bincount(hashes.view(np.int64)) > most
        if not often.any():
            return np.empty(0)
        values, counts = np.unique(self.column[often[hashes]], return_counts=True)
        return np.asarray(values[counts > most])

    def without(self, values: FloatArray) -> Plain | None:
        """Return the column without the given sorted values; None if nothing remains."""
        rest = self.column[~np.isin(self.column, values)]
        return Plain(rest) if rest.size else None

    def minus(self, origin: float) -> Plain:
        """Return the same rows with `origin` subtracted from every value."""
        return Plain(self.column - origin)


def _parted(column: FloatArray, places: list[int]) -> dict[int, float]:
    """Values at the given places of the sorted column."""
    return dict(zip(places, np.partition(column, places)[places].tolist(), strict=True))


class Counted(Ordered):
    """A column as its sorted distinct values, and the number of rows with each.

    Examples
    --------
    >>> counted = Counted(np.array([1.5, 2.0]), np.array([3, 1]))
    >>> counted.size, counted.first, counted.percentiles(50, 90)
    (4, 1.5, [1.5, 1.85])
    """

    def __init__(self, values: FloatArray, counts: IntArray) -> None:
        self.values, self.counts = values, counts
        self.up_to = counts.cumsum()
        self.size = int(self.up_to[-1])
        self.first, self.last = float(values[0]), float(values[-1])

    def at(self, ranks: Sequence[int]) -> list[float]:
        """Values at the given places of the sorted column."""
        found: list[float] = self.values[self.up_to.searchsorted(ranks, side="right")].tolist()
        return found

    def deviation(self) -> float:
        """Standard deviation, as if the rows were sorted."""
        return deviation(np.repeat(self.values, self.counts))

    def held_by_more_than(self, most: int) -> FloatArray:
        """Sorted values that more than `most` rows have."""
        return self.values[self.counts > most]

    def without(self, values: FloatArray) -> Counted | None:
        """Return the column without the given sorted values; None if nothing remains."""
        stays = np.ones(self.values.size, dtype=bool)
        stays[self.values.searchsorted(values)] = False
        return Counted(self.values[stays], self.counts[stays]) if stays.any() else None

    def minus(self, origin: float) -> Counted:
        """Return the same rows with `origin` subtracted from every value."""
        return Counted(self.values - origin, self.counts)


class OnSteps:
    """A column of whole multiples of a step, with few enough steps to count.

    Examples
    --------
    >>> on_steps = OnSteps.of(Plain(np.array([0.7, 0.1, 0.7, 0.2])))
    >>> on_steps.counted.values.tolist(), on_steps.counted.counts.tolist()
    ([0.1, 0.2, 0.7], [1, 1, 2])
    >>> on_steps.rows(np.array([5, 6, 9])).tolist()
    [9, 5, 9, 6]
    """

    def __init__(self, step_of: IntArray, per_unit: float, lowest: int) -> None:
        self._step_of, n_rows = step_of, np.bincount(step_of)
        self._n_steps, self._occupied = n_rows.size, n_rows.nonzero()[0]
        values = (self._occupied + lowest) / per_unit
        self.counted = Counted(values, n_rows[self._occupied])

    @classmethod
    def of(cls, plain: Plain) -> OnSteps | None:
        """Count a column; None if it has no steps, or too many."""
        column = plain.column
        # Up to 2**53 every whole number is a float64.
        if max(-plain.first, plain.last) * _STEPS_PER_UNIT[-1] > 2.0**53:
            return None
        per_unit = _steps_per_unit(column[:: max(1, column.size // _PROBED)])
        if per_unit is None:
            return None
        lowest = float(np.rint(plain.first * per_unit))
        highest = float(np.rint(plain.last * per_unit))
        if highest - lowest > _STEPS_PER_ROW * column.size + _FEW_STEPS:
            return None
        steps = _steps(column, per_unit)
        if steps is None:
            return None
        steps -= lowest
        return cls(steps.astype(np.int64), per_unit, int(lowest))

    def rows(self, of_values: AnyArray) -> AnyArray:
        """Return an entry for every row, given an entry for each distinct value."""
        of_steps = np.empty(self._n_steps, dtype=of_values.dtype)
        of_steps[self._occupied] = of_values
        return of_steps.take(self._step_of, mode="clip")  # "clip" skips the check of indices


def _steps_per_unit(column: FloatArray) -> float | None:
    """Return the fewest steps in 1 that give every value; None if the most do not."""
    whole, *others = _STEPS_PER_UNIT
    if _steps(column, whole) is not None:
        return whole
    if _steps(column, others[-1]) is None:  # if fewer suffice, the most suffice as well
        return None
    return next(n for n in others if _steps(column, n) is not None)


def _steps(column: FloatArray, per_unit: float) -> FloatArray | None:
    """Number of the step of each value, as a float; None if a value is on no step."""
    if per_unit == 1.0:
        steps = back = np.rint(column)
    else:
        steps = np.rint(column * per_unit)
        back = steps / per_unit
    return steps if (back == column).all() else None
