"""Reference rows: drawn once, searched once, and what follows from their strength."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from explanation_cases import aspect, explanation, query
from hypothesis import given
from hypothesis import strategies as st
from pyod.models.ecod import ECOD
from scipy.stats import kstest

from pyod_aspects import AspectExplainer, GBeam, KDEBeam, OAMiner, Progress, SGBeam
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.explanation.judging.significance import benjamini_hochberg
from pyod_aspects.miners.reference import (
    FEWEST,
    MANY,
    MOST,
    ReferenceRows,
    check_n_reference,
    with_p_values,
)
from pyod_aspects.search import Aspect
from pyod_aspects.tables import read_table

N = 100


class FirstValue:
    """A miner whose best score is the first value of a row; of a negative one there is none."""

    def __init__(self, seconds=1e-3):
        self.asked: list[list[float]] = []
        self._seconds = seconds

    def seconds(self):
        return self._seconds

    def mine(self, points, progress=None, new_rows=None):
        assert new_rows is False, "reference rows are fitted rows"
        scores = points.values[:, 0].tolist()
        if progress is not None:
            progress(Progress(1, 1, 1, 1, 0, len(scores), len(scores)))
        self.asked.append(scores)
        return [[] if s < 0 else [Aspect((0,), score=s), Aspect((1,), score=s + 1)] for s in scores]

    @property
    def n_asked(self):
        return sum(map(len, self.asked))


def reference_of(values, random_state=0, **settings):
    """Reference rows of a table with these first values."""
    table = read_table(np.column_stack([values, np.arange(len(values), dtype=float)]))
    return ReferenceRows(FirstValue(**settings), table, random_state)


def normal(n=N, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def explainer_of(X, miner=None, **settings):
    scores = np.arange(len(X), dtype=float)
    return AspectExplainer.from_scores(scores, miner or SGBeam(max_dim=2), **settings).fit(X)


def count_mined(explainer, monkeypatch):
    """Returns a list that grows by the number of rows of each call of the miner."""
    mined: list[int] = []
    mine = explainer.miner_.mine

    def counting(points, *args, **kwargs):
        mined.append(len(points.values) if hasattr(points, "values") else len(points))
        return mine(points, *args, **kwargs)

    monkeypatch.setattr(explainer.miner_, "mine", counting)
    return mined


# How many rows


@pytest.mark.parametrize("n", ["auto", 0, 39, 40, 10_000, np.int64(39)])
def test_a_number_of_rows_from_39_on_is_accepted(n):
    check_n_reference(n)


@pytest.mark.parametrize("n", [38, 1, -1, 2.5, 39.0, True, False, "x", None, [39], np.array([39])])
def test_any_other_number_of_rows_is_refused_with_what_came(n):
    with pytest.raises(InvalidInputError) as error:
        AspectExplainer.from_scores(np.zeros(N), n_reference=n).fit(normal())
    assert str(error.value) == (
        f"n_reference={n!r}: expected 'auto', 0 for no p-values, or a number of rows from 39 on."
    )


def test_a_number_that_is_set_later_is_checked_before_the_search():
    explainer = explainer_of(normal())
    explainer.n_reference = 38
    with pytest.raises(InvalidInputError, match="n_reference=38"):
        explainer.explain()


@pytest.mark.parametrize(
    ("seconds", "n_queries", "size"),
    [
        (1e-4, 1, MOST),
        (5 / 60, 1, 60),
        (5 / FEWEST, 1, FEWEST),
        (5 / (FEWEST - 1), 1, 0),
        (10.0, 20, 2 * 20 + 0 if FEWEST <= 2 * 20 else 0),
        (10.0, 19, 0),
        (10.0, 499, 998),
        (1e-4, 11, 220),
        (10.0, 5_000, MANY),  # a large batch does not pay three times
        (5 / 1_500, 5_000, 1_500),
    ],
)
def test_auto_takes_five_seconds_or_twice_the_search(seconds, n_queries, size):
    # A little less, as 5 / 39 is rounded.
    reference = reference_of(np.zeros(5_000), seconds=seconds * (1 - 1e-9))
    assert reference.size("auto", n_queries) == size


@pytest.mark.parametrize(
    ("n_rows", "asked", "size"),
    [(39, 39, 0), (40, 39, 39), (40, 500, 39), (1_000, 500, 500), (1_000, 0, 0), (20, "auto", 0)],
)
def test_a_table_has_fewer_rows_than_asked_for(n_rows, asked, size):
    assert reference_of(np.zeros(n_rows)).size(asked, 1) == size


@pytest.mark.parametrize("miner", [SGBeam, GBeam, KDEBeam, OAMiner])
def test_auto_is_the_same_for_any_number_of_jobs(miner):
    X = normal(400, 12)
    sizes = {
        explainer_of(X, miner(n_jobs=n_jobs)).reference_.size("auto", 5) for n_jobs in (1, 1, 2, -1)
    }
    assert len(sizes) == 1


def test_a_saved_explainer_keeps_its_reference_rows(monkeypatch):
    explainer = AspectExplainer(ECOD().fit(normal()), SGBeam(max_dim=2), n_reference=50)
    first = explainer.fit(normal()).explain(normal(5, seed=1))
    saved = pickle.loads(pickle.dumps(explainer))
    mined = count_mined(saved, monkeypatch)
    again = saved.explain(normal(5, seed=1))
    assert mined == [5]
    assert again == first
    assert [q.p_value for q in again] == [q.p_value for q in first]


@pytest.mark.parametrize("settings", [{"n_reference": 0}, {"n_reference": "auto"}])
def test_without_enough_rows_there_is_no_p_value(settings):
    X = normal(N if settings["n_reference"] == 0 else FEWEST)
    found = explainer_of(X, **settings).explain(n_queries=2)
    assert found.n_reference == 0
    assert [q.p_value for q in found] == [None, None]
    assert all(a.p_value is None for q in found for a in q.aspects)
    with pytest.raises(InvalidInputError, match="has no p-values: fit the explainer with n_refere"):
        found.convincing()


def test_auto_knows_how_many_rows_are_explained(monkeypatch):
    explainer = explainer_of(normal())
    monkeypatch.setattr(explainer.miner_, "seconds", lambda: 10.0)
    assert explainer.explain(n_queries=19).n_reference == 0
    assert explainer.explain(n_queries=20).n_reference == 40


# The p-value


def test_p_is_the_share_of_rows_at_least_as_strong_the_row_itself_counted_once():
    values = np.arange(50.0)
    reference = reference_of(values)
    reference.search(49)
    drawn = values[reference.rows[:49]]
    [left_out] = set(values) - set(drawn)
    for score in (-1.0, 0.0, 3.0, 3.5, 100.0):
        stronger = sum(value <= score for value in drawn)
        assert reference.p_values([score], 49) == [(1 + stronger) / 50]
    for row in (0, 7, int(left_out)):
        others = [value for value in drawn if value != row]
        stronger = sum(value <= row for value in others)
        assert reference.p_values([values[row]], 49, row) == [(1 + stronger) / (1 + len(others))]
    assert min(reference.p_values([-1.0], 49)) == 1 / 50, "never 0"


def test_the_strongest_row_of_all_is_not_compared_with_itself():
    reference = reference_of(np.arange(50.0))
    reference.search(49)
    place = int(np.flatnonzero(reference.rows == 0)[0])
    assert place < 49, "it is a reference row"
    assert reference.p_values([0.0], 49, row=0) == [1 / 49]
    assert reference.p_values([0.0], 49) == [2 / 50]


def test_equally_strong_rows_count_against_a_row():
    reference = reference_of(np.zeros(50))
    reference.search(49)
    assert reference.p_values([0.0], 49, row=3) == [1.0]


def test_only_the_rows_asked_for_count_even_if_more_were_searched():
    reference, more = (reference_of(np.arange(float(N))) for _ in range(2))
    reference.search(40)
    more.search(90)
    assert more.p_values([20.0], 40) == reference.p_values([20.0], 40)
    assert more.p_values([20.0], 40) != more.p_values([20.0], 90)


def test_each_aspect_has_the_p_value_of_its_score_and_the_row_that_of_its_best():
    reference = reference_of(np.arange(50.0))
    reference.search(49)
    [found] = reference.miner.mine(reference.table.take(np.array([10])), new_rows=False)
    told, p_value = with_p_values(found, reference, 49, 10)
    assert [a.p_value for a in told] == reference.p_values([10.0, 11.0], 49, 10)
    assert p_value == told[0].p_value
    assert [a.subspace for a in told] == [a.subspace for a in found]


def test_a_row_without_aspects_has_a_p_value_of_one():
    reference = reference_of(np.where(np.arange(50) < 25, -1.0, np.arange(50.0)))
    reference.search(49)
    assert np.isinf(reference.best).sum() in (24, 25)
    assert with_p_values([], reference, 49, 0) == ((), 1.0)
    assert reference.p_values([1e300], 49)[0] < 1.0, "any aspect is stronger than none"


# The search


def test_rows_are_searched_once_and_more_only_where_more_are_asked_for():
    reference = reference_of(np.arange(float(N)))
    reference.search(40)
    assert reference.miner.n_asked == 40
    first = reference.best.copy()
    reference.search(40)
    reference.search(10)
    assert reference.miner.n_asked == 40
    reference.search(70)
    assert reference.miner.n_asked == reference.best.size == 70
    np.testing.assert_array_equal(reference.best[:40], first)
    asked = [value for call in reference.miner.asked for value in call]
    assert asked == reference.rows[:70].tolist()
    assert len(set(asked)) == 70, "no row twice"


@pytest.mark.parametrize("seed", [0, 1, np.random.RandomState(3)])
def test_rows_are_drawn_by_the_seed(seed):
    again = np.random.RandomState(3) if isinstance(seed, np.random.RandomState) else seed
    one, same = (reference_of(np.zeros(N), random_state=s).rows for s in (seed, again))
    np.testing.assert_array_equal(one, same)
    assert sorted(one) == list(range(N))
    assert (one != reference_of(np.zeros(N), random_state=7).rows).any()


def test_an_interrupted_search_keeps_what_was_found_and_goes_on():
    reference = reference_of(np.arange(float(N)))

    def interrupt(progress):
        if progress.rows_done >= 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reference.search(90, interrupt)
    kept = reference.best.copy()
    assert 0 < kept.size < 90
    asked = reference.miner.n_asked
    assert asked == kept.size
    reference.search(90)
    assert reference.miner.n_asked == 90
    np.testing.assert_array_equal(reference.best[: kept.size], kept)
    whole = reference_of(np.arange(float(N)))
    whole.search(90)
    np.testing.assert_array_equal(reference.best, whole.best)


def test_progress_counts_the_rows_that_are_missing():
    reference = reference_of(np.arange(float(N)))
    reference.search(30)
    seen: list[Progress] = []
    reference.search(90, seen.append)
    assert {p.n_rows for p in seen} == {60}
    done = [p.rows_done for p in seen]
    assert done == sorted(done)
    assert done[0] >= 0
    assert done[-1] <= 60


# Within the explainer


@pytest.mark.parametrize("miner", [SGBeam, GBeam, KDEBeam, OAMiner])
def test_the_same_seed_gives_the_same_p_whatever_the_number_of_jobs(miner):
    X = normal(150, 4)
    one, two = (
        explainer_of(X, miner(max_dim=2, n_jobs=n), n_reference=60).explain(n_queries=4)
        for n in (1, 2)
    )
    assert [q.p_value for q in one] == [q.p_value for q in two]
    assert [[a.p_value for a in q.aspects] for q in one] == [
        [a.p_value for a in q.aspects] for q in two
    ]
    other = explainer_of(X, miner(max_dim=2), n_reference=60, random_state=1)
    assert (other.reference_.rows != explainer_of(X, miner(max_dim=2)).reference_.rows).any()


def test_an_explainer_searches_its_reference_once_and_extends_it(monkeypatch):
    explainer = explainer_of(normal(), n_reference=50)
    mined = count_mined(explainer, monkeypatch)
    first = explainer.explain(n_queries=3)
    assert sum(mined) == 53
    again = explainer.explain(n_queries=3)
    assert sum(mined) == 56
    assert [q.p_value for q in first] == [q.p_value for q in again]
    explainer.n_reference = 80
    assert explainer.explain(n_queries=3).n_reference == 80
    assert sum(mined) == 56 + 3 + 30
    *_, last = explainer.iter_explain(n_queries=3)
    assert sum(mined) == 56 + 3 + 30 + 3
    assert last.n_reference == 80
    explainer.fit(normal(seed=1))
    assert explainer.reference_.best.size == 0, "another table, another reference"


def test_an_interrupted_explanation_goes_on_with_the_rows_that_are_missing(monkeypatch):
    explainer = explainer_of(normal(), n_reference=90)

    def interrupt(progress):
        if progress.rows_done >= 60:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explainer.explain(n_queries=2, progress=interrupt)
    found = explainer.reference_.best.size
    assert 0 < found < 90
    mined = count_mined(explainer, monkeypatch)
    after = explainer.explain(n_queries=2)
    assert sum(mined) == 2 + 90 - found
    whole = explainer_of(normal(), n_reference=90).explain(n_queries=2)
    assert [q.p_value for q in after] == [q.p_value for q in whole]


def test_a_fitted_row_is_left_out_of_its_own_comparison_and_a_new_row_meets_all():
    X = normal(60)
    X[7] = 30.0
    explainer = AspectExplainer(ECOD().fit(X), SGBeam(max_dim=2), n_reference=59).fit(X)
    assert 7 in explainer.reference_.rows[:59]
    [fitted] = explainer.explain(rows=[7])
    assert fitted.p_value == 1 / 59
    [new] = explainer.explain(X[[7]])
    best = explainer.reference_.best
    assert best.size == 59
    assert new.p_value == (1 + (best <= new.aspects[0].score).sum()) / 60
    assert new.p_value == 2 / 60, "row 7, which it equals, is as strong"


def test_another_miner_has_a_reference_of_its_own():
    explainer = explainer_of(normal(), n_reference=50)
    explainer.explain(n_queries=1)
    before = explainer.reference_
    other = explainer.with_miner(GBeam(max_dim=2))
    assert other.reference_ is not before
    assert explainer.reference_ is before
    assert other.reference_.best.size == 0
    np.testing.assert_array_equal(other.reference_.rows, before.rows)
    fresh = explainer_of(normal(), GBeam(max_dim=2), n_reference=50)
    assert [q.p_value for q in other.explain(n_queries=3)] == [
        q.p_value for q in fresh.explain(n_queries=3)
    ]


@pytest.mark.parametrize(
    "miner", [SGBeam(max_dim=2), SGBeam(max_dim=2, score="zscore"), GBeam(max_dim=2)]
)
def test_p_values_of_ordinary_rows_are_not_too_small(miner):
    p = []
    for seed in range(25):
        explainer = explainer_of(normal(80, 3, seed), miner, n_reference=60)
        rows = np.random.default_rng(1_000 + seed).choice(80, 8, replace=False)
        p += [q.p_value for q in explainer.explain(rows=rows.tolist())]
    assert kstest(p, "uniform", alternative="greater").pvalue > 0.01
    assert np.mean(p) < 0.6, "nor much too large"


# What is convincing


def slow_benjamini_hochberg(p_values, alpha):
    """The greatest k with the k-th smallest p-value at most k alpha / m, as it is defined."""
    m = len(p_values)
    good = [k for k in range(1, m + 1) if sorted(p_values)[k - 1] <= k * alpha / m]
    return sorted(p_values)[max(good) - 1] if good else 0.0


@given(
    st.lists(st.integers(1, 200).map(lambda k: k / 201), max_size=30),
    st.floats(0.001, 0.5),
)
def test_benjamini_hochberg_is_the_definition(p_values, alpha):
    limit = benjamini_hochberg(p_values, alpha)
    assert math.isclose(limit, slow_benjamini_hochberg(p_values, alpha), rel_tol=1e-12)


def test_a_later_small_p_value_rescues_earlier_ones():
    assert benjamini_hochberg([0.04, 0.04], 0.05) == 0.04
    assert benjamini_hochberg([0.04, 0.06], 0.05) == 0.0
    assert benjamini_hochberg([], 0.05) == 0.0
    assert benjamini_hochberg([0.05], 0.05) == 0.05


def test_convincing_keeps_the_aspects_up_to_the_limit():
    def row(number, *p_values):
        aspects = [replace(aspect(i), p_value=p) for i, p in enumerate(p_values)]
        return replace(query(number, *aspects), p_value=p_values[0])

    made = explanation(row(1, 0.01, 0.02, 0.3), row(2, 0.02), row(3, 0.9), n_reference=200)
    kept = made.convincing(0.05)
    assert [len(q.aspects) for q in kept] == [2, 1, 0]
    assert [len(q.aspects) for q in made] == [3, 1, 1], "the explanation stays as it is"
    assert [q.p_value for q in kept] == [0.01, 0.02, 0.9]
    assert [len(q.aspects) for q in made.convincing(0.001)] == [0, 0, 0]


def test_convincing_refuses_where_one_row_has_no_p_value():
    made = explanation(replace(query(1, aspect(0)), p_value=0.01), query(2, aspect(0)))
    with pytest.raises(InvalidInputError, match="the explanation has no p-values"):
        made.convincing()


@pytest.mark.parametrize("random_state", [-1, "x", 2.5])
def test_a_random_state_that_is_none_is_refused_by_fit(random_state):
    explainer = AspectExplainer.from_scores(np.arange(50.0), random_state=random_state)
    with pytest.raises(InvalidInputError, match=r"random_state=.*expected a whole number"):
        explainer.fit(np.random.default_rng(0).normal(size=(50, 2)))


@pytest.mark.parametrize("alpha", [0.0, 1.0, "x"])
def test_a_level_that_is_none_is_refused(alpha):
    X = np.random.default_rng(0).normal(size=(60, 2))
    made = AspectExplainer.from_scores(np.arange(60.0), n_queries=2).fit(X).explain()
    with pytest.raises(InvalidInputError, match="expected a number between 0 and 1"):
        made.convincing(alpha)
