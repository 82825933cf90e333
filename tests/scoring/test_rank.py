"""Ranks are the definition."""

from __future__ import annotations

import naive
import numpy as np
import pytest
from hypothesis import given
from strategies import subspaces_of, tables_with_points

from pyod_aspects.density import KDE, Density, Grid, PairwiseKDE, SGrid
from pyod_aspects.scoring import BoundedRank, rank


@pytest.mark.parametrize("Density", [Grid, SGrid, KDE])
@given(data=tables_with_points(max_rows=20, max_columns=2))
def test_rank_is_the_definition(Density, data):
    X, points = data
    density = Density().fit(X)
    subspaces = subspaces_of(X.shape[1], X.shape[1])
    got = rank(density, subspaces, points)
    for i, s in enumerate(subspaces):
        if Density is KDE:
            everywhere = naive.kde(X, s)
            here = [naive.kde_with_itself(X, s, point) for point in points]
        else:
            everywhere = naive.counts(X, s, reach=Density.reach)
            here = naive.counts(X, s, points, reach=Density.reach)
            here = [n + naive.is_new(X, q) for n, q in zip(here, points, strict=True)]
        assert got[i].tolist() == [naive.rank(everywhere, value) for value in here]


def test_rank_of_negative_densities():
    class Below(Density):
        """Minus the distance from zero."""

        def _fit(self, values):
            self.rows = values

        def density(self, subspace, points=None):
            points = self.rows if points is None else np.asarray(points)
            return -np.abs(points[:, list(subspace)]).sum(axis=1)

    X = [[1.0], [2.0], [3.0], [3.0]]
    assert rank(Below().fit(X), [(0,)], X).tolist() == [[4.0, 3.0, 1.0, 1.0]]


def test_rank_ticks_after_every_subspace():
    ticks = []
    X = np.random.default_rng(0).normal(size=(20, 3))
    rank(SGrid().fit(X), [(0,), (1,), (2,)], X[:2], tick=ticks.append)
    assert ticks == [1, 2, 3]


@pytest.mark.parametrize("m", [1, 30])  # one piece of work, and one for each subspace
def test_bounded_ranks_tick_until_all_subspaces_are_done(m):
    X = np.random.default_rng(0).normal(size=(1500, 1))
    score, ticks = BoundedRank(PairwiseKDE().fit(X), X[:1]), []
    score.at_most(np.zeros((m, 1), dtype=np.int64), np.ones((m, 1)), ticks.append)
    assert ticks == list(range(1, m + 1))
