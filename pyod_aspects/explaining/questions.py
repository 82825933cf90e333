"""A question: a table with the detector's scores, and the rows of it to explain."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._util.types import FloatArray, IntArray
from ..engines.table import TableInParts, as_table_in_parts
from ..exceptions import InvalidInputError, QueryError
from ..explanation.judging.evidence import SAMPLE
from ..search.base import check_at_least_one
from ..tables import Rows, Table, read_table

# Number of scores to sort at once.
_BLOCK = 2**18


class Question(NamedTuple):
    """A table with the detector's scores, and the rows to explain, in order."""

    table: Table | TableInParts
    scores: FloatArray
    queries: IntArray
    new_rows: bool
    points: Table  # the rows to explain

    @classmethod
    def of(
        cls, table: Table | TableInParts, scores: FloatArray, queries: IntArray, new_rows: bool
    ) -> Question:
        """Take the rows to explain from the table."""
        return cls(table, scores, queries, new_rows, table.take(queries))

    def at_hand(self, fitted: Table | TableInParts) -> AtHand:
        """Return the fitted rows for plots: all, or a sample of a table in parts."""
        if isinstance(fitted, Table):
            return AtHand(fitted, None)
        return AtHand(*fitted.sample(SAMPLE, None if self.new_rows else self.queries))


class AtHand(NamedTuple):
    """Rows in this process, and their row numbers if they are a sample."""

    table: Table
    rows: IntArray | None


def read_new_rows(X: Any, fitted: Table | TableInParts) -> Table:
    """Read a new table with the columns of the fitted one."""
    if as_table_in_parts(X) is not None:
        raise InvalidInputError(
            "X is a new table in partitions: pass the rows to explain as a DataFrame of "
            "pandas, such as X.head(100), or fit the explainer to X."
        )
    table = read_table(X, offsets=[column.offset for column in fitted.columns])
    if len(table.columns) != len(fitted.columns):
        raise InvalidInputError(
            f"X has {len(table.columns)} columns, the explainer was fitted on "
            f"{len(fitted.columns)}{_differing(table, fitted)}: pass the same columns."
        )
    return read_table(table, like=fitted.columns, named=fitted.named).with_form(X)


def _differing(table: Table, fitted: Table | TableInParts) -> str:
    """First column that only one of two tables has, in words; "" if names do not tell."""
    if table.named and fitted.named:
        has, had = [column.name for column in table.columns], [c.name for c in fitted.columns]
        for names, others, words in ((had, has, "it lacks"), (has, had, "it adds")):
            for name in names:
                if name not in others:
                    return f", {words} {name!r}"
    return ""


def choose_rows(
    table: Table | TableInParts, scores: FloatArray, rows: Rows | None, n_queries: int
) -> IntArray:
    """Row numbers to explain, highest score first, ties by row number.

    `rows=None` chooses the n highest scores.
    """
    n = len(scores)
    if rows is None:
        check_at_least_one(n_queries=n_queries)
        return highest(scores, n_queries)
    chosen = np.atleast_1d(np.asarray(table.positions(rows)))
    if chosen.size == 0 or chosen.ndim != 1 or chosen.dtype.kind not in "iu":
        raise QueryError(
            f"rows has {chosen.size} entries of type {chosen.dtype}: expected row numbers, one "
            "or more whole numbers."
        )
    outside = chosen[(chosen < 0) | (chosen >= n)]
    if outside.size:
        raise QueryError(f"rows: row {outside[0]} does not exist, X has {n} rows (0 to {n - 1}).")
    chosen = np.unique(chosen)
    return np.asarray(chosen[np.argsort(-scores[chosen], kind="stable")])


def highest(scores: FloatArray, n: int) -> IntArray:
    """Numbers of the n highest scores, the highest first, ties by number.

    >>> highest(np.array([1.0, 3.0, 2.0, 3.0]), 3).tolist()
    [1, 3, 2]
    """
    if n < scores.size:
        top = np.empty(0)
        for block in _cut(scores):
            top = np.concatenate([top, block])
            top = np.partition(top, -n)[-n:].copy() if top.size > n else top
        limit = top.min()
        some = np.flatnonzero(scores >= limit)
    else:
        some = np.arange(scores.size)
    return np.asarray(some[np.argsort(-scores[some], kind="stable")][:n])


def count_below(scores: FloatArray, values: FloatArray) -> IntArray:
    """Number of scores below each value.

    >>> count_below(np.array([1.0, 3.0, 2.0, 3.0]), np.array([3.0, 0.5])).tolist()
    [2, 0]
    """
    counts = [np.searchsorted(np.sort(block), values, side="left") for block in _cut(scores)]
    return np.asarray(np.sum(counts, axis=0))


def _cut(scores: FloatArray) -> list[FloatArray]:
    """Scores in blocks, to avoid a copy of all of them."""
    return [scores[begin : begin + _BLOCK] for begin in range(0, scores.size, _BLOCK)]
