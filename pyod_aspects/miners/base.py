"""Base of all miners: the way from queries to aspects with all their figures."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import comb, isnan
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from .._util.interrupts import plain_interrupts
from .._util.progress import Repeat
from .._util.types import (
    FloatArray,
    IntArray,
    Mask,
    Progress,
    ProgressCallback,
    Subspace,
    Tick,
)
from ..density import Density, Grid
from ..engines.table import as_table_in_parts
from ..exceptions import InvalidInputError, NotFittedError
from ..scoring import (
    BoundScore,
    LevelScore,
    LiftScore,
    Score,
    ZScore,
    lift,
    zscore,
)
from ..scoring.base import check_score
from ..scoring.lift_counts import EXPLORED, Boxes, LiftFigures, judge
from ..scoring.zscore import include_new, standard_error
from ..search import Aspect, BeamSearch, Search
from ..tables import read_table
from ..tables.estimator import TableEstimator

if TYPE_CHECKING:
    from typing_extensions import Self


CONTENDERS = 5
"""After a search on a sample, the miner counts this multiple of `top_k` subspaces on all rows."""


class BaseMiner(TableEstimator):
    """Base class of all miners; a subclass names its parts in `_parts`.

    The search omits duplicate columns, unless a query differs in one of them:
    `duplicate_columns_` maps the number of each to that of the first such column. It omits
    constant columns, unless a query differs in one.
    """

    density_: Density
    score_: Score
    search_: Search
    duplicate_columns_: dict[int, int]

    @abstractmethod
    def _parts(self) -> tuple[Density, Score, Search]:
        """Density, score and search for the parameters."""

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
        in_parts = as_table_in_parts(X)
        if in_parts is not None and not isinstance(density, Grid):
            raise InvalidInputError(
                f"X is in partitions, and {type(self).__name__} compares all pairs of rows, which "
                "needs them in one place: use SGBeam or GBeam, or pass a sample of the rows such "
                "as X.sample(frac=0.01).compute()."
            )
        with plain_interrupts():
            self.density_ = density.fit(X if in_parts is None else in_parts)
        self.duplicate_columns_ = self.density_.duplicate_columns()
        return self

    def _bind_score(self, points: FloatArray, new: Mask) -> LevelScore:
        """Return the score of subspaces for these queries; a search sees nothing else."""
        if self.score_ is zscore:
            return ZScore(self.density_, points, new)
        grid = self._grid_of_lifts()
        if grid is not None:
            return LiftScore(grid, points, new)
        return BoundScore(self.score_, self.density_, points)

    def mine(
        self,
        points: Any,
        progress: ProgressCallback | None = None,
        new_rows: bool | None = None,
    ) -> list[list[Aspect]]:
        """Find the outlying aspects of each point.

        A point that is no fitted row counts as if it were in the table: it counts itself.

        Parameters
        ----------
        points : array-like or DataFrame of shape (n_queries, n_features)
            The queries; they may be fitted rows or new ones.
        progress : callable, optional
            Gets a `Progress` now and then.
        new_rows : bool, optional
            Whether the points are no fitted rows. By default, a point is new if it differs from
            every fitted row.

        Returns
        -------
        list of lists of Aspect
            The aspects of each query, best first; without names of features.
        """
        values, new = self._read_points(points, new_rows)
        mined: list[list[Aspect]] = [[] for _ in values]
        scored = done = 0

        def report(p: Progress) -> None:
            nonlocal scored
            scored = before + p.scored
            if progress is not None:
                p = p._replace(rows_done=done, rows_now=queries.size, n_rows=len(values))
                progress(p._replace(scored=scored))

        for queries, attributes in self._batches(values):
            before = scored
            with plain_interrupts():
                found = self._search(
                    values[queries], new[queries], attributes, None if progress is None else report
                )
            for q, aspects in zip(queries, found, strict=True):
                mined[q] = aspects
            done += queries.size
        return mined

    def evaluate(
        self, points: Any, subspaces: Sequence[Subspace], new_rows: bool | None = None
    ) -> list[list[Aspect]]:
        """Score given subspaces for each point, also those that a search would not report.

        Parameters
        ----------
        points, new_rows
            As for `mine`.
        subspaces : sequence of tuples of int
            Attributes, sorted.

        Returns
        -------
        list of lists of Aspect
            The subspaces of each point in the given order, with the score and the figures that
            `mine` gives them.

        Examples
        --------
        >>> from pyod_aspects import SGBeam
        >>> X = [[i, i] for i in range(30)] + [[2, 27]]
        >>> [[aspect]] = SGBeam().fit(X).evaluate(X[-1:], [(0, 1)])
        >>> round(aspect.lift, 2), aspect.density, aspect.reach
        (0.21, 1.0, (1, 1))
        """
        values, new = self._read_points(points, new_rows)
        scores = np.full((len(subspaces), len(values)), np.nan)
        if self._grid_of_lifts() is None:
            bound = self._bind_score(values, new)
            for size in {len(s) for s in subspaces}:
                places = [i for i, s in enumerate(subspaces) if len(s) == size]
                scores[places] = bound(np.array([subspaces[i] for i in places]))
        found = [
            [Aspect(s, score=score) for s, score in zip(subspaces, column, strict=True)]
            for column in scores.T
        ]
        return self._add_figures(found, values, new)

    def _read_points(self, points: Any, new_rows: bool | None) -> tuple[FloatArray, Mask]:
        """Points as numbers, and which of them are no fitted rows."""
        if not hasattr(self, "density_"):
            raise NotFittedError(
                f"this {type(self).__name__} is not fitted yet: call fit(X) first."
            )
        density = self.density_
        values = read_table(points, "points", density.columns_, density.named_).values
        new = ~density.holds(values) if new_rows is None else np.full(len(values), new_rows)
        return values, new

    @property
    def nearby(self) -> str:
        """Meaning of "nearby", for legends; a lift chooses a reach for each aspect."""
        if self._grid_of_lifts() is not None:
            return "close to the row in each feature, at the most telling distance"
        return self.density_.nearby

    def _grid_of_lifts(self) -> Grid | None:
        """Return the grid if the score is the lift on one: `judge` counts for it."""
        density = self.density_
        return density if self.score_ is lift and isinstance(density, Grid) else None

    def _search(
        self,
        points: FloatArray,
        new: Mask,
        attributes: IntArray,
        progress: ProgressCallback | None,
    ) -> list[list[Aspect]]:
        """Search for the queries among the attributes, and complete the aspects found."""
        if attributes.size == 0:
            return [[] for _ in points]
        bound = self._bind_score(points, new)
        search, score = self.search_, bound
        again = None if progress is None else Repeat(progress)
        # Lifts of a sample choose contenders; all rows decide among these.
        contenders = isinstance(bound, LiftScore) and bound.sampled
        if contenders and isinstance(search, BeamSearch):
            search = clone(search).set_params(top_k=CONTENDERS * search.top_k, tau=np.inf)
        if attributes.size < self.n_features_in_:
            score = score.restricted(attributes)
        found = search.search(score, attributes.size, len(points), again)
        if attributes.size < self.n_features_in_:
            found = [
                [replace(a, subspace=tuple(attributes[list(a.subspace)])) for a in aspects]
                for aspects in found
            ]
        tick = None if again is None else again.tick
        found = self._add_figures(found, points, new, tick)
        if contenders and isinstance(self.search_, BeamSearch):
            found = [self.search_.best_of(aspects) for aspects in found]
        return found

    def seconds(self) -> float:
        """Seconds, roughly, that one row takes on one thread of a machine of 2024.

        The estimate needs only the table's size and the settings: it is the same on every machine.
        """
        n, d = self.density_.n_rows_, self.n_features_in_
        max_dim = min(getattr(self.search_, "max_dim", d), d)
        width = getattr(self.search_, "width", None)
        total = 0.0
        for k in range(1, max_dim + 1):
            every = float(comb(d, k))
            looked_at = every if width is None or k < 3 else min(every, float(width * d))
            total += looked_at * self._seconds_of(n, k)
        return total + 1e-3

    def _seconds_of(self, n: int, k: int) -> float:
        """Seconds, roughly, for one subspace of k attributes."""
        grid = self._grid_of_lifts()
        if grid is not None:
            words = min(n, EXPLORED) / 64
            return len(grid.reaches()) * (2e-8 + 3e-10 * words * (k + 1))
        if self.density_.measure == "count":
            return 2e-6 + 4e-9 * n
        return 1e-6 + 3e-10 * n * n

    def _batches(self, values: FloatArray) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield queries to search together, and the attributes to search.

        It omits duplicate columns unless a query differs in one of them, and a constant column
        unless a query differs in it.
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
        """Most queries to search together."""
        grid = self._grid_of_lifts()
        return self.density_.batch_size() if grid is None else LiftScore.batch_size(grid)

    def _add_figures(
        self, found: list[list[Aspect]], points: FloatArray, new: Mask, tick: Tick | None = None
    ) -> list[list[Aspect]]:
        """Add the figures that aspects lack: counts, or density and mean.

        Z-scores come with mean and deviation, lifts on a grid without. Ranks and scores of a
        user's own do not know them: the miner asks the density, once for each level.
        """
        if isinstance(self.density_, Grid):
            found = self._add_counts(self.density_, found, points, new, tick)
        if self._grid_of_lifts() is not None:
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

        found = [[complete(a, q) for a in aspects] for q, aspects in enumerate(found)]
        return [list(map(self._add_error, aspects)) for aspects in found]

    def _add_error(self, aspect: Aspect) -> Aspect:
        """Add the standard error of an estimated Z-score."""
        density = self.density_
        if self.score_ is not zscore or not isinstance(density, Grid) or not density.estimated:
            return aspect
        skewness, kurtosis, n = density.moments_of_sample(np.array([aspect.subspace]))
        error = standard_error(np.array([aspect.score]), skewness, kurtosis, n)
        return replace(aspect, error=error[0])

    def _add_counts(
        self,
        density: Grid,
        found: list[list[Aspect]],
        points: FloatArray,
        new: Mask,
        tick: Tick | None,
    ) -> list[list[Aspect]]:
        """Add lift, expected count and reach from all rows; the score, too, if it is the lift."""
        by_lift = self.score_ is lift
        reaches = density.reaches() if by_lift else np.full((1, points.shape[1]), density.reach)

        def complete(aspect: Aspect, figures: LiftFigures) -> Aspect:
            return replace(
                aspect,
                score=figures.lift if by_lift else aspect.score,
                density=figures.n_near + 1.0 if by_lift else aspect.density,
                lift=figures.lift,
                expected=figures.n_expected + 1.0,  # as a fitted row, which counts itself
                reach=figures.reach,
            )

        boxes = Boxes.of(density, reaches, points, new)
        subspaces = [[a.subspace for a in aspects] for aspects in found]
        figures = judge(density, reaches, boxes, subspaces, tick)
        pairs = zip(found, figures, strict=True)
        return [list(map(complete, aspects, its)) for aspects, its in pairs]


def default_tau(score: Score) -> float:
    """Lowest score of a subspace that is no aspect: the row is as rare there as expected."""
    return 0.0 if score is zscore else 1.0 if score is lift else np.inf
