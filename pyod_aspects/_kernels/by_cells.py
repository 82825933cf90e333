"""Groups of subspaces counted by the occupied cells of their parents: in tables, or in lists."""

from __future__ import annotations

import numpy as np

from ._jit import inner, jit
from .arrays import cleared
from .cells import sorted_rows, walk_of
from .plan import AUTO, BITSET, DENSE, MAX_BYTES, SPARSE, TABLE, cells_cost
from .sparse import sparse_child
from .table import line_length, table_child
from .views import Views, column_of, n_rows_of, view_of, weights_of


@inner
def _by_size(sizes, attributes):
    """Sort attributes by their numbers of codes: the walk goes along the one with the most."""
    out = attributes.copy()
    for i in range(1, out.size):
        a, j = out[i], i
        while j > 0 and sizes[out[j - 1]] > sizes[a]:
            out[j] = out[j - 1]
            j -= 1
        out[j] = a
    return out


@inner
def _in_view(views, view, cell_of):
    """Cells of the rows of a view, from those of the next one."""
    begin = views.begins[view]
    out = np.empty(n_rows_of(views, view), dtype=np.int32)
    for r in range(out.size):
        out[r] = cell_of[views.up[begin + r]]
    return out


@jit
def count_by_cells(
    strategy,
    view_codes,
    view_merged,
    view_weights,
    view_up,
    view_begins,
    view_last,
    sizes,
    reach,
    parents,
    starts,
    children,
    choice,
    sequence,
    sums,
    squares,
    unit,
):
    """Fill sums and squares of the counts for the sparse and table subspaces of some groups.

    The groups are `sequence`; group g has the parent `parents[g]` and the children
    `children[starts[g]:starts[g + 1]]`. What a parent needs is made once for all its children.
    unit: an array of the type that counts have in tables, see `bytes_of_counts`.
    """
    views = Views(view_codes, view_merged, view_weights, view_up, view_begins, view_last)
    n = n_rows_of(views, 0)
    widest = 0
    for size in sizes:
        widest = max(widest, size)
    histogram = cleared(np.empty(widest + 2 * reach, dtype=np.int32))
    near = np.empty(line_length(widest, reach) + 2 * reach, dtype=unit.dtype)
    table = np.empty(1, dtype=unit.dtype)
    every = np.empty(n, dtype=np.int32)
    for r in range(n):
        every[r] = r
    code, count = np.empty(n + 1, dtype=np.int32), np.empty(n + 1, dtype=np.int32)
    entry_of = np.empty(n + 1, dtype=np.int32)

    for g in sequence:
        # The cells are found in the parent's own view. Children with a wider column than the
        # parent's are counted in a view before that.
        view = view_of(views, parents[g])
        first = last = view
        for m in range(starts[g], starts[g + 1]):
            if choice[m] != BITSET and choice[m] != DENSE:
                first = min(first, views.last[children[m]])
        cell_of, walk = walk_of(views, view, sizes, reach, _by_size(sizes, parents[g]))
        n_cells, steps = walk[0].size, walk[2].size + walk[4].size
        while view >= first:
            if view < last:
                cell_of = _in_view(views, view, cell_of)
            have_rows = False
            weights = weights_of(views, view)
            for m in range(starts[g], starts[g + 1]):
                a = children[m]
                other = choice[m] == BITSET or choice[m] == DENSE
                if other or min(last, views.last[a]) != view:
                    continue
                column = column_of(views, view, a)
                room = n_cells * line_length(sizes[a], reach) + reach
                chosen = choice[m]
                if strategy == AUTO:
                    by_table, by_list = cells_cost(
                        column.size, sizes[a], n_cells, steps, unit.itemsize
                    )
                    chosen = TABLE if by_table < by_list else SPARSE
                if chosen == TABLE and room * unit.itemsize <= MAX_BYTES:
                    if table.size < room:
                        table = np.empty(room, dtype=unit.dtype)
                    sums[m], squares[m] = table_child(
                        cell_of, walk, column, weights, sizes[a], reach, table, near
                    )
                else:
                    if not have_rows:
                        rows, row_start = sorted_rows(cell_of, n_cells, every[: column.size])
                        have_rows = True
                    sums[m], squares[m] = sparse_child(
                        rows,
                        row_start,
                        walk,
                        column,
                        weights,
                        reach,
                        histogram,
                        code,
                        count,
                        entry_of,
                    )
            view -= 1
