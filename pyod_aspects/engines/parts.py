"""The contract `Parts`: call a function on each part of a table, and combine the answers.

A part is a DataFrame, an array of values, or an array of codes. Parts stay in their process. Only
functions and their small answers travel.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from .._util.memory import memory
from .._util.types import Tick
from ..exceptions import AspectsError, PartsError
from .passes import begin_pass

SPLIT_EVERY = 8
"""Number of answers that a node of the tree combines."""

DOING, KEEPING = "reading the table", "keeping parts in memory"
"""Default names of passes, for the log and for progress."""

Combine = Callable[[Any, Any], Any]
"""Associative function of two answers; the first argument belongs to the earlier rows."""


class Parts(ABC):
    """The rows of a table, in ordered parts."""

    n_parts: int

    def __len__(self) -> int:
        return self.n_parts

    @abstractmethod
    def each(
        self, function: Callable[..., Any], *args: Any, tick: Tick | None = None, what: str = DOING
    ) -> list[Any]:
        """Return `function(part, *args)` for each part, in the order of the parts.

        `tick` gets the number of finished parts; it ends the work by raising. `what` names the pass
        in the log and in progress.
        """

    @abstractmethod
    def total(
        self,
        function: Callable[..., Any],
        *args: Any,
        combine: Combine = operator.add,
        tick: Tick | None = None,
        what: str = DOING,
    ) -> Any:
        """Compute `function(part, *args)` for all parts and combine the answers in a tree."""

    @abstractmethod
    def map(self, function: Callable[..., Any], *args: Any) -> Parts:
        """Return the parts `function(part, *args)`; every pass computes them anew."""

    @abstractmethod
    def zip(self, values: Sequence[Any]) -> Parts:
        """Return pairs as parts: part i and value i."""

    @abstractmethod
    def keep(self) -> Parts:
        """Compute the parts once and keep them in memory, each in its process."""

    @abstractmethod
    def some(self, numbers: Sequence[int]) -> Parts:
        """Return the parts with these numbers; no others are computed."""

    def room(self) -> int:
        """Bytes that `keep` may take: an eighth of the memory."""
        return memory() // 8

    def share(self, value: Any, n_bytes: int) -> Shared | None:
        """Send a value once to every worker, for work that splits into pieces other than parts.

        Return None if the parts are in this process, or if the value does not fit on the workers.
        """
        return None


class Shared(ABC):
    """A value that every worker has.

    Attributes
    ----------
    n_workers : int
        Number of pieces that the workers compute at once.
    reachable : bool
        Whether there is a connection to the workers.
    """

    n_workers: int
    reachable: bool

    @abstractmethod
    def each(
        self, function: Callable[..., Any], pieces: Sequence[Any], tick: Tick | None = None
    ) -> list[Any]:
        """Return `function(value, piece)` for each piece; `tick` gets the number of pieces done."""


class ListParts(Parts):
    """Parts in a list, in this process.

    Examples
    --------
    >>> parts = ListParts([[1, 2], [], [3]])
    >>> parts.each(len), parts.total(sum), parts.map(len).zip("abc").each(str)[0]
    ([2, 0, 1], 6, "(2, 'a')")
    """

    def __init__(self, parts: Sequence[Any]) -> None:
        self._make: list[Callable[[], Any]] = [partial(_itself, part) for part in parts]
        self.n_parts = check_number(len(parts))

    def each(
        self, function: Callable[..., Any], *args: Any, tick: Tick | None = None, what: str = DOING
    ) -> list[Any]:
        """Return `function(part, *args)` for each part, one part after the other."""
        answers = []
        with begin_pass(what, self.n_parts, tick) as tell:
            for i, make in enumerate(self._make):
                try:
                    answers.append(function(make(), *args))
                except Exception as error:
                    raise name_part(error, i, self.n_parts) from error
                if tell is not None:
                    tell(i + 1)
        return answers

    def total(
        self,
        function: Callable[..., Any],
        *args: Any,
        combine: Combine = operator.add,
        tick: Tick | None = None,
        what: str = DOING,
    ) -> Any:
        """Compute `function(part, *args)` for all parts and combine the answers in a tree."""
        answers = self.each(function, *args, tick=tick, what=what)
        return tree(answers, lambda some: fold(combine, some))

    def map(self, function: Callable[..., Any], *args: Any) -> ListParts:
        """Return the parts `function(part, *args)`; every pass computes them anew."""
        return self._of([partial(_made, make, function, args) for make in self._make])

    def zip(self, values: Sequence[Any]) -> ListParts:
        """Return pairs as parts: part i and value i."""
        pairs = zip(self._make, values, strict=True)
        return self._of([partial(_made, make, _pair, (value,)) for make, value in pairs])

    def keep(self) -> ListParts:
        """Compute the parts once and keep them."""
        return ListParts(self.each(_itself, what=KEEPING))

    def some(self, numbers: Sequence[int]) -> ListParts:
        """Return the parts with these numbers."""
        return self._of([self._make[i] for i in numbers])

    @staticmethod
    def _of(make: list[Callable[[], Any]]) -> ListParts:
        parts = ListParts(make)
        parts._make = make
        return parts


def tree(
    answers: list[Any], fold_some: Callable[[list[Any]], Any], split_every: int = SPLIT_EVERY
) -> Any:
    """Combine neighbours, `split_every` at a time, until one answer is left."""
    while len(answers) > 1:
        starts = range(0, len(answers), split_every)
        answers = [fold_some(answers[i : i + split_every]) for i in starts]
    return answers[0]


def fold(combine: Combine, answers: Sequence[Any]) -> Any:
    """Combine answers from left to right."""
    first, *others = answers
    for other in others:
        first = combine(first, other)
    return first


def check_number(n_parts: int) -> int:
    """Refuse a table without parts."""
    if n_parts == 0:
        raise PartsError("the table has 0 partitions: expected 1 or more.")
    return n_parts


def name_part(error: Exception, i: int, n: int) -> AspectsError:
    """Return an error that names the part; an `AspectsError` keeps its type."""
    where = f"partition {i} ({n} in all, counted from 0)"
    if isinstance(error, AspectsError):
        return type(error)(f"{where}: {error}")
    return PartsError(f"{where} failed: {type(error).__name__}: {error}")


def _itself(part: Any) -> Any:
    return part


def _pair(part: Any, value: Any) -> tuple[Any, Any]:
    return part, value


def _made(make: Callable[[], Any], function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    return function(make(), *args)
