"""Which rows stand for all others where a sample has to do.

Rows come in a random order that only their contents decide, so that neither the order of the rows
nor that of the columns matters. Each row is hashed by what it holds. Equal rows are numbered, and
the place of copy i of a row with the hash h is mix(h + mix(i)). A sample are the rows with the
lowest places.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from .._kernels.sampling import count_early, list_early, mark_early
from .._util.hashing import mix
from .._util.types import CodeArray, IntArray
from ..counting.table import CodedTable
from ..engines.parts import Parts

HashArray = npt.NDArray[np.uint64]
DRAWING = "drawing a sample"
"""What these passes do."""

Filled = Sequence[npt.NDArray[np.int32]]


def shuffle_rows(table: CodedTable) -> npt.NDArray[np.int32]:
    """The distinct row of every row, in the random order."""
    hashes = hash_rows(table.codes, table.filled)
    row = np.repeat(np.arange(hashes.size, dtype=np.int32), table.weights)
    return np.asarray(row[np.argsort(_places(hashes, table.weights))])


def hash_rows(codes: CodeArray, filled: Filled) -> HashArray:
    """Hash of each column of codes (d, n); `filled` are the rows in each bin of the whole table.

    A column has its name from its bins, so that it does not matter where it stands.
    """
    hashes = np.zeros(codes.shape[1], dtype=np.uint64)
    for column, rows in zip(codes, filled, strict=True):
        counts = rows.astype(np.float64)
        name = np.frombuffer(blake2b(counts.tobytes(), digest_size=8).digest(), np.uint64)
        hashes += mix(column.astype(np.uint64) + name)
    return hashes


def _places(hashes: HashArray, n_copies: npt.NDArray[np.integer]) -> HashArray:
    """Places of all copies of distinct rows, row by row."""
    first = np.repeat(np.cumsum(n_copies) - n_copies, n_copies)
    number = (np.arange(first.size) - first).astype(np.uint64)
    return mix(np.repeat(hashes, n_copies) + mix(number))


def sample_parts(parts: Parts, filled: Filled, n: int) -> CodeArray:
    """Codes (d, n) of the sample of a table in parts: the same rows as on one machine.

    A part does not know how many copies of its rows the others have, which their places depend on.
    It takes four passes over the codes:

    1. the n lowest places of each part's own copies give a limit that no place of the sample
       exceeds;
    2. a row with W copies has one of its W first places in the sample only if that is up to the
       limit, and some part of P holds at least W / P of its copies: each part names the rows
       with such a place among P times as many as it holds, about n of them, 8 bytes each;
    3. all parts count the copies of the rows that were named;
    4. the parts that hold the chosen rows return their codes.

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
        In no particular order.
    """
    lowest = parts.total(_lowest, filled, n, combine=_LowestOf(n), what=DRAWING)
    limit = lowest[-1] if lowest.size == n else ~np.uint64(0)
    named = parts.total(_name_rows, filled, limit, len(parts), combine=np.union1d, what=DRAWING)
    n_copies = parts.total(_count_copies, filled, named, what=DRAWING)
    early = np.empty(named.size, dtype=np.int64)
    count_early(named, n_copies, limit, early)
    rows, places = np.empty(early.sum(), dtype=np.int64), np.empty(early.sum(), dtype=np.uint64)
    list_early(named, n_copies, limit, rows, places)
    rows = rows[np.argsort(places)[:n]]
    chosen, which = np.unique(rows, return_inverse=True)
    held, codes = parts.total(_find_rows, filled, named[chosen], combine=_either, what=DRAWING)
    return np.asarray(codes[:, np.argsort(held)][:, which])


class _LowestOf:
    """The n lowest of two sorted arrays of places, each once."""

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


def _name_rows(codes: CodeArray, filled: Filled, limit: np.uint64, n_parts: int) -> HashArray:
    hashes, n_copies = np.unique(hash_rows(codes, filled), return_counts=True)
    early = np.empty(hashes.size, dtype=bool)
    mark_early(hashes, n_parts * n_copies, limit, early)
    return hashes[early]


def _count_copies(codes: CodeArray, filled: Filled, named: HashArray) -> IntArray:
    hashes = hash_rows(codes, filled)
    place = np.minimum(np.searchsorted(named, hashes), named.size - 1)
    return np.bincount(place[named[place] == hashes], minlength=named.size)


def _find_rows(codes: CodeArray, filled: Filled, wanted: HashArray) -> tuple[IntArray, CodeArray]:
    """Places in `wanted` of the rows that this part holds, and their codes (d, n_found)."""
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
