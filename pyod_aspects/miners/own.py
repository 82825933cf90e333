"""A miner of a user's own parts."""

from __future__ import annotations

from sklearn.base import clone

from ..density import Density
from ..exceptions import InvalidInputError
from ..scoring import Score, zscore
from ..search import BeamSearch, Search
from .base import BaseMiner, default_tau


class Miner(BaseMiner):
    """A miner of your own density, score and search.

    Parameters
    ----------
    density : Density
    score : callable, default=zscore
        ``score(density, subspaces, points, tick=None) -> (m, q)``; smaller is more outlying.
    search : Search, optional
        By default a `BeamSearch`, with `tau=0.0` for `zscore` and `tau=1.0` for `lift`.

    Examples
    --------
    >>> from pyod_aspects import Miner
    >>> from pyod_aspects.density import SGrid
    >>> from pyod_aspects.search import BeamSearch
    >>> X = [[0, 0], [1, 1], [2, 2], [3, 3], [0, 3]]
    >>> miner = Miner(SGrid(bins=4), search=BeamSearch(top_k=1)).fit(X)
    >>> miner.mine([[0, 3]])[0][0].subspace
    (0, 1)
    """

    def __init__(
        self, density: Density, score: Score = zscore, search: Search | None = None
    ) -> None:
        self.density = density
        self.score = score
        self.search = search

    def _takes_any_table(self) -> bool:
        return self.density.any_table

    def _parts(self) -> tuple[Density, Score, Search]:
        if not isinstance(self.density, Density):
            raise InvalidInputError(
                f"density={self.density!r}: expected a Density such as SGrid()."
            )
        search = BeamSearch(tau=default_tau(self.score)) if self.search is None else self.search
        return clone(self.density), self.score, search
