"""Counting with sets of rows as bits: parent neighbourhood AND pseudo-bin, then popcount.

A pseudo-bin is the set of rows within reach of a bin (paper, Section 3). With rows sorted by one or
two attributes of the parent, the neighbours of a row lie in a few windows of the bits, and
only those are read: dozens of rows are settled by one word.

The bits lie word by word, for each word all codes of all attributes side by side. The windows
of a cell are copied together, code by code, and then serve all its rows and all children. Only the
words near some lines of keys are there at a time, see `by_bits.py`.
"""

from __future__ import annotations

import numpy as np

from ._jit import inner, popcount

_ROWS = 256  # rows of a cell that are counted together
LOCAL = 1 << 15  # words of copied windows: 256 KB, to stay in the second cache


@inner
def _bucket(keys, n_keys):
    """Places of the keys in sorted order, ties in theirs, and where each key begins."""
    start = np.zeros(n_keys + 1, dtype=np.int32)
    for key in keys:
        start[key + 1] += 1
    for key in range(n_keys):
        start[key + 1] += start[key]
    fill = np.empty(n_keys, dtype=np.int32)
    for key in range(n_keys):
        fill[key] = start[key]
    place = np.empty(keys.size, dtype=np.int32)
    for i in range(keys.size):
        place[fill[keys[i]]] = i
        fill[keys[i]] += 1
    return place, start


@inner
def sort_rows(codes, sizes, row_of, judged, attributes):
    """Sort rows by no, one or two attributes, whose codes together are a row's key.

    Returns (rows, start): all rows of the table in order, as rows of `codes`, and where each
    key begins; and (place, judged_start): the judged rows, those whose neighbours are to be
    counted, as places in `judged`.
    """
    n_keys = np.int64(1)
    key_of = np.zeros(codes.shape[1], dtype=np.int32)
    for a in attributes:
        n_keys *= sizes[a]
        for r in range(key_of.size):
            key_of[r] = key_of[r] * sizes[a] + codes[a, r]
    keys = np.empty(row_of.size, dtype=np.int32)
    for r in range(row_of.size):
        keys[r] = key_of[row_of[r]]
    rows, start = _bucket(keys, n_keys)
    for i in range(rows.size):
        rows[i] = row_of[rows[i]]
    for i in range(judged.size):
        keys[i] = key_of[judged[i]]
    place, judged_start = _bucket(keys[: judged.size], n_keys)
    return rows, start, place, judged_start


@inner
def load_words(by_row, attributes, offsets, reach, every, begin, end, exact, bits):
    """Set bit i of bits[:, offsets[a] + v] where row i of the order has a code within reach of v.

    For the words from begin to end, of which the first is bits[0]. After the codes of each
    attribute, `reach` are unused. by_row: codes, a row's side by side; every: rows in order; exact:
    room for a word.
    """
    k = attributes.size
    for word in range(begin, end):
        for v in range(exact.size):
            exact[v] = 0
        for i in range(64 * word, min(64 * word + 64, every.size)):
            r = every[i]
            bit = np.uint64(1) << np.uint64(i & 63)
            for j in range(k):
                a = attributes[j]
                exact[offsets[a] + by_row[r, a]] |= bit
        out = bits[word - begin, : exact.size]
        for v in range(exact.size):
            out[v] = exact[v]
        for shift in range(1, reach + 1):
            ahead, later = exact[shift:], out[shift:]
            for v in range(ahead.size):
                out[v] |= ahead[v]
            for v in range(later.size):
                later[v] |= exact[v]


@inner
def load_codes(by_row, attributes, judged, place, ordered):
    """Codes of the judged rows in some places, ordered[i, j] of the j-th attribute."""
    for i in range(place.size):
        r = judged[place[i]]
        for j in range(attributes.size):
            ordered[i, j] = by_row[r, attributes[j]]


@inner
def _windows(start, key, line, reach, first_word, words):
    """Words in which the rows near a key lie, each once, in order, counted from first_word.

    Keys stand in lines, one line for each code of the first attribute.
    """
    n_lines = (start.size - 1) // line
    x, y = key // line, key % line
    n_words = 0
    previous = 0
    for i in range(max(0, x - reach), min(n_lines, x + reach + 1)):
        begin = start[i * line + max(0, y - reach)]
        end = start[i * line + min(line, y + reach + 1)]
        if begin < end:
            for word in range(max(begin >> 6, previous), (end + 63) >> 6):
                words[n_words] = word - first_word
                n_words += 1
            previous = max(previous, (end + 63) >> 6)
    return n_words


@inner
def bitset_children(
    sizes,
    bits,
    offsets,
    ordered,
    slots,
    weights,
    reach,
    rows,
    order,
    parent,
    children,
    which,
    first_key,
    last_key,
    first_word,
    local,
    sums,
    squares,
    kept,
):
    """Add the counts and squared counts of some rows to the sums of parent + {child}.

    The rows are those with keys from first_key to before last_key. which: places of some of the
    children, and of their sums. rows: from `sort_rows` by the attributes `order`, all the parent's.
    bits: of the parent's and the children's attributes, at their offsets, from first_word on.
    ordered: codes of the judged rows with these keys, an attribute's in the column that slots has
    for it; weights: of all judged rows in their order. local: room for copied windows, at least 4
    words for each code. kept: if not empty, gets the counts themselves, kept[child, judged row].
    """
    _, row_start, row_place, start = rows
    # One attribute: one line of keys. None: a single key.
    line = sizes[order[-1]] if order.size > 0 else 1
    words = np.empty(bits.shape[0], dtype=np.int64)
    # Where the copied windows of an attribute begin; the attributes of the order need none, as all
    # rows of a cell have the same code there.
    place = np.empty(sizes.size, dtype=np.int64)
    others = np.empty(parent.size, dtype=np.int64)
    n_others = 0
    n_codes = 0
    for a in parent:
        sorted_by = False
        for b in order:
            sorted_by |= a == b
        if not sorted_by:
            others[n_others] = a
            n_others += 1
            place[a] = n_codes
            n_codes += sizes[a]
    for c in which:
        place[children[c]] = -1
    for c in which:
        if place[children[c]] < 0:  # a subspace may be asked for more than once
            place[children[c]] = n_codes
            n_codes += sizes[children[c]]
    tile = max(4, LOCAL // n_codes)
    mask = np.empty(tile, dtype=np.uint64)
    near = np.empty(tile, dtype=np.uint64)
    counts = np.empty((_ROWS, which.size), dtype=np.uint32)
    for key in range(first_key, last_key):
        if start[key] == start[key + 1]:
            continue
        n_words = _windows(row_start, key, line, reach, first_word, words)
        for block in range(start[key], start[key + 1], _ROWS):
            n_rows = min(_ROWS, start[key + 1] - block)
            at_block = block - start[first_key]
            # Copying pays if every copied word is used about twice.
            copy = n_rows * (which.size + n_others) >= 2 * n_codes
            for i in range(n_rows):
                for m in range(which.size):
                    counts[i, m] = 0
            for begin in range(0, n_words, tile):
                length = min(tile, n_words - begin)
                for t in range(length):
                    mask[t] = ~np.uint64(0)
                for a in order:
                    b = offsets[a] + ordered[at_block, slots[a]]
                    for t in range(length):
                        mask[t] &= bits[words[begin + t], b]
                if copy:
                    for i in range(n_others + which.size):
                        a = others[i] if i < n_others else children[which[i - n_others]]
                        for t in range(length):
                            word = words[begin + t]
                            for v in range(sizes[a]):
                                local[(place[a] + v) * length + t] = bits[word, offsets[a] + v]
                for i in range(n_rows):
                    for t in range(length):
                        near[t] = mask[t]
                    for p in range(n_others):
                        a = others[p]
                        if copy:
                            at = np.uintp((place[a] + ordered[at_block + i, slots[a]]) * length)
                            for t in range(length):
                                near[t] &= local[at + np.uintp(t)]
                        else:
                            b = offsets[a] + ordered[at_block + i, slots[a]]
                            for t in range(length):
                                near[t] &= bits[words[begin + t], b]
                    for m in range(which.size):
                        a = children[which[m]]
                        count = np.uint64(0)
                        if copy:
                            # Unsigned: an index that might be negative forbids vectors.
                            at = np.uintp((place[a] + ordered[at_block + i, slots[a]]) * length)
                            for t in range(length):
                                count += popcount(near[t] & local[at + np.uintp(t)])
                        else:
                            b = offsets[a] + ordered[at_block + i, slots[a]]
                            for t in range(length):
                                count += popcount(near[t] & bits[words[begin + t], b])
                        counts[i, m] += np.uint32(count)
            for i in range(n_rows):
                weight = np.uint64(weights[block + i])
                for m in range(which.size):
                    count = np.uint64(counts[i, m])
                    sums[which[m]] += weight * count
                    squares[which[m]] += weight * count * count
                    if kept.size > 0:
                        kept[which[m], row_place[block + i]] = counts[i, m]
