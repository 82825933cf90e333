"""Mean and deviation of a subspace are computed once and kept."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from pyod_aspects import SGBeam
from pyod_aspects.counting.counter import LevelCounter
from pyod_aspects.datasets import make_hics
from pyod_aspects.density.cache import MAX_SUBSPACES, StatisticsCache


def test_statistics_are_kept_between_calls(monkeypatch):
    X = make_hics(n_rows=300, n_features=6, random_state=2).X
    miner = SGBeam(max_dim=3, score="zscore").fit(X)
    want = miner.mine(X[:2])

    def refuse(*args):
        raise AssertionError("computed again")

    monkeypatch.setattr(LevelCounter, "statistics", refuse)
    assert miner.mine(X[:2]) == want


def test_several_threads_may_keep_statistics():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(300):
            cache = StatisticsCache(n_features=3)

            def keep(first, cache=cache):
                for size in range(first, 30, 2):
                    cache.store(np.zeros((1, size), dtype=np.int64), np.zeros(1), np.zeros(1))

            with ThreadPoolExecutor(2) as threads:
                list(threads.map(keep, (1, 2)))
            assert len(cache) == 29
    finally:
        sys.setswitchinterval(before)


def test_statistics_that_two_threads_computed_are_kept_once():
    cache = StatisticsCache(n_features=9)
    pairs = np.array([[0, 5], [1, 2], [3, 4]])
    cache.store(pairs[:2], np.arange(2.0), np.arange(2.0))
    cache.store(pairs, np.arange(3.0), np.arange(3.0))
    assert len(cache) == 3
    mean, _, known = cache.look_up(pairs)
    assert known.all()
    assert mean.tolist() == [0.0, 1.0, 2.0]


def test_the_cache_has_a_limit_and_what_does_not_fit_is_not_kept(monkeypatch):
    monkeypatch.setattr("pyod_aspects.density.cache.MAX_SUBSPACES", 3)
    assert MAX_SUBSPACES == 1_000_000
    cache = StatisticsCache(n_features=9)
    pairs = np.array([[0, 5], [1, 2], [3, 4], [6, 7]])
    cache.store(pairs, np.arange(4.0), np.arange(4.0))
    assert len(cache) == 3
    mean, _, known = cache.look_up(pairs[::-1])
    assert known.tolist() == [False, True, True, True]
    assert mean[known].tolist() == [2.0, 1.0, 0.0]
    wide = StatisticsCache(n_features=10**6)
    wide.store(np.array([[0, 1, 2, 3]]), np.ones(1), np.ones(1))
    assert len(wide) == 0
