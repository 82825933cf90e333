"""Counts at given points: how many rows lie in a box of codes around each."""

from __future__ import annotations

import numpy as np

from .._kernels import tuned
from .._kernels.arguments import WordArray
from .._kernels.points import count_near_points, load_points
from .._util.parallel import n_threads, run
from .._util.types import FloatArray, IntArray, Tick
from .table import CodedTable


def load_boxes(table: CodedTable, low: IntArray, high: IntArray) -> WordArray:
    """Rows with codes from low (q, d) to high (q, d), for each point and column, as bits."""
    bits = np.empty((*low.shape, table.n_words), dtype=np.uint64)
    load_points(table.codes, table.row_of, np.maximum(low, 0), high, bits)
    return bits


def count_in_boxes(
    subspaces: IntArray, bits: WordArray, n_jobs: int | None = None, tick: Tick | None = None
) -> FloatArray:
    """Rows in the boxes that were loaded, in each of subspaces (m, k): (m, q).

    Counts of the parts of a table, loaded with the same boxes, add up to those of the table.
    """
    counts = np.empty((len(subspaces), len(bits)))
    words = max(1, bits[:, 0].size)
    share = -(-len(subspaces) // (tuned.POINT_PIECES * n_threads(n_jobs)))
    most, least = tuned.POINT_PIECE // words, tuned.POINT_LEAST_PIECE // words
    step = max(1, min(most, max(share, least)))

    def count(begin: int) -> int:
        part = counts[begin : begin + step]
        count_near_points(bits, subspaces[begin : begin + step], part)
        return len(part)

    run(count, ((begin,) for begin in range(0, len(subspaces), step)), n_jobs, tick)
    return counts
