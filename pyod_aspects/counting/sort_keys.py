"""Sort keys of rows, for counting subspaces with bits.

Rows near each other in the attributes of the key then stand in few blocks. Sorting and loading
cost as much as counting several subspaces. So the planner chooses few keys for all of them.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from .._kernels import tuned
from .._kernels.blocks import ROWS, WORDS
from .._util.subspaces import number_codes
from .._util.types import FloatArray, IntArray
from .table import CodedTable


def choose_sort_keys(
    table: CodedTable, subspaces: IntArray, n_counted: int, most: int = 2
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Choose a key of at most `most` attributes for each of subspaces (m, k).

    Returns the keys (m, 2), with -1 for no attribute, the cost and the words of bits of each
    subspace. The cost is the nanoseconds to count at n_counted rows, with a share of sorting and
    loading.
    """
    n, d, (m, k) = table.n_rows, len(table.sizes), subspaces.shape
    n_codes = (table.sizes + table.reach).astype(np.float64)
    keys, key_of = _candidates(table, subspaces, min(most, k - 1) if n > tuned.BITS_FEW_ROWS else 0)
    blocks, of_line = _blocks_near(table, keys)
    counting = n_counted * (tuned.BITS_COUNT + tuned.BITS_BLOCK * blocks)
    load = tuned.BITS_LOAD + tuned.BITS_CODE * n_codes[subspaces].mean()

    def cost(sharing: IntArray) -> FloatArray:
        """Nanoseconds of a subspace with each key, if `sharing` subspaces share it."""
        n_loaded = np.minimum(d, k - 1 + sharing)
        once = n * (tuned.BITS_SORT + load * n_loaded) + tuned.BITS_ONCE
        return np.asarray(counting + once / np.maximum(sharing, 1e-9))

    # Greedy: the key with the lowest cost for the remaining subspaces takes all it can.
    sharing = np.bincount(key_of.ravel(), minlength=len(keys))
    chosen, left = np.zeros(m, dtype=np.int64), np.arange(m)
    for _ in range(tuned.BITS_PICKED):
        if left.size:
            picked = np.argmin(cost(sharing))
            takes = (key_of[:, left] == picked).any(axis=0)
            chosen[left[takes]] = picked
            sharing -= np.bincount(key_of[:, left[takes]].ravel(), minlength=len(keys))
            left = left[~takes]
    of_left = key_of[:, left]
    chosen[left] = of_left[np.argmin(cost(sharing)[of_left], axis=0), np.arange(left.size)]
    in_key = np.where(keys >= 0, n_codes[keys], 0).sum(axis=1)
    words = (n_codes[subspaces].sum(axis=1) - in_key[chosen]) * of_line[chosen] * WORDS
    return keys[chosen], cost(np.bincount(chosen, minlength=len(keys)))[chosen], words


def _candidates(table: CodedTable, subspaces: IntArray, most: int) -> tuple[IntArray, IntArray]:
    """Keys of up to `most` attributes of a subspace (n, 2), and those of each subspace (c, m)."""
    d, (m, k) = len(table.sizes), subspaces.shape
    choices = [some for size in range(most + 1) for some in combinations(range(k), size)]
    codes = np.zeros((len(choices), m), dtype=np.int64)
    for i, some in enumerate(choices):
        for place in some[::-1]:
            codes[i] = codes[i] * (d + 1) + subspaces[:, place] + 1
    distinct, key_of = number_codes(codes)
    keys = np.column_stack([distinct % (d + 1), distinct // (d + 1)]) - 1
    # Lines of keys are short along the attribute with few rows near a bin.
    swap = (keys[:, 1] >= 0) & (table.near.most[keys[:, 0]] > table.near.most[keys[:, 1]])
    keys[swap] = keys[swap, ::-1]
    return keys, key_of


def _blocks_near(table: CodedTable, keys: IntArray) -> tuple[FloatArray, FloatArray]:
    """Mean number of blocks with rows near a row, and most blocks with rows near a line.

    The mean assumes unrelated columns. It is infinite if a key has too many values.
    """
    n_blocks, (one, two) = -(-table.n_rows // ROWS), keys.T >= 0
    share = np.where(keys >= 0, table.near.share[keys], 1.0).prod(axis=1)
    lines = np.where(two, tuned.BITS_LINE * (2 * table.reach + 1), one)
    near = np.minimum(lines + n_blocks * share, n_blocks)
    n_values = np.where(keys >= 0, table.sizes[keys], 1).prod(axis=1)
    near[n_values > tuned.BITS_MAX_KEYS] = np.inf
    of_line = np.where(one, np.minimum(table.near.most[keys[:, 0]] // ROWS + 2, n_blocks), n_blocks)
    return near, of_line
