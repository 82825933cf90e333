"""Lift: rows nearby as a share of the rows expected if one feature were unrelated to the others.

Let N_s be the number of other rows near a query in every attribute of s, out of n other rows. If an
attribute a were unrelated to the rest of s, s would hold E = N_{s without a} * N_a / n of them. For
the least needed attribute, the one with the lowest E,

    lift(s) = (N_s + c) / (E + c),    c = 1 + k / 2

with k attributes in s. Few rows say little, and the less the more subspaces of that size there are
to choose from: hence c. An unneeded attribute makes the lift about 1, so supersets of an outlying
attribute drop out by themselves. For one attribute, E is the mean of N_s over all rows. The lift is
the lowest one of several reaches (`density.reaches`). It needs only the query's own counts, no
statistics of all rows, and counts add up over the parts of a table.

A beam that follows lifts loses its way among many attributes. It follows the *guide* instead, which
grows with the number of missing rows and not only with their share. The guide is the logarithm of
Chernoff's bound on finding N_s rows or fewer if E are expected,

    guide(s) = N_s - E - N_s * log(N_s / E)    if N_s < E, else 0,

again the lowest one of the reaches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._util.types import FloatArray, IntArray, Tick
from ..exceptions import InvalidInputError

if TYPE_CHECKING:
    from ..density import Density


def constant(k: int) -> float:
    """Constant to add to both counts in a subspace of k attributes."""
    return 1.0 + 0.5 * k


def lift(density: Density, subspaces: Any, points: Any, tick: Tick | None = None) -> FloatArray:
    """Rows near each point as a share of the expected rows, both plus a constant.

    Parameters
    ----------
    density : Density
        Fitted; it counts rows (`measure`).
    subspaces : array-like of int, shape (m, k)
    points : array-like of shape (q, n_features)
    tick : callable, optional
        Gets the number of finished subspaces now and then.

    Returns
    -------
    ndarray of shape (m, q)

    Examples
    --------
    >>> from pyod_aspects.density import SGrid
    >>> X = [[i, i] for i in range(30)] + [[2, 27]]
    >>> lift(SGrid().fit(X), [(0, 1)], X[-1:]).round(2)
    array([[0.21]])
    """
    if density.measure != "count":
        raise InvalidInputError(
            f"lift needs a density that counts rows, as SGrid does: {type(density).__name__} has "
            "none; use zscore."
        )
    array, values = np.asarray(subspaces), density._check_points(points)
    itself = density.holds(values).astype(np.float64)
    n_others = np.maximum(1, density.n_rows_ - itself)
    k = array.shape[1]
    lowest = np.full((len(array), len(values)), np.inf)
    reaches = _reaches_of(density)
    for i, reach in enumerate(reaches):

        def count(attributes: IntArray, reach: IntArray | None = reach) -> FloatArray:
            return density.near(attributes, values, reach) - itself

        near = count(array)
        if k == 1:
            expected = (_mean_counts(density, reach)[array[:, 0]] - 1.0)[:, None]
        else:
            without = (count(np.delete(array, j, axis=1)) for j in range(k))
            alone = (count(array[:, [j]]) for j in range(k))
            products = [rest * one for rest, one in zip(without, alone, strict=True)]
            expected = np.min(products, axis=0) / n_others
        lowest = np.minimum(lowest, (near + constant(k)) / (expected + constant(k)))
        if tick is not None:
            tick((i + 1) * len(array) // len(reaches))
    return lowest


def _reaches_of(density: Density) -> list[IntArray | None]:
    """Reaches of a grid; any other density has one neighbourhood."""
    reaches = getattr(density, "reaches", None)
    return [None] if reaches is None else list(reaches())


def _mean_counts(density: Density, reach: IntArray | None) -> FloatArray:
    """Mean counts in each column alone, the row itself included."""
    means = getattr(density, "mean_counts", None)
    if means is not None and reach is not None:
        return np.asarray(means(reach[None])[0])
    single = np.arange(density.n_features_in_)[:, None]
    nobody = np.empty((0, density.n_features_in_))
    return density.moments(single, nobody)[1]
