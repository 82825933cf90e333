"""What a search sees of a score, and scores of some attributes only."""

from __future__ import annotations

import numpy as np
import pytest
from level_scores import LimitedScores, Scores, ScreenedScores, WithFigures

from pyod_aspects.density import SGrid
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.scoring import BoundScore, Candidates, zscore
from pyod_aspects.scoring.base import check_score

TRIPLES = np.array([(0, 1, 2), (0, 2, 3), (1, 2, 4), (2, 3, 4)])
PAIRS = Candidates(TRIPLES, query=np.array([0, 1, 1, 0, 1]), place=np.array([0, 0, 1, 2, 3]))
ATTRIBUTES = np.array([1, 4, 5, 7, 9])


def test_without_a_quicker_way_the_best_pairs_are_scored_with_all_others():
    score = Scores(3, 2, 1000)
    got = score.among_best(PAIRS, n_best=1, limits=np.array([0.0, 0.0]))
    want = [score.of(TRIPLES[i], q) for q, i in zip(PAIRS.query, PAIRS.place, strict=True)]
    assert got.scores.tolist() == want


def test_pairs_have_the_figures_of_their_subspace_and_query():
    score = WithFigures(3, 2, 1000)
    got, level = score.among_best(PAIRS, 1, np.array([0.0, 0.0])), score.evaluate(TRIPLES)
    np.testing.assert_array_equal(got.density, level.density[PAIRS.place, PAIRS.query])
    np.testing.assert_array_equal((got.mean, got.std), (level.mean, level.std))


def test_scores_of_pairs_tick_even_if_the_score_does_not():
    ticks = []
    Scores(3, 2, 1000).among_best(PAIRS, 1, np.array([0.0, 0.0]), tick=ticks.append)
    assert ticks == [4]


@pytest.mark.parametrize("kind", [Scores, ScreenedScores, LimitedScores, WithFigures])
def test_a_restricted_score_is_that_of_the_attributes_by_their_own_numbers(kind):
    score = kind(5, 2, 1000)
    some = score.restricted(ATTRIBUTES)
    np.testing.assert_array_equal(some(TRIPLES), score(ATTRIBUTES[TRIPLES]))
    limits = np.array([[500.0, 300.0]] * 4)
    whole = PAIRS._replace(subspaces=ATTRIBUTES[TRIPLES])
    for got, want in (
        (some.evaluate(TRIPLES), score.evaluate(whole.subspaces)),
        (some.at_most(TRIPLES, limits), score.at_most(whole.subspaces, limits)),
        (some.among_best(PAIRS, 1, limits[0]), score.among_best(whole, 1, limits[0])),
    ):
        for of_some, of_all in zip(got, want, strict=True):
            np.testing.assert_array_equal(of_some, of_all)


def test_a_bound_score_asks_the_function_with_its_density_and_queries():
    X = np.random.default_rng(0).normal(size=(60, 5))
    density, ticks = SGrid().fit(X), []
    got = BoundScore(zscore, density, X[:3])(TRIPLES, ticks.append)
    np.testing.assert_array_equal(got, zscore(density, TRIPLES, X[:3]))
    assert ticks[-1] == len(TRIPLES)


@pytest.mark.parametrize("score", [len, lambda density, subspaces, points: 0])
def test_a_score_that_cannot_be_asked_is_refused(score):
    with pytest.raises(InvalidInputError, match=r"\(density, subspaces, points, tick=None\)"):
        check_score(score)
