"""Counting with bitsets: parent's neighbourhood AND pseudo-bin, then popcount.

A pseudo-bin is the set of rows within reach of a bin (paper, Section 3). The kernel sorts rows by
one or two attributes of a subspace. The neighbours of a row then lie in a few blocks of the bitset,
each one vector of 512 rows, and the kernel reads only these blocks.

Sorted rows form lines, one for each code of the first attribute of the sort key. The neighbours of
a line's rows are in the lines within reach. So the buffer holds the bits of a few lines at a time,
and all subspaces share them.
"""

from __future__ import annotations

import numpy as np

from ._jit import add_product, inner, jit
from .arguments import Judged, Sorted
from .blocks import ROWS, WORDS, count_common, intersect
from .sorting import cleared, counting_sort, first_numbers


@jit
def sort_rows(rows, row_of, judged, attributes):
    """Sort rows by up to two `attributes`, whose codes together are a row's key.

    rows: see `arguments`. row_of (n,): the distinct row of each row of the table. judged (s,):
    distinct rows. Returns all rows of the table as `Sorted`, and the judged ones as `Judged`.
    """
    line = rows.sizes[attributes[1]] if attributes.size == 2 else 1
    n_keys = np.int64(1)
    key_of = cleared(np.empty(rows.begins[1], dtype=np.int32))
    for a in attributes:
        n_keys *= rows.sizes[a]
        for r in range(key_of.size):
            key_of[r] = key_of[r] * rows.sizes[a] + rows.codes[a, r]
    every, start = counting_sort(key_of[row_of], n_keys, first_numbers(row_of.size))
    for i in range(every.size):
        every[i] = row_of[every[i]]
    place, judged_start = counting_sort(key_of[judged], n_keys, first_numbers(judged.size))
    return Sorted(every, start, line), Judged(judged, place, judged_start)


@inner
def _load_block(by_row, reach, every, block, bins, exact, first):
    """Load a block of rows: for every code of an attribute, the rows with codes within reach.

    by_row (n, d): codes in row-major order. every, bins: see `arguments`. The bits of a block lie
    code by code, from the word `first` on. After the codes of each attribute, `reach` codes stay
    unused. exact: buffer with a block for each code, and `reach` zero blocks before and after.
    """
    margin = reach * WORDS
    n_words = exact.size - 2 * margin
    for v in range(margin, margin + n_words):
        exact[v] = 0
    for i in range(ROWS * block, min(ROWS * (block + 1), every.rows.size)):
        r = every.rows[i]
        word = np.uintp(margin) + np.uintp((i >> 6) & (WORDS - 1))
        bit = np.uint64(1) << np.uint64(i & 63)
        for j in range(bins.attributes.size):
            code = np.uintp(bins.offsets[j]) + np.uintp(by_row[r, bins.attributes[j]])
            exact[code * np.uintp(WORDS) + word] |= bit
    if reach == 1:  # in one loop: with many codes, most of the time goes here
        before, here, after = exact[:n_words], exact[WORDS:], exact[2 * WORDS :]
        for v in range(n_words):
            bins.bits[first + v] = before[v] | here[v] | after[v]
        return
    for v in range(n_words):
        bins.bits[first + v] = exact[v]
    for shift in range(WORDS, 2 * margin + WORDS, WORDS):
        for v in range(n_words):
            bins.bits[first + v] |= exact[v + shift]


@inner
def _near_key(every, key, reach, slot_of, size, near, at):
    """Fill `near` and `at` with the blocks that hold rows near a key; return how many.

    every: see `arguments`. slot_of: slot of each loaded block in the buffer, `size` words each.
    near: the rows near the key, block by block. at: the first word of each block's bits.
    """
    line, start = every.line, every.start
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
def count_with_bits(rows, by_row, every, judged, bins, subspaces, shared, totals):
    """Fill `totals` of subspaces (m, p), each of which also has the attributes of the sort key.

    See `arguments` for the tuples. by_row (n, d): the codes of `rows` in row-major order.
    Subspaces are places in bins.attributes and omit the attributes of the key. shared (m,): how
    many leading attributes, the last one excluded, each subspace shares with the one before.
    The buffer bins.near has room for the blocks near a row by its key, and again for each
    attribute but the last.
    """
    reach, line, last = rows.reach, every.line, subspaces.shape[1] - 1
    n_lines = (every.start.size - 1) // line
    step = bins.near.size // (last + 1)
    n_slots = step // WORDS  # enough for the rows near any line
    size = bins.bits.size // n_slots
    slot_of = np.empty(every.rows.size // ROWS + 1, dtype=np.int64)
    exact = cleared(np.empty(size + 2 * reach * WORDS, dtype=np.uint64))
    at = np.empty(n_slots, dtype=np.int64)
    first_word = np.empty(bins.attributes.size, dtype=np.int64)  # of a row's codes in a block
    n_loaded, next_block = 0, 0
    for x in range(n_lines):
        if judged.start[x * line] == judged.start[(x + 1) * line]:
            continue
        next_block = max(next_block, every.start[max(0, x - reach) * line] // ROWS)
        while next_block * ROWS < every.start[min(n_lines, x + reach + 1) * line]:
            slot_of[next_block] = n_loaded % n_slots
            first = slot_of[next_block] * size
            _load_block(by_row, reach, every, next_block, bins, exact, first)
            n_loaded += 1
            next_block += 1
        for key in range(x * line, (x + 1) * line):
            if judged.start[key] == judged.start[key + 1]:
                continue
            n = _near_key(every, key, reach, slot_of, size, bins.near, at)
            for i in range(judged.start[key], judged.start[key + 1]):
                r = judged.rows[judged.place[i]]
                weight = np.uint64(rows.weights[r])
                for j in range(bins.attributes.size):
                    first_word[j] = WORDS * (bins.offsets[j] + by_row[r, bins.attributes[j]])
                for m in range(shared.size):
                    for j in range(shared[m], last):
                        word, near = first_word[subspaces[m, j]], j * step
                        for b in range(n):
                            intersect(
                                bins.near, near, bins.bits, at[b] + word, bins.near, near + step
                            )
                            near += WORDS
                    word, near, count = first_word[subspaces[m, last]], last * step, np.uint64(0)
                    for b in range(n):
                        count += count_common(bins.near, near, bins.bits, at[b] + word)
                        near += WORDS
                    weighted = weight * count
                    totals.sums[m] += weighted
                    totals.squares[m, 0], totals.squares[m, 1] = add_product(
                        totals.squares[m, 0], totals.squares[m, 1], weighted, count
                    )
                    if totals.counts.size > 0:
                        totals.counts[m, judged.place[i]] = count
