"""Product kernels of a level, built from the parent's product, tile of rows by tile of rows.

For a point and a tile of rows, the code evaluates the kernels of all attributes once, and they
stay in the cache. A subspace then costs one multiplication per point and row, no exponential.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numba.extending import intrinsic

from .._util.types import FloatArray, IntArray
from ._jit import jit, jit_reassociate

# Rows of a tile: the kernels of 40 attributes take 160 KB, a parent's product 4 KB.
TILE = 512


class WeightedRows(NamedTuple):
    """Distinct rows of a table, column by column."""

    values: FloatArray  # (d, n): missing values are infinite
    weights: FloatArray  # (n,): how many rows of the table each one stands for
    inverse: FloatArray  # (d,): 1 / bandwidth; infinite for categories and constant columns


class RepeatedValues(NamedTuple):
    """The c columns with few distinct values: one kernel evaluation for each value."""

    column_of: IntArray  # (d,): number of each column among the c, or -1
    codes: npt.NDArray[np.int32]  # (c, n): number of each row's value among those of its column
    values: FloatArray  # (v,): the distinct values of the c columns, one column after the other
    starts: IntArray  # (c + 1,): first value of each column


@intrinsic  # type: ignore[untyped-decorator]
def _bits_of(typingctx: Any, x: Any) -> Any:
    """Return the bits of a double as an integer."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], context.get_value_type(numba.int64))

    return numba.int64(numba.float64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _double_of(typingctx: Any, bits: Any) -> Any:
    """Return the double that has these bits."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], context.get_value_type(numba.float64))

    return numba.float64(numba.int64), codegen


# Adding it rounds a double to an integer, and puts the integer into the lowest bits.
_ROUND = 1.5 * 2.0**52
_LOG2_E = 1.0 / math.log(2.0)
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_C2, _C3, _C4, _C5, _C6, _C7, _C8, _C9, _C10, _C11, _C12, _C13 = (
    1.0 / math.factorial(i) for i in range(2, 14)
)


@jit
def gauss(z):
    """exp(-z*z / 2) within 4 units in the last place, without branch or call: it vectorises.

    It squares exp(-z*z / 4), which never underflows. That one is 2**k times a polynomial on
    [-ln 2 / 2, ln 2 / 2].
    """
    y = -0.25 * z * z
    y = y if y > -373.0 else -373.0  # its square is 0; the same for NaN
    t = y * _LOG2_E + _ROUND
    k = t - _ROUND
    r = (y - k * _LN2_HIGH) - k * _LN2_LOW
    r2 = r * r
    r4 = r2 * r2
    p = (
        ((1.0 + r) + r2 * (_C2 + r * _C3))
        + r4 * ((_C4 + r * _C5) + r2 * (_C6 + r * _C7))
        + r4 * r4 * (((_C8 + r * _C9) + r2 * (_C10 + r * _C11)) + r4 * (_C12 + r * _C13))
    )
    root = p * _double_of((_bits_of(t) + 1023) << 52)
    return root * root


@jit
def kernels_at(x, values, inverse, out):
    """Kernels between x and `values` (n,): exp(-((x - values[r]) * inverse)**2 / 2), into `out`.

    `out` (n,) is 1 where the two are equal. `inverse` is 1 / bandwidth of the column. A missing
    value is infinite. So is the inverse bandwidth of a category or of a constant column, whose
    values are equal or infinitely far apart.
    """
    for r in range(values.size):
        out[r] = gauss(0.0 if values[r] == x else (x - values[r]) * inverse)


@jit
def _look_up(table, codes, out):
    """out[r] = table[codes[r]], for `out` and `codes` of the same length."""
    for r in range(codes.size):
        out[r] = table[codes[r]]


@jit
def _multiply(a, b, out):
    """out[r] = a[r] * b[r], for three arrays of the same length."""
    for r in range(out.size):
        out[r] = a[r] * b[r]


@jit_reassociate
def _dot(p, a):
    """Dot product of p and a."""
    total = 0.0
    for r in range(p.size):
        total += p[r] * a[r]
    return total


@jit_reassociate
def _dot4(p, a, b, c, d):
    """Dot products of p with a, b, c and d: four at once read p once."""
    ta, tb, tc, td = 0.0, 0.0, 0.0, 0.0
    for r in range(p.size):
        x = p[r]
        ta += x * a[r]
        tb += x * b[r]
        tc += x * c[r]
        td += x * d[r]
    return ta, tb, tc, td


@jit
def _children_sums(parent, kernels, children, out):
    """Add to out[m] the sum over a tile of the parent's product times a child's kernel.

    parent (n,): product of the parent's kernels at each row of the tile. kernels (a, >= n): the
    kernels of each attribute. children (m,): attributes. out (m,).
    """
    n = parent.size
    m = 0
    while m + 4 <= children.size:
        sums = _dot4(
            parent,
            kernels[children[m], :n],
            kernels[children[m + 1], :n],
            kernels[children[m + 2], :n],
            kernels[children[m + 3], :n],
        )
        out[m] += sums[0]
        out[m + 1] += sums[1]
        out[m + 2] += sums[2]
        out[m + 3] += sums[3]
        m += 4
    for i in range(m, children.size):
        out[i] += _dot(parent, kernels[children[i], :n])


@jit
def product_sums(points, rows, repeated, attributes, families, out):
    """out[i, m]: weighted sum over rows of the product of the kernels of subspace m at point i.

    points (a, p): values of the `attributes` (a,) in use, which are columns of the table. rows:
    WeightedRows. repeated: RepeatedValues. families: Families of subspaces, whose parents and
    children number the `attributes`. Parents are sorted: each shares the product of its first
    attributes with the parent before. out (p, m).
    """
    parents, starts = families.parents, families.starts
    d, n = attributes.size, rows.weights.size
    depth = parents.shape[1]
    kernels = np.empty((d, min(n, TILE)))
    products = np.empty((depth + 1, min(n, TILE)))
    at_values = np.empty(repeated.values.size)
    out[:] = 0.0
    for i in range(points.shape[1]):
        for a in range(d):
            column = attributes[a]
            c = repeated.column_of[column]
            if c >= 0:
                span = slice(repeated.starts[c], repeated.starts[c + 1])
                kernels_at(
                    points[a, i], repeated.values[span], rows.inverse[column], at_values[span]
                )
        for begin in range(0, n, TILE):
            end = min(n, begin + TILE)
            size = end - begin
            for a in range(d):
                column = attributes[a]
                out_a = kernels[a, :size]
                c = repeated.column_of[column]
                if c >= 0:
                    span = slice(repeated.starts[c], repeated.starts[c + 1])
                    _look_up(at_values[span], repeated.codes[c, begin:end], out_a)
                else:
                    values = rows.values[column, begin:end]
                    kernels_at(points[a, i], values, rows.inverse[column], out_a)
            for r in range(size):
                products[0, r] = rows.weights[begin + r]
            for g in range(parents.shape[0]):
                same = 0
                if g > 0:
                    while same < depth and parents[g, same] == parents[g - 1, same]:
                        same += 1
                for p in range(same, depth):
                    _multiply(
                        products[p, :size], kernels[parents[g, p], :size], products[p + 1, :size]
                    )
                span = slice(starts[g], starts[g + 1])
                children = families.children[span]
                _children_sums(products[depth, :size], kernels, children, out[i, span])


@jit
def block_moments(sums, weights, mean, squares):
    """Fill weighted mean over the rows of a block, and sum of squared deviations from it.

    sums (p, m): of p rows for m subspaces. weights (p,): of the rows. mean, squares (m,): results.
    """
    mean[:] = 0.0
    squares[:] = 0.0
    total = 0.0
    for i in range(sums.shape[0]):
        total += weights[i]
        for m in range(mean.size):
            mean[m] += weights[i] * sums[i, m]
    for m in range(mean.size):
        mean[m] /= total
    for i in range(sums.shape[0]):
        for m in range(mean.size):
            delta = sums[i, m] - mean[m]
            squares[m] += weights[i] * delta * delta
