"""The rows of a grid in parts: counts of the parts add up to those of the table.

The points that are asked about travel to the parts, counts come back. What a search explores is a
sample of the rows, brought here once.

What a pass costs, for each part: it reads the codes, 1 to 2 bytes a value as a rule (kept in memory
if they fit, else made from the values anew), and returns counts of 4 bytes. Those of lifts are
queries x subspaces x reaches x (1 + size of the subspace): 50 contenders of 3 features at 7 reaches
are 6 kB a query. A tree adds them up, so that this process receives the counts of one part.
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
"""Codes of so many bytes may be brought together in this process, for Z-scores."""

JUDGED = 1024
"""Rows of the sample from which mean and deviation are estimated where codes do not fit."""

COUNTING = "counting rows"
"""What most passes do."""

# Subspaces that are counted in one pass, at all rows of the sample: 4 MB of counts.
_TOGETHER = 512

# Rows whose bits are in memory at once.
_BLOCK = 65_536

_Counts = npt.NDArray[np.uint32]  # a table has no more than 2**31 - 1 rows

# Nanoseconds of counting from which a level is split among workers, and pieces for each of them.
_WORTH_IT, _PIECES = 1e9, 4


class RowsInParts(GridRows):
    """The coded rows of a grid, in parts.

    Parameters
    ----------
    values : Parts
        Values of rows, arrays of shape (n_rows, n_features).
    columns : CutColumns
    reach : int
        Of the grid.
    """

    def __init__(self, values: Parts, columns: CutColumns, reach: int) -> None:
        self.columns, self.reach, self.n_rows = columns, reach, columns.n_rows
        self.filled = [occupied.filled for occupied in columns.occupied]
        widest = max(np.dtype(occupied.dtype).itemsize for occupied in columns.occupied)
        self.n_bytes = self.n_rows * len(columns.cuts) * widest
        codes = values.map(code_rows, columns.cuts, columns.occupied)
        # Codes that are not kept are made anew for each pass.
        self.codes = codes.keep() if self.n_bytes <= values.room() else codes
        self._samples: dict[int, SomeRows] = {}
        self._equal: dict[int, int] | None = None
        self.estimated = self.n_bytes > GATHERED_BYTES
        self._moments: dict[Subspace, tuple[float, float]] = {}
        self._local: LocalRows | None = None
        self._shared: Shared | None = None
        self.kept: dict[str, Any] = {}  # what others know of these rows

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_shared": None}  # it is sent again

    @property
    def n_at_hand(self) -> int:
        """All rows if they were brought together, else a block of them."""
        return min(self.n_rows, _BLOCK) if self.estimated else self.n_rows

    @property
    def table(self) -> CodedTable:
        """All rows, brought together if they fit."""
        return self.local().table

    def local(self) -> LocalRows:
        """Bring the rows together, once, if they fit."""
        if self._local is None:
            if self.estimated:
                raise TooLargeError(
                    f"the codes of {self.n_rows:,} rows take {self.n_bytes / 2**30:.1f} GB, more "
                    f"than the {GATHERED_BYTES / 2**30:.1f} GB that are brought together: use "
                    "SGBeam(score='lift'), which counts where the partitions are."
                )
            codes = np.concatenate(self.codes.each(_itself, what="bringing codes together"), axis=1)
            self._local = LocalRows(CodedTable(codes, self.filled, self.reach))
        return self._local

    def equal_columns(self) -> dict[int, int]:
        """Columns are equal if they are in every part."""
        if self._equal is None:
            first = self.codes.total(
                _number_columns, combine=_number_both, what="comparing columns"
            )
            self._equal = {a: int(b) for a, b in enumerate(first) if a != b}
        return self._equal

    def hold(self, low: IntArray, high: IntArray) -> Mask:
        """Whether any part holds it."""
        return np.asarray(
            self.codes.total(hold, low, high, combine=np.logical_or, what="looking up rows")
        )

    def sample(self, n: int) -> SomeRows:
        """The first n rows of the random order, brought here once."""
        if n not in self._samples:
            codes = sample_parts(self.codes, self.filled, min(n, self.n_rows))
            self._samples[n] = SomeRows(CodedTable(codes, self.filled, self.reach))
        return self._samples[n]

    def explored(self, n: int) -> SomeRows:
        """Return a sample of n rows; of all, if there are no more."""
        return self.sample(n)

    def count_subsets(
        self, asked: list[Asked], n_jobs: int | None, tick: Tick | None = None
    ) -> list[dict[int, CountArray]]:
        """Count in one pass, for all points."""
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
        """Count in one pass; of rows that were brought together, at hand."""
        if self._local is not None:
            return self._local.count(subspaces, low, high, n_jobs, tick)
        counts = self.codes.total(_count_boxes, subspaces, low, high, what=COUNTING)
        return np.asarray(counts, dtype=np.float64)

    def statistics(
        self, subspaces: IntArray, n_jobs: int | None, tick: Tick | None
    ) -> tuple[FloatArray, FloatArray]:
        """Count a level on rows that were brought together: its subspaces are split among workers.

        What takes less than a second is counted here, and so are codes that do not fit on a worker.
        Rows that do not fit here stay where they are: then the figures are those of a fixed sample
        of rows, each counted in all parts.
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
        """Mean and deviation of the counts of the sample; skewness and kurtosis are kept."""
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
        """Skewness and kurtosis that `statistics` found, and the rows that they are of."""
        found = np.array([self._moments[tuple(s)] for s in subspaces.tolist()])
        return found[:, 0], found[:, 1], min(JUDGED, self.n_rows)


def _itself(codes: CodeArray) -> CodeArray:
    return codes


def _statistics(table: CodedTable, subspaces: IntArray) -> tuple[FloatArray, FloatArray]:
    return LevelCounter(table).statistics(subspaces)


def _number_columns(codes: CodeArray) -> IntArray:
    """The first column that equals each."""
    first = np.arange(len(codes))
    for again, one in first_of_equals(codes).items():
        first[again] = one
    return first


def _number_both(one: IntArray, two: IntArray) -> IntArray:
    """The first column that equals each by both numberings."""
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
