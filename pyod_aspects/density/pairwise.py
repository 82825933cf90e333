"""KDE with all kernels between rows kept in memory: ranks at the price of quadratic space."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .._kernels import ranks as _kernel
from .._types import FloatArray
from ..exceptions import InvalidInputError, TooLargeError
from .kde import KDE

_ROUNDING = 1e-9


def _half_of_memory() -> int:
    """Half of the machine's memory, in bytes; 4 GiB where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, OSError, ValueError):
        return 4 * 2**30


class PairwiseKDE(KDE):
    """The density of `KDE`, with a store of pairwise kernels that makes ranks quick.

    Parameters
    ----------
    bandwidth : "hardle" or float, default="hardle"
        As for `KDE`.
    alpha : float, default=1.0
        Radius, in standard deviations of a column, within which rows count fully in the bounds
        that spare sums. It changes the work, never a rank.
    memory_limit : int, optional
        Most bytes for the store; half of the machine's memory if not given.
    """

    def __init__(
        self,
        bandwidth: str | float = "hardle",
        alpha: float = 1.0,
        memory_limit: int | None = None,
    ) -> None:
        super().__init__(bandwidth)
        self.alpha = alpha
        self.memory_limit = memory_limit

    def _fit(self, values: FloatArray) -> None:
        if not (
            isinstance(self.alpha, (int, float)) and np.isfinite(self.alpha) and self.alpha > 0
        ):
            raise InvalidInputError(f"alpha={self.alpha!r}: expected a positive number.")
        n, d = values.shape
        n_words = -(-n // 64)
        needed = d * n * (8 * n + 8 * n_words)
        limit = _half_of_memory() if self.memory_limit is None else self.memory_limit
        if needed > limit:
            raise TooLargeError(
                f"OAMiner keeps all pairs of rows in memory: {n:,} rows x {d:,} columns need "
                f"{needed / 2**30:.1f} GiB, allowed are {limit / 2**30:.1f} GiB; "
                "use SGBeam or KDEBeam instead, or a sample of the rows."
            )
        super()._fit(values)
        self._store: FloatArray = np.empty((d, n, n))
        _kernel.pairwise(self._rows, self._rows, self._inverse, self._store)
        self._single: FloatArray = self._store.sum(axis=2)
        radius = self.alpha * self._rows.std(axis=1)
        self._near = np.empty((d, n, n_words), dtype=np.uint64)
        _kernel.near_rows(self._rows, radius, self._near)
        self._far: FloatArray = np.exp(-0.5 * (radius * self._inverse) ** 2)

    def ranks(self, subspaces: Any, points: Any, limits: FloatArray) -> FloatArray:
        """Rank of each point by density, in each subspace; exact where it is at most its limit.

        Parameters
        ----------
        subspaces : array-like of int, shape (m, k)
        points : array-like of shape (q, n_features)
        limits : ndarray of shape (m, q)

        Returns
        -------
        ndarray of shape (m, q)
            Above the limit wherever the rank is.
        """
        self._check_fitted()
        array = self._check_subspaces(subspaces)
        columns = np.ascontiguousarray(self._check_points(points).T)
        at_points = np.empty((*columns.shape, self.n_rows_))
        _kernel.pairwise(columns, self._rows, self._inverse, at_points)
        out = np.empty((len(array), columns.shape[1]))
        _kernel.bounded_ranks(
            self._store,
            at_points,
            self._single,
            self._near,
            self._far,
            _ROUNDING,
            array,
            limits,
            out,
        )
        return out
