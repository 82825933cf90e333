"""The window that holds the rows of a column; a few far values do not stretch it.

The window begins with the middle 90 % of the rows, one width of it added on each side, and holds
the middle 98 % in any case. It ends at the first and the last row inside, so that it has no empty
margins. If the whole column is hardly longer, the window is the whole column.
"""

from __future__ import annotations

import numpy as np

from .._util.types import FloatArray

Range = tuple[float, float]

_INNER, _OUTER = 20, 100  # leave out one row of so many on each side
_FEW = 2  # rows to leave out on each side of a small table
_HARDLY = 1.3  # most length of the whole column, in windows, to show it all


def find_window(values: FloatArray) -> Range:
    """Find the ends of the window, without missing values.

    It depends on the column alone: every picture of the column has the same.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)

    Returns
    -------
    tuple of float
        The ends; (0, 1) if there are no values.

    Examples
    --------
    >>> find_window(np.r_[np.linspace(4.0, 9.0, 1000), 31.8, 58.9])
    (4.0, 9.0)
    >>> find_window(np.r_[np.linspace(4.0, 9.0, 1000), 9.9])
    (4.0, 9.9)
    """
    present = values[np.isfinite(values)]
    if not present.size:
        return 0.0, 1.0
    first, last = float(present.min()), float(present.max())
    low, high = _limits(present)
    inside = present[(low <= present) & (present <= high)]
    low, high = float(inside.min()), float(inside.max())
    return (first, last) if last - first <= _HARDLY * (high - low) else (low, high)


def _limits(present: FloatArray) -> Range:
    """Farthest values that may be in the window."""
    inner = _trim(present, _INNER)
    outer = _trim(present, _OUTER)
    low = min(inner[0] - (inner[1] - inner[0]), outer[0])
    high = max(inner[1] + (inner[1] - inner[0]), outer[1])
    if low < high:
        return low, high
    # Nearly all rows have one value; the others decide the width of the window.
    others = present[present != low]
    if not others.size:
        return low, high
    first, last = _trim(others, _INNER)
    return min(first, low), max(last, high)


def _trim(present: FloatArray, one_of: int) -> Range:
    """Smallest and largest value without one row of `one_of` on each side."""
    n = present.size
    left_out = max(n // one_of, min(_FEW, n // 10))
    ordered = np.partition(present, [left_out, n - 1 - left_out])
    return float(ordered[left_out]), float(ordered[n - 1 - left_out])
