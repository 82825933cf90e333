"""Independent pieces of work on threads; kernels release the GIL.

`n_jobs` means what it means to joblib, whose settings (`joblib.parallel_config`) count too. The
threads themselves are Python's own: joblib looks for results a hundred times a second, which
for work of some milliseconds is too seldom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from numbers import Integral
from typing import Any

from joblib import effective_n_jobs

from .exceptions import InvalidInputError


def n_threads(n_jobs: int | None, most: int | None = None) -> int:
    """Return the number of threads that `n_jobs` asks for, and no more than `most`."""
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or n_jobs == 0):
        raise InvalidInputError(
            f"n_jobs={n_jobs!r}: expected a number of threads, -1 for all, or None for one."
        )
    if most is not None and most < 2:
        return 1  # joblib would have to look at its settings
    threads = int(effective_n_jobs(n_jobs))
    return threads if most is None else min(threads, most)


def run(
    work: Callable[..., int],
    pieces: Iterable[tuple[Any, ...]],
    n_jobs: int | None,
    tick: Callable[[int], None] | None = None,
) -> None:
    """Call `work(*piece)` for each piece, in any order; `tick` gets the sum of what it returned.

    The pieces write to places of their own, so that the result is the same for every n_jobs.
    """
    done = 0
    pieces = list(pieces)
    n = n_threads(n_jobs, len(pieces))
    if n < 2:
        for piece in pieces:
            done += work(*piece)
            if tick is not None:
                tick(done)
        return
    with ThreadPoolExecutor(n) as pool:
        futures = [pool.submit(work, *piece) for piece in pieces]
        try:
            for future in as_completed(futures):
                done += future.result()
                if tick is not None:
                    tick(done)
        except BaseException:
            # Pieces under way end by themselves, soon; no other is begun.
            pool.shutdown(wait=False, cancel_futures=True)
            raise
