"""Tasks on the workers of a Dask Client.

`OnClient` cancels unfinished tasks, whether the work succeeds, fails or is interrupted. If a worker
dies, Dask repeats its tasks. If no worker is left for `PATIENCE` seconds, the work fails.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import TimeoutError as TimeoutOfFuture
from queue import Empty, SimpleQueue
from typing import Any

from .._util.types import Tick
from ..exceptions import PartsError
from .parts import name_part

PATIENCE = 30.0
"""Seconds without any worker before the work fails: a cluster may be starting workers."""

# Seconds between two checks of the workers while no task ends.
_PAUSE = 0.5


class LostError(PartsError):
    """The workers lost data, or Dask cancelled tasks."""


def active_client() -> Any | None:
    """Return the active Client, or None."""
    from dask.base import get_scheduler

    client = getattr(get_scheduler(), "__self__", None)
    return client if hasattr(client, "scheduler_info") else None


def limits_of(client: Any) -> list[int]:
    """Memory limits of a Client's workers in bytes, without workers that have no limit."""
    try:
        workers = client.scheduler_info(n_workers=-1)["workers"]
    except TypeError:  # older versions always list all workers
        workers = client.scheduler_info()["workers"]
    limits = (int(worker["memory_limit"] or 0) for worker in workers.values())
    return [limit for limit in limits if limit]


def check_running(client: Any) -> None:
    """Refuse a Client without a connection to its scheduler."""
    if client.status != "running":
        raise PartsError("the connection to Dask's scheduler was lost: connect a new Client.")


def no_workers() -> PartsError:
    """Return the error for a Client without workers."""
    return PartsError(
        f"no Dask worker has been available for {PATIENCE:.0f} s: start workers and call again."
    )


class OnClient:
    """Tasks on the workers of a Client.

    Parameters
    ----------
    client : distributed.Client
    tasks : list of Delayed
        One for each part.
    root : Delayed or None
        Combines the tasks. With a root, `answers` returns only its answer.
    tick : callable or None
        Gets the number of finished tasks.
    bring : bool
        Fetch the answers. If false, they stay on the workers and `answers` returns futures.
    """

    def __init__(
        self,
        client: Any,
        tasks: list[Any],
        root: Any | None,
        tick: Tick | None,
        bring: bool = True,
    ) -> None:
        self.client, self.tick, self.n, self.bring = client, tick, len(tasks), bring
        self.wanted = range(self.n) if root is None else range(self.n, self.n + 1)
        self.tasks = tasks if root is None else [*tasks, root]
        self.without_workers: float | None = None
        self.done = 0

    def answers(self) -> list[Any]:
        """Compute; return the answers of the tasks in order, or that of the root."""
        check_running(self.client)
        ready: SimpleQueue[int] = SimpleQueue()
        waiting = dict(enumerate(self.client.compute(self.tasks)))
        found: dict[int, Any] = {}
        failed_root: Exception | None = None
        try:
            for i, future in waiting.items():
                future.add_done_callback(lambda _, i=i: ready.put(i))
            while waiting:
                batch = self._next(ready)
                futures = {i: waiting[i] for i in batch}
                for i, future in futures.items():
                    if future.status == "finished":
                        continue
                    if i < self.n:
                        raise self._failure(future, i)
                    failed_root = self._failure(future, None)
                wanted = [i for i in batch if i in self.wanted and failed_root is None]
                for i, answer in zip(
                    wanted, self._fetch([futures[i] for i in wanted]), strict=True
                ):
                    found[i] = answer
                for i in batch:
                    del waiting[i]
                self.done += sum(i < self.n for i in batch)
                if batch:
                    self._tell()
            if failed_root is not None:
                raise failed_root
            return [found[i] for i in self.wanted]
        finally:
            if waiting and self.client.status == "running":
                self.client.cancel(list(waiting.values()))

    def _tell(self) -> None:
        if self.tick is not None:
            self.tick(self.done)

    def _next(self, ready: SimpleQueue[int]) -> list[int]:
        """Numbers of the tasks that have ended; if none ends within a pause, check the workers."""
        try:
            batch = [ready.get(timeout=_PAUSE)]
        except Empty:
            self._look_at_workers()
            self._tell()
            return []
        while True:
            try:
                batch.append(ready.get_nowait())
            except Empty:
                return batch

    def _fetch(self, futures: list[Any]) -> list[Any]:
        """Fetch answers; Dask computes them again if a worker died with them."""
        if not self.bring or not futures:
            return futures
        coming = asyncio.run_coroutine_threadsafe(
            _gather(self.client, futures), self.client.loop.asyncio_loop
        )
        try:
            while True:
                try:
                    return coming.result(timeout=_PAUSE)
                except TimeoutOfFuture:
                    if coming.done():  # the gathering timed out, not this wait
                        raise
                    self._look_at_workers()
                    self._tell()
        finally:
            coming.cancel()

    def _look_at_workers(self) -> None:
        """Raise if the Client has had no worker for `PATIENCE` seconds, or no connection."""
        check_running(self.client)
        if self.client.nthreads():
            self.without_workers = None
            return
        now = time.monotonic()
        if self.without_workers is None:
            self.without_workers = now
        if now - self.without_workers >= PATIENCE:
            raise no_workers()

    def _failure(self, future: Any, i: int | None) -> Exception:
        if future.status != "error":
            return LostError(
                f"Dask gave up the work ({future.status}): the Client was closed or restarted, or "
                "tasks were cancelled. Call again. If you persisted the table, persist it again "
                "and call fit first."
            )
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            error = PartsError(
                "every worker that ran it died, perhaps out of memory; use smaller partitions or "
                "workers with more memory"
            )
        if i is None or not isinstance(error, Exception):
            return PartsError(f"answers could not be combined: {error!r}")
        return name_part(error, i, self.n)


async def _gather(client: Any, futures: list[Any]) -> list[Any]:
    return list(await client.gather(futures, asynchronous=True))
