"""Bars of a histogram: the same for a column in all pictures.

They are the bins of the density in the middle of the column, joined or divided to a readable
number. Where bars are bins, those in the frame add up to the rows nearby.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._util.types import FloatArray
from ..density import Density
from .window import Range

_MOST, _LEAST = 60, 24
_TOO_MANY = 1000


@dataclass(frozen=True)
class Bars:
    """Bars of equal width, one of which begins at `anchor`.

    Examples
    --------
    >>> Bars(anchor=0.5, width=0.25).edges(0.1, 1.2)
    array([0.  , 0.25, 0.5 , 0.75, 1.  , 1.25])
    """

    anchor: float
    width: float

    @classmethod
    def of(cls, values: FloatArray, j: int, window: Range, density: Density) -> Bars:
        """Bars of column `j` of a table, for its window."""
        column = values[:, j]
        present = column[~np.isnan(column)]
        length = window[1] - window[0]
        if not present.size or not 0.0 < length < np.inf:
            return cls(window[0] - 0.5, 1.0)
        half = present.size // 2
        middle = values[:1].copy()
        middle[0, j] = np.partition(present, half)[half]
        edges = density.neighbourhood(middle, 0)
        anchor, end = (np.nan, np.nan) if edges is None else (float(side[0, j]) for side in edges)
        width = end - anchor
        if not 0.0 < width < np.inf:  # no bins, or a bin of a single value
            widths = density.bin_width(middle)
            anchor, width = window[0], np.nan if widths is None else float(widths[0, j])
        least = min(_LEAST, max(1, round(2 * present.size ** (1 / 3))))
        if not 0.0 < width <= length:
            anchor, width = window[0], length / least
        if length > _MOST * width:
            width *= np.ceil(length / (_MOST * width))
        elif length < least * width:
            parts = np.ceil(least * width / length)
            if (present == np.floor(present)).all():  # a bar of 0.7 holds one whole number or none
                parts = max(1.0, min(parts, np.floor(width)))
            width /= parts
        return cls(anchor, float(width))

    def edges(self, low: float, high: float) -> FloatArray:
        """Edges of the bars from `low` to `high`; they may begin before and end after."""
        first = np.floor((low - self.anchor) / self.width)
        last = np.ceil((high - self.anchor) / self.width)
        if not last - first <= _TOO_MANY:  # far wider than the window of a picture
            return np.linspace(low, high, _MOST + 1)
        return self.anchor + self.width * np.arange(first, max(last, first + 1) + 1)
