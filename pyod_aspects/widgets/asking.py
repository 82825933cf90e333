"""Ask the detector in the background whether it agrees about the row on the screen.

A newer question replaces the one before.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..exceptions import AspectsError
from ..explanation import Explanation
from ..explanation.judging.agreement import N_SAMPLES, QUICK, estimate_seconds
from .runs import Cancelled

N_ASPECTS = 3
"""Aspects of a row to ask the detector about."""


class Asking:
    """Asks the detector about one row after the other, in a thread.

    Parameters
    ----------
    lock : RLock
        `on_change` runs with this lock.
    on_change : callable
        Called after each new answer, or estimate of its time.
    """

    def __init__(self, lock: threading.RLock, on_change: Callable[[], None]) -> None:
        self.lock, self.on_change = lock, on_change
        self._answers: dict[object, Explanation | str | float] = {}
        self._wanted: tuple[object, Explanation, bool] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def answer(self, key: object) -> Explanation | str | float | None:
        """Result for a row: the answer, why there is none, or the seconds it would take."""
        return self._answers.get(key)

    @property
    def asked(self) -> object:
        """Key of the row that the detector works on."""
        return None if self._wanted is None else self._wanted[0]

    def ask(self, key: object, explanation: Explanation, row: int, patient: bool = False) -> None:
        """Ask about a row, unless there is an answer; if `patient`, for any length of time.

        Parameters
        ----------
        key : hashable
            Key of the answer.
        explanation : Explanation
        row : int
        patient : bool, default=False
        """
        with self.lock:
            known = self._answers.get(key)
            if self._closed or (known is not None and not (patient and isinstance(known, float))):
                self._wanted = None
                return
            if self._wanted is not None and self._wanted[0] == key and not patient:
                return
            one = replace(explanation, queries=(explanation.row(row),))
            self._wanted = (key, one, patient)
            if self._thread is None:
                self._start()

    def forget(self) -> None:
        """Drop the last question."""
        with self.lock:
            self._wanted = None

    def close(self) -> None:
        """Drop the last question, and accept no more."""
        with self.lock:
            self._wanted, self._closed = None, True

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the detector is idle; return whether it is."""
        end = None if timeout is None else time.monotonic() + timeout
        while (thread := self._thread) is not None:
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0.0:
                return False
            thread.join(left)
        return True

    def _run(self) -> None:
        try:
            while (wanted := self._wanted) is not None:
                answer = self._find(*wanted)
                with self.lock:
                    if answer is not None:
                        self._answers[wanted[0]] = answer
                    if self._wanted is wanted:  # no newer question meanwhile
                        self._wanted = None
                        self.on_change()
        except BaseException:
            self.forget()
            raise
        finally:
            self._end()

    def _end(self) -> None:
        """End the thread, or begin another for a newer question."""
        with self.lock:
            self._thread = None
            if self._wanted is not None:
                self._start()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _find(
        self, key: object, explanation: Explanation, patient: bool
    ) -> Explanation | str | float | None:
        """Ask, unless it takes long and the user is not patient."""

        def go_on(progress: Any) -> None:
            if self.asked != key:
                raise Cancelled

        try:
            if not patient:
                seconds = estimate_seconds(explanation, N_SAMPLES, N_ASPECTS)
                if seconds > QUICK:
                    return float(seconds)
            return explanation.with_agreement(N_SAMPLES, N_ASPECTS, progress=go_on)
        except Cancelled:
            return None
        except AspectsError as error:
            return str(error)
        except Exception as error:  # an error of the detector itself
            return f"{type(error).__name__}: {error}"
