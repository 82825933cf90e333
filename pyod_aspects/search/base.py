"""The contract of a search, and the order in which subspaces are preferred."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from .._util.types import FloatArray, IntArray, ProgressCallback, Subspace
from ..exceptions import InvalidInputError


class Found(NamedTuple):
    """A subspace that a search returns, with its score."""

    subspace: Subspace
    score: float


class LevelScore(Protocol):
    """Scores subspaces of one size, (m, k), for all queries at once: (m, n_queries).

    If it has an attribute `tick`, a search may set it to a function that is called with the
    number of subspaces done during a call. If it has a method ``among_best(subspaces, query,
    which, n_best, n_parts, limits)``, beam search asks it for whole levels, or for n_parts parts of
    one: for pairs of a query and a subspace (by place) it returns one score each, which has to be
    exact only for the n_best of each query that are not above its limit, and may be infinite for
    the others.
    """

    def __call__(self, subspaces: IntArray, /) -> FloatArray:
        """Return one score for each subspace and query; smaller is more outlying."""


class Search(Protocol):
    """Looks for the best subspaces of every query."""

    def search(
        self,
        score: LevelScore,
        n_features: int,
        n_queries: int,
        progress: ProgressCallback | None = None,
    ) -> list[list[Found]]:
        """Return for each query its subspaces, best first."""


def check_at_least_one(**settings: object) -> None:
    """Refuse a setting that is not a whole number of at least 1."""
    for name, value in settings.items():
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
            raise InvalidInputError(f"{name}={value!r}: expected a whole number, 1 or more.")


def preferred(found: Found) -> tuple[float, int, Subspace]:
    """Sort key: lower score, then fewer attributes, then lexicographic."""
    return found.score, len(found.subspace), found.subspace
