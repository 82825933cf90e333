"""Counts of the level before spare work and change nothing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from pyod_aspects.density import SGrid
from pyod_aspects.scoring import LiftScore, known_counts
from pyod_aspects.scoring.known_counts import KnownCounts


@pytest.fixture(scope="module")
def density():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 6))
    X[:, 1] = X[:, 0] + 0.1 * X[:, 1]
    return SGrid().fit(X), X


def some_of(level, share, rng):
    """Some subspaces of a level, in any order."""
    every = np.array(list(combinations(range(6), level)))
    return rng.permutation(every)[: max(1, int(share * len(every)))]


@pytest.mark.parametrize("share", [1.0, 0.6])
@pytest.mark.parametrize("kept_bytes", [known_counts.KEPT_BYTES, 2000, 0])
def test_lifts_do_not_depend_on_what_was_scored_before(density, share, kept_bytes, monkeypatch):
    monkeypatch.setattr(known_counts, "KEPT_BYTES", kept_bytes)
    grid, X = density
    rng = np.random.default_rng(1)
    points = np.vstack([X[:3], [[9.0, -9.0, 0.0, 0.0, 0.0, 0.0]]])
    one_after_the_other = LiftScore(grid, points)
    for level in (1, 2, 3, 3, 4, 5, 3, 2):
        subspaces = some_of(level, share, rng)
        half = len(subspaces) // 2 or 1
        for part in (subspaces[:half], subspaces[half:]):
            if len(part):
                found = one_after_the_other.evaluate(part)
                alone = LiftScore(grid, points).evaluate(part)
                np.testing.assert_array_equal(found.scores, alone.scores)
                np.testing.assert_array_equal(found.guide, alone.guide)


def test_counts_that_are_kept_are_found_without_each_attribute():
    known = KnownCounts(n_features=5, size=2)
    known.add(0, np.array([[1, 2]]), np.array([[7, 70]], dtype=np.uint64))
    known.add(0, np.array([[0, 2], [0, 1]]), np.array([[5, 50], [4, 40]], dtype=np.uint64))
    found, counts = known.without_one(0, np.array([[0, 1, 2], [1, 2, 4]]))
    assert found.tolist() == [[True, True, True], [False, False, True]]
    assert counts[0].tolist() == [[7, 70], [5, 50], [4, 40]]
    assert counts[1, 2].tolist() == [7, 70]
    assert not known.without_one(1, np.array([[0, 1, 2]]))[0].any()


def test_subspaces_too_many_for_a_number_are_not_kept():
    known = KnownCounts(n_features=10**6, size=4)
    known.add(0, np.array([[0, 1, 2, 3]]), np.array([[7]], dtype=np.uint64))
    assert not known.without_one(0, np.array([[0, 1, 2, 3, 4]]))[0].any()
