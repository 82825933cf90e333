"""Grid and sGrid: density as the number of rows nearby.

The density of x in subspace s is |N_s(x)| (Wells & Ting, Section 3). It counts the rows whose bin
lies within `reach` bins of x's in every dimension of s. Let H be the rows in an occupied cell and N
the rows near it. Mean and deviation of |N_s| over all rows follow from two exact integers, the sums
of H*N and H*N**2.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from .._util.parallel import count_on, scale_tick
from .._util.types import FloatArray, IntArray, Measure, Tick
from ..binning.bins import check_rule
from ..counting.counter import LevelCounter
from ..counting.table import CodedTable
from ..engines.cutting import count_bins, cut_columns
from ..engines.table import TableInParts
from ..exceptions import PrecisionWarning, TooLargeError
from .base import check_reach
from .binned import BinnedColumns
from .cache import StatisticsCache
from .coding import CutColumns, code_columns
from .fitted import CodedRows, FittedRows, codes_inside
from .moments import four_moments
from .parts import RowsInParts
from .rows import GridRows, LocalRows

MAX_ROWS = 2**31 - 1
"""Most rows of a table: row numbers have 32 bits."""

# Bytes for the rows near the points of one batch.
_POINT_BYTES = 32 * 2**20

# Counts of sampled rows in memory at once.
_SAMPLED = 8_000_000


class Grid(BinnedColumns):
    """Number of rows in the same bin, in every attribute of a subspace.

    Parameters
    ----------
    bins : {"auto", "fd", "scott", "sturges"} or int, default="auto"
        Rule for the number of equal-width bins of each column (Freedman-Diaconis, Scott,
        Sturges), or that number. If the interquartile range is 0, "fd" uses Sturges' rule.
        "auto" is "fd" with two exceptions. Values that hold many rows have bins of their own
        without neighbours. In heavy tails, bins grow with the distance from the median.
        Under every rule, a category has a bin of its own without neighbours, and so has
        "missing" in any column. A rule that asks for narrower bins than float64 resolves gets
        wider ones, with a `PrecisionWarning`.
    n_jobs : int, optional
        Threads for `moments`, as in joblib: None means 1, -1 all processors. The result is the
        same for every number.

    Examples
    --------
    >>> Grid(bins=2).fit([[0.0], [0.1], [0.2], [1.0]]).density((0,))
    array([3., 3., 3., 1.])
    """

    reach: ClassVar[int] = 0
    measure: ClassVar[Measure] = "count"
    nearby: ClassVar[str] = "in the same bin, in each of the features"
    any_table: ClassVar[bool] = True

    def __init__(self, bins: str | int = "auto", n_jobs: int | None = None) -> None:
        self.bins = bins
        self.n_jobs = n_jobs

    def _fit(self, values: FloatArray) -> None:
        rule = check_rule(self.bins)
        self._refuse_too_many()
        columns, codes = code_columns(values, self.columns_, rule, self.reach, self.n_jobs)
        filled = [occupied.filled for occupied in columns.occupied]
        self._take(columns, LocalRows(CodedTable(codes, filled, self.reach)))
        self._warn_of_wide_bins(lambda a: float(np.nanmax(np.abs(values[:, a]))))

    def _fit_parts(self, table: TableInParts) -> None:
        rule = check_rule(self.bins)
        self._refuse_too_many()
        cuts = cut_columns(table.values, self.columns_, rule, table.overviews)
        columns = CutColumns(cuts, count_bins(table.values, cuts, self.reach))
        self._take(columns, RowsInParts(table.values, columns, self.reach))
        self._warn_of_wide_bins(lambda a: float(table.values.total(_largest, a, combine=max)))

    def _refuse_too_many(self) -> None:
        if self.n_rows_ > MAX_ROWS:
            raise TooLargeError(
                f"X has {self.n_rows_:,} rows, at most {MAX_ROWS:,} can be counted: pass a sample "
                "of the rows."
            )

    def _take(self, columns: CutColumns, rows: GridRows) -> None:
        """Take the cuts of the columns, and the rows."""
        self._take_bins(columns)
        self.rows_ = rows
        self._cache = StatisticsCache(len(self.cuts_))

    @property
    def table_(self) -> CodedTable:
        """The coded rows, all in this process."""
        return self.rows_.table

    def _warn_of_wide_bins(self, largest_of: Callable[[int], float]) -> None:
        """Warn of the columns for which the rule asks for narrower bins than float64 resolves."""
        capped = [a for a, cut in enumerate(self.cuts_) if cut.capped]
        if capped:
            largest = largest_of(capped[0])
            more = f" and {len(capped) - 1} more" if len(capped) > 1 else ""
            warnings.warn(
                f"column {self.columns_[capped[0]].name!r}{more}: bins={self.bins!r} asks for "
                f"narrower bins than float64 tells values apart (near {largest:.4g} they are "
                f"{float(np.spacing(largest)):.2g} apart), so bins are wider: subtract a common "
                "offset before the values become floats, or rescale the column.",
                PrecisionWarning,
                stacklevel=4,
            )

    def duplicate_columns(self) -> dict[int, int]:
        """Map each column with the same bins in every row as an earlier one to the first such."""
        return self.rows_.equal_columns()

    def tells_apart(self, points: FloatArray) -> npt.NDArray[np.bool_]:
        """Whether a point has different rows nearby in a duplicate column than in the first."""
        duplicates = self.duplicate_columns()
        low, high = self.intervals(points)
        again, first = list(duplicates), list(duplicates.values())
        differs = (low[:, again] != low[:, first]) | (high[:, again] != high[:, first])
        return np.asarray(differs.any(axis=1))

    def own_share(self, subspaces: IntArray) -> FloatArray:
        """Count of a row itself: 1 in each of subspaces (m, k)."""
        return np.ones(len(subspaces))

    def holds(self, points: FloatArray) -> npt.NDArray[np.bool_]:
        """Whether each point lies in the bins of a fitted row, in all columns."""
        return self.rows_.hold(*self.own_bins(points))

    def density(self, subspace: Sequence[int], points: Any = None) -> FloatArray:
        """Number of rows near every fitted row, or near each of `points`, in a subspace.

        Parameters
        ----------
        subspace : sequence of int
            Attributes, 0-based.
        points : array-like of shape (n_points, n_features), optional
            Points outside a column's range lie outside the grid.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_points,)
        """
        self._check_fitted()
        s = list(self._check_subspace(subspace))
        codes, weights = self.table_.codes[s], self.table_.weights
        if points is None:
            here = codes.T.astype(np.int64)
            low, high = here - self.reach, here + self.reach
        else:
            low, high = (ends[:, s] for ends in self.intervals(self._check_points(points)))
        counts = np.empty(len(low))
        for i in range(len(low)):
            inside = (low[i, :, None] <= codes) & (codes <= high[i, :, None])
            counts[i] = weights[inside.all(axis=0)].sum()
        return counts[self.table_.row_of] if points is None else counts

    def moments(
        self, subspaces: Any, points: Any, tick: Tick | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Number of rows near the points, and its mean and standard deviation over all rows.

        Parameters
        ----------
        subspaces : array-like of int, shape (m, k)
            Subspaces of one size, attributes sorted.
        points : array-like of shape (q, n_features)
        tick : callable, optional
            Gets the number of finished subspaces now and then; an exception it raises ends the
            work.

        Returns
        -------
        at_points : ndarray of shape (m, q)
        mean, std : ndarrays of shape (m,)
        """
        self._check_fitted()
        array = self._check_subspaces(subspaces)
        values = self._check_points(points)
        mean, std = self.statistics(array, tick)
        return self.near(array, values), mean, std

    def statistics(
        self, subspaces: IntArray, tick: Tick | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation of the counts over all rows; cached for the next call."""
        mean, std, known = self._cache.look_up(subspaces)
        if not known.all():
            new = np.flatnonzero(~known)
            mean[new], std[new] = self.rows_.statistics(subspaces[new], self.n_jobs, tick)
            self._cache.store(subspaces[new], mean[new], std[new])
        return mean, std

    def sampled_statistics(
        self, subspaces: IntArray, n: int, tick: Tick | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Mean, deviation, skewness and kurtosis of the counts of n random rows.

        The rows are always the same, in any order of the table. The deviation is 0 if the sample
        has none, or if a subspace has too many bins to count.
        """
        rows = self.sample(n)
        counter = LevelCounter(self.table_, self.n_jobs)
        mean, std, skewness, kurtosis = np.zeros((4, len(subspaces)))
        step = max(1, _SAMPLED // len(rows))
        for begin in range(0, len(subspaces), step):
            part = subspaces[begin : begin + step]
            counts = counter.sample(part, rows, count_on(tick, begin))
            for i in range(0, len(part), 256):
                some = counts[i : i + 256]
                at = slice(begin + i, begin + i + len(some))
                mean[at], std[at], skewness[at], kurtosis[at] = four_moments(some)
        return mean, std, skewness, kurtosis

    @property
    def estimated(self) -> bool:
        """Whether a sample gives mean and deviation of counts: the rows do not fit here."""
        return self.rows_.estimated

    def moments_of_sample(self, subspaces: IntArray) -> tuple[FloatArray, FloatArray, int]:
        """Skewness and kurtosis of the counts behind estimated statistics, and their number.

        For an `estimated` grid, after `statistics` has counted these subspaces.
        """
        assert isinstance(self.rows_, RowsInParts)
        return self.rows_.moments_of_sample(subspaces)

    def cost(self, subspaces: IntArray) -> float:
        """Nanoseconds, roughly, that exact statistics of the subspaces take on one thread."""
        return LevelCounter(self.table_, self.n_jobs).cost(subspaces)

    def sampling_cost(self, subspaces: IntArray, n: int) -> float:
        """Nanoseconds, roughly, that statistics of n sampled rows take on one thread."""
        counter = LevelCounter(self.table_, self.n_jobs)
        return counter.sampler(self.sample(n)).cost(subspaces)

    def sample(self, n: int) -> npt.NDArray[np.int32]:
        """First n rows of a fixed random order, as numbers of distinct rows."""
        rows = self.rows_.local().sample(n).rows
        assert rows is not None
        return rows

    def batch_size(self) -> int:
        """Most queries to search together: their bits take at most 32 MB."""
        bytes_of_one = self.n_features_in_ * -(-self.rows_.n_at_hand // 64) * 8
        return max(1, min(64, _POINT_BYTES // bytes_of_one))

    def near(
        self,
        subspaces: Any,
        points: Any,
        reach: int | IntArray | None = None,
        tick: Tick | None = None,
    ) -> FloatArray:
        """Number of rows near each point in each subspace.

        Counts add up: the parts of a table, with the same bins, sum to the whole table.

        Parameters
        ----------
        subspaces : array-like of int, shape (m, k)
            Subspaces of one size, attributes sorted.
        points : array-like of shape (q, n_features)
        reach : int or array of int, shape (n_features,), optional
            Bins to each side that are near, for all columns or for each; by default the density's
            own. A category, an atom or a missing value is near itself only, at any reach.
        tick : callable, optional
            Gets the number of finished subspaces now and then.

        Returns
        -------
        ndarray of shape (m, q)
        """
        self._check_fitted()
        array = self._check_subspaces(subspaces)
        values = self._check_points(points)
        reaches = check_reach(self.reach if reach is None else reach, self.n_features_in_)
        counts, size = np.empty((len(array), len(values))), self.batch_size()
        for begin in range(0, len(values), size):
            some = values[begin : begin + size]
            # Counts as subspaces: a finished group of points is that share of all subspaces.
            done = count_on(scale_tick(tick, len(values), 1), begin * len(array))
            part = scale_tick(done, 1, len(some))
            boxes = self.intervals(some, reaches)
            counts[:, begin : begin + size] = self.rows_.count(array, *boxes, self.n_jobs, part)
        return counts

    def nearby_fitted(
        self,
        subspace: Sequence[int],
        point: FloatArray,
        values: FloatArray,
        reach: int | IntArray | None = None,
        picked: IntArray | None = None,
    ) -> npt.NDArray[np.bool_]:
        """Return which fitted rows are near a point in every attribute, by their codes.

        Parameters
        ----------
        subspace, point, values, reach, picked
            As for `Density.nearby_fitted`; the grid does not read the values.

        Returns
        -------
        ndarray of bool, shape (n_picked,) or (n_rows,)
        """
        reaches = check_reach(self.reach if reach is None else reach, self.n_features_in_)
        row_of = self.table_.row_of
        distinct = None if picked is None else row_of[picked]
        near: Any = True
        for a in subspace:
            codes = self.table_.codes[a] if distinct is None else self.table_.codes[a, distinct]
            near = near & codes_inside(codes, *self.interval(a, point, int(reaches[a])))
        return np.asarray(near[row_of] if distinct is None else near)

    def fitted_rows(self, values: FloatArray, sample: IntArray | None = None) -> FittedRows:
        """Return the fitted rows by their codes, as an object that finds rows near many points."""
        return CodedRows(self, values, sample)

    def score_samples(self, X: Any) -> FloatArray:
        """Log-density of points in the space of all columns, as `KernelDensity` gives it.

        The density is the count, divided by the number of rows and by the volume of the box of
        bins, so it integrates to one. Bins of a single value, as in categories, missing values
        and constant columns, have no volume and do not count. A point without rows nearby has the
        log-density -inf.

        Parameters
        ----------
        X : array-like of shape (n_points, n_features)

        Returns
        -------
        ndarray of shape (n_points,)
        """
        self._check_fitted()
        values = self._check_points(X)
        counts = self.density(range(self.n_features_in_), values)
        low, high = self._box(values, check_reach(self.reach, self.n_features_in_))
        widths = np.nan_to_num(high - low)
        widths[(widths == 0) | self._categories] = 1.0
        log_volume = np.log(widths).sum(axis=1)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(counts) - np.log(self.n_rows_) - log_volume)


def _largest(values: FloatArray, a: int) -> float:
    """Largest absolute value of a column in a part, 0 if it has none."""
    return float(np.fmax.reduce(np.abs(values[:, a]), initial=0.0))


class SGrid(Grid):
    """Number of rows in the same bin or in one next to it, in every attribute of a subspace.

    The smoothed grid of Wells & Ting: a Grid whose neighbourhood reaches one bin to each side.

    Parameters
    ----------
    bins : {"auto", "fd", "scott", "sturges"} or int, default="auto"
        Rule for the bins of each column, or their number, as for `Grid`.
    n_jobs : int, optional
        Threads for `moments`, as for `Grid`.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [1.0]]
    >>> sgrid = SGrid(bins=4).fit(X)
    >>> sgrid.density((0,))
    array([3., 3., 3., 1.])
    >>> sgrid.density((0,), [[0.3], [1.2], [9.0]])
    array([3., 1., 0.])
    """

    reach: ClassVar[int] = 1
    nearby: ClassVar[str] = "in the same bin or the next one, in each of the features"
