"""Whether the detector agrees, asked in the background for the row that is being read.

Of several rows that were asked for, the last one counts.
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
"""Aspects of a row that the detector is asked about."""


class Asking:
    """Asks the detector about one row after the other, in a thread.

    Parameters
    ----------
    lock : RLock
        Held while `on_change` is called.
    on_change : callable
        Called when an answer, or the time that it would take, is there.
    """

    def __init__(self, lock: threading.RLock, on_change: Callable[[], None]) -> None:
        self.lock, self.on_change = lock, on_change
        self._answers: dict[object, Explanation | str | float] = {}
        self._wanted: tuple[object, Explanation, bool] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def answer(self, key: object) -> Explanation | str | float | None:
        """What is known of a row: the answer, why there is none, or the seconds it would take."""
        return self._answers.get(key)

    @property
    def asked(self) -> object:
        """Key of the row that the detector is being asked about."""
        return None if self._wanted is None else self._wanted[0]

    def ask(self, key: object, explanation: Explanation, row: int, patient: bool = False) -> None:
        """Ask about a row, unless that was done; if `patient`, however long it takes.

        Parameters
        ----------
        key : hashable
            What the answer is kept under.
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
        """Ask no more about the row that was asked for last."""
        with self.lock:
            self._wanted = None

    def close(self) -> None:
        """Ask nothing more."""
        with self.lock:
            self._wanted, self._closed = None, True

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing is asked; whether that is so."""
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
                    if self._wanted is wanted:  # nobody asked for another row meanwhile
                        self._wanted = None
                        self.on_change()
        except BaseException:
            self.forget()
            raise
        finally:
            self._end()

    def _end(self) -> None:
        """Let the thread go, or begin another if somebody has asked meanwhile."""
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
        """Ask, unless it takes long and nobody said that they would wait."""

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
        except Exception as error:  # a detector's own
            return f"{type(error).__name__}: {error}"
