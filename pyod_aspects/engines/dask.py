"""Parts of a table on Dask, on whatever scheduler is active: threads, processes, a Client.

Every call is one graph: a task for each part, and a tree that combines their answers. The task of a
part does all that is to be done with it, so that only the answer may travel. The functions and
their arguments are one node of the graph, so that they reach a worker once. Nothing is held on
workers that could not be made again: a worker that dies costs the time of its tasks.
"""

from __future__ import annotations

import asyncio
import operator
import pickle
import time
from collections.abc import Callable, Sequence
from concurrent.futures import TimeoutError as TimeoutOfFuture
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from .._util.types import Tick
from ..exceptions import MissingPackageError, PartsError
from .parts import (
    DOING,
    KEEPING,
    SPLIT_EVERY,
    Combine,
    Parts,
    Shared,
    check_number,
    fold,
    name_part,
    tree,
)
from .passes import begin_pass

PATIENCE = 30.0
"""Seconds without any worker until the work is given up: a cluster may be starting them."""

SPLIT_EVERY_HERE = 2
"""Answers that this process combines at once: the fewest wait for their neighbours in memory."""

# Seconds between two looks at the workers while nothing arrives.
_PAUSE = 0.5


# How often a value is sent to workers that die with it.
_TIMES_SENT = 3


class LostError(PartsError):
    """Data on workers, or the tasks that need them, are gone."""


class DaskParts(Parts):
    """The partitions of a Dask DataFrame, or delayed objects.

    Parameters
    ----------
    parts : dask.dataframe.DataFrame or sequence of dask.delayed.Delayed

    Examples
    --------
    >>> from dask import delayed
    >>> parts = DaskParts([delayed([1, 2]), delayed([]), delayed([3])])
    >>> parts.each(len), parts.total(sum)
    ([2, 0, 1], 6)
    """

    def __init__(self, parts: Any) -> None:
        _dask()
        self._recipe = parts if isinstance(parts, _Recipe) else _Recipe.of(parts)
        self.n_parts = check_number(len(self._recipe.parts))

    def each(
        self, function: Callable[..., Any], *args: Any, tick: Tick | None = None, what: str = DOING
    ) -> list[Any]:
        """Return `function(part, *args)` of each part, in the order of the parts."""
        with begin_pass(what, self.n_parts, tick) as tell:
            return _compute(self._tasks(function, args), None, tell)

    def total(
        self,
        function: Callable[..., Any],
        *args: Any,
        combine: Combine = operator.add,
        tick: Tick | None = None,
        what: str = DOING,
    ) -> Any:
        """Return `function(part, *args)` of all parts, combined in a tree of neighbours."""
        tasks = self._tasks(function, args)
        folding = _node(partial(fold, combine))
        call = _dask().delayed(_call, pure=False)
        split_every = SPLIT_EVERY_HERE if _client() is None else SPLIT_EVERY
        root = tree(tasks, lambda some: call(folding, some), split_every)
        with begin_pass(what, self.n_parts, tick) as tell:
            (answer,) = _compute(tasks, root, tell)
        return answer

    def map(self, function: Callable[..., Any], *args: Any) -> DaskParts:
        """Return parts that are `function(part, *args)`, made whenever they are asked for."""
        return DaskParts(self._recipe.then(_Work(function, args)))

    def zip(self, values: Sequence[Any]) -> DaskParts:
        """Return parts that are pairs: a part, and the value that belongs to it."""
        return DaskParts(self._recipe.zipped(values))

    def keep(self) -> DaskParts:
        """Return the same parts, kept in the memory of the workers, or of this process."""
        with begin_pass(KEEPING, self.n_parts, None) as tell:
            client, made = _client(), self._recipe.tasks()
            if client is None:
                return DaskParts([_node(part) for part in _compute_here(made, None, tell)])
            futures = _OnClient(client, made, None, tell, bring=False).answers()
            return KeptOnWorkers(self._recipe, client, futures)

    def some(self, numbers: Sequence[int]) -> DaskParts:
        """Return some of the parts, by number: only these are computed."""
        return DaskParts(self._recipe.some(numbers))

    def room(self) -> int:
        """Bytes that may be kept: a quarter of the memory of the workers, or an eighth of this."""
        client = _client()
        return super().room() if client is None else sum(_limits_of(client)) // 4

    def share(self, value: Any, n_bytes: int) -> Shared | None:
        """Send a value once to every worker of the Client.

        None without a Client, or if the value takes more than half of a worker's memory.
        """
        client = _client()
        if client is None or any(n_bytes > limit // 2 for limit in _limits_of(client)):
            return None
        return SharedOnWorkers(client, value)

    def __reduce__(self) -> tuple[Any, ...]:
        # Functions in a user's graph may be local ones, which pickle alone does not take.
        from cloudpickle import dumps

        return _unpickled, (dumps(self._recipe),)

    def _tasks(self, function: Callable[..., Any], args: tuple[Any, ...]) -> list[Any]:
        return self._recipe.then(_Work(function, args)).tasks()


class _Recipe(NamedTuple):
    """How parts are made: each in one task, step by step from a delayed object."""

    parts: list[Any]
    steps: tuple[Callable[..., Any], ...]
    values: list[tuple[Any, ...]]  # of each part, those that its steps pair it with
    persisted: bool  # whether workers hold what the parts are made from

    @classmethod
    def of(cls, parts: Any) -> _Recipe:
        delayed = list(parts.to_delayed() if hasattr(parts, "to_delayed") else parts)
        return cls(delayed, (), [()] * len(delayed), _hold_futures(delayed))

    def then(self, step: Callable[..., Any]) -> _Recipe:
        return self._replace(steps=(*self.steps, step))

    def zipped(self, values: Sequence[Any]) -> _Recipe:
        pairs = zip(self.values, values, strict=True)
        return self.then(_pair)._replace(values=[(*had, new) for had, new in pairs])

    def some(self, numbers: Sequence[int]) -> _Recipe:
        parts, values = [self.parts[i] for i in numbers], [self.values[i] for i in numbers]
        return self._replace(parts=parts, values=values)

    def tasks(self) -> list[Any]:
        """Return a delayed object for each part."""
        if self.persisted and _client() is None:  # without a word, some versions of Dask hang
            raise PartsError(
                "the table was persisted on a Client that is closed or not active: activate it, or "
                "persist the table again and call fit."
            )
        if not self.steps:
            return self.parts
        steps = _node(self.steps)
        make = _dask().delayed(_make, pure=False)
        pairs = zip(self.parts, self.values, strict=True)
        return [make(steps, part, _node(values) if values else ()) for part, values in pairs]


def _hold_futures(parts: list[Any]) -> bool:
    """Whether the graphs of delayed objects have futures of a Client."""
    graphs = {id(part.dask): part.dask for part in parts}.values()  # partitions share theirs
    return any(hasattr(node, "cancelled") for graph in graphs for node in dict(graph).values())


def _make(steps: tuple[Callable[..., Any], ...], part: Any, values: tuple[Any, ...]) -> Any:
    coming = iter(values)
    for step in steps:
        part = step(part, next(coming)) if step is _pair else step(part)
    return part


class KeptOnWorkers(DaskParts):
    """Parts in the memory of the workers of a Client.

    They are made anew once the Client is closed, restarted, or not the active one. A pickle has the
    way they are made, not the parts.
    """

    def __init__(self, made_by: _Recipe, client: Any, futures: Sequence[Any]) -> None:
        self._made_by, self._client, self._futures = made_by, client, list(futures)
        self._kept = _Recipe.of([_dask().delayed(future) for future in futures])
        self.n_parts = len(futures)

    @property
    def _recipe(self) -> _Recipe:  # type: ignore[override]
        there = self._client is _client() and not any(f.cancelled() for f in self._futures)
        return self._kept if there else self._made_by

    def __reduce__(self) -> tuple[Any, ...]:
        return DaskParts(self._made_by).__reduce__()


class SharedOnWorkers(Shared):
    """A value that every worker of a Client has."""

    def __init__(self, client: Any, value: Any) -> None:
        self.client, self.value = client, value
        self._future: Any = None

    @property
    def n_workers(self) -> int:  # type: ignore[override]
        """Threads of all workers, as each takes up a piece."""
        _check_running(self.client)
        return max(1, int(sum(self.client.nthreads().values())))

    @property
    def reachable(self) -> bool:  # type: ignore[override]
        """Whether the Client is there."""
        return bool(self.client.status == "running")

    def each(
        self, function: Callable[..., Any], pieces: Sequence[Any], tick: Tick | None = None
    ) -> list[Any]:
        """Return `function(value, piece)` of each piece, on the workers."""
        call = _dask().delayed(_call_with, pure=False)
        for _ in range(_TIMES_SENT):
            if self._future is None or self._future.status != "finished":
                self._future = self._send()
            work, value = _node(function), _dask().delayed(self._future)
            tasks = [call(work, value, _node(piece)) for piece in pieces]
            try:
                return _OnClient(self.client, tasks, None, tick).answers()
            except LostError as error:  # every worker that had it is gone: send it again
                lost = error
        raise lost

    def _send(self) -> Any:
        _check_running(self.client)
        try:
            return self.client.scatter(self.value, broadcast=True, hash=False, timeout=PATIENCE)
        except asyncio.TimeoutError as error:
            raise _without_workers() from error

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("a value on the workers of a Client cannot be saved")


def _unpickled(recipe: bytes) -> DaskParts:
    return DaskParts(pickle.loads(recipe))


async def _gather(client: Any, futures: list[Any]) -> list[Any]:
    return list(await client.gather(futures, asynchronous=True))


def _call_with(work: Callable[..., Any], value: Any, piece: Any) -> Any:
    return work(value, piece)


class _Work:
    """A function and its arguments, after the part."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.function, self.args = function, args

    def __call__(self, part: Any) -> Any:
        return self.function(part, *self.args)


def _call(work: Callable[[Any], Any], part: Any) -> Any:
    return work(part)


def _pair(part: Any, value: Any) -> tuple[Any, Any]:
    return part, value


def _node(value: Any) -> Any:
    """Return a value as one node of a graph, which Dask does not look into."""
    return _dask().delayed(value, pure=False, traverse=False)


def _dask() -> Any:
    try:
        import dask
        import dask.callbacks
    except ImportError as error:
        raise MissingPackageError(
            "a table in partitions needs Dask: pip install pyod_aspects[dask]."
        ) from error
    return dask


def _compute(tasks: list[Any], root: Any | None, tick: Tick | None) -> list[Any]:
    """Answers of all tasks, or of the root alone; the tasks are counted."""
    client = _client()
    if client is not None:
        return _OnClient(client, tasks, root, tick).answers()
    return _compute_here(tasks, root, tick)


def _client() -> Any | None:
    """Return the Client that is active, if there is one."""
    from dask.base import get_scheduler

    client = getattr(get_scheduler(), "__self__", None)
    return client if hasattr(client, "scheduler_info") else None


def _check_running(client: Any) -> None:
    if client.status != "running":
        raise PartsError("the connection to Dask's scheduler was lost: connect a new Client.")


def _without_workers() -> PartsError:
    return PartsError(
        f"no Dask worker has been there for {PATIENCE:.0f} s: start workers and call again."
    )


def _limits_of(client: Any) -> list[int]:
    """Bytes that each worker of a Client may use, if it has a limit."""
    try:
        workers = client.scheduler_info(n_workers=-1)["workers"]
    except TypeError:  # older versions tell of all workers
        workers = client.scheduler_info()["workers"]
    limits = (int(worker["memory_limit"] or 0) for worker in workers.values())
    return [limit for limit in limits if limit]


def _compute_here(tasks: list[Any], root: Any | None, tick: Tick | None) -> list[Any]:
    """Compute on a scheduler of this machine."""
    dask = _dask()
    number_of = {task.key: i for i, task in enumerate(tasks)}
    done: set[int] = set()
    stopped: list[BaseException] = []

    def count(key: Any, *_: Any) -> None:
        if key in number_of:
            done.add(number_of[key])
            if tick is not None:
                try:
                    tick(len(done))
                except BaseException as error:
                    stopped.append(error)
                    raise

    wanted = tasks if root is None else [root]
    try:
        with dask.callbacks.Callback(posttask=count):
            return list(dask.compute(*wanted, traverse=False))
    except Exception as error:
        if stopped:
            raise
        # A part that cannot be read fails before it comes to our task: the first that fails again.
        for i in sorted(set(number_of.values()) - done):
            try:
                tasks[i].compute(scheduler="synchronous")
            except Exception as again:
                raise name_part(again, i, len(tasks)) from error
        raise


class _OnClient:
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
        _check_running(self.client)
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
        _check_running(self.client)
        if self.client.nthreads():
            self.without_workers = None
            return
        now = time.monotonic()
        if self.without_workers is None:
            self.without_workers = now
        if now - self.without_workers >= PATIENCE:
            raise _without_workers()

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
