"""Random samples of rows that depend only on the contents of the table.

Neither the order of the rows nor that of the columns changes the sample. Each row has a hash h of
its codes. Copies of a row are numbered from 0. Copy i has the place

    mix(h + mix(0)) + mix(i) - mix(0), modulo 2**64

A sample consists of the rows with the lowest places. All rows share the offsets mix(i) - mix(0). So
one binary search in the sorted offsets finds the first copy of a row with a place up to a limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._kernels.sampling import count_early, find_early, list_early
from .._util.hashing import mix
from .._util.types import CodeArray, IntArray
from ..counting.table import CodedTable
from ..engines.parts import Parts

HashArray = npt.NDArray[np.uint64]
DRAWING = "drawing a sample"
"""Name of these passes, for the log and for progress."""

Filled = Sequence[npt.NDArray[np.int32]]


def shuffle_rows(table: CodedTable) -> npt.NDArray[np.int32]:
    """Return the number of the distinct row of every row, in the random order."""
    hashes = hash_rows(table.codes, table.filled)
    row = np.repeat(np.arange(hashes.size, dtype=np.int32), table.weights)
    return np.asarray(row[np.argsort(_places(hashes, table.weights))])


def hash_rows(codes: CodeArray, filled: Filled) -> HashArray:
    """Hash each row, a column of codes (d, n).

    `filled` has the number of rows in each bin of the whole table. It identifies a column, so the
    order of the columns does not matter.
    """
    hashes = np.zeros(codes.shape[1], dtype=np.uint64)
    for column, rows in zip(codes, filled, strict=True):
        counts = rows.astype(np.float64)
        name = np.frombuffer(blake2b(counts.tobytes(), digest_size=8).digest(), np.uint64)
        hashes += mix(column.astype(np.uint64) + name)
    return hashes


def _places(hashes: HashArray, n_copies: npt.NDArray[np.integer]) -> HashArray:
    """Places of all copies of all distinct rows, row by row."""
    first = np.repeat(np.cumsum(n_copies) - n_copies, n_copies)
    return np.repeat(_first_places(hashes), n_copies) + _offsets(np.arange(first.size) - first)


def _first_places(hashes: HashArray) -> HashArray:
    """Place of the first copy of each row."""
    return mix(hashes + mix(np.zeros(1, dtype=np.uint64)))


def _offsets(copies: IntArray) -> HashArray:
    """Difference between the place of each copy and that of the first copy."""
    return mix(copies.astype(np.uint64)) - mix(np.zeros(1, dtype=np.uint64))


def sample_parts(parts: Parts, filled: Filled, n: int) -> CodeArray:
    """Sample n rows of a table in parts, the same rows as in one process.

    Places depend on the copies of a row in all parts, and a part knows only its own copies. So the
    sample takes four passes over the codes:

    - Each part returns the n lowest places of its own copies, 8 bytes each. No place of the sample
      exceeds the n-th lowest of all of them, the limit.
    - Each part names the rows that may have a place up to the limit, 24 bytes each. `_Named` keeps
      their number at a few times n, also for many parts together.
    - All parts count the copies of the named rows, 8 bytes each.
    - The parts that hold the chosen rows return their codes.

    Parameters
    ----------
    parts : Parts
        Codes of rows, arrays of shape (d, n_rows).
    filled : sequence of ndarray
        Number of rows in each bin of each column.
    n : int

    Returns
    -------
    ndarray of shape (d, n)
        Codes of the sampled rows, in the random order.
    """
    lowest = parts.total(_lowest, filled, n, combine=_LowestOf(n), what=DRAWING)
    limit = lowest[-1] if lowest.size == n else ~np.uint64(0)
    n_rows = int(filled[0].sum())
    named = parts.total(
        _name_rows, filled, limit, len(parts), n_rows // n, combine=_put_together, what=DRAWING
    )
    hashes = named.hashes
    n_copies = parts.total(_count_copies, filled, hashes, what=DRAWING)
    first, early = _first_places(hashes), np.empty(hashes.size, dtype=np.int64)
    count_early(first, n_copies, limit, early)
    rows, places = np.empty(early.sum(), dtype=np.int64), np.empty(early.sum(), dtype=np.uint64)
    list_early(first, n_copies, limit, rows, places)
    rows = rows[np.argsort(places)[:n]]
    chosen, which = np.unique(rows, return_inverse=True)
    held, codes = parts.total(_find_rows, filled, hashes[chosen], combine=_either, what=DRAWING)
    return np.asarray(codes[:, np.argsort(held)][:, which])


class _LowestOf:
    """Merge two sorted arrays of places into their n lowest distinct ones."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __call__(self, one: HashArray, two: HashArray) -> HashArray:
        return np.union1d(one, two)[: self.n]


def _lowest(codes: CodeArray, filled: Filled, n: int) -> HashArray:
    hashes, n_copies = np.unique(hash_rows(codes, filled), return_counts=True)
    places = _places(hashes, n_copies)
    if places.size > n:
        places = np.partition(places, n)[:n]
    return np.unique(places)


class _Named(NamedTuple):
    """Rows of one or more parts that may have a place up to the limit.

    Let copy e of a row be its first copy with such a place. The sample may contain the row only if
    the table has more than e copies of it.

    Parts drop rows with too few copies in up to D rounds. A group of g out of P parts drops a row
    if the group has at most (e / D) * (g / P) copies of it. Each round drops at most e / D copies
    of a row, all rounds at most e. So at least one group keeps a row with more than e copies.
    """

    hashes: HashArray  # sorted
    early: IntArray  # the first copy with a place up to the limit
    n_copies: IntArray  # in these parts, without dropped ones
    n_parts: int  # in this group
    n_pruned: int  # in the largest group that has dropped rows
    of_parts: int  # of the table

    def pruned(self) -> _Named:
        """Drop rows with too few copies."""
        n_rounds = _rounds(self.of_parts)
        keep = self.n_copies * (n_rounds * self.of_parts) > self.early * self.n_parts
        return self._replace(
            hashes=self.hashes[keep],
            early=self.early[keep],
            n_copies=self.n_copies[keep],
            n_pruned=self.n_parts,
        )


# A group drops rows again once it has this many times the parts of the last time.
_PER_ROUND = 8


def _rounds(n_parts: int) -> int:
    """Number of rounds that drop rows: for single parts, groups of 8 or more, of 64 or more, ...

    >>> [_rounds(n) for n in (1, 8, 9, 100)]
    [1, 2, 2, 3]
    """
    n_rounds, together = 1, _PER_ROUND
    while together <= n_parts:
        n_rounds, together = n_rounds + 1, together * _PER_ROUND
    return n_rounds


def _name_rows(
    codes: CodeArray, filled: Filled, limit: np.uint64, n_parts: int, one_in: int
) -> _Named:
    hashes, n_copies = np.unique(hash_rows(codes, filled), return_counts=True)
    early = np.empty(hashes.size, dtype=np.int64)
    # One copy in `one_in` is early, so nearly always at least one of four times as many.
    copies = np.arange(max(64, 4 * one_in))
    offsets = _offsets(copies)
    order = np.argsort(offsets)
    most = _rounds(n_parts) * n_parts * n_copies
    find_early(_first_places(hashes), most, limit, offsets[order], copies[order], early)
    some = early >= 0
    return _Named(hashes[some], early[some], n_copies[some], 1, 1, n_parts)


def _put_together(one: _Named, two: _Named) -> _Named:
    hashes, place = np.unique(np.concatenate([one.hashes, two.hashes]), return_inverse=True)
    early = np.empty(hashes.size, dtype=np.int64)
    early[place] = np.concatenate([one.early, two.early])
    copies = np.concatenate([one.n_copies, two.n_copies])
    n_copies = np.bincount(place, weights=copies, minlength=hashes.size).astype(np.int64)
    n_parts, n_pruned = one.n_parts + two.n_parts, max(one.n_pruned, two.n_pruned)
    both = _Named(hashes, early, n_copies, n_parts, n_pruned, one.of_parts)
    return both.pruned() if n_parts >= _PER_ROUND * n_pruned else both


def _count_copies(codes: CodeArray, filled: Filled, named: HashArray) -> IntArray:
    hashes = hash_rows(codes, filled)
    place = np.minimum(np.searchsorted(named, hashes), named.size - 1)
    return np.bincount(place[named[place] == hashes], minlength=named.size)


def _find_rows(codes: CodeArray, filled: Filled, wanted: HashArray) -> tuple[IntArray, CodeArray]:
    """Find wanted rows in this part: their places in `wanted`, and their codes (d, n_found)."""
    hashes = hash_rows(codes, filled)
    place = np.minimum(np.searchsorted(wanted, hashes), wanted.size - 1)
    here = np.flatnonzero(wanted[place] == hashes)
    found, first = np.unique(place[here], return_index=True)
    return found, codes[:, here[first]]


def _either(
    one: tuple[IntArray, CodeArray], two: tuple[IntArray, CodeArray]
) -> tuple[IntArray, CodeArray]:
    found, first = np.unique(np.concatenate([one[0], two[0]]), return_index=True)
    return found, np.concatenate([one[1], two[1]], axis=1)[:, first]
