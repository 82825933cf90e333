"""Equal-width bins, one column at a time, computed and never allocated.

Edges, and the bin of every value, are those of `numpy.histogram_bin_edges` for the column as
float64. An edge is a formula and not an array, so a heavy tail that asks for a billion bins costs
nothing: `OccupiedBins` numbers the few that hold rows. `cuts.py` decides which values of a column
are cut into bins, and on which scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite
from operator import index as as_int
from typing import Any

import numpy as np
import numpy.typing as npt

from .._util.types import AnyArray, CodeArray, FloatArray, IntArray
from ..exceptions import InvalidInputError
from .ordered import Plain, Ranked

RULES = ("auto", "fd", "scott", "sturges")

# With fewer float64 steps, a bin is no wider than the rounding of its own edges.
_STEPS_PER_BIN = 16.0

# Distance outside the range, in bins, beyond which no neighbourhood reaches.
_FAR = 2.0**40

# More codes do not fit in 16 bits, and the kernels count 16-bit codes faster.
MOST_CODES = 2**16

# Up to this many values and bins, a search among the edges is faster than arithmetic.
_FEW_VALUES, _FEW_BINS = 500, 2000


def check_rule(bins: str | int) -> str | int:
    """Return `bins` if it is a rule or a number of bins; otherwise raise an error."""
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


def _bin_width(column: Ranked, rule: str, span: float) -> float:
    """Width that the rule asks for, in numpy's formulas; Sturges where the IQR is 0."""
    n = column.size
    if rule == "fd":
        q75, q25 = column.percentiles(75, 25)
        if q75 > q25:
            return float(2.0 * (q75 - q25) * n ** (-1.0 / 3.0))
    elif rule == "scott":
        return float((24.0 * np.pi**0.5 / n) ** (1.0 / 3.0) * column.deviation())
    return float(span / (np.log2(n) + 1.0))


def float_step(first: float, last: float) -> float:
    """Step between float64 values of the size of the range's larger end."""
    return float(np.spacing(max(abs(first), abs(last))))


@dataclass(frozen=True)
class EqualWidthBins:
    """`n` bins of equal width from `first` to `last`; the last one includes `last`.

    `capped`: the rule asks for narrower bins than float64 resolves.

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
    capped: bool = False

    @classmethod
    def of(
        cls, column: FloatArray | Ranked, rule: str | int = "fd", step: float = 0.0
    ) -> EqualWidthBins:
        """Return bins for a column without missing values; one bin if it is constant.

        If values lie at least a known `step` apart, there is at most one bin for each step.
        """
        values = column if isinstance(column, Ranked) else Plain(column)
        first, last = values.first, values.last
        span = cls._span(first, last)
        if isinstance(rule, str) and span > 0.0:
            return cls.of_width(first, last, _bin_width(values, rule, span), step)
        return cls._of(first, last, 1.0 if isinstance(rule, str) else float(rule), step)

    @classmethod
    def of_width(cls, first: float, last: float, width: float, step: float = 0.0) -> EqualWidthBins:
        """Return the fewest bins from `first` to `last` that are no wider than `width`."""
        span = cls._span(first, last)
        return cls._of(first, last, float(np.ceil(span / width)) if width else inf, step)

    @classmethod
    def _of(cls, first: float, last: float, wanted: float, step: float) -> EqualWidthBins:
        span = last - first
        if span == 0.0:
            return cls(first, last, 1)
        most = span / (_STEPS_PER_BIN * float_step(first, last))
        if step > 0.0:
            most = min(most, span / step + 1.0)
        return cls(first, last, max(1, int(min(wanted, most))), wanted > max(1.0, most))

    @staticmethod
    def _span(first: float, last: float) -> float:
        if not isfinite(last - first):
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
        """Edge number `i`, equal to the last bit to that of `numpy.linspace`."""
        return np.where(i == self.n, self.last, i * self.width + self.first)

    def index(self, values: FloatArray) -> IntArray:
        """Bin of each value; below 0 or above n - 1 for values outside the column's range.

        The grid continues outside with bins of the same width, none of which holds a row. A
        constant column has no scale: every other value is far away.
        """
        n, first, last, width = self.n, self.first, self.last, self.width
        if width == 0.0:
            far = int(_FAR)
            return np.where(values < first, -far, np.where(values > last, far, 0))
        if values.size == 0 or (values.min() >= first and values.max() <= last):
            return self.index_inside(values)
        index = self.index_inside(np.minimum(np.maximum(values, first), last))
        with np.errstate(over="ignore"):
            beyond = np.where(values < first, first - values, np.maximum(values - last, 0.0))
            away = np.minimum(beyond / width, _FAR).astype(np.int64)
        return np.where(values < first, -1 - away, np.where(values > last, n + away, index))

    def index_inside(self, values: FloatArray) -> IntArray:
        """Bin of each value in the column's range."""
        n, first, width = self.n, self.first, self.width
        if values.size <= _FEW_VALUES and n <= _FEW_BINS:
            place = self.edge(np.arange(n + 1)).searchsorted(values, side="right")
            return np.minimum(place - 1, n - 1)
        i = values - first
        i /= self.last - first
        i *= n
        np.floor(np.minimum(i, n - 1, out=i), out=i)
        # The division above may miss by one next to an edge: the edges decide.
        edge = i * width
        edge += first
        i[values < edge] -= 1.0
        np.add(i, 1.0, out=edge)
        edge *= width
        edge += first
        up = (values >= edge).nonzero()[0]
        i[up[i[up] < n - 1]] += 1.0
        return i.astype(np.int64)


@dataclass(frozen=True)
class OccupiedBins:
    """The occupied bins of a column, numbered so that `reach` keeps its meaning.

    Neighbouring bins get consecutive codes. Bins further apart get `reach` spare codes between
    them. So two rows are within `reach` bins of each other exactly if their codes are.
    No column has more than (reach + 1) codes per occupied bin. `filled` holds the number of rows
    with each code: 0 for a spare one.

    Examples
    --------
    >>> import numpy as np
    >>> occupied, codes = OccupiedBins.of(np.array([7, 0, 1, 900]), reach=1)
    >>> occupied.codes.tolist(), codes.tolist()
    ([0, 1, 3, 5], [3, 0, 1, 5])
    """

    bins: IntArray
    codes: npt.NDArray[np.int32]
    filled: npt.NDArray[np.int32]
    reach: int

    @classmethod
    def of(
        cls, index: IntArray, reach: int, counts: IntArray | None = None
    ) -> tuple[OccupiedBins, CodeArray]:
        """Number the bins that occur in `index`; return the code of each entry, too.

        An entry stands for one row, or for the number in `counts`. The codes have 16 bits if they
        fit, otherwise 32.
        """
        most = int(index.max()) + 1
        few = most <= 4 * index.size  # counting is faster than sorting
        if few:
            n_rows = np.bincount(index, counts)
            bins = n_rows.nonzero()[0]
            n_rows = n_rows[bins]
        else:
            ordered = np.sort(index)
            bins = ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])]
            place = bins.searchsorted(index)
            n_rows = np.bincount(place, counts)
        occupied = cls.numbered(bins, n_rows, reach)
        if not few:
            return occupied, occupied.codes.astype(occupied.dtype)[place]
        code_of = np.zeros(most, dtype=occupied.dtype)
        code_of[bins] = occupied.codes
        return occupied, code_of.take(index, mode="clip")

    @classmethod
    def numbered(cls, bins: IntArray, n_rows: AnyArray, reach: int) -> OccupiedBins:
        """Number sorted bins, which hold `n_rows` rows each."""
        codes = np.zeros(bins.size, dtype=np.int32)
        np.minimum(bins[1:] - bins[:-1], reach + 1).cumsum(out=codes[1:])
        filled = np.zeros(codes[-1] + 1, dtype=np.int32)
        filled[codes] = n_rows
        return cls(bins, codes, filled, reach)

    @property
    def dtype(self) -> type[np.unsignedinteger[Any]]:
        """Type of the codes of rows: 16 bits if they fit, otherwise 32."""
        return np.uint16 if self.size <= MOST_CODES else np.uint32

    @property
    def size(self) -> int:
        """Number of codes, spare ones included."""
        return self.filled.size

    def interval(self, index: IntArray, reach: int | IntArray) -> tuple[IntArray, IntArray]:
        """First and last code within `reach` bins of each bin, occupied or not; (1, 0) if none."""
        first = np.searchsorted(self.bins, index - reach, side="left")
        last = np.searchsorted(self.bins, index + reach, side="right") - 1
        empty = first > last
        low = self.codes[np.minimum(first, self.bins.size - 1)]
        high = self.codes[np.maximum(last, 0)]
        return np.where(empty, 1, low), np.where(empty, 0, high)

    @cached_property
    def up_to(self) -> IntArray:
        """Number of rows before each code, and at the end of all rows."""
        return np.concatenate([[0], self.filled.cumsum(dtype=np.int64)])

    def count(self, index: IntArray, reach: int | IntArray) -> IntArray:
        """Rows within `reach` bins of each bin, occupied or not."""
        low, high = self.interval(index, reach)
        return np.asarray(self.up_to[high + 1] - self.up_to[low])
