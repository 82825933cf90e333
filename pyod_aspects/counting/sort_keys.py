"""What rows are sorted by, for counting subspaces with bits.

Rows near each other in the attributes of the key then stand in few blocks. Sorting and loading
cost as much as counting several subspaces, so that few keys serve them all.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._kernels import tuned
from .._kernels.blocks import ROWS, WORDS
from .._util.subspaces import number_codes
from .._util.types import FloatArray, IntArray
from .table import CodedTable


class SortKeys(NamedTuple):
    """The key of each subspace, and the cost that follows from it.

    attributes (m, 2): -1 for none. blocks (m,): read to count for a row. load (m,): nanoseconds for
    sorting and loading, a share for each subspace with the same key. words (m,): of the buffer that
    the bits of the subspace need.
    """

    attributes: IntArray
    blocks: FloatArray
    load: FloatArray
    words: FloatArray

    def cost(self, n_rows: int) -> FloatArray:
        """Nanoseconds for counting so many rows of each subspace."""
        return n_rows * (tuned.BITS_COUNT + tuned.BITS_BLOCK * self.blocks) + self.load


def choose_sort_keys(table: CodedTable, subspaces: IntArray, most: int = 2) -> SortKeys:
    """Choose a key of at most `most` attributes for each of subspaces (m, k)."""
    n, d, (m, k) = table.n_rows, len(table.sizes), subspaces.shape
    if n <= tuned.BITS_FEW_ROWS:
        most = 0  # there is hardly anything to save
    keys, key_of = _candidates(table, subspaces, min(most, k - 1))
    n_values = np.where(keys >= 0, table.sizes[keys], 1).prod(axis=1)
    blocks, of_line = _blocks_near(table, keys)
    blocks[n_values > tuned.BITS_MAX_KEYS] = np.inf
    # Attributes that are neither in the key nor the last are intersected once for a family.
    blocks *= np.where(k - (keys >= 0).sum(axis=1) > 1, tuned.BITS_PARENT, 1.0)
    n_codes = (table.sizes + table.reach).astype(np.float64)

    def load(
        n_attributes: IntArray, n_loaded: FloatArray | IntArray, n_sharing: IntArray
    ) -> FloatArray:
        """Nanoseconds of sorting and loading for each of the subspaces that share a key."""
        per_row = tuned.BITS_SORT + tuned.BITS_LOAD * n_attributes + tuned.BITS_CODE * n_loaded
        total = n * per_row + tuned.BITS_KEY * n_values + tuned.BITS_ONCE
        return np.asarray(total / np.maximum(n_sharing, 1e-9))

    def guess_load(n_sharing: IntArray) -> FloatArray:
        n_attributes = np.minimum(d, k - 1 + n_sharing)
        return load(n_attributes, n_codes[subspaces].mean() * n_attributes, n_sharing)

    # Greedily: the key with which the subspaces that are left cost least takes all it can.
    reading = n * tuned.BITS_BLOCK * blocks
    sharing = np.bincount(key_of.ravel(), minlength=len(keys))
    chosen = key_of[np.argmin((reading + guess_load(sharing))[key_of], axis=0), np.arange(m)]
    left = np.ones(m, dtype=bool)
    for _ in range(min(tuned.BITS_PICKED, n // tuned.BITS_PICKED_ROWS)):
        picked = int(np.argmin(reading + guess_load(sharing)))
        takers = np.flatnonzero(np.any(key_of == picked, axis=0) & left)
        if takers.size == 0:
            break
        chosen[takers], left[takers] = picked, False
        sharing -= np.bincount(key_of[:, takers].ravel(), minlength=len(keys))

    # Now it is known which attributes are loaded with each key.
    key, attribute = np.divmod(number_codes(chosen[:, None] * d + subspaces)[0], d)
    n_loaded = np.bincount(key, n_codes[attribute], len(keys))
    used = np.minimum(n_codes, (2 * table.reach + 1) / table.near.share)  # few in long tails
    n_used = np.bincount(key, used[attribute], len(keys))
    beyond = n_used * of_line * WORDS / tuned.BITS_CACHED - 1.0
    blocks *= 1.0 + tuned.BITS_FAR * np.clip(beyond / tuned.BITS_SPREAD, 0.0, 1.0)
    loads = load(
        np.bincount(key, minlength=len(keys)), n_loaded, np.bincount(chosen, minlength=len(keys))
    )
    in_key = np.where(keys >= 0, n_codes[keys], 0).sum(axis=1)
    words = (n_codes[subspaces].sum(axis=1) - in_key[chosen]) * of_line[chosen] * WORDS
    return SortKeys(keys[chosen], blocks[chosen], loads[chosen], words)


def _candidates(
    table: CodedTable, subspaces: IntArray, most: int
) -> tuple[IntArray, npt.NDArray[np.int64]]:
    """All keys of up to `most` attributes of a subspace (n, 2); those of each subspace (c, m)."""
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
    """Blocks with rows near a row, on average, and with rows near a line, at the most."""
    n_blocks = -(-table.n_rows // ROWS)
    one, two = keys[:, 0] >= 0, keys[:, 1] >= 0
    near, of_line = np.full((2, len(keys)), float(n_blocks))
    near[one] = 1.0 + n_blocks * table.near.share[keys[one, 0]]
    if two.any():
        of_pair = n_blocks * table.share_of_pairs(*keys[two].T)
        near[two] = np.minimum(near[two], tuned.BITS_LINE * (2 * table.reach + 1) + of_pair)
    of_line[one] = np.minimum(table.near.most[keys[one, 0]] // ROWS + 2, n_blocks)
    return np.minimum(near, n_blocks), of_line
