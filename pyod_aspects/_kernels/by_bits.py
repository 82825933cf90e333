"""Groups of subspaces counted with pseudo-bins, those that sort rows alike one after the other."""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .bitset import bitset_children, load_attributes, sort_rows
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
    max_codes,
    max_attributes,
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
    -1 for none. At most max_codes pseudo-bins of max_attributes attributes are kept at a time.
    by_row: the codes once more, a row's side by side. judged: the rows of `codes` to count for.
    counts: if not empty, gets the counts themselves, counts[subspace, judged row].
    """
    # An odd number of codes keeps the words of one code from falling into the same cache set.
    bits = np.empty(((row_of.size + 63) >> 6, max_codes | 1), dtype=np.uint64)
    ordered = np.empty((judged.size, max_attributes), dtype=codes.dtype)
    p = parents.shape[1]
    slots = np.empty(sizes.size, dtype=np.int64)
    offsets = np.empty(sizes.size, dtype=np.int64)
    load = np.empty(sizes.size, dtype=np.int64)
    wanted = np.empty(p + max_attributes, dtype=np.int64)
    sorted_weights = np.empty(judged.size, dtype=weights.dtype)
    used_codes, used_slots = np.int64(0), np.int64(0)
    all_codes = 0
    for a in range(sizes.size):
        slots[a] = -1
        all_codes += sizes[a] + reach
    all_fit = sizes.size <= max_attributes and all_codes <= max_codes
    order = np.empty(orders.shape[1], dtype=np.int64)
    n_order = np.int64(0)
    for j in range(order.size):
        order[j] = -2
    some = np.empty(max_attributes, dtype=np.int64)
    group_sums = np.empty(max_attributes, dtype=np.uint64)
    group_squares = np.empty(max_attributes, dtype=np.uint64)
    kept = np.empty((max_attributes if counts.size > 0 else 0, judged.size), dtype=np.uint32)

    for i_group in range(begin, end):
        g = sequence[i_group]
        parent = parents[g]
        m = starts[g]
        while m < starts[g + 1]:
            # As many children as can be loaded together with the parent.
            n_some, n_codes = 0, 0
            for a in parent:
                n_codes += sizes[a] + reach
            while m < starts[g + 1] and n_some + p < max_attributes:
                if choice[m] == BITSET:
                    if n_some > 0 and n_codes + sizes[children[m]] + reach > max_codes:
                        break
                    n_codes += sizes[children[m]] + reach
                    some[n_some] = m
                    n_some += 1
                m += 1
            if n_some == 0:
                break
            n_wanted = p + n_some
            for j in range(n_wanted):
                wanted[j] = parent[j] if j < p else children[some[j - p]]
            new_order = False
            for j in range(order.size):
                new_order |= orders[g, j] != order[j]
            if new_order:
                n_order = np.int64(0)
                for j in range(order.size):
                    order[j] = orders[g, j]
                    n_order += order[j] >= 0
                rows = sort_rows(codes, sizes, row_of, judged, order[:n_order])
                for i in range(judged.size):
                    sorted_weights[i] = weights[judged[rows[2][i]]]
            n_missing, missing_codes = 0, 0
            for a in wanted[:n_wanted]:
                if slots[a] < 0:
                    n_missing += 1
                    missing_codes += sizes[a] + reach
            full = used_codes + missing_codes > max_codes or used_slots + n_missing > max_attributes
            if new_order or full:
                for a in range(sizes.size):
                    slots[a] = -1
                used_codes, used_slots = np.int64(0), np.int64(0)
            # Where all attributes fit, all are loaded at once: a row's codes lie side by side.
            n_load, first_code = np.int64(0), used_codes
            for j in range(sizes.size if all_fit else n_wanted):
                a = j if all_fit else wanted[j]
                if slots[a] < 0:
                    load[n_load] = a
                    n_load += 1
                    slots[a], offsets[a] = used_slots, used_codes
                    used_slots += 1
                    used_codes += sizes[a] + reach
            if n_load > 0:
                load_attributes(
                    by_row,
                    load[:n_load],
                    first_code,
                    used_codes,
                    offsets,
                    slots,
                    reach,
                    rows,
                    judged,
                    bits,
                    ordered,
                )
            bitset_children(
                sizes,
                bits,
                offsets,
                ordered,
                slots,
                sorted_weights,
                reach,
                rows,
                order[:n_order],
                parent,
                wanted[p:n_wanted],
                group_sums,
                group_squares,
                kept,
            )
            for i in range(n_some):
                sums[some[i]] = group_sums[i]
                squares[some[i]] = group_squares[i]
                if counts.size > 0:
                    for j in range(judged.size):
                        counts[some[i], j] = kept[i, j]
