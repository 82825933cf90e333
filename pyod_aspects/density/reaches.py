"""Reaches: the number of bins to each side that are nearby, column by column.

One reach is not enough. Small boxes show rows that are odd in one or two features. Wide ones show
rows that are odd in four or five, where small boxes are empty anyway. The reaches follow from the
share of all rows that a typical row has nearby, so neither the number of rows nor a tail matters.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._util.types import FloatArray, IntArray
from ..binning.bins import OccupiedBins
from ..binning.cuts import MAX_REACH

SHARES = (0.1, 0.2, 0.35, 0.45, 0.55, 0.65)
"""Shares of all rows that a typical row has nearby, one for each reach after the first."""


def find_reaches(columns: Sequence[OccupiedBins]) -> IntArray:
    """Reaches of all columns: (n_reaches, n_features), the smallest first, each row once.

    The first is 1 in every column. Each of the others belongs to one of `SHARES`. In every column
    it is the smallest reach, at least 1, at which the mean count reaches that share of the rows. A
    column without such a reach, such as a category, gets the largest that matters.

    Examples
    --------
    >>> column, _ = OccupiedBins.of(np.arange(100), reach=1)
    >>> find_reaches([column]).ravel().tolist()
    [1, 5, 11, 19, 26, 33, 41]
    """
    found = [[1] * len(columns)]
    each = [_reaches_of(column) for column in columns]
    found += [list(reaches) for reaches in zip(*each, strict=True)]
    distinct = dict.fromkeys(tuple(reaches) for reaches in found)
    return np.array(list(distinct), dtype=np.int64).reshape(len(distinct), len(columns))


def _reaches_of(column: OccupiedBins) -> list[int]:
    """The smallest reach of each share."""
    widest = _widest(column)
    n_rows = int(column.filled.sum())
    reaches, least = [], 1
    for share in SHARES:
        low, high = least, widest
        while low < high:  # the mean count never falls as the reach grows
            middle = (low + high) // 2
            if mean_count(column, middle) >= share * n_rows:
                high = middle
            else:
                low = middle + 1
        reaches.append(low)
        least = low
    return reaches


def _widest(column: OccupiedBins) -> int:
    """Smallest reach at which all bins with neighbours are near each other; 1 without such bins."""
    gaps = np.diff(column.bins)
    apart = np.flatnonzero(gaps >= MAX_REACH)  # bins of single values come last
    last = apart[0] if apart.size else column.bins.size - 1
    return max(1, min(int(column.bins[last] - column.bins[0]), MAX_REACH - 1))


def mean_count(column: OccupiedBins, reach: int) -> float:
    """Mean over all rows of the number of rows within reach, the row itself included.

    Examples
    --------
    >>> column, _ = OccupiedBins.of(np.array([0, 0, 1, 5]), reach=1)
    >>> mean_count(column, 1), mean_count(column, 5)
    (2.5, 4.0)
    """
    rows = column.filled[column.codes].astype(np.int64)
    return float((rows * column.count(column.bins, reach)).sum() / rows.sum())


def mean_counts(columns: Sequence[OccupiedBins], reaches: IntArray) -> FloatArray:
    """Mean counts of all columns at their reaches: (n_reaches, n_features)."""
    return np.array(
        [
            [mean_count(column, int(reach)) for column, reach in zip(columns, of_all, strict=True)]
            for of_all in reaches
        ]
    )
