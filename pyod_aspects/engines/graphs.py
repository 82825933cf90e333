"""Dask graphs: turn values into nodes, and compute tasks here or on a Client."""

from __future__ import annotations

from typing import Any

from .._util.types import Tick
from ..exceptions import MissingPackageError
from .client import OnClient, active_client
from .parts import name_part


def import_dask() -> Any:
    """Return the module dask; the error for a missing one names the remedy."""
    try:
        import dask
        import dask.callbacks
    except ImportError as error:
        raise MissingPackageError(
            "a table in partitions needs Dask: pip install pyod_aspects[dask]."
        ) from error
    return dask


def node(value: Any) -> Any:
    """Return a value as one node of a graph; Dask does not traverse it."""
    return import_dask().delayed(value, pure=False, traverse=False)


def compute(tasks: list[Any], root: Any | None, tick: Tick | None) -> list[Any]:
    """Return the answers of all tasks, or of the root alone; `tick` counts the tasks."""
    client = active_client()
    if client is not None:
        return OnClient(client, tasks, root, tick).answers()
    return compute_here(tasks, root, tick)


def compute_here(tasks: list[Any], root: Any | None, tick: Tick | None) -> list[Any]:
    """Compute on a scheduler of this machine, as `compute` does."""
    dask = import_dask()
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
        # The error may come from the user's graph, before our task: find the first part that fails.
        for i in sorted(set(number_of.values()) - done):
            try:
                tasks[i].compute(scheduler="synchronous")
            except Exception as again:
                raise name_part(again, i, len(tasks)) from error
        raise
