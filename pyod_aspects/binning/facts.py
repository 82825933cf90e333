"""Facts about a column in parts: questions for a part, and answers that add up.

Every part of a column answers a question, missing values (NaN) included. The sum of the answers,
in the order of the parts, is the answer for the column. No answer grows with the rows: a histogram
has at most 65,536 groups, a list of frequent values at most 1,024 entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .._kernels import columns as _kernel
from .._util.types import FloatArray, IntArray

KeyArray = npt.NDArray[np.uint64]
"""Keys of values, see `_kernels.columns`: integers that sort as the values do."""

# Bits of a group number within a bracket.
_BITS = 11

# With so few values in a part they are told one by one; with so many in all, by groups again.
_FEW, _MANY = 4096, 8192

# Entries of a list of frequent values; a value in more than 1 / _ENTRIES of the rows is frequent.
_ENTRIES = 1024

# Upper bits of a key, which number the groups of an overview.
_TOP = 16


def keys_of(values: FloatArray) -> KeyArray:
    """Key of each value.

    >>> keys_of(np.array([-2.0, -1.0, 0.0, 1.0])).argsort().tolist()
    [0, 1, 2, 3]
    """
    bits = (values + 0.0).view(np.uint64)
    sign = np.uint64(2**63)
    return np.where(bits >= sign, ~bits, bits | sign)


def values_of(keys: KeyArray) -> FloatArray:
    """Value of each key."""
    sign = np.uint64(2**63)
    return np.where(keys >= sign, keys ^ sign, ~keys).view(np.float64)


def _bits(values: FloatArray) -> tuple[FloatArray, KeyArray]:
    """Values of a part as a contiguous array, and their bits."""
    values = np.ascontiguousarray(values)
    return values, values.view(np.uint64)


@dataclass(frozen=True)
class Groups:
    """Number of rows in groups of 2**shift keys from `low` on, without empty groups."""

    low: int
    shift: int
    numbers: KeyArray
    counts: IntArray

    def __add__(self, other: Groups) -> Groups:
        shift = max(self.shift, other.shift)
        one, two = self.coarser(shift), other.coarser(shift)
        total = one._merged(
            np.concatenate([one.numbers, two.numbers]), np.concatenate([one.counts, two.counts])
        )
        return total.coarser(total.shift if total.numbers.size <= _MANY else total._span_shift())

    def coarser(self, shift: int) -> Groups:
        """Return the same rows in larger groups."""
        if shift == self.shift:
            return self
        numbers = self.numbers >> np.uint64(shift - self.shift)
        return Groups(self.low, shift, self.numbers, self.counts)._merged(numbers, self.counts)

    def _merged(self, numbers: KeyArray, counts: IntArray) -> Groups:
        found, place = np.unique(numbers, return_inverse=True)
        sums = np.bincount(place, counts, found.size).astype(np.int64)
        return Groups(self.low, self.shift, found, sums)

    def _span_shift(self) -> int:
        """Shift that leaves few groups between the first and the last key."""
        return self.shift + max(0, int(self.numbers[-1]).bit_length() - _BITS)


@dataclass(frozen=True)
class Frequent:
    """Values that many rows have: at least `counts` rows, and at most `slack` more.

    At most `error` rows have a value that the list lacks.
    """

    values: FloatArray
    counts: IntArray
    slack: IntArray
    error: int

    @property
    def complete(self) -> bool:
        """Whether the list has all values with exact counts."""
        return self.error == 0 and not self.slack.any()

    def __add__(self, other: Frequent) -> Frequent:
        values = np.union1d(self.values, other.values)
        counts, slack = np.zeros((2, values.size), dtype=np.int64)
        for one in (self, other):
            place = values.searchsorted(one.values)
            more = np.full(values.size, one.error)
            more[place] = one.slack
            counts[place] += one.counts
            slack += more
        return Frequent(values, counts, slack, self.error + other.error).trimmed()

    def trimmed(self) -> Frequent:
        """Return the values with the highest possible counts, as many as the list may hold."""
        if self.values.size <= _ENTRIES:
            return self
        most = self.counts + self.slack
        limit = int(np.partition(most, -_ENTRIES - 1)[-_ENTRIES - 1])
        stays = most > limit
        kept = self.values[stays], self.counts[stays], self.slack[stays]
        return Frequent(*kept, max(self.error, limit))


def _frequent(values: FloatArray, bits: KeyArray, hashed: IntArray, n_present: int) -> Frequent:
    """Find frequent values of a part, given the number of rows with each hash."""
    most = n_present // _ENTRIES if np.count_nonzero(hashed) > _ENTRIES else 0
    hot = hashed > most
    found, counts = _count_hot(values, bits, hot)
    error = int(hashed[~hot].max(initial=0))
    more = counts > error  # the others share a hash with one of these
    return Frequent(found[more], counts[more], np.zeros_like(counts[more]), error).trimmed()


def _count_hot(
    values: FloatArray, bits: KeyArray, hot: npt.NDArray[np.bool_]
) -> tuple[FloatArray, IntArray]:
    """Count the values with a hot hash; return the values, sorted, and their counts."""
    if not hot.any():
        return np.empty(0), np.empty(0, dtype=np.int64)
    slots, counts = np.zeros(_kernel.SLOTS, np.uint64), np.zeros(_kernel.SLOTS, np.int64)
    if _kernel.count_hot(values, bits, hot, slots, counts, _kernel.SLOTS // 2):
        used = counts > 0
        found = slots[used].view(np.float64)
        order = found.argsort()
        return found[order], counts[used][order]
    hashes = ((values + 0.0).view(np.uint64) * _kernel.MULTIPLIER) >> np.uint64(52)
    found, counts = np.unique(
        values[hot[hashes.view(np.int64)] & ~np.isnan(values)], return_counts=True
    )
    return found + 0.0, counts


@dataclass(frozen=True)
class Overview:
    """Range, missing values, rows by groups, frequent values, and present rows of each part."""

    first: float
    last: float
    n_missing: int
    sizes: IntArray
    groups: Groups
    frequent: Frequent

    @property
    def size(self) -> int:
        """Number of rows with a value."""
        return int(self.sizes.sum())

    def __add__(self, other: Overview) -> Overview:
        return Overview(
            min(self.first, other.first),
            max(self.last, other.last),
            self.n_missing + other.n_missing,
            np.concatenate([self.sizes, other.sizes]),
            self.groups + other.groups,
            self.frequent + other.frequent,
        )


@dataclass(frozen=True)
class AskOverview:
    """Ask for the facts that every cut needs."""

    def answer(self, values: FloatArray, number: int) -> Overview:
        """Survey a part."""
        values, bits = _bits(values)
        groups = np.zeros(_kernel.GROUPS, dtype=np.int64)
        hashed = np.zeros(_kernel.HASHES, dtype=np.int64)
        n_missing, first, last = _kernel.look_over(values, bits, groups, hashed)
        size = values.size - n_missing
        used = groups.nonzero()[0]
        return Overview(
            float(first),
            float(last),
            int(n_missing),
            np.array([size]),
            Groups(0, 64 - _TOP, used.astype(np.uint64), groups[used]),
            _frequent(values, bits, hashed, size),
        )


@dataclass(frozen=True)
class AskFrequent:
    """Ask for frequent values among the rows that have none of the sorted values `without`."""

    without: FloatArray

    def answer(self, values: FloatArray, number: int) -> Frequent:
        """Survey the other rows of a part."""
        others = values[~np.isin(values, self.without)]
        return AskOverview().answer(others, number).frequent


@dataclass(frozen=True)
class AskCounts:
    """Ask how many rows have each of the sorted `values`."""

    values: FloatArray

    def answer(self, values: FloatArray, number: int) -> IntArray:
        """Count in a part."""
        place = np.minimum(self.values.searchsorted(values), self.values.size - 1)
        return np.bincount(place[self.values[place] == values], minlength=self.values.size)


@dataclass(frozen=True)
class AskCodes:
    """Ask how many rows have each code of a category, and how many have none."""

    n_codes: int

    def answer(self, values: FloatArray, number: int) -> IntArray:
        """Count in a part."""
        codes = np.where(np.isnan(values), self.n_codes, values).astype(np.int64)
        return np.bincount(codes, minlength=self.n_codes + 1)


@dataclass(frozen=True)
class AskBrackets:
    """Ask for the rows in ranges of keys that do not overlap, from `lows` to `highs`."""

    lows: KeyArray
    highs: KeyArray

    def answer(self, values: FloatArray, number: int) -> Brackets:
        """Count in a part: by value if the bracket has few rows, by groups if it has many."""
        values, bits = _bits(values)
        spans = self.highs - self.lows
        shifts = [max(0, int(span).bit_length() - _BITS) for span in spans]
        counts = np.zeros((spans.size, 2**_BITS), dtype=np.int64)
        moves = np.array(shifts, dtype=np.uint64)
        _kernel.count_in_brackets(values, bits, self.lows, spans, moves, counts)
        totals = counts.sum(axis=1)
        few = np.flatnonzero((totals <= _FEW) & (totals > 0) & (moves > 0))
        ends = totals[few].cumsum()
        keys = np.empty(int(ends[-1]) if few.size else 0, dtype=np.uint64)
        if few.size:
            places = ends - totals[few]
            _kernel.collect_in_brackets(values, bits, self.lows[few], spans[few], places, keys)
        told = dict(zip(few.tolist(), np.split(keys, ends[:-1]), strict=False))
        found = []
        for j, low in enumerate(self.lows):
            if j in told:
                numbers, n_rows = np.unique(told[j], return_counts=True)
                found.append(Groups(int(low), 0, numbers, n_rows))
            else:
                used = counts[j].nonzero()[0]
                shift = shifts[j] if used.size else 0
                found.append(Groups(int(low), shift, used.astype(np.uint64), counts[j, used]))
        return Brackets(found)


@dataclass(frozen=True)
class Brackets:
    """Rows in each range of keys."""

    groups: list[Groups]

    def __add__(self, other: Brackets) -> Brackets:
        return Brackets([a + b for a, b in zip(self.groups, other.groups, strict=True)])


# numpy sums this many numbers in a loop; it halves longer arrays, the first half a multiple of 8.
_LOOP = 128


def _halves(start: int, n: int) -> tuple[tuple[int, int], tuple[int, int]]:
    half = n // 2
    half -= half % 8
    return (start, half), (start + half, n - half)


@dataclass(frozen=True)
class AskSum:
    """Ask for the sum of a column, (values - origin) * 2**exponent, to the last bit numpy's.

    With a mean, ask for the sum of squared differences from it. numpy sums in a tree, whose shape
    follows from the number of rows. A part sums the branches within its rows, and returns the
    values of the two loops that it shares with its neighbours. `sizes`: present rows of each part.
    """

    sizes: IntArray
    origin: float = 0.0
    exponent: int = 0
    mean: float | None = None

    def answer(self, values: FloatArray, number: int) -> Sums:
        """Add up a part."""
        values = values[~np.isnan(values)]
        values = values - self.origin if self.origin else values
        values = np.ldexp(values, self.exponent) if self.exponent else values
        if self.mean is not None:
            values = values - self.mean
            values *= values
        begin = int(self.sizes[:number].sum())
        end = begin + values.size
        sums: dict[tuple[int, int], float] = {}
        single: dict[int, FloatArray] = {}
        todo = [(0, int(self.sizes.sum()))]
        while todo:
            start, n = todo.pop()
            low, high = max(start, begin), min(start + n, end)
            if low >= high:
                continue
            here = values[low - begin : high - begin]
            if high - low == n:
                sums[start, n] = float(np.add.reduce(here))
            elif n <= _LOOP:
                single[low] = here.copy()
            else:
                todo += _halves(start, n)
        return Sums(sums, single)


@dataclass(frozen=True)
class Sums:
    """Sums by first place and number of rows, and single values at the ends of parts."""

    sums: dict[tuple[int, int], float]
    single: dict[int, FloatArray]

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.sums | other.sums, self.single | other.single)

    def total(self, start: int, n: int) -> float:
        """Sum of n rows from `start` on."""
        if (start, n) in self.sums:
            return self.sums[start, n]
        if n <= _LOOP:
            places = sorted(place for place in self.single if start <= place < start + n)
            return float(np.add.reduce(np.concatenate([self.single[place] for place in places])))
        (a, m), (b, k) = _halves(start, n)
        return self.total(a, m) + self.total(b, k)


Question = AskOverview | AskFrequent | AskCounts | AskCodes | AskBrackets | AskSum
"""A question for a part."""

Answer = Any
"""The answer of a part; answers to the same question add up."""
