"""Searches find what the definitions find, on any score."""

from __future__ import annotations

import math
import tracemalloc
from unittest.mock import patch

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyod_aspects._util.subspaces import subspace_codes
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.search import BeamSearch, DepthFirstSearch
from pyod_aspects.search.candidates import extensions_of, level_of_all


class Scores:
    """Reproducible scores with many ties, for several queries; remembers what it was asked."""

    def __init__(self, seed, n_queries, values):
        self.seed, self.n_queries, self.values = seed, n_queries, values
        self.asked = []

    def of(self, subspace, query):
        state = np.random.default_rng([self.seed, query, *subspace])
        return float(state.integers(1, self.values + 1))

    def __call__(self, subspaces):
        self.asked += [tuple(s) for s in subspaces.tolist()]
        return np.array(
            [[self.of(s, q) for q in range(self.n_queries)] for s in subspaces.tolist()]
        ).reshape(len(subspaces), self.n_queries)


class LimitedScores(Scores):
    """As `Scores`, but says only as much as it is asked for."""

    def at_most(self, subspaces, limits):
        exact = self(subspaces)
        return np.where(exact <= limits, exact, np.maximum(limits, exact) + 0.5)


scores = st.builds(
    Scores, st.integers(0, 10**6), n_queries=st.integers(1, 3), values=st.sampled_from([2, 5, 1000])
)


@given(
    scores=scores,
    n_features=st.integers(1, 7),
    max_dim=st.integers(1, 8),
    width=st.integers(1, 12),
    top_k=st.integers(1, 15),
    tau=st.sampled_from([math.inf, 3.0]),
    part=st.sampled_from([1, 7, 40, 10**6]),
)
def test_beam_is_algorithm_1_for_every_query(scores, n_features, max_dim, width, top_k, tau, part):
    with patch("pyod_aspects.search.candidates._PART_OF_PAIRS", part):
        found = BeamSearch(max_dim, width, top_k, tau).search(scores, n_features, scores.n_queries)
    for q in range(scores.n_queries):
        want = naive.beam(
            lambda s, q=q: scores.of(s, q), n_features, max_dim, width=width, top_k=top_k, tau=tau
        )
        assert [tuple(f) for f in found[q]] == want


@given(scores=scores, n_features=st.integers(1, 6), max_dim=st.integers(1, 5))
def test_a_beam_as_wide_as_the_level_is_exhaustive(scores, n_features, max_dim):
    found = BeamSearch(max_dim, width=1000).search(scores, n_features, scores.n_queries)
    for q in range(scores.n_queries):
        want = naive.exhaustive(lambda s, q=q: scores.of(s, q), n_features, max_dim, top_k=10)
        assert [tuple(f) for f in found[q]] == want


@given(scores=scores, n_features=st.integers(2, 8))
def test_every_subspace_is_scored_once_whichever_queries_ask(scores, n_features):
    BeamSearch(max_dim=5, width=3).search(scores, n_features, scores.n_queries)
    assert len(scores.asked) == len(set(scores.asked))
    for subspace in scores.asked:
        assert list(subspace) == sorted(set(subspace))


@given(
    seed=st.integers(0, 10**6),
    values=st.sampled_from([3, 8, 1000]),
    n_queries=st.integers(1, 3),
    limited=st.booleans(),
    n_features=st.integers(1, 6),
    max_dim=st.integers(1, 6),
    top_k=st.integers(1, 12),
)
def test_depth_first_finds_the_minimal_subspaces(
    seed, values, n_queries, limited, n_features, max_dim, top_k
):
    score = (LimitedScores if limited else Scores)(seed, n_queries, values)
    found = DepthFirstSearch(max_dim, top_k, best_possible=1.0).search(score, n_features, n_queries)
    for q in range(n_queries):
        want = naive.oaminer(lambda s, q=q: score.of(s, q), n_features, max_dim, top_k)
        assert [tuple(f) for f in found[q]] == want


def test_depth_first_is_pruned_below_a_subspace_that_ranks_first():
    asked = []

    def score(subspaces):
        asked.extend(map(tuple, subspaces.tolist()))
        return np.where((subspaces == 1).any(axis=1), 1.0, 5.0)[:, None]

    DepthFirstSearch(max_dim=3, best_possible=1.0).search(score, 4, 1)
    assert (1,) in asked
    assert not [s for s in asked if 1 in s and len(s) > 1]


def test_infinite_scores_are_never_extended():
    def score(subspaces):
        k = subspaces.shape[1]
        return np.full((len(subspaces), 1), np.inf if k == 3 else float(k))

    found = BeamSearch(max_dim=4, top_k=2).search(score, 5, 1)[0]
    assert [f.subspace for f in found] == [(0,), (1,)]


def test_exactly_the_subspaces_of_algorithm_1_are_scored():
    scores, asked = Scores(7, 1, 1000), set()

    def score(subspace):
        asked.add(subspace)
        return scores.of(subspace, 0)

    naive.beam(score, 7, 5, width=3, top_k=2)
    BeamSearch(max_dim=5, width=3, top_k=2).search(scores, 7, 1)
    assert set(scores.asked) == asked


@pytest.mark.parametrize("Search", [BeamSearch, DepthFirstSearch])
def test_progress_ends_at_all_of_the_work_and_never_goes_back(Search):
    seen = []
    Search(max_dim=4).search(Scores(0, 2, 5), 7, 2, seen.append)
    assert seen[-1].done == seen[-1].total
    assert all(0 <= p.done <= p.total for p in seen)
    assert [p.scored for p in seen] == sorted(p.scored for p in seen)


@pytest.mark.parametrize("Search", [BeamSearch, DepthFirstSearch])
def test_an_exception_in_progress_ends_the_search(Search):
    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Search().search(Scores(0, 1, 5), 5, 1, stop)


@pytest.mark.parametrize("Search", [BeamSearch, DepthFirstSearch])
@pytest.mark.parametrize("setting", [{"max_dim": 0}, {"top_k": -1}, {"max_dim": 2.5}])
def test_settings_that_make_no_sense_are_refused(Search, setting):
    with pytest.raises(InvalidInputError, match="expected a whole number, 1 or more"):
        Search(**setting).search(Scores(0, 1, 5), 5, 1)


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


@pytest.mark.parametrize("numbered_anew", [False, True])
@pytest.mark.parametrize("part", [1, 2, 3, 5, 1000])
def test_extensions_know_which_queries_asked_for_them(monkeypatch, numbered_anew, part):
    monkeypatch.setattr("pyod_aspects.search.candidates._PART_OF_PAIRS", part)
    if numbered_anew:  # as with so many columns that codes do not fit in 64 bits
        monkeypatch.setattr("pyod_aspects.search.candidates.MAX_CODE", 10)
    beams = [np.array([[0, 1], [0, 2]]), np.empty((0, 2), dtype=np.int64), np.array([[2, 3]])]
    n_parts, parts = extensions_of(beams, 4)
    assert n_parts == -(-3 * 4 // part)
    asked, seen = [], []
    for candidates, owner, member in parts:
        assert candidates.tolist() == sorted(candidates.tolist())
        assert member.tolist() == sorted(member.tolist())
        seen += [tuple(candidate) for candidate in candidates.tolist()]
        asked += [(q, seen[m - len(candidates)]) for q, m in zip(owner, member, strict=True)]
    assert sorted(seen) == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert sorted(asked) == [
        (0, (0, 1, 2)),
        (0, (0, 1, 3)),
        (0, (0, 2, 3)),
        (2, (0, 2, 3)),
        (2, (1, 2, 3)),
    ]


def only_what_is_wanted(score):
    """Scores of pairs, infinite for all but those that have to be exact."""

    def among_best(subspaces, query, which, n_best, n_parts, limits):
        scores = score(subspaces)[which, query]
        wanted = np.full(scores.size, np.inf)
        for q, limit in enumerate(limits):
            its = np.flatnonzero((query == q) & (scores <= limit))
            its = its[np.argsort(scores[its], kind="stable")][:n_best]
            wanted[its] = scores[its]
        return wanted

    return among_best


@pytest.mark.parametrize("tau", [np.inf, 1.5])
@pytest.mark.parametrize("screened", [False, True])
@pytest.mark.parametrize("part", [1, 7, 60, 1000])
def test_levels_in_parts_give_the_same_and_show_even_progress(monkeypatch, part, screened, tau):
    # Scores with many ties, which smaller subspaces win, wherever they come.
    score = Scores(1, 3, 4)
    search = BeamSearch(max_dim=4, width=5, top_k=6, tau=tau)
    whole = search.search(score, 9, 3)
    if screened:
        score.among_best = only_what_is_wanted(score)
    monkeypatch.setattr("pyod_aspects.search.candidates._PART_OF_PAIRS", part)
    seen = []
    assert search.search(score, 9, 3, seen.append) == whole
    shares = [p.share for p in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    for level in range(1, 5):
        done = [p.done for p in seen if p.level == level]
        assert done == sorted(done)
        assert len({p.total for p in seen if p.level == level}) == 1
    if part < 1000:
        assert len({p.done for p in seen if p.level == 3}) > 2


def test_of_the_last_level_only_what_is_among_the_best_of_all_matters():
    asked = []

    def among_best(subspaces, query, which, n_best, n_parts, limits):
        asked.append((subspaces.shape[1], n_best, limits.tolist()))
        return score(subspaces)[which, query]

    def score(subspaces):  # the fewer attributes, the better
        return subspaces.shape[1] + subspaces.sum(axis=1, keepdims=True) / 100

    def scores(subspaces):
        return score(subspaces)

    scores.among_best = among_best
    found = BeamSearch(max_dim=4, width=9, top_k=3).search(scores, 5, 1)
    assert found == BeamSearch(max_dim=4, width=9, top_k=3).search(score, 5, 1)
    assert asked == [(3, 9, [np.inf]), (4, 3, [1.02])]  # 1.02: the third best, {2}
    BeamSearch(max_dim=4, width=9, top_k=3, tau=0.5).search(scores, 5, 1)
    assert asked[-1] == (4, 3, [0.5])


def test_memory_for_a_level_does_not_grow_with_queries_times_columns():
    rng = np.random.default_rng(0)
    pairs = np.column_stack([rng.integers(0, 500, 2000), rng.integers(500, 1000, 2000)])
    beams = np.split(pairs, 20)
    tracemalloc.start()
    n_parts, parts = extensions_of(beams, 1000)
    n_candidates = sum(len(candidates) for candidates, _, _ in parts)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_parts == 8
    assert n_candidates > 1_900_000
    assert peak < 50e6  # all candidates alone would take 45 MB, and sorting them many times that
