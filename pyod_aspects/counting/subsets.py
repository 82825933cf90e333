"""Counts near one point, in subspaces and in each subspace without one attribute.

Lifts consist of these counts. Counts of the parts of a table, with the same boxes, add up to
those of the table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._kernels.arguments import Int32Array, WordArray
from .._kernels.lift import count_leaving_out
from .._util.types import CodeArray, IntArray, Mask
from .points import load_codes

CountArray = npt.NDArray[np.uint64]

# Rows whose bits are in memory at once.
_BLOCK = 65_536

# Bytes of bits at one reach above which the code counts pairs in groups that fit in the cache.
_CACHE_BYTES = 512 * 1024


class Asked(NamedTuple):
    """Subspaces to count around one point, at each of several reaches."""

    low: IntArray  # (n_reaches, n_features): first code near the point in each column
    high: IntArray  # the last one
    levels: dict[int, IntArray]  # subspaces (m, k) by their size k, at least two


def count_asked(
    codes: CodeArray, rows: Int32Array | IntArray | None, asked: Asked
) -> dict[int, CountArray]:
    """Count rows near a point, as `count_subsets` does, by the size of subspaces.

    Parameters
    ----------
    codes : ndarray of shape (d, n)
    rows : ndarray of int or None
        The rows to count, as columns of `codes`; all if None.
    asked : Asked

    Returns
    -------
    dict of int to ndarray of shape (m, n_reaches, 1 + k)
    """
    if not asked.levels:
        return {}
    used = np.unique(np.concatenate([level.ravel() for level in asked.levels.values()]))
    levels = {k: np.searchsorted(used, level) for k, level in asked.levels.items()}
    counts: dict[int, CountArray] = {
        k: np.zeros((len(level), len(asked.low), 1 + k), dtype=np.uint64)
        for k, level in levels.items()
    }
    every = np.arange(codes.shape[1], dtype=np.int32) if rows is None else rows
    for begin in range(0, every.size, _BLOCK):
        some = every[begin : begin + _BLOCK]
        bits = load_codes(codes, asked.low, asked.high, some, used)
        for k, level in levels.items():
            counts[k] += count_subsets(bits, level)
    return counts


def count_subsets(
    bits: WordArray,
    subspaces: IntArray,
    known: Mask | None = None,
    known_counts: npt.NDArray[np.integer] | None = None,
) -> CountArray:
    """Rows near one point in each of subspaces (m, k), k > 1, and without each attribute.

    Parameters
    ----------
    bits : ndarray of shape (n_reaches, d, n_words)
        Output of `load_codes` for boxes of several reaches around one point.
    subspaces : ndarray of shape (m, k)
    known, known_counts : optional
        Mask (m, k) of the counts without an attribute that are known, and these counts
        (m, k, n_reaches).

    Returns
    -------
    ndarray of shape (m, n_reaches, 1 + k)
        First the count in the whole subspace, then without the attribute at each place.
    """
    m, k = subspaces.shape
    counts = np.zeros((m, len(bits), 1 + k), dtype=np.uint64)
    wanted = np.ones((m, k), dtype=bool) if known is None else ~known
    if known_counts is not None:
        counts[:, :, 1:] = known_counts.transpose(0, 2, 1)
    order = np.arange(m)
    if k == 2 and bits[0].nbytes > _CACHE_BYTES:
        # Second attributes in groups that stay in the cache, while first ones vary.
        group = max(1, _CACHE_BYTES // 2 // bits[0, 0].nbytes)
        order = np.argsort(subspaces[:, 1] // group, kind="stable")
    count_leaving_out(bits, subspaces, order, wanted, counts)
    return counts
