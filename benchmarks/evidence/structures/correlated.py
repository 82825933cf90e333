"""Correlated features: the query breaks the correlation and is ordinary in every smaller set.

A pair is two normal features with a given correlation. On a plane of k features the last is the
sum of the others, scaled, with a little noise: any k - 1 of them are normal and fill their space.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from pyod_aspects._util.types import FloatArray

from .base import N_FEATURES, N_ROWS, Trial, ordinary_row, place, plant

NOISE = 0.1
"""Standard deviation of the rows around their plane; every feature has one of about 1."""

OFF_PLANE = 10.0
"""Least distance of a query from its plane, in standard deviations."""

OFF_PAIR = {0.95: 6.0, 0.8: 4.5}
"""Least distance of a query from its pair, by correlation."""

ORDINARY = {1: 2.71, 2: 4.61, 3: 6.25, 4: 7.78}
"""Greatest squared distance of an ordinary point by number of features: a tenth lies farther out.

These are the 90 % quantiles of chi-squared distributions.
"""


def pairs(correlation: float, rng: np.random.Generator) -> Trial:
    """Five correlated pairs, of which the query breaks one."""
    blocks = rng.normal(size=(N_FEATURES // 2, N_ROWS, 2))
    blocks[..., 1] = correlation * blocks[..., 0] + np.sqrt(1 - correlation**2) * blocks[..., 1]
    X, subspace = place(blocks[0], np.hstack(list(blocks[1:])), rng)
    covariance = np.array([[1.0, correlation], [correlation, 1.0]])
    values = breaking(covariance, OFF_PAIR[correlation], rng)
    return plant(X, subspace, values, ordinary_row(X, rng))


def log_normal_pairs(correlation: float, rng: np.random.Generator) -> Trial:
    """The same after the exponential function."""
    trial = pairs(correlation, rng)
    return Trial(np.exp(trial.X), trial.truth)


def plane(k: int, rng: np.random.Generator, n_rows: int = N_ROWS) -> Trial:
    """A plane in k features that the query is off; the others are independent."""
    first = rng.normal(size=(n_rows, k - 1))
    last = first.sum(axis=1) / np.sqrt(k - 1) + rng.normal(0.0, NOISE, n_rows)
    block = np.column_stack([first, last])
    X, subspace = place(block, rng.normal(size=(n_rows, N_FEATURES - k)), rng)
    covariance = np.eye(k)
    covariance[-1, :-1] = covariance[:-1, -1] = 1 / np.sqrt(k - 1)
    covariance[-1, -1] += NOISE**2
    return plant(X, subspace, breaking(covariance, OFF_PLANE, rng), ordinary_row(X, rng))


def breaking(covariance: FloatArray, distance: float, rng: np.random.Generator) -> FloatArray:
    """A random point, at least this Mahalanobis distance from 0, ordinary in all smaller sets."""
    k = len(covariance)
    smaller = [s for size in range(1, k) for s in combinations(range(k), size)]
    while True:
        points = rng.uniform(-2.0, 2.0, size=(10_000, k))
        good = squared_distance(points, covariance) >= distance**2
        for s in smaller:
            here = covariance[np.ix_(s, s)]
            good &= squared_distance(points[:, s], here) <= ORDINARY[len(s)]
        if good.any():
            found: FloatArray = points[good][0]
            return found


def squared_distance(points: FloatArray, covariance: FloatArray) -> FloatArray:
    """Squared Mahalanobis distances from 0."""
    distances: FloatArray = (points * np.linalg.solve(covariance, points.T).T).sum(axis=1)
    return distances
