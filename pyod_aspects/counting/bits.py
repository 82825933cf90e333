"""Counting with bitsets of rows: best for few rows, and for thinly filled cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._kernels import tuned
from .._kernels.arguments import Int32Array, Pseudobins, Sorted, Totals
from .._kernels.bits import count_with_bits, sort_rows
from .._kernels.blocks import ROWS, WORDS
from .._util.subspaces import subspace_codes
from .._util.types import AnyArray, FloatArray, IntArray
from .sort_keys import choose_sort_keys
from .strategy import Job, Level, Strategy, changes, cut


class BitStrategy(Strategy):
    """Sorts the rows, then intersects blocks of bits to find the rows near a row.

    The bits of a thread take at most max_words words. Given a sample of distinct rows, it returns
    their counts instead of totals of all rows.
    """

    def __init__(
        self, max_words: int = tuned.BITS_MAX_WORDS, sample: Int32Array | None = None
    ) -> None:
        self.max_words, self.sample = max_words, sample

    def cost(self, level: Level, limit: FloatArray) -> FloatArray:
        """Nanoseconds: blocks to read for each row, and a share of sorting and loading."""
        cost = np.full(len(level.subspaces), np.inf)
        least = self._n_counted(level) * (tuned.BITS_COUNT + tuned.BITS_BLOCK)
        places = np.flatnonzero(limit > least)
        if (limit[places] - least).sum() > tuned.BITS_WORTH:
            _, costs, words = self._keys(level, places)
            cost[places] = np.where(words <= self.max_words, costs, np.inf)
        return cost

    def _n_counted(self, level: Level) -> int:
        return level.table.weights.size if self.sample is None else self.sample.size

    def _keys(self, level: Level, places: IntArray) -> tuple[IntArray, FloatArray, FloatArray]:
        most = 2 if self.sample is None else 1  # a sort by two attributes takes long
        subspaces = level.subspaces[places]
        return choose_sort_keys(level.table, subspaces, self._n_counted(level), most)

    def jobs(self, level: Level, places: IntArray, cost: FloatArray, threads: int) -> Iterator[Job]:
        """Cut the subspaces, sorted by their keys, where the key changes if possible."""
        _ = level.table.by_row  # compute it once, not in each thread
        keys, _, _ = self._keys(level, places)
        order = np.lexsort(keys.T[::-1])
        keys, places = keys[order], places[order]
        for begin, end in cut(cost[places], threads, tuned.BITS_LEAST_PIECE, changes(keys)):
            yield Job(level, places[begin:end], keys[begin:end])

    def count(self, job: Job) -> Totals:
        """Totals of the subspaces of a job, or counts of the sample."""
        table, keys, n_sampled = job.level.table, job.work, 0
        rows = np.arange(table.weights.size, dtype=np.int32)
        if self.sample is not None:
            rows, n_sampled = self.sample, self.sample.size
        totals, n_codes = Totals.of(job.places.size, n_sampled), table.sizes + table.reach
        for places in np.split(np.arange(job.places.size), changes(keys)):
            key = keys[places[0]]
            key = key[key >= 0]
            every, judged = sort_rows(table.rows, table.row_of, rows, key)
            n_slots = _blocks_near_line(every, table.reach)
            members = job.level.subspaces[job.places[places]]
            members = members[~np.isin(members, key)].reshape(places.size, -1)
            most = self.max_words // (WORDS * n_slots)
            for batch, subspaces in split_by_codes(members, n_codes, most):
                part = Totals.of(batch.size, n_sampled)
                attributes, numbers = np.unique(subspaces, return_inverse=True)
                bins = _make_bins(attributes, n_codes[attributes], n_slots, members.shape[1])
                numbers = numbers.reshape(subspaces.shape)
                shared = np.zeros(batch.size, dtype=np.int64)
                same = numbers[1:, :-1] == numbers[:-1, :-1]
                shared[1:] = np.logical_and.accumulate(same, axis=1).sum(axis=1)
                count_with_bits(
                    table.rows, table.by_row, every, judged, bins, numbers, shared, part
                )
                totals.put(places[batch], part)
        return totals


def _blocks_near_line(every: Sorted, reach: int) -> int:
    """Most blocks that hold the rows near a line of keys."""
    first = every.start[:: every.line]  # of each line, and the end of the last
    line = np.arange(first.size - 1)
    begin = first[np.maximum(line - reach, 0)] // ROWS
    end = -(-first[np.minimum(line + reach + 1, line.size)] // ROWS)
    return int((end - begin).max())


def split_by_codes(
    members: IntArray, n_codes: IntArray, most: int
) -> Iterator[tuple[IntArray, IntArray]]:
    """Sort subspaces, and halve them until the attributes of a part have at most `most` codes.

    Attributes that many subspaces have come first in each: so most share their beginning with the
    one before. Yields the places of a part and its subspaces. One subspace alone may have more
    codes.
    """
    by_use = np.argsort(-np.bincount(members.ravel(), minlength=n_codes.size), kind="stable")
    ranks = np.sort(np.argsort(by_use)[members], axis=1)
    order = np.argsort(subspace_codes(ranks, n_codes.size), kind="stable")
    members, parts = by_use[ranks[order]], [np.arange(order.size)]
    while parts:
        part = parts.pop()
        if part.size > 1 and n_codes[np.unique(members[part])].sum() > most:
            parts += np.array_split(part, 2)
        else:
            yield order[part], members[part]


def _make_bins(attributes: IntArray, n_codes: IntArray, n_slots: int, size: int) -> Pseudobins:
    """Return buffers for n_slots blocks of attributes (a,) with n_codes (a,), for one size."""
    # An odd number: the blocks of one code then fall into different cache sets.
    width = int(n_codes.sum()) | 1
    bits, near = (_aligned(n_slots * n * WORDS) for n in (width, size))
    return Pseudobins(attributes, np.cumsum(n_codes) - n_codes, bits, near)


def _aligned(n: int) -> AnyArray:
    """Buffer of n words that begins at a cache line: each block is one line."""
    words = np.empty(n + WORDS, dtype=np.uint64)
    first = -words.ctypes.data // 8 % WORDS
    return words[first : first + n]
