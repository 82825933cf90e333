"""Groups of subspaces counted with pseudo-bins, those that sort rows alike together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from .._kernels.bitset import count_with_bits, sort_rows
from .._kernels.blocks import ROWS, WORDS
from .._types import IntArray
from .coded import CodedTable
from .parents import Groups

# Words for the pseudo-bins of one thread, at the most: 24 MB.
MOST_WORDS = 3 * 2**20


def count_by_bits(
    table: CodedTable,
    groups: Groups,
    orders: IntArray,
    wanted: npt.NDArray[np.bool_],
    judged: npt.NDArray[np.int32],
    sequence: IntArray,
    sums: npt.NDArray[np.uint64],
    squares: npt.NDArray[np.uint64],
    counts: npt.NDArray[np.uint32],
) -> None:
    """Fill sums and squares of the counts for the wanted subspaces of some groups.

    The groups are `sequence`, those with the same order one after the other; orders[g] are the
    attributes to sort rows by for group g, -1 for none. judged: the distinct rows to count for.
    counts: if not empty, gets the counts themselves, counts[subspace, judged row].
    """
    changes = np.flatnonzero(np.any(orders[sequence[1:]] != orders[sequence[:-1]], axis=1)) + 1
    for alike in np.split(sequence, changes):
        order = orders[alike[0]]
        order = order[order >= 0]
        rows = sort_rows(table.codes, table.sizes, table.row_of, judged, order)
        line = int(table.sizes[order[1]]) if order.size == 2 else 1  # keys with the same first code
        room = _most_blocks(rows[1], line, table.reach)
        most_codes = MOST_WORDS // (WORDS * room)
        for group_of, which in _batches(table, groups, alike, wanted, most_codes):
            firsts = np.flatnonzero(np.diff(group_of, prepend=-1))
            others = groups.parents[group_of[firsts]]
            others = others[~np.isin(others, order)].reshape(firsts.size, -1)
            children = groups.children[which]
            attributes = np.union1d(others, children)
            n_codes = table.sizes[attributes] + table.reach
            # An odd number keeps the blocks of one code from falling into the same cache set.
            width = int(n_codes.sum()) | 1
            its_sums, its_squares = np.empty((2, which.size), dtype=np.uint64)
            count_with_bits(
                table.by_row,
                table.weights,
                judged,
                table.reach,
                *rows,
                line,
                attributes,
                np.cumsum(n_codes) - n_codes,
                np.searchsorted(attributes, others),
                _n_same(others),
                np.append(firsts, which.size),
                np.searchsorted(attributes, children),
                _aligned(room * width * WORDS),
                _aligned(room * (others.shape[1] + 1) * WORDS),
                room,
                its_sums,
                its_squares,
                which,
                counts,
            )
            sums[which], squares[which] = its_sums, its_squares


def _most_blocks(start: IntArray, line: int, reach: int) -> int:
    """Blocks in which the rows near a line of keys are, at the most."""
    x = np.arange((start.size - 1) // line)
    begin = start[np.maximum(x - reach, 0) * line] // ROWS
    end = -(-start[np.minimum(x + reach + 1, x.size) * line] // ROWS)
    return int((end - begin).max())


def _batches(
    table: CodedTable,
    groups: Groups,
    sequence: IntArray,
    wanted: npt.NDArray[np.bool_],
    most_codes: int,
) -> Iterator[tuple[IntArray, IntArray]]:
    """Cut the wanted subspaces of groups so that no part has bits of more codes than that.

    Yields the groups of a part's subspaces, and their places in the level.
    """
    size_of = np.diff(groups.starts)[sequence]
    group_of = np.repeat(sequence, size_of)
    which = np.arange(group_of.size) + np.repeat(
        groups.starts[sequence] - np.cumsum(size_of) + size_of, size_of
    )
    group_of, which = group_of[wanted[which]], which[wanted[which]]
    while which.size:
        members = np.column_stack([groups.parents[group_of], groups.children[which]])
        attributes, first = np.unique(members, return_index=True)
        codes = np.bincount(
            first // members.shape[1], table.sizes[attributes] + table.reach, which.size
        )
        n = max(1, int(np.searchsorted(codes.cumsum(), most_codes, side="right")))
        yield group_of[:n], which[:n]
        group_of, which = group_of[n:], which[n:]


def _n_same(others: IntArray) -> IntArray:
    """How many attributes of each group, from the first on, are those of the group before."""
    same = np.zeros(len(others), dtype=np.int64)
    same[1:] = np.cumprod(others[1:] == others[:-1], axis=1).sum(axis=1)
    return same


def _aligned(n: int) -> npt.NDArray[np.uint64]:
    """Room for n words, from the beginning of a line of the cache on, as blocks are one each."""
    words = np.empty(n + WORDS, dtype=np.uint64)
    first = -words.ctypes.data // 8 % WORDS
    return words[first : first + n]
