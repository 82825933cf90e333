"""Which way of counting costs least, for every subspace of a level.

The costs are estimates in nanoseconds on one core; they decide how the counts are found, never
what they are.
"""

from __future__ import annotations

import numpy as np

from ._jit import inner, jit
from .arrays import cleared
from .views import Views, column_of, n_rows_of, view_of

AUTO, DENSE, TABLE, BITSET, SPARSE = 0, 1, 2, 3, 4

MAX_BYTES = 1 << 24  # of the largest whole grid or table
_SAMPLE = 2048  # rows from which the number of cells is guessed
FEW = 2048  # rows for which cells would save less than compiling their kernels takes


@inner
def _n_cells(views, view, sizes, parent):
    """Cells of a parent, guessed from some rows of its view."""
    n = n_rows_of(views, view)
    step = max(1, n // _SAMPLE)
    m = n // step
    code = cleared(np.empty(m, dtype=np.int64))
    for a in parent:
        column = column_of(views, view, a)
        for i in range(m):
            code[i] = code[i] * sizes[a] + column[i * step]  # may overflow: still a good hash
    places = 4 * _SAMPLE  # up to half of them get filled
    code_at = np.empty(places, dtype=np.int64)
    seen = cleared(np.empty(places, dtype=np.uint8))
    distinct, once = 0, 0
    for i in range(m):
        place = (code[i] * np.int64(0x9E3779B97F4A7C1) >> 36) & np.int64(places - 1)
        while seen[place] > 0 and code_at[place] != code[i]:
            place = (place + 1) & np.int64(places - 1)
        if seen[place] == 0:
            code_at[place] = code[i]
            seen[place] = 1
            distinct += 1
            once += 1
        elif seen[place] == 1:
            seen[place] = 2
            once -= 1
    # Of the rows that would come next, as many as were seen once find a new cell (Good 1953), and
    # ever fewer later: the square was right within a factor of three on tables of all kinds.
    return distinct * (n / m) ** ((once / distinct) ** 2)


@inner
def dense_cost(n, grid, p, n_bytes):
    """Nanoseconds for a subspace of p + 1 attributes on a whole grid; n_bytes: of a count."""
    beyond_cache = max(0.0, grid * n_bytes - 2e6) / 7e6
    return 0.7 * n + grid * (0.25 + 0.05 * n_bytes * p) * (1.0 + beyond_cache)


def table_cost(n, size, n_cells, steps, n_bytes):
    """Nanoseconds for one child with `size` codes in a table, see `cells_cost`: arrays will do."""
    line = n_bytes * (size + 10.0)
    return 0.9 * n + n_cells * (15.0 + 0.08 * line) + steps * (1.2 + 0.008 * line)


_table_cost = inner(table_cost)


@inner
def cells_cost(n, size, n_cells, steps, n_bytes):
    """Nanoseconds for one child with `size` codes, in a table and in lists.

    steps: cells that come and go on the walk through the parent's n_cells; n_bytes: of a count in
    the table.
    """
    entries = min((n / n_cells) ** 0.8, 1.0 + size / 30.0)
    by_list = 3.5 * n + n_cells * 17.0 + steps * (1.3 + 1.4 * entries)
    return _table_cost(n, size, n_cells, steps, n_bytes), by_list


@jit
def plan(
    strategy,
    view_codes,
    view_merged,
    view_weights,
    view_up,
    view_begins,
    view_last,
    sizes,
    reach,
    adjacent,
    parents,
    starts,
    children,
    choice,
    cost,
    n_bytes,
):
    """Fill the choice between grid and cells for every subspace, and its cost.

    Group g has the parent `parents[g]` and the children `children[starts[g]:starts[g + 1]]`.
    adjacent: occupied bins within reach of a row, on average, for each attribute. n_bytes[g]: of a
    count in grids and tables. A choice of SPARSE leaves it to the counting by cells to take a
    table. Any other strategy is the choice where it is possible; BITSET is as AUTO.
    """
    views = Views(view_codes, view_merged, view_weights, view_up, view_begins, view_last)
    n_all = n_rows_of(views, 0)
    p = parents.shape[1]
    for g in range(parents.shape[0]):
        n_children = starts[g + 1] - starts[g]
        parent_grid = 1.0  # whole numbers of 64 bits might not hold it
        steps = 2.0
        for i in range(p):
            a = parents[g, i]
            parent_grid *= sizes[a] + reach
            steps *= adjacent[a]
        view = view_of(views, parents[g])
        n_cells = -1.0
        for m in range(starts[g], starts[g + 1]):
            a = children[m]
            n = n_rows_of(views, min(view, views.last[a]))
            grid = parent_grid * (sizes[a] + reach)
            dense = np.inf
            if grid * n_bytes[g] <= MAX_BYTES or p == 0:
                dense = dense_cost(n, grid, p, n_bytes[g])
            chosen, by_cells = strategy, np.inf
            if strategy in (AUTO, BITSET):
                chosen = DENSE
            elif strategy == DENSE and dense == np.inf:
                chosen = SPARSE
            # With few rows bits cost less, and the kernels for cells need not be compiled.
            if chosen != DENSE or (n_all > FEW and dense > 2.5 * n):
                if n_cells < 0.0:
                    n_cells = 0.5 * parent_grid
                    if n_cells > 0.02 * n_rows_of(views, view):
                        n_cells = min(parent_grid, _n_cells(views, view, sizes, parents[g]))
                    # The walk goes along the attribute with the most codes.
                    widest = 1.0
                    for b in parents[g]:
                        widest = max(widest, adjacent[b])
                    steps = n_cells * max(2.0, steps / widest)
                by_table, by_list = cells_cost(n, sizes[a], n_cells, steps, n_bytes[g])
                walk = 2.0 * p * n_rows_of(views, view) + 12.0 * steps
                by_cells = min(by_table, by_list) + walk / n_children
                if chosen == DENSE and strategy != DENSE and by_cells < dense:
                    chosen = SPARSE
            choice[m] = chosen
            cost[m] = dense if chosen == DENSE else by_cells
