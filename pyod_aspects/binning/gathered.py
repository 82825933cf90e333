"""A column in parts as an ordered column, known only by facts.

`Cut.of` treats it as any column. If the facts do not suffice, it raises `UnknownError` with a
question for the parts. The caller learns the answer and calls `Cut.of` again. So one code cuts
columns in memory and in parts.

Order statistics come from histograms over the keys of values, which each question refines. An
overview groups by the upper 16 bits of a key. Each further question returns the groups, or the few
values, in the one group that holds a rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import frexp, ldexp, sqrt

import numpy as np

from .._util.types import FloatArray, IntArray
from .facts import (
    Answer,
    AskBrackets,
    AskCodes,
    AskCounts,
    AskFrequent,
    AskOverview,
    AskSum,
    Frequent,
    Groups,
    KeyArray,
    Overview,
    Question,
    keys_of,
    values_of,
)
from .ordered import Counted, Ordered, Ranked, squares_fit

_NONE: FloatArray = np.empty(0)


class UnknownError(Exception):
    """The facts do not suffice: ask the parts the `question`."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


class Facts:
    """All answers of the parts about a column.

    Parameters
    ----------
    n_codes : int, optional
        Number of labels of a category; None if the column has numbers or times.

    Examples
    --------
    >>> facts, column = Facts(), np.array([3.0, 1.0, 2.0, 9.0])
    >>> facts.learn(AskOverview(), AskOverview().answer(column, 0))
    >>> facts.ordered().percentiles(50, 25)
    [2.5, 1.75]
    """

    def __init__(self, n_codes: int | None = None) -> None:
        self.n_codes = n_codes
        self.overview: Overview | None = None
        self.by_code: IntArray | None = None
        self.exact: dict[float, int] = {}
        self.frequent: dict[bytes, Frequent] = {}
        self.sums: dict[tuple[float, int, float | None], float] = {}
        self.low = self.high = np.empty(0, dtype=np.uint64)  # ends of groups of keys, sorted
        self.count: IntArray = np.empty(0, dtype=np.int64)  # rows in each group

    def learn(self, question: Question, answer: Answer) -> None:
        """Add the summed answer of all parts."""
        if isinstance(question, AskOverview):
            self.overview = answer
            self.frequent[b""] = answer.frequent
            self._set_groups(*_ends(answer.groups, keys_of(np.array([answer.first, answer.last]))))
        elif isinstance(question, AskCodes):
            self.by_code = answer
        elif isinstance(question, AskFrequent):
            self.frequent[question.without.tobytes()] = answer
        elif isinstance(question, AskCounts):
            self.exact.update(zip(question.values.tolist(), answer.tolist(), strict=True))
        elif isinstance(question, AskSum):
            key = question.origin, question.exponent, question.mean
            self.sums[key] = answer.total(0, int(question.sizes.sum()))
        else:
            stays = ~np.isin(self.low, question.lows)
            parts = [(self.low[stays], self.high[stays], self.count[stays])]
            for groups, low, high in zip(answer.groups, question.lows, question.highs, strict=True):
                parts.append(_ends(groups, np.array([low, high])))
            self._set_groups(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    def _set_groups(self, low: KeyArray, high: KeyArray, count: IntArray) -> None:
        order = low.argsort()
        self.low, self.high, self.count = low[order], high[order], count[order]

    def ordered(self, by_rows: bool = False) -> Ordered | None:
        """Return the column, or None without values; with `by_rows`, one that sums row by row."""
        if self.n_codes is not None:
            if self.by_code is None:
                raise UnknownError(AskCodes(self.n_codes))
            codes = self.by_code[:-1].nonzero()[0]
            return Counted(codes.astype(np.float64), self.by_code[codes]) if codes.size else None
        if self.overview is None:
            raise UnknownError(AskOverview())
        if self.overview.size == 0:
            return None
        frequent = self.overview.frequent
        if frequent.complete and not by_rows:
            return Counted(frequent.values, frequent.counts)
        return Gathered(self, self.overview)


def _ends(groups: Groups, ends: KeyArray) -> tuple[KeyArray, KeyArray, IntArray]:
    """First and last key of each group, within `ends`, and its rows."""
    low = (groups.numbers << np.uint64(groups.shift)) + np.uint64(groups.low)
    high = low + np.uint64(2**groups.shift - 1)
    return np.maximum(low, ends[0]), np.minimum(high, ends[1]), groups.counts


class Gathered(Ordered):
    """A column by its facts, without the values (sorted) in `removed`."""

    def __init__(self, facts: Facts, overview: Overview, removed: FloatArray = _NONE) -> None:
        self.facts, self.overview, self.removed = facts, overview, removed
        self.n_removed = np.array([facts.exact[x] for x in removed.tolist()], dtype=np.int64)
        self.size = overview.size - int(self.n_removed.sum())

    @cached_property
    def first(self) -> float:  # type: ignore[override]
        """Smallest value."""
        return self.at([0])[0] if self.removed.size else self.overview.first

    @cached_property
    def last(self) -> float:  # type: ignore[override]
        """Largest value."""
        return self.at([self.size - 1])[0] if self.removed.size else self.overview.last

    def at(self, ranks: Sequence[int]) -> list[float]:
        """Values at the given places of the sorted column."""
        facts, count = self.facts, self.facts.count.copy()
        place = facts.low.searchsorted(keys_of(self.removed), side="right") - 1
        np.subtract.at(count, place, self.n_removed)
        up_to = count.cumsum()
        groups = up_to.searchsorted(ranks, side="right")
        if (facts.low[groups] < facts.high[groups]).any():
            likely = np.unique(up_to.searchsorted([*ranks, *self._likely()], side="right"))
            asked = likely[facts.low[likely] < facts.high[likely]]
            raise UnknownError(AskBrackets(facts.low[asked], facts.high[asked]))
        found: list[float] = values_of(facts.low[groups]).tolist()
        return found

    def _likely(self) -> list[int]:
        """Ranks that `Cut.of` needs sooner or later: the same pass over the rows finds them."""
        last = self.size - 1
        quartiles = [int(last * quarter) for quarter in (0.25, 0.5, 0.75)]
        after = [min(rank + 1, last) for rank in quartiles]
        ends = [0, last] if self.removed.size else []
        return [*quartiles, *after, self.size // 2, *ends]

    def deviation(self) -> float:
        """Standard deviation, equal to the last bit to `numpy.std` in the order of the rows."""
        return self.deviation_from(0.0)

    def deviation_from(self, origin: float) -> float:
        """Standard deviation of the rows minus `origin`, from two sums; see `deviation`."""
        largest = max(abs(self.overview.first - origin), abs(self.overview.last - origin))
        exponent = 0 if squares_fit(largest) else -frexp(largest)[1]
        mean = self._sum(origin, exponent) / self.size
        return ldexp(sqrt(self._sum(origin, exponent, mean) / self.size), -exponent)

    def _sum(self, origin: float, exponent: int, mean: float | None = None) -> float:
        key = origin, exponent, mean
        if key not in self.facts.sums:
            raise UnknownError(AskSum(self.overview.sizes, *key))
        return self.facts.sums[key]

    def held_by_more_than(self, most: int) -> FloatArray:
        """Sorted values that more than `most` rows have."""
        exact, key = self.facts.exact, self.removed.tobytes()
        frequent = self.facts.frequent[key if key in self.facts.frequent else b""]
        if frequent.error > most:
            raise UnknownError(AskFrequent(self.removed))
        likely = frequent.counts + frequent.slack > most
        likely &= ~np.isin(frequent.values, self.removed)
        sure = likely & (frequent.slack == 0)
        known = zip(frequent.values[sure].tolist(), frequent.counts[sure].tolist(), strict=True)
        exact.update(known)
        values = frequent.values[likely]
        unsure = np.array([x for x in values.tolist() if x not in exact])
        if unsure.size:
            raise UnknownError(AskCounts(unsure))
        return values[[exact[x] > most for x in values.tolist()]]

    def without(self, values: FloatArray) -> Gathered | None:
        """Return the column without the given sorted values; None if nothing remains."""
        removed = np.sort(np.concatenate([self.removed, values]))
        rest = Gathered(self.facts, self.overview, removed)
        return rest if rest.size else None

    def minus(self, origin: float) -> Ranked:
        """Return the same rows with `origin` subtracted from every value."""
        return _Moved(self, origin)


class _Moved(Ranked):
    """A gathered column minus a number: the order of the rows stays the same."""

    def __init__(self, column: Gathered, origin: float) -> None:
        self.column, self.origin, self.size = column, origin, column.size
        self.first, self.last = column.first - origin, column.last - origin

    def at(self, ranks: Sequence[int]) -> list[float]:
        """Values at the given places of the sorted column."""
        return [value - self.origin for value in self.column.at(ranks)]

    def deviation(self) -> float:
        """Standard deviation, equal to the last bit to `numpy.std`."""
        return self.column.deviation_from(self.origin)
