"""Cache of the mean and standard deviation of subspaces, from one call to the next."""

from __future__ import annotations

import numpy as np

from .._util.subspaces import MAX_CODE, subspace_codes
from .._util.types import FloatArray, IntArray

MAX_SUBSPACES = 1_000_000
"""Most subspaces in the cache, 24 bytes each; the density computes later ones again."""


class StatisticsCache:
    """Sorted arrays of subspace codes with mean and deviation, one set for each size.

    Examples
    --------
    >>> cache = StatisticsCache(n_features=5)
    >>> pairs = np.array([[0, 1], [2, 4]])
    >>> cache.store(pairs[:1], np.array([3.0]), np.array([0.5]))
    >>> mean, std, known = cache.look_up(pairs)
    >>> known.tolist(), mean[known].tolist(), std[known].tolist()
    ([True, False], [3.0], [0.5])
    """

    def __init__(self, n_features: int) -> None:
        self.n_features = n_features
        self._levels: dict[int, tuple[IntArray, FloatArray, FloatArray]] = {}

    def __len__(self) -> int:
        # A list first: another thread may add a level meanwhile.
        return sum(len(codes) for codes, _, _ in list(self._levels.values()))

    def _has_codes(self, size: int) -> bool:
        """Whether codes of this size fit in 64 bits and so are the same in every call."""
        return bool(self.n_features**size <= MAX_CODE)

    def look_up(self, subspaces: IntArray) -> tuple[FloatArray, FloatArray, np.ndarray]:
        """Mean and deviation of subspaces of one size, and which of them are known."""
        m, size = subspaces.shape
        mean, std = np.empty(m), np.empty(m)
        if size not in self._levels or not self._has_codes(size):
            return mean, std, np.zeros(m, dtype=bool)
        codes, means, stds = self._levels[size]
        wanted = subspace_codes(subspaces, self.n_features)
        place = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
        known = codes[place] == wanted
        mean[known], std[known] = means[place[known]], stds[place[known]]
        return mean, std, known

    def store(self, subspaces: IntArray, mean: FloatArray, std: FloatArray) -> None:
        """Keep new statistics, as long as there is room.

        Other threads may store at the same time. Each replaces a level as a whole, so the others
        find the old one or the new one. At worst statistics get lost, and the density computes
        them again.
        """
        size = subspaces.shape[1]
        room = MAX_SUBSPACES - len(self)
        if room <= 0 or len(subspaces) == 0 or not self._has_codes(size):
            return
        codes = subspace_codes(subspaces, self.n_features)
        known = self._levels.get(size)
        if known is not None:  # another thread may have been faster
            place = np.minimum(np.searchsorted(known[0], codes), len(known[0]) - 1)
            new = known[0][place] != codes
            codes, mean, std = codes[new], mean[new], std[new]
        codes, mean, std = codes[:room], mean[:room], std[:room]
        if known is not None:
            codes = np.concatenate([known[0], codes])
            mean, std = np.concatenate([known[1], mean]), np.concatenate([known[2], std])
        order = np.argsort(codes, kind="stable")
        self._levels[size] = codes[order], mean[order], std[order]
