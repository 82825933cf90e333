"""KDE that keeps all kernels between rows in memory: ranks at the price of quadratic space."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .._kernels import ranks as _kernel
from .._kernels.ranks import PairwiseStore, PointKernels
from .._util.memory import memory
from .._util.parallel import run
from .._util.types import FloatArray, Mask, Tick
from ..exceptions import InvalidInputError, TooLargeError
from .base import ROUNDING
from .kde import KDE, fill_missing

# Most nanoseconds of one pair of rows in a subspace.
_PAIR = 1.0


class PairwiseKDE(KDE):
    """The density of `KDE`, with a store of pairwise kernels that makes ranks fast.

    Parameters
    ----------
    bandwidth : "hardle" or float, default="hardle"
        As for `KDE`.
    alpha : float, default=1.0
        Radius, in standard deviations of a column, within which rows count fully in the bounds
        that save sums. It changes the work, never a rank.
    memory_limit : int, optional
        Most bytes for the store; by default half of the machine's memory.
    n_jobs : int, optional
        Threads, as for `KDE`.
    """

    worth_threads: ClassVar[float] = 5e7
    """Nanoseconds of work above which `ranks` uses threads."""

    def __init__(
        self,
        bandwidth: str | float = "hardle",
        alpha: float = 1.0,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(bandwidth, n_jobs)
        self.alpha = alpha
        self.memory_limit = memory_limit

    def _fit(self, values: FloatArray) -> None:
        if not (
            isinstance(self.alpha, (int, float)) and np.isfinite(self.alpha) and self.alpha > 0
        ):
            raise InvalidInputError(f"alpha={self.alpha!r}: expected a positive number.")
        n, d = values.shape
        n_words = -(-n // 64)
        needed = d * n * (4 * n + 8 * n_words)
        limit = memory() // 2 if self.memory_limit is None else self.memory_limit
        if needed > limit:
            raise TooLargeError(
                f"OAMiner keeps all pairs of rows in memory: {n:,} rows x {d:,} columns need "
                f"{needed / 2**30:.1f} GiB, the limit is {limit / 2**30:.1f} GiB; "
                "use SGBeam or KDEBeam instead, or a sample of the rows."
            )
        super()._fit(values)
        # Densest rows first: a partial sum then soon shows that a row is not rare.
        single = self._sums_at(np.arange(d)[:, None], self._rows.values)[:, self._row_of]
        order = np.argsort(-np.log(single).sum(axis=0), kind="stable")
        inverse, radius = self._rows.inverse, self.alpha * self._deviations(values)
        with np.errstate(over="ignore", invalid="ignore"):
            far = np.exp(-0.5 * (radius * inverse) ** 2)
        far[np.isinf(inverse)] = 0.0
        self._store = store = PairwiseStore(
            rows=np.ascontiguousarray(self._rows.values[:, self._row_of[order]]),
            inverse=inverse,
            # Single precision halves the memory to read. If it cannot decide, sum again in double.
            kernels=np.empty((d, n, n), dtype=np.float32),
            single=np.ascontiguousarray(single[:, order]),
            near=np.empty((d, n, n_words), dtype=np.uint64),
            far=far,
        )
        self._log_single: FloatArray = np.log(store.single)

        def work(a: int) -> int:
            _kernel.store_rows(store.rows, inverse, a, store.kernels)
            _kernel.near_rows(store.rows, radius, a, store.near)
            return 1

        run(work, ((a,) for a in range(d)), self.n_jobs)

    def _deviations(self, values: FloatArray) -> FloatArray:
        """Standard deviation of each column of numbers, without missing values."""
        deviations = np.zeros(values.shape[1])
        for a in np.flatnonzero(self.bandwidths_ > 0):
            column = np.ascontiguousarray(values[:, a])
            with np.errstate(over="ignore", invalid="ignore"):
                deviations[a] = np.nan_to_num(np.std(column[~np.isnan(column)]))
        return deviations

    def kernels_of(self, points: Any, new: Mask | None = None) -> PointKernels:
        """Evaluate the kernels between points and all rows, for `ranks`.

        Parameters
        ----------
        points : array-like of shape (q, n_features)
        new : ndarray of bool, shape (q,), optional
            Mask of the new points, which add their own kernels; by default those that differ from
            all rows.

        Returns
        -------
        PointKernels
        """
        self._check_fitted()
        values = self._check_points(points)
        new = ~self.holds(values) if new is None else new
        columns = np.ascontiguousarray(fill_missing(values).T)
        kernels = np.empty((*columns.shape, self.n_rows_))
        for a in range(len(columns)):
            _kernel.pairwise(columns, self._store.rows, self._store.inverse, a, kernels)
        return PointKernels(columns, kernels, new.astype(np.float64))

    def ranks(
        self, subspaces: Any, points: PointKernels, limits: FloatArray, tick: Tick | None = None
    ) -> FloatArray:
        """Rank of each point by density, in each subspace; exact up to its limit.

        Parameters
        ----------
        subspaces : array-like of int, shape (m, k)
        points : PointKernels
        limits : ndarray of shape (m, q)
        tick : callable, optional
            Gets the number of finished subspaces now and then; an exception it raises ends the
            work.

        Returns
        -------
        ndarray of shape (m, q)
            Any number above the limit if the rank is.
        """
        self._check_fitted()
        array = self._check_subspaces(subspaces)
        highest = np.ascontiguousarray(limits, dtype=np.float64)
        m = len(array)
        orders = np.argsort(self._log_single[array].sum(axis=1), axis=1)
        out = np.empty(highest.shape)

        def work(begin: int, end: int) -> int:
            part = slice(begin, end)
            _kernel.bounded_ranks(
                self._store, points, array[part], orders[part], highest[part], ROUNDING, out[part]
            )
            return end - begin

        few = _PAIR * m * self.n_rows_**2 < self.worth_threads
        pieces = [(0, m)] if few else [(i, i + 1) for i in range(m)]
        run(work, pieces, self.n_jobs, tick)
        return out
