"""Depth-first search finds the minimal subspaces, on any score."""

from __future__ import annotations

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from level_scores import LimitedScores, Scores, WithFigures, has_its_figures, scored

from pyod_aspects.scoring import FunctionScore
from pyod_aspects.search import DepthFirstSearch


@pytest.mark.parametrize("kind", [Scores, LimitedScores])
@given(
    seed=st.integers(0, 10**6),
    values=st.sampled_from([3, 8, 1000]),
    n_queries=st.integers(1, 3),
    n_features=st.integers(1, 6),
    max_dim=st.integers(1, 6),
    top_k=st.integers(1, 12),
)
def test_depth_first_finds_the_minimal_subspaces(
    kind, seed, values, n_queries, n_features, max_dim, top_k
):
    score = kind(seed, n_queries, values)
    found = DepthFirstSearch(max_dim, top_k, best_possible=1.0).search(score, n_features, n_queries)
    for q in range(n_queries):
        want = naive.oaminer(lambda s, q=q: score.of(s, q), n_features, max_dim, top_k)
        assert scored(found[q]) == want


def test_aspects_have_the_figures_of_their_score():
    for found in DepthFirstSearch(max_dim=3).search(WithFigures(1, 3, 1000), 6, 3):
        assert len(found) > 3
        assert all(has_its_figures(aspect) for aspect in found)


def test_depth_first_is_pruned_below_a_subspace_that_ranks_first():
    asked = []

    def score(subspaces):
        asked.extend(map(tuple, subspaces.tolist()))
        return np.where((subspaces == 1).any(axis=1), 1.0, 5.0)[:, None]

    DepthFirstSearch(max_dim=3, best_possible=1.0).search(FunctionScore(score), 4, 1)
    assert (1,) in asked
    assert not [s for s in asked if 1 in s and len(s) > 1]


def test_progress_comes_while_the_children_of_a_subspace_are_scored():
    class Ticking(Scores):
        def __call__(self, subspaces, tick=None):
            for n in range(len(subspaces)):
                tick(n + 1)
            return super().__call__(subspaces)

    seen = []
    DepthFirstSearch(max_dim=2).search(Ticking(0, 1, 5), 6, 1, seen.append)
    assert [p.done for p in seen if p.level == 1] == [0, 1, 2, 3, 4, 5, 6]
    assert [p.scored for p in seen] == sorted(p.scored for p in seen)
