"""A table as codes of occupied bins, equal rows merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from .._util.types import AnyArray, CodeArray, FloatArray, IntArray


@dataclass(frozen=True)
class CodedTable:
    """A table as codes of occupied bins, equal rows merged.

    `codes` (n_features, n_distinct) holds the distinct rows, `weights` how often each occurs,
    `row_of` the distinct row of every row of the table, `filled` how many rows have each code of
    each column. Two rows are near in a column if their codes differ by at most `reach`.
    """

    codes: CodeArray
    row_of: npt.NDArray[np.int32]
    weights: npt.NDArray[np.int32]
    filled: Sequence[npt.NDArray[np.int32]]
    reach: int

    @classmethod
    def of(
        cls, codes: CodeArray, filled: Sequence[npt.NDArray[np.int32]], reach: int
    ) -> CodedTable:
        """Merge the equal rows of codes (n_features, n_rows)."""
        n = codes.shape[1]
        # Rows as single numbers: as many columns at a time as fit in 64 bits. Narrow columns come
        # first: rows that differ in wide ones only are then side by side, as views need them.
        key, largest = np.zeros(n, dtype=np.int64), 1
        columns = [(column, rows.size) for column, rows in zip(codes, filled, strict=True)]
        for part, size in _parts(sorted(columns, key=itemgetter(1))):
            if largest * size > np.iinfo(np.int64).max:
                _, begins, key = _sorted(key, largest)
                largest = begins.size
                if largest == n:
                    break
            key *= size
            key += part
            largest *= size
        order, begins, row_of = _sorted(key, largest)
        if begins.size == n:  # nothing to merge: keep the rows in their order
            every = np.arange(n, dtype=np.int32)
            return cls(codes, every, np.ones(n, dtype=np.int32), filled, reach)
        merged = codes.take(order[begins], axis=1, mode="clip")
        weights = np.empty(begins.size, dtype=np.int32)
        weights[:-1], weights[-1] = begins[1:] - begins[:-1], n - begins[-1]
        return cls(merged, row_of.astype(np.int32), weights, filled, reach)

    @cached_property
    def sizes(self) -> IntArray:
        """Number of codes of each column."""
        return np.array([rows.size for rows in self.filled])

    @cached_property
    def by_row(self) -> CodeArray:
        """The codes once more, those of a row side by side."""
        return np.ascontiguousarray(self.codes.T)

    @cached_property
    def shuffled(self) -> npt.NDArray[np.int32]:
        """The distinct row of every row, in a random order that only the rows' contents decide.

        The order of the rows and of the columns does not matter: each row is hashed by what it
        holds, equal ones by their number too, and the rows are sorted by their hashes.
        """
        hashes = np.zeros(self.codes.shape[1], dtype=np.uint64)
        for column, rows in zip(self.codes, self.filled, strict=True):
            filled = rows.astype(np.float64)
            name = np.frombuffer(blake2b(filled.tobytes(), digest_size=8).digest(), np.uint64)
            hashes += _mixed(column.astype(np.uint64) + name)
        which = np.repeat(np.arange(hashes.size, dtype=np.int32), self.weights)
        first = np.repeat(np.cumsum(self.weights) - self.weights, self.weights)
        number = (np.arange(which.size) - first).astype(np.uint64)
        return np.asarray(which[np.argsort(_mixed(hashes[which] + _mixed(number)))])

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""
        return self.row_of.size

    @property
    def n_words(self) -> int:
        """Number of 64-bit words for a set of rows."""
        return -(-self.row_of.size // 64)

    def neighbourhoods(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Neighbourhoods in each column alone.

        The share of all rows and the number of occupied bins near a row, both on average over the
        rows; and the most rows near any bin.
        """
        share, adjacent, most = np.empty((3, len(self.sizes)))
        for a, rows in enumerate(self.filled):
            here, occupied = rows.astype(np.float64), (rows > 0).astype(np.float64)
            near, bins = here.copy(), occupied.copy()
            for shift in range(1, self.reach + 1):
                near[shift:] += here[:-shift]
                near[:-shift] += here[shift:]
                bins[shift:] += occupied[:-shift]
                bins[:-shift] += occupied[shift:]
            share[a], adjacent[a] = here @ near / self.n_rows**2, here @ bins / self.n_rows
            most[a] = near.max()
        return share, adjacent, most


def _parts(columns: Sequence[tuple[AnyArray, int]]) -> Iterator[tuple[AnyArray, int]]:
    """Columns of codes, as many as fit in 31 bits as one column, with their number of codes."""
    part, size = columns[0]
    for column, more in columns[1:]:
        if size * more < 2**31:
            # Codes may have 16 bits, in which NumPy 1 would stay.
            part, size = part.astype(np.int32, copy=False) * np.int32(more) + column, size * more
        else:
            yield part, size
            part, size = column, more
    yield part, size


def _sorted(key: IntArray, largest: int) -> tuple[IntArray, IntArray, IntArray]:
    """Sort whole numbers from 0 to less than `largest`, equal ones in their order.

    Returns (order, begins, rank): the places of the numbers in sorted order, where each distinct
    number begins in it, and which of the distinct numbers each one is.
    """
    # Numbers of 16 bits are sorted without comparing them, several times as fast.
    order = np.argsort(key.astype(np.uint16), kind="stable")
    for shift in range(16, (largest - 1).bit_length(), 16):
        digit = (key >> shift).astype(np.uint16).take(order)
        order = order.take(np.argsort(digit, kind="stable"))
    ordered = key.take(order)
    new = np.empty(key.size, dtype=bool)
    new[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    rank = np.empty(key.size, dtype=np.int64)
    rank[order] = new.cumsum() - 1
    return order, new.nonzero()[0], rank


def _mixed(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Spread 64-bit numbers evenly (the finaliser of SplitMix64, Steele and others 2014)."""
    x = (x + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))
