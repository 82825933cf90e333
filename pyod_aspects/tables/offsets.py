"""Offsets, subtracted from numbers that float64 would round, so that differences survive.

float64 cannot hold whole numbers beyond 2**53 or times with nanoseconds. Their offset lies near
the middle of the distinct values, or of a sample of them. Only the values decide on the sample:
the order of the rows and a split into parts do not change it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import gcd, isinf
from numbers import Integral, Rational
from typing import Any

import numpy as np

from .._util.hashing import mix
from .._util.types import AnyArray, FloatArray, IntArray
from ..exceptions import PrecisionWarning

# Powers of ten of NumPy's units of time: so many of a unit are a second.
_POWERS = {"s": 0, "ms": 3, "us": 6, "ns": 9, "ps": 12, "fs": 15, "as": 18}

# Size of the sample of distinct values whose middle is the offset.
_SOME = 1024

# float64 holds every whole number up to here.
_WHOLE = 2**53


def beyond_float64(values: FloatArray) -> bool:
    """Whether float64 may have rounded some of these whole numbers."""
    low, high = values.min(initial=0.0), values.max(initial=0.0)
    if np.isnan(low):
        low, high = np.nanmin(values, initial=0.0), np.nanmax(values, initial=0.0)
    return bool(max(-low, high) >= _WHOLE)


def offset_of_integers(raw: AnyArray, name: str, what: str) -> float:
    """Offset of a column of whole numbers: 0 if float64 holds them, or if no offset helps."""
    if not rounds(raw):
        return 0.0
    distinct = np.unique(raw)
    offset = offset_of_whole(some_of(distinct))
    warn_of_lost(distinct, offset, name, what)
    return offset


def rounds(raw: AnyArray) -> bool:
    """Whether float64 rounds any whole number of a column."""
    if raw.size == 0 or raw.dtype.itemsize < 8:
        return False
    if max(-int(raw.min()), int(raw.max())) <= _WHOLE:
        return False
    values, end = raw.astype(np.float64), 2.0 ** (64 if raw.dtype.kind == "u" else 63)
    fits = values < end
    return not (fits.all() and (values.astype(raw.dtype) == raw).all())


def some_of(distinct: AnyArray) -> AnyArray:
    """Return a sample of distinct whole numbers, sorted: all, or those with the smallest hashes.

    Only the numbers decide on the sample. So `some_of` the union of the samples of parts is
    `some_of` the union of the parts.

    >>> numbers = np.arange(5000)
    >>> parts = np.union1d(some_of(numbers[:4000]), some_of(numbers[3000:]))
    >>> bool((some_of(numbers) == some_of(parts)).all())
    True
    """
    if distinct.size <= _SOME:
        return distinct
    hashes = mix(distinct.astype(distinct.dtype.newbyteorder("="), copy=False).view(np.uint64))
    return np.asarray(np.sort(distinct[hashes.argsort()[:_SOME]]))


def offset_of_whole(some: AnyArray) -> float:
    """Offset of whole numbers that float64 rounds, given a sample, distinct and sorted."""
    return _round_down(int(some[some.size // 2]))


def warn_of_lost(distinct: AnyArray, offset: float, name: str, what: str) -> None:
    """Warn if float64 rounds neighbouring whole numbers, distinct and sorted, to the same value."""
    values = minus(distinct, offset)
    n_lost = int((values[1:] == values[:-1]).sum())
    if n_lost:
        warnings.warn(
            f"column {name!r} of {what} runs from {distinct[0]} to {distinct[-1]}, so that float64 "
            f"does not tell {n_lost:,} of its {distinct.size:,} values from the next ones: pass "
            "them as text if they are names, or split the column.",
            PrecisionWarning,
            stacklevel=3,
        )


def offset_of_objects(present: Sequence[Any] | AnyArray, floats: list[float]) -> float:
    """Offset of Python's numbers: large whole numbers, and decimals that float64 makes equal."""
    whole = [isinstance(x, Integral) for x in present]
    if not any(w and f != x for w, f, x in zip(whole, floats, present, strict=True)):
        exact = [x for x, w in zip(present, whole, strict=True) if w or not isinstance(x, float)]
        if all(whole) or len({float(x) for x in exact}) == len(set(exact)):
            return 0.0
    distinct = sorted(x for x in set(present) if not isinf(x))
    middle = distinct[len(distinct) // 2]
    return _round_down(int(middle)) if all(whole) else float(middle)


def _round_down(middle: int) -> float:
    """Offset near a whole number, itself a float64; 0 if float64 holds the numbers around it."""
    n_lost = middle.bit_length() - 53
    return float(middle - middle % 2**n_lost) if n_lost > 0 else 0.0


def minus(raw: AnyArray, offset: float) -> FloatArray:
    """Whole numbers minus an offset; subtracts before the conversion to float64."""
    if not offset:
        return raw.astype(np.float64, copy=False)
    unsigned = raw.dtype.kind == "u"
    low, high = (0, 2**64) if unsigned else (-(2**63), 2**63)
    if not (offset.is_integer() and low <= offset < high):
        return np.array([difference(x, offset) for x in raw.tolist()], dtype=np.float64)
    # Differences modulo 2**64 are right for any signs; each branch takes one direction.
    wide = raw.astype(np.uint64 if unsigned else np.int64)
    above = wide >= int(offset)
    bits = wide.view(np.uint64)
    middle = np.uint64(int(offset) % 2**64)
    return np.where(
        above, (bits - middle).astype(np.float64), -((middle - bits).astype(np.float64))
    )


def difference(x: Any, offset: float) -> float:
    """A number minus an offset, rounded only once, to a float."""
    if not isinstance(x, (Rational, float, Decimal)) or isinf(x):
        return float(x) - offset
    return float(Fraction(x) - Fraction(offset))


def seconds_of(raw: AnyArray, offset: float | None = None) -> tuple[FloatArray, float]:
    """Times since 1970, or durations, in seconds minus an offset, and the offset."""
    kind = "datetime64" if raw.dtype.kind == "M" else "timedelta64"
    offset = offset_of_times(raw) if offset is None else offset
    missing = np.isnat(raw)
    if offset:
        whole = raw.astype(f"{kind}[s]")
        rest = raw - whole
        unit, multiple = np.datetime_data(rest.dtype)
        fraction = rest.astype(np.int64) * multiple / 10.0 ** _POWERS[unit]
        seconds = (whole.astype(np.int64) - int(offset)) + fraction
        return np.where(missing, np.nan, seconds), offset
    whole = raw.astype(f"{kind}[us]")
    seconds = whole.astype(np.int64) / 1e6
    if _POWERS.get(np.datetime_data(raw.dtype)[0], 0) > 6:
        seconds += (raw - whole).astype("timedelta64[as]").astype(np.int64) / 1e18
    return np.where(missing, np.nan, seconds), 0.0


def offset_of_times(raw: AnyArray) -> float:
    """Offset of times or durations, in whole seconds: 0 if float64 tells them apart."""
    ticks = Ticks.of(raw)
    return ticks.offset(some_of(np.unique(ticks_of(raw)))) if ticks.rounded else 0.0


def ticks_of(raw: AnyArray) -> IntArray:
    """Times or durations without gaps, in their unit."""
    return raw[~np.isnat(raw)].astype(np.int64)


@dataclass(frozen=True)
class Ticks:
    """Range of times or durations in ticks; a second has `per_second` / `multiple` of them.

    `common` divides all of them. `per_second` is 0 if the unit is longer than a second, or if all
    values are missing.
    """

    low: int = 0
    high: int = 0
    common: int = 0
    per_second: int = 0
    multiple: int = 1

    @classmethod
    def of(cls, raw: AnyArray) -> Ticks:
        """Find the range of times or durations."""
        counts = ticks_of(raw)
        unit, multiple = np.datetime_data(raw.dtype)
        if counts.size == 0 or unit not in _POWERS:
            return cls()
        common = int(np.gcd.reduce(counts))
        return cls(int(counts.min()), int(counts.max()), common, 10 ** _POWERS[unit], multiple)

    def __add__(self, other: Ticks) -> Ticks:
        if not (self.per_second and other.per_second):
            return self if self.per_second else other
        if (self.per_second, self.multiple) != (other.per_second, other.multiple):
            per_second = max(self.per_second, other.per_second)
            return self.finer(per_second) + other.finer(per_second)
        low, high = min(self.low, other.low), max(self.high, other.high)
        return replace(self, low=low, high=high, common=gcd(self.common, other.common))

    def finer(self, per_second: int) -> Ticks:
        """Return the same range in shorter ticks."""
        times = self.multiple * (per_second // self.per_second)
        return Ticks(self.low * times, self.high * times, self.common * times, per_second)

    @property
    def rounded(self) -> bool:
        """Whether float64 makes different times equal, in seconds since 1970."""
        if not self.per_second:
            return False
        tick = self.multiple / self.per_second
        step = float(np.spacing(max(-float(self.low), float(self.high)) * tick))
        return step > tick and step > self.common * tick

    def offset(self, some: IntArray) -> float:
        """Offset in whole seconds, given a sample of ticks, distinct and sorted."""
        return float(int(some[some.size // 2]) * self.multiple // self.per_second)
