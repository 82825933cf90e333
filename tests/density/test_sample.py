"""The random order of rows that samples are the beginning of."""

from __future__ import annotations

import numpy as np
import pytest
from counting_cases import code_table
from numpy.testing import assert_array_equal

from pyod_aspects.density.sample import sample_parts, shuffle_rows
from pyod_aspects.engines.parts import ListParts


def test_the_sample_does_not_depend_on_the_order_of_rows_and_columns():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, [3, 5, 9, 4], size=(500, 4))
    rows, columns = rng.permutation(500), rng.permutation(4)
    plain, moved = code_table(codes), code_table(codes[rows][:, columns])
    first = plain.codes[:, shuffle_rows(plain)[:50]].T
    assert_array_equal(moved.codes[:, shuffle_rows(moved)[:50]].T, first[:, columns])


def test_equal_rows_are_drawn_as_often_as_they_occur():
    table = code_table(np.repeat([[0], [2], [4]], [9000, 900, 100], axis=0))
    rows = shuffle_rows(table)
    assert np.bincount(rows).tolist() == [9000, 900, 100]
    share = np.bincount(rows[:2000]) / 2000
    np.testing.assert_allclose(share, [0.9, 0.09, 0.01], atol=0.02)


def sorted_rows(codes):
    return codes[:, np.lexsort(codes)]


@pytest.mark.parametrize("n_parts", [1, 2, 9, 70, 600])
@pytest.mark.parametrize("kind", ["distinct", "few", "mixed", "equal", "gathered"])
def test_the_sample_of_parts_is_the_beginning_of_the_order(kind, n_parts):
    """However copies of rows are spread: over all parts, in one of them, over some."""
    rng = np.random.default_rng(n_parts)
    values = {
        "distinct": rng.permutation(1200),
        "few": rng.integers(0, 40, 1200),
        "mixed": np.minimum(rng.integers(0, 1200, 1200), rng.integers(0, 1200, 1200)) // 3,
        "equal": np.zeros(1200),
        "gathered": np.sort(rng.integers(0, 40, 1200)),
    }[kind].astype(np.int64)
    table = code_table(np.column_stack([2 * (values % 30), 2 * (values // 30)]))
    every = table.codes[:, table.row_of]
    begins = np.sort(rng.integers(0, 1200, n_parts - 1))
    parts = ListParts(np.split(every, begins, axis=1))
    order = shuffle_rows(table)
    for n in (1, 10, 150, 1199, 1200):
        got = sample_parts(parts, table.filled, n)
        assert_array_equal(sorted_rows(got), sorted_rows(table.codes[:, order[:n]]))


def test_rows_that_are_named_do_not_pile_up(monkeypatch):
    """The tree of parts keeps a few times the rows of the sample, not those times the parts."""
    from pyod_aspects.density import sample

    sizes = []
    put_together = sample._put_together

    def watched(one, two):
        both = put_together(one, two)
        if both.n_parts % 64 == 0:
            sizes.append(both.hashes.size)
        return both

    monkeypatch.setattr(sample, "_put_together", watched)
    values = np.arange(64_000)
    table = code_table(np.column_stack([2 * (values % 250), 2 * (values // 250)]))
    sample_parts(ListParts(np.split(table.codes, 256, axis=1)), table.filled, 64)
    assert sizes
    assert max(sizes) < 12 * 64
