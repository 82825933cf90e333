"""The random order of rows that samples are the beginning of."""

from __future__ import annotations

import numpy as np
from counting_cases import code_table
from numpy.testing import assert_array_equal

from pyod_aspects.density.sample import shuffle_rows


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
