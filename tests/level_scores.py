"""Scores for searches: reproducible, with many ties, and without any density."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from pyod_aspects.scoring import Evaluation, LevelScore


class Scores(LevelScore):
    """Whole numbers for several queries; remembers what it was asked."""

    def __init__(self, seed, n_queries, values):
        self.seed, self.n_queries, self.values = seed, n_queries, values
        self.asked = []

    def of(self, subspace, query):
        state = np.random.default_rng([self.seed, query, *subspace])
        return float(state.integers(1, self.values + 1))

    def __call__(self, subspaces, tick=None):
        self.asked += [tuple(s) for s in subspaces.tolist()]
        return np.array(
            [[self.of(s, q) for q in range(self.n_queries)] for s in subspaces.tolist()]
        ).reshape(len(subspaces), self.n_queries)


class ScreenedScores(Scores):
    """As `Scores`, but scores of pairs are infinite unless they have to be exact."""

    def among_best(self, candidates, n_best, limits, n_parts=1, tick=None):
        evaluation = super().among_best(candidates, n_best, limits, n_parts, tick)
        scores, exact = evaluation.scores, np.full(len(candidates.place), np.inf)
        for q, limit in enumerate(limits):
            pairs = np.flatnonzero((candidates.query == q) & (scores <= limit))
            pairs = pairs[np.argsort(scores[pairs], kind="stable")][:n_best]
            exact[pairs] = scores[pairs]
        return evaluation._replace(scores=exact)


class LimitedScores(Scores):
    """As `Scores`, but wrong above the limits."""

    def at_most(self, subspaces, limits, tick=None):
        evaluation = super().at_most(subspaces, limits, tick)
        exact = evaluation.scores
        wrong = np.maximum(limits, exact) + 0.5
        return evaluation._replace(scores=np.where(exact <= limits, exact, wrong))


class WithFigures(Scores):
    """As `Scores`, with figures that follow from score and subspace; see `has_its_figures`."""

    def evaluate(self, subspaces, tick=None):
        scores = self(subspaces, tick)
        return Evaluation(scores, 10 * scores, subspaces.sum(axis=1), subspaces[:, 0])


class ScreenedWithFigures(ScreenedScores, WithFigures):
    pass


def has_its_figures(aspect):
    """Whether an aspect found with `WithFigures` has the figures of its own subspace and query."""
    figures = (aspect.density, aspect.mean, aspect.std)
    return figures == (10 * aspect.score, sum(aspect.subspace), aspect.subspace[0])


def any_scores():
    return st.builds(
        Scores,
        st.integers(0, 10**6),
        n_queries=st.integers(1, 3),
        values=st.sampled_from([2, 5, 1000]),
    )


def scored(aspects):
    """Subspaces with their scores, as `naive` has them."""
    return [(aspect.subspace, aspect.score) for aspect in aspects]
