"""Moments of counts of sampled rows."""

from __future__ import annotations

import numpy as np

from .._util.types import AnyArray, FloatArray


def four_moments(counts: AnyArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Mean, standard deviation, skewness and kurtosis of each row of counts (m, n).

    Skewness and kurtosis are 0 if all counts are equal.

    Examples
    --------
    >>> [round(float(x[0]), 2) for x in four_moments(np.array([[1, 1, 1, 5]]))]
    [2.0, 1.73, 1.15, 2.33]
    """
    x = counts.astype(np.float64)
    mean, std = x.mean(axis=1), x.std(axis=1)
    y = (x - mean[:, None]) / np.where(std > 0, std, 1.0)[:, None]
    square = y * y
    return mean, std, (square * y).mean(axis=1), (square**2).mean(axis=1)
