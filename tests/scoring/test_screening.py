"""Screening asks for exact figures of contenders only, and finds the same aspects."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from level_scores import scored

from pyod_aspects import GBeam, SGBeam
from pyod_aspects.datasets import make_hics
from pyod_aspects.density import Grid, SGrid
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.scoring import Candidates, ScreenedZScore
from pyod_aspects.scoring.screening import SAMPLE
from pyod_aspects.search import BeamSearch

TRIPLES = np.array([(a, b, c) for a in range(4) for b in range(4, 8) for c in range(8, 12)])


@pytest.fixture(scope="module")
def hics():
    return make_hics(n_rows=20_000, n_features=12, random_state=5)


class Recorded:
    """Remembers of which subspaces exact statistics and those of a sample were asked for."""

    def statistics(self, subspaces, tick=None):
        self.__dict__.setdefault("exact", []).extend(map(tuple, subspaces.tolist()))
        return super().statistics(subspaces, tick)

    def sampled_statistics(self, subspaces, n, tick=None):
        self.__dict__.setdefault("sampled", []).extend(map(tuple, subspaces.tolist()))
        return super().sampled_statistics(subspaces, n, tick)


class RecordedGrid(Recorded, Grid):
    pass


class RecordedSGrid(Recorded, SGrid):
    pass


class RecordedGBeam(GBeam):
    density_class = RecordedGrid


class RecordedSGBeam(SGBeam):
    density_class = RecordedSGrid


def one_query(subspaces):
    """All subspaces, asked for by one query."""
    places = np.arange(len(subspaces))
    return Candidates(subspaces, query=np.zeros_like(places), place=places)


def best_of(score, subspaces, n_best, limit=np.inf, n_parts=1):
    """Scores of subspaces of which one query keeps the best."""
    return score.among_best(one_query(subspaces), n_best, np.array([limit]), n_parts).scores


@pytest.mark.parametrize("miner", [partial(RecordedSGBeam, score="zscore"), RecordedGBeam])
def test_screened_and_exact_search_agree_and_figures_are_exact(hics, miner):
    queries = hics.X[sorted(hics.truth)[:12]]
    exact = miner(screen=False, width=20).fit(hics.X)
    screened = miner(screen=True, width=20).fit(hics.X)
    assert screened.mine(queries) == exact.mine(queries)
    # Far fewer subspaces had their statistics computed over all rows.
    assert len(set(screened.density_.exact)) < 0.8 * len(set(exact.density_.exact))


def test_scores_that_may_be_among_the_best_are_exact_and_no_other_is_lower(hics):
    score = ScreenedZScore(SGrid().fit(hics.X), hics.X[:3], screen=True)
    place = np.repeat(np.arange(len(TRIPLES)), 3)
    query = np.tile(np.arange(3), len(TRIPLES))
    got = score.among_best(Candidates(TRIPLES, query, place), 5, np.full(3, np.inf))
    counts, mean, std = score.density.moments(TRIPLES, score.points)
    exact = score(TRIPLES)
    known = np.isfinite(got.scores).reshape(-1, 3)
    assert not known.all()
    np.testing.assert_array_equal(got.scores.reshape(-1, 3)[known], exact[known])
    np.testing.assert_array_equal(got.density.reshape(-1, 3)[known], counts[known])
    some = known.any(axis=1)
    np.testing.assert_array_equal((got.mean[some], got.std[some]), (mean[some], std[some]))
    for q in range(3):
        assert known[np.argsort(exact[:, q])[:5], q].all()


class Misjudging(SGrid):
    """A grid whose sample has a Z-score too high for one subspace, by some standard errors."""

    def misjudge(self, point, subspace, errors, error):
        self.point, self.subspace, self.errors, self.error = point, subspace, errors, error
        return self

    def sampled_statistics(self, subspaces, n, tick=None):
        mean, std = self.statistics(subspaces)
        wrong = (subspaces == self.subspace).all(axis=1)
        mean = mean - std * np.where(wrong, self.errors * self.error, 0.0)
        z = (self.near(subspaces, self.point)[:, 0] - mean) / std
        # Without skewness the standard error of z is sqrt((1 + z**2 / 4 * (kurtosis - 1)) / n).
        kurtosis = 1.0 + (n * self.error**2 - 1.0) * 4.0 / z**2
        return mean, std, np.zeros(len(std)), kurtosis


@pytest.fixture(scope="module")
def query(hics):
    return hics.X[[min(hics.truth)]]


@pytest.mark.parametrize(("errors", "found"), [(0.0, True), (3.9, True), (4.1, False)])
def test_a_winner_is_found_unless_the_sample_misjudges_it_by_more_than_four_errors(
    hics, query, errors, found
):
    density = Misjudging().fit(hics.X)
    score = ScreenedZScore(density, query, screen=True)
    exact = score(TRIPLES)[:, 0]
    best = np.argmin(exact)
    density.misjudge(query, TRIPLES[best], errors, error=0.05)
    got = best_of(score, TRIPLES, n_best=5, limit=exact[best])
    assert np.isfinite(got[best]) == found
    assert np.isinf(got).any()
    np.testing.assert_array_equal(got[np.isfinite(got)], exact[np.isfinite(got)])


def test_the_standard_error_is_how_far_samples_differ(hics, query):
    """Exact figures follow if a limit lies up to four errors below the estimate."""
    density = SGrid().fit(hics.X)
    score = ScreenedZScore(density, query, screen=True)
    some = TRIPLES[::20]
    mean, std, _, _ = density.sampled_statistics(some, SAMPLE)
    at_point = density.near(some, query)[:, 0]
    rng = np.random.default_rng(0)
    for i, subspace in enumerate(some):
        counts = density.density(subspace)
        samples = counts[rng.integers(counts.size, size=(400, SAMPLE))]
        error = ((at_point[i] - samples.mean(axis=1)) / samples.std(axis=1)).std()
        estimate = (at_point[i] - mean[i]) / std[i]
        for errors, contends in ((3.0, True), (5.0, False)):
            [got] = best_of(score, subspace[None], n_best=1, limit=estimate - errors * error)
            assert np.isfinite(got) == contends


def test_where_every_candidate_is_kept_no_sample_is_looked_at(hics, query):
    score = ScreenedZScore(RecordedSGrid().fit(hics.X), query, screen=True)
    got = best_of(score, TRIPLES, n_best=len(TRIPLES))
    np.testing.assert_array_equal(got, score(TRIPLES)[:, 0])
    assert not hasattr(score.density, "sampled")


def test_of_the_last_level_only_what_is_among_the_best_of_all_is_worked_out():
    X = np.random.default_rng(0).normal(size=(20_000, 12))
    X[-1] = 5.0  # far out everywhere, and most so in single columns, as these are not related
    miner = RecordedSGBeam(score="zscore", screen=True, max_dim=3).fit(X)
    assert [len(a.subspace) for a in miner.mine(X[-1:])[0]] == [1] * 10
    assert {len(subspace) for subspace in miner.density_.exact} == {1, 2}
    assert miner.mine(X[-1:]) == SGBeam(score="zscore", screen=False, max_dim=3).fit(X).mine(X[-1:])


def test_levels_in_parts_give_the_same(hics):
    points = hics.X[sorted(hics.truth)[:3]]
    score = ScreenedZScore(SGrid().fit(hics.X), points, screen=True)
    whole, in_parts = (
        BeamSearch(max_dim=4, width=20, pairs_at_once=pairs).search(score, 12, 3)
        for pairs in (10**6, 200)
    )
    assert [scored(found) for found in in_parts] == [scored(found) for found in whole]


class Priced(RecordedSGrid):
    """A grid that names prices: nanoseconds of exact work, and of looking at a sample."""

    price, sampling_price = 0.0, 0.0

    def cost(self, subspaces):
        return self.price

    def sampling_cost(self, subspaces, n):
        return self.sampling_price


@pytest.mark.parametrize(
    ("price", "sampling_price", "n_parts", "screened"),
    [
        (3e9, 1.4e9, 1, True),
        (3e9, 1.6e9, 1, False),  # a sample that costs more than half of exact work
        (1e9, 0.1e9, 1, False),  # a level that takes a second
        (1e9, 0.1e9, 3, True),  # a third of a level that takes three
    ],
)
def test_auto_screens_long_levels_if_the_sample_costs_less_than_half(
    hics, query, price, sampling_price, n_parts, screened
):
    density = Priced().fit(hics.X)
    density.price, density.sampling_price = price, sampling_price
    score = ScreenedZScore(density, query, screen="auto")
    fives = np.array(list(combinations(range(12), 5)))
    best_of(score, fives, n_best=5, n_parts=n_parts)
    assert hasattr(density, "sampled") == screened


def test_a_sample_costs_more_the_more_rows_it_has_and_less_than_all_of_them(hics):
    density = SGBeam(score="zscore").fit(hics.X).density_
    five = np.array([(0, 1, 2, 3, a) for a in range(4, 12)])
    few, many = (density.sampling_cost(five, n) for n in (100, 1000))
    assert few < many < density.cost(five)


class Blind(SGrid):
    """A grid whose sample says nothing of the first column, as if that had too many bins."""

    def sampled_statistics(self, subspaces, n, tick=None):
        statistics = np.array(super().sampled_statistics(subspaces, n, tick))
        statistics[:, (subspaces == 0).any(axis=1)] = 0.0
        return tuple(statistics)


def test_a_column_of_too_many_bins_does_not_spoil_the_screening_of_others(hics, query):
    known = TRIPLES[:, 0] != 0
    score = ScreenedZScore(Blind().fit(hics.X), query, screen=True)
    with_others = np.isfinite(best_of(score, TRIPLES, n_best=5))
    alone = np.isfinite(best_of(score, TRIPLES[known], n_best=5))
    assert with_others[~known].all()
    np.testing.assert_array_equal(with_others[known], alone)
    assert not alone.all()


def test_screening_tells_how_far_it_is_and_can_be_stopped(hics):
    seen = []
    miner = SGBeam(score="zscore", screen=True, max_dim=3, width=20).fit(hics.X)
    miner.mine(hics.X[:2], seen.append)
    level = [progress.done for progress in seen if progress.level == 3]
    assert level == sorted(level)
    assert any(0 < done < 0.8 * level[-1] for done in level)  # while the sample is looked at

    def stop(progress):
        if progress.level == 3 and progress.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        miner.mine(hics.X[2:4], stop)
    fresh = SGBeam(score="zscore", screen=True, max_dim=3, width=20).fit(hics.X)
    assert miner.mine(hics.X[2:4]) == fresh.mine(hics.X[2:4])


def test_the_sample_is_the_same_every_time(hics):
    one, two = (
        SGBeam(score="zscore", screen=True).fit(hics.X),
        SGBeam(score="zscore", screen=True).fit(hics.X),
    )
    np.random.default_rng().random()
    subspaces = np.array([[0, 1, 2], [3, 4, 5]])
    for a, b in zip(
        one.density_.sampled_statistics(subspaces, 256),
        two.density_.sampled_statistics(subspaces, 256),
        strict=True,
    ):
        np.testing.assert_array_equal(a, b)


def test_the_sample_does_not_depend_on_the_order_of_rows_and_columns(hics):
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(len(hics.X)), rng.permutation(hics.X.shape[1])
    X = np.round(hics.X, 1)  # with rows that repeat
    place = np.argsort(columns)
    for size in (256, 20_000):
        plain = (
            SGBeam(score="zscore")
            .fit(X)
            .density_.sampled_statistics(np.array([[0, 1, 2], [3, 4, 5]]), size)
        )
        moved = np.sort(np.array([[place[0], place[1], place[2]], [place[3], place[4], place[5]]]))
        other = (
            SGBeam(score="zscore").fit(X[rows][:, columns]).density_.sampled_statistics(moved, size)
        )
        np.testing.assert_array_equal(plain, other)


def test_equal_rows_are_drawn_as_often_as_they_occur():
    counts = [9000, 900, 100]
    density = Grid(bins=3).fit(np.repeat([[0.0], [1.0], [2.0]], counts, axis=0))
    mean, *_ = density.sampled_statistics(np.array([[0]]), 2000)
    np.testing.assert_allclose(mean, 0.9 * 9000 + 0.09 * 900 + 0.01 * 100, rtol=0.02)
    whole = density.sampled_statistics(np.array([[0]]), 10_000)
    np.testing.assert_allclose(whole[:2], density.statistics(np.array([[0]])))


def test_sampled_statistics_of_all_rows_are_the_statistics(hics):
    density = SGBeam(score="zscore").fit(hics.X[:500]).density_
    subspaces = np.array([[0, 1], [2, 7], [5, 11]])
    mean, std, _, _ = density.sampled_statistics(subspaces, 500)
    np.testing.assert_allclose((mean, std), density.statistics(subspaces))


def test_auto_is_exact_on_small_tables():
    X = make_hics(n_rows=1000, n_features=10, random_state=0).X
    auto = RecordedSGBeam(score="zscore").fit(X)
    exact = RecordedSGBeam(score="zscore", screen=False).fit(X)
    assert auto.mine(X[:5]) == exact.mine(X[:5])
    assert set(auto.density_.exact) == set(exact.density_.exact)


@pytest.mark.parametrize("screen", ["yes", 1, None])
def test_other_settings_are_refused(screen):
    with pytest.raises(InvalidInputError, match="'auto', True or False"):
        SGBeam(score="zscore", screen=screen).fit(np.eye(3))
