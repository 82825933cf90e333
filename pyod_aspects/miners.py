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

from ._util.types import FloatArray, IntArray, Mask, Progress, ProgressCallback, Subspace
from .density import KDE, Density, Grid, PairwiseKDE, SGrid
from .exceptions import InvalidInputError, NotFittedError
from .scoring import (
    BoundedRank,
    BoundScore,
    LevelScore,
    LiftScore,
    Score,
    ScreenedZScore,
    ZScore,
    lift,
    rank,
    zscore,
)
from .scoring.base import check_score
from .scoring.lift import LiftFigures, judge
from .scoring.screening import check_screen
from .scoring.zscore import include_new
from .search import Aspect, BeamSearch, DepthFirstSearch, Search
from .tables import read_table
from .tables.estimator import TableEstimator

if TYPE_CHECKING:
    from typing_extensions import Self


CONTENDERS = 5
"""Where a sample is explored, so many times `top_k` subspaces of a row are counted on all rows."""


class BaseMiner(TableEstimator):
    """What all miners share; a subclass names its parts in `_parts`.

    Duplicate columns are left out of the search, unless a query differs in one of them:
    `duplicate_columns_` has their numbers, each with that of the first such column. Constant
    columns are left out, unless a query differs in one.
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

    def _bind_score(self, points: FloatArray, new: Mask) -> LevelScore:
        """Return the score of subspaces for these queries, which is all that a search sees."""
        if self.score_ is zscore:
            return ZScore(self.density_, points, new)
        if self.score_ is lift and isinstance(self.density_, Grid):
            return LiftScore(self.density_, points, new)
        return BoundScore(self.score_, self.density_, points)

    def mine(
        self,
        points: Any,
        progress: ProgressCallback | None = None,
        new_rows: bool | None = None,
    ) -> list[list[Aspect]]:
        """Find the outlying aspects of each point.

        A point that is no fitted row is judged as if it were in the table: it counts itself.

        Parameters
        ----------
        points : array-like or DataFrame of shape (n_queries, n_features)
            The queries; they may be fitted rows or new ones.
        progress : callable, optional
            Gets a `Progress` now and then.
        new_rows : bool, optional
            Whether the points are no fitted rows. If not given, those are new that can be told
            from every fitted row.

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
        new = ~density.holds(values) if new_rows is None else np.full(len(values), new_rows)
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
            found = self._search(
                values[queries], new[queries], attributes, None if progress is None else report
            )
            for q, aspects in zip(queries, found, strict=True):
                mined[q] = aspects
            done += queries.size
        return mined

    def _search(
        self,
        points: FloatArray,
        new: Mask,
        attributes: IntArray,
        progress: ProgressCallback | None,
    ) -> list[list[Aspect]]:
        """Search for some queries among some attributes, and complete what is found."""
        if attributes.size == 0:
            return [[] for _ in points]
        bound = self._bind_score(points, new)
        search, score = self.search_, bound
        # Lifts of a sample choose contenders; all rows decide among these.
        contenders = isinstance(bound, LiftScore) and bound.sampled
        if contenders and isinstance(search, BeamSearch):
            search = clone(search).set_params(top_k=CONTENDERS * search.top_k, tau=np.inf)
        if attributes.size < self.n_features_in_:
            score = score.restricted(attributes)
        found = search.search(score, attributes.size, len(points), progress)
        found = [
            [replace(a, subspace=tuple(attributes[list(a.subspace)])) for a in aspects]
            for aspects in found
        ]
        found = self._add_figures(found, points, new)
        if contenders and isinstance(self.search_, BeamSearch):
            found = [self.search_.best_of(aspects) for aspects in found]
        return found

    def _batches(self, values: FloatArray) -> Iterator[tuple[IntArray, IntArray]]:
        """Queries that are searched together, and the attributes that are looked at.

        Duplicate columns are left out unless a query differs in one of them, and so is a constant
        column unless a query differs in it.
        """
        density = self.density_
        constant = density.constant_columns()
        looked_at = np.ones((len(values), density.n_features_in_), dtype=bool)
        looked_at[:, constant] = density.leaves_constant(values)
        if self.duplicate_columns_:
            alike = np.flatnonzero(~density.tells_apart(values))
            duplicates = np.fromiter(self.duplicate_columns_, dtype=np.int64)
            looked_at[np.ix_(alike, duplicates)] = False
        size = self._batch_size()
        kinds, kind_of = np.unique(looked_at, axis=0, return_inverse=True)
        for i, kind in enumerate(kinds):
            queries = np.flatnonzero(kind_of.ravel() == i)
            for begin in range(0, queries.size, size):
                yield queries[begin : begin + size], np.flatnonzero(kind)

    def _batch_size(self) -> int:
        """Most queries that are searched together."""
        if self.score_ is lift and isinstance(self.density_, Grid):
            return LiftScore.batch_size(self.density_)
        return self.density_.batch_size()

    def _add_figures(
        self, found: list[list[Aspect]], points: FloatArray, new: Mask
    ) -> list[list[Aspect]]:
        """Ask the density for the figures that aspects lack: counts, or density and mean.

        Z-scores come with mean and deviation. Lifts do not have them. Ranks and scores of a user's
        own do not know them: the density is asked, once for each level.
        """
        if isinstance(self.density_, Grid):
            found = self._add_counts(self.density_, found, points, new)
        if self.score_ is lift:
            return found
        figures: dict[Subspace, tuple[FloatArray, float, float]] = {}
        distinct = {a.subspace for aspects in found for a in aspects if isnan(a.mean)}
        for size in sorted({len(s) for s in distinct}):
            level = np.array(sorted(s for s in distinct if len(s) == size))
            at_points, mean, std = self.density_.moments(level, points)
            at_points = include_new(at_points, self.density_, level, new)
            moments = zip(at_points, mean, std, strict=True)
            figures.update(zip(map(tuple, level.tolist()), moments, strict=True))

        def complete(aspect: Aspect, q: int) -> Aspect:
            if aspect.subspace not in figures:
                return aspect
            density, mean, std = figures[aspect.subspace]
            return replace(aspect, density=density[q], mean=mean, std=std)

        return [[complete(a, q) for a in aspects] for q, aspects in enumerate(found)]

    def _add_counts(
        self, density: Grid, found: list[list[Aspect]], points: FloatArray, new: Mask
    ) -> list[list[Aspect]]:
        """Add lift, expected count and reach, counted on all rows; where lift is the score, it."""
        by_lift = self.score_ is lift
        reaches = density.reaches() if by_lift else np.full((1, points.shape[1]), density.reach)

        def complete(aspect: Aspect, figures: LiftFigures) -> Aspect:
            aspect = replace(
                aspect,
                lift=figures.lift,
                expected=figures.n_expected + 1.0,  # as for a fitted row, which counts itself
                reach=figures.reach,
            )
            if not by_lift:
                return aspect
            return replace(aspect, score=figures.lift, density=figures.n_near + 1.0)

        completed = []
        for aspects, point, is_new in zip(found, points, new, strict=True):
            figures = judge(density, reaches, point, bool(is_new), [a.subspace for a in aspects])
            completed.append([complete(*pair) for pair in zip(aspects, figures, strict=True)])
        return completed


class Miner(BaseMiner):
    """A miner of your own parts.

    Parameters
    ----------
    density : Density
    score : callable, default=zscore
        ``score(density, subspaces, points, tick=None) -> (m, q)``; smaller is more outlying.
    search : Search, optional
        `BeamSearch` if not given, for `zscore` with `tau=0.0` and for `lift` with `tau=1.0`.

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
        search = BeamSearch(tau=_default_tau(self.score)) if self.search is None else self.search
        return clone(self.density), self.score, search


class SGBeam(BaseMiner):
    """Beam search on the smoothed grid density: the engine of Wells & Ting.

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
    score : {"lift", "zscore"}, default="lift"
        "lift" compares the number of rows nearby with the number that the features apart would
        lead one to expect, at several reaches. "zscore" is the paper's: it compares it with the
        numbers that all rows have in the same subspace.
    tau : float, optional
        Only subspaces with a score below it are aspects, so a row may have fewer than
        `top_k` of them, or none. 1 for lifts and 0 for Z-scores if not given.
    screen : "auto" or bool, default="auto"
        For Z-scores, whether a sample of rows first tells which subspaces may be among the best;
        only those get exact figures, and only exact figures are reported. False works out all
        subspaces, True samples first wherever that may spare some, from three features on, and
        "auto" decides for each level by the work that it would be.
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
        score: str = "lift",
        tau: float | None = None,
        screen: str | bool = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.max_dim = max_dim
        self.width = width
        self.top_k = top_k
        self.bins = bins
        self.score = score
        self.tau = tau
        self.screen = screen
        self.n_jobs = n_jobs

    def _parts(self) -> tuple[Density, Score, Search]:
        check_screen(self.screen)
        if self.score not in SCORES:
            raise InvalidInputError(
                f"score={self.score!r}: expected one of {', '.join(map(repr, SCORES))}."
            )
        score = SCORES[self.score]
        tau = _default_tau(score) if self.tau is None else self.tau
        search = BeamSearch(self.max_dim, self.width, self.top_k, tau)
        return self.density_class(self.bins, self.n_jobs), score, search

    def _bind_score(self, points: FloatArray, new: Mask) -> LevelScore:
        return _bind_screened(super()._bind_score(points, new), self.screen)


class GBeam(BaseMiner):
    """Beam search on the Z-score of the plain grid: only rows in the very same bins count.

    Parameters
    ----------
    max_dim, width, top_k, bins, screen, n_jobs
        As for `SGBeam`.
    tau : float, default=0.0
        Only subspaces with a Z-score below it are aspects.
    """

    density_class: ClassVar[type[Grid]] = Grid
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

    def _bind_score(self, points: FloatArray, new: Mask) -> LevelScore:
        return _bind_screened(super()._bind_score(points, new), self.screen)


def _bind_screened(score: LevelScore, screen: str | bool) -> LevelScore:
    """Return a Z-score on a grid that may be screened; other scores as they are."""
    if screen is False or not isinstance(score, ZScore) or not isinstance(score.density, Grid):
        return score
    return ScreenedZScore(score.density, score.points, screen, score.new)


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

    def _bind_score(self, points: FloatArray, new: Mask) -> LevelScore:
        return BoundedRank(self.density_, points, new)


SCORES: dict[str, Score] = {"lift": lift, "zscore": zscore}
"""Scores of `SGBeam` by name."""


def _default_tau(score: Score) -> float:
    """Score from which a subspace is no aspect: a row is as rare there as expected."""
    return 0.0 if score is zscore else 1.0 if score is lift else np.inf


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
