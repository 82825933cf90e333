"""Counts at given points: the number of rows in a box of codes around each.

Boxes may reach a different number of bins in each column. Counts of the parts of a table, with the
same boxes, add up to those of the table.
"""

from __future__ import annotations

import numpy as np

from .._kernels import tuned
from .._kernels.arguments import Int32Array, WordArray
from .._kernels.points import count_near_points, load_points
from .._util.parallel import n_threads, run
from .._util.types import CodeArray, FloatArray, IntArray, Tick
from .table import CodedTable


def load_boxes(
    table: CodedTable,
    low: IntArray,
    high: IntArray,
    rows: IntArray | Int32Array | None = None,
) -> WordArray:
    """Rows with codes from low (q, d) to high (q, d), for each point and column, as bits.

    `rows` are the numbers of the distinct rows to load; by default all rows of the table.
    """
    return load_codes(table.rows.codes, low, high, table.row_of if rows is None else rows)


def load_codes(
    codes: CodeArray,
    low: IntArray,
    high: IntArray,
    rows: IntArray | Int32Array,
    attributes: IntArray | None = None,
) -> WordArray:
    """As `load_boxes`, for rows that are columns of codes (d, n).

    `attributes` are the columns of the table to load, by default all.
    """
    columns = np.arange(low.shape[1]) if attributes is None else attributes
    bits = np.empty((len(low), columns.size, -(-len(rows) // 64)), dtype=np.uint64)
    load_points(codes, columns, rows, np.maximum(low, 0), high, bits)
    return bits


def count_in_boxes(
    subspaces: IntArray, bits: WordArray, n_jobs: int | None = None, tick: Tick | None = None
) -> FloatArray:
    """Rows in the loaded boxes, in each of subspaces (m, k): (m, q)."""
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
