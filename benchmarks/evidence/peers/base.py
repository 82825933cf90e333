"""The common adapter: what another package says of a row, as columns and sets of columns."""

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
"""Of everything that is random."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What a peer says of one row: a weight for each column, or the sets that it names itself.

    A higher weight means more to blame; NaN stands for a column that it does not name. `natural`
    has the columns by the peer's own cut, none if nothing passes it.
    """

    natural: Subspace = ()
    weights: FloatArray | None = None
    subspaces: tuple[Subspace, ...] = ()

    def __bool__(self) -> bool:
        return self.weights is not None or bool(self.subspaces)

    def of_size(self, size: int) -> Subspace:
        """Its best set of as many columns as the true one has.

        Of weights the highest, ties by column; of named sets the first of this size, or
        the first of all if there is none.
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
    """What is explained."""
    settings: ClassVar[str]
    """Parameters, and where they are not the defaults."""
    cut: ClassVar[str]
    """How its answer becomes a set of columns without knowing the true size."""
    attribution: ClassVar[bool] = True
    """Whether it gives weights; otherwise it names sets."""
    warm_rows: ClassVar[int | None] = 1
    """Rows that are explained before the time is taken; None: all that are timed."""

    module: ClassVar[str] = ""
    """What has to be importable, if it does not come with this package."""

    @abstractmethod
    def _fit(self, X: FloatArray) -> Explain:
        """Do all that is done once for a table, the detector included."""

    def fit(self, X: FloatArray) -> Explain:
        """Return what explains rows of this table: quiet, and the same every time.

        Raises `Skipped` where the package is missing.
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
    """Whether a module is installed; only the packages that it is in are imported."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def highest(weights: FloatArray, size: int) -> Subspace:
    """The columns of the highest weights, of those that are named; ties by column.

    >>> highest(np.array([0.1, 0.5, np.nan, 0.5, -1.0]), 2), highest(np.array([np.nan, 1.0]), 2)
    ((1, 3), (1,))
    """
    # argsort puts NaN last.
    order = np.argsort(-weights, kind="stable")[: min(size, int(np.isfinite(weights).sum()))]
    return tuple(sorted(order.tolist()))


def above(weights: FloatArray, bound: float | FloatArray) -> Subspace:
    """The columns of weights above a bound.

    >>> above(np.array([0.2, -0.3, np.nan, 0.4]), 0.0)
    (0, 3)
    """
    return tuple(np.flatnonzero(weights > bound).tolist())


def shown_towards(weights: FloatArray, shown: int) -> Subspace:
    """The columns that speak for an anomaly, among those that a plot of the largest few shows.

    >>> shown_towards(np.array([0.2, -0.3, 0.1, 0.4]), 3)
    (0, 3)
    """
    largest = np.argsort(-np.abs(weights), kind="stable")[:shown]
    return tuple(sorted(j for j in largest.tolist() if weights[j] > 0))


@contextmanager
def seeded() -> Iterator[None]:
    """NumPy's global randomness from a fixed seed, and as before afterwards."""
    before = np.random.get_state()  # noqa: NPY002
    np.random.seed(SEED)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002


@contextmanager
def quiet() -> Iterator[None]:
    """Without the warnings of other packages."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
