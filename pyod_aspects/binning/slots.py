"""Slots: the bins of a cut with consecutive numbers, for many rows.

The first slots are the bins of equal width. Then come the single values with their bins, and the
last slot is "missing". Arrays with one entry per slot count rows and turn them into codes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .._kernels import columns as _kernel
from .._util.types import CodeArray, FloatArray, IntArray
from .bins import OccupiedBins
from .cuts import Cut, StretchedBins, own_bins

# Bins have slots if there are at most this many: per row, and in addition.
_BINS_PER_ROW, _FEW_BINS = 4, 8192

Counts = tuple[IntArray, IntArray]
"""Sorted bins, and the number of rows in each."""


def count_rows(cut: Cut, values: FloatArray) -> Counts:
    """Count the rows of a part by bin.

    >>> bins, n_rows = count_rows(Cut.of(np.array([0.0, 1.0, 4.0]), 4), np.array([4.0, 0.5, 4.0]))
    >>> bins.tolist(), n_rows.tolist()
    ([0, 3], [1, 2])
    """
    slots = _slots(cut, values)
    if slots is None:
        return np.unique(cut.index(values), return_counts=True)
    n_rows = np.bincount(slots)
    used = n_rows.nonzero()[0]
    return _bins(cut)[used], n_rows[used]


def code_rows(cut: Cut, occupied: OccupiedBins, values: FloatArray) -> CodeArray:
    """Return the codes of the rows of a part; `occupied` has all their bins."""
    codes = occupied.codes.astype(occupied.dtype)
    slots = _slots(cut, values)
    if slots is None:
        return np.asarray(codes[occupied.bins.searchsorted(cut.index(values))])
    bins = _bins(cut)
    code_of = np.zeros(bins.size, dtype=occupied.dtype)
    code_of[bins.searchsorted(occupied.bins)] = codes
    return code_of.take(slots, mode="clip")


def _bins(cut: Cut) -> IntArray:
    """Number of the bin of each slot."""
    return np.concatenate([np.arange(_n_bins(cut)), own_bins(cut.own.size)])


def _n_bins(cut: Cut) -> int:
    return 1 if cut.bins is None else cut.bins.n


def _slots(cut: Cut, values: FloatArray) -> npt.NDArray[np.int32] | None:
    """Slot of each row of a part; None if there are too many bins."""
    values = np.ascontiguousarray(values)
    n, bins = _n_bins(cut), cut.bins
    if n > _BINS_PER_ROW * values.size + _FEW_BINS:
        return None
    if bins is None or bins.width == 0.0:  # every value has its bin, or there is one bin
        low, high, first, last = -np.inf, np.inf, 0.0, 1.0
        n = 1
    elif isinstance(bins, StretchedBins):
        (low, high), first, last = bins.fences, bins.bins.first, bins.bins.last
    else:
        low, high, first, last = bins.first, bins.last, bins.first, bins.last
    slots = np.empty(values.size, dtype=np.int32)
    if _kernel.find_slots(values, cut.own, cut.origin, low, high, first, last, n, slots):
        left = (slots < 0).nonzero()[0]
        slots[left] = cut.index(values[left])
    return slots
