"""Equal-width bins, one column at a time, computed and never allocated.

Edges, and the bin of every value, are those of `numpy.histogram_bin_edges` for the
column as float64. An edge is a formula here and not an array, so a heavy tail that
asks for a billion bins costs nothing: `OccupiedBins` numbers the few that hold rows.
`cuts.py` says which values of a column are cut into bins, and on which scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import index as as_int

import numpy as np

from ._types import FloatArray, IntArray
from .exceptions import InvalidInputError

RULES = ("auto", "fd", "scott", "sturges")

# Below this many float64 steps a bin is not wider than the rounding of its own edges.
_STEPS_PER_BIN = 16.0

# Bins outside the range, beyond which no neighbourhood reaches.
_FAR = 2.0**40


def check_rule(bins: str | int) -> str | int:
    """Return `bins` if it names a rule or is a number of bins, or say what would."""
    if isinstance(bins, str):
        if bins in RULES:
            return bins
    elif not isinstance(bins, bool):
        try:
            if as_int(bins) >= 1:
                return as_int(bins)
        except TypeError:
            pass
    raise InvalidInputError(
        f"bins={bins!r}: expected {', '.join(map(repr, RULES))} or a number of bins, 1 or more."
    )


def _bin_width(column: FloatArray, rule: str, span: float) -> float:
    """Width that the rule asks for, in numpy's formulas; Sturges where the IQR is 0."""
    n = column.size
    if rule == "fd":
        q75, q25 = np.percentile(column, [75, 25])
        if q75 > q25:
            return float(2.0 * (q75 - q25) * n ** (-1.0 / 3.0))
    elif rule == "scott":
        return float((24.0 * np.pi**0.5 / n) ** (1.0 / 3.0) * np.std(column))
    return float(span / (np.log2(n) + 1.0))


@dataclass(frozen=True)
class EqualWidthBins:
    """`n` bins of equal width from `first` to `last`; the last one includes `last`.

    Examples
    --------
    >>> import numpy as np
    >>> bins = EqualWidthBins.of(np.array([0.0, 1.0, 2.0, 3.0]), 3)
    >>> bins.index(np.array([0.0, 1.5, 3.0, 3.5, -0.5])).tolist()
    [0, 1, 2, 3, -1]
    """

    first: float
    last: float
    n: int

    @classmethod
    def of(cls, column: FloatArray, rule: str | int = "fd") -> EqualWidthBins:
        """Bins for a column without missing values; one bin where it is constant."""
        first, last = float(column.min()), float(column.max())
        span = cls._span(first, last)
        if isinstance(rule, str) and span > 0.0:
            return cls.of_width(first, last, _bin_width(column, rule, span))
        return cls._of(first, last, 1.0 if isinstance(rule, str) else float(rule))

    @classmethod
    def of_width(cls, first: float, last: float, width: float) -> EqualWidthBins:
        """As many bins from `first` to `last` as it takes for none to be wider than `width`."""
        with np.errstate(over="ignore", divide="ignore"):
            wanted = np.ceil(np.divide(cls._span(first, last), width))
        return cls._of(first, last, float(wanted))

    @classmethod
    def _of(cls, first: float, last: float, wanted: float) -> EqualWidthBins:
        span = last - first
        if span == 0.0:
            return cls(first, last, 1)
        finest = span / (_STEPS_PER_BIN * float(np.spacing(max(abs(first), abs(last)))))
        return cls(first, last, max(1, int(min(wanted, finest))))

    @staticmethod
    def _span(first: float, last: float) -> float:
        if not np.isfinite(last - first):
            raise InvalidInputError(
                f"a column runs from {first:g} to {last:g}: the difference does not fit in a "
                "float64, so it cannot be cut into bins; rescale the column."
            )
        return last - first

    @property
    def width(self) -> float:
        """Width of one bin; 0 for a constant column."""
        return (self.last - self.first) / self.n

    def edge(self, i: IntArray) -> FloatArray:
        """Edge number `i`, to the last bit what `numpy.linspace` would store there."""
        return np.where(i == self.n, self.last, i * self.width + self.first)

    def index(self, values: FloatArray) -> IntArray:
        """Bin of each value; below 0 or above n - 1 for values outside the column's range.

        The grid goes on outside with bins of the same width, none of which holds a row. A
        constant column has no scale: every other value is far away.
        """
        n, width = self.n, self.width
        if width == 0.0:
            far = int(_FAR)
            return np.select([values < self.first, values > self.last], [-far, far], 0)
        low, high = values < self.first, values > self.last
        outside = bool(low.any() or high.any())
        inside = np.clip(values, self.first, self.last) if outside else values
        i = np.minimum((inside - self.first) / (self.last - self.first) * n, n - 1).astype(np.int64)
        # The division above may miss by one next to an edge; the edges decide.
        i -= inside < self.edge(i)
        i += (inside >= self.edge(i + 1)) & (i < n - 1)
        if not outside:
            return i
        with np.errstate(over="ignore"):
            above = n + np.minimum((values - self.last) / width, _FAR).astype(np.int64)
            below = -1 - np.minimum((self.first - values) / width, _FAR).astype(np.int64)
        return np.select([low, high], [below, above], i)


@dataclass(frozen=True)
class OccupiedBins:
    """The occupied bins of a column, numbered so that `reach` keeps its meaning.

    Bins that are neighbours get consecutive codes; between others `reach` spare codes are
    left, so that two rows are within `reach` bins of each other exactly if their codes are.
    No column has more than (reach + 1) codes per occupied bin.

    Examples
    --------
    >>> import numpy as np
    >>> OccupiedBins.of(np.array([7, 0, 1, 900]), reach=1).codes.tolist()
    [0, 1, 3, 5]
    """

    bins: IntArray
    codes: IntArray
    reach: int

    @classmethod
    def of(cls, index: IntArray, reach: int) -> OccupiedBins:
        """Number the bins that occur in `index`."""
        most = int(index.max()) + 1
        if most <= 4 * index.size:  # counting is quicker than sorting
            bins = np.flatnonzero(np.bincount(index, minlength=most))
        else:
            bins = np.unique(index)
        gaps = np.minimum(np.diff(bins), reach + 1)
        return cls(bins, np.concatenate([[0], np.cumsum(gaps)]).astype(np.int64), reach)

    @property
    def size(self) -> int:
        """Number of codes, spare ones included."""
        return int(self.codes[-1]) + 1

    def encode(self, index: IntArray) -> IntArray:
        """Codes of occupied bins."""
        most = int(self.bins[-1]) + 1
        if most <= 4 * index.size:
            code_of = np.zeros(most, dtype=np.int64)
            code_of[self.bins] = self.codes
            return code_of[index]
        return self.codes[np.searchsorted(self.bins, index)]

    def interval(self, index: IntArray) -> tuple[IntArray, IntArray]:
        """First and last code within reach of each bin, occupied or not; (1, 0) where none is."""
        first = np.searchsorted(self.bins, index - self.reach, side="left")
        last = np.searchsorted(self.bins, index + self.reach, side="right") - 1
        empty = first > last
        low = self.codes[np.minimum(first, self.bins.size - 1)]
        high = self.codes[np.maximum(last, 0)]
        return np.where(empty, 1, low), np.where(empty, 0, high)
