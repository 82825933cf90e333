"""Groups of subspaces counted on the whole grid."""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .arrays import cleared
from .dense import dense_child, parent_codes, room_for
from .plan import DENSE
from .views import Views, column_of, view_of, weights_of


@jit
def count_by_grid(
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
    cells,
    unit,
):
    """Fill sums and squares of the counts for the dense subspaces of some groups.

    The groups are `sequence`; group g has the parent `parents[g]` and the children
    `children[starts[g]:starts[g + 1]]`. cells: gets the number of occupied cells, of pairs only.
    unit: an array of the type that counts have, see `bytes_of_counts`.
    """
    views = Views(view_codes, view_merged, view_weights, view_up, view_begins, view_last)
    p = parents.shape[1]
    dims = np.empty(p, dtype=np.int64)
    counts = cleared(np.empty(1, dtype=unit.dtype))  # the whole grid: zeros between children
    boxes = np.empty(1, dtype=unit.dtype)
    for g in sequence:
        parent_grid = 1
        for j in range(p):
            dims[j] = sizes[parents[g, j]]
            parent_grid *= dims[j] + reach
        last, view = view_of(views, parents[g]), -1
        for m in range(starts[g], starts[g + 1]):
            if choice[m] != DENSE:
                continue
            a = children[m]
            if min(last, views.last[a]) != view:
                view = min(last, views.last[a])
                code = parent_codes(views, view, sizes, reach, parents[g])
            grid = parent_grid * (sizes[a] + reach)
            if counts.size < grid:
                counts = cleared(np.empty(grid, dtype=unit.dtype))
            _, _, room = room_for(dims, sizes[a], reach)
            if boxes.size < room:
                boxes = np.empty(room, dtype=unit.dtype)
            sums[m], squares[m], cells[m] = dense_child(
                code,
                column_of(views, view, a),
                weights_of(views, view),
                dims,
                sizes[a],
                reach,
                counts,
                boxes,
            )
