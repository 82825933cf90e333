"""Which of its attributes the rows are sorted by, for counting a subspace with pseudo-bins."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._kernels.blocks import ROWS, WORDS
from .._util.types import FloatArray, IntArray
from .bits import MOST_WORDS
from .coded import CodedTable
from .costs import CellCosts

# Nanoseconds: what a count costs, and each block that is read for it; what sorting and loading cost
# per row, for each attribute and each of its codes too, for each key, and once for all rows.
_COUNT = 5.0
_BLOCK = 1.0
_SORT = 15.0
_LOAD = 3.0
_CODE = 0.05
_KEY = 1.5
_ONCE = 2e5

# Words of bits that stay in the cache: 4 MB. Where they are five times as many, most looks are at
# others.
_NEAR_WORDS = 2**19

# Orders that are picked one after the other, each for as many subspaces as possible: how many at
# the most, and the rows for which one more pays.
_MOST_PICKED = 40
_ROWS_PICKED = 500

# Keys by which rows are sorted at the most: some bytes for each.
_MOST_KEYS = 2**21

# Codes up to this many are numbered with a table, more of them by sorting.
_MOST_COUNTED = 2**22


class Orders(NamedTuple):
    """For each subspace: attributes to sort rows by, -1 for none, and what comes of it.

    looks: blocks that are read to count for a row; load: nanoseconds for sorting the rows and
    loading their bits, shared by the subspaces with the same order; fits: is there room for the
    bits?
    """

    attributes: IntArray
    looks: FloatArray
    load: FloatArray
    fits: npt.NDArray[np.bool_]

    def cost(self, n_rows: int) -> FloatArray:
        """Nanoseconds for counting so many rows of each subspace."""
        return n_rows * (_COUNT + _BLOCK * self.looks) + self.load


def could_pay(table: CodedTable, cost: FloatArray) -> IntArray:
    """Places of the subspaces that might cost less than this with bits, in their order.

    However well these share what sorting and loading cost, each has its own part of it.
    """
    least = table.codes.shape[1] * (_COUNT + _BLOCK)
    load = table.n_rows * (_SORT + _LOAD) + _ONCE
    its, n_before = np.flatnonzero(cost > least), cost.size + 1
    while 0 < its.size < n_before:
        its, n_before = its[cost[its] > least + load / its.size], its.size
    return its


def choose_orders(
    table: CodedTable,
    subspaces: IntArray,
    share: FloatArray,
    most_near: FloatArray,
    costs: CellCosts | None,
    depth: int,
) -> Orders:
    """Choose what to sort rows by, no more than `depth` attributes.

    Sorting and loading cost as much as several subspaces, so that attributes that many subspaces
    have are preferred.
    """
    d, (m, k) = len(table.sizes), subspaces.shape
    if table.n_rows <= 2 * ROWS:
        depth = 0  # there is hardly anything to save
    sizes = range(min(depth, k - 1) + 1)
    places = [some for size in sizes for some in combinations(range(k), size)]
    one_of = np.zeros((len(places), m), dtype=np.int64)
    for i, some in enumerate(places):
        for place in some[::-1]:
            one_of[i] = one_of[i] * (d + 1) + subspaces[:, place] + 1
    distinct, which = _numbered(one_of)
    orders = np.column_stack([distinct % (d + 1), distinct // (d + 1)]) - 1
    # Lines of keys are short along the one with few rows near a bin.
    swapped = (orders[:, 1] >= 0) & (most_near[orders[:, 0]] > most_near[orders[:, 1]])
    orders[swapped] = orders[swapped, ::-1]
    n_keys = np.where(orders >= 0, table.sizes[orders], 1).prod(axis=1)
    looks, of_line = _blocks(table, orders, share, most_near, costs)
    looks[n_keys > _MOST_KEYS] = np.inf
    # What a subspace shares with others but for its last attribute is found once for all.
    looks *= np.where(k - (orders >= 0).sum(axis=1) > 1, 1.5, 1.0)

    codes = table.sizes + table.reach
    codes_of_one = codes[subspaces].mean()

    def load_of(shared: IntArray) -> FloatArray:
        """Nanoseconds for sorting and loading, for each of the subspaces that share an order."""
        n_attributes = np.minimum(d, k - 1 + shared)
        n_codes = codes_of_one * n_attributes
        return _load(table, n_attributes, n_codes, n_keys) / np.maximum(shared, 1e-9)

    n_picked = min(_MOST_PICKED, table.n_rows // _ROWS_PICKED)
    chosen = _best_for_all(which, table.n_rows * _BLOCK * looks, load_of, n_picked)
    # What all attributes of the subspaces with an order cost, each once.
    each = _numbered(chosen[:, None] * d + subspaces)[0]
    n_attributes = np.bincount(each // d, minlength=len(orders))
    n_codes = np.bincount(each // d, codes[each % d], len(orders))
    # Codes of most rows: in a column with long tails they are few.
    used = np.minimum(codes, (2 * table.reach + 1) / share)
    n_used = np.bincount(each // d, used[each % d], len(orders))
    far = np.clip((n_used * of_line * WORDS - _NEAR_WORDS) / (4.0 * _NEAR_WORDS), 0.0, 1.0)
    load = _load(table, n_attributes, n_codes, n_keys)
    load /= np.maximum(np.bincount(chosen, minlength=len(orders)), 1)
    looks *= 1.0 + 5.0 * far
    sorted_by = orders[chosen]
    loaded = codes[subspaces].sum(axis=1) - np.where(sorted_by >= 0, codes[sorted_by], 0).sum(
        axis=1
    )
    fits = loaded * of_line[chosen] * WORDS <= MOST_WORDS
    return Orders(sorted_by, looks[chosen], load[chosen], fits)


def _numbered(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Distinct codes in order, and which of them each one is."""
    most = int(codes.max()) + 1
    if most > _MOST_COUNTED:
        distinct, which = np.unique(codes, return_inverse=True)
        return distinct, which.reshape(codes.shape)
    there = np.zeros(most, dtype=bool)
    there[codes] = True
    return np.flatnonzero(there), (there.cumsum() - 1)[codes]


def _blocks(
    table: CodedTable,
    orders: IntArray,
    share: FloatArray,
    most_near: FloatArray,
    costs: CellCosts | None,
) -> tuple[FloatArray, FloatArray]:
    """Blocks of rows near a row, on average, and of rows near a line of keys, at the most."""
    n_blocks = -(-table.n_rows // ROWS)
    one, two = orders[:, 0] >= 0, orders[:, 1] >= 0
    near, of_line = np.full((2, len(orders)), float(n_blocks))
    near[one] = 1.0 + n_blocks * share[orders[one, 0]]
    both = share[orders[two]].prod(axis=1) if costs is None else costs.share_of(orders[two])
    near[two] = np.minimum(near[two], 0.8 * (2 * table.reach + 1) + n_blocks * both)
    near = np.minimum(near, n_blocks)
    of_line[one] = np.minimum(most_near[orders[one, 0]] // ROWS + 2, n_blocks)
    return near, of_line


def _load(
    table: CodedTable, n_attributes: IntArray, n_codes: FloatArray | IntArray, n_keys: IntArray
) -> FloatArray:
    """Nanoseconds for sorting the rows and loading the bits of some attributes."""
    per_row = _SORT + _LOAD * n_attributes + _CODE * n_codes
    return np.asarray(table.n_rows * per_row + _KEY * n_keys + _ONCE)


def _best_for_all(
    which: IntArray, cost: FloatArray, load_of: Callable[[IntArray], FloatArray], n_picked: int
) -> IntArray:
    """Choose one of the orders which[:, i] for each subspace i, so that few are enough for all.

    cost: of a subspace with each order, apart from what all with that order share.
    """
    shared = np.bincount(which.ravel(), minlength=cost.size)
    chosen = which[np.argmin((cost + load_of(shared))[which], axis=0), np.arange(which.shape[1])]
    left = np.ones(chosen.size, dtype=bool)
    for _ in range(n_picked):
        # The order with which those that are left cost least, on average.
        picked = int(np.argmin(cost + load_of(shared)))
        its = np.flatnonzero(np.any(which == picked, axis=0) & left)
        if its.size == 0:
            break
        chosen[its], left[its] = picked, False
        shared -= np.bincount(which[:, its].ravel(), minlength=cost.size)
    return np.asarray(chosen)
