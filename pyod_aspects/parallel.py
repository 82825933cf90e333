"""Independent pieces of work on joblib threads; kernels release the GIL."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterable
from typing import Any

from joblib import Parallel, delayed, effective_n_jobs


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
    if len(pieces) == 1 or effective_n_jobs(n_jobs) == 1:  # a pool takes milliseconds to start
        results: Iterable[int] = (work(*piece) for piece in pieces)
    else:
        parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator_unordered")
        results = parallel(delayed(work)(*piece) for piece in pieces)
    try:
        for n in results:
            done += n
            if tick is not None:
                tick(done)
    except BaseException:
        # Pieces under way end by themselves, soon; joblib warns that the others are cancelled.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if isinstance(results, Generator):
                results.close()
        raise
