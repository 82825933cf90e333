"""Contract of a strategy: the cost of subspaces, jobs, and the counting itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .._kernels import tuned
from .._kernels.arguments import Totals
from .._util.types import AnyArray, FloatArray, IntArray
from .families import group_by_parent
from .table import CodedTable


@dataclass(frozen=True)
class Level:
    """Subspaces (m, k) of one size in a table."""

    table: CodedTable
    subspaces: IntArray

    @cached_property
    def n_rows(self) -> IntArray:
        """Number of rows of the smallest view that has each subspace."""
        return self.table.view_rows(self.subspaces)

    @cached_property
    def n_bytes(self) -> IntArray:
        """Bytes of a count: no box has more rows than each of its attributes has near a bin."""
        return np.where(self.table.near.most[self.subspaces].min(axis=1) < 2**16, 2, 4)

    def by_unit(self, places: IntArray) -> Iterator[tuple[AnyArray, IntArray]]:
        """Yield an empty array of each type of counts, and the places that need the type."""
        for unit in (np.empty(0, dtype=np.uint16), np.empty(0, dtype=np.uint32)):
            same = places[self.n_bytes[places] == unit.itemsize]
            if same.size:
                yield unit, same

    @cached_property
    def by_parent(self) -> tuple[IntArray, IntArray]:
        """Places of the subspaces by parent, and the subspaces in this order, their child last.

        Narrow attributes of a parent come first, and so do narrow children of one parent.
        """
        narrow_first = np.argsort(self.table.sizes, kind="stable")
        ranks = np.argsort(narrow_first)
        families = group_by_parent(self.subspaces, ranks.size, ranks)
        parents = narrow_first[np.sort(ranks[families.parents], axis=1)]
        parents = np.repeat(parents, np.diff(families.starts), axis=0)
        return families.order, np.column_stack([parents, families.children])

    def grid(self, attributes: IntArray) -> FloatArray:
        """Bins of the whole grid of subspaces (m, p), gaps included; may exceed an int."""
        with np.errstate(over="ignore"):
            return np.asarray((self.table.sizes + float(self.table.reach))[attributes].prod(axis=1))


class Job(NamedTuple):
    """Subspaces of a level, by their places, for one thread; work: arrays prepared for it."""

    level: Level
    places: IntArray
    work: Any


class Strategy(ABC):
    """One way of counting; the docstring of this package says how to add one."""

    @abstractmethod
    def cost(self, level: Level, limit: FloatArray) -> FloatArray:
        """Nanoseconds for each subspace on one thread; infinite if it cannot count it.

        It may also be infinite if it is sure to exceed `limit`, the cost by other strategies.
        """

    @abstractmethod
    def jobs(self, level: Level, places: IntArray, cost: FloatArray, threads: int) -> Iterator[Job]:
        """Cut the subspaces at `places` into jobs of about `PIECE`; cost: of the whole level."""

    @abstractmethod
    def count(self, job: Job) -> Totals:
        """Totals of the subspaces of a job."""


def changes(rows: IntArray) -> IntArray:
    """Places at which a row of an array differs from the one before."""
    return np.flatnonzero(np.any(rows[1:] != rows[:-1], axis=1)) + 1


def cut(
    cost: FloatArray, threads: int, least: float, places: IntArray | None = None
) -> Iterator[tuple[int, int]]:
    """Cut a list into pieces of about the same cost, at the given places if possible.

    Several threads get smaller pieces towards the end, so that all end at about the same time.
    """
    before = np.append(0.0, cost.cumsum())
    begin = 0
    while begin < cost.size:
        piece = tuned.PIECE
        if threads > 1:
            piece = min(max((before[-1] - before[begin]) / (tuned.PIECES * threads), least), piece)
        ends = before[begin] + np.array([piece, tuned.LATE * piece])
        end, latest = before.searchsorted(ends, side="right")
        if places is not None:
            end = min(np.append(places[places.searchsorted(end) :][:1], cost.size)[0], latest)
        end = max(begin + 1, min(int(end), cost.size))
        yield begin, end
        begin = end
