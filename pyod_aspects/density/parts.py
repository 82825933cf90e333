"""The rows of a grid in parts: counts of the parts add up to those of the table.

Points travel to the parts, and counts come back. A search explores a sample of the rows, which
this process fetches once.

In each pass a part reads its codes, 2 bytes a value as a rule. They stay in memory if they fit;
otherwise each pass computes them from the values. A part returns counts of 4 bytes. A lift needs
subspaces x reaches x (1 + size of the subspace) counts a query: 50 contenders of 3 features at 7
reaches take 6 kB. A tree adds the counts up, so this process receives as many as one part returns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .._util.parallel import scale_tick
from .._util.types import CodeArray, FloatArray, IntArray, Mask, Subspace, Tick
from ..counting.counter import LevelCounter
from ..counting.points import count_in_boxes, load_codes
from ..counting.subsets import Asked, CountArray, count_asked
from ..counting.table import CodedTable
from ..engines.cutting import code_rows
from ..engines.parts import Parts, Shared
from ..exceptions import TooLargeError
from .base import first_of_equals
from .coding import CutColumns
from .moments import four_moments
from .rows import GridRows, LocalRows, SomeRows, hold
from .sample import sample_parts

GATHERED_BYTES = 2**31
"""Most bytes of codes that this process gathers for Z-scores."""

JUDGED = 1024
"""Sampled rows that estimate mean and deviation if the codes exceed `GATHERED_BYTES`."""

COUNTING = "counting rows"
"""Name of most passes, for the log and for progress."""

# Subspaces to count in one pass, at `JUDGED` points: 2 MB of counts.
_TOGETHER = 512

# Rows to hold as bits in memory at once.
_BLOCK = 65_536

_Counts = npt.NDArray[np.uint32]  # a table has no more than 2**31 - 1 rows

# Split a level among workers if counting it here takes this many ns, and into so many pieces for
# each of their threads.
_WORTH_IT, _PIECES = 1e9, 4


class RowsInParts(GridRows):
    """The coded rows of a grid, in parts.

    Parameters
    ----------
    values : Parts
        Values of rows, arrays of shape (n_rows, n_features).
    columns : CutColumns
    reach : int
        Reach of the grid.
    """

    def __init__(self, values: Parts, columns: CutColumns, reach: int) -> None:
        self.columns, self.reach, self.n_rows = columns, reach, columns.n_rows
        self.filled = [occupied.filled for occupied in columns.occupied]
        widest = max(np.dtype(occupied.dtype).itemsize for occupied in columns.occupied)
        self.n_bytes = self.n_rows * len(columns.cuts) * widest
        codes = values.map(code_rows, columns.cuts, columns.occupied)
        # Without room, each pass computes the codes from the values.
        self.codes = codes.keep() if self.n_bytes <= values.room() else codes
        self._samples: dict[int, SomeRows] = {}
        self._equal: dict[int, int] | None = None
        self.estimated = self.n_bytes > GATHERED_BYTES
        self._moments: dict[Subspace, tuple[float, float]] = {}
        self._local: LocalRows | None = None
        self._shared: Shared | None = None
        self.kept: dict[str, Any] = {}  # answers that other modules keep with these rows

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_shared": None}  # the next use sends the table again

    @property
    def n_at_hand(self) -> int:
        """All rows if they fit in this process, else a block of them."""
        return min(self.n_rows, _BLOCK) if self.estimated else self.n_rows

    @property
    def table(self) -> CodedTable:
        """All rows, gathered in this process."""
        return self.local().table

    def local(self) -> LocalRows:
        """Gather the rows in this process, once; raise if they do not fit."""
        if self._local is None:
            if self.estimated:
                raise TooLargeError(
                    f"the codes of {self.n_rows:,} rows take {self.n_bytes / 2**30:.1f} GiB, but "
                    f"one process gathers at most {GATHERED_BYTES / 2**30:.1f} GiB: use "
                    "SGBeam(score='lift'), which counts in the partitions."
                )
            codes = np.concatenate(self.codes.each(_itself, what="bringing codes together"), axis=1)
            self._local = LocalRows(CodedTable(codes, self.filled, self.reach))
        return self._local

    def equal_columns(self) -> dict[int, int]:
        """Compare the columns: equal ones are equal in every part."""
        if self._equal is None:
            first = self.codes.total(
                _number_columns, combine=_number_both, what="comparing columns"
            )
            self._equal = {a: int(b) for a, b in enumerate(first) if a != b}
        return self._equal

    def hold(self, low: IntArray, high: IntArray) -> Mask:
        """Ask all parts; one that holds the point is enough."""
        return np.asarray(
            self.codes.total(hold, low, high, combine=np.logical_or, what="looking up rows")
        )

    def sample(self, n: int) -> SomeRows:
        """Fetch the first n rows of the random order, once."""
        if n not in self._samples:
            codes = sample_parts(self.codes, self.filled, min(n, self.n_rows))
            self._samples[n] = SomeRows(CodedTable(codes, self.filled, self.reach))
        return self._samples[n]

    def explored(self, n: int) -> SomeRows:
        """Return a sample of n rows, or all rows if there are no more."""
        return self.sample(n)

    def count_subsets(
        self, asked: list[Asked], n_jobs: int | None, tick: Tick | None = None
    ) -> list[dict[int, CountArray]]:
        """Count for all points in one pass."""
        counted = self.codes.total(_count_all, asked, combine=_add, tick=tick, what=COUNTING)
        return [{k: n.astype(np.uint64) for k, n in one.items()} for one in counted]

    def count(
        self,
        subspaces: IntArray,
        low: IntArray,
        high: IntArray,
        n_jobs: int | None = None,
        tick: Tick | None = None,
    ) -> FloatArray:
        """Count in one pass; without one if this process has gathered the rows."""
        if self._local is not None:
            return self._local.count(subspaces, low, high, n_jobs, tick)
        counts = self.codes.total(_count_boxes, subspaces, low, high, what=COUNTING)
        return np.asarray(counts, dtype=np.float64)

    def statistics(
        self, subspaces: IntArray, n_jobs: int | None, tick: Tick | None
    ) -> tuple[FloatArray, FloatArray]:
        """Gather the rows and split the subspaces of a level among the workers.

        This process counts alone if it takes less than a second, or if the codes do not fit on a
        worker. If the rows do not fit in this process, they stay in the parts. All parts then count
        at a fixed sample of points, which gives estimates.
        """
        if self.estimated:
            return self._estimate(subspaces, tick)
        counter = LevelCounter(self.table, n_jobs)
        if counter.cost(subspaces) < _WORTH_IT:
            return counter.statistics(subspaces, tick)
        if self._shared is None or not self._shared.reachable:
            self._shared = self.codes.share(self.table, self.n_bytes)
        if self._shared is None or len(subspaces) < 2:
            return counter.statistics(subspaces, tick)
        n = min(len(subspaces), _PIECES * self._shared.n_workers)
        pieces = np.array_split(subspaces, n)
        done = scale_tick(tick, n, len(subspaces))
        found = self._shared.each(_statistics, pieces, tick=done)
        return np.concatenate([mean for mean, _ in found]), np.concatenate([s for _, s in found])

    def _estimate(self, subspaces: IntArray, tick: Tick | None) -> tuple[FloatArray, FloatArray]:
        """Estimate mean and deviation from the sample; keep skewness and kurtosis."""
        sample = self.sample(JUDGED).table
        points = sample.codes[:, sample.row_of].T.astype(np.int64)
        low, high = points - self.reach, points + self.reach
        mean, std = np.empty((2, len(subspaces)))
        for begin in range(0, len(subspaces), _TOGETHER):
            part = subspaces[begin : begin + _TOGETHER]
            at = slice(begin, begin + len(part))
            counts = self.codes.total(_count_boxes, part, low, high, what=COUNTING)
            mean[at], std[at], *more = four_moments(counts)
            kept = zip(part.tolist(), *(x.tolist() for x in more), strict=True)
            self._moments.update((tuple(s), (skew, kurtosis)) for s, skew, kurtosis in kept)
            if tick is not None:
                tick(at.stop)
        return mean, std

    def moments_of_sample(self, subspaces: IntArray) -> tuple[FloatArray, FloatArray, int]:
        """Skewness and kurtosis from `statistics`, and the size of their sample."""
        found = np.array([self._moments[tuple(s)] for s in subspaces.tolist()])
        return found[:, 0], found[:, 1], min(JUDGED, self.n_rows)


def _itself(codes: CodeArray) -> CodeArray:
    return codes


def _statistics(table: CodedTable, subspaces: IntArray) -> tuple[FloatArray, FloatArray]:
    return LevelCounter(table).statistics(subspaces)


def _number_columns(codes: CodeArray) -> IntArray:
    """For each column, the first column equal to it."""
    first = np.arange(len(codes))
    for again, one in first_of_equals(codes).items():
        first[again] = one
    return first


def _number_both(one: IntArray, two: IntArray) -> IntArray:
    """For each column, the first one that is equal to it in both numberings."""
    seen: dict[tuple[int, int], int] = {}
    pairs = zip(one.tolist(), two.tolist(), strict=True)
    return np.array([seen.setdefault(pair, a) for a, pair in enumerate(pairs)])


def _count_all(codes: CodeArray, asked: list[Asked]) -> list[dict[int, _Counts]]:
    counted = (count_asked(codes, None, one) for one in asked)
    return [{k: counts.astype(np.uint32) for k, counts in one.items()} for one in counted]


def _add(one: list[Any], two: list[Any]) -> list[Any]:
    return [{k: counts + b[k] for k, counts in a.items()} for a, b in zip(one, two, strict=True)]


def _count_boxes(codes: CodeArray, subspaces: IntArray, low: IntArray, high: IntArray) -> _Counts:
    counts = np.zeros((len(subspaces), len(low)), dtype=np.uint32)
    for begin in range(0, codes.shape[1], _BLOCK):
        rows = np.arange(begin, min(begin + _BLOCK, codes.shape[1]), dtype=np.int32)
        bits = load_codes(codes, low, high, rows)
        counts += count_in_boxes(subspaces, bits).astype(np.uint32)
    return counts
