"""Screening asks for exact figures of contenders only, and finds the same aspects."""

from __future__ import annotations

import numpy as np
import pytest

from pyod_aspects import GBeam, SGBeam
from pyod_aspects.datasets import make_hics
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.scoring.screening import SAMPLE, ScreenedZScore


@pytest.fixture(scope="module")
def hics():
    return make_hics(n_rows=20_000, n_features=12, random_state=5)


@pytest.mark.parametrize("miner", [SGBeam, GBeam])
def test_screened_and_exact_search_agree_and_figures_are_exact(hics, miner):
    queries = hics.X[sorted(hics.truth)[:12]]
    exact = miner(screen=False, width=20).fit(hics.X)
    screened = miner(screen=True, width=20).fit(hics.X)
    assert screened.mine(queries) == exact.mine(queries)
    # Far fewer subspaces had their statistics computed over all rows.
    assert len(screened.density_._cache) < 0.8 * len(exact.density_._cache)


def test_scores_that_may_be_among_the_best_are_exact_and_no_other_is_lower(hics):
    miner = SGBeam(screen=True).fit(hics.X)
    points = hics.X[:3]
    subspaces = np.array([(a, b, c) for a in range(4) for b in range(4, 8) for c in range(8, 12)])
    which = np.repeat(np.arange(len(subspaces)), 3)
    query = np.tile(np.arange(3), len(subspaces))
    score = ScreenedZScore(miner.density_, points, screen=True)
    got = score.among_best(subspaces, query, which, n_best=5).reshape(-1, 3)
    exact = score(subspaces)
    known = np.isfinite(got)
    np.testing.assert_array_equal(got[known], exact[known])
    for q in range(3):
        assert known[np.argsort(exact[:, q])[:5], q].all()


@pytest.fixture(scope="module")
def level(hics):
    """Triples, their exact Z-scores for one query, and what scores them."""
    density = SGBeam().fit(hics.X).density_
    subspaces = np.array([(a, b, c) for a in range(4) for b in range(4, 8) for c in range(8, 12)])
    score = ScreenedZScore(density, hics.X[[min(hics.truth)]], screen=True)
    return subspaces, score(subspaces)[:, 0], score


@pytest.mark.parametrize(("errors", "found"), [(0, True), (3, True), (3.9, True), (10, False)])
def test_a_winner_is_found_unless_the_sample_misjudges_it_by_more_than_four_errors(
    level, monkeypatch, errors, found
):
    subspaces, exact, score = level
    best, tenth = np.argsort(exact)[[0, 9]]
    error = (exact[tenth] - exact[best]) / 2.5
    guess = exact.copy()
    guess[best] += errors * error  # with three errors it seems to be behind the tenth
    monkeypatch.setattr(score, "_estimates", lambda *args: (guess, np.full(exact.size, error)))
    which, query = np.arange(len(subspaces)), np.zeros(len(subspaces), dtype=np.int64)
    got = score.among_best(subspaces, query, which, n_best=5)
    assert np.isfinite(got[best]) == found
    assert np.isinf(got).any()
    np.testing.assert_array_equal(got[np.isfinite(got)], exact[np.isfinite(got)])


def test_the_standard_error_is_how_far_samples_differ(level):
    subspaces, _, score = level
    some = subspaces[::20]
    at_point = score.density.at_points(some, score.points)[:, 0]
    _, error = score._estimates(some, at_point, np.arange(len(some)))
    rng = np.random.default_rng(0)
    for i, subspace in enumerate(some):
        counts = score.density.density(subspace)
        samples = counts[rng.integers(counts.size, size=(400, SAMPLE))]
        z = (at_point[i] - samples.mean(axis=1)) / samples.std(axis=1)
        np.testing.assert_allclose(error[i], z.std(), rtol=0.25)


def test_where_every_candidate_is_wanted_no_sample_is_looked_at(level, monkeypatch):
    subspaces, exact, score = level
    monkeypatch.setattr(score, "_estimates", lambda *args: pytest.fail("a sample was looked at"))
    which, query = np.arange(len(subspaces)), np.zeros(len(subspaces), dtype=np.int64)
    got = score.among_best(subspaces, query, which, n_best=len(subspaces))
    np.testing.assert_array_equal(got, exact)


def test_of_the_last_level_only_what_is_among_the_best_of_all_is_worked_out():
    X = np.random.default_rng(0).normal(size=(20_000, 12))
    X[-1] = 5.0  # far out everywhere, and most so in single columns, as these are not related
    miner = SGBeam(screen=True, max_dim=3).fit(X)
    assert [len(a.subspace) for a in miner.mine(X[-1:])[0]] == [1] * 10
    assert 3 not in miner.density_._cache._levels
    assert miner.mine(X[-1:]) == SGBeam(screen=False, max_dim=3).fit(X).mine(X[-1:])


def test_levels_in_parts_give_the_same(hics, monkeypatch):
    rows = sorted(hics.truth)[:3]
    whole = SGBeam(screen=True, max_dim=4, width=20).fit(hics.X).mine(hics.X[rows])
    monkeypatch.setattr("pyod_aspects.search.candidates._PART_OF_PAIRS", 200)
    assert SGBeam(screen=True, max_dim=4, width=20).fit(hics.X).mine(hics.X[rows]) == whole


def test_the_parts_of_a_level_are_screened_if_the_level_would_be(hics, monkeypatch):
    X = np.tile(hics.X, (10, 1))
    score = ScreenedZScore(SGBeam().fit(X).density_, X[:1], screen="auto")
    triples = np.array([(0, 1, a) for a in range(2, 12)])
    cost = score.density.cost(triples)
    monkeypatch.setattr("pyod_aspects.scoring.screening._WORTH_IT", 1.5 * cost)
    monkeypatch.setattr("pyod_aspects.scoring.screening._GAIN", 0.0)
    assert not score._pays(triples, 1)
    assert score._pays(triples, 2)


@pytest.mark.parametrize(("share", "pays"), [(0.4, True), (0.6, False)])
def test_a_level_is_not_screened_if_the_sample_costs_about_as_much(hics, share, pays, monkeypatch):
    score = ScreenedZScore(SGBeam().fit(hics.X).density_, hics.X[:1], screen="auto")
    triples = np.array([(0, 1, a) for a in range(2, 12)])
    cost = score.density.cost(triples)
    monkeypatch.setattr("pyod_aspects.scoring.screening._WORTH_IT", 0.5 * cost)
    monkeypatch.setattr(score.density, "sampling_cost", lambda subspaces, n: share * cost)
    assert score._pays(triples, 1) == pays


def test_a_sample_costs_more_the_more_rows_it_has_and_less_than_all_of_them(hics):
    density = SGBeam().fit(hics.X).density_
    five = np.array([(0, 1, 2, 3, a) for a in range(4, 12)])
    few, many = (density.sampling_cost(five, n) for n in (100, 1000))
    assert few < many < density.cost(five)


def without_first(counter):
    """Return what counts for a sample, but as if the first column had too many bins for that."""
    counts_of = counter.counts_of

    def without(subspaces, *rest):
        counts = counts_of(subspaces, *rest)
        counts[(subspaces == 0).any(axis=1)] = 0
        return counts

    return without


def test_a_column_of_too_many_bins_does_not_spoil_the_screening_of_others(hics, monkeypatch):
    every = np.array([(a, b, c) for a in range(4) for b in range(4, 8) for c in range(8, 12)])
    known = every[:, 0] != 0  # of the others nothing is known
    exact = []
    for subspaces in (every, every[known]):
        density = SGBeam(screen=True).fit(hics.X).density_
        monkeypatch.setattr(density._counter, "counts_of", without_first(density._counter))
        score = ScreenedZScore(density, hics.X[[min(hics.truth)]], screen=True)
        which, query = np.arange(len(subspaces)), np.zeros(len(subspaces), dtype=np.int64)
        exact.append(np.isfinite(score.among_best(subspaces, query, which, n_best=5)))
    assert exact[0][~known].all()
    np.testing.assert_array_equal(exact[0][known], exact[1])
    assert not exact[1].all()


def test_screening_tells_how_far_it_is_and_can_be_stopped(hics):
    seen = []
    miner = SGBeam(screen=True, max_dim=3, width=20).fit(hics.X)
    miner.mine(hics.X[:2], seen.append)
    level = [progress.done for progress in seen if progress.level == 3]
    assert level == sorted(level)
    assert any(0 < done < 0.8 * level[-1] for done in level)  # while the sample is looked at

    def stop(progress):
        if progress.level == 3 and progress.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        miner.mine(hics.X[2:4], stop)
    assert miner.density_.tick is None


def test_the_sample_is_the_same_every_time(hics):
    one, two = SGBeam(screen=True).fit(hics.X), SGBeam(screen=True).fit(hics.X)
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
        plain = SGBeam().fit(X).density_.sampled_statistics(np.array([[0, 1, 2], [3, 4, 5]]), size)
        moved = np.sort(np.array([[place[0], place[1], place[2]], [place[3], place[4], place[5]]]))
        other = SGBeam().fit(X[rows][:, columns]).density_.sampled_statistics(moved, size)
        np.testing.assert_array_equal(plain, other)


def test_equal_rows_are_drawn_as_often_as_they_occur():
    X = np.repeat([[0.0], [1.0], [2.0]], [9000, 900, 100], axis=0)
    table = SGBeam(bins=3).fit(X).density_._table
    assert np.bincount(table.shuffled).tolist() == [9000, 900, 100]
    share = np.bincount(table.shuffled[:2000]) / 2000
    np.testing.assert_allclose(share, [0.9, 0.09, 0.01], atol=0.02)


def test_sampled_statistics_of_all_rows_are_the_statistics(hics):
    density = SGBeam().fit(hics.X[:500]).density_
    subspaces = np.array([[0, 1], [2, 7], [5, 11]])
    mean, std, _, _ = density.sampled_statistics(subspaces, 500)
    np.testing.assert_allclose((mean, std), density.statistics(subspaces))


def test_auto_is_exact_on_small_tables():
    X = make_hics(n_rows=1000, n_features=10, random_state=0).X
    auto, exact = SGBeam().fit(X), SGBeam(screen=False).fit(X)
    assert auto.mine(X[:5]) == exact.mine(X[:5])
    assert len(auto.density_._cache) == len(exact.density_._cache)


@pytest.mark.parametrize("screen", ["yes", 1, None])
def test_other_settings_are_refused(screen):
    with pytest.raises(InvalidInputError, match="'auto', True or False"):
        SGBeam(screen=screen).fit(np.eye(3))
