"""Which way of counting costs least, for every subspace of a level.

The costs are estimates in nanoseconds on one core; they decide how the counts are found, never
what they are.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

AUTO, DENSE, TABLE, BITSET, SPARSE = 0, 1, 2, 3, 4

MAX_GRID = 1 << 22  # bins of the largest whole grid or table: 16 MB
_SAMPLE = 4096  # rows from which the repetition of cells is guessed


@jit
def _dense_cost(n, grid, p):
    return 1.2 * n + grid * (0.4 * p + 0.7)


@jit
def _bitset_cost(n, words):
    return n * (8.0 + 0.5 * words)


@jit
def _cells_cost(n, p, share, n_children):
    # Few rows to a cell: many neighbours to look at, for each of many cells.
    each = 5.0 + 12.0 * share if share < 0.6 else 15.0 * 3.0 ** min(p, 4)
    return n * (each + 12.0 * p / n_children)


@jit
def _distinct_share(codes, sizes, parent):
    """Distinct parent cells among a sample of rows, as a share of it: low where cells repeat."""
    n = codes.shape[1]
    step = max(1, n // _SAMPLE)
    m = n // step
    seen = np.zeros(8 * _SAMPLE, dtype=np.bool_)
    distinct = 0
    for i in range(m):
        code = np.int64(0)
        for a in parent:
            code = code * sizes[a] + codes[a, i * step]  # may overflow: still a good hash
        bucket = ((code * 0x9E3779B97F4A7C1) >> 36) % seen.size
        if not seen[bucket]:
            seen[bucket] = True
            distinct += 1
    return distinct / m


@jit
def plan(strategy, codes, sizes, reach, has_bits, words, parents, starts, children, choice, cost):
    """Fill the choice for every subspace, and the cost of every group by each kernel.

    Group g has the parent `parents[g]` and the children `children[starts[g]:starts[g + 1]]`;
    words[g]: words of bits that a row's neighbourhood is expected to take; has_bits: attributes
    that can have pseudo-bins. cost[g]: what the counting on the grid, by bits and by
    cells will take. A choice of SPARSE leaves it to the counting by cells to take a table instead.
    """
    n = codes.shape[1]
    p = parents.shape[1]
    for g in range(parents.shape[0]):
        cost[g, 0], cost[g, 1], cost[g, 2] = 0.0, 0.0, 0.0
        parent = parents[g]
        parent_grid = 1
        parent_has_bits = True
        for a in parent:
            if parent_grid <= MAX_GRID:
                parent_grid *= sizes[a] + reach
            parent_has_bits &= has_bits[a]
        n_children = starts[g + 1] - starts[g]
        by_cells = -1.0
        for m in range(starts[g], starts[g + 1]):
            a = children[m]
            grid = parent_grid * (sizes[a] + reach)
            dense = _dense_cost(n, grid, p) if grid <= MAX_GRID or p == 0 else np.inf
            bits = np.inf
            if parent_has_bits and has_bits[a]:
                bits = _bitset_cost(n, words[g]) + 3.0 * n * min(sizes.size, 64) / n_children
            chosen = strategy
            if strategy == AUTO:
                chosen = BITSET if bits < dense else DENSE
                if min(bits, dense) > 5.0 * n:
                    if by_cells < 0.0:
                        share = _distinct_share(codes, sizes, parent)
                        by_cells = _cells_cost(n, p, share, n_children)
                    if by_cells < min(bits, dense):
                        chosen = SPARSE
            elif (strategy == DENSE and dense == np.inf) or (strategy == BITSET and bits == np.inf):
                chosen = SPARSE
            choice[m] = chosen
            if chosen == DENSE:
                cost[g, 0] += dense
            elif chosen == BITSET:
                cost[g, 1] += bits
            else:
                cost[g, 2] += by_cells if by_cells > 0.0 else 30.0 * n
