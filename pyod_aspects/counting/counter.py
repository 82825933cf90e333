"""The planner: it counts each subspace of a level with the cheapest strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._kernels import tuned
from .._kernels.arguments import Int32Array, Totals
from .._kernels.exact import moments
from .._util.parallel import count_on, n_threads, run
from .._util.types import FloatArray, IntArray, Tick
from .bits import BitStrategy
from .cells import CellStrategy
from .grid import GridStrategy
from .strategy import Job, Level, Strategy
from .table import CodedTable


class Plan(NamedTuple):
    """For each subspace of a level: the number of its strategy, and its cost."""

    level: Level
    strategy: IntArray
    cost: FloatArray


class LevelCounter:
    """Counts the rows near every row, for the subspaces of a level.

    The result is the same for every number of threads (`n_jobs`, as in joblib) and for every set
    of strategies.
    """

    def __init__(
        self,
        table: CodedTable,
        n_jobs: int | None = None,
        strategies: Sequence[Strategy] | None = None,
    ) -> None:
        self.table, self.n_jobs = table, n_jobs
        self.strategies = strategies or (GridStrategy(), CellStrategy(), BitStrategy())

    def plan(self, subspaces: IntArray) -> Plan:
        """Choose a strategy for each of subspaces (m, k); the cost is infinite if none can."""
        level, least = Level(self.table, subspaces), np.full(len(subspaces), np.inf)
        chosen = np.zeros(len(subspaces), dtype=np.int64)
        for i, strategy in enumerate(self.strategies):
            cost = strategy.cost(level, least)
            chosen[cost < least] = i
            least = np.minimum(cost, least)
        return Plan(level, chosen, least)

    def cost(self, subspaces: IntArray) -> float:
        """Nanoseconds, roughly, to count the countable subspaces on one thread."""
        costs = [self.plan(subspaces[part]).cost for part in _runs(*subspaces.shape)]
        return float(sum(cost[np.isfinite(cost)].sum() for cost in costs))

    def statistics(
        self, subspaces: IntArray, tick: Tick | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation of the counts over all rows, for each subspace."""
        mean, std = np.empty((2, len(subspaces)))
        for part in _runs(*subspaces.shape):
            totals = Totals.of(part.stop - part.start)
            self._count(self.plan(subspaces[part]), totals, count_on(tick, part.start))
            mean[part], std[part] = moments(totals, self.table.n_rows)
        return mean, std

    def sample(
        self, subspaces: IntArray, rows: Int32Array, tick: Tick | None = None
    ) -> npt.NDArray[np.uint32]:
        """Counts at the given distinct rows: (m, n of rows); all 0 if the bits do not fit."""
        totals, sampler = Totals.of(len(subspaces), rows.size), self.sampler(rows)
        plan = sampler.plan(subspaces)
        sampler._count(plan._replace(strategy=np.where(np.isinf(plan.cost), -1, 0)), totals, tick)
        return totals.counts

    def sampler(self, rows: Int32Array) -> LevelCounter:
        """Return a counter for the given distinct rows only."""
        return LevelCounter(self.table, self.n_jobs, [BitStrategy(sample=rows)])

    def _count(self, plan: Plan, totals: Totals, tick: Tick | None) -> None:
        """Fill the totals of a level, on threads; skip subspaces with the strategy -1."""
        threads, jobs, cost = n_threads(self.n_jobs), [], np.minimum(plan.cost, tuned.PIECE)
        for i, strategy in enumerate(self.strategies):
            places = np.flatnonzero(plan.strategy == i)
            if places.size:
                jobs += [(strategy, j) for j in strategy.jobs(plan.level, places, cost, threads)]

        def count(strategy: Strategy, job: Job) -> int:
            totals.put(job.places, strategy.count(job))
            return job.places.size

        run(count, jobs, self.n_jobs, tick)


def _runs(m: int, k: int) -> list[slice]:
    """Cut m subspaces of k attributes into runs, each small enough to plan as a whole."""
    n = min(m, -(-m * (1 + k * (k + 1) // 2) // tuned.PLANNED))
    return [slice(i * m // n, (i + 1) * m // n) for i in range(n)]
