"""Parts of a table on Dask, on the active scheduler: threads, processes or a Client.

Every call builds one graph: a task for each part, and a tree that combines their answers. One task
takes all steps of a part, so only its answer travels. The functions and their arguments are one
node of the graph, so Dask sends them to a worker once. Dask can recompute everything that workers
hold: if a worker dies, it repeats the tasks.
"""

from __future__ import annotations

import operator
import pickle
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from .._util.types import Tick
from ..exceptions import PartsError
from .client import OnClient, active_client, limits_of
from .graphs import compute, compute_here, import_dask, node
from .parts import DOING, KEEPING, SPLIT_EVERY, Combine, Parts, Shared, check_number, fold, tree
from .passes import begin_pass
from .sharing import SharedOnWorkers

SPLIT_EVERY_HERE = 2
"""Answers to combine at once in this process: with 2, fewest answers wait in memory."""


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
        import_dask()
        self._recipe = parts if isinstance(parts, _Recipe) else _Recipe.of(parts)
        self.n_parts = check_number(len(self._recipe.parts))

    def each(
        self, function: Callable[..., Any], *args: Any, tick: Tick | None = None, what: str = DOING
    ) -> list[Any]:
        """Return `function(part, *args)` for each part, in the order of the parts."""
        with begin_pass(what, self.n_parts, tick) as tell:
            return compute(self._tasks(function, args), None, tell)

    def total(
        self,
        function: Callable[..., Any],
        *args: Any,
        combine: Combine = operator.add,
        tick: Tick | None = None,
        what: str = DOING,
    ) -> Any:
        """Compute `function(part, *args)` for all parts and combine the answers in a tree."""
        tasks = self._tasks(function, args)
        folding = node(partial(fold, combine))
        call = import_dask().delayed(_call, pure=False)
        split_every = SPLIT_EVERY_HERE if active_client() is None else SPLIT_EVERY
        root = tree(tasks, lambda some: call(folding, some), split_every)
        with begin_pass(what, self.n_parts, tick) as tell:
            (answer,) = compute(tasks, root, tell)
        return answer

    def map(self, function: Callable[..., Any], *args: Any) -> DaskParts:
        """Return the parts `function(part, *args)`; every pass computes them anew."""
        return DaskParts(self._recipe.then(_Work(function, args)))

    def zip(self, values: Sequence[Any]) -> DaskParts:
        """Return pairs as parts: part i and value i."""
        return DaskParts(self._recipe.zipped(values))

    def keep(self) -> DaskParts:
        """Compute the parts once and keep them in memory: on the workers, or in this process."""
        with begin_pass(KEEPING, self.n_parts, None) as tell:
            client = active_client()
            if client is None:
                made = compute_here(self._recipe.tasks(), None, tell)
                return DaskParts([node(part) for part in made])
            # Equal shares: every later pass works where the parts are.
            made = self._recipe.tasks(sorted(client.nthreads()))
            futures = OnClient(client, made, None, tell, bring=False).answers()
            return KeptOnWorkers(self._recipe, client, futures)

    def some(self, numbers: Sequence[int]) -> DaskParts:
        """Return the parts with these numbers; Dask computes no others."""
        return DaskParts(self._recipe.some(numbers))

    def room(self) -> int:
        """Bytes that `keep` may take: a quarter of the workers' memory, or an eighth of ours."""
        client = active_client()
        return super().room() if client is None else sum(limits_of(client)) // 4

    def share(self, value: Any, n_bytes: int) -> Shared | None:
        """Send a value once to every worker of the Client.

        Return None without a Client, or if the value takes more than half of a worker's memory.
        """
        client = active_client()
        if client is None or any(n_bytes > limit // 2 for limit in limits_of(client)):
            return None
        return SharedOnWorkers(client, value)

    def __reduce__(self) -> tuple[Any, ...]:
        # A user's graph may have local functions, which only cloudpickle can save.
        from cloudpickle import dumps

        return _unpickled, (dumps(self._recipe),)

    def _tasks(self, function: Callable[..., Any], args: tuple[Any, ...]) -> list[Any]:
        return self._recipe.then(_Work(function, args)).tasks()


class _Recipe(NamedTuple):
    """Steps that make each part from a delayed object, in one task."""

    parts: list[Any]
    steps: tuple[Callable[..., Any], ...]
    values: list[tuple[Any, ...]]  # for each part, the values of its `_pair` steps
    persisted: bool  # whether the delayed objects are futures on workers

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

    def tasks(self, workers: Sequence[str] = ()) -> list[Any]:
        """Return a delayed object for each part; neighbours prefer the same of the workers."""
        if self.persisted and active_client() is None:  # else some versions of Dask hang
            raise PartsError(
                "the table was persisted on a Client that is closed or not active: activate it, or "
                "persist the table again and call fit."
            )
        if not self.steps:
            return self.parts
        steps = node(self.steps)
        make = import_dask().delayed(_make, pure=False)
        tasks = []
        for i, (part, values) in enumerate(zip(self.parts, self.values, strict=True)):
            mine = workers[i * len(workers) // len(self.parts)] if workers else None
            preferred = {"workers": [mine], "allow_other_workers": True} if mine else {}
            with import_dask().annotate(**preferred):
                tasks.append(make(steps, part, node(values) if values else ()))
        return tasks


def _hold_futures(parts: list[Any]) -> bool:
    """Whether the graphs of delayed objects contain futures of a Client."""
    graphs = {id(part.dask): part.dask for part in parts}.values()  # partitions share a graph
    return any(hasattr(node, "cancelled") for graph in graphs for node in dict(graph).values())


def _make(steps: tuple[Callable[..., Any], ...], part: Any, values: tuple[Any, ...]) -> Any:
    coming = iter(values)
    for step in steps:
        part = step(part, next(coming)) if step is _pair else step(part)
    return part


class KeptOnWorkers(DaskParts):
    """Parts in the memory of the workers of a Client.

    Each pass computes them anew once the Client is closed, restarted or inactive. A pickle holds
    the recipe, not the parts.
    """

    def __init__(self, made_by: _Recipe, client: Any, futures: Sequence[Any]) -> None:
        self._made_by, self._client, self._futures = made_by, client, list(futures)
        self._kept = _Recipe.of([import_dask().delayed(future) for future in futures])
        self.n_parts = len(futures)

    @property
    def _recipe(self) -> _Recipe:  # type: ignore[override]
        there = self._client is active_client() and not any(f.cancelled() for f in self._futures)
        return self._kept if there else self._made_by

    def __reduce__(self) -> tuple[Any, ...]:
        return DaskParts(self._made_by).__reduce__()


def _unpickled(recipe: bytes) -> DaskParts:
    return DaskParts(pickle.loads(recipe))


class _Work:
    """A function of a part, with its further arguments."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.function, self.args = function, args

    def __call__(self, part: Any) -> Any:
        return self.function(part, *self.args)


def _call(work: Callable[[Any], Any], part: Any) -> Any:
    return work(part)


def _pair(part: Any, value: Any) -> tuple[Any, Any]:
    return part, value
