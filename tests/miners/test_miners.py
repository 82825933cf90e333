"""Miners: the definitions put together, and any parts that fit the contracts."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import partial

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from strategies import any_tables, tables

from pyod_aspects import Aspect, GBeam, KDEBeam, Miner, OAMiner, SGBeam
from pyod_aspects.density import KDE, Density, Grid, SGrid
from pyod_aspects.exceptions import InvalidInputError, NotFittedError, TooLargeError
from pyod_aspects.miners import MINERS, make_miner
from pyod_aspects.scoring import rank, zscore
from pyod_aspects.search import BeamSearch, DepthFirstSearch, Search

ALL = list(MINERS.values())


by_zscore = partial(SGBeam, score="zscore")


def among(columns, found):
    """Subspaces of some columns, by the numbers of the columns."""
    return [(tuple(columns[i] for i in s), score) for s, score in found]


@pytest.mark.parametrize(("miner", "reach"), [(by_zscore, 1), (GBeam, 0)])
@settings(max_examples=60)
@given(
    data=any_tables(max_rows=25),
    bins=st.sampled_from(["auto", "fd"]),
    width=st.integers(1, 5),
    row=st.integers(0, 24),
)
def test_grid_miners_are_the_definitions_put_together(miner, reach, data, bins, width, row):
    table, categories = data
    X = table.values
    q = X[row % len(X)]
    query = replace(table, values=q[None])
    [aspects] = miner(width=width, top_k=6, bins=bins).fit(table).mine(query)
    columns = naive.distinct_columns(X, reach, bins, categories)
    want = naive.beam(
        lambda s: naive.zscore_grid(X, [columns[i] for i in s], q, reach, bins, categories),
        len(columns),
        width=width,
        top_k=6,
        tau=0.0,
    )
    assert [(a.subspace, a.score) for a in aspects] == among(columns, want)
    for a in aspects:
        everywhere = naive.counts(X, a.subspace, None, reach, bins, categories)
        assert (a.mean, a.std) == naive.grid_moments(everywhere)
        assert [a.density] == naive.counts(X, a.subspace, [q], reach, bins, categories)


@settings(max_examples=25)
@given(X=tables(max_rows=12, max_columns=4), row=st.integers(0, 11))
def test_kdebeam_scores_are_the_definition(X, row):
    q = X[row % len(X)]
    [aspects] = KDEBeam().fit(X).mine([q])
    # Densities that hardly differ have a small deviation, and dividing by it magnifies rounding.
    near = max([1e-6, *(1e-9 * a.mean / a.std for a in aspects)])
    for a in aspects:
        assert a.score == pytest.approx(naive.zscore_kde(X, a.subspace, q), abs=near)
    columns = unequal(X)
    want = naive.beam(
        lambda s: naive.zscore_kde(X, [columns[i] for i in s], q), len(columns), tau=0.0
    )
    # Subspaces whose scores differ by rounding only may change places.
    assert [a.score for a in aspects] == pytest.approx(
        [score for _, score in want][: len(aspects)], abs=near
    )


@settings(max_examples=25)
@given(
    data=any_tables(max_rows=12, max_columns=4),
    row=st.integers(0, 11),
    alpha=st.sampled_from([0.1, 1.0, 3.0]),
)
def test_oaminer_is_the_definition_whatever_alpha(data, row, alpha):
    table, categories = data
    X = table.values
    q = X[row % len(X)]
    columns = unequal(X)

    def rank_of(s):
        s = [columns[i] for i in s]
        here = naive.kde(X, s, [q], categories)[0]
        return naive.rank(naive.kde(X, s, None, categories), here)

    [aspects] = OAMiner(alpha=alpha, max_dim=3).fit(table).mine(replace(table, values=q[None]))
    want = naive.oaminer(rank_of, len(columns), 3, 10)
    assert [(a.subspace, a.score) for a in aspects] == among(columns, want)


def unequal(X):
    """Columns that equal no earlier one and are not constant."""
    return [
        a
        for a in range(X.shape[1])
        if not any(equal(X[:, a], X[:, b]) for b in range(a))
        and not equal(X[:, a], np.full(len(X), X[0, a]))
    ]


def equal(column, other):
    return np.array_equal(column, other, equal_nan=True)


def test_only_subspaces_below_tau_are_aspects_so_a_row_may_have_none():
    X = np.random.default_rng(0).normal(size=(300, 4))
    centre = np.zeros((1, 4))
    assert SGBeam(max_dim=1).fit(X).mine(centre) == by_zscore(max_dim=1).fit(X).mine(centre) == [[]]
    outermost = [X[np.abs(X).sum(axis=1).argmax()]]
    for miner, tau in ((SGBeam, 0.3), (by_zscore, -1.0)):
        [some], [all_of_them] = (
            miner(top_k=100, **limit).fit(X).mine(outermost) for limit in ({"tau": tau}, {})
        )
        assert some == [a for a in all_of_them if a.score < tau]
        assert 0 < len(some) < len(all_of_them)


@pytest.mark.parametrize(
    "miner",
    [SGBeam(width=5), by_zscore(width=5), GBeam(width=5), KDEBeam(width=5), OAMiner()],
)
def test_a_miner_of_many_queries_says_what_it_says_of_each_alone(miner):
    X = np.random.default_rng(4).normal(size=(150, 8))
    X[:, 5], X[:, 6], X[:, 7] = (
        X[:, 0],
        X[:, 2],
        np.round(X[:, 1]),
    )  # duplicates tie
    miner = clone(miner).set_params(max_dim=4)
    alone = [clone(miner).fit(X).mine(X[i : i + 1])[0] for i in range(8)]
    together = miner.fit(X)
    assert together.mine(X[:8]) == alone
    assert together.mine(X[3:4]) == alone[3:4]  # and after other calls


@pytest.mark.parametrize(
    ("miner", "settings"),
    [
        (SGBeam, {"max_dim": 1, "width": 1, "top_k": 2, "bins": 3, "tau": 0.1, "score": "zscore"}),
        (by_zscore, {"max_dim": 1, "width": 1, "top_k": 2, "bins": 3, "tau": -5.0}),
        (GBeam, {"max_dim": 1, "width": 1, "top_k": 2, "bins": 3, "tau": -5.0}),
        (KDEBeam, {"max_dim": 1, "width": 1, "top_k": 2, "bandwidth": 3.0, "tau": -5.0}),
        (OAMiner, {"max_dim": 1, "top_k": 2, "bandwidth": 3.0}),
    ],
)
def test_every_setting_makes_a_difference(miner, settings):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(200, 6)) @ rng.normal(size=(6, 6)), np.full((1, 6), 2.0)])
    usual = miner().fit(X).mine(X[-1:])
    for name, value in settings.items():
        assert miner(**{name: value}).fit(X).mine(X[-1:]) != usual, name


@pytest.mark.parametrize("setting", [{"max_dim": 0}, {"tau": "x"}, {"tau": np.nan}])
@pytest.mark.parametrize("miner", [SGBeam, KDEBeam])
def test_wrong_settings_are_refused_by_fit(miner, setting):
    with pytest.raises(InvalidInputError, match="expected a"):
        miner(**setting).fit(np.eye(3))


def test_an_unknown_score_is_named_with_what_there_is():
    with pytest.raises(InvalidInputError, match="score='z': expected one of 'lift', 'zscore'"):
        SGBeam(score="z").fit(np.eye(3))


def test_depth_first_search_takes_any_score():
    X = np.random.default_rng(0).normal(size=(100, 3))
    X[0] = [0.0, 1.5, -1.5]
    found = Miner(SGrid(), zscore, DepthFirstSearch(max_dim=3)).fit(X).mine(X[:1])[0]
    best = Miner(SGrid(), zscore, BeamSearch(max_dim=3)).fit(X).mine(X[:1])[0][0]
    assert found[0].score <= best.score


def test_kernel_density_does_not_mind_tiny_columns():
    X = np.random.default_rng(0).normal(size=(60, 4))
    X[0] = 4.0
    tiny = KDEBeam(top_k=1).fit(X * 1e-110).mine(X[:1] * 1e-110)[0][0]
    plain = KDEBeam(top_k=1).fit(X).mine(X[:1])[0][0]
    assert tiny.subspace == plain.subspace
    assert tiny.score == pytest.approx(plain.score)


@pytest.mark.parametrize("miner", ALL)
class TestContract:
    def test_clone_keeps_all_settings_and_pickle_the_fit(self, miner):
        X = np.random.default_rng(0).normal(size=(40, 3))
        first = miner(max_dim=2, top_k=3)
        assert clone(first).get_params() == first.get_params()
        first.fit(X)
        assert pickle.loads(pickle.dumps(first)).mine(X[:2]) == first.mine(X[:2])

    def test_fitting_again_forgets_the_first_table(self, miner):
        rng = np.random.default_rng(0)
        X, Y = rng.normal(size=(30, 3)), rng.normal(size=(50, 4))
        assert miner().fit(X).fit(Y).mine(Y[:1]) == miner().fit(Y).mine(Y[:1])

    def test_unfitted_says_so(self, miner):
        with pytest.raises(NotFittedError, match="call fit"):
            miner().mine([[0.0]])

    def test_degenerate_tables_have_an_answer(self, miner):
        for X in (np.ones((1, 1)), np.ones((3, 2)), np.eye(2), np.arange(6.0).reshape(2, 3)):
            result = miner().fit(X).mine(X)
            assert len(result) == len(X)
            for aspects in result:
                assert all(np.isfinite(a.score) for a in aspects)

    def test_is_found_by_name(self, miner):
        assert type(make_miner(miner.__name__)) is miner
        assert type(make_miner(miner(max_dim=2))) is miner


def test_an_unknown_miner_is_named_with_what_there_is():
    with pytest.raises(InvalidInputError, match="did you mean 'sgbeam'"):
        make_miner("sgbaem")
    with pytest.raises(InvalidInputError, match=r"SGBeam\(\)"):
        make_miner(SGBeam)
    with pytest.raises(InvalidInputError, match="expected a name"):
        make_miner(3)


def test_oaminer_refuses_a_table_whose_pairs_do_not_fit():
    with pytest.raises(TooLargeError, match="use SGBeam"):
        OAMiner(memory_limit=10**6).fit(np.zeros((1000, 5)))


@pytest.mark.parametrize("density", [Grid(), SGrid(bins=5), KDE()])
@pytest.mark.parametrize("score", [zscore, rank])
@pytest.mark.parametrize(
    "search", [BeamSearch(max_dim=2, top_k=3), DepthFirstSearch(max_dim=2), None]
)
def test_parts_combine_freely(density, score, search):
    X = np.random.default_rng(0).normal(size=(40, 3))
    X[0] = 5.0
    [aspects] = Miner(density, score, search).fit(X).mine(X[:1])
    assert [a.score for a in aspects] == sorted(a.score for a in aspects)
    assert aspects


class Recorded(KDE):
    """Remembers of which subspaces it was asked for moments."""

    def moments(self, subspaces, points, tick=None):
        self.__dict__.setdefault("asked", []).extend(map(tuple, np.asarray(subspaces).tolist()))
        return super().moments(subspaces, points, tick)


@pytest.mark.parametrize("search", [BeamSearch(max_dim=3, width=4), DepthFirstSearch(max_dim=2)])
@pytest.mark.parametrize("score", [zscore, rank])
def test_nobody_asks_the_density_twice_for_the_figures_of_an_aspect(score, search):
    X = np.random.default_rng(0).normal(size=(40, 6))
    miner = Miner(Recorded(), score, search).fit(X)
    mined = miner.mine(X[:3])
    kept = {a.subspace for aspects in mined for a in aspects}
    asked = miner.density_.asked
    assert len(asked) == len(set(asked))
    assert set(asked) == kept if score is rank else set(asked) > kept
    for point, aspects in zip(X[:3], mined, strict=True):
        for a in aspects:
            counts, mean, std = miner.density_.moments([a.subspace], point[None])
            assert (a.density, a.mean, a.std) == (counts[0, 0], mean[0], std[0])


def test_a_density_of_your_own_drops_in():
    class Nearest(Density):
        """Minus the distance to the nearest other row."""

        def _fit(self, values):
            self.rows = values

        def density(self, subspace, points=None):
            s = list(subspace)
            points = self.rows if points is None else np.asarray(points)
            distances = np.abs(points[:, None, s] - self.rows[None, :, s]).max(axis=2)
            return -np.partition(distances, 1, axis=1)[:, 1]

    X = np.random.default_rng(0).normal(size=(60, 3))
    X[7, 1] = 9.0
    assert Miner(Nearest()).fit(X).mine(X[[7]])[0][0].subspace == (1,)


def test_a_search_of_your_own_drops_in():
    class Singles(Search):
        """Only single attributes."""

        def search(self, score, n_features, n_queries, progress=None):
            values = score(np.arange(n_features)[:, None])
            return [
                [Aspect((a,), score=values[a, q]) for a in np.argsort(values[:, q])]
                for q in range(n_queries)
            ]

    X = np.random.default_rng(0).normal(size=(60, 3))
    X[7, 1] = 9.0
    assert Miner(SGrid(), search=Singles()).fit(X).mine(X[[7]])[0][0].subspace == (1,)


def test_parts_that_do_not_fit_the_contracts_are_refused_by_fit():
    def without_tick(density, subspaces, points):
        return density.moments(subspaces, points)[0]

    class Unrelated:
        def search(self, score, n_features, n_queries, progress=None):
            return []

    with pytest.raises(InvalidInputError, match=r"without_tick: .*points, tick=None"):
        Miner(SGrid(), without_tick).fit(np.eye(3))
    with pytest.raises(InvalidInputError, match="expected a Search such as BeamSearch"):
        Miner(SGrid(), search=Unrelated()).fit(np.eye(3))
