"""The contract of a search, and the order in which it prefers subspaces."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import BaseEstimator

from .._util.types import ProgressCallback, Subspace
from ..exceptions import InvalidInputError
from ..scoring.base import LevelScore
from .aspect import Aspect


class Search(BaseEstimator, ABC):  # type: ignore[misc]
    """Base class of the searches; one of your own needs `search`."""

    def check(self) -> None:
        """Refuse invalid settings; a miner calls it at the start of `fit`."""

    @abstractmethod
    def search(
        self,
        score: LevelScore,
        n_features: int,
        n_queries: int,
        progress: ProgressCallback | None = None,
    ) -> list[list[Aspect]]:
        """Return the subspaces of each query, best first.

        Parameters
        ----------
        score : LevelScore
            Scores subspaces of one size, (m, k), for all queries: (m, n_queries).
        n_features, n_queries : int
        progress : callable, optional
            Gets a `Progress` now and then; an exception it raises ends the search.

        Returns
        -------
        list of lists of Aspect
        """


def check_at_least_one(**settings: object) -> None:
    """Refuse a setting that is not a whole number of at least 1."""
    for name, value in settings.items():
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
            raise InvalidInputError(f"{name}={value!r}: expected a whole number, 1 or more.")


def preference(aspect: Aspect) -> tuple[float, int, Subspace]:
    """Sort key: lower score, then fewer attributes, then lexicographic."""
    return aspect.score, len(aspect.subspace), aspect.subspace
