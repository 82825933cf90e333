"""Candidates of a level: all of them, each once, in order, with the queries that ask for them."""

from __future__ import annotations

import tracemalloc
from itertools import combinations

import numpy as np
import pytest

from pyod_aspects._util.subspaces import subspace_codes
from pyod_aspects.search.candidates import extensions_of, level_of_all


@pytest.mark.parametrize("n_features", [2, 3, 10, 400])
def test_pairs_come_all_and_in_order(n_features):
    total, parts = level_of_all(n_features, 2)
    pairs = np.concatenate(list(parts))
    assert len(pairs) == total
    assert pairs.tolist() == [list(p) for p in zip(*np.triu_indices(n_features, 1), strict=True)]


def test_codes_tell_subspaces_apart_even_with_many_columns():
    rng = np.random.default_rng(0)
    subspaces = np.sort(rng.integers(0, 10**6, (200, 5)), axis=1)
    subspaces = np.concatenate([subspaces, subspaces[:50]])
    codes = subspace_codes(subspaces, 10**6)
    order = np.argsort(codes, kind="stable")
    assert subspaces[order].tolist() == sorted(subspaces.tolist())
    assert len(set(codes.tolist())) == len({tuple(s) for s in subspaces.tolist()})


def extended(beams, n_features):
    """Pairs of a query and an extension of its beam, by the definition."""
    return {
        (q, tuple(sorted({*subspace, a})))
        for q, beam in enumerate(beams)
        for subspace in beam.tolist()
        for a in set(range(n_features)) - set(subspace)
    }


@pytest.mark.parametrize("pairs_at_once", [1, 2, 3, 5, 1000])
@pytest.mark.parametrize(
    "beams",
    [
        [np.array([[0, 1], [0, 2]]), np.empty((0, 2), dtype=np.int64), np.array([[2, 3]])],
        # 17 of 18 features: codes of these do not fit in 64 bits.
        [np.array(list(combinations(range(18), 16)))[[0, 5, 9]], np.arange(16)[None]],
    ],
    ids=["pairs", "many features"],
)
def test_extensions_know_which_queries_asked_for_them(beams, pairs_at_once):
    n_features = 4 if beams[0].shape[1] == 2 else 18
    n_parts, parts = extensions_of(beams, n_features, pairs_at_once)
    n_extensions = n_features * sum(map(len, beams))
    assert n_parts == -(-n_extensions // pairs_at_once)
    asked, seen = [], []
    for subspaces, query, place in parts:
        assert subspaces.tolist() == sorted(subspaces.tolist())
        assert place.tolist() == sorted(place.tolist())
        seen += map(tuple, subspaces.tolist())
        asked += [(q, tuple(subspaces[i].tolist())) for q, i in zip(query, place, strict=True)]
    assert len(seen) == len(set(seen))
    assert len(asked) == len(set(asked))
    assert set(asked) == extended(beams, n_features)


def test_memory_for_a_level_does_not_grow_with_queries_times_columns():
    rng = np.random.default_rng(0)
    pairs = np.column_stack([rng.integers(0, 500, 2000), rng.integers(500, 1000, 2000)])
    beams = np.split(pairs, 20)
    tracemalloc.start()
    n_parts, parts = extensions_of(beams, 1000)
    n_candidates = sum(len(part.subspaces) for part in parts)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_parts == 8
    assert n_candidates > 1_900_000
    assert peak < 50e6  # all candidates alone would take 45 MB, and sorting them many times that
