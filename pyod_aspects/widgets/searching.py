"""The searches of a browser: they run in the background, and its traits show their progress."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from .._util.progress import count_words, level_words, time_words
from .._util.types import Progress, ProgressCallback
from ..exceptions import AspectsError
from ..explanation import Explanation
from ..explanation.judging.blame import blame_features
from ..explanation.writing.wording import plural
from .runs import Cancelled, Runs, Work

if TYPE_CHECKING:
    from ..miners import BaseMiner
    from .asking import Asking
    from .source import Source
    from .view import View


class Searching:
    """Begins searches by the traits of a browser, and shows their results."""

    explanation: Explanation | None
    row: int | None
    n_queries: int
    n_reference: int | str
    state: str
    message: str
    no_row: str
    share: float
    view: View
    _asking: Asking
    _lock: threading.RLock
    _runs: Runs
    _source: Source
    _keep: int | None = None  # a row to choose again when it arrives
    _doing: str = ""  # present step of the search

    def make_miner(self) -> BaseMiner:
        """Make a miner by the settings."""
        raise NotImplementedError

    def _ask(self) -> None:
        """Ask the detector about the chosen row."""
        raise NotImplementedError

    def find(self) -> None:
        """Search with the chosen miner and settings, in the background."""
        with self._lock:
            miner, n_queries, n_reference = self.make_miner(), self.n_queries, self.n_reference
            self._keep = self.row

            def work(progress: ProgressCallback) -> Iterator[Explanation]:
                explainer = self._source.explainer(miner, n_reference)
                return explainer.iter_scored(*self._source.known, None, n_queries, progress)

            self._begin(work, f"Preparing {type(miner).__name__} ...")

    def explain_row(self, row: int | str) -> None:
        """Add a row of the table to the list, and choose it.

        If the table has no such row, `no_row` says which rows it has. Nothing else changes, and a
        running search goes on.

        Parameters
        ----------
        row : int or str
            Position, from 0, or label.
        """
        with self._lock:
            explanation, row = self.explanation, self._source.position(row)
            self.no_row = self._source.missing_row(row)
            if self.no_row:
                return
            if explanation is not None and any(query.row == row for query in explanation):
                self.row = row
                return
            miner, n_reference, known = self.make_miner(), self.n_reference, None
            if explanation and explanation.background is not None:
                # Its p-value must come from the same reference rows as the others.
                known = copy(explanation.background.explainer)
                known.n_reference = explanation.n_reference

            def work(progress: ProgressCallback) -> Iterator[Explanation]:
                explainer = known or self._source.explainer(miner, n_reference)
                for one in explainer.iter_scored(*self._source.known, [row], None, progress):
                    queries = sorted((*(explanation or ()), *one), key=lambda q: (-q.score, q.row))
                    both = blame_features(replace(one, queries=tuple(queries)))
                    if explanation is not None and explanation.alpha is not None:
                        both = both.convincing(explanation.alpha)
                    yield both

            self._keep = row
            self._begin(work, f"Explaining row {self._source.name(row)} ...")

    def cancel(self) -> None:
        """End the search; the finished rows stay."""
        with self._lock:
            if self.state == "running":  # some steps run to their end
                self._doing = self.message = "Cancelling ..."
            self._runs.cancel()

    def _begin(self, work: Work, message: str) -> None:
        self._doing, self.share, self.message, self.state = message, 0.0, message, "running"
        self._asking.forget()
        self.view.show()
        self._runs.start(work)

    def _on_progress(self, progress: Progress, left: float | None) -> None:
        self.share = progress.share
        self._doing = self.message = f"{level_words(progress)}: {count_words(progress, left)}"

    def _on_beat(self, seconds: float) -> None:
        self.message = f"{self._doing.removesuffix(' ...')} · {time_words(seconds)} so far"

    def _on_result(self, explanation: Explanation) -> None:
        self.explanation = explanation
        if any(query.row == self._keep for query in explanation):
            self.row = self._keep

    def _on_end(self, error: Exception | None) -> None:
        self._keep = None
        have = plural(len(self.explanation or ()), "row")
        if error is None:
            self.share, self.message, self.state = 1.0, f"Done: {have} explained.", "ready"
        elif isinstance(error, Cancelled):
            self.message, self.state = f"Cancelled; {have} shown.", "ready"
        else:
            name = "" if isinstance(error, AspectsError) else f"{type(error).__name__}: "
            self.message, self.state = f"{name}{error}", "failed"
        self._ask()
        self.view.show()
