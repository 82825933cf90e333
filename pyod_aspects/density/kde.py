"""Kernel density with a Gaussian product kernel and Härdle's bandwidth (paper, Section 2).

Missing values, infinite here, are at distance 0 from each other and infinitely far from all others;
so are the rows of a category, whose bandwidth is 0.

The density compares every row with every row, so a subspace costs the square of the rows. It shares
all it can: it merges equal rows and evaluates the kernels of each attribute once for all subspaces
of a level. The product of a parent serves all its children.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from .._kernels import kde as _kernel
from .._kernels.arguments import Families
from .._kernels.kde import RepeatedValues, WeightedRows
from .._util.parallel import count_on, run, scale_tick
from .._util.types import FloatArray, IntArray, Tick
from ..binning.ordered import deviation
from ..counting.families import group_by_parent
from ..exceptions import InvalidInputError
from .base import ROUNDING, Density, check_reach, first_of_equals
from .cache import StatisticsCache

# Nanoseconds, roughly, of one kernel and of one pair of point and row in a subspace.
_KERNEL, _PAIR = 2.0, 0.13

# Most sums of one piece, 8 bytes each; most subspaces whose sums are computed together.
_MAX_SUMS, _MAX_SUBSPACES = 2**18, 2**15

# With this many times fewer values than rows, a column has one kernel for each value.
_FEW = 4


def hardle_bandwidth(column: FloatArray) -> float:
    """Härdle's rule of thumb: 1.06 min(sigma, IQR / 1.34) n^(-1/5); sigma alone if the IQR is 0.

    sigma is the standard deviation with n in the denominator, as in the Z-score. The paper does not
    define it. R and statsmodels divide by n - 1, which makes a bandwidth about 1 + 1 / (2 n) times
    as wide.

    Examples
    --------
    >>> import numpy as np
    >>> round(hardle_bandwidth(np.arange(10.0)), 3)
    1.921
    """
    if column.size == 0 or column.min() == column.max():
        return 0.0
    q75, q25 = np.percentile(column, [75, 25])
    spread = deviation(column)
    if q75 > q25:
        spread = min(spread, float(q75 - q25) / 1.34)
    return float(1.06 * spread * column.size ** (-1.0 / 5.0))


class KDE(Density):
    """Gaussian kernel density in a subspace, exact: every row against every row.

    A constant column contributes nothing, unless a point differs in it: then the point is far from
    all rows. In a column of categories the kernel is 1 between rows of the same category and 0
    otherwise. A missing value is as near to another one as equal values are, and far from all
    others.

    Parameters
    ----------
    bandwidth : "hardle" or float, default="hardle"
        Härdle's rule of thumb for each column, or one bandwidth for all of them.
    n_jobs : int, optional
        Threads for `moments`, as in joblib: None means 1, -1 all processors. The result is the
        same for every number.

    Examples
    --------
    >>> KDE().fit([[0.0], [0.1], [0.2], [1.0]]).density((0,)).round(2)
    array([1.26, 1.41, 1.26, 0.51])
    """

    nearby: ClassVar[str] = "within one bandwidth of the kernel, in each of the features"
    any_table: ClassVar[bool] = True

    piece: ClassVar[float] = 3e7
    """Nanoseconds of work of one thread between two checks for progress and interruption."""

    def __init__(self, bandwidth: str | float = "hardle", n_jobs: int | None = None) -> None:
        self.bandwidth = bandwidth
        self.n_jobs = n_jobs

    def _fit(self, values: FloatArray) -> None:
        width = self.bandwidth
        is_width = isinstance(width, (int, float)) and np.isfinite(width) and width > 0
        if not is_width and width != "hardle":
            raise InvalidInputError(
                f"bandwidth={self.bandwidth!r}: expected 'hardle' or a positive number."
            )
        categories = self._categories
        self.bandwidths_: FloatArray = np.zeros(len(categories))
        for a in np.flatnonzero(~categories):
            column = np.ascontiguousarray(values[:, a])
            column = column[~np.isnan(column)]
            bandwidth = hardle_bandwidth(column)
            self.bandwidths_[a] = float(width) if is_width and bandwidth > 0 else bandwidth
        inverse = np.zeros(len(categories))
        varies = self.bandwidths_ > 0
        inverse[varies] = 1.0 / self.bandwidths_[varies]
        if not np.isfinite(inverse).all():
            raise InvalidInputError(
                "a column varies by less than 1e-300: too little to smooth; rescale it."
            )
        inverse[~varies] = np.inf  # categories and constant columns: equal or infinitely far
        self._merge(fill_missing(values), inverse)
        self._cache = StatisticsCache(self.n_features_in_)

    def _merge(self, values: FloatArray, inverse: FloatArray) -> None:
        """Merge equal rows, and find the columns with few distinct values."""
        n, d = values.shape
        first, row_of = _distinct_rows(values)
        weights = np.bincount(row_of)
        if first.size == n:  # nothing to merge: keep the rows in their order
            row_of = np.arange(n)
        else:
            values = values[first]
        # Column-major: the kernels run along the rows.
        columns = np.array(values.T, order="C")
        self._rows = WeightedRows(columns, weights.astype(np.float64), inverse)
        self._row_of: IntArray = row_of
        column_of = np.full(d, -1)
        codes: list[npt.NDArray[np.int32]] = [np.empty((0, first.size), dtype=np.int32)]
        distinct: list[FloatArray] = []
        for a, column in enumerate(columns):
            values_of_column, code = np.unique(column, return_inverse=True)
            if _FEW * values_of_column.size <= column.size:
                column_of[a] = len(distinct)
                codes.append(code.astype(np.int32)[None])
                distinct.append(values_of_column)
        self._repeated = RepeatedValues(
            column_of,
            np.concatenate(codes),
            np.concatenate([np.empty(0), *distinct]),
            np.cumsum([0, *map(len, distinct)]),
        )

    def _log_norm(self, subspaces: IntArray) -> FloatArray:
        """Logarithm of n times the product of the bandwidths and of the kernels' constants."""
        bandwidths = np.where(self.bandwidths_ > 0, self.bandwidths_, 1.0)
        varies = self.bandwidths_ > 0
        log_h = np.log(bandwidths) + varies * 0.5 * np.log(2.0 * np.pi)
        return np.asarray(np.log(self.n_rows_) + log_h[subspaces].sum(axis=1))

    def _scale(self, subspaces: IntArray) -> FloatArray:
        """Factor from sums to densities; clipped to the range of float64, for tiny columns."""
        return np.asarray(np.exp(np.clip(-self._log_norm(subspaces), -600.0, 600.0)))

    def _sums(
        self,
        subspaces: IntArray,
        points: FloatArray,
        receive: Callable[[IntArray, int, FloatArray], None],
        tick: Tick | None = None,
    ) -> None:
        """Sums of product kernels, not normalised, at points given column by column: (d, q).

        Any thread calls `receive(places, begin, sums)`, piece by piece: sums (p, m) of the p
        points that start at `begin`, for the m subspaces at `places`. `tick` gets the number of
        finished sums.
        """
        if len(subspaces) == 0:
            return
        n_rows = self._rows.weights.size
        families = group_by_parent(subspaces, self.n_features_in_)
        parts = [_renumber(part) for part in _parts_of(families, n_rows, self.piece)]
        n_points = points.shape[1]

        def pieces() -> Iterator[tuple[int, int, int]]:
            for i, (attributes, part) in enumerate(parts):
                of_one = n_rows * (_KERNEL * attributes.size + _PAIR * part.order.size)
                step = max(1, int(min(self.piece / of_one, _MAX_SUMS // part.order.size)))
                for begin in range(0, n_points, step):
                    yield i, begin, min(n_points, begin + step)

        def work(i: int, begin: int, end: int) -> int:
            attributes, part = parts[i]
            sums = np.empty((end - begin, part.order.size))
            block = np.ascontiguousarray(points[attributes, begin:end])
            _kernel.product_sums(block, self._rows, self._repeated, attributes, part, sums)
            receive(part.order, begin, sums)
            return sums.size

        run(work, pieces(), self.n_jobs, tick)

    def _sums_at(
        self,
        subspaces: IntArray,
        points: FloatArray,
        tick: Tick | None = None,
    ) -> FloatArray:
        """Sums of product kernels, not normalised, at points given column by column: (m, q)."""
        out = np.empty((len(subspaces), points.shape[1]))

        def keep(places: IntArray, begin: int, sums: FloatArray) -> None:
            out[places, begin : begin + len(sums)] = sums.T

        self._sums(subspaces, points, keep, tick)
        return out

    def density(self, subspace: Sequence[int], points: Any = None) -> FloatArray:
        """Density of every fitted row, or of each of `points`, in a subspace.

        Parameters
        ----------
        subspace : sequence of int
            Attributes, 0-based.
        points : array-like of shape (n_points, n_features), optional

        Returns
        -------
        ndarray of shape (n_rows,) or (n_points,)
        """
        self._check_fitted()
        s = np.array([self._check_subspace(subspace)])
        scale = self._scale(s)
        if points is None:
            return np.asarray(self._sums_at(s, self._rows.values)[0][self._row_of] * scale)
        return np.asarray(self._sums_at(s, self._check_and_fill(points).T)[0] * scale)

    def moments(
        self, subspaces: Any, points: Any, tick: Tick | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Density at the points, and its mean and standard deviation over all rows.

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
        columns = self._check_and_fill(points).T
        m, n_points = len(array), columns.shape[1]
        mean, std, known = self._cache.look_up(array)
        new = np.flatnonzero(~known)
        sums_done = scale_tick(tick, m * n_points + new.size * self._rows.weights.size, m)
        at_points = self._densities(array, columns, sums_done)
        if new.size:
            scale = self._scale(array[new])
            sums = self._statistics(array[new], count_on(sums_done, m * n_points))
            mean[new], std[new] = (_snap(part * scale) for part in sums)
            self._cache.store(array[new], mean[new], std[new])
        return at_points, mean, std

    def near(
        self,
        subspaces: Any,
        points: Any,
        reach: int | IntArray | None = None,
        tick: Tick | None = None,
    ) -> FloatArray:
        """Density at the points alone, as `moments` returns it.

        Parameters
        ----------
        subspaces : array-like of int, shape (m, k)
            Subspaces of one size, attributes sorted.
        points : array-like of shape (q, n_features)
        reach : optional
            For grids only: see `Grid.near`.
        tick : callable, optional
            Gets the number of finished subspaces now and then; an exception it raises ends the
            work.

        Returns
        -------
        ndarray of shape (m, q)
        """
        self._check_fitted()
        self._refuse_reach(reach)
        array = self._check_subspaces(subspaces)
        columns = self._check_and_fill(points).T
        m, n_points = len(array), columns.shape[1]
        return self._densities(array, columns, scale_tick(tick, m * n_points, m))

    def _densities(
        self, subspaces: IntArray, columns: FloatArray, tick: Tick | None = None
    ) -> FloatArray:
        """Densities, without their last digits, at points given column by column: (m, q)."""
        return _snap(self._sums_at(subspaces, columns, tick) * self._scale(subspaces)[:, None])

    def _statistics(self, subspaces: IntArray, tick: Tick | None) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation over all rows of the sums, not normalised."""
        merged = _MergedMoments(len(subspaces))

        def merge(places: IntArray, begin: int, sums: FloatArray) -> None:
            weights = self._rows.weights[begin : begin + len(sums)]
            mean, squares = np.empty(places.size), np.empty(places.size)
            _kernel.block_moments(sums, weights, mean, squares)
            merged.add(places, begin, begin + len(sums), float(weights.sum()), mean, squares)

        self._sums(subspaces, self._rows.values, merge, tick)
        std = np.sqrt(merged.squares / self.n_rows_)
        std[std <= ROUNDING * merged.mean] = 0.0
        return merged.mean, std

    def own_share(self, subspaces: IntArray) -> FloatArray:
        """Share of a row's kernel in its own density, in each of subspaces (m, k)."""
        return _snap(self._scale(subspaces))

    def holds(self, points: FloatArray) -> npt.NDArray[np.bool_]:
        """Whether each point equals a fitted row in all columns."""
        columns = fill_missing(points).T
        return np.array([_has_row(self._rows.values, point) for point in columns.T])

    def constant_columns(self) -> IntArray:
        """Numbers of the columns in which all rows are equal."""
        rows = self._rows.values
        return np.flatnonzero((rows == rows[:, :1]).all(axis=1))

    def leaves_constant(self, points: FloatArray) -> npt.NDArray[np.bool_]:
        """Whether each point has another value than all rows in each constant column."""
        constant = self.constant_columns()
        return np.asarray(fill_missing(points)[:, constant] != self._rows.values[constant, 0])

    def duplicate_columns(self) -> dict[int, int]:
        """Map each column with the same values as an earlier one to the first such column."""
        return first_of_equals(self._rows.values)

    def tells_apart(self, points: FloatArray) -> npt.NDArray[np.bool_]:
        """Whether a point has another value in a duplicate column than in the first."""
        duplicates, positions = self.duplicate_columns(), fill_missing(points)
        differs = positions[:, list(duplicates)] != positions[:, list(duplicates.values())]
        return np.asarray(differs.any(axis=1))

    def _check_and_fill(self, points: Any) -> FloatArray:
        return fill_missing(self._check_points(points))

    def neighbourhood(
        self, points: Any, reach: int | IntArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the edges of one bandwidth around each point, or of several.

        Parameters
        ----------
        points : array-like of shape (q, n_features)
        reach : int or array of int, shape (n_features,), optional
            Number of bandwidths, in all columns or in each; by default one. A category is near
            itself only.

        Returns
        -------
        low, high : ndarrays of shape (q, n_features)
        """
        self._check_fitted()
        values = self._check_points(points)
        reaches = check_reach(self.reach if reach is None else reach, self.n_features_in_)
        with np.errstate(over="ignore"):
            to_side = np.where(self._categories, 0.5, reaches * self.bandwidths_)
            return values - to_side, values + to_side

    def score_samples(self, X: Any) -> FloatArray:
        """Log-density of points in the space of all columns, as `KernelDensity` gives it.

        Parameters
        ----------
        X : array-like of shape (n_points, n_features)

        Returns
        -------
        ndarray of shape (n_points,)
        """
        self._check_fitted()
        s = np.arange(self.n_features_in_)[None]
        columns = self._check_and_fill(X).T
        sums = self._sums_at(s, columns)[0]
        with np.errstate(divide="ignore"):
            log_sums = np.log(sums)
        for i in np.flatnonzero(sums < 1e-290):  # so far away that the sum underflows
            same = self._rows.values == columns[:, i, None]
            with np.errstate(invalid="ignore"):  # two missing values are equal
                z = (self._rows.values - columns[:, i, None]) * self._rows.inverse[:, None]
            z[np.isnan(z)] = np.inf
            exponent = -0.5 * np.where(same, 0.0, z * z).sum(axis=0)
            nearest = exponent.max()
            if nearest > -np.inf:
                terms = self._rows.weights * np.exp(exponent - nearest)
                log_sums[i] = nearest + np.log(terms.sum())
        return np.asarray(log_sums - self._log_norm(s)[0])


def _has_row(columns: FloatArray, point: FloatArray) -> bool:
    """Whether one of the rows, given column by column, equals a point."""
    left = np.arange(columns.shape[1])
    for column, value in zip(columns, point, strict=True):
        left = left[column[left] == value]
    return left.size > 0


def _renumber(families: Families) -> tuple[IntArray, Families]:
    """Attributes that occur in families, and the families with indices into these attributes."""
    attributes = np.union1d(families.parents, families.children)
    return attributes, families._replace(
        parents=np.searchsorted(attributes, families.parents),
        children=np.searchsorted(attributes, families.children),
    )


def fill_missing(values: FloatArray) -> FloatArray:
    """Values as the kernels take them: missing ones are infinite."""
    missing = np.isnan(values)
    return np.where(missing, np.inf, values) if missing.any() else values


def _distinct_rows(values: FloatArray) -> tuple[IntArray, IntArray]:
    """Return one row of each kind, sorted by values, and the kind of every row.

    It goes column by column: sorting whole rows would need several copies of them.
    """
    first, kind = np.zeros(1, dtype=np.int64), np.zeros(len(values), dtype=np.int64)
    for column in values.T:
        distinct, code = np.unique(column, return_inverse=True)
        if distinct.size == 1:
            continue
        code += kind * distinct.size
        _, first, kind = np.unique(code, return_index=True, return_inverse=True)
        if first.size == len(values):
            break
    return first, kind


def _snap(x: FloatArray) -> FloatArray:
    """Round to 33 bits.

    The last digits depend on the order of sums, and so on other work at the same time. Without
    them a subspace has the same figures in every call, and equal ones tie.
    """
    mantissa, exponent = np.frexp(x)
    return np.asarray(np.ldexp(np.round(mantissa * 2.0**33), exponent - 33))


class _MergedMoments:
    """Means and sums of squared deviations, merged from blocks in the order of the rows.

    Blocks may come in any order and from any thread: the result is the same to the last bit.
    The merge is that of Chan et al., which loses no digits if all values are alike.
    """

    def __init__(self, m: int) -> None:
        self.mean, self.squares = np.zeros(m), np.zeros(m)
        self._merged: dict[int, tuple[int, float]] = {}
        self._waiting: dict[tuple[int, int], tuple[Any, ...]] = {}
        self._lock = Lock()

    def add(
        self,
        places: IntArray,
        begin: int,
        end: int,
        weight: float,
        mean: FloatArray,
        squares: FloatArray,
    ) -> None:
        """Add rows `begin` to `end`, with their total weight, for the subspaces at `places`."""
        part = int(places[0])
        with self._lock:
            self._waiting[part, begin] = places, end, weight, mean, squares
            row, before = self._merged.get(part, (0, 0.0))
            while (part, row) in self._waiting:
                places, row, weight, mean, squares = self._waiting.pop((part, row))
                delta = mean - self.mean[places]
                self.mean[places] += delta * (weight / (before + weight))
                self.squares[places] += squares + delta * delta * (
                    before * weight / (before + weight)
                )
                before += weight
            self._merged[part] = row, before


def _parts_of(groups: Families, n_rows: int, piece: float) -> Iterator[Families]:
    """Cut groups into parts whose sums at one point take a fraction of a second."""
    most = min(_MAX_SUBSPACES, max(1, int(3 * piece / (_PAIR * n_rows))))
    ends = groups.starts[1:]
    begin = 0
    while begin < len(ends):
        first = int(groups.starts[begin])
        end = max(begin + 1, int(np.searchsorted(ends, first + most, side="right")))
        yield groups.part(begin, end)
        begin = end
