"""Groups of subspaces counted with pseudo-bins, those that sort rows alike one after the other.

Sorted rows stand in lines, one for each code of the first attribute that they are sorted by, and
the neighbours of a line's rows are in the lines within reach. So the bits of some lines are enough
at a time, which are few enough to stay in the second cache while all groups make use of them.
"""

from __future__ import annotations

import numpy as np

from ._jit import inner, jit
from .bitset import LOCAL, bitset_children, load_codes, load_words, sort_rows
from .plan import BITSET


@jit
def count_by_bits(
    codes,
    by_row,
    sizes,
    weights,
    row_of,
    judged,
    reach,
    most_words,
    some_words,
    parents,
    starts,
    children,
    choice,
    orders,
    sequence,
    begin,
    end,
    sums,
    squares,
    counts,
):
    """Fill sums and squares of the counts for the bitset subspaces of some groups.

    The groups are sequence[begin:end]; orders[g] are the attributes to sort rows by for group g,
    -1 for none. by_row: the codes once more, a row's side by side. judged: the rows of `codes` to
    count for. counts: if not empty, gets the counts themselves, counts[subspace, judged row].
    Attributes are taken together as long as their bits are no more than most_words for a
    single line, and lines as long as they are no more than some_words.
    """
    slots = np.empty(sizes.size, dtype=np.int64)
    offsets = np.empty(sizes.size, dtype=np.int64)
    used = np.empty(sizes.size, dtype=np.int64)
    sorted_weights = np.empty(judged.size, dtype=weights.dtype)
    n_children = 0
    for i in range(begin, end):
        n_children += starts[sequence[i] + 1] - starts[sequence[i]]
    group_of = np.empty(end - begin, dtype=np.int64)
    first_of = np.empty(end - begin + 1, dtype=np.int64)
    which = np.empty(n_children, dtype=np.int64)

    at = begin
    while at < end:
        # Groups that sort rows alike.
        order = orders[sequence[at]]
        alike = at + 1
        while alike < end and _same(orders[sequence[alike]], order):
            alike += 1
        n_order = 0
        for a in order:
            n_order += a >= 0
        order = order[:n_order]
        rows = sort_rows(codes, sizes, row_of, judged, order)
        for i in range(judged.size):
            sorted_weights[i] = weights[judged[rows[2][i]]]
        line = sizes[order[1]] if n_order == 2 else 1  # keys with the same first code
        line_words = _words_of_a_line(rows[1], line, reach)
        m = starts[sequence[at]]
        while at < alike:
            # As many groups, or children of one, as have room for the bits of their attributes.
            for a in range(sizes.size):
                slots[a] = -1
            n_used, n_codes = 0, 0
            n_groups, n_which = 0, 0
            full = False
            while at < alike and not full:
                g = sequence[at]
                group_of[n_groups], first_of[n_groups] = g, n_which
                while m < starts[g + 1]:
                    if choice[m] == BITSET:
                        more = 0
                        for j in range(parents.shape[1] + 1):
                            a = parents[g, j] if j < parents.shape[1] else children[m]
                            more += sizes[a] + reach if slots[a] < 0 else 0
                        full = n_used > 0 and (n_codes + more) * line_words > most_words
                        if full:
                            break
                        for j in range(parents.shape[1] + 1):
                            a = parents[g, j] if j < parents.shape[1] else children[m]
                            if slots[a] < 0:
                                slots[a], offsets[a], used[n_used] = n_used, n_codes, a
                                n_used += 1
                                n_codes += sizes[a] + reach
                        which[n_which] = m
                        sums[m], squares[m] = 0, 0
                        n_which += 1
                    m += 1
                if n_which > first_of[n_groups]:
                    n_groups += 1
                if not full:
                    at += 1
                    if at < alike:
                        m = starts[sequence[at]]
            if n_groups == 0:
                continue
            first_of[n_groups] = n_which
            _count_together(
                by_row,
                sizes,
                judged,
                reach,
                some_words,
                line_words,
                rows,
                order,
                line,
                sorted_weights,
                used[:n_used],
                slots,
                offsets,
                n_codes,
                parents,
                children,
                group_of[:n_groups],
                first_of,
                which,
                sums,
                squares,
                counts,
            )


@inner
def _same(order, other):
    for j in range(order.size):
        if order[j] != other[j]:
            return False
    return True


@inner
def _words_of_a_line(start, line, reach):
    """Words in which the rows near a line of keys lie, at the most."""
    n_lines = (start.size - 1) // line
    most = 0
    for x in range(n_lines):
        first, last = _words_near(start, line, reach, x, x + 1)
        most = max(most, last - first)
    return most


@inner
def _words_near(start, line, reach, begin, end):
    """First word of the rows near some lines of keys, and the word after the last."""
    n_lines = (start.size - 1) // line
    first = start[max(0, begin - reach) * line] >> 6
    return first, (start[min(n_lines, end + reach) * line] + 63) >> 6


@inner
def _count_together(
    by_row,
    sizes,
    judged,
    reach,
    some_words,
    line_words,
    rows,
    order,
    line,
    weights,
    used,
    slots,
    offsets,
    n_codes,
    parents,
    children,
    group_of,
    first_of,
    which,
    sums,
    squares,
    counts,
):
    """Add up the counts for some children of some groups, some lines of keys at a time.

    The i-th group is group_of[i], with the children which[first_of[i]:first_of[i + 1]]. used:
    attributes that any of them has, with slots, offsets and n_codes altogether.
    """
    every, start, place, judged_start = rows
    n_lines = (start.size - 1) // line
    # An odd number of codes keeps the words of one code from falling into the same cache set.
    width = n_codes | 1
    room = min((every.size + 63) >> 6, max(line_words, some_words // width))
    bits = np.empty((room, width), dtype=np.uint64)
    exact = np.empty(n_codes, dtype=np.uint64)
    local = np.empty(max(LOCAL, 4 * n_codes), dtype=np.uint64)
    held, held_end = 0, 0  # words that are in `bits`
    x = 0
    while x < n_lines:
        if judged_start[x * line] == judged_start[(x + 1) * line]:
            x += 1
            continue
        first, last = _words_near(start, line, reach, x, x + 1)
        end = x + 1
        while end < n_lines and _words_near(start, line, reach, x, end + 1)[1] - first <= room:
            end += 1
            last = _words_near(start, line, reach, x, end)[1]
        begin = max(first, held_end)
        for word in range(first, held_end):
            for v in range(n_codes):
                bits[word - first, v] = bits[word - held, v]
        load_words(by_row, used, offsets, reach, every, begin, last, exact, bits[begin - first :])
        held, held_end = first, last
        here = place[judged_start[x * line] : judged_start[end * line]]
        ordered = np.empty((here.size, used.size), dtype=by_row.dtype)
        load_codes(by_row, used, judged, here, ordered)
        for i in range(group_of.size):
            bitset_children(
                sizes,
                bits,
                offsets,
                ordered,
                slots,
                weights,
                reach,
                rows,
                order,
                parents[group_of[i]],
                children,
                which[first_of[i] : first_of[i + 1]],
                x * line,
                end * line,
                first,
                local,
                sums,
                squares,
                counts,
            )
        x = end
