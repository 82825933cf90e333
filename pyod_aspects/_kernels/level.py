"""All subspaces of one level, parent by parent, each with the strategy that costs least.

The costs are estimates in nanoseconds on one core; they decide how the counts are
found, never what they are.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .bitset import bitset_children
from .cells import cells_of
from .dense import dense_child, parent_codes
from .sparse import scan_child
from .table import table_child

AUTO, DENSE, TABLE, BITSET, SPARSE = 0, 1, 2, 3, 4

_MAX_GRID = 1 << 22  # cells of the largest whole grid or table: 16 MB


@jit
def _dense_cost(n, grid, p):
    return 1.5 * n + grid * (0.5 * p + 1.5)


@jit
def _bitset_cost(n, n_words):
    return n * (3.0 + 0.35 * n_words)


@jit
def _parent_work(row_start, segment_of, first, last):
    """Neighbouring cells in all, and the rows a scan looks at for one child."""
    pairs, looks = 0, 0
    for c in range(row_start.size - 1):
        rows = 0
        for s in range(segment_of[c], segment_of[c + 1]):
            pairs += last[s] - first[s]
            rows += row_start[last[s]] - row_start[first[s]]
        looks += min((row_start[c + 1] - row_start[c]) * rows, 3 * rows)
    return pairs, looks


@jit
def level_sums(
    strategy,
    codes,
    sizes,
    weights,
    reach,
    bits,
    offsets,
    parents,
    starts,
    children,
    begin,
    end,
    sums,
    squares,
):
    """Fill sums and squares of the counts for the subspaces of the groups begin to end.

    Group g has the parent `parents[g]` and the children `children[starts[g]:starts[g + 1]]`.
    `bits` is empty where the table is too large for pseudo-bins. Returns how many subspaces
    each strategy took.
    """
    n = codes.shape[1]
    p = parents.shape[1]
    used = np.zeros(5, dtype=np.int64)
    widest = sizes.max()
    histogram = np.zeros(widest + 2 * reach, dtype=np.int64)
    near = np.empty(widest, dtype=np.int32)
    counts = np.zeros(1, dtype=np.int32)  # dense: all zeros between children
    boxes = np.empty(1, dtype=np.int32)
    table = np.empty(1, dtype=np.int32)
    out = np.empty(n, dtype=np.int64)
    sorted_codes = np.empty(n, dtype=codes.dtype)
    sorted_weights = np.empty(n, dtype=weights.dtype)

    for g in range(begin, end):
        parent = parents[g]
        lo, hi = starts[g], starts[g + 1]
        dims = sizes[parent]
        parent_grid = 1
        for length in dims:
            if parent_grid <= _MAX_GRID:
                parent_grid *= length
        n_words = bits.shape[1]
        has_bits = n_words > 0

        if strategy == BITSET or (
            strategy == AUTO
            and has_bits
            and _bitset_cost(n, n_words) < _dense_cost(n, parent_grid * sizes[children[lo]], p)
        ):
            bitset_children(
                codes, weights, bits, offsets, parent, children[lo:hi], sums[lo:hi], squares[lo:hi]
            )
            used[BITSET] += hi - lo
            continue

        have_cells = False
        have_codes = False
        for m in range(lo, hi):
            a = children[m]
            size = sizes[a]
            grid = parent_grid * size
            choice = strategy
            if strategy == AUTO:
                choice = DENSE if grid <= 8 * n or p == 0 else SPARSE
            if choice == DENSE and grid > _MAX_GRID and p > 0:
                choice = SPARSE
            if choice != DENSE and not have_cells:
                perm, row_start, segment_of, first, last = cells_of(codes, sizes, reach, parent)
                n_cells = row_start.size - 1
                pairs, looks = _parent_work(row_start, segment_of, first, last)
                for i in range(n):
                    sorted_weights[i] = weights[perm[i]]
                have_cells = True
            if strategy == AUTO and choice == SPARSE:
                table_cost = n_cells * size * 1.0 + pairs * min(size * 0.15, 1.0 * n / n_cells)
                if n_cells * size <= _MAX_GRID and table_cost < looks * 0.7:
                    choice = TABLE
            if choice == TABLE and n_cells * size > _MAX_GRID:
                choice = SPARSE
            used[choice] += 1

            if choice == DENSE:
                if not have_codes:
                    code = parent_codes(codes, sizes, parent)
                    have_codes = True
                if counts.size < grid:
                    counts = np.zeros(grid, dtype=np.int32)
                if boxes.size < grid:
                    boxes = np.empty(grid, dtype=np.int32)
                window = near
                if p > 0 and window.size < (reach + 1) * grid // dims[0]:
                    near = np.empty((reach + 1) * grid // dims[0], dtype=np.int32)
                    window = near
                sums[m], squares[m] = dense_child(
                    code, codes[a], weights, dims, size, reach, counts, boxes, window
                )
                continue

            for i in range(n):
                sorted_codes[i] = codes[a, perm[i]]
            if choice == TABLE:
                if table.size < n_cells * size:
                    table = np.empty(n_cells * size, dtype=np.int32)
                if boxes.size < n_cells * size:
                    boxes = np.empty(n_cells * size, dtype=np.int32)
                sums[m], squares[m] = table_child(
                    sorted_codes,
                    sorted_weights,
                    size,
                    reach,
                    row_start,
                    segment_of,
                    first,
                    last,
                    table,
                    boxes,
                    near,
                )
            else:
                scan_child(
                    sorted_codes,
                    reach,
                    sorted_weights,
                    row_start,
                    segment_of,
                    first,
                    last,
                    histogram,
                    out,
                )
                s1, s2 = np.uint64(0), np.uint64(0)
                for i in range(n):
                    count = np.uint64(out[i])
                    weighted = np.uint64(sorted_weights[i]) * count
                    s1 += weighted
                    s2 += weighted * count
                sums[m] = s1
                squares[m] = s2
    return used
