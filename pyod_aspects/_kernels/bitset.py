"""Counting with sets of rows as bits: parent neighbourhood AND pseudo-bin, then popcount.

A pseudo-bin is the set of rows within reach of a bin (paper, Section 3). With rows sorted by one or
two attributes of the parent, the neighbours of a row lie in a few windows of the bits, and
only those are read: dozens of rows are settled by one word.

The bits lie word by word, for each word all codes of all attributes side by side. The windows
of a cell are copied together, code by code, and then serve all its rows and all children.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit, popcount
from .cells import cells_of

_ROWS = 256  # rows of a cell that are counted together
_LOCAL = 1 << 15  # words of copied windows: 256 KB, to stay in the second cache


@jit
def sort_rows(codes, sizes, reach, row_of, judged, attributes):
    """Sort rows by some attributes.

    Returns (rows, row_start, segment_of, first, last) as `cells_of` does for all rows of the table,
    rows being those of `codes`, and (place, start) for the judged rows, those whose neighbours
    are to be counted: their places in `judged` in the order of the cells, and where each cell's
    begin.
    """
    n = row_of.size
    expanded = np.empty((attributes.size, n), dtype=codes.dtype)
    for i in range(attributes.size):
        for r in range(n):
            expanded[i, r] = codes[attributes[i], row_of[r]]
    every = np.arange(attributes.size)
    perm, row_start, segment_of, first, last = cells_of(expanded, sizes[attributes], reach, every)
    rows = row_of[perm]
    n_cells = row_start.size - 1
    cell_of = np.empty(codes.shape[1], dtype=np.int32)
    for c in range(n_cells):
        for i in range(row_start[c], row_start[c + 1]):
            cell_of[rows[i]] = c
    start = np.zeros(n_cells + 1, dtype=np.int32)
    for r in judged:
        start[cell_of[r] + 1] += 1
    for c in range(n_cells):
        start[c + 1] += start[c]
    fill = start[:-1].copy()
    place = np.empty(judged.size, dtype=np.int32)
    for i in range(judged.size):
        c = cell_of[judged[i]]
        place[fill[c]] = i
        fill[c] += 1
    return rows, row_start, segment_of, first, last, place, start


@jit
def load_attribute(codes, size, reach, rows, judged, offset, slot, bits, ordered):
    """Set bit i of bits[:, offset + v] where row i of the order has a code within reach of v.

    The codes of the judged rows go into ordered[:, slot]. rows: from `sort_rows`.
    """
    every, place = rows[0], rows[5]
    for i in range(place.size):
        ordered[i, slot] = codes[judged[place[i]]]
    exact = np.empty(size, dtype=np.uint64)
    for word in range(bits.shape[0]):
        exact[:] = 0
        for i in range(64 * word, min(64 * word + 64, every.size)):
            exact[codes[every[i]]] |= np.uint64(1) << np.uint64(i & 63)
        out = bits[word, offset : offset + size]
        out[:] = exact
        for shift in range(1, min(reach, size - 1) + 1):
            ahead, later = exact[shift:], out[shift:]
            for v in range(ahead.size):
                out[v] |= ahead[v]
            for v in range(later.size):
                later[v] |= exact[v]


@jit
def _windows(row_start, first, last, begin, end, words):
    """Words in which the rows of the segments begin to end lie; each once, in order."""
    n_words = 0
    previous = 0
    for s in range(begin, end):
        lo = max(row_start[first[s]] >> 6, previous)
        hi = (row_start[last[s]] + 63) >> 6
        for word in range(lo, hi):
            words[n_words] = word
            n_words += 1
        previous = max(previous, hi)
    return n_words


@jit
def bitset_children(
    sizes,
    bits,
    offsets,
    ordered,
    slots,
    weights,
    rows,
    order,
    parent,
    children,
    sums,
    squares,
    kept,
):
    """Sums of counts and of squared counts for parent + {child}, for each child.

    rows: from `sort_rows` by the attributes `order`, all of the parent. bits: of the parent's and
    the children's attributes, at their offsets. ordered: codes of the judged rows in that order,
    an attribute's in the column that slots has for it; weights: in that order, too. kept: if not
    empty, gets the counts themselves, kept[child, judged row].
    """
    _, row_start, segment_of, first, last, row_place, start = rows
    words = np.empty(bits.shape[0], dtype=np.int64)
    # Where the copied windows of an attribute begin; the attributes of the order need none, as all
    # rows of a cell have the same code there.
    place = np.empty(sizes.size, dtype=np.int64)
    others = np.empty(parent.size, dtype=np.int64)
    n_others = 0
    n_codes = 0
    for a in parent:
        if not (order == a).any():
            others[n_others] = a
            n_others += 1
            place[a] = n_codes
            n_codes += sizes[a]
    for a in children:
        place[a] = n_codes
        n_codes += sizes[a]
    tile = max(4, _LOCAL // n_codes)
    local = np.empty(n_codes * tile, dtype=np.uint64)
    mask = np.empty(tile, dtype=np.uint64)
    near = np.empty(tile, dtype=np.uint64)
    counts = np.empty((_ROWS, children.size), dtype=np.uint32)
    sums[:] = 0
    squares[:] = 0
    for c in range(row_start.size - 1):
        if start[c] == start[c + 1]:
            continue
        n_words = _windows(row_start, first, last, segment_of[c], segment_of[c + 1], words)
        for block in range(start[c], start[c + 1], _ROWS):
            n_rows = min(_ROWS, start[c + 1] - block)
            # Copying pays if every copied word is used about once.
            copy = n_rows * (children.size + n_others) * 4 >= n_codes
            counts[:n_rows] = 0
            for begin in range(0, n_words, tile):
                length = min(tile, n_words - begin)
                mask[:length] = ~np.uint64(0)
                for a in order:
                    b = offsets[a] + ordered[block, slots[a]]
                    for t in range(length):
                        mask[t] &= bits[words[begin + t], b]
                if copy:
                    for i in range(n_others + children.size):
                        a = others[i] if i < n_others else children[i - n_others]
                        for t in range(length):
                            source = bits[words[begin + t]]
                            for v in range(sizes[a]):
                                local[(place[a] + v) * length + t] = source[offsets[a] + v]
                for i in range(n_rows):
                    row = ordered[block + i]
                    near[:length] = mask[:length]
                    for p in range(n_others):
                        a = others[p]
                        if copy:
                            at = np.uintp((place[a] + row[slots[a]]) * length)
                            for t in range(length):
                                near[t] &= local[at + np.uintp(t)]
                        else:
                            b = offsets[a] + row[slots[a]]
                            for t in range(length):
                                near[t] &= bits[words[begin + t], b]
                    for m in range(children.size):
                        a = children[m]
                        count = np.uint64(0)
                        if copy:
                            # Unsigned: an index that might be negative forbids vectors.
                            at = np.uintp((place[a] + row[slots[a]]) * length)
                            for t in range(length):
                                count += popcount(near[t] & local[at + np.uintp(t)])
                        else:
                            b = offsets[a] + row[slots[a]]
                            for t in range(length):
                                count += popcount(near[t] & bits[words[begin + t], b])
                        counts[i, m] += np.uint32(count)
            for i in range(n_rows):
                weight = np.uint64(weights[block + i])
                for m in range(children.size):
                    count = np.uint64(counts[i, m])
                    sums[m] += weight * count
                    squares[m] += weight * count * count
                    if kept.size > 0:
                        kept[m, row_place[block + i]] = counts[i, m]
