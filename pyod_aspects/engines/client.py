"""A Client of Dask: which one is active, what its workers have room for, and tasks on them.

Tasks are cancelled however the work ends. A worker that dies costs the time of its tasks; without
any worker the work waits for a while, and then gives up.
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
"""Seconds without any worker until the work is given up: a cluster may be starting them."""

# Seconds between two looks at the workers while nothing arrives.
_PAUSE = 0.5


class LostError(PartsError):
    """Data on workers, or the tasks that need them, are gone."""


def active_client() -> Any | None:
    """Return the Client that is active, if there is one."""
    from dask.base import get_scheduler

    client = getattr(get_scheduler(), "__self__", None)
    return client if hasattr(client, "scheduler_info") else None


def limits_of(client: Any) -> list[int]:
    """Bytes that each worker of a Client may use, if it has a limit."""
    try:
        workers = client.scheduler_info(n_workers=-1)["workers"]
    except TypeError:  # older versions tell of all workers
        workers = client.scheduler_info()["workers"]
    limits = (int(worker["memory_limit"] or 0) for worker in workers.values())
    return [limit for limit in limits if limit]


def check_running(client: Any) -> None:
    """Refuse a Client without a connection to its scheduler."""
    if client.status != "running":
        raise PartsError("the connection to Dask's scheduler was lost: connect a new Client.")


def no_workers() -> PartsError:
    """Return the error of a Client without workers."""
    return PartsError(
        f"no Dask worker has been there for {PATIENCE:.0f} s: start workers and call again."
    )


class OnClient:
    """Tasks on the workers of a Client; they are cancelled however the work ends.

    Answers stay on the workers unless they are to be brought here: then futures stand for them.
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
        """Answers of the wanted tasks, in their order."""
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
        """Numbers of tasks that have ended; none after a pause, in which the workers are seen."""
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
        """Bring answers here; Dask makes them again if the worker that had them is gone."""
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
                    if coming.done():  # it was the work that timed out
                        raise
                    self._look_at_workers()
                    self._tell()
        finally:
            coming.cancel()

    def _look_at_workers(self) -> None:
        """Give up if there has been no worker for too long."""
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
                "tasks were cancelled. Call again; a table that was persisted has to be persisted "
                "and fitted again."
            )
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            error = PartsError(
                "every worker that took it up died, perhaps for want of memory; use smaller "
                "partitions or larger workers"
            )
        if i is None or not isinstance(error, Exception):
            return PartsError(f"answers could not be combined: {error!r}")
        return name_part(error, i, self.n)


async def _gather(client: Any, futures: list[Any]) -> list[Any]:
    return list(await client.gather(futures, asynchronous=True))
