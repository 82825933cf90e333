"""Rows of a table in parts near a point, for evidence.

A sample of the rows is in this process. If too few of its rows are near, the parts answer for all
rows. `look_ahead` asks them for many queries at once, in up to three passes: values around single
ones, counts, values of near rows. `KnownNear` keeps the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from .._util.types import CodeArray, FloatArray, IntArray, Mask, Subspace
from ..binning.cuts import MAX_REACH, Cut
from ..engines.table import TableInParts
from .fitted import ENOUGH, FittedRows, Neighbours, Wanted, find_reach, next_reach
from .parts import RowsInParts

if TYPE_CHECKING:
    from .grid import Grid


FINDING = "finding rows nearby"
"""Name of these passes, for the log and for progress."""


class _Near(NamedTuple):
    """Question for the rows near a point in features, given the bins of the point."""

    features: Subspace
    bins: tuple[int, ...]


class _Values(NamedTuple):
    """Question for the values of near rows in a column, without row `own`."""

    near: _Near
    reach: int
    column: int
    own: int | None


Around = tuple[int, float, float]
"""Number of rows with a value, and the next lower and higher value, NaN if none."""


@dataclass(eq=False)
class KnownNear:
    """Answers of the parts, by question."""

    counts: dict[_Near, IntArray] = field(default_factory=dict)
    values: dict[_Values, FloatArray] = field(default_factory=dict)
    around: dict[tuple[int, float], Around] = field(default_factory=dict)


class FittedInParts(FittedRows):
    """The fitted rows of a grid in parts, with a sample in this process.

    Parameters
    ----------
    density : Grid
        Fitted on the table.
    table : TableInParts
    size : int
        Number of rows in the sample.
    """

    density: Grid

    def __init__(self, density: Grid, table: TableInParts, size: int) -> None:
        sample = table.sample_rows(size)
        super().__init__(density, table.sample(size)[0].values, sample)
        assert isinstance(density.rows_, RowsInParts)
        self.table, self.coded = table, density.rows_
        self.known: KnownNear = density.rows_.kept.setdefault("near", KnownNear())
        self.reaches = _ladder(density.reach)
        self._bins: dict[int, IntArray] = {}

    def column(self, a: int) -> FloatArray:
        """Values of the sample in a column."""
        return self.values[:, a]

    def around(self, a: int, value: float) -> tuple[int, float, float]:
        """Number of rows with a value, and the next lower and higher value, NaN if none."""
        self._ask_around([(a, value)])
        return self.known.around[a, value]

    def neighbours(self, point: FloatArray, own: int | None = None) -> NeighboursInParts:
        """Return an object that finds the rows near a point, except the row numbered `own`."""
        return NeighboursInParts(self, point, own)

    def look_ahead(self, queries: Sequence[Wanted]) -> None:
        """Ask the parts all questions about these queries that the sample cannot answer."""
        pairs = [
            (self.neighbours(query.point, query.own), query, subspace)
            for query in queries
            for subspace in query.subspaces
        ]
        single = [(s[0], float(query.point[s[0]])) for _, query, s in pairs if len(s) == 1]
        self._ask_around([one for one in single if not np.isnan(one[1])])
        if self.sample is None:  # all rows are in this process
            return
        asked = [
            (neighbours, tuple(b for b in s if b != a), a)
            for neighbours, _, s in pairs
            if len(s) > 1
            for a in s
        ]
        first = self.density.reach
        scarce = [one for one in asked if one[0].n_sampled(one[1], first) < ENOUGH]
        self.count_near([neighbours.near(others) for neighbours, others, _ in scarce])
        wanted = []
        for neighbours, others, a in scarce:
            reach, _ = find_reach(lambda r: neighbours.n_near(others, r), first)  # noqa: B023
            if neighbours.n_sampled(others, reach) < ENOUGH:
                wanted.append(_Values(neighbours.near(others), reach, a, neighbours.own))
        self.fetch(wanted)

    def bins(self, a: int) -> IntArray:
        """Bins of the sample in a column."""
        if a not in self._bins:
            self._bins[a] = self.density.cuts_[a].index(np.ascontiguousarray(self.values[:, a]))
        return self._bins[a]

    def count_near(self, asked: Sequence[_Near]) -> None:
        """Count near rows at all reaches, in one pass for the new questions."""
        new = [one for one in dict.fromkeys(asked) if one not in self.known.counts]
        if new:
            bins = {a: self.density.bins_of_codes(a) for one in new for a in one.features}
            counts = self.coded.codes.total(_count_near, new, bins, self.reaches, what=FINDING)
            self.known.counts.update(zip(new, counts.astype(np.int64), strict=True))

    def fetch(self, asked: Sequence[_Values]) -> None:
        """Fetch values of near rows, in one pass for the new questions."""
        new = [one for one in dict.fromkeys(asked) if one not in self.known.values]
        if new:
            numbered = self.table.values.zip(self.table.begins.tolist())
            found = numbered.total(_fetch, new, self.density.cuts_, combine=_join, what=FINDING)
            self.known.values.update(zip(new, found, strict=True))

    def _ask_around(self, asked: Sequence[tuple[int, float]]) -> None:
        new = [one for one in dict.fromkeys(asked) if one not in self.known.around]
        if new:
            found = self.table.values.total(_around, new, combine=_closest, what=FINDING)
            self.known.around.update(zip(new, found, strict=True))


class NeighboursInParts(Neighbours):
    """Fitted rows in parts near one point."""

    rows: FittedInParts

    def __init__(self, rows: FittedInParts, point: FloatArray, own: int | None) -> None:
        super().__init__(rows, point, own)
        cuts = rows.density.cuts_
        self._own_bins = [int(cut.index(point[[a]])[0]) for a, cut in enumerate(cuts)]

    def near(self, features: Sequence[int]) -> _Near:
        """Return the question for the rows near in features."""
        return _Near(tuple(features), tuple(self._own_bins[a] for a in features))

    def n_sampled(self, features: Sequence[int], reach: int) -> int:
        """Number of sampled rows that are near in each of the features."""
        masks = [self.in_one(a, reach) for a in features]
        return int(np.count_nonzero(np.logical_and.reduce(masks)))

    def n_near(self, features: Sequence[int], reach: int) -> int:
        """Number of near rows in the sample, or in all parts if the sample has too few."""
        n = self.n_sampled(features, reach)
        return self.n_in_all(features, reach) if n < ENOUGH else n

    def n_in_all(self, features: Sequence[int], reach: int) -> int:
        """Number of all rows that are near in each of the features."""
        asked = self.near(features)
        self.rows.count_near([asked])
        n = self.rows.known.counts[asked][self.rows.reaches.index(reach)]
        return int(n) - (self.own is not None)

    def values_in_all(self, features: Sequence[int], reach: int, a: int) -> FloatArray:
        """Values in a column of all rows that are near in each of the features."""
        asked = _Values(self.near(features), reach, a, self.own)
        self.rows.fetch([asked])
        return self.rows.known.values[asked]

    def _in_one(self, a: int, reach: int) -> Mask:
        return np.asarray(np.abs(self.rows.bins(a) - self._own_bins[a]) <= reach)


def _ladder(reach: int) -> list[int]:
    """All reaches that `find_reach` may try."""
    reaches = [reach]
    while reaches[-1] < MAX_REACH - 1:
        reaches.append(next_reach(reaches[-1]))
    return reaches


def _count_near(
    codes: CodeArray, asked: list[_Near], bins: dict[int, IntArray], reaches: list[int]
) -> npt.NDArray[np.uint32]:
    """Count a part's near rows at each reach: (n_asked, n_reaches)."""
    counts = np.zeros((len(asked), len(reaches)), dtype=np.uint32)
    rows = {a: of_code[codes[a]] for a, of_code in bins.items()}
    for counted, (features, own) in zip(counts, asked, strict=True):
        apart = np.zeros(codes.shape[1], dtype=np.int64)
        for a, here in zip(features, own, strict=True):
            np.maximum(apart, np.abs(rows[a] - here), out=apart)
        place = np.searchsorted(reaches, apart)
        counted[:] = np.cumsum(np.bincount(place, minlength=len(reaches) + 1)[:-1])
    return counts


def _fetch(part: tuple[FloatArray, int], asked: list[_Values], cuts: list[Cut]) -> list[FloatArray]:
    values, begin = part
    bins: dict[int, IntArray] = {}
    found = []
    for (features, own_bins), reach, column, own in asked:
        near = np.ones(len(values), dtype=bool)
        for a, here in zip(features, own_bins, strict=True):
            if a not in bins:
                bins[a] = cuts[a].index(np.ascontiguousarray(values[:, a]))
            near &= np.abs(bins[a] - here) <= reach
        if own is not None and begin <= own < begin + len(values):
            near[own - begin] = False
        found.append(values[near, column])
    return found


def _join(one: list[FloatArray], two: list[FloatArray]) -> list[FloatArray]:
    return [np.concatenate(pair) for pair in zip(one, two, strict=True)]


def _around(values: FloatArray, asked: list[tuple[int, float]]) -> list[Around]:
    found = []
    for a, value in asked:
        x = values[:, a]
        with np.errstate(invalid="ignore"):
            low = np.fmax.reduce(x[x < value], initial=np.nan)
            high = np.fmin.reduce(x[x > value], initial=np.nan)
        found.append((int(np.count_nonzero(x == value)), float(low), float(high)))
    return found


def _closest(one: list[Around], two: list[Around]) -> list[Around]:
    return [
        (m + n, float(np.fmax(low, lower)), float(np.fmin(high, higher)))
        for (m, low, high), (n, lower, higher) in zip(one, two, strict=True)
    ]
