"""Graphs of Dask: values as nodes, and tasks computed in this process or on a Client."""

from __future__ import annotations

from typing import Any

from .._util.types import Tick
from ..exceptions import MissingPackageError
from .client import OnClient, active_client
from .parts import name_part


def import_dask() -> Any:
    """Return the module; a missing one gets its remedy."""
    try:
        import dask
        import dask.callbacks
    except ImportError as error:
        raise MissingPackageError(
            "a table in partitions needs Dask: pip install pyod_aspects[dask]."
        ) from error
    return dask


def node(value: Any) -> Any:
    """Return a value as one node of a graph, which Dask does not look into."""
    return import_dask().delayed(value, pure=False, traverse=False)


def compute(tasks: list[Any], root: Any | None, tick: Tick | None) -> list[Any]:
    """Answers of all tasks, or of the root alone; the tasks are counted."""
    client = active_client()
    if client is not None:
        return OnClient(client, tasks, root, tick).answers()
    return compute_here(tasks, root, tick)


def compute_here(tasks: list[Any], root: Any | None, tick: Tick | None) -> list[Any]:
    """Compute on a scheduler of this machine."""
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
        # A part that cannot be read fails before it comes to our task: the first that fails again.
        for i in sorted(set(number_of.values()) - done):
            try:
                tasks[i].compute(scheduler="synchronous")
            except Exception as again:
                raise name_part(again, i, len(tasks)) from error
        raise
