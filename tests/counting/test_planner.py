"""What the planner bases its choice on: families, sort keys, estimates, and tuned numbers."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import pytest
from counting_cases import code_table, counter
from numpy.testing import assert_array_equal
from strategies import subspaces_of

import pyod_aspects
from pyod_aspects._kernels import tuned
from pyod_aspects.counting.cells import estimate_cells
from pyod_aspects.counting.families import group_by_parent
from pyod_aspects.counting.sort_keys import choose_sort_keys
from pyod_aspects.counting.strategy import Level
from pyod_aspects.density import SGrid


def subspaces_in(families):
    """The subspaces of families, sorted, in their order."""
    parents = np.repeat(families.parents, np.diff(families.starts), axis=0)
    return np.sort(np.column_stack([parents, families.children]), axis=1)


@pytest.mark.parametrize("factor", [1, 10**9])  # codes of parents then need more than 64 bits
def test_subspaces_share_the_parent_that_most_have(factor):
    subspaces = np.array([[0, 1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 9], [0, 2, 4, 9]]) * factor
    families = group_by_parent(subspaces, 10 * factor)
    assert_array_equal(subspaces_in(families), subspaces[families.order])
    assert [1 * factor, 2 * factor, 3 * factor] in families.parents.tolist()
    assert len(families.parents) == 2


def test_of_parents_that_as_many_share_the_one_without_the_highest_rank_is_taken():
    families = group_by_parent(np.array([[0, 1, 2]]), 3, ranks=np.array([0, 2, 1]))
    assert families.children.tolist() == [1]


def test_children_come_in_the_order_of_their_ranks():
    subspaces, ranks = np.array([[0, 5], [0, 1], [0, 3], [2, 3]]), np.array([0, 4, 1, 5, 2, 3])
    families = group_by_parent(subspaces, 6, ranks)
    assert families.children.tolist() == [5, 1, 3, 3]
    assert_array_equal(subspaces_in(families), subspaces[families.order])


def test_a_level_by_parent_has_each_subspace_once_with_its_child_last():
    codes = np.random.default_rng(0).integers(0, [9, 2, 30, 4, 12, 7], size=(500, 6))
    level = Level(code_table(codes), subspaces_of(6, 3))
    places, subspaces = level.by_parent
    assert sorted(places) == list(range(20))
    assert_array_equal(np.sort(subspaces, axis=1), level.subspaces[places])
    sizes = level.table.sizes[subspaces]
    assert (sizes[:, 0] < sizes[:, 1]).all()
    same = (subspaces[1:, :-1] == subspaces[:-1, :-1]).all(axis=1)
    assert (sizes[1:, 2] > sizes[:-1, 2])[same].all()
    assert len(np.unique(subspaces[:, :-1], axis=0)) == 1 + np.count_nonzero(~same)


def test_a_part_of_families_is_as_if_they_were_alone():
    families = group_by_parent(subspaces_of(6, 3), 6)
    parts = [families.part(0, 2), families.part(2, len(families.parents))]
    assert_array_equal(
        np.concatenate([subspaces_in(part) for part in parts]), subspaces_in(families)
    )
    assert [part.starts[0] for part in parts] == [0, 0]


@pytest.mark.parametrize("n_values", [10, 100, 3000])
def test_the_number_of_cells_is_estimated_within_a_factor_of_three(n_values):
    rng = np.random.default_rng(n_values)
    codes = np.minimum(rng.geometric(min(1.0, 8.0 / n_values), size=(40_000, 3)) - 1, n_values - 1)
    table = code_table(codes)
    for pair in ((0, 1), (0, 2)):
        n_cells = len(np.unique(codes[:, pair], axis=0))
        estimate = estimate_cells(table.rows, np.array([pair]))[0]
        assert n_cells / 3 < estimate < 3 * n_cells


def test_few_sort_keys_are_enough_for_all_subspaces():
    X = np.random.default_rng(0).normal(size=(20_000, 9))
    table, subspaces = SGrid(bins=30).fit(X).table_, subspaces_of(9, 5)
    keys, cost, _ = choose_sort_keys(table, subspaces, 20_000)
    assert 2 <= len(np.unique(keys, axis=0)) <= 12
    for key, subspace in zip(keys, subspaces, strict=True):
        assert set(key) <= {-1, *subspace}
    _, alone, _ = choose_sort_keys(table, subspaces[:1], 20_000)
    assert alone[0] > 2 * cost.mean()


def test_columns_with_long_tails_sort_rows_as_well_as_others():
    X = np.exp(2.0 * np.random.default_rng(0).normal(size=(20_000, 9)))
    table = SGrid().fit(X).table_
    keys, _, _ = choose_sort_keys(table, subspaces_of(9, 5), 20_000)
    assert table.sizes.min() ** 2 > 2 * 20_000  # most pairs of bins are empty
    assert (keys[:, 1] >= 0).mean() > 0.8  # by two columns
    assert len(np.unique(keys, axis=0)) < 10


def test_bits_of_columns_with_many_bins_are_known_to_cost_more():
    X, subspaces = np.random.default_rng(0).random((5000, 6)), subspaces_of(6, 3)
    few, many = (SGrid(bins=bins).fit(X).table_ for bins in (20, 3000))
    _, cost_of_few, words_of_few = choose_sort_keys(few, subspaces, 1)
    _, cost_of_many, words_of_many = choose_sort_keys(many, subspaces, 1)
    assert cost_of_many.mean() > 3 * cost_of_few.mean()
    assert words_of_many.min() > 3 * words_of_few.max()


def test_each_strategy_is_chosen_where_it_is_good():
    rng = np.random.default_rng(0)
    thin = SGrid().fit(rng.normal(size=(20_000, 8))).table_
    atoms = code_table(np.minimum(rng.geometric(0.3, size=(20_000, 8)), 60) - 1)
    chosen = {
        name: set(counter(table).plan(subspaces_of(8, size)).strategy.tolist())
        for name, table, size in (("pairs", thin, 2), ("thin", thin, 5), ("atoms", atoms, 4))
    }
    assert chosen["pairs"] == {0}
    assert 2 in chosen["thin"]
    assert 1 in chosen["atoms"]


def test_the_cost_does_not_depend_on_what_was_counted_before():
    X = np.random.default_rng(0).normal(size=(5000, 8))
    one, two = counter(SGrid().fit(X).table_), counter(SGrid().fit(X).table_)
    one.statistics(subspaces_of(8, 2))
    assert one.cost(subspaces_of(8, 4)) == two.cost(subspaces_of(8, 4))


def test_a_level_in_several_runs_is_counted_like_one(monkeypatch):
    codes = np.random.default_rng(0).integers(0, 5, size=(100, 7))
    whole = counter(code_table(codes)).statistics(subspaces_of(7, 3))
    monkeypatch.setattr(tuned, "PLANNED", 20)
    seen = []
    parts = counter(code_table(codes)).statistics(subspaces_of(7, 3), seen.append)
    assert_array_equal(parts, whole)
    assert seen == sorted(seen)
    assert seen[-1] == 35


class TestTunedNumbers:
    names = tuple(name for name in vars(tuned) if name.isupper())
    text = Path(tuned.__file__).read_text(encoding="utf-8")

    def test_all_are_positive_numbers(self):
        assert len(self.names) > 40
        assert all(getattr(tuned, name) > 0 for name in self.names)

    @pytest.mark.parametrize("name", names)
    def test_each_says_what_it_means_and_is_used(self, name):
        assert re.search(rf"^{name} = \S.*  # .{{8,}}$", self.text, re.M)
        package = Path(pyod_aspects.__file__).parent
        users = [*package.glob("_kernels/*.py"), *package.glob("counting/*.py")]
        code = "\n".join(p.read_text(encoding="utf-8") for p in users if p.name != "tuned.py")
        used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
        used |= {node.attr for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Attribute)}
        assert name in used
