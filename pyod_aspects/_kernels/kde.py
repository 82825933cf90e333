"""Product kernels of a level, multiplied up from the parent, block of rows by block of rows.

For a block of points the kernels of all attributes are evaluated once; a subspace then costs one
multiplication per pair of point and row, and no exponential.
"""

from __future__ import annotations

import math

from ._jit import jit, jit_reassociate


@jit
def _attribute_kernels(points, rows, used, inverse, out):
    """out[a, i, r] = exp(-((points[i, a] - rows[a, r]) * inverse[a])**2 / 2) where used[a]."""
    for a in range(rows.shape[0]):
        if not used[a]:
            continue
        for i in range(points.shape[0]):
            x = points[i, a]
            for r in range(rows.shape[1]):
                z = (x - rows[a, r]) * inverse[a]
                out[a, i, r] = math.exp(-0.5 * z * z)


@jit_reassociate
def _dot(a, b):
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@jit
def product_sums(points, rows, inverse, used, parents, starts, children, kernels, parent, out):
    """out[m, i]: sum over rows of the product of the kernels of subspace m at point i.

    inverse: 1 / bandwidth, 0 for a column that contributes nothing. kernels: room for (attributes,
    points, rows); parent: room for (rows,).
    """
    _attribute_kernels(points, rows, used, inverse, kernels)
    for g in range(parents.shape[0]):
        for i in range(points.shape[0]):
            parent[:] = 1.0
            for a in parents[g]:
                row = kernels[a, i]
                for r in range(row.size):
                    parent[r] *= row[r]
            for m in range(starts[g], starts[g + 1]):
                out[m, i] = _dot(parent, kernels[children[m], i])
