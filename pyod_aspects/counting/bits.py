"""Counting with sets of rows as bits: best for few rows, and for thinly filled cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._kernels import tuned
from .._kernels.arguments import Families, Int32Array, Judged, Pseudobins, Sorted, Totals
from .._kernels.bits import count_with_bits, sort_rows
from .._kernels.blocks import ROWS, WORDS
from .._util.subspaces import subspace_codes
from .._util.types import AnyArray, FloatArray, IntArray
from .sort_keys import SortKeys, choose_sort_keys
from .strategy import Job, Level, Strategy, cut


class BitStrategy(Strategy):
    """Rows are sorted, and those near a row are found by intersecting blocks of bits.

    The bits of a thread take at most max_words words. Given a sample of distinct rows, their counts
    are found instead of totals of all rows.
    """

    def __init__(
        self, max_words: int = tuned.BITS_MAX_WORDS, sample: Int32Array | None = None
    ) -> None:
        self.max_words, self.sample = max_words, sample

    def cost(self, level: Level, limit: FloatArray) -> FloatArray:
        """Nanoseconds: blocks to read for each row, and a share of sorting and loading."""
        cost = np.full(len(level.subspaces), np.inf)
        n_rows = level.table.codes.shape[1] if self.sample is None else self.sample.size
        least = n_rows * (tuned.BITS_COUNT + tuned.BITS_BLOCK)
        load = level.table.n_rows * (tuned.BITS_SORT + tuned.BITS_LOAD) + tuned.BITS_ONCE
        places, n_sharing = np.flatnonzero(limit > least), limit.size + 1
        while 0 < places.size < n_sharing:  # if all that are left shared one sort
            n_sharing = places.size
            places = places[limit[places] > least + load / n_sharing]
        if (limit[places] - least).sum() > tuned.BITS_WORTH:
            keys = self._keys(level, places)
            cost[places] = np.where(keys.words <= self.max_words, keys.cost(n_rows), np.inf)
        return cost

    def _keys(self, level: Level, places: IntArray) -> SortKeys:
        most = 2 if self.sample is None else 1  # two attributes take long to sort by
        return choose_sort_keys(level.table, level.subspaces[places], most)

    def jobs(self, level: Level, places: IntArray, cost: FloatArray, threads: int) -> Iterator[Job]:
        """Cut the subspaces, sorted by their keys, where the key changes if possible."""
        _ = level.table.by_row  # made once, and not by each thread
        if level.table.n_rows <= tuned.BITS_FEW_ROWS:
            keys = np.full((places.size, 2), -1)
        else:
            keys = self._keys(level, places).attributes
        order = np.lexsort(keys.T[::-1])
        keys, places = keys[order], places[order]
        for begin, end in cut(cost[order], threads, tuned.BITS_LEAST_PIECE, _changes(keys)):
            yield Job(level, places[begin:end], keys[begin:end])

    def count(self, job: Job) -> Totals:
        """Totals of the subspaces of a job, or counts of the sample."""
        table, keys, n_sampled = job.level.table, job.work, 0
        rows = np.arange(table.codes.shape[1], dtype=np.int32)
        if self.sample is not None:
            rows, n_sampled = self.sample, self.sample.size
        totals, n_codes = Totals.of(job.places.size, n_sampled), table.sizes + table.reach
        for places in np.split(np.arange(job.places.size), _changes(keys)):
            key = keys[places[0]]
            key = key[key >= 0]
            order, start, place, judged_start = sort_rows(table.views[0], table.row_of, rows, key)
            every = Sorted(order, start, int(table.sizes[key[1]]) if key.size == 2 else 1)
            judged = Judged(rows, place, judged_start)
            n_slots = _blocks_near_line(every, table.reach)
            members = job.level.subspaces[job.places[places]]
            members = members[~np.isin(members, key)].reshape(places.size, -1)
            most = self.max_words // (WORDS * n_slots)
            for batch, subspaces in split_by_codes(members, n_codes, most):
                part = Totals.of(batch.size, n_sampled)
                bins, families = _prepare(subspaces, n_codes, n_slots)
                count_with_bits(table.views[0], table.by_row, every, judged, bins, families, part)
                totals.put(places[batch], part)
        return totals


def _changes(keys: IntArray) -> IntArray:
    """Places at which the key is another one than before."""
    return np.flatnonzero(np.any(keys[1:] != keys[:-1], axis=1)) + 1


def _blocks_near_line(every: Sorted, reach: int) -> int:
    """Blocks in which the rows near a line of keys are, at the most."""
    first = every.start[:: every.line]  # of each line, and the end of the last
    begin = np.append(np.full(reach, first[0]), first)[: first.size - 1] // ROWS
    end = -(-np.append(first, np.full(reach, first[-1]))[reach + 1 :] // ROWS)
    return int((end - begin).max())


def split_by_codes(
    members: IntArray, n_codes: IntArray, most: int
) -> Iterator[tuple[IntArray, IntArray]]:
    """Sort subspaces, and split them so that the attributes of a part have at most `most` codes.

    Attributes that many subspaces have come first in each, so that most begin as the one before.
    A part has what the attributes of one subspace and the most frequent others allow. Yields the
    places of a part and its subspaces.
    """
    uses = np.bincount(members.ravel(), minlength=n_codes.size)
    by_use = np.argsort(-uses, kind="stable")
    ranks = np.sort(np.argsort(by_use)[members], axis=1)
    places = np.argsort(subspace_codes(ranks, n_codes.size), kind="stable")
    members = by_use[ranks[places]]
    while n_codes[uses > 0].sum() > most and places.size > 1:
        uses[members[0]] = places.size + 1  # these first of all
        preferred = np.argsort(-uses, kind="stable")
        n_taken = max(members.shape[1], int((n_codes[preferred].cumsum() <= most).sum()))
        inside = np.isin(members, preferred[:n_taken]).all(axis=1)
        yield places[inside], members[inside]
        places, members = places[~inside], members[~inside]
        uses = np.bincount(members.ravel(), minlength=n_codes.size)
    if places.size:
        yield places, members


def _prepare(members: IntArray, n_codes: IntArray, n_slots: int) -> tuple[Pseudobins, Families]:
    """Buffers for the attributes of some subspaces, and these in families, by their numbers.

    Subspaces that differ in the last attribute only are a family.
    """
    attributes, numbers = np.unique(members, return_inverse=True)
    numbers, codes = numbers.reshape(members.shape), n_codes[attributes]
    # An odd number keeps the blocks of one code from falling into the same cache set.
    width = int(codes.sum()) | 1
    bits, near = (_aligned(n_slots * n * WORDS) for n in (width, members.shape[1]))
    parents, children = numbers[:, :-1], np.ascontiguousarray(numbers[:, -1])
    firsts = np.append(0, _changes(parents))
    families = Families(
        parents[firsts], np.append(firsts, len(members)), children, np.arange(len(members))
    )
    return Pseudobins(attributes, np.cumsum(codes) - codes, bits, near), families


def _aligned(n: int) -> AnyArray:
    """Buffer of n words that begins with a line of the cache, as blocks are one each."""
    words = np.empty(n + WORDS, dtype=np.uint64)
    first = -words.ctypes.data // 8 % WORDS
    return words[first : first + n]
