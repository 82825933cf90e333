"""Ask a detector for scores of rows in which other rows lend some values.

The detector scores a new row in the place of the old one, among all others of its table. For most
detectors the other rows do not matter: they score many new rows at once. Some, such as COF and
ECOD, compare the rows that they score with each other. These score the table again for each new
row. If a repeated table has the same scores, as with ECOD, they score several such tables in one.

A test decides which case applies, not the name of the detector: it scores a few fitted rows twice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..._util.types import FloatArray, IntArray, Mask, Subspace
from ...detectors import Adapter, adapt
from ...exceptions import DetectorError

if TYPE_CHECKING:
    from ..background import Background

TOGETHER = 4096
"""Rows to score at once, about."""

ROW = -1
"""Place of a question about a row as a whole."""

_REPEATED = 100_000  # most rows of all copies of a table
_SMALL, _LARGE = 2_000, 50_000  # most rows of a table to repeat at once, and after a test of a part
_PROBED = 64  # fitted rows that test whether a score depends on the other rows
_FEWER = 16  # how many of these the test scores again
_SAME, _ALIKE = 1e-6, 0.05  # largest difference of equal scores, as a share of their range
_TIMED, _GLANCE = 1024, 0.05  # rows, and seconds, about, of a measurement of time
_LONG = 5.0  # seconds: an estimate above need not be exact


class Question(NamedTuple):
    """A question to the detector: copies of one row with other values in some features.

    Attributes
    ----------
    query, place : int
        Number of the row, and place of its aspect; `ROW` for the row as a whole.
    field : {"agreement", "repair"}
        Field of the aspect, or of the row, that holds the answer.
    subspace : tuple of int
        The features with other values.
    values : ndarray of shape (n_samples, n_replaced)
        The other values.
    """

    query: int
    place: int
    field: str
    subspace: Subspace
    values: FloatArray


class Asked:
    """A detector that scores rows with replaced values.

    Parameters
    ----------
    background : Background
        Background of the explanation.

    Attributes
    ----------
    apart : bool
        Whether the score of a row is independent of the rows scored with it.
    """

    def __init__(self, background: Background) -> None:
        self.background = background
        self.reference, self.explained = background.reference, background.explained
        self.adapter: Adapter = adapt(background.explainer.detector).private()
        self.apart = self._scores_apart()

    @cached_property
    def copies(self) -> int:
        """Number of tables to score in one call; never depends on time, as the answers would."""
        values, n = self.explained.values, len(self.explained.values)
        try:
            # Two copies take much memory if the detector compares all pairs: test a part first.
            if n > _SMALL and not self._are_same(*self._once_and_twice(values[:_PROBED]), _ALIKE):
                return 1
            same = n <= _LARGE and self._are_same(*self._once_and_twice(values))
        except DetectorError:
            return 1
        return self._most_copies() if same else 1

    def _once_and_twice(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self._score(values), self._score(np.tile(values, (2, 1)))[len(values) :]

    def answers(self, rows: Sequence[int], questions: Sequence[Question]) -> list[FloatArray]:
        """Scores of each question; `rows` are their rows."""
        if not self.apart:
            return [self._in_place(row, one) for row, one in zip(rows, questions, strict=True)]
        values, lent = _stack(self.explained.values, rows, questions)
        scores = self._score(values, lent)
        ends = np.cumsum([len(one.values) for one in questions])
        return np.split(scores[: ends[-1]], ends[:-1])

    def estimate(self, n_questions: int, n_rows: int, enough: float = _LONG) -> float:
        """Seconds that these questions take, estimated by scoring a few rows.

        Above `enough` the estimate is rough, so that it does not take long itself.
        """
        if not n_rows:
            return 0.0
        if self.apart:
            fixed, slope = self._pace
            return math.ceil(n_rows / TOGETHER) * fixed + n_rows * slope
        n, part = len(self.explained.values), self._time(_PROBED)
        if part * n / _PROBED > _LONG:  # some detectors need minutes for a small table
            return part * n / _PROBED * n_rows
        once, n_samples = self._time_tables(1), math.ceil(n_rows / n_questions)
        if once * n_rows / min(self._most_copies(), n_samples) > enough:
            return once * n_rows
        copies = min(self.copies, n_samples)
        return self._time_tables(copies) * n_rows / copies

    @cached_property
    def _pace(self) -> tuple[float, float]:
        """Seconds of any call, and seconds for each row."""
        few = self._time(_FEWER)
        n = round(min(max(_PROBED, _FEWER * _GLANCE / max(few, 1e-6)), _TIMED))
        slope = max(0.0, self._time(n) - few) / (n - _FEWER)
        return max(0.0, few - _FEWER * slope), slope

    def _in_place(self, row: int, question: Question) -> FloatArray:
        """Scores of new rows, each in the place of the row in its table."""
        scores = []
        for begin in range(0, len(question.values), self.copies):
            new = question.values[begin : begin + self.copies]
            values = np.tile(self.explained.values, (len(new), 1))
            lent = np.zeros(values.shape, dtype=bool)
            places = row + len(self.explained.values) * np.arange(len(new))
            columns = list(question.subspace)
            values[places[:, None], columns] = new
            lent[places[:, None], columns] = True
            scores.append(self._score(values, lent)[places])
        return np.concatenate(scores)

    def _score(self, values: FloatArray, lent: Mask | None = None) -> FloatArray:
        """Scores of rows of the explained table; the reference lends the values in `lent`."""
        if self.explained is self.reference:
            lent = None
        X = self.explained.restore(values, lent, self.reference)
        return self.adapter.new_scores(X, len(values))

    def _score_fitted(self, rows: IntArray) -> FloatArray:
        X = self.reference.restore(self.reference.values[rows])
        return self.adapter.new_scores(X, len(rows))

    def _scores_apart(self) -> bool:
        """Whether a few fitted rows have the same scores among fewer rows, in reverse order."""
        n = len(self.reference.values)
        some = np.unique(np.linspace(0, n - 1, min(n, _PROBED)).astype(np.int64))
        fewer = some[:: -max(1, len(some) // _FEWER)]
        try:
            among = self._score_fitted(some)
        except DetectorError:  # some need more rows, and some cannot score new rows
            try:
                self._score(self.explained.values)
            except DetectorError as error:
                raise _refusal(error) from error
            return False
        try:
            alone = self._score_fitted(fewer)
        except DetectorError:
            return False
        return self._are_same(among[np.searchsorted(some, fewer)], alone)

    def _most_copies(self) -> int:
        n = len(self.explained.values)
        return max(1, _REPEATED // n) if n <= _LARGE else 1

    def _are_same(self, one: FloatArray, other: FloatArray, share: float = _SAME) -> bool:
        """Whether scores differ at most by a share of the range of all scores."""
        tolerance = share * float(np.ptp(self.background.scores))
        with np.errstate(invalid="ignore"):
            near = np.abs(one - other) <= tolerance
        return bool((near | (one == other) | (np.isnan(one) & np.isnan(other))).all())

    def _time(self, n_rows: int) -> float:
        """Seconds to score so many fitted rows; 0 if that fails."""
        rows = np.resize(np.arange(len(self.reference.values)), n_rows)
        begin = perf_counter()
        try:
            self._score_fitted(rows)
        except DetectorError:
            return 0.0
        return perf_counter() - begin

    def _time_tables(self, copies: int) -> float:
        """Seconds to score several copies of the table in one."""
        values = np.tile(self.explained.values, (copies, 1))
        begin = perf_counter()
        self._score(values)
        return perf_counter() - begin


def _refusal(error: DetectorError) -> DetectorError:
    """Say in one sentence why a detector cannot answer."""
    reason, _, ways = str(error).rstrip(".").partition(": ")
    # The detector's advice to explain rows of the fitted table does not help here.
    out = [way for way in ways.split(", or ") if way and "explain rows" not in way]
    way_out = f": {', or '.join(out)}" if out else ""
    return DetectorError(f"{reason}, so that it cannot be asked whether it agrees{way_out}.")


def _stack(
    table: FloatArray, rows: Sequence[int], questions: Sequence[Question]
) -> tuple[FloatArray, Mask]:
    """Rows of all questions, and which of their values other rows lent.

    At least two rows: some detectors cannot score one row alone.
    """
    sizes = [len(one.values) for one in questions]
    values = table[np.repeat(np.asarray(rows), sizes)]
    lent = np.zeros(values.shape, dtype=bool)
    begin = 0
    for one, size in zip(questions, sizes, strict=True):
        part = np.ix_(range(begin, begin + size), one.subspace)
        values[part], lent[part] = one.values, True
        begin += size
    if len(values) == 1:
        values, lent = values.repeat(2, axis=0), lent.repeat(2, axis=0)
    return values, lent
