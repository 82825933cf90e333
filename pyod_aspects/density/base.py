"""Contract of every density, between densities, scores and searches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from .._util.parallel import scale_tick
from .._util.types import AnyArray, FloatArray, IntArray, Measure, Subspace, Tick
from ..binning.cuts import MAX_REACH
from ..engines.table import TableInParts, as_table_in_parts
from ..exceptions import InvalidInputError, NotFittedError
from ..tables.estimator import TableEstimator
from ..tables.table import Column, Table, read_table, refuse_infinities
from .fitted import FittedRows

if TYPE_CHECKING:
    from typing_extensions import Self

ROUNDING = 1e-9
"""Largest relative difference that counts as rounding: such densities are equal."""

# Rows that the first comparison of columns reads.
_BEGIN = 256


class Density(TableEstimator, ABC):
    """Base class of the densities; one of your own needs `_fit` and `density`.

    `density` is the readable definition. Scores call `moments`, and callers that need only the
    figures of points call `near`: both take a whole level of subspaces at once. Here they call
    `density` for one subspace after the other; override them for speed.
    """

    measure: ClassVar[Measure] = "density"
    """"count" if densities are numbers of rows, which people can read as such."""

    nearby: ClassVar[str] = ""
    """Meaning of "nearby", for legends: ends the sentence "Nearby: ...". Empty if the density has
    no neighbourhood."""

    reach: ClassVar[int] = 1
    """Size of "nearby": bins to each side for grids, multiples of the neighbourhood for other
    densities."""

    any_table: ClassVar[bool] = False
    """True if `_fit` and `density` take missing values, as NaN, and categories, as their numbers;
    `columns_` has the kind of each column."""

    n_features_in_: int
    n_rows_: int
    columns_: tuple[Column, ...]
    named_: bool

    def fit(self, X: Any, y: object = None) -> Self:
        """Learn the reference rows.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Grids take a Dask DataFrame, too.
        y : ignored

        Returns
        -------
        self
        """
        in_parts = as_table_in_parts(X)
        table = in_parts or read_table(X)
        if isinstance(table, Table) and not self.any_table:
            self._refuse_all_but_numbers(table.values, table.columns, "X")
        before = dict(self.__dict__)
        try:
            self.columns_, self.named_ = table.columns, table.named
            self.n_rows_, self.n_features_in_ = table.n_rows, len(table.columns)
            if isinstance(table, Table):
                self._fit(table.values)
            else:
                self._fit_parts(table)
        except BaseException:  # refused or interrupted: the last fit stays valid
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    @abstractmethod
    def _fit(self, values: FloatArray) -> None:
        """Prepare the rows for `density` and `moments`."""

    def _fit_parts(self, table: TableInParts) -> None:
        """Prepare rows in parts. Refused here: only grids add up over parts."""
        raise InvalidInputError(
            f"X is in partitions, and {type(self).__name__} needs all rows in this process: use "
            "SGrid or Grid, or pass a sample of the rows such as X.sample(frac=0.01).compute()."
        )

    @abstractmethod
    def density(self, subspace: Sequence[int], points: Any = None) -> FloatArray:
        """Density in a subspace, of every fitted row or of each of `points`.

        Parameters
        ----------
        subspace : sequence of int
            Attributes, 0-based.
        points : array-like of shape (n_points, n_features), optional
            All attributes of the points, also those outside the subspace.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_points,)
        """

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
        values = self._check_points(points)
        m = len(array)
        half = scale_tick(tick, 2 * m, m)
        at_points = self.near(array, values, tick=half)
        mean, std = np.empty(m), np.empty(m)
        for i, subspace in enumerate(array):
            everywhere = self.density(subspace)
            mean[i], std[i] = everywhere.mean(), everywhere.std()
            if half is not None:
                half(m + i + 1)
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
        values = self._check_points(points)
        at_points = np.empty((len(array), len(values)))
        for i, subspace in enumerate(array):
            at_points[i] = self.density(subspace, values)
            if tick is not None:
                tick(i + 1)
        return at_points

    def own_share(self, subspaces: IntArray) -> FloatArray:
        """Share that a row adds to its own density in each of subspaces (m, k): (m,).

        A new row gets it on top of its density, as if it were in the table. Here it is 0;
        override it in a density of your own that counts a row itself.
        """
        return np.zeros(len(subspaces))

    def holds(self, points: FloatArray) -> npt.NDArray[np.bool_]:
        """Whether each point is a fitted row, or equals one for this density: (q,). Here all do."""
        return np.ones(len(points), dtype=bool)

    def constant_columns(self) -> IntArray:
        """Numbers of the columns in which all rows have the same density; here none."""
        return np.empty(0, dtype=np.int64)

    def neighbourhood(
        self, points: Any, reach: int | IntArray | None = None
    ) -> tuple[FloatArray, FloatArray] | None:
        """Return the edges of "nearby": from and to, in each column around each point.

        Plots draw the box, and evidence compares a row with the rows inside it.

        Parameters
        ----------
        points : array-like of shape (q, n_features)
        reach : int or array of int, shape (n_features,), optional
            Reach in all columns or in each: bins to each side for grids, multiples of the
            neighbourhood for other densities. By default the density's own.

        Returns
        -------
        low, high : ndarrays of shape (q, n_features), or None
            In the units of the columns; None if the density has no neighbourhood.
        """
        return None

    def nearby_rows(
        self,
        subspace: Sequence[int],
        point: FloatArray,
        rows: FloatArray,
        reach: int | IntArray | None = None,
    ) -> npt.NDArray[np.bool_]:
        """Return which rows are near a point in every attribute of a subspace.

        Here: rows between the edges of `neighbourhood`, or equal to the point.

        Parameters
        ----------
        subspace : sequence of int
        point : ndarray of shape (n_features,)
        rows : ndarray of shape (n_rows, n_features)
        reach : int or array of int, shape (n_features,), optional
            As for `neighbourhood`.

        Returns
        -------
        ndarray of bool, shape (n_rows,)
        """
        edges = self.neighbourhood(point[None], reach)
        near = np.ones(len(rows), dtype=bool)
        for a in subspace:
            low, high = (np.nan, np.nan) if edges is None else (side[0, a] for side in edges)
            near &= _between(rows[:, a], float(point[a]), low, high)
        return near

    def nearby_fitted(
        self,
        subspace: Sequence[int],
        point: FloatArray,
        values: FloatArray,
        reach: int | IntArray | None = None,
        picked: IntArray | None = None,
    ) -> npt.NDArray[np.bool_]:
        """Return which fitted rows are near, as `nearby_rows` does; grids compare codes instead.

        Parameters
        ----------
        subspace, point, reach
            As for `nearby_rows`.
        values : ndarray of shape (n_rows, n_features)
            The fitted rows, which a density need not keep.
        picked : ndarray of int, shape (n_picked,), optional
            Numbers of the rows to check; by default all.

        Returns
        -------
        ndarray of bool, shape (n_picked,) or (n_rows,)
        """
        rows = values if picked is None else values[picked]
        return self.nearby_rows(subspace, point, rows, reach)

    def fitted_rows(self, values: FloatArray, sample: IntArray | None = None) -> FittedRows:
        """Return the fitted rows as an object that finds rows near many points.

        Parameters
        ----------
        values : ndarray of shape (n_rows, n_features)
            The fitted rows, which a density need not keep.
        sample : ndarray of int, optional
            Numbers of a sample of rows, which stands for all.

        Returns
        -------
        FittedRows
        """
        return FittedRows(self, values, sample)

    def bin_width(self, points: Any) -> FloatArray | None:
        """Return the width of a bin in each column around each point, for histograms.

        An array (q, n_features); None if there is no neighbourhood. A density without bins takes
        a third of its neighbourhood.
        """
        edges = self.neighbourhood(points)
        return None if edges is None else (edges[1] - edges[0]) / 3

    def duplicate_columns(self) -> dict[int, int]:
        """Map each duplicate column to the first such column, by number.

        Empty if a density does not search for them.
        """
        return {}

    def tells_apart(self, points: FloatArray) -> npt.NDArray[np.bool_]:
        """Whether each point differs in a duplicate column from the first such column."""
        return np.zeros(len(points), dtype=bool)

    def leaves_constant(self, points: FloatArray) -> npt.NDArray[np.bool_]:
        """Whether each point differs from all rows in each constant column: (q, n_constant).

        Here none does, as the density knows no constant column.
        """
        return np.zeros((len(points), len(self.constant_columns())), dtype=bool)

    def batch_size(self) -> int:
        """Most queries to search together, which bounds the memory."""
        return 64

    def _takes_any_table(self) -> bool:
        return self.any_table

    def _check_fitted(self) -> None:
        if not hasattr(self, "n_rows_"):
            raise NotFittedError(
                f"this {type(self).__name__} is not fitted yet: call fit(X) first."
            )

    def _refuse_reach(self, reach: object) -> None:
        if reach is not None:
            raise InvalidInputError(
                f"reach={reach!r}: {type(self).__name__} has no bins, only Grid and SGrid take a "
                "reach."
            )

    @property
    def _categories(self) -> npt.NDArray[np.bool_]:
        """Which columns are categories."""
        return np.array([column.kind == "category" for column in self.columns_])

    def _check_points(self, points: Any) -> FloatArray:
        """Values of points; a plain array of floats holds categories as their numbers.

        So values that were read once pass unchanged: their offset is already subtracted.
        """
        d = self.n_features_in_
        if isinstance(points, np.ndarray) and points.dtype == np.float64 and points.ndim == 2:
            values, n_columns = points, points.shape[1]
        else:
            offsets = [column.offset for column in self.columns_]
            table = read_table(points, "points", offsets=offsets)
            values, n_columns = table.values, len(table.columns)
            if n_columns == d:
                values = read_table(table, "points", self.columns_, self.named_).values
        if n_columns != d:
            raise InvalidInputError(
                f"points have {n_columns} columns, but {type(self).__name__} was fitted on {d}: "
                "pass the same columns."
            )
        refuse_infinities(values, self.columns_, True, "points")
        if not self.any_table:
            self._refuse_all_but_numbers(values, self.columns_, "points")
        return values

    def _refuse_all_but_numbers(
        self, values: FloatArray, columns: tuple[Column, ...], what: str
    ) -> None:
        for a, column in enumerate(columns):
            missing = bool(np.isnan(values[:, a]).any())
            if missing or column.kind == "category":
                has = "missing values" if missing else "categories"
                raise InvalidInputError(
                    f"column {column.name!r} of {what} has {has}, {type(self).__name__} takes "
                    "numbers only: use SGrid, Grid or KDE, or drop the column."
                )

    def _check_subspace(self, subspace: Sequence[int]) -> Subspace:
        attributes = tuple(int(a) for a in subspace)
        if not attributes or len(set(attributes)) < len(attributes):
            raise InvalidInputError(
                f"subspace {attributes}: expected one or more different attributes."
            )
        if min(attributes) < 0 or max(attributes) >= self.n_features_in_:
            raise InvalidInputError(
                f"subspace {attributes}: attributes go from 0 to {self.n_features_in_ - 1}."
            )
        return tuple(sorted(attributes))

    def _check_subspaces(self, subspaces: Any) -> IntArray:
        try:
            given = np.asarray(subspaces)
        except ValueError:  # rows of different lengths
            given = np.empty(0)
        if given.size and given.dtype.kind not in "iu":
            raise InvalidInputError(
                f"subspaces hold {given.dtype}: expected numbers of columns, as integers."
            )
        array = given.astype(np.int64)
        if array.ndim != 2 or array.shape[1] == 0:
            raise InvalidInputError(
                f"subspaces have shape {array.shape}: expected (m, k), subspaces of one size."
            )
        if array.size and (array.min() < 0 or array.max() >= self.n_features_in_):
            raise InvalidInputError(
                f"subspaces: attributes go from 0 to {self.n_features_in_ - 1}."
            )
        if not (array[:, 1:] > array[:, :-1]).all():
            for subspace in array.tolist():
                if len(set(subspace)) < len(subspace):
                    raise InvalidInputError(
                        f"subspace {tuple(subspace)}: expected different attributes."
                    )
        return array


def _between(values: FloatArray, value: float, low: float, high: float) -> npt.NDArray[np.bool_]:
    """Which values lie between two edges; the last bin is closed, as in numpy."""
    if np.isnan(value):
        return np.isnan(values)
    with np.errstate(invalid="ignore"):
        inside = (values >= low) & (values < high)
        last = (values == high) & (high >= np.fmax.reduce(values, initial=-np.inf))
    return np.asarray(inside | last | (values == value))


def check_reach(reach: Any, n_features: int) -> IntArray:
    """Return the reach of each column, below the number of bins between two categories."""
    given = np.asarray(reach)
    fits = given.shape in ((), (n_features,)) and given.dtype.kind in "iu"
    if not fits or given.min() < 0 or given.max() >= MAX_REACH:
        raise InvalidInputError(
            f"reach={reach!r}: expected a whole number from 0 to {MAX_REACH - 1:,}, or one for "
            f"each of the {n_features} columns."
        )
    return np.array(np.broadcast_to(given, n_features), dtype=np.int64)


def first_of_equals(columns: AnyArray) -> dict[int, int]:
    """Map each column (a row of the array) that equals an earlier one to the first such column.

    Examples
    --------
    >>> first_of_equals(np.array([[1, 2], [3, 4], [1, 2]]))
    {2: 0}
    """
    # Most columns differ in their first rows. For the others, compare digests: copies of the
    # columns would double the memory.
    begin = [column[:_BEGIN].tobytes() for column in columns]
    alike = Counter(begin)
    first: dict[bytes, int] = {}
    equals = {}
    for a, column in enumerate(columns):
        if alike[begin[a]] > 1:
            place = first.setdefault(blake2b(column.tobytes(), digest_size=20).digest(), a)
            if place != a:
                equals[a] = place
    return equals
