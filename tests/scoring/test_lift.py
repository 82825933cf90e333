"""Lifts are the definition, on all rows and by the kernels; a sample only explores."""

from __future__ import annotations

from dataclasses import replace

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from strategies import any_tables_with_points, subspaces_of

from pyod_aspects import Miner, SGBeam
from pyod_aspects.density import KDE, Density, SGrid
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.scoring import Candidates, LiftScore, lift
from pyod_aspects.scoring.lift_counts import Boxes, judge
from pyod_aspects.search import BeamSearch


@settings(max_examples=25)
@given(data=any_tables_with_points(max_rows=12, max_columns=3), given_new=st.booleans())
def test_lift_and_guide_are_the_definition(data, given_new):
    table, categories, points = data
    X, density = table.values, SGrid().fit(table)
    new = np.array([naive.is_new(X, q, "auto", categories) for q in points])
    assert_array_equal(~density.holds(points), new)
    score = LiftScore(density, points, new if given_new else None)
    for size in range(1, X.shape[1] + 1):
        level = subspaces_of(X.shape[1], size)
        want = np.array(
            [
                [
                    naive.lift(X, s, q, is_new, "auto", categories)
                    for q, is_new in zip(points, new, strict=True)
                ]
                for s in level
            ]
        )
        assert_allclose(lift(density, level, points), want[..., 0], rtol=1e-12)
        got = score.evaluate(np.array(level))
        assert_allclose(got.scores, want[..., 0], rtol=1e-12)
        if size > 1:
            assert_allclose(got.guide, want[..., 1], rtol=1e-9, atol=1e-9)
        boxes = Boxes.of(density, density.reaches(), points, new)
        for q, point in enumerate(points):
            [figures] = judge(density, density.reaches(), [boxes[q]], [list(map(tuple, level))])
            assert [f.lift for f in figures] == got.scores[:, q].tolist()
            for s, f in zip(level, figures, strict=True):
                reach = np.ones(X.shape[1], dtype=int)
                reach[list(s)] = f.reach
                near = naive.near_at(X, s, point, reach, "auto", categories) - (not new[q])
                assert f.n_near == near
                c = 1 + len(s) / 2
                assert f.lift == pytest.approx((near + c) / (f.n_expected + c))


@settings(max_examples=15)
@given(data=any_tables_with_points(max_rows=15, max_columns=4), width=st.integers(1, 4))
def test_the_miner_is_the_definitions_put_together(data, width):
    table, categories, _ = data
    X = table.values
    miner = SGBeam(width=width, top_k=6, max_dim=4).fit(table)
    columns = naive.distinct_columns(X, 1, "auto", categories)
    q = X[len(X) // 2]

    def both(s):
        return naive.lift(X, [columns[i] for i in s], q, False, "auto", categories)

    want = naive.beam(
        lambda s: both(s)[0],
        len(columns),
        max_dim=min(4, max(1, len(columns))),
        width=width,
        top_k=6,
        tau=1.0,
        guide=lambda s: both(s)[1],
    )
    [aspects] = miner.mine(replace(table, values=q[None]), new_rows=False)
    assert [a.subspace for a in aspects] == [tuple(columns[i] for i in s) for s, _ in want]
    assert [a.score for a in aspects] == pytest.approx([score for _, score in want])
    for a in aspects:
        assert a.lift == a.score
        c = len(a.subspace) / 2  # 1 + k / 2, without the row itself
        assert (a.density + c) / (a.expected + c) == pytest.approx(a.lift)


def test_pairs_of_a_query_and_a_subspace_are_those_of_the_whole_level():
    X = np.random.default_rng(0).normal(size=(500, 6))
    score, level = LiftScore(SGrid().fit(X), X[:3]), np.array(subspaces_of(6, 3))
    rng = np.random.default_rng(1)
    place = np.sort(rng.integers(0, len(level), 40))
    query = rng.integers(0, 3, 40)
    every = score.evaluate(level)
    got = score.among_best(Candidates(level, query, place), 1, np.full(3, np.inf))
    assert_array_equal(got.scores, every.scores[place, query])
    assert_array_equal(got.guide, every.guide[place, query])


def planted(n_rows):
    """Eight normal columns, of which two are nearly equal but for the first row."""
    X = np.random.default_rng(3).normal(size=(n_rows, 8))
    X[:, 5] = X[:, 2] + 0.1 * X[:, 5]
    X[0, [2, 5]] = [1.0, -1.0]
    return X


def test_what_a_sample_finds_is_counted_on_all_rows(monkeypatch):
    X = planted(3000)
    miner = SGBeam(max_dim=3, width=20).fit(X)
    exact = miner.mine(X[:4])
    monkeypatch.setattr("pyod_aspects.miners.base.LiftScore", Sampled)
    sampled = miner.mine(X[:4])
    assert sampled[0][0] == exact[0][0]
    assert exact[0][0].subspace == (2, 5)
    for aspects, point in zip(sampled, X, strict=False):
        for a in aspects:
            assert a.score == lift(miner.density_, [a.subspace], point[None])[0, 0]
        assert [a.score for a in aspects] == sorted(a.score for a in aspects)


class Sampled(LiftScore):
    """Explores 1,000 rows."""

    def __init__(self, density, points, new=None):
        super().__init__(density, points, new, explored=1000)


def test_a_sampled_query_does_not_count_itself():
    X = planted(3000)
    density = SGrid().fit(X)
    rows = density.table_.row_of
    some = np.isin(rows, density.sample(1000))
    inside, outside = X[some][:3], X[~some][:3]
    for points in (inside, outside):
        score = LiftScore(density, points, explored=1000)
        assert score.sampled
        assert (score.itself == (points is inside)).all()
        assert (score.n_others == 1000 - score.itself).all()


def test_the_same_on_any_number_of_threads():
    X = np.random.default_rng(0).normal(size=(400, 12))
    one, two = (SGBeam(n_jobs=n).fit(X).mine(X[:7]) for n in (1, 2))
    assert one == two


def test_lift_takes_a_density_of_your_own_that_counts():
    class Ball(Density):
        """Rows within 0.5 in every attribute."""

        measure = "count"

        def _fit(self, values):
            self.rows = values

        def density(self, subspace, points=None):
            s = list(subspace)
            points = self.rows if points is None else np.asarray(points)
            apart = np.abs(points[:, None, s] - self.rows[None, :, s]).max(axis=2)
            return (apart <= 0.5).sum(axis=1).astype(float)

    X = planted(2000)
    miner = Miner(Ball(), lift, BeamSearch(max_dim=2)).fit(X)
    [aspects] = miner.mine(X[:1])
    assert aspects[0].subspace == (2, 5)
    assert miner.score_name == "lift"


def test_lift_refuses_a_density_that_does_not_count():
    X = np.random.default_rng(0).normal(size=(30, 3))
    with pytest.raises(InvalidInputError, match="lift needs a density that counts rows"):
        lift(KDE().fit(X), [(0, 1)], X[:1])


def test_a_grid_with_lift_is_the_default_miner():
    X = planted(400)
    [own], [usual] = Miner(SGrid(), lift).fit(X).mine(X[:1]), SGBeam().fit(X).mine(X[:1])
    assert own == usual
