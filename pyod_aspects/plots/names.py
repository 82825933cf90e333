"""Names of marked rows: rows that lie together share one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._util.types import FloatArray
from ..explanation.writing.wording import elide, join_first

MOST_NAMED = 8
"""Most rows of a group for which a picture writes names."""

_ONE_BY_ONE = 3  # most rows to name in one place


def name_clusters(
    names: Sequence[str], places: FloatArray, reach: float
) -> list[tuple[str, list[int]]]:
    """Join the names of rows within reach of each other, with their numbers; [] for many rows.

    Parameters
    ----------
    names : sequence of str
        In words: "row 7".
    places : ndarray of shape (n, 2)
        In pixels.
    reach : float

    Examples
    --------
    >>> places = np.array([[0.0, 0.0], [3.0, 0.0], [90.0, 0.0]])
    >>> name_clusters(["row 7", "row 12", "row 40"], places, 10.0)
    [('rows 7, 12', [0, 1]), ('row 40', [2])]
    """
    if len(names) > MOST_NAMED:
        return []
    clusters: list[list[int]] = []
    for i, place in enumerate(places):
        for cluster in clusters:
            if np.hypot(*(places[cluster[0]] - place)) <= reach:
                cluster.append(i)
                break
        else:
            clusters.append([i])
    return [(_join([names[i] for i in cluster]), cluster) for cluster in clusters]


def _join(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    short = [elide(name.removeprefix("row "), 12) for name in names]
    return f"rows {join_first(short, _ONE_BY_ONE)}"
