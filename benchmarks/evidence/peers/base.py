"""The common adapter: another package's answer for a row, as columns and sets of columns."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import ClassVar

import numpy as np

from pyod_aspects._util.types import FloatArray, Subspace

from ...results import Skipped

SEED = 0
"""Seed of all randomness."""


@dataclass(frozen=True, eq=False)
class Answer:
    """Answer of a peer for one row: a weight for each column, or the sets that it names.

    A higher weight means more to blame; NaN stands for an unnamed column. `natural` has the
    columns by the peer's own cut, none if no column passes it.
    """

    natural: Subspace = ()
    weights: FloatArray | None = None
    subspaces: tuple[Subspace, ...] = ()

    def __bool__(self) -> bool:
        return self.weights is not None or bool(self.subspaces)

    def of_size(self, size: int) -> Subspace:
        """Return the best set with as many columns as the true one.

        By weights: the highest, ties by column. By named sets: the first of this size, or the
        first of all if there is none.
        """
        if self.weights is not None:
            return highest(self.weights, size)
        fitting = (s for s in self.subspaces if len(s) == size)
        return next(fitting, self.subspaces[0] if self.subspaces else ())


Explain = Callable[[Sequence[int]], list[Answer]]
"""Row numbers in, one answer for each out."""


class Peer(ABC):
    """A way to explain rows of a table; the texts are for the page."""

    name: ClassVar[str]
    package: ClassVar[str]
    """The distribution, for its version."""
    detector: ClassVar[str]
    """The detector that it explains."""
    settings: ClassVar[str]
    """Parameters, and those that differ from the defaults."""
    cut: ClassVar[str]
    """Rule that turns its answer into a set of columns without the true size."""
    attribution: ClassVar[bool] = True
    """Whether it gives weights; otherwise it names sets."""
    warm_rows: ClassVar[int | None] = 1
    """Rows to explain before the timing; None: all timed rows."""

    module: ClassVar[str] = ""
    """Module that must be importable, if it does not come with this package."""

    @abstractmethod
    def _fit(self, X: FloatArray) -> Explain:
        """Do the work that a table needs once, the detector included."""

    def fit(self, X: FloatArray) -> Explain:
        """Return a function that explains rows of this table: silent and reproducible.

        Raises `Skipped` if the package is missing.
        """
        if self.module and not importable(self.module):
            raise Skipped(f"{self.name} needs {self.package}: pip install -e '.[bench]'")
        with quiet(), seeded():
            bare = self._fit(X)

        def explain(rows: Sequence[int]) -> list[Answer]:
            with quiet(), seeded():
                return bare(rows)

        return explain

    def explain(self, X: FloatArray, rows: Sequence[int]) -> list[Answer]:
        """One answer for each row."""
        return self.fit(X)(rows)

    @property
    def version(self) -> str:
        """Version of the package, empty if it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return ""


def importable(module: str) -> bool:
    """Whether a module is installed; imports only the packages that contain it."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def highest(weights: FloatArray, size: int) -> Subspace:
    """The named columns with the highest weights; ties by column.

    >>> highest(np.array([0.1, 0.5, np.nan, 0.5, -1.0]), 2), highest(np.array([np.nan, 1.0]), 2)
    ((1, 3), (1,))
    """
    # argsort puts NaN last.
    order = np.argsort(-weights, kind="stable")[: min(size, int(np.isfinite(weights).sum()))]
    return tuple(sorted(order.tolist()))


def above(weights: FloatArray, bound: float | FloatArray) -> Subspace:
    """The columns with weights above a bound.

    >>> above(np.array([0.2, -0.3, np.nan, 0.4]), 0.0)
    (0, 3)
    """
    return tuple(np.flatnonzero(weights > bound).tolist())


def shown_towards(weights: FloatArray, shown: int) -> Subspace:
    """The columns that speak for an anomaly, among the largest few that a plot shows.

    >>> shown_towards(np.array([0.2, -0.3, 0.1, 0.4]), 3)
    (0, 3)
    """
    largest = np.argsort(-np.abs(weights), kind="stable")[:shown]
    return tuple(sorted(j for j in largest.tolist() if weights[j] > 0))


@contextmanager
def seeded() -> Iterator[None]:
    """Seed NumPy's global randomness, and restore it afterwards."""
    before = np.random.get_state()  # noqa: NPY002
    np.random.seed(SEED)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002


@contextmanager
def quiet() -> Iterator[None]:
    """Silence the warnings of other packages."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
