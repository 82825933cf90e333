"""Independent pieces of work on threads; kernels release the GIL.

`n_jobs` means the same as in joblib, and `joblib.parallel_config` applies. The threads are Python's
own: joblib polls for results a hundred times a second, too seldom for work of a few milliseconds.
The pool keeps its threads, because a new thread may wait milliseconds for a processor. The calling
thread does a share of the work.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from multiprocessing import current_process
from numbers import Integral
from threading import Lock
from typing import Any

from joblib import effective_n_jobs

from ..exceptions import InvalidInputError
from .types import Tick

# The pool has about as many threads as were ever busy at once and needs no other limit.
_MOST_THREADS = 1024


@cache
def _pool() -> ThreadPoolExecutor:
    """Return the one pool, which creates threads on demand."""
    return ThreadPoolExecutor(_MOST_THREADS, thread_name_prefix="pyod_aspects")


if hasattr(os, "register_at_fork"):  # a forked process has none of the threads
    os.register_at_fork(after_in_child=_pool.cache_clear)


def n_threads(n_jobs: int | None, most: int | None = None) -> int:
    """Return the number of threads that `n_jobs` asks for, and no more than `most`."""
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or n_jobs == 0):
        raise InvalidInputError(
            f"n_jobs={n_jobs!r}: expected a number of threads, -1 for all, or None for one."
        )
    if most is not None and most < 2:
        return 1  # joblib would read its settings first
    if current_process().daemon:
        return 1  # as joblib does, but without its warning at every call
    threads = int(effective_n_jobs(n_jobs))
    return threads if most is None else min(threads, most)


def run(
    work: Callable[..., int],
    pieces: Iterable[tuple[Any, ...]],
    n_jobs: int | None,
    tick: Tick | None = None,
) -> None:
    """Call `work(*piece)` for each piece, in any order; `tick` gets the sum of the return values.

    Each piece writes to its own places: the result is the same for every n_jobs.
    Only the calling thread ticks.
    """
    todo, done, adding = deque(pieces), 0, Lock()

    def work_off(tick: Tick | None = None) -> None:
        nonlocal done
        try:
            while todo:
                try:
                    piece = todo.popleft()
                except IndexError:  # another thread was faster
                    return
                n_done = work(*piece)
                with adding:
                    done += n_done
                if tick is not None:
                    tick(done)
        except BaseException:
            todo.clear()  # pieces under way end soon by themselves; no other begins
            raise

    n = n_threads(n_jobs, len(todo))
    if n < 2:
        work_off(tick)
        return
    helpers: list[Future[None]] = []
    try:
        for _ in range(n - 1):
            helpers.append(_pool().submit(work_off))
        work_off(tick)
    finally:
        todo.clear()  # after any exception in any thread
        # A helper that has not started would find nothing to do.
        under_way = [helper for helper in helpers if not helper.cancel()]
        wait(under_way)
    for helper in under_way:
        helper.result()
    if tick is not None:
        tick(done)


def scale_tick(tick: Tick | None, total: int, n: int) -> Tick | None:
    """Return a tick that turns steps, `total` for n things, into the number of things done."""
    return None if tick is None else lambda done: tick(done * n // total)


def count_on(tick: Tick | None, done: int) -> Tick | None:
    """Return a tick for further work, which adds the things `done` before."""
    return None if tick is None else lambda n: tick(done + n)
