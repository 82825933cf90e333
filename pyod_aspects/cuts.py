"""How a column is cut: which values are bins of their own, and how the others are binned.

A category is a bin of its own without neighbours, and so is "missing". The rule "auto" gives such
bins to atoms as well, to single values that hold a large share of the rows, and stretches the
bins of the other values beyond the fences: where values lie far out, bins grow with the distance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from ._types import FloatArray, IntArray
from .bins import EqualWidthBins

# Numbers of the bins of their own: far from those of equal width, and from each other.
_MISSING, _OWN, _APART = 2**61, 2**60, 2**20

# The bin of a value that is far from all rows.
_NOWHERE = -(2**50)

# Fences, in interquartile ranges beyond the quartiles: Tukey's for values that are far out.
_FENCE = 3.0


@dataclass(frozen=True)
class StretchedBins:
    """Bins of equal width on a scale that is linear between two fences, logarithmic beyond.

    Beyond a fence the scale is the logarithm of the distance from the median, and joins smoothly:
    bins are as wide as elsewhere at the fence, twice as wide at twice its distance.

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
    def of(cls, column: FloatArray) -> StretchedBins | None:
        """Bins for a column, in the middle as wide as "fd" has them; None if nothing is far out."""
        first, last = float(column.min()), float(column.max())
        q75, median, q25 = (float(q) for q in np.percentile(column, [75, 50, 25]))
        low, high = q25 - _FENCE * (q75 - q25), q75 + _FENCE * (q75 - q25)
        usable = low < median < high and isfinite(last - first)
        if not usable or (low <= first and last <= high):
            return None
        begin, end = _stretched(np.array([first, last]), low, median, high, np.log1p)
        width = 2.0 * (q75 - q25) * column.size ** (-1.0 / 3.0)
        bins = EqualWidthBins.of_width(float(begin), float(end), width)
        return cls(first, last, (low, high), median, bins)

    def index(self, values: FloatArray) -> IntArray:
        """Bin of each value; below 0 or above n - 1 for values outside the column's range."""
        low, high = self.fences
        places = _stretched(values, low, self.median, high, np.log1p)
        # Whatever the rounding: a value inside the range is inside the grid.
        inside = (self.first <= values) & (values <= self.last)
        within = np.clip(places, self.bins.first, self.bins.last)
        return self.bins.index(np.where(inside, within, places))

    def edge(self, i: IntArray) -> FloatArray:
        """Edge number `i`."""
        low, high = self.fences
        return _stretched(self.bins.edge(i), low, self.median, high, np.expm1)


def _stretched(
    x: FloatArray, low: float, median: float, high: float, beyond: Callable[[Any], Any]
) -> FloatArray:
    """Places of values on a stretched scale, with log1p; values at places, with expm1."""
    left, right = median - low, high - median
    places = np.clip(x, low, high)
    above, below = x > high, x < low
    with np.errstate(over="ignore"):
        places[above] += right * beyond((x[above] - high) / right)
        places[below] -= left * beyond((low - x[below]) / left)
    return places


@dataclass(frozen=True)
class Cut:
    """How a column is cut: `own` values have bins of their own, `bins` are for the rest.

    Without bins, all other values are far from every row. Two values are near if the
    numbers of their bins are.

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

    @classmethod
    def of(cls, column: FloatArray, rule: str | int, category: bool = False) -> Cut:
        """Cut a column, of which missing values (NaN) are left out."""
        missing = np.isnan(column)
        present = column[~missing] if missing.any() else column
        if category:
            return cls(np.unique(present))
        if present.size == 0:
            return cls()
        if rule != "auto":
            return cls(bins=EqualWidthBins.of(present, rule))
        own, rest = _without_atoms(np.sort(present))
        if rest.size == 0:
            return cls(own)
        return cls(own, StretchedBins.of(rest) or EqualWidthBins.of(rest, "fd"))

    def index(self, values: FloatArray) -> IntArray:
        """Number of the bin of each value."""
        missing = np.isnan(values)
        if self.bins is None:
            index = np.full(values.shape, _NOWHERE)
        else:
            filled = np.where(missing, self.bins.first, values) if missing.any() else values
            index = self.bins.index(filled)
        if self.own.size:
            place = np.minimum(np.searchsorted(self.own, values), self.own.size - 1)
            index = np.where(self.own[place] == values, _OWN + _APART * place, index)
        return np.where(missing, _MISSING, index) if missing.any() else index

    def box(self, values: FloatArray, reach: int) -> tuple[FloatArray, FloatArray]:
        """Where the bins within reach of each value begin and end.

        A bin of its own begins and ends at its value, which is NaN for a missing one.
        """
        low, high = values.copy(), values.copy()
        if self.bins is not None:
            index = self.index(values)
            cut = index < _OWN
            low[cut] = self.bins.edge(index[cut] - reach)
            high[cut] = self.bins.edge(index[cut] + reach + 1)
        return low, high


def _without_atoms(ordered: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Atoms of a sorted column, and the values that are left when they are taken out.

    An atom holds more than 4 n**(2/3) of n rows, or more than half of them. The fullest bin that
    "fd" makes of a bell-shaped column holds about n**(2/3). What is left is looked at in the
    same way.
    """
    atoms: list[FloatArray] = []
    while ordered.size > 1:
        n = ordered.size
        most = int(min(4.0 * n ** (2.0 / 3.0), n / 2.0))  # an atom has more rows than that
        found = np.unique(ordered[most:][ordered[most:] == ordered[: n - most]])
        if found.size == 0:
            break
        atoms.append(found)
        place = np.minimum(np.searchsorted(found, ordered), found.size - 1)
        ordered = ordered[found[place] != ordered]
    return np.sort(np.concatenate([np.empty(0), *atoms])), ordered
