"""Counts of the level before, kept: they often include a subspace without one attribute.

A lift needs the rows near in all attributes of a subspace, and in all but one. A beam search has
counted all pairs before it scores sets of three attributes, and many sets of three before it
scores sets of four.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .._util.types import IntArray, Mask

KeptCounts = npt.NDArray[np.uint32]

KEPT_BYTES = 64 * 2**20
"""Most bytes to keep for the counts of a level, of all queries; the score counts others again."""

_LARGEST = 2**62  # key of a subspace


class KnownCounts:
    """Counts near queries in the subspaces of one size.

    Parameters
    ----------
    n_features : int
    size : int
        Attributes of each subspace.
    """

    def __init__(self, n_features: int, size: int) -> None:
        self.n_features, self.size = n_features, size
        self._room = KEPT_BYTES if n_features**size < _LARGEST else 0
        self._parts: dict[int, list[tuple[IntArray, KeptCounts]]] = {}

    def add(self, query: int, subspaces: IntArray, counts: npt.NDArray[np.uint64]) -> None:
        """Keep counts (m, n_reaches) of subspaces (m, size) for a query, up to `KEPT_BYTES`."""
        self._room -= len(subspaces) * 8 + counts.size * 4
        if self._room >= 0:
            part = _sorted(self._keys(subspaces), counts.astype(np.uint32))
            self._parts.setdefault(query, []).append(part)

    def without_one(self, query: int, subspaces: IntArray) -> tuple[Mask, KeptCounts]:
        """Look up subspaces (m, size + 1) without each of their attributes.

        Returns
        -------
        known : ndarray of bool, shape (m, size + 1)
        counts : ndarray of shape (m, size + 1, n_reaches)
            0 for unknown counts.
        """
        m, k = subspaces.shape
        parts = self._parts.get(query, [])
        if not parts:
            return np.zeros((m, k), dtype=bool), np.zeros((m, k, 1), dtype=np.uint32)
        if len(parts) > 1:
            keys, counts = (np.concatenate(part) for part in zip(*parts, strict=True))
            parts[:] = [_sorted(keys, counts)]  # another thread would write the same
        keys, counts = parts[0]
        wanted = np.empty((m, k), dtype=np.int64)
        for j in range(k):
            wanted[:, j] = self._keys(np.delete(subspaces, j, axis=1))
        place = np.minimum(keys.searchsorted(wanted), keys.size - 1)
        known = keys[place] == wanted
        found = counts[place]
        found[~known] = 0
        return known, found

    def _keys(self, subspaces: IntArray) -> IntArray:
        """One number for each subspace, in their order."""
        key = np.zeros(len(subspaces), dtype=np.int64)
        for attribute in subspaces.T:
            key = key * self.n_features + attribute
        return key


def _sorted(keys: IntArray, counts: KeptCounts) -> tuple[IntArray, KeptCounts]:
    order = np.argsort(keys, kind="stable")
    return keys[order], counts[order]
