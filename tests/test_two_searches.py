"""Searches on one fitted explainer, in several threads: none notices the others."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pyod_aspects import (
    Aspect,
    AspectExplainer,
    GBeam,
    KDEBeam,
    Miner,
    OAMiner,
    Progress,
    SGBeam,
)
from pyod_aspects.density import Density
from pyod_aspects.search import Search

LONG = 60.0
RNG = np.random.default_rng(0)
TALL = RNG.normal(size=(20_000, 9)) @ RNG.normal(size=(9, 9))
SHORT = TALL[:300, :7]
MANY, FEW = [3, 14, 15], [9, 26, 5]


class Distance(Density):
    """Minus the distance from the mean."""

    def _fit(self, values):
        self.values_ = values

    def density(self, subspace, points=None):
        columns = list(subspace)
        points = self.values_ if points is None else points
        return -np.abs(points[:, columns] - self.values_[:, columns].mean(axis=0)).sum(axis=1)


def depth(density, subspaces, points, tick=None):
    """Density minus the mean over all rows."""
    at_points, mean, _ = density.moments(subspaces, points, tick)
    return at_points - mean[:, None]


class Triples(Search):
    """All subspaces of three attributes."""

    def search(self, score, n_features, n_queries, progress=None):
        corners = np.indices((n_features,) * 3).reshape(3, -1).T
        triples = corners[(np.diff(corners, axis=1) > 0).all(axis=1)]

        def tick(done):
            progress(Progress(3, 3, done, len(triples), done))

        scores = score(triples, None if progress is None else tick)
        order = np.argsort(scores, axis=0, kind="stable")[:5]
        return [
            [Aspect(triples[i], score=scores[i, q]) for i in order[:, q]] for q in range(n_queries)
        ]


CASES = {
    "lift": (SGBeam(max_dim=4, width=20, top_k=5), TALL),
    "screened": (SGBeam(score="zscore", max_dim=4, width=20, top_k=5, screen=True), TALL),
    "not screened": (SGBeam(score="zscore", max_dim=4, width=20, top_k=5, screen=False), TALL),
    "gbeam": (GBeam(max_dim=4, width=20, top_k=5), TALL),
    "kdebeam": (KDEBeam(max_dim=4, width=10), SHORT),
    "oaminer": (OAMiner(max_dim=4), SHORT),
    "own parts": (Miner(Distance(), depth, Triples()), SHORT),
}


@pytest.fixture(params=CASES.values(), ids=CASES.keys())
def case(request):
    return request.param


def explainer_of(miner, X):
    return AspectExplainer.from_scores(np.abs(X).max(axis=1), miner).fit(X)


class CancelError(Exception):
    """Raised by a progress callback."""


def test_cancelling_a_search_leaves_another_as_if_it_were_alone(case):
    alone: list = []
    expected = explainer_of(*case).explain(rows=FEW, progress=alone.append)
    explainer = explainer_of(*case)
    first_is_inside, second_is_inside, cancelled = (threading.Event() for _ in range(3))
    of_first, of_second, seen = set(), set(), []

    def cancel(progress):
        of_first.add(threading.get_ident())
        if progress.level == 3 and progress.done:
            first_is_inside.set()
            assert second_is_inside.wait(LONG)
            raise CancelError

    def go_on(progress):
        of_second.add(threading.get_ident())
        seen.append(progress)
        if progress.level == 3 and progress.done and not second_is_inside.is_set():
            second_is_inside.set()
            assert cancelled.wait(LONG)

    def first():
        try:
            explainer.explain(rows=MANY, progress=cancel)
        except CancelError:
            cancelled.set()
        return threading.get_ident()

    def second():
        assert first_is_inside.wait(LONG)
        return threading.get_ident(), explainer.explain(rows=FEW, progress=go_on)

    with ThreadPoolExecutor(2) as threads:
        one, two = threads.submit(first), threads.submit(second)
        second_thread, explanation = two.result(2 * LONG)
        assert of_first == {one.result()}
    assert of_second == {second_thread}
    assert explanation == expected
    # Statistics of smaller subspaces were known from the first search. From level 3 on, every
    # report comes that comes to a search alone.
    assert [p for p in seen if p.level >= 3] == [p for p in alone if p.level >= 3]
    inside = [p for p in alone if p.level == 3 and p.done]
    assert len(inside) > 2  # more than one came after the other search was cancelled


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_searches_of_several_threads_have_their_own_results_and_reports(case, n_jobs):
    miner, X = case
    if "n_jobs" in miner.get_params():
        miner = type(miner)(**miner.get_params() | {"n_jobs": n_jobs, "max_dim": 3})
    questions = [[row] for row in (*MANY, *FEW)]
    expected = [explainer_of(miner, X).explain(rows=rows) for rows in questions]
    explainer = explainer_of(miner, X)

    def ask(rows):
        threads = set()
        explanation = explainer.explain(
            rows=rows, progress=lambda _: threads.add(threading.get_ident())
        )
        assert threads == {threading.get_ident()}
        return explanation

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as pool:
            for _ in range(5):
                assert list(pool.map(ask, questions)) == expected
    finally:
        sys.setswitchinterval(before)
