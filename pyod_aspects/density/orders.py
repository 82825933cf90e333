"""Which attributes of each parent the rows are sorted by, for counting with pseudo-bins."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from .._kernels.blocks import ROWS, WORDS
from .._types import FloatArray, IntArray
from ..subspaces import small_codes, subspace_codes
from .bits import MOST_WORDS
from .coded import CodedTable
from .costs import CellCosts
from .parents import Groups

# Nanoseconds: what a subspace costs per row for each block near it, what sorting and loading cost
# per row, for each attribute too, and once for all rows.
_BLOCK = 1.0
_SORT = 20.0
_LOAD = 5.0
_ONCE = 2e5

# How often each parent may choose again, knowing what the others have chosen.
_ROUNDS = 3


class Orders(NamedTuple):
    """For each group: attributes to sort rows by, -1 for none; blocks of rows near a row then.

    load: nanoseconds per row and subspace for sorting rows and loading bits, if all groups with the
    same order share them; room: codes whose bits have room.
    """

    attributes: IntArray
    blocks: FloatArray
    load: FloatArray
    room: IntArray


def choose_orders(
    table: CodedTable,
    groups: Groups,
    share: FloatArray,
    most_near: FloatArray,
    costs: CellCosts | None,
    depth: int,
) -> Orders:
    """Choose what to sort rows by, no more than `depth` attributes.

    Sorting and loading cost as much as several subspaces, so that attributes that many parents
    have are preferred.
    """
    parents, size_of, d = groups.parents, np.diff(groups.starts), len(table.sizes)
    n_blocks = -(-table.n_rows // ROWS)
    g, p = parents.shape
    choices, blocks = [np.full((g, 2), -1)], [np.full(g, float(n_blocks))]
    for size in range(1, min(depth, p) + 1):
        for places in combinations(range(p), size):
            attributes = parents[:, places]
            if size == 2:  # lines of keys are short along the one with few rows near a bin
                swapped = np.diff(most_near[attributes], axis=1) < 0
                attributes = np.where(swapped, attributes[:, ::-1], attributes)
            near = 1.0 + n_blocks * share[attributes[:, 0]]
            if size == 2:
                both = share[attributes].prod(axis=1)
                if costs is not None:
                    both = costs.share_of(attributes)
                near = np.minimum(near, 0.8 * (2 * table.reach + 1) + n_blocks * both)
            near = np.minimum(near, n_blocks)
            # No more keys than rows.
            near[table.sizes[attributes].prod(axis=1) > max(table.n_rows, 1024)] = np.inf
            choices.append(np.full((g, 2), -1))
            choices[-1][:, :size] = attributes
            blocks.append(near)
    which = small_codes(subspace_codes(np.vstack(choices) + 1, d + 1)).reshape(-1, g)
    shared = np.bincount(which.ravel(), np.tile(size_of, len(which)))[which]
    near, mine = np.array(blocks), np.arange(g)
    for _ in range(_ROUNDS):
        load = (_SORT + _LOAD * np.minimum(d, p + shared) + _ONCE / table.n_rows) / shared
        best = np.argmin(_BLOCK * near + load, axis=0)
        chosen = which[best, mine]
        shared = np.bincount(chosen, size_of, which.max() + 1)[which] + size_of * (which != chosen)
    orders = np.array(choices)[best, mine]
    of_line = np.minimum(most_near[orders[:, 0]] // ROWS + 2, n_blocks)
    of_line[orders[:, 0] < 0] = n_blocks
    room = (MOST_WORDS // (WORDS * of_line)).astype(np.int64)
    return Orders(orders, near[best, mine], load[best, mine], room)
