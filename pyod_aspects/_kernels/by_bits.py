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
    slots = np.full(sizes.size, -1, dtype=np.int64)
    offsets = np.empty(sizes.size, dtype=np.int64)
    used_codes, used_slots = 0, 0
    all_fit = sizes.size <= max_attributes and (sizes + reach).sum() <= max_codes
    order = np.full(orders.shape[1], -2, dtype=np.int64)
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
            while m < starts[g + 1] and n_some + parent.size < max_attributes:
                if choice[m] == BITSET:
                    if n_some > 0 and n_codes + sizes[children[m]] + reach > max_codes:
                        break
                    n_codes += sizes[children[m]] + reach
                    some[n_some] = m
                    n_some += 1
                m += 1
            if n_some == 0:
                break
            wanted = np.concatenate((parent, children[some[:n_some]]))
            new_order = (orders[g] != order).any()
            if new_order:
                order[:] = orders[g]
                rows = sort_rows(codes, sizes, row_of, judged, order[order >= 0])
                sorted_weights = weights[judged[rows[2]]]
            n_missing, missing_codes = 0, 0
            for a in wanted:
                if new_order or slots[a] < 0:
                    n_missing += 1
                    missing_codes += sizes[a] + reach
            full = used_codes + missing_codes > max_codes or used_slots + n_missing > max_attributes
            if new_order or full:
                slots[:] = -1
                used_codes, used_slots = 0, 0
            # Where all attributes fit, all are loaded at once: a row's codes lie side by side.
            load = np.arange(sizes.size) if all_fit else wanted
            load = load[slots[load] < 0]
            if load.size > 0:
                first_code = used_codes
                for a in load:
                    slots[a], offsets[a] = used_slots, used_codes
                    used_slots += 1
                    used_codes += sizes[a] + reach
                load_attributes(
                    by_row,
                    load,
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
                order[order >= 0],
                parent,
                wanted[parent.size :],
                group_sums,
                group_squares,
                kept,
            )
            for i in range(n_some):
                sums[some[i]] = group_sums[i]
                squares[some[i]] = group_squares[i]
                if counts.size > 0:
                    counts[some[i]] = kept[i]
