"""Rows merged further, for subspaces without the widest columns.

View 0 is the table. Each next view has fewer columns, and so fewer distinct rows. A subspace
is counted in the last view that has it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._util.types import CodeArray, IntArray
from ._jit import inline, inner


class Views(NamedTuple):
    """A table and its views.

    `codes` (n_features, n_rows) has those of view 0, `merged` those of the others side by side.
    For the rows of all views, one view after the other from its place in `begins` on: `weights`,
    for how many rows of the table each stands, and `up`, which row of the next view it became.
    `last` is the last view that has each column.

    Kernels get its parts from Python and put them together again: numba 0.59 takes tuples of so
    many arrays for each other.
    """

    codes: CodeArray
    merged: CodeArray
    weights: npt.NDArray[np.int32]
    up: npt.NDArray[np.int32]
    begins: IntArray
    last: IntArray


@inline
def n_rows_of(views, view):
    """Return the number of rows of a view."""
    return views.begins[view + 1] - views.begins[view]


@inner
def column_of(views, view, a):
    """Return the codes of an attribute in a view."""
    if view == 0:
        return views.codes[a]
    first = views.begins[1]
    return views.merged[a, views.begins[view] - first : views.begins[view + 1] - first]


@inline
def weights_of(views, view):
    """Return how many rows of the table each row of a view stands for."""
    return views.weights[views.begins[view] : views.begins[view + 1]]


@inner
def view_of(views, attributes):
    """Return the last view that has all of some attributes."""
    view = views.begins.size - 2
    for a in attributes:
        view = min(view, views.last[a])
    return view
