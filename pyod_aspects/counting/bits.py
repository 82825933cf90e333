"""Subspaces counted with pseudo-bins, those that sort rows alike together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from .._kernels.bitset import count_with_bits, sort_rows
from .._kernels.blocks import ROWS, WORDS
from .._util.subspaces import subspace_codes
from .._util.types import IntArray
from .coded import CodedTable

# Words for the pseudo-bins of one thread, at the most: 32 MB.
MOST_WORDS = 2**22


def count_by_bits(
    table: CodedTable,
    subspaces: IntArray,
    orders: IntArray,
    judged: npt.NDArray[np.int32],
    sequence: IntArray,
    sums: npt.NDArray[np.uint64],
    squares: npt.NDArray[np.uint64],
    counts: npt.NDArray[np.uint32],
) -> None:
    """Fill sums and squares of the counts for some subspaces.

    They are subspaces[sequence], those with the same order one after the other; orders[i] are the
    attributes to sort rows by for the i-th subspace, -1 for none. judged: the distinct rows to
    count for. counts: if not empty, gets the counts themselves, counts[subspace, judged row].
    """
    changes = np.flatnonzero(np.any(orders[sequence[1:]] != orders[sequence[:-1]], axis=1)) + 1
    for alike in np.split(sequence, changes):
        order = orders[alike[0]]
        order = order[order >= 0]
        rows = sort_rows(table.codes, table.sizes, table.row_of, judged, order)
        line = int(table.sizes[order[1]]) if order.size == 2 else 1  # keys with the same first code
        room = _most_blocks(rows[1], line, table.reach)
        others = subspaces[alike]
        others = others[~np.isin(others, order)].reshape(alike.size, -1)
        n_codes = table.sizes + table.reach
        for which, members in _batches(alike, others, n_codes, MOST_WORDS // (WORDS * room)):
            used = np.bincount(members.ravel(), minlength=n_codes.size) > 0
            attributes, places = np.flatnonzero(used), (used.cumsum() - 1)[members]
            codes = n_codes[attributes]
            # An odd number keeps the blocks of one code from falling into the same cache set.
            width = int(codes.sum()) | 1
            # Subspaces that differ in the last attribute only are a group.
            parents = places[:, :-1]
            same = np.cumprod(parents[1:] == parents[:-1], axis=1).sum(axis=1)
            firsts = np.append(0, np.flatnonzero(same < parents.shape[1]) + 1)
            its_sums, its_squares = np.empty((2, which.size), dtype=np.uint64)
            count_with_bits(
                table.by_row,
                table.weights,
                judged,
                table.reach,
                *rows,
                line,
                attributes,
                np.cumsum(codes) - codes,
                parents[firsts],
                np.append(0, same)[firsts],
                np.append(firsts, which.size),
                np.ascontiguousarray(places[:, -1]),
                _aligned(room * width * WORDS),
                _aligned(room * members.shape[1] * WORDS),
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
    which: IntArray, members: IntArray, n_codes: IntArray, most_codes: int
) -> Iterator[tuple[IntArray, IntArray]]:
    """Sort subspaces, and part them so that no part has attributes with more codes than that.

    Attributes that many subspaces have come first in each of them, so that most begin as the
    subspace before does. Each part has what the attributes of one subspace and the most frequent
    others allow.
    """
    uses = np.bincount(members.ravel(), minlength=n_codes.size)
    by_use = np.argsort(-uses, kind="stable")
    rank = np.empty_like(by_use)
    rank[by_use] = np.arange(by_use.size)
    ranks = np.sort(rank[members], axis=1)
    order = np.argsort(subspace_codes(ranks, n_codes.size), kind="stable")
    which, members = which[order], by_use[ranks[order]]
    while n_codes[uses > 0].sum() > most_codes and which.size > 1:
        uses[members[0]] = which.size + 1  # these first of all
        preferred = np.argsort(-uses, kind="stable")
        fits = n_codes[preferred].cumsum() <= most_codes
        fits[: members.shape[1]] = True
        taken = np.zeros(n_codes.size, dtype=bool)
        taken[preferred[fits]] = True
        inside = taken[members].all(axis=1)
        yield which[inside], members[inside]
        which, members = which[~inside], members[~inside]
        uses = np.bincount(members.ravel(), minlength=n_codes.size)
    if which.size:
        yield which, members


def _aligned(n: int) -> npt.NDArray[np.uint64]:
    """Room for n words, from the beginning of a line of the cache on, as blocks are one each."""
    words = np.empty(n + WORDS, dtype=np.uint64)
    first = -words.ctypes.data // 8 % WORDS
    return words[first : first + n]
