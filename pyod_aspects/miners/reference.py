"""Reference rows: how strong the best aspect of an ordinary row is.

The same search runs for rows that were drawn at random. The share of them whose best aspect is at
least as strong as that of an explained row is its p-value,

    p = (1 + number of rows at least as strong) / (1 + number of rows).

The search's own choosing is inside the statistic, so that p is valid whatever the miner: a
conformal p-value (Bates, Candès, Lei, Romano and Sesia 2023, doi:10.1214/22-AOS2244).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.random import sample_without_replacement

from .._util.progress import ProgressOfParts
from .._util.types import FloatArray, IntArray, ProgressCallback
from ..engines.table import TableInParts
from ..exceptions import InvalidInputError
from ..search import Aspect
from ..tables import Table
from .base import BaseMiner
from .on_workers import MinerOnWorkers

MOST = 200
"""Rows of the reference, at the most, if nobody says how many."""

FEWEST = 39
"""Rows of the reference below which no p-value can be 0.025 or less: then there is none."""

SECONDS = 5.0
"""Time that the reference may take if nobody says how many rows, about."""

MANY = 1_000
"""Rows of the reference, at the most, that take longer than that: p is exact to a thousandth."""

_TIMES_THE_SEARCH = 2  # or so many times the rows of the search, if these take longer
_FOR_EACH = 20  # reference rows for each query that Benjamini and Hochberg's procedure needs
_PERMUTED, _DRAWN = 10_000_000, 1_000_000  # rows of a table that are all drawn, or else how many
_TOGETHER = 25  # rows that are mined between two looks at what was found


def check_n_reference(n_reference: object) -> None:
    """Refuse what is neither "auto" nor a number of rows."""
    if isinstance(n_reference, str) and n_reference == "auto":
        return
    whole = isinstance(n_reference, (int, np.integer)) and not isinstance(n_reference, bool)
    if not whole or n_reference < 0 or 0 < n_reference < FEWEST:  # type: ignore[operator]
        raise InvalidInputError(
            f"n_reference={n_reference!r}: expected 'auto', 0 for no p-values, or a number of rows "
            f"from {FEWEST} on."
        )


class ReferenceRows:
    """Ordinary rows of a table, drawn once, with the best score of each.

    Parameters
    ----------
    miner : BaseMiner
        Fitted on the table.
    table : Table or TableInParts
    random_state : int, RandomState or None
        Decides which rows are drawn.
    """

    def __init__(
        self, miner: BaseMiner, table: Table | TableInParts, random_state: Any = 0
    ) -> None:
        self.miner, self.table = miner, table
        n = table.n_rows
        try:
            self.rows = draw_rows(n, check_random_state(random_state))
        except ValueError as error:
            raise InvalidInputError(
                f"random_state={random_state!r}: expected a whole number from 0 to 2**32 - 1, a "
                "RandomState or None."
            ) from error
        self.best: FloatArray = np.empty(0)
        """The best score of each of the first rows; infinite for a row without aspects."""

    def size(self, n_reference: int | str, n_queries: int) -> int:
        """Number of rows to look at for some queries; 0 if p-values cannot be had.

        "auto" are up to 200 rows, as many as take about five seconds or twice as long as the
        search, by an estimate that does not depend on the machine. For more than ten queries they
        are up to 20 for each: with fewer, no row could be convincing alone among so many. Rows
        that take longer than five seconds are no more than 1,000, so that a large batch does not
        pay three times.
        """
        if n_reference == "auto":
            in_time = int(SECONDS / self.miner.seconds())
            as_search = min(_TIMES_THE_SEARCH * n_queries, MANY)
            n_reference = min(max(MOST, _FOR_EACH * n_queries), max(in_time, as_search))
        n = min(int(n_reference), len(self.rows) - 1)
        return n if n >= FEWEST else 0

    def search(
        self,
        n: int,
        progress: ProgressCallback | None = None,
        workers: MinerOnWorkers | None = None,
    ) -> None:
        """Search for the first n rows, those that were not searched before.

        Several threads may ask at once: each finds the same. What was found before an
        interruption is kept. Workers get all rows at once, and so do parts, as every group of rows
        is a pass over these.
        """
        best = self.best
        done = best.size
        whole = ProgressOfParts(progress and _marked(progress), n - done)
        if done < n:
            points = self.table.take(self.rows[done:n])
        elsewhere = workers is not None or isinstance(self.table, TableInParts)
        together = n if elsewhere else _TOGETHER
        miner = self.miner if workers is None else workers
        while best.size < n:
            begin = best.size
            some = np.arange(begin, min(n, begin + together)) - done
            found = miner.mine(points.take(some), whole.after(begin - done), new_rows=False)
            best = np.append(best, [best_score(aspects) for aspects in found])
            if best.size > self.best.size:
                self.best = best

    def p_values(self, scores: Sequence[float], n: int, row: int | None = None) -> list[float]:
        """Return the p-value of each score among the first n rows.

        Parameters
        ----------
        scores : sequence of float
        n : int
        row : int, optional
            A fitted row that the scores belong to; it is not compared with itself.

        Returns
        -------
        list of float
        """
        others = np.sort(self.best[:n][self.rows[:n] != row])
        stronger = np.searchsorted(others, scores, side="right")
        p: list[float] = ((1 + stronger) / (1 + others.size)).tolist()
        return p


def draw_rows(n: int, random_state: np.random.RandomState) -> IntArray:
    """Rows in random order: all, or of a larger table a million of them.

    >>> draw_rows(5, np.random.RandomState(0)).tolist()
    [2, 0, 1, 3, 4]
    """
    if n <= _PERMUTED:
        order = np.arange(n, dtype=np.int32)  # shuffled just as whole numbers of 64 bits
        random_state.shuffle(order)
        return order[:_DRAWN].astype(np.int64)
    drawn = sample_without_replacement(n, _DRAWN, random_state=random_state)
    return np.asarray(random_state.permutation(drawn))


def _marked(progress: ProgressCallback) -> ProgressCallback:
    """Return a callback that says that these rows are for p-values."""
    return lambda p: progress(p._replace(reference=True))


def best_score(aspects: Sequence[Aspect]) -> float:
    """Score of the best aspect; infinite if there is none."""
    return aspects[0].score if aspects else np.inf


def with_p_values(
    aspects: Sequence[Aspect], reference: ReferenceRows, n: int, row: int | None
) -> tuple[tuple[Aspect, ...], float]:
    """Aspects with their p-values, and the p-value of the best; 1 if there is none."""
    values = reference.p_values([a.score for a in aspects], n, row)
    told = tuple(replace(a, p_value=p) for a, p in zip(aspects, values, strict=True))
    return told, reference.p_values([best_score(aspects)], n, row)[0]
