"""Evidence of an aspect: the row's value in each feature, and the values of other rows.

The typical range of a feature holds the middle 90 % of all rows. The expected range holds the
middle 90 % of the rows that are near the query in the *other* features of the aspect. A value
outside of it is too high or too low for the company it keeps. If fewer than 30 rows are near,
the reach doubles until there are as many, and the range counts as rough.

A fixed sample represents a large table. Only where fewer than 30 rows of the sample are near does
the finder look at all rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..._util.types import FloatArray, Mask
from ...density import Density, Grid
from ...density.fitted import ENOUGH, FittedRows, Wanted, find_reach
from ...density.fitted_parts import FittedInParts
from ...engines.table import TableInParts
from ...search.aspect import Aspect, Evidence, Value
from ...tables import Column, Table
from ...tables.table import sample_rows

SAMPLE = 65_536
"""Most rows behind a range."""

MOST_LABELS = 5
"""Most labels of a category that represent 90 % of the rows."""

LEAST_GAP = 0.1
"""Least width of a gap, as a share of the typical range."""

Range = tuple[float, ...]
"""Ends of a range of numbers; labels of a category by number, most frequent first; (NaN,) for
"missing"; or empty without rows."""

_WHOLE = 2.0**53  # float holds every whole number up to here
_FARTHEST = 1e9  # largest distance outside of a range, in its widths
_FAR_MOVED = 0.2  # most that rounding may move the end of a range, as a share of its size
_TIME_UNITS = (86_400.0, 60.0, 1.0)


class Facts(NamedTuple):
    """Ranges and direction of one feature of an aspect, in the numbers of the table."""

    typical: Range
    expected: Range | None
    direction: str
    outside: float
    rough: bool
    gap: tuple[float, float] | None = None


class EvidenceFinder:
    """Finds evidence among reference rows, and keeps the ranges of whole columns.

    Parameters
    ----------
    reference : Table or TableInParts
        The fitted rows.
    density : Density
        Density fitted on them, which defines nearness.
    """

    def __init__(self, reference: Table | TableInParts, density: Density) -> None:
        self.columns, self.density = reference.columns, density
        self.sampled = reference.n_rows > SAMPLE
        self.rows: FittedRows
        if isinstance(reference, Table):
            sample = sample_rows(reference.n_rows, SAMPLE) if self.sampled else None
            self.rows = density.fitted_rows(reference.values, sample)
        else:
            assert isinstance(density, Grid)
            self.rows = FittedInParts(density, reference, SAMPLE)
        self._typical: dict[int, Range] = {}
        self._has_neighbourhood: bool | None = None

    def look_ahead(
        self, points: FloatArray, own: Sequence[int | None], found: Sequence[Sequence[Aspect]]
    ) -> None:
        """Prepare the evidence of several queries, with one pass over the parts for all."""
        several = zip(points, own, found, strict=True)
        self.rows.look_ahead([Wanted(*one[:2], [a.subspace for a in one[2]]) for one in several])

    def add_evidence(
        self,
        aspects: Sequence[Aspect],
        point: FloatArray,
        columns: Sequence[Column],
        own: int | None,
    ) -> list[Aspect]:
        """Return the aspects of one query with their evidence.

        Parameters
        ----------
        aspects : sequence of Aspect
        point : ndarray of shape (n_features,)
            The query.
        columns : sequence of Column
            Columns of the query's table: they know categories that no fitted row has.
        own : int or None
            Number of the query among the reference rows, unless it is new.
        """
        query = Query(self, point, own)
        return [
            replace(
                aspect,
                evidence=tuple(
                    _to_evidence(columns[a], float(point[a]), query.facts(aspect, a))
                    for a in aspect.subspace
                ),
            )
            for aspect in aspects
        ]

    def typical(self, a: int) -> Range:
        """Range of the middle 90 % of rows in a column."""
        if a not in self._typical:
            self._typical[a] = middle(self.rows.column(a), self.columns[a])
        return self._typical[a]

    def are_typical(self, values: FloatArray, columns: Sequence[int]) -> Mask:
        """Which rows lie in the typical ranges of all these columns."""
        insides = [_are_inside(values[:, a], self.columns[a], self.typical(a)) for a in columns]
        return np.asarray(np.logical_and.reduce(insides))

    def has_neighbourhood(self, point: FloatArray) -> bool:
        """Whether the density defines which rows are near."""
        if self._has_neighbourhood is None:
            self._has_neighbourhood = self.density.neighbourhood(point[None]) is not None
        return self._has_neighbourhood


class Query:
    """A query among the reference rows; it keeps which of them are near."""

    def __init__(self, finder: EvidenceFinder, point: FloatArray, own: int | None) -> None:
        self.finder, self.point, self.own = finder, point, own
        self._neighbours = finder.rows.neighbours(point, own)

    def facts(self, aspect: Aspect, a: int) -> Facts:
        """Ranges and direction of one feature of an aspect."""
        finder, value = self.finder, float(self.point[a])
        typical, column = finder.typical(a), finder.columns[a]
        if len(aspect.subspace) == 1:
            away, way = (
                outside(value, column, typical, typical),
                direction(value, column, [typical]),
            )
            return Facts(
                typical, None, way, away, False, self._gap(a) if way == "between" else None
            )
        if not finder.has_neighbourhood(self.point):
            return Facts(typical, None, direction(value, column, [typical], True), 0.0, False)
        rows, rough = self._enough_rows(aspect, a)
        expected = middle(rows, column)
        way = direction(value, column, [expected, typical], True)
        return Facts(typical, expected, way, outside(value, column, expected, typical), rough)

    def _gap(self, a: int) -> tuple[float, float] | None:
        """Nearest values of other rows below and above, if they leave a gap in a column."""
        n_equal, low, high = self.finder.rows.around(a, float(self.point[a]))
        if n_equal > (self.own is not None) or math.isnan(low) or math.isnan(high):
            return None
        first, last = self.finder.typical(a)
        return (low, high) if high - low >= LEAST_GAP * (last - first) > 0.0 else None

    def ordinary_values(self, aspect: Aspect, a: int) -> FloatArray:
        """Values in the expected range of a feature, of rows near in the others of the aspect.

        For an aspect of one feature, in the typical range. Empty if nearness is undefined.
        """
        finder, column = self.finder, self.finder.columns[a]
        if len(aspect.subspace) == 1:
            rows, ordinary = finder.rows.column(a), finder.typical(a)
        elif finder.has_neighbourhood(self.point):
            rows, _ = self._enough_rows(aspect, a)
            ordinary = middle(rows, column)
        else:
            return np.empty(0)
        return rows[_are_inside(rows, column, ordinary)]

    def _enough_rows(self, aspect: Aspect, a: int) -> tuple[FloatArray, bool]:
        """Values in column `a` of the rows near in the others; whether the reach had to grow."""
        others = tuple(b for b in aspect.subspace if b != a)
        # Not the reach of the aspect, which may be wide: a narrow range says more.
        reach = self.finder.density.reach
        reach, rough = find_reach(lambda r: self._n_near(others, r), reach)
        near = self._near(others, reach)
        if self.finder.sampled and np.count_nonzero(near) < ENOUGH:
            return self._neighbours.values_in_all(others, reach, a), rough
        return self.finder.rows.column(a)[near], rough

    def _n_near(self, others: Sequence[int], reach: int) -> int:
        """Number of rows near in other features: in the sample if enough, else in all rows."""
        n = int(np.count_nonzero(self._near(others, reach)))
        if self.finder.sampled and n < ENOUGH:
            return self._neighbours.n_in_all(others, reach)
        return n

    def _near(self, others: Sequence[int], reach: int) -> Mask:
        """Which rows of the sample are near in other features."""
        masks = [self._neighbours.in_one(b, reach) for b in others]
        return np.asarray(masks[0] if len(masks) == 1 else np.logical_and.reduce(masks))


def middle(values: FloatArray, column: Column) -> Range:
    """Range of the middle 90 % of values, without missing ones unless these are 90 %.

    For a category, its most frequent labels that together hold 90 %, at most five; empty if these
    hold less than half.

    >>> middle(np.arange(100.0), Column("age"))
    (5.0, 94.0)
    >>> middle(np.array([0, 1, 1, 1, 2, 1, 1, 1, 1, 0, 0.0]), Column("colour", "category", "abc"))
    (1.0, 0.0)
    """
    present = values[~np.isnan(values)]
    n = present.size
    if values.size and 10 * (values.size - n) >= 9 * values.size:
        return (math.nan,)
    if n == 0:
        return ()
    if column.kind == "category":
        counts = np.bincount(present.astype(np.int64))
        often = np.argsort(-counts, kind="stable")[:MOST_LABELS]
        held = np.cumsum(counts[often])
        if 2 * held[-1] < n:
            return ()
        last = int(np.argmax(10 * held >= min(9 * n, 10 * held[-1])))
        return tuple(map(float, often[: last + 1]))
    first, last = n // 20, n - 1 - n // 20
    ordered = np.partition(present, [first, last])
    return float(ordered[first]), float(ordered[last])


def direction(value: float, column: Column, ranges: Sequence[Range], several: bool = False) -> str:
    """Say where a value lies, relative to the first range that does not contain it.

    >>> direction(7.0, Column("age"), [(1.0, 9.0), (2.0, 5.0)], several=True)
    'high'
    """
    apart = column.kind == "category" or math.isnan(value)
    for one in ranges:
        if not one or _is_inside(value, column, one):
            continue
        if apart or math.isnan(one[0]):
            return "rare"
        return "high" if value > one[1] else "low"
    return "rare" if apart and not several else "between"


def outside(value: float, column: Column, one: Range, typical: Range) -> float:
    """Distance of a value outside a range, in widths of it, or of the typical one if it has none.

    >>> outside(7.0, Column("age"), (2.0, 4.0), (0.0, 9.0))
    1.5
    """
    if not one or _is_inside(value, column, one):
        return 0.0
    if column.kind == "category" or math.isnan(value) or math.isnan(one[0]):
        return 1.0
    away = one[0] - value if value < one[0] else value - one[1]
    of_all = typical[1] - typical[0] if len(typical) == 2 else 0.0
    width = one[1] - one[0] or of_all or abs(one[0]) or 1.0
    return float(f"{min(away / width, _FARTHEST):.4g}")


def _is_inside(value: float, column: Column, one: Range) -> bool:
    if math.isnan(value) or math.isnan(one[0]):
        return math.isnan(value) and math.isnan(one[0])
    return value in one if column.kind == "category" else one[0] <= value <= one[1]


def _are_inside(values: FloatArray, column: Column, one: Range) -> Mask:
    if not one or math.isnan(one[0]):
        return np.isnan(values) if one else np.zeros(len(values), dtype=bool)
    if column.kind == "category":
        return np.isin(values, one)
    return (one[0] <= values) & (values <= one[1])


def _to_evidence(column: Column, value: float, facts: Facts) -> Evidence:
    """Facts in the user's units."""
    given = [one for one in (facts.typical, facts.expected, facts.gap) if one is not None]
    shown, ranges = in_units(column, value, given, apart=facts.gap is not None)
    expected = None if facts.expected is None else ranges[1]
    gap = None if facts.gap is None else (ranges[-1][0], ranges[-1][1])
    return Evidence(column.name, shown, ranges[0], expected, *facts[2:5], gap=gap)


def in_units(
    column: Column, value: float, ranges: Sequence[Range], apart: bool = False
) -> tuple[Value, list[tuple[Value, ...]]]:
    """Value and ranges in the user's units, with enough digits to tell them apart.

    With `apart`, also enough to tell the value from the ends of the last range.

    >>> in_units(Column("area"), 2499.0, [(203.4, 1312.9)])
    (2499.0, [(200.0, 1300.0)])
    >>> in_units(Column("price"), 18000.0, [(544.0, 13107.0)])
    (18000.0, [(500.0, 13000.0)])
    >>> in_units(Column("sold", "time"), 1e9, [(0.0, 9.9e8)])
    ('2001-09-09', [('1970-01-01', '2001-05-16')])
    """
    if column.kind == "number" and column.offset:  # all digits matter
        return _in_words(column, value), [
            tuple(_in_words(column, x) for x in one) for one in ranges
        ]
    numeric = column.kind != "category" and not math.isnan(value)
    shown = value
    rounded: list[Range] = []
    finest = 0 if _is_clock(column) else -400
    for place, one in enumerate(ranges, start=1):
        if column.kind == "category" or len(one) < 2:
            rounded.append(one)
            continue
        low, high = one
        reference = value if numeric else low
        digits = _first_digits(column, reference, low, high)
        while True:
            ends = _cut_end(column, low, digits), _cut_end(column, high, digits)
            here = _cut_value(column, reference, digits)
            same = (here < ends[0]) == (reference < low) and (here > ends[1]) == (reference > high)
            if apart and place == len(ranges):
                same = same and here not in ends
            if (same and (ends[0] < ends[1]) == (low < high)) or digits > 340:
                break
            digits += 1
        rounded.append(ends)
        finest = max(finest, digits)
    if numeric:
        shown = _cut_value(column, value, finest)
    if column.kind == "number" and not column.duration:
        return _number(shown), [tuple(_number(x) for x in one) for one in rounded]
    return _in_words(column, shown), [tuple(_in_words(column, x) for x in one) for one in rounded]


def _in_words(column: Column, x: float) -> Value:
    return None if math.isnan(x) else column.text(x)


def _is_clock(column: Column) -> bool:
    """Whether values count days, minutes and seconds."""
    return column.kind == "time" or column.duration


def _number(x: float) -> Value:
    return None if math.isnan(x) else x + 0.0  # no -0.0


def _first_digits(column: Column, value: float, low: float, high: float) -> int:
    """Decimals that give the width of a range two digits; for a time, the index of its unit."""
    width = high - low or abs(value - low) or abs(low) / 100 or 1.0
    if _is_clock(column):
        return sum(width < 20 * unit for unit in _TIME_UNITS[:-1])
    return 1 - _exponent(width)


def _cut(column: Column, x: float, digits: int) -> float:
    """Round a number to decimals; cut a time to the beginning of its day, minute or second."""
    if not _is_clock(column):
        try:
            return round(x, digits)
        except OverflowError:  # 1.7e308 would become 2e308
            return x
    if digits >= len(_TIME_UNITS):
        return x
    unit = _TIME_UNITS[digits]
    # Days begin at midnight of their time zone, with any offset.
    shift = (column.offset + column.zone_shift(x)) % unit
    return (x + shift) // unit * unit - shift


def _cut_end(column: Column, x: float, digits: int) -> float:
    """`_cut` for the end of a range: more decimals if rounding moves it far for its size."""
    cut = _cut(column, x, digits)
    for more in (1, 2):
        if not _is_clock(column) and abs(cut - x) > _FAR_MOVED * abs(x):
            cut = _cut(column, x, digits + more)
    return cut


def _cut_value(column: Column, value: float, digits: int) -> float:
    """`_cut` for the row's value: a digit more, four at least; a whole number keeps all."""
    if not _is_clock(column):
        if value.is_integer() and abs(value) <= _WHOLE:
            return value
        return round(value, max(digits + 1, 3 - _exponent(value)))
    return _cut(column, value, digits)


def _exponent(x: float) -> int:
    """Power of ten of a number.

    >>> _exponent(2499.0), _exponent(0.02), _exponent(0.0)
    (3, -2, 0)
    """
    return math.floor(math.log10(abs(x))) if x and math.isfinite(x) else 0
