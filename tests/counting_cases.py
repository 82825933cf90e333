"""Coded tables and strategies for the tests of counting."""

from __future__ import annotations

import naive
import numpy as np

from pyod_aspects.counting.bits import BitStrategy
from pyod_aspects.counting.cells import CellStrategy
from pyod_aspects.counting.counter import LevelCounter
from pyod_aspects.counting.grid import GridStrategy
from pyod_aspects.counting.table import CodedTable

STRATEGIES = {
    "auto": None,
    "grid": [GridStrategy()],
    "cells": [CellStrategy()],
    "cells in bands": [CellStrategy(max_bytes=100)],
    "bits": [BitStrategy()],
    "bits in batches": [BitStrategy(max_words=2000)],
}
"""Every way of counting, by name; `auto` leaves the choice to the planner."""


def counter(table, strategy="auto", n_jobs=None):
    """What counts the levels of a table with one strategy."""
    return LevelCounter(table, n_jobs, STRATEGIES[strategy])


def code_table(codes, reach=1, **settings):
    """A table of codes (n_rows, n_columns), as wide as it has to be."""
    codes = np.asarray(codes)
    filled = [np.bincount(column).astype(np.int32) for column in codes.T]
    most = max(rows.size for rows in filled)
    dtype = np.uint16 if most <= 2**16 else np.uint32
    return CodedTable(np.ascontiguousarray(codes.T, dtype=dtype), filled, reach, **settings)


def near_counts(codes, subspace, reach=1):
    """Rows near every row, by comparing each with each."""
    some = np.asarray(codes, dtype=np.int64)[:, list(subspace)]
    near = np.ones((len(some), len(some)), dtype=bool)
    for column in some.T:
        near &= np.abs(column[:, None] - column) <= reach
    return near.sum(axis=1)


def expected(codes, subspace, reach=1):
    """Mean and standard deviation of the counts, from the definition."""
    return naive.grid_moments(near_counts(codes, subspace, reach).tolist())


def assert_exact(table, codes, subspaces, strategy, n_jobs=None):
    """Mean and deviation are those of the definition, to the last bit."""
    subspaces = np.asarray(subspaces)
    mean, std = counter(table, strategy, n_jobs).statistics(subspaces)
    for i, subspace in enumerate(subspaces):
        assert (mean[i], std[i]) == expected(codes, subspace, table.reach)
