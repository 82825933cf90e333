"""Groups of subspaces counted by the occupied cells of their parents: in tables, or by scanning."""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .cells import cells_of
from .plan import AUTO, BITSET, DENSE, MAX_GRID, SPARSE, TABLE
from .sparse import scan_child
from .table import table_child


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
def count_by_cells(
    strategy,
    codes,
    sizes,
    weights,
    reach,
    parents,
    starts,
    children,
    choice,
    sequence,
    begin,
    end,
    sums,
    squares,
):
    """Fill sums and squares of the counts for the sparse and table subspaces of some groups.

    The groups are sequence[begin:end]; group g has the parent `parents[g]` and the children
    `children[starts[g]:starts[g + 1]]`. What a parent needs is made once for all its children.
    """
    n = codes.shape[1]
    widest = 0
    for size in sizes:
        widest = max(widest, size)
    histogram = np.zeros(widest + 2 * reach, dtype=np.int64)
    near = np.empty(widest, dtype=np.int32)
    boxes = np.empty(1, dtype=np.int32)
    table = np.empty(1, dtype=np.int32)
    cell_of = np.empty(n, dtype=np.int32)
    sorted_codes = np.empty(n, dtype=codes.dtype)
    sorted_weights = np.empty(n, dtype=weights.dtype)

    for i_group in range(begin, end):
        g = sequence[i_group]
        parent = parents[g]
        have_cells = False
        for m in range(starts[g], starts[g + 1]):
            a = children[m]
            size = sizes[a]
            if choice[m] == BITSET or choice[m] == DENSE:
                continue
            if not have_cells:
                perm, row_start, segment_of, first, last = cells_of(codes, sizes, reach, parent)
                n_cells = row_start.size - 1
                pairs, looks = _parent_work(row_start, segment_of, first, last)
                for c in range(n_cells):
                    for i in range(row_start[c], row_start[c + 1]):
                        cell_of[perm[i]] = c
                        sorted_weights[i] = weights[perm[i]]
                have_cells = True
            chosen = choice[m]
            if strategy == AUTO:
                table_cost = n_cells * size * 1.0 + pairs * min(size * 0.15, 1.0 * n / n_cells)
                chosen = TABLE if table_cost < looks * 0.7 else SPARSE
            if chosen == TABLE and n_cells * size <= MAX_GRID:
                if table.size < n_cells * size:
                    table = np.empty(n_cells * size, dtype=np.int32)
                if boxes.size < n_cells * size:
                    boxes = np.empty(n_cells * size, dtype=np.int32)
                sums[m], squares[m] = table_child(
                    cell_of,
                    codes[a],
                    weights,
                    size,
                    reach,
                    segment_of,
                    first,
                    last,
                    table,
                    boxes,
                    near,
                )
            else:
                for i in range(n):
                    sorted_codes[i] = codes[a, perm[i]]
                sums[m], squares[m] = scan_child(
                    sorted_codes,
                    sorted_weights,
                    reach,
                    row_start,
                    segment_of,
                    first,
                    last,
                    histogram,
                )
