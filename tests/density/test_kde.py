"""KDE: kernels, blocks, threads, statistics that are kept, progress and memory."""

from __future__ import annotations

import math
import pickle
import tracemalloc

import naive
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pyod_aspects import KDEBeam, OAMiner
from pyod_aspects._kernels import kde as kernels
from pyod_aspects._kernels import ranks as rank_kernels
from pyod_aspects.density import KDE, PairwiseKDE
from pyod_aspects.density.kde import hardle_bandwidth

rng = np.random.default_rng(3)
COLUMNS = {
    "sigma is the smaller spread": rng.uniform(size=40),
    "the quartiles are the smaller spread": rng.standard_t(1.5, size=40),
    "the quartiles coincide": np.repeat([0.0, 3.0], [37, 3]),
    "two rows": np.array([1.0, 2.0]),
    "many rows": rng.normal(size=5000),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_the_bandwidth_is_hardles_rule(column):
    want = naive.bandwidth(column)
    assert hardle_bandwidth(column) == pytest.approx(want, rel=1e-12)
    assert KDE().fit(column[:, None]).bandwidths_ == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("power", [-700, 700])
def test_tiny_and_huge_values_have_the_bandwidth_of_others_in_their_unit(power):
    column = COLUMNS["sigma is the smaller spread"]
    want = np.ldexp(hardle_bandwidth(column), power)
    assert hardle_bandwidth(np.ldexp(column, power)) == want > 0


def test_the_rule_leaves_missing_values_out_and_constant_columns_without_a_bandwidth():
    column = np.append(COLUMNS["sigma is the smaller spread"], [np.nan] * 60)
    X = np.column_stack([column, np.full(100, 7.0), np.full(100, np.nan)])
    want = [naive.bandwidth(column), 0.0, 0.0]
    assert KDE().fit(X).bandwidths_ == pytest.approx(want, rel=1e-12)


def pairs(d):
    return np.array([(a, b) for a in range(d) for b in range(a + 1, d)])


def test_gauss_is_exp_to_a_few_units_in_the_last_place():
    z = np.concatenate([np.linspace(-40, 40, 4001), [0.0, 1e-300, 38.6, 1e200, np.inf]])
    got = np.array([kernels.gauss(x) for x in z])
    want = np.array([math.exp(-0.5 * x * x) if abs(x) < 1e150 else 0.0 for x in z])
    assert_allclose(got, want, rtol=2e-15, atol=5e-324)
    assert kernels.gauss(0.0) == 1.0
    assert kernels.gauss(38.7) == 0.0


def table(n, d, shape):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, d))
    if shape == "few values":
        return np.round(2 * X)
    if shape == "equal rows":
        return X[rng.integers(0, n // 3, size=n)]
    return X


def straight(density, X, subspaces):
    """Mean and deviation straight from all pairs."""
    figures = []
    for s in subspaces:
        z = (X[:, None, s] - X[None, :, s]) / density.bandwidths_[s]
        f = np.exp(-0.5 * (z * z).sum(axis=2)).sum(axis=1)
        f /= len(X) * np.prod(density.bandwidths_[s] * math.sqrt(2 * math.pi))
        figures.append((f.mean(), f.std()))
    return np.array(figures).T


@pytest.mark.parametrize("shape", ["continuous", "few values", "equal rows"])
def test_moments_are_those_of_all_pairs_in_tiles_and_blocks_of_every_size(shape, monkeypatch):
    X = table(1300, 5, shape)
    density = KDE().fit(X)
    want_mean, want_std = straight(density, X, pairs(5))
    for piece in (1.0, 1e5, 1e9):
        monkeypatch.setattr(KDE, "piece", piece)
        at_points, mean, std = KDE().fit(X).moments(pairs(5), X[:3])
        assert_allclose(mean, want_mean, rtol=1e-9)
        assert_allclose(std, want_std, rtol=1e-9)
        assert_allclose(at_points[4], density.density(pairs(5)[4], X[:3]), rtol=1e-9)


@pytest.mark.parametrize("shape", ["continuous", "few values", "equal rows"])
def test_moments_are_the_same_to_the_last_bit_for_every_n_jobs(shape, monkeypatch):
    monkeypatch.setattr(KDE, "piece", 1e5)
    X = table(700, 6, shape)
    triples = np.array([(0, 1, 2), (0, 1, 5), (1, 2, 3), (2, 4, 5)])
    for subspaces in (np.arange(6)[:, None], pairs(6), triples):
        one = KDE().fit(X).moments(subspaces, X[:5])
        for n_jobs in (2, 3, -1):
            for got, want in zip(
                KDE(n_jobs=n_jobs).fit(X).moments(subspaces, X[:5]), one, strict=True
            ):
                assert_array_equal(got, want)


def test_deviation_has_all_its_digits_where_densities_are_nearly_equal():
    X = np.random.default_rng(0).uniform(size=(400, 2))
    density = KDE(bandwidth=300.0).fit(X)
    _, mean, std = density.moments([(0, 1)], X[:1])
    everywhere = density.density((0, 1))
    assert 1e-9 < std[0] / mean[0] < 1e-5
    assert_allclose(std[0], everywhere.std(), rtol=1e-6)


def calls_of(monkeypatch, name):
    """The arguments with which a kernel is called, from now on."""
    calls, kernel = [], getattr(kernels, name)

    def recorded(*args):
        calls.append(args)
        return kernel(*args)

    monkeypatch.setattr(kernels, name, recorded)
    return calls


def test_statistics_are_kept_between_calls(monkeypatch):
    X = table(200, 5, "continuous")
    density = KDE().fit(X)
    first = density.moments(pairs(5)[:6], X[:2])

    calls = calls_of(monkeypatch, "block_moments")
    again = density.moments(pairs(5), X[5:9])
    assert sum(sums.shape[1] for sums, *_ in calls) == 4  # of ten subspaces
    assert_array_equal(again[1][:6], first[1])
    assert_array_equal(again[2][:6], first[2])
    fresh = KDE().fit(X).moments(pairs(5), X[5:9])
    for got, want in zip(again, fresh, strict=True):
        assert_allclose(got, want, rtol=1e-13)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_progress_grows_evenly_to_the_number_of_subspaces(n_jobs, monkeypatch):
    monkeypatch.setattr(KDE, "piece", 2e5)
    X = table(500, 8, "continuous")
    density = KDE(n_jobs=n_jobs).fit(X)
    seen = []
    density.moments(pairs(8), X[:4], seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 28
    if n_jobs is None:  # otherwise only the pieces of the calling thread are told at once
        assert max(np.diff([0, *seen])) <= 3
    seen.clear()
    density.moments(pairs(8), X[:4], seen.append)
    assert seen[-1] == 28


def test_an_interrupt_in_tick_ends_moments_and_leaves_the_density_usable():
    X = table(300, 5, "continuous")
    density = KDE().fit(X)

    def interrupt(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        density.moments(pairs(5), X[:2], interrupt)
    for got, want in zip(
        density.moments(pairs(5), X[:2]), KDE().fit(X).moments(pairs(5), X[:2]), strict=True
    ):
        assert_array_equal(got, want)


def test_memory_does_not_grow_with_subspaces_times_rows():
    X = table(2000, 30, "continuous")
    subspaces = np.array([(a, b, c) for a in range(30) for b in range(a) for c in range(b)])
    subspaces = np.sort(subspaces, axis=1)
    density = KDE().fit(X)
    density.moments(subspaces[:2], X[:1])
    tracemalloc.start()
    density.moments(subspaces[:1500], X[:1])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1500 * 2000 * 8 / 2


def test_fitting_takes_little_more_memory_than_the_table_once_more():
    X = table(50_000, 40, "continuous")
    X[:, 0] = np.round(X[:, 0])
    tracemalloc.start()
    KDE().fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.6 * X.nbytes


@pytest.mark.parametrize("shape", ["continuous", "few values", "equal rows"])
def test_equal_rows_are_merged(shape, monkeypatch):
    X = table(500, 4, shape)
    X[3] = -0.0
    X[7] = 0.0
    calls = calls_of(monkeypatch, "product_sums")
    KDE().fit(X).density((0, 1))
    [(_, rows, *_)] = calls
    distinct, counts = np.unique(X, axis=0, return_counts=True)
    order = np.lexsort(rows.values[::-1])
    assert_array_equal(rows.values[:, order].T, distinct)
    assert_array_equal(rows.weights[order], counts)


def test_every_kernel_has_compiled_once():
    X = table(60, 4, "few values")
    X.flags.writeable = False
    for n_jobs in (None, 2):
        KDEBeam(n_jobs=n_jobs).fit(X).mine(X[:2])
        KDEBeam(n_jobs=n_jobs).fit(np.asfortranarray(X[:, :3])).mine(X[:2, :3])
        OAMiner(n_jobs=n_jobs).fit(X).mine(X[:2])
    by_columns = np.asfortranarray(X)
    by_columns.flags.writeable = False
    KDE().fit(by_columns).moments([(0, 1)], by_columns)
    KDE().fit(X).score_samples(X[:3])
    KDE().fit(X).density((1, 3))
    for kernel in (
        kernels.product_sums,
        kernels.block_moments,
        rank_kernels.pairwise,
        rank_kernels.near_rows,
        rank_kernels.bounded_ranks,
    ):
        assert len(kernel.signatures) == 1, kernel


@pytest.mark.parametrize("miner", [KDEBeam, OAMiner])
@pytest.mark.parametrize("shape", ["continuous", "few values", "equal rows"])
def test_miners_say_the_same_with_every_n_jobs(miner, shape, monkeypatch):
    monkeypatch.setattr(PairwiseKDE, "worth_threads", 0.0)
    X = table(150, 5, shape)
    one = miner(max_dim=3).fit(X)
    two = miner(max_dim=3, n_jobs=2).fit(X)
    assert one.mine(X[:4]) == two.mine(X[:4])
    assert pickle.loads(pickle.dumps(two)).mine(X[:4]) == one.mine(X[:4])


@pytest.mark.parametrize("shape", ["continuous", "few values", "equal rows"])
def test_bounded_ranks_count_the_rows_of_lower_density(shape):
    X = table(700, 4, shape)
    density = PairwiseKDE().fit(X)
    points = np.vstack([X[:5], X[:2] + 0.3, np.full((1, 4), 9.0)])
    subspaces = np.array([(0, 1, 2), (1, 2, 3)])
    for limit in (1.0, 20.0, np.inf):
        got = density.ranks(subspaces, density.kernels_of(points), np.full((2, len(points)), limit))
        for i, s in enumerate(subspaces):
            everywhere, here = density.density(s), density.density(s, points)
            here += density.own_share(s[None]) * ~density.holds(points)
            want = 1 + (everywhere < here[:, None] * (1 - 1e-9)).sum(axis=1)
            assert_array_equal(got[i][want <= limit], want[want <= limit])
            assert (got[i][want > limit] > limit).all()
