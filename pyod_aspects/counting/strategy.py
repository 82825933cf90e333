"""What a way of counting offers: the cost of subspaces, jobs, and the counting itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .._kernels import tuned
from .._kernels.arguments import Families, Rows, Totals
from .._util.types import AnyArray, FloatArray, IntArray
from .families import group_by_parent
from .table import CodedTable


@dataclass(frozen=True)
class Level:
    """Subspaces (m, k) of one size, to be counted in a table."""

    table: CodedTable
    subspaces: IntArray

    @cached_property
    def view(self) -> IntArray:
        """The view that each subspace is counted in, the one with the fewest rows."""
        return self.table.view_of(self.subspaces)

    @cached_property
    def n_rows(self) -> IntArray:
        """Rows of that view."""
        return self.table.view_rows[self.view]

    @cached_property
    def n_bytes(self) -> IntArray:
        """Bytes of a count: no box has more rows than each of its attributes has near a bin."""
        if self.table.n_rows < 2**16:
            return np.full(len(self.subspaces), 2)
        return np.where(self.table.near.most[self.subspaces].min(axis=1) < 2**16, 2, 4)

    @cached_property
    def kind(self) -> IntArray:
        """View and type of counts: one number, a multiple of 64."""
        return 256 * self.view + 64 * self.n_bytes

    def families(self, places: IntArray) -> Families:
        """Subspaces at some places, by kind and parent."""
        return self._families if places.size == len(self.subspaces) else self._group(places)

    @cached_property
    def _families(self) -> Families:
        return self._group(np.arange(len(self.subspaces)))

    def _group(self, places: IntArray) -> Families:
        sizes, views = self.table.sizes, self.table.last_view
        return group_by_parent(self.subspaces[places], sizes.size, sizes, self.kind[places], views)

    def grid(self, attributes: IntArray) -> FloatArray:
        """Bins of the whole grid of subspaces (m, p), gaps included: more than an int may hold."""
        with np.errstate(over="ignore"):
            return np.asarray((self.table.sizes + float(self.table.reach))[attributes].prod(axis=1))


class Job(NamedTuple):
    """Subspaces of a level, by their places, for one thread to count; work: what is prepared."""

    level: Level
    places: IntArray
    work: Any


class Strategy(ABC):
    """One way of counting; the docstring of this package says how to add one."""

    @abstractmethod
    def cost(self, level: Level, limit: FloatArray) -> FloatArray:
        """Nanoseconds for each subspace on one thread; infinite where it cannot count it.

        It may be infinite too where it is sure to exceed `limit`, the cost by other strategies.
        """

    @abstractmethod
    def jobs(self, level: Level, places: IntArray, cost: FloatArray, threads: int) -> Iterator[Job]:
        """Cut the subspaces at some places, with their costs, into jobs of about `PIECE`."""

    @abstractmethod
    def count(self, job: Job) -> Totals:
        """Totals of the subspaces of a job."""


class FamilyStrategy(Strategy):
    """A strategy that counts the children of a parent one after the other, in a view."""

    @abstractmethod
    def fill(self, job: Job, rows: Rows, totals: Totals, unit: AnyArray) -> None:
        """Fill the totals of a job from the rows of its view; unit has the type of counts."""

    def kinds_of_parents(self, level: Level, families: Families) -> IntArray:
        """A number below 64 for each family; those of a job have the same one."""
        return np.zeros(len(families.parents), dtype=np.int64)

    def jobs(self, level: Level, places: IntArray, cost: FloatArray, threads: int) -> Iterator[Job]:
        """Cut between families; a job has one view, one kind of parents, and one type of counts."""
        families = level.families(places)
        firsts = families.order[families.starts[:-1]]
        cost = np.add.reduceat(cost[families.order], families.starts[:-1])
        kinds = level.kind[places[firsts]] + self.kinds_of_parents(level, families)
        ends = np.append(np.flatnonzero(np.diff(kinds)) + 1, firsts.size)
        for first, last in zip(np.append(0, ends[:-1]), ends, strict=True):
            for begin, end in cut(cost[first:last], threads, tuned.LEAST_PIECE):
                part = families.part(first + begin, first + end)
                yield Job(level, places[part.order], part)

    def count(self, job: Job) -> Totals:
        """Totals of the subspaces of a job."""
        level, first, totals = job.level, job.places[0], Totals.of(job.places.size)
        unit = np.empty(0, dtype=np.uint16 if level.n_bytes[first] == 2 else np.uint32)
        self.fill(job, level.table.views[level.view[first]], totals, unit)
        return totals


def cut(
    cost: FloatArray, threads: int, least: float, places: IntArray | None = None
) -> Iterator[tuple[int, int]]:
    """Cut a list into pieces of about the same cost, at the given places where possible.

    For several threads the pieces become smaller, so that all threads end at about the same time.
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
