"""Which way of counting costs least, for every subspace of a level.

The costs are estimates in nanoseconds on one core; they decide how the counts are found, never
what they are.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

AUTO, DENSE, TABLE, BITSET, SPARSE = 0, 1, 2, 3, 4

MAX_GRID = 1 << 22  # bins of the largest whole grid or table: 16 MB
_SAMPLE = 512  # rows from which the repetition of cells is guessed


@jit
def _dense_cost(n, grid, p):
    return 1.2 * n + grid * (0.4 * p + 0.7)


@jit
def _bitset_cost(n, words):
    return n * (8.0 + 0.5 * words)


@jit
def _cells_repeat(codes, sizes, parent):
    """Guess from a sample of rows whether the parent's cells hold many rows each."""
    n = codes.shape[1]
    step = max(1, n // _SAMPLE)
    code = np.zeros(n // step, dtype=np.int64)
    for a in parent:
        for i in range(code.size):
            code[i] = code[i] * sizes[a] + codes[a, i * step]  # may overflow: still a good hash
    # Distinct codes, but for a few that share a bucket.
    seen = np.zeros(1 << 12, dtype=np.bool_)
    distinct = 0
    for i in range(code.size):
        bucket = ((code[i] * 0x9E3779B97F4A7C1) >> 40) & 0xFFF
        if not seen[bucket]:
            seen[bucket] = True
            distinct += 1
    return 3 * distinct < code.size


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
        repeats = -1
        for m in range(starts[g], starts[g + 1]):
            a = children[m]
            grid = parent_grid * (sizes[a] + reach)
            dense = _dense_cost(n, grid, p) if grid <= MAX_GRID or p == 0 else np.inf
            bits = np.inf
            if parent_has_bits and has_bits[a]:
                bits = _bitset_cost(n, words[g])
            chosen = strategy
            if strategy == AUTO:
                chosen = BITSET if bits < dense else DENSE
                if min(bits, dense) > 12.0 * n:
                    if repeats < 0:
                        repeats = 1 if _cells_repeat(codes, sizes, parent) else 0
                    if repeats == 1 or min(bits, dense) == np.inf:
                        chosen = SPARSE
            elif (strategy == DENSE and dense == np.inf) or (strategy == BITSET and bits == np.inf):
                chosen = SPARSE
            choice[m] = chosen
            if chosen == DENSE:
                cost[g, 0] += dense
            elif chosen == BITSET:
                cost[g, 1] += bits
            else:
                cost[g, 2] += 30.0 * n
