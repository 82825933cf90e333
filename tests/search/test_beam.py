"""Beam search finds what Algorithm 1 finds, on any score."""

from __future__ import annotations

import math

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from level_scores import (
    Scores,
    ScreenedScores,
    ScreenedWithFigures,
    WithFigures,
    any_scores,
    has_its_figures,
    scored,
)

from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.scoring import FunctionScore, LevelScore
from pyod_aspects.search import BeamSearch


@given(
    scores=any_scores(),
    n_features=st.integers(1, 7),
    max_dim=st.integers(1, 8),
    width=st.integers(1, 12),
    top_k=st.integers(1, 15),
    tau=st.sampled_from([math.inf, 3.0]),
    pairs=st.sampled_from([1, 7, 40, 10**6]),
)
def test_beam_is_algorithm_1_for_every_query(scores, n_features, max_dim, width, top_k, tau, pairs):
    search = BeamSearch(max_dim, width, top_k, tau, pairs_at_once=pairs)
    found = search.search(scores, n_features, scores.n_queries)
    for q in range(scores.n_queries):
        want = naive.beam(
            lambda s, q=q: scores.of(s, q), n_features, max_dim, width=width, top_k=top_k, tau=tau
        )
        assert scored(found[q]) == want


@given(scores=any_scores(), n_features=st.integers(1, 6), max_dim=st.integers(1, 5))
def test_a_beam_as_wide_as_the_level_is_exhaustive(scores, n_features, max_dim):
    found = BeamSearch(max_dim, width=1000).search(scores, n_features, scores.n_queries)
    for q in range(scores.n_queries):
        want = naive.exhaustive(lambda s, q=q: scores.of(s, q), n_features, max_dim, top_k=10)
        assert scored(found[q]) == want


@given(scores=any_scores(), n_features=st.integers(2, 8))
def test_every_subspace_is_scored_once_whichever_queries_ask(scores, n_features):
    BeamSearch(max_dim=5, width=3).search(scores, n_features, scores.n_queries)
    assert len(scores.asked) == len(set(scores.asked))
    for subspace in scores.asked:
        assert list(subspace) == sorted(set(subspace))


def test_infinite_scores_are_never_extended():
    def score(subspaces):
        k = subspaces.shape[1]
        return np.full((len(subspaces), 1), np.inf if k == 3 else float(k))

    found = BeamSearch(max_dim=4, top_k=2).search(FunctionScore(score), 5, 1)[0]
    assert [f.subspace for f in found] == [(0,), (1,)]


def test_exactly_the_subspaces_of_algorithm_1_are_scored():
    scores, asked = Scores(7, 1, 1000), set()

    def score(subspace):
        asked.add(subspace)
        return scores.of(subspace, 0)

    naive.beam(score, 7, 5, width=3, top_k=2)
    BeamSearch(max_dim=5, width=3, top_k=2).search(scores, 7, 1)
    assert set(scores.asked) == asked


@pytest.mark.parametrize("tau", [np.inf, 1.5])
@pytest.mark.parametrize("score", [Scores, ScreenedScores])
@pytest.mark.parametrize("pairs", [1, 7, 60, 1000])
def test_levels_in_parts_give_the_same_and_show_even_progress(pairs, score, tau):
    # Scores with many ties, which smaller subspaces win, wherever they come.
    search = BeamSearch(max_dim=4, width=5, top_k=6, tau=tau)
    whole = [scored(found) for found in search.search(Scores(1, 3, 4), 9, 3)]
    seen = []
    search.set_params(pairs_at_once=pairs)
    in_parts = search.search(score(1, 3, 4), 9, 3, seen.append)
    assert [scored(found) for found in in_parts] == whole
    shares = [p.share for p in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    for level in range(1, 5):
        done = [p.done for p in seen if p.level == level]
        assert done == sorted(done)
        assert len({p.total for p in seen if p.level == level}) == 1
    if pairs < 1000:
        assert len({p.done for p in seen if p.level == 3}) > 2


@pytest.mark.parametrize("score", [WithFigures, ScreenedWithFigures])
@pytest.mark.parametrize("pairs", [7, 1000])
def test_aspects_have_the_figures_of_their_score(pairs, score):
    search = BeamSearch(max_dim=4, width=5, top_k=20, pairs_at_once=pairs)
    for found in search.search(score(1, 3, 50), 9, 3):
        assert {len(aspect.subspace) for aspect in found} >= {2, 3, 4}
        assert all(has_its_figures(aspect) for aspect in found)


def test_figures_that_the_score_does_not_know_are_not_a_number():
    [[best]] = BeamSearch(top_k=1).search(Scores(0, 1, 5), 4, 1)
    assert all(math.isnan(figure) for figure in (best.density, best.mean, best.std))


class FewestFirst(LevelScore):
    """The fewer attributes, the better; remembers which levels it was asked for the best of."""

    def __init__(self):
        self.asked = []

    def __call__(self, subspaces, tick=None):
        return subspaces.shape[1] + subspaces.sum(axis=1, keepdims=True) / 100

    def among_best(self, candidates, n_best, limits, n_parts=1, tick=None):
        self.asked.append((candidates.subspaces.shape[1], n_best, limits.tolist()))
        return super().among_best(candidates, n_best, limits, n_parts, tick)


def test_of_the_last_level_only_what_is_among_the_best_of_all_matters():
    score = FewestFirst()
    BeamSearch(max_dim=4, width=9, top_k=3).search(score, 5, 1)
    assert score.asked == [(3, 9, [np.inf]), (4, 3, [1.02])]  # 1.02: the third best, {2}
    BeamSearch(max_dim=4, width=9, top_k=3, tau=0.5).search(score, 5, 1)
    assert score.asked[-1] == (4, 3, [0.5])


@pytest.mark.parametrize("setting", [{"width": 0}, {"pairs_at_once": 0}])
def test_settings_that_make_no_sense_are_refused(setting):
    with pytest.raises(InvalidInputError, match="expected a whole number, 1 or more"):
        BeamSearch(**setting).search(Scores(0, 1, 5), 5, 1)
