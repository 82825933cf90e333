"""A value on every worker of a Client, for work that splits into pieces other than parts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from .._util.types import Tick
from . import client as workers
from .client import LostError, OnClient, check_running, no_workers
from .graphs import import_dask, node
from .parts import Shared

# Times to send a value, as workers may die with it.
_TIMES_SENT = 3


class SharedOnWorkers(Shared):
    """A value on every worker of a Client."""

    def __init__(self, client: Any, value: Any) -> None:
        self.client, self.value = client, value
        self._future: Any = None

    @property
    def n_workers(self) -> int:  # type: ignore[override]
        """Number of threads of all workers: each computes one piece at a time."""
        check_running(self.client)
        return max(1, int(sum(self.client.nthreads().values())))

    @property
    def reachable(self) -> bool:  # type: ignore[override]
        """Whether the Client is connected."""
        return bool(self.client.status == "running")

    def each(
        self, function: Callable[..., Any], pieces: Sequence[Any], tick: Tick | None = None
    ) -> list[Any]:
        """Return `function(value, piece)` for each piece, computed on the workers."""
        call = import_dask().delayed(_call_with, pure=False)
        for _ in range(_TIMES_SENT):
            if self._future is None or self._future.status != "finished":
                self._future = self._send()
            work, value = node(function), import_dask().delayed(self._future)
            tasks = [call(work, value, node(piece)) for piece in pieces]
            try:
                return OnClient(self.client, tasks, None, tick).answers()
            except LostError as error:  # every worker with the value is gone: send it again
                lost = error
        raise lost

    def _send(self) -> Any:
        check_running(self.client)
        try:
            return self.client.scatter(
                self.value, broadcast=True, hash=False, timeout=workers.PATIENCE
            )
        except asyncio.TimeoutError as error:
            raise no_workers() from error

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("cannot pickle a value on the workers of a Client")


def _call_with(work: Callable[..., Any], value: Any, piece: Any) -> Any:
    return work(value, piece)
