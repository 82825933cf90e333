"""Counting with sets of rows as bits: parent neighbourhood AND pseudo-bin, then popcount.

A pseudo-bin is the set of rows within reach of a bin (paper, Section 3). With rows sorted by one or
two attributes of the parent, the neighbours of a row lie in a few blocks of the bits, and only
those are read: hundreds of rows are settled by one vector.

Sorted rows stand in lines, one for each code of the first attribute that they are sorted by, and
the neighbours of a line's rows are in the lines within reach. So the bits of some lines are enough
at a time, while all subspaces make use of them.
"""

from __future__ import annotations

import numpy as np

from ._jit import inner, jit, prefetch
from .arrays import cleared
from .blocks import ROWS, WORDS, count_common, intersect

_AHEAD = 16  # rows that are asked for before their turn


@inner
def _bucket(keys, n_keys):
    """Places of the keys in sorted order, ties in theirs, and where each key begins."""
    start = cleared(np.empty(n_keys + 1, dtype=np.int32))
    for key in keys:
        start[key + 1] += 1
    for key in range(n_keys):
        start[key + 1] += start[key]
    fill = start.copy()
    place = np.empty(keys.size, dtype=np.int32)
    for i in range(keys.size):
        place[fill[keys[i]]] = i
        fill[keys[i]] += 1
    return place, start


@jit
def sort_rows(codes, sizes, row_of, judged, attributes):
    """Sort rows by no, one or two attributes, whose codes together are a row's key.

    Returns (rows, start): all rows of the table in order, as rows of `codes`, and where each
    key begins; and (place, judged_start): the judged rows, those whose neighbours are to be
    counted, as places in `judged`.
    """
    n_keys = np.int64(1)
    key_of = cleared(np.empty(codes.shape[1], dtype=np.int32))
    for a in attributes:
        n_keys *= sizes[a]
        for r in range(key_of.size):
            key_of[r] = key_of[r] * sizes[a] + codes[a, r]
    rows, start = _bucket(key_of[row_of], n_keys)
    for i in range(rows.size):
        rows[i] = row_of[rows[i]]
    place, judged_start = _bucket(key_of[judged], n_keys)
    return rows, start, place, judged_start


@inner
def _load_block(by_row, attributes, offsets, reach, every, block, exact, bits, first):
    """Load a block of rows: for every code of an attribute, which rows have codes within reach.

    The bits of a block lie code by code, from the word `first` on; the codes of the j-th attribute
    begin at offsets[j], and after them `reach` are unused. by_row: codes, a row's side by side;
    every: rows in order; exact: room for a block of each code, and for `reach` more before and
    after them, in which nothing is ever set.
    """
    margin = reach * WORDS
    n_words = exact.size - 2 * margin
    for v in range(margin, margin + n_words):
        exact[v] = 0
    for i in range(ROWS * block, min(ROWS * (block + 1), every.size)):
        r = every[i]
        prefetch(by_row, every[min(i + _AHEAD, every.size - 1)])
        word = np.uintp(margin) + np.uintp((i >> 6) & (WORDS - 1))
        bit = np.uint64(1) << np.uint64(i & 63)
        for j in range(attributes.size):
            code = np.uintp(offsets[j]) + np.uintp(by_row[r, attributes[j]])
            exact[code * np.uintp(WORDS) + word] |= bit
    if reach == 1:  # in one go: most of the time is spent here where there are many codes
        before, here, after = exact[:n_words], exact[WORDS:], exact[2 * WORDS :]
        for v in range(n_words):
            bits[first + v] = before[v] | here[v] | after[v]
        return
    for v in range(n_words):
        bits[first + v] = exact[v]
    for shift in range(WORDS, 2 * margin + WORDS, WORDS):
        for v in range(n_words):
            bits[first + v] |= exact[v + shift]


@inner
def _near_key(start, key, line, reach, slot_of, size, near, at):
    """Blocks with the rows near a key, and where the bits of these blocks are; returns how many.

    size: words of the bits of a block.
    """
    n_lines = (start.size - 1) // line
    x, y = key // line, key % line
    n, previous = 0, -1
    for i in range(max(0, x - reach), min(n_lines, x + reach + 1)):
        begin = start[i * line + max(0, y - reach)]
        end = start[i * line + min(line, y + reach + 1)]
        if begin == end:
            continue
        for block in range(begin // ROWS, (end + ROWS - 1) // ROWS):
            if block != previous:
                at[n] = slot_of[block] * size
                near[n * WORDS : (n + 1) * WORDS] = 0
                n += 1
                previous = block
            low, high = max(begin - block * ROWS, 0), min(end - block * ROWS, ROWS)
            for word in range(low >> 6, (high + 63) >> 6):
                first, last = max(low - 64 * word, 0), min(high - 64 * word, 64)
                ones = ~np.uint64(0) >> np.uint64(64 - (last - first))
                near[(n - 1) * WORDS + word] |= ones << np.uint64(first)
    return n


@jit
def count_with_bits(
    by_row,
    weights,
    judged,
    reach,
    every,
    start,
    place,
    judged_start,
    line,
    attributes,
    offsets,
    others,
    same,
    starts,
    children,
    bits,
    near,
    room,
    sums,
    squares,
    which,
    counts,
):
    """Fill sums and squares of the counts of some groups of subspaces.

    All groups have the attributes that rows are sorted by (`every` to `judged_start`, see
    `sort_rows`), in lines of `line` keys. Group g has others[g] too, of which the first same[g]
    are those of the group before, and its subspaces have children[starts[g]:starts[g + 1]]; all are
    places in `attributes`. bits: the loaded blocks, see `_load_block`, as many as `room`, which is
    enough for the rows near any line. near: room for the blocks near a row: by its key, and with
    ever more of the others. counts: if not empty, gets the counts themselves,
    counts[which[subspace], judged row].
    """
    n_lines = (start.size - 1) // line
    width = bits.size // (room * WORDS)
    n_others, step = others.shape[1], room * WORDS
    slot_of = np.empty(every.size // ROWS + 1, dtype=np.int64)
    exact = cleared(np.empty((width + 2 * reach) * WORDS, dtype=np.uint64))
    at = np.empty(room, dtype=np.int64)
    first_word = np.empty(attributes.size, dtype=np.int64)  # of a row's codes in a block
    for m in range(sums.size):
        sums[m], squares[m] = 0, 0
    n_loaded, next_block = 0, 0
    for x in range(n_lines):
        if judged_start[x * line] == judged_start[(x + 1) * line]:
            continue
        next_block = max(next_block, start[max(0, x - reach) * line] // ROWS)
        while next_block * ROWS < start[min(n_lines, x + reach + 1) * line]:
            slot_of[next_block] = n_loaded % room
            first = slot_of[next_block] * width * WORDS
            _load_block(by_row, attributes, offsets, reach, every, next_block, exact, bits, first)
            n_loaded += 1
            next_block += 1
        for key in range(x * line, (x + 1) * line):
            if judged_start[key] == judged_start[key + 1]:
                continue
            n = _near_key(start, key, line, reach, slot_of, width * WORDS, near, at)
            for i in range(judged_start[key], judged_start[key + 1]):
                r = judged[place[i]]
                prefetch(by_row, judged[place[min(i + _AHEAD, place.size - 1)]])
                weight = np.uint64(weights[r])
                for j in range(attributes.size):
                    first_word[j] = WORDS * (offsets[j] + by_row[r, attributes[j]])
                for g in range(starts.size - 1):
                    for j in range(same[g], n_others):
                        offset = first_word[others[g, j]]
                        intersect(near, j * step, (j + 1) * step, at, n, bits, offset)
                    for m in range(starts[g], starts[g + 1]):
                        offset = first_word[children[m]]
                        count = count_common(near, n_others * step, at, n, bits, offset)
                        sums[m] += weight * count
                        squares[m] += weight * count * count
                        if counts.size > 0:
                            counts[which[m], place[i]] = count
