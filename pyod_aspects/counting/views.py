"""A table without its widest columns, rows merged anew: most subspaces need no more.

Rows that differ in a wide column only are many in real tables. They count as one for every subspace
that does not have the column.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .._kernels.views import Views
from .._util.types import CodeArray, IntArray

# Rows that a view has, as a share of those of the view before, at the most.
_WORTH_IT = 0.7


def views_of(
    codes: CodeArray,
    weights: npt.NDArray[np.int32],
    narrow_first: IntArray,
    min_rows: int,
) -> Views:
    """Views of distinct rows, codes (n_features, n_rows), that are sorted narrowest column first.

    Rows in any other order are right, too, but fewer of them are merged. No view has less than
    `min_rows` rows.

    >>> codes = np.array([[0, 1, 2, 0], [0, 0, 0, 1]], dtype=np.int32)
    >>> views = views_of(codes, np.ones(4, dtype=np.int32), np.array([1, 0]), min_rows=1)
    >>> views.merged[1].tolist(), views.weights[4:].tolist(), views.up[:4].tolist()
    ([0, 1], [3, 1], [0, 0, 0, 1])
    >>> views.last.tolist()
    [0, 1]
    """
    n_features, n = codes.shape
    new = np.zeros(n, dtype=bool)  # rows that differ from the one before in the columns so far
    new[0] = True
    found: list[tuple[int, int, npt.NDArray[np.bool_]]] = []  # columns and rows, fewest first
    for i, a in enumerate(narrow_first[:-1].tolist()):
        new[1:] |= codes[a, 1:] != codes[a, :-1]
        n_rows = int(np.count_nonzero(new))
        if n_rows > _WORTH_IT * n:
            break
        if found and found[-1][1] > _WORTH_IT * n_rows:
            found.pop()
        if n_rows >= min_rows:
            found.append((i + 1, n_rows, new.copy()))
    last = np.zeros(n_features, dtype=np.int64)
    begins, every_weights, ups, merged = [0, n], [weights], [], [codes[:, :0]]
    rows: IntArray | slice = slice(None)
    for view, (n_columns, n_rows, first) in enumerate(reversed(found), start=1):
        last[narrow_first[:n_columns]] = view
        ups.append(np.cumsum(first[rows], dtype=np.int32) - np.int32(1))
        rows = np.flatnonzero(first)
        begins.append(begins[-1] + n_rows)
        every_weights.append(np.add.reduceat(weights, rows, dtype=np.int32))
        merged.append(codes.take(rows, axis=1))
    ups.append(np.zeros(begins[-1] - begins[-2], dtype=np.int32))  # no view after the last
    return Views(
        codes,
        np.concatenate(merged, axis=1),
        np.concatenate(every_weights),
        np.concatenate(ups),
        np.array(begins),
        last,
    )
