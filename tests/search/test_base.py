"""What all searches share: progress, interruption, settings, and one of your own."""

from __future__ import annotations

import pytest
from level_scores import Scores
from sklearn.base import clone

from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.search import BeamSearch, DepthFirstSearch, Search

SEARCHES = [BeamSearch, DepthFirstSearch]


@pytest.mark.parametrize("Search", SEARCHES)
def test_progress_ends_at_all_of_the_work_and_never_goes_back(Search):
    seen = []
    Search(max_dim=4).search(Scores(0, 2, 5), 7, 2, seen.append)
    assert seen[-1].done == seen[-1].total
    assert all(0 <= p.done <= p.total for p in seen)
    assert [p.scored for p in seen] == sorted(p.scored for p in seen)


@pytest.mark.parametrize("Search", SEARCHES)
def test_an_exception_in_progress_ends_the_search(Search):
    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Search().search(Scores(0, 1, 5), 5, 1, stop)


@pytest.mark.parametrize("Search", SEARCHES)
@pytest.mark.parametrize("setting", [{"max_dim": 0}, {"top_k": -1}, {"max_dim": 2.5}])
def test_settings_that_make_no_sense_are_refused(Search, setting):
    with pytest.raises(InvalidInputError, match="expected a whole number, 1 or more"):
        Search(**setting).search(Scores(0, 1, 5), 5, 1)


def test_a_search_of_your_own_is_cloned_with_its_settings_and_needs_no_check():
    class Nothing(Search):
        def __init__(self, patience=3):
            self.patience = patience

        def search(self, score, n_features, n_queries, progress=None):
            return [[] for _ in range(n_queries)]

    search = clone(Nothing(patience=5))
    search.check()
    assert search.patience == 5
