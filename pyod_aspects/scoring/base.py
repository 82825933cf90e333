"""The score that a search sees: subspaces of one size, for all queries at once.

A search knows neither densities nor rows. It asks a `LevelScore`, in which a miner has bound a
score, a density and the queries together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from inspect import signature
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from .._util.parallel import count_on
from .._util.types import FloatArray, IntArray, Tick
from ..exceptions import InvalidInputError

if TYPE_CHECKING:
    from ..density import Density

SCORES_AT_ONCE = 1_000_000
"""Most scores of one call, 8 MB."""


class Candidates(NamedTuple):
    """Subspaces (m, k), and pairs (query, place): which query asks for which subspace.

    The subspaces come in lexicographic order, and the pairs in the order of places.
    """

    subspaces: IntArray
    query: IntArray
    place: IntArray


class Evaluation(NamedTuple):
    """Scores, and the figures behind them: the density at the query, its mean and deviation.

    For m subspaces and q queries, `scores` and `density` are (m, q), or have one number for each
    pair of `Candidates`; `mean` and `std` are (m,). Unknown figures are NaN. A beam follows
    `guide`, in the shape of `scores`, if there is one.
    """

    scores: FloatArray
    density: FloatArray
    mean: FloatArray
    std: FloatArray
    guide: FloatArray | None = None

    @classmethod
    def without_figures(cls, scores: FloatArray) -> Evaluation:
        """Return scores (m, q) without other figures."""
        unknown = np.broadcast_to(np.nan, len(scores))  # takes no memory
        return cls(scores, np.broadcast_to(np.nan, scores.shape), unknown, unknown)


class LevelScore(ABC):
    """Base class of the scores that a search calls; one of your own needs `__call__`.

    Override `evaluate` if the score knows the figures behind it: this saves a second call of the
    density. Override `among_best` and `at_most` to save work if a search needs few scores; here
    they compute all. `tick`, if given, gets the number of finished subspaces now and then; an
    exception that it raises ends the call.
    """

    @abstractmethod
    def __call__(self, subspaces: IntArray, tick: Tick | None = None) -> FloatArray:
        """Score subspaces (m, k) for all queries: (m, n_queries), smaller is more outlying."""

    def evaluate(self, subspaces: IntArray, tick: Tick | None = None) -> Evaluation:
        """Score subspaces (m, k) for all queries, with the figures behind the scores."""
        return Evaluation.without_figures(self(subspaces, tick))

    def among_best(
        self,
        candidates: Candidates,
        n_best: int,
        limits: FloatArray,
        n_parts: int = 1,
        tick: Tick | None = None,
    ) -> Evaluation:
        """Evaluate pairs of a query and a subspace; a search keeps the best of each query.

        Parameters
        ----------
        candidates : Candidates
        n_best : int
            Most subspaces that the search keeps for each query.
        limits : ndarray of shape (n_queries,)
            Scores above which the search keeps none.
        n_parts : int, default=1
            Number of parts of the level; the candidates are one of them.
        tick : callable, optional

        Returns
        -------
        Evaluation
            One score and one density for each pair. Scores up to the limit are exact for the
            n_best of each query; the others may be infinite, with any figures.
        """
        subspaces, query, place = candidates
        scores, density = np.empty(place.size), np.empty(place.size)
        mean, std = np.empty(len(subspaces)), np.empty(len(subspaces))
        guide: FloatArray | None = None
        for begin, end in chunks(len(subspaces), len(limits)):
            part = self.evaluate(subspaces[begin:end], count_on(tick, begin))
            pairs = slice(*np.searchsorted(place, [begin, end]))
            of_pair = place[pairs] - begin, query[pairs]
            scores[pairs], density[pairs] = part.scores[of_pair], part.density[of_pair]
            mean[begin:end], std[begin:end] = part.mean, part.std
            if part.guide is not None:
                guide = np.empty(place.size) if guide is None else guide
                guide[pairs] = part.guide[of_pair]
            if tick is not None:
                tick(end)
        return Evaluation(scores, density, mean, std, guide)

    def at_most(
        self, subspaces: IntArray, limits: FloatArray, tick: Tick | None = None
    ) -> Evaluation:
        """Evaluate subspaces for all queries; a search needs scores up to a limit.

        Parameters
        ----------
        subspaces : ndarray of shape (m, k)
        limits : ndarray of shape (m, n_queries)
        tick : callable, optional

        Returns
        -------
        Evaluation
            Exact for scores up to their limit. Other scores are any number above the limit,
            with any figures.
        """
        return self.evaluate(subspaces, tick)

    def restricted(self, attributes: IntArray) -> LevelScore:
        """Return the same score for the given attributes, numbered from 0.

        Examples
        --------
        >>> score = FunctionScore(lambda subspaces: subspaces.sum(axis=1, keepdims=True))
        >>> score.restricted(np.array([3, 8]))(np.array([[0, 1]]))
        array([[11]])
        """
        return _RestrictedScore(self, attributes)


class FunctionScore(LevelScore):
    """A plain function as a score, for trying out a search.

    Parameters
    ----------
    function : callable
        Takes subspaces (m, k) and returns scores (m, n_queries).

    Examples
    --------
    >>> score = FunctionScore(lambda subspaces: subspaces.sum(axis=1, keepdims=True))
    >>> score(np.array([[0, 1], [1, 2]]))
    array([[1],
           [3]])
    """

    def __init__(self, function: Callable[[IntArray], FloatArray]) -> None:
        self.function = function

    def __call__(self, subspaces: IntArray, tick: Tick | None = None) -> FloatArray:
        """Call the function."""
        return self.function(subspaces)


class _RestrictedScore(LevelScore):
    """A score of subspaces of selected attributes, numbered from 0."""

    def __init__(self, score: LevelScore, attributes: IntArray) -> None:
        self.score, self.attributes = score, attributes

    def __call__(self, subspaces: IntArray, tick: Tick | None = None) -> FloatArray:
        return self.score(self.attributes[subspaces], tick)

    def evaluate(self, subspaces: IntArray, tick: Tick | None = None) -> Evaluation:
        return self.score.evaluate(self.attributes[subspaces], tick)

    def among_best(
        self,
        candidates: Candidates,
        n_best: int,
        limits: FloatArray,
        n_parts: int = 1,
        tick: Tick | None = None,
    ) -> Evaluation:
        candidates = candidates._replace(subspaces=self.attributes[candidates.subspaces])
        return self.score.among_best(candidates, n_best, limits, n_parts, tick)

    def at_most(
        self, subspaces: IntArray, limits: FloatArray, tick: Tick | None = None
    ) -> Evaluation:
        return self.score.at_most(self.attributes[subspaces], limits, tick)


class Score(Protocol):
    """A score of a user's own: a function of a density, subspaces and points."""

    def __call__(
        self, density: Density, subspaces: Any, points: Any, /, *, tick: Tick | None = None
    ) -> FloatArray:
        """Score subspaces (m, k) for points (q, n_features): (m, q), smaller is more outlying."""


class BoundScore(LevelScore):
    """A score function with its density and queries.

    Parameters
    ----------
    score : callable
        ``score(density, subspaces, points, tick=None) -> (m, q)``
    density : Density
        Fitted.
    points : ndarray of shape (n_queries, n_features)
    """

    def __init__(self, score: Score, density: Density, points: FloatArray) -> None:
        self.score, self.density, self.points = score, density, points

    def __call__(self, subspaces: IntArray, tick: Tick | None = None) -> FloatArray:
        """Call the score function."""
        return self.score(self.density, subspaces, self.points, tick=tick)


def check_score(score: Score) -> None:
    """Refuse a score that does not take density, subspaces, points and tick."""
    name = getattr(score, "__name__", repr(score))
    expected = f"score={name}: expected a function of (density, subspaces, points, tick=None)."
    try:
        signature(score).bind(None, None, None, tick=None)
    except TypeError as error:
        raise InvalidInputError(expected) from error
    except ValueError:  # compiled code may have no signature
        return


def chunks(n_subspaces: int, n_queries: int) -> Iterator[tuple[int, int]]:
    """Cut subspaces into ranges whose scores fit in memory together."""
    step = max(1, SCORES_AT_ONCE // max(1, n_queries))
    for begin in range(0, n_subspaces, step):
        yield begin, min(n_subspaces, begin + step)
