"""The paper's miners: each is a density, a score and a search."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.base import clone

from ._util.types import FloatArray, IntArray, Progress, ProgressCallback, Subspace
from .density import KDE, Density, Grid, PairwiseKDE, SGrid
from .exceptions import InvalidInputError, NotFittedError
from .scoring import (
    BoundedRank,
    BoundScore,
    LevelScore,
    Score,
    ScreenedZScore,
    ZScore,
    rank,
    zscore,
)
from .scoring.base import check_score
from .scoring.screening import check_screen
from .search import Aspect, BeamSearch, DepthFirstSearch, Search
from .tables import read_table
from .tables.estimator import TableEstimator

if TYPE_CHECKING:
    from typing_extensions import Self


class BaseMiner(TableEstimator):
    """What all miners share; a subclass names its parts in `_parts`.

    Duplicate columns are left out of the search, unless a query differs in one of them:
    `duplicate_columns_` has their numbers, each with that of the first such column.
    """

    density_: Density
    score_: Score
    search_: Search
    duplicate_columns_: dict[int, int]

    @abstractmethod
    def _parts(self) -> tuple[Density, Score, Search]:
        """Density, score and search, as the parameters ask for."""

    @property
    def n_features_in_(self) -> int:
        """Number of columns of the fitted table."""
        return self.density_.n_features_in_

    @property
    def score_name(self) -> str:
        """Name of the score, as explanations show it."""
        return str(getattr(self._parts()[1], "__name__", "score"))

    def fit(self, X: Any, y: object = None) -> Self:
        """Learn the reference rows.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        density, score, search = self._parts()
        check_score(score)
        if not isinstance(search, Search):
            raise InvalidInputError(f"search={search!r}: expected a Search such as BeamSearch().")
        search.check()
        self.score_, self.search_ = score, search
        self.density_ = density.fit(X)
        self.duplicate_columns_ = self.density_.duplicate_columns()
        return self

    def _bind_score(self, points: FloatArray) -> LevelScore:
        """Return the score of subspaces for these queries, which is all that a search sees."""
        if self.score_ is zscore:
            return ZScore(self.density_, points)
        return BoundScore(self.score_, self.density_, points)

    def mine(self, points: Any, progress: ProgressCallback | None = None) -> list[list[Aspect]]:
        """Find the outlying aspects of each point.

        Parameters
        ----------
        points : array-like or DataFrame of shape (n_queries, n_features)
            The queries; they may be fitted rows or new ones.
        progress : callable, optional
            Gets a `Progress` now and then.

        Returns
        -------
        list of lists of Aspect
            For each query its aspects, best first; features are not named.
        """
        if not hasattr(self, "density_"):
            raise NotFittedError(
                f"this {type(self).__name__} is not fitted yet: call fit(X) first."
            )
        density = self.density_
        values = read_table(points, "points", density.columns_, density.named_).values
        mined: list[list[Aspect]] = [[] for _ in values]
        scored = done = 0

        def report(p: Progress) -> None:
            nonlocal scored
            scored = p.scored
            if progress is not None:
                p = p._replace(rows_done=done, rows_now=queries.size, n_rows=len(values))
                progress(p._replace(scored=before + p.scored))

        for queries, attributes in self._batches(values):
            before = scored
            score = self._bind_score(values[queries])
            n_features = density.n_features_in_
            if attributes is not None:
                score, n_features = score.restricted(attributes), attributes.size
            found = self.search_.search(
                score, n_features, queries.size, None if progress is None else report
            )
            if attributes is not None:
                found = [
                    [replace(a, subspace=tuple(attributes[list(a.subspace)])) for a in aspects]
                    for aspects in found
                ]
            complete = self._add_figures(found, values[queries])
            for q, aspects in zip(queries, complete, strict=True):
                mined[q] = aspects
            done += queries.size
        return mined

    def _batches(self, values: FloatArray) -> Iterator[tuple[IntArray, IntArray | None]]:
        """Queries that are searched together, and the attributes that are looked at; None: all."""
        every = np.arange(len(values))
        parts: list[tuple[IntArray, IntArray | None]] = [(every, None)]
        if self.duplicate_columns_:
            apart = self.density_.tells_apart(values)
            first = np.setdiff1d(
                np.arange(self.density_.n_features_in_), list(self.duplicate_columns_)
            )
            parts = [(every[~apart], first), (every[apart], None)]
        size = self.density_.batch_size()
        for queries, attributes in parts:
            for begin in range(0, queries.size, size):
                yield queries[begin : begin + size], attributes

    def _add_figures(self, found: list[list[Aspect]], points: FloatArray) -> list[list[Aspect]]:
        """Ask the density, once for each level, for the figures that aspects lack.

        Z-scores come with figures. Ranks do not, nor do scores and searches of a user's own.
        """
        figures: dict[Subspace, tuple[FloatArray, float, float]] = {}
        distinct = {a.subspace for aspects in found for a in aspects if isnan(a.mean)}
        for size in sorted({len(s) for s in distinct}):
            level = sorted(s for s in distinct if len(s) == size)
            moments = self.density_.moments(np.array(level), points)
            figures.update(zip(level, zip(*moments, strict=True), strict=True))

        def complete(aspect: Aspect, q: int) -> Aspect:
            if aspect.subspace not in figures:
                return aspect
            density, mean, std = figures[aspect.subspace]
            return replace(aspect, density=density[q], mean=mean, std=std)

        return [[complete(a, q) for a in aspects] for q, aspects in enumerate(found)]


class Miner(BaseMiner):
    """A miner of your own parts.

    Parameters
    ----------
    density : Density
    score : callable, default=zscore
        ``score(density, subspaces, points, tick=None) -> (m, q)``; smaller is more outlying.
    search : Search, optional
        `BeamSearch` if not given, for `zscore` with `tau=0.0`.

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
        tau = 0.0 if self.score is zscore else np.inf
        search = BeamSearch(tau=tau) if self.search is None else self.search
        return clone(self.density), self.score, search


class SGBeam(BaseMiner):
    """Beam search on the Z-score of the smoothed grid density: the engine of Wells & Ting.

    Parameters
    ----------
    max_dim : int, default=5
        Most features of an aspect.
    width : int, default=100
        Subspaces of each size that are extended to the next.
    top_k : int, default=10
        Most aspects to return for a row.
    bins : {"auto", "fd", "scott", "sturges"} or int, default="auto"
        Rule for the bins of each column, or their number. "auto" is "fd", the paper's rule, but
        for values that hold many rows, which are bins of their own, and for heavy tails, in
        which bins grow with the distance from the median.
    tau : float, default=0.0
        Only subspaces with a Z-score below it are aspects, so a row may have fewer than
        `top_k` of them, or none.
    screen : "auto" or bool, default="auto"
        Whether a sample of rows first tells which subspaces may be among the best; only those
        get exact figures, and only exact figures are reported. False works out all subspaces,
        True samples first wherever that may spare some, from three features on, and "auto"
        decides for each level by the work that it would be.
    n_jobs : int, optional
        Threads, in joblib's way: None means 1, -1 all processors. The result is the same for
        every number.

    Examples
    --------
    >>> from pyod_aspects.datasets import make_hics
    >>> hics = make_hics(random_state=0)
    >>> row = min(hics.truth)
    >>> [[aspect]] = SGBeam(top_k=1).fit(hics.X).mine(hics.X[[row]])
    >>> aspect.subspace in hics.truth[row]
    True
    """

    density_class: ClassVar[type[Grid]] = SGrid
    density_: Grid

    def __init__(
        self,
        max_dim: int = 5,
        width: int = 100,
        top_k: int = 10,
        bins: str | int = "auto",
        tau: float = 0.0,
        screen: str | bool = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.max_dim = max_dim
        self.width = width
        self.top_k = top_k
        self.bins = bins
        self.tau = tau
        self.screen = screen
        self.n_jobs = n_jobs

    def _parts(self) -> tuple[Density, Score, Search]:
        check_screen(self.screen)
        search = BeamSearch(self.max_dim, self.width, self.top_k, self.tau)
        return self.density_class(self.bins, self.n_jobs), zscore, search

    def _bind_score(self, points: FloatArray) -> LevelScore:
        if self.screen is False:
            return ZScore(self.density_, points)
        return ScreenedZScore(self.density_, points, self.screen)


class GBeam(SGBeam):
    """As `SGBeam`, with the plain grid density: only rows in the very same bins count.

    Parameters
    ----------
    max_dim, width, top_k, bins, tau, screen, n_jobs
        As for `SGBeam`.
    """

    density_class: ClassVar[type[Grid]] = Grid


class KDEBeam(BaseMiner):
    """Beam search on the Z-score of the kernel density: "Beam" in the paper (Vinh et al.).

    Every row is compared with every row in every subspace: its time grows with the square of the
    number of rows.

    Parameters
    ----------
    max_dim, width, top_k, tau
        As for `SGBeam`.
    bandwidth : "hardle" or float, default="hardle"
        Härdle's rule of thumb for each column, or one bandwidth for all.
    n_jobs : int, optional
        Threads, as for `SGBeam`.
    """

    def __init__(
        self,
        max_dim: int = 5,
        width: int = 100,
        top_k: int = 10,
        bandwidth: str | float = "hardle",
        tau: float = 0.0,
        n_jobs: int | None = None,
    ) -> None:
        self.max_dim = max_dim
        self.width = width
        self.top_k = top_k
        self.bandwidth = bandwidth
        self.tau = tau
        self.n_jobs = n_jobs

    def _parts(self) -> tuple[Density, Score, Search]:
        search = BeamSearch(self.max_dim, self.width, self.top_k, self.tau)
        return KDE(self.bandwidth, self.n_jobs), zscore, search


class OAMiner(BaseMiner):
    """Depth-first search for the minimal subspaces in which a row ranks lowest (Duan et al.).

    Looks at all subspaces, with a store of all pairs of rows: for small tables only.

    Parameters
    ----------
    max_dim : int, default=5
        Most features of an aspect.
    top_k : int, default=10
        Most aspects to return for a row; only subspaces that rank it lower than all their
        subsets do are aspects.
    alpha : float, default=1.0
        Radius of the neighbourhoods, in standard deviations, from which ranks are bounded. It
        changes the work, never the result.
    bandwidth : "hardle" or float, default="hardle"
        Härdle's rule of thumb for each column, or one bandwidth for all.
    memory_limit : int, optional
        Most bytes for the store; half of the machine's memory if not given.
    n_jobs : int, optional
        Threads, as for `SGBeam`; they pay on tables of some thousand rows.
    """

    density_: PairwiseKDE

    def __init__(
        self,
        max_dim: int = 5,
        top_k: int = 10,
        alpha: float = 1.0,
        bandwidth: str | float = "hardle",
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.max_dim = max_dim
        self.top_k = top_k
        self.alpha = alpha
        self.bandwidth = bandwidth
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs

    def _parts(self) -> tuple[Density, Score, Search]:
        density = PairwiseKDE(self.bandwidth, self.alpha, self.memory_limit, self.n_jobs)
        return density, rank, DepthFirstSearch(self.max_dim, self.top_k, best_possible=1.0)

    def _bind_score(self, points: FloatArray) -> LevelScore:
        return BoundedRank(self.density_, points)


MINERS: dict[str, type[BaseMiner]] = {
    "sgbeam": SGBeam,
    "gbeam": GBeam,
    "kdebeam": KDEBeam,
    "oaminer": OAMiner,
}
"""Miners by the names that `AspectExplainer` and the command line take."""


def make_miner(miner: str | BaseMiner) -> BaseMiner:
    """Return a new, unfitted miner: by name with its defaults, or as the given one is set up."""
    if isinstance(miner, str):
        if miner.lower() in MINERS:
            return MINERS[miner.lower()]()
        close = get_close_matches(miner.lower(), MINERS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise InvalidInputError(
            f"miner={miner!r}: expected one of {', '.join(map(repr, MINERS))}{hint}"
        )
    if isinstance(miner, type) or not hasattr(miner, "mine"):
        raise InvalidInputError(
            f"miner={miner!r}: expected a name ({', '.join(map(repr, MINERS))}) "
            "or a miner such as SGBeam()."
        )
    made: BaseMiner = clone(miner)
    return made
