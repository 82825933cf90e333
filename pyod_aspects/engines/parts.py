"""The rows of a table in parts: one function is called for each part, and the answers add up.

A part is whatever a function takes: a DataFrame, an array of values, codes. The parts stay where
they are, a function and its small answer travel.
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
"""Answers that are combined at once, in a tree."""

DOING, KEEPING = "reading the table", "keeping parts in memory"
"""What passes do, unless they say it."""

Combine = Callable[[Any, Any], Any]
"""Two answers in, one out; associative, the first answer is that of the earlier rows."""


class Parts(ABC):
    """The rows of a table in parts, in order."""

    n_parts: int

    def __len__(self) -> int:
        return self.n_parts

    @abstractmethod
    def each(
        self, function: Callable[..., Any], *args: Any, tick: Tick | None = None, what: str = DOING
    ) -> list[Any]:
        """Return `function(part, *args)` of each part, in the order of the parts.

        `tick` gets the number of parts that are done; an exception it raises ends the work. `what`
        says in the log and in progress what the pass does.
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
        """Return `function(part, *args)` of all parts, combined in a tree of neighbours."""

    @abstractmethod
    def map(self, function: Callable[..., Any], *args: Any) -> Parts:
        """Return parts that are `function(part, *args)`, made whenever they are asked for."""

    @abstractmethod
    def zip(self, values: Sequence[Any]) -> Parts:
        """Return parts that are pairs: a part, and the value that belongs to it."""

    @abstractmethod
    def keep(self) -> Parts:
        """Return the same parts, made once and kept where they were made."""

    @abstractmethod
    def some(self, numbers: Sequence[int]) -> Parts:
        """Return some of the parts, by number: only these are made."""

    def room(self) -> int:
        """Bytes that may be kept where the parts are: an eighth of the memory."""
        return memory() // 8

    def share(self, value: Any, n_bytes: int) -> Shared | None:
        """Send a value once to wherever the parts are, for work that is split by other pieces.

        None if the parts are here, or if it does not fit there.
        """
        return None


class Shared(ABC):
    """A value that every worker has.

    Attributes
    ----------
    n_workers : int
        How many pieces are worked on at once.
    reachable : bool
        Whether the workers can be asked.
    """

    n_workers: int
    reachable: bool

    @abstractmethod
    def each(
        self, function: Callable[..., Any], pieces: Sequence[Any], tick: Tick | None = None
    ) -> list[Any]:
        """Return `function(value, piece)` of each piece; `tick` gets the number of pieces done."""


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
        """Return `function(part, *args)` of each part, one after the other."""
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
        """Return `function(part, *args)` of all parts, combined in a tree of neighbours."""
        answers = self.each(function, *args, tick=tick, what=what)
        return tree(answers, lambda some: fold(combine, some))

    def map(self, function: Callable[..., Any], *args: Any) -> ListParts:
        """Return parts that are `function(part, *args)`, made whenever they are asked for."""
        return self._of([partial(_made, make, function, args) for make in self._make])

    def zip(self, values: Sequence[Any]) -> ListParts:
        """Return parts that are pairs: a part, and the value that belongs to it."""
        pairs = zip(self._make, values, strict=True)
        return self._of([partial(_made, make, _pair, (value,)) for make, value in pairs])

    def keep(self) -> ListParts:
        """Return the same parts, made once."""
        return ListParts(self.each(_itself, what=KEEPING))

    def some(self, numbers: Sequence[int]) -> ListParts:
        """Return some of the parts, by number."""
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
    """Return an error that says which part failed; one of ours stays what it is."""
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
