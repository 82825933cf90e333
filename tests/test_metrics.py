"""Exact matches and matches: the paper's points, half points, and what earns none."""

from __future__ import annotations

from dataclasses import dataclass

import naive
import numpy as np
import pytest

from pyod_aspects.exceptions import AspectsError, InvalidInputError
from pyod_aspects.metrics import exact_matches, matches

# The paper's examples on the 10-dimensional set: true and found subspaces of five queries.
TRUTH = {
    220: [(2, 3, 4, 5)],
    315: [(0, 1), (6, 7)],
    323: [(8, 9)],
    577: [(2, 3, 4, 5)],
    723: [(2, 3, 4, 5)],
}
OAMINER = {
    220: [(4,), (2,), (3,)],
    315: [(6,), (4,), (3,), (7,), (0, 1)],
    323: [(6,), (2, 8, 9)],
    577: [(0,), (4,)],
    723: [(0,), (3,), (9,)],
}
BEAM = {
    220: [(2, 3, 4, 5)],
    315: [(0, 1), (6, 7)],
    323: [(8, 9)],
    577: [(6, 7), (2, 3, 4, 5)],
    723: [(2, 3, 4, 5)],
}
GBEAM = {
    220: [(7, 8, 6, 9), (3, 4, 5)],
    315: [(0, 1), (6, 7)],
    323: [(8, 9)],
    577: [(3, 4, 5)],
    723: [(2, 4)],
}

BOTH = pytest.mark.parametrize("metric", [exact_matches, matches])


@dataclass(frozen=True)
class Aspect:
    subspace: tuple[int, ...]
    score: float = -3.0


@dataclass(frozen=True)
class Query:
    row: int
    aspects: tuple[Aspect, ...]


class Explanation:
    """As much of an Explanation as the metrics look at."""

    def __init__(self, found):
        self.queries = [Query(row, tuple(map(Aspect, s))) for row, s in found.items()]

    def __iter__(self):
        return iter(self.queries)


@pytest.mark.parametrize(
    ("found", "exact", "any_match"),
    [(OAMINER, 0.5, 5.0), (BEAM, 5.0, 5.0), (GBEAM, 2.0, 5.0)],
    ids=["OAMiner", "Beam", "GBeam"],
)
def test_the_examples_of_the_paper_get_its_points(found, exact, any_match):
    assert exact_matches(found, TRUTH) == exact
    assert matches(found, TRUTH) == any_match


@pytest.mark.parametrize(
    ("found", "exact", "any_match"),
    [
        ([(1, 2, 3)], 1.0, 1.0),
        ([(2,)], 0.0, 1.0),
        ([(1, 3)], 0.0, 1.0),
        ([(0, 1, 2, 3)], 0.0, 1.0),
        ([(2, 3, 4)], 0.0, 0.0),
        ([(7, 8)], 0.0, 0.0),
        ([], 0.0, 0.0),
    ],
    ids=["equal", "one part", "two parts", "superset", "overlap", "elsewhere", "nothing found"],
)
def test_parts_and_supersets_match_but_overlaps_do_not(found, exact, any_match):
    truth = {0: [(1, 2, 3)]}
    assert exact_matches({0: found}, truth) == exact
    assert matches({0: found}, truth) == any_match


def test_each_of_two_true_subspaces_is_worth_half_a_point():
    truth = {4: [(0, 1), (2, 3)]}
    assert exact_matches({4: [(0, 1)]}, truth) == 0.5
    assert exact_matches({4: [(0, 1), (2, 3)]}, truth) == 1.0
    assert matches({4: [(0,), (0, 1)]}, truth) == 0.5
    assert exact_matches({4: [(0, 1), (2,)]}, truth) == 0.5
    assert matches({4: [(0, 1), (2,)]}, truth) == 1.0


def test_one_large_subspace_can_match_several_true_ones():
    assert matches({4: [(0, 1, 2, 3)]}, {4: [(0, 1), (2, 3)]}) == 1.0


def test_a_third_three_times_is_a_whole_point():
    truth = {row: [(0, 1), (2, 3), (4, 5)] for row in range(3)}
    assert exact_matches({row: [(0, 1)] for row in range(3)}, truth) == 1.0


def test_a_true_subspace_that_is_listed_twice_counts_once():
    assert exact_matches({0: [(0, 1)]}, {0: [(0, 1), (1, 0), (2, 3)]}) == 0.5


def test_a_subspace_that_is_found_twice_counts_once():
    assert exact_matches({0: [(0, 1), (1, 0)]}, {0: [(0, 1), (2, 3)]}) == 0.5


@BOTH
def test_only_the_best_ten_count_unless_told_otherwise(metric):
    found = {0: [(j,) for j in range(10, 19)] + [(0, 1)]}
    truth = {0: [(0, 1)]}
    assert metric(found, truth) == 1.0
    assert metric({0: [(19,), *found[0]]}, truth) == 0.0
    assert metric({0: [(19,), *found[0]]}, truth, top_k=11) == 1.0
    assert metric(found, truth, top_k=9) == 0.0
    assert metric(found, truth, top_k=np.int64(10)) == 1.0


@BOTH
def test_the_order_of_attributes_does_not_matter(metric):
    assert metric({0: [(5, 3, 4, 2)]}, {0: [(2, 3, 4, 5)]}) == 1.0
    assert metric({0: [(2, 3, 4, 5)]}, {0: [[4, 2, 5, 3]]}) == 1.0


@BOTH
def test_the_order_of_rows_and_of_true_subspaces_does_not_matter(metric):
    backwards = {row: TRUTH[row][::-1] for row in reversed(TRUTH)}
    assert metric(OAMINER, backwards) == metric(OAMINER, TRUTH)


@BOTH
def test_a_row_that_was_not_explained_gives_no_point(metric):
    assert metric({315: BEAM[315]}, TRUTH) == 1.0
    assert metric({}, TRUTH) == 0.0


@BOTH
def test_rows_without_truth_are_ignored(metric):
    assert metric({**BEAM, 1: [(0, 1)]}, TRUTH) == 5.0


@BOTH
def test_no_queries_give_no_points(metric):
    assert metric(BEAM, {}) == 0.0


@BOTH
@pytest.mark.parametrize("found", [OAMINER, BEAM, GBEAM, {}])
def test_an_explanation_counts_like_the_mapping_it_stands_for(metric, found):
    assert metric(Explanation(found), TRUTH) == metric(found, TRUTH)


@BOTH
def test_numpy_numbers_count_like_python_numbers(metric):
    found = {np.int64(315): [np.array([0, 1]), np.array([7, 6])]}
    assert metric(found, {315: [(0, 1), (6, 7)]}) == 1.0


@BOTH
def test_the_arguments_are_not_changed(metric):
    found, truth = {0: [[3, 1], [2]]}, {0: [[1, 3]]}
    metric(found, truth)
    assert (found, truth) == ({0: [[3, 1], [2]]}, {0: [[1, 3]]})


def test_points_are_those_of_the_definition():
    rng = np.random.default_rng(0)

    def some(count):
        return [tuple(rng.permutation(6)[: rng.integers(1, 6)].tolist()) for _ in range(count)]

    seen = set()
    for _ in range(300):
        # The definition divides by what is listed, so each true subspace is listed once.
        truth = {row: list({tuple(sorted(s)) for s in some(rng.integers(1, 4))}) for row in (0, 1)}
        found = {row: some(rng.integers(0, 6)) for row in (0, 1)}
        top = int(rng.integers(1, 6))
        exact, any_match = exact_matches(found, truth, top), matches(found, truth, top)
        assert exact == pytest.approx(
            sum(naive.exact_match(found[r], truth[r], top) for r in truth)
        )
        assert any_match == pytest.approx(sum(naive.match(found[r], truth[r], top) for r in truth))
        assert 0.0 <= exact <= any_match <= len(truth)
        seen.add((exact, any_match))
    assert len(seen) > 10, "the random cases are too much alike to prove anything"


@BOTH
def test_a_query_without_true_subspace_is_refused(metric):
    with pytest.raises(InvalidInputError, match=r"truth\[7\] is empty.*at least one.*Leave row 7"):
        metric({7: [(0,)]}, {7: []})


@BOTH
@pytest.mark.parametrize("top_k", [0, -1, 2.5, None, "ten"])
def test_top_k_is_a_whole_number_from_one_on(metric, top_k):
    with pytest.raises(InvalidInputError, match=f"top_k={top_k!r}: expected a whole number"):
        metric(BEAM, TRUTH, top_k=top_k)


@BOTH
def test_row_numbers_in_text_are_refused_rather_than_never_found(metric):
    with pytest.raises(InvalidInputError, match=r"truth has the row '315'.*JSON"):
        metric(BEAM, {"315": [(0, 1)]})
    with pytest.raises(InvalidInputError, match="found has the row '315'"):
        metric({"315": [(0, 1)]}, TRUTH)


@BOTH
def test_an_empty_subspace_is_refused_as_it_would_match_everything(metric):
    with pytest.raises(InvalidInputError, match=r"found\[0\] has an empty subspace"):
        metric({0: [()]}, {0: [(0, 1)]})
    with pytest.raises(InvalidInputError, match=r"truth\[0\] has an empty subspace"):
        metric({0: [(0, 1)]}, {0: [()]})


@BOTH
@pytest.mark.parametrize("subspaces", [(0, 1), "01", ["01"], [("a", "b")], [(0.5, 1)], 3])
def test_what_is_no_list_of_subspaces_is_refused(metric, subspaces):
    with pytest.raises(InvalidInputError, match=r"found\[0\].*expected"):
        metric({0: subspaces}, {0: [(0, 1)]})
    with pytest.raises(InvalidInputError, match=r"truth\[0\].*expected"):
        metric({0: [(0, 1)]}, {0: subspaces})


@BOTH
@pytest.mark.parametrize("found", [None, 3, [(0, 1)], "rows"])
def test_what_is_neither_mapping_nor_explanation_is_refused(metric, found):
    with pytest.raises(InvalidInputError, match="expected an Explanation or a mapping"):
        metric(found, TRUTH)


@BOTH
def test_an_explanation_that_has_a_row_twice_is_refused(metric):
    twice = Explanation({0: [(0, 1)]})
    twice.queries *= 2
    with pytest.raises(InvalidInputError, match="more than once"):
        metric(twice, {0: [(0, 1)]})


def test_errors_are_ours_and_also_value_errors():
    with pytest.raises(AspectsError):
        matches({}, {0: []})
    with pytest.raises(ValueError, match="empty"):
        matches({}, {0: []})
