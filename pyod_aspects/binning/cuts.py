"""Cut a column: values with bins of their own, and bins for the others.

A category has a bin of its own without neighbours, and so has "missing". The rule "auto" gives such
bins to atoms, too: single values that hold a large share of the rows. It also stretches the bins of
the other values beyond the fences: far out, bins grow with the distance.

Large values close together, such as seconds since 1970, have few float64 values between them. If
that makes bins wider than the rule wants, the code subtracts the median first. Bins may then be
as narrow as the step from one float64 value to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite, isnan
from typing import Any

import numpy as np

from .._util.types import CodeArray, FloatArray, IntArray
from .bins import EqualWidthBins, OccupiedBins, float_step
from .ordered import OnSteps, Ordered, Plain, Ranked

# Numbers of the bins of single values: far from the bins of equal width, and from each other.
_MISSING, _OWN, _APART = 2**61, 2**60, 2**20

MAX_REACH = _APART
"""Reach at which bins of single values would become neighbours."""

# The bin of a value that is far from all rows.
_NOWHERE = -(2**50)

# Fences, in interquartile ranges beyond the quartiles: Tukey's for values far out.
_FENCE = 3.0


def own_bins(n: int) -> IntArray:
    """Numbers of the bins of n single values, and of the bin for missing ones."""
    return np.append(_OWN + _APART * np.arange(n), _MISSING)


@dataclass(frozen=True)
class StretchedBins:
    """Bins of equal width on a scale that is linear between two fences, logarithmic beyond.

    Beyond a fence the scale is the logarithm of the distance from the median, and joins smoothly.
    A bin is as wide as elsewhere at the fence, and twice as wide at twice its distance.

    Examples
    --------
    >>> import numpy as np
    >>> column = np.concatenate([np.linspace(-1, 1, 99), [1000.0]])
    >>> bins = StretchedBins.of(column)
    >>> bins.bins.n, EqualWidthBins.of(column).n
    (57, 2300)
    """

    first: float
    last: float
    fences: tuple[float, float]
    median: float
    bins: EqualWidthBins

    @classmethod
    def of(cls, column: FloatArray | Ranked, step: float = 0.0) -> StretchedBins | None:
        """Return bins that are as wide in the middle as "fd" has them; None without far values.

        With a known `step` between values, no bin in the middle is much narrower than it.
        """
        values = column if isinstance(column, Ranked) else Plain(column)
        first, last = values.first, values.last
        q75, median, q25 = values.percentiles(75, 50, 25)
        low, high = q25 - _FENCE * (q75 - q25), q75 + _FENCE * (q75 - q25)
        usable = low < median < high and isfinite(last - first)
        if not usable or (low <= first and last <= high):
            return None
        begin, end = _stretched(np.array([first, last]), low, median, high, np.log1p)
        width = 2.0 * (q75 - q25) * values.size ** (-1.0 / 3.0)
        bins = EqualWidthBins.of_width(float(begin), float(end), width, step)
        return cls(first, last, (low, high), median, bins)

    @property
    def n(self) -> int:
        """Number of bins."""
        return self.bins.n

    @property
    def width(self) -> float:
        """Width of a bin between the fences."""
        return self.bins.width

    @property
    def capped(self) -> bool:
        """Whether the rule asks for narrower bins than float64 resolves."""
        return self.bins.capped

    def index(self, values: FloatArray) -> IntArray:
        """Bin of each value; below 0 or above n - 1 for values outside the column's range."""
        low, high = self.fences
        places = _stretched(values, low, self.median, high, np.log1p)
        # Despite rounding, a value inside the range is inside the grid.
        within = np.minimum(np.maximum(places, self.bins.first), self.bins.last)
        if values.size and values.min() >= self.first and values.max() <= self.last:
            return self.bins.index_inside(within)
        inside = (self.first <= values) & (values <= self.last)
        return self.bins.index(np.where(inside, within, places))

    def edge(self, i: IntArray) -> FloatArray:
        """Edge number `i`."""
        low, high = self.fences
        return _stretched(self.bins.edge(i), low, self.median, high, np.expm1)


def _stretched(
    x: FloatArray, low: float, median: float, high: float, beyond: Callable[[Any], Any]
) -> FloatArray:
    """Places of values on a stretched scale, with log1p; values at places, with expm1."""
    places = np.minimum(np.maximum(x, low), high)
    far = (x != places).nonzero()[0]
    if far.size:
        with np.errstate(over="ignore"):
            over = x[far] - places[far]
            fence = np.where(over > 0.0, high - median, median - low)
            places[far] += np.copysign(fence * beyond(np.abs(over) / fence), over)
    return places


@dataclass(frozen=True)
class Cut:
    """Bins of a column: each of the `own` values has its bin, `bins` are for the rest.

    Without `bins`, all other values are far from every row. Two values are near if the numbers of
    their bins are. `index` subtracts `origin` from values before it cuts them into `bins`.

    Examples
    --------
    >>> import numpy as np
    >>> cut = Cut.of(np.array([0.0] * 90 + [3.0, 4.0, 4.5, 5.0, 7.0, np.nan]), "auto")
    >>> cut.own.tolist(), cut.bins.first, cut.bins.last
    ([0.0], 3.0, 7.0)
    >>> Cut.of(np.array([0.0, 1.0, 1.0, 2.0]), "auto", category=True).own.tolist()
    [0.0, 1.0, 2.0]
    """

    own: FloatArray = field(default_factory=lambda: np.empty(0))
    bins: EqualWidthBins | StretchedBins | None = None
    origin: float = 0.0

    @classmethod
    def of(
        cls, column: FloatArray | Ordered | None, rule: str | int, category: bool = False
    ) -> Cut:
        """Cut a column of present values; None stands for a column of missing values (NaN) only."""
        if isinstance(column, np.ndarray):
            present = column[~np.isnan(column)]
            column = Plain(present) if present.size else None
        if column is None:
            return cls()
        if category:
            return cls(column.held_by_more_than(0))
        if rule != "auto":
            return cls(np.empty(0), *_bins_and_origin(column, rule))
        own, rest = _without_atoms(column)
        return cls(own) if rest is None else cls(own, *_bins_and_origin(rest, rule))

    @property
    def capped(self) -> bool:
        """Whether the rule asks for narrower bins than float64 resolves."""
        return self.bins is not None and self.bins.capped

    def index(self, values: FloatArray) -> IntArray:
        """Number of the bin of each value."""
        missing = np.isnan(values)
        if self.bins is None:
            index = np.full(values.shape, _NOWHERE)
        else:
            places = values - self.origin if self.origin else values
            filled = np.where(missing, self.bins.first, places) if missing.any() else places
            index = self.bins.index(filled)
        if self.own.size:
            place = np.minimum(np.searchsorted(self.own, values), self.own.size - 1)
            index = np.where(self.own[place] == values, _OWN + _APART * place, index)
        return np.where(missing, _MISSING, index) if missing.any() else index

    def box(self, values: FloatArray, reach: int) -> tuple[FloatArray, FloatArray]:
        """Begin and end of the bins within reach of each value, with `origin` subtracted.

        The bin of a single value begins and ends at the value, which is NaN for a missing one.
        """
        low, high = values - self.origin, values - self.origin
        if self.bins is not None:
            index = self.index(values)
            cut = index < _OWN
            low[cut] = self.bins.edge(index[cut] - reach)
            high[cut] = self.bins.edge(index[cut] + reach + 1)
        return low, high


def _bins_and_origin(
    values: Ordered, rule: str | int
) -> tuple[EqualWidthBins | StretchedBins, float]:
    """Return bins of values, and the origin to subtract first: the median if that helps, or 0."""
    bins = _bins(values, rule)
    if not bins.capped:
        return bins, 0.0
    (median,) = values.at([values.size // 2])
    finer = _bins(values.minus(median), rule, float_step(values.first, values.last))
    return (finer, median) if finer.n > bins.n else (bins, 0.0)


def _bins(values: Ranked, rule: str | int, step: float = 0.0) -> EqualWidthBins | StretchedBins:
    if rule != "auto":
        return EqualWidthBins.of(values, rule, step)
    return StretchedBins.of(values, step) or EqualWidthBins.of(values, "fd", step)


def _without_atoms(column: Ordered) -> tuple[FloatArray, Ordered | None]:
    """Return the atoms of a column, and the column without them, or None if nothing remains.

    An atom holds more than 4 n**(2/3) of n rows, or more than half of them. The fullest bin that
    "fd" makes of a bell-shaped column holds about n**(2/3). The search for atoms goes on in the
    remaining rows.
    """
    atoms = np.empty(0)
    rest: Ordered | None = column
    while rest is not None and rest.size > 1:
        n = rest.size
        found = rest.held_by_more_than(int(min(4.0 * n ** (2.0 / 3.0), n / 2.0)))
        if found.size == 0:
            break
        atoms = np.sort(np.concatenate([atoms, found]))
        rest = rest.without(found)
    return atoms, rest


@dataclass(frozen=True)
class CodedColumn:
    """A column as codes of its occupied bins: the cut, and the code of each row.

    Examples
    --------
    >>> import numpy as np
    >>> CodedColumn.of(np.array([0.0, 9.0, 1.0, 0.0]), rule=10, reach=1).codes.tolist()
    [0, 3, 1, 0]
    """

    cut: Cut
    occupied: OccupiedBins
    codes: CodeArray

    @classmethod
    def of(
        cls, column: FloatArray, rule: str | int, reach: int, category: bool = False
    ) -> CodedColumn:
        """Cut a column, which may have missing values (NaN), and number its bins."""
        every = Plain(column)
        present: Plain | None = every
        missing = None
        if isnan(every.first):
            missing = np.isnan(column)
            present = None if missing.all() else Plain(column[~missing])
        # Scott's rule needs the deviation, which numpy sums in the order of the rows.
        steps = None if present is None or rule == "scott" else OnSteps.of(present)
        if steps is None:
            cut = Cut.of(present, rule, category)
            return cls(cut, *OccupiedBins.of(cut.index(column), reach))
        cut = Cut.of(steps.counted, rule, category)
        values, counts = steps.counted.values, steps.counted.counts
        if missing is None:
            occupied, of_values = OccupiedBins.of(cut.index(values), reach, counts)
            return cls(cut, occupied, steps.rows(of_values))
        values, counts = np.append(values, np.nan), np.append(counts, missing.sum())
        occupied, of_values = OccupiedBins.of(cut.index(values), reach, counts)
        codes = np.full(column.size, of_values[-1])
        codes[~missing] = steps.rows(of_values[:-1])
        return cls(cut, occupied, codes)
