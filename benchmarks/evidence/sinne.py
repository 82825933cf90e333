"""SiNNE: the share of random draws in which a query lies in no ball (Samariya et al. 2020).

A draw takes psi rows. Each of them is the centre of a ball in the subspace, and the ball reaches to
the nearest other row of the draw. A draw isolates a query that lies in none of the psi balls. SiNNE
repeats that t times. Its score is the share of draws that isolate the query, so it needs neither
a mean nor a deviation over all rows.

D. Samariya, S. Aryal, K. M. Ting and J. Ma (2020). A new effective and efficient measure for
outlying aspect mining.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pyod_aspects import Miner
from pyod_aspects._util.types import FloatArray, IntArray, Tick
from pyod_aspects.density import Density
from pyod_aspects.search import BeamSearch

SEED = 0


class Balls(Density):
    """The share of draws in which one of the balls holds a point.

    It first scales each column to 0 to 1, as distances add up over columns. All subspaces share
    the draws.

    Parameters
    ----------
    t : int, default=100
        Draws.
    psi : int, default=8
        Rows of a draw, at most all rows.

    Examples
    --------
    >>> balls = Balls(t=50, psi=4).fit([[0.0], [0.1], [0.2], [0.3], [0.4], [9.0]])
    >>> near, far = balls.density((0,), np.array([[0.15], [5.0]]))
    >>> bool(near > far)
    True
    """

    def __init__(self, t: int = 100, psi: int = 8) -> None:
        self.t, self.psi = t, psi

    def _fit(self, values: FloatArray) -> None:
        rng = np.random.default_rng(SEED)
        psi = min(self.psi, len(values))
        self.low_ = values.min(axis=0)
        self.width_ = np.ptp(values, axis=0)
        self.width_[self.width_ == 0] = 1.0
        self.values_ = values
        drawn = [rng.choice(len(values), psi, replace=False) for _ in range(self.t)]
        self.drawn_: IntArray = np.array(drawn)
        # Ball, draw, column: the axis of the balls is the one that near() reduces.
        self.centres_ = self._scaled(values)[self.drawn_.T]
        self.between_ = _squares(self.centres_, self.centres_.swapaxes(0, 1))

    def density(self, subspace: Sequence[int], points: Any = None) -> FloatArray:
        """Share of draws in which a ball holds each of the points."""
        points = self.values_ if points is None else points
        [shares] = self.near(np.array([subspace]), points)
        return np.asarray(shares)

    def near(
        self,
        subspaces: Any,
        points: Any,
        reach: int | IntArray | None = None,
        tick: Tick | None = None,
    ) -> FloatArray:
        """The same for many subspaces. Squared distances add up column by column."""
        self._check_fitted()
        self._refuse_reach(reach)
        array = self._check_subspaces(subspaces)
        values = self._scaled(self._check_points(points))
        # Column, ball, draw, point.
        to_points = _squares(self.centres_, np.broadcast_to(values, (self.t, *values.shape)))
        shares = np.empty((len(array), len(values)))
        parent: tuple[int, ...] | None = None
        for i, subspace in enumerate(array.tolist()):
            *shared, last = subspace
            if tuple(shared) != parent:  # subspaces come sorted: most share all but one column
                parent = tuple(shared)
                between = _total(self.between_, parent)
                distances = _total(to_points, parent)
            radii = _nearest_other(between + self.between_[last])
            held = (distances + to_points[last] <= radii[:, :, None]).any(axis=0)
            shares[i] = held.sum(axis=0) / self.t
            if tick is not None:
                tick(i + 1)
        return shares

    def moments(
        self, subspaces: Any, points: Any, tick: Tick | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The density at the points; mean and deviation are NaN, as SiNNE needs none."""
        unknown = np.full(len(subspaces), np.nan)
        return self.near(subspaces, points, tick=tick), unknown, unknown

    def _scaled(self, values: FloatArray) -> FloatArray:
        scaled: FloatArray = (values - self.low_) / self.width_
        return scaled


def isolation(
    density: Density, subspaces: Any, points: Any, tick: Tick | None = None
) -> FloatArray:
    """Score of SiNNE, negative: -1 if every draw isolates the query, 0 if none does."""
    return density.near(subspaces, points, tick=tick) - 1.0


def sinne(max_dim: int = 5) -> Miner:
    """SiNNE with our beam search. It names sets that isolate the row in at least one draw."""
    return Miner(Balls(), isolation, BeamSearch(max_dim=max_dim, tau=0.0))


def _squares(centres: FloatArray, points: FloatArray) -> FloatArray:
    """Squared differences (column, ball, draw, point) of centres and the points of each draw."""
    differences = centres[:, :, None] - points[None]
    return np.ascontiguousarray(np.moveaxis(differences**2, -1, 0))


def _total(squares: FloatArray, columns: tuple[int, ...]) -> FloatArray:
    """Sum over the columns, in their order: so equal distances are equal sums."""
    total = np.zeros(squares.shape[1:])
    for column in columns:
        total += squares[column]
    return total


def _nearest_other(between: FloatArray) -> FloatArray:
    """Squared distance of each centre (ball, draw) to the nearest other one of its draw."""
    n_balls = len(between)
    distances = between.copy()
    distances[np.arange(n_balls), :, np.arange(n_balls)] = np.inf
    nearest: FloatArray = distances.min(axis=2)
    return nearest
