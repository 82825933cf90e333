"""Reference rows: the best scores of ordinary rows, and p-values from them.

The same search runs for rows drawn at random. The p-value of an explained row is the share of them
whose best aspect is at least as strong:

    p = (1 + number of rows at least as strong) / (1 + number of rows).

The statistic includes the search's own choosing, so p is valid for every miner: a conformal p-value
(Bates, Candès, Lei, Romano and Sesia 2023, doi:10.1214/22-AOS2244).
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
"""Most reference rows by default."""

FEWEST = 39
"""Fewest reference rows: below it, no p-value can be 0.025 or less, and there are none."""

SECONDS = 5.0
"""Seconds, roughly, that the reference may take by default."""

MANY = 1_000
"""Most reference rows that may take longer than that: p is exact to a thousandth."""

_TIMES_THE_SEARCH = 2  # or this multiple of the search's rows, if these take longer
_FOR_EACH = 20  # reference rows for each query that Benjamini and Hochberg's procedure needs
_PERMUTED, _DRAWN = 10_000_000, 1_000_000  # largest table to permute; rows to draw from a larger
_TOGETHER = 25  # rows to mine between two updates of the result


def check_n_reference(n_reference: object) -> None:
    """Refuse any value but "auto" and a number of rows."""
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
        Chooses the rows to draw.
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
        """Number of reference rows for `n_queries` queries; 0 if there can be no p-values.

        "auto" means up to 200 rows: as many as take about five seconds, or twice as long as the
        search. The estimate does not depend on the machine. More than ten queries get up to 20
        rows each: with fewer, no row could be convincing alone among so many. Beyond five seconds
        there are at most 1,000 rows, so that a large batch does not take three times as long.
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
        """Search for those of the first n rows that have no result yet.

        Several threads may call it at once: each finds the same. Results before an interruption
        stay. Workers get all rows at once. So do parts, because every group of rows costs a pass.
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
            The fitted row with these scores; it does not compare with itself.

        Returns
        -------
        list of float
        """
        others = np.sort(self.best[:n][self.rows[:n] != row])
        stronger = np.searchsorted(others, scores, side="right")
        p: list[float] = ((1 + stronger) / (1 + others.size)).tolist()
        return p


def draw_rows(n: int, random_state: np.random.RandomState) -> IntArray:
    """Rows in random order: all, or a million of them if the table has more.

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
    """Return a callback that marks these rows as rows for p-values."""
    return lambda p: progress(p._replace(reference=True))


def best_score(aspects: Sequence[Aspect]) -> float:
    """Score of the best aspect; infinite if there is none."""
    return aspects[0].score if aspects else np.inf


def with_p_values(
    aspects: Sequence[Aspect], reference: ReferenceRows, n: int, row: int | None
) -> tuple[tuple[Aspect, ...], float]:
    """Return aspects with their p-values, and the p-value of the best; 1 if there is none."""
    values = reference.p_values([a.score for a in aspects], n, row)
    told = tuple(replace(a, p_value=p) for a, p in zip(aspects, values, strict=True))
    return told, reference.p_values([best_score(aspects)], n, row)[0]
