"""Searches in the background: the newest one wins, and the user can cancel each."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

from .._util.progress import PAUSE, Remaining
from .._util.types import Progress, ProgressCallback
from ..explanation import Explanation

_BEAT = 0.5  # seconds

Work = Callable[[ProgressCallback], Iterator[Explanation]]
"""A search: takes a progress callback and yields the finished rows."""


class Cancelled(Exception):  # noqa: N818
    """Raised inside a search that nobody waits for."""


class Runs:
    """Runs searches in threads of their own.

    Parameters
    ----------
    lock : RLock
        The callbacks run with this lock. A caller that holds it during `start` hears nothing more
        of the earlier run.
    on_progress : callable
        Receives a `Progress` and the seconds left (or None), at most ten times a second.
    on_result : callable
        Receives each explanation.
    on_end : callable
        Receives None, or the exception that ended the run.
    on_beat : callable
        Receives the seconds since the run began, every half second without progress: it shows that
        the search is at work.
    """

    def __init__(
        self,
        lock: threading.RLock,
        on_progress: Callable[[Progress, float | None], None],
        on_result: Callable[[Explanation], None],
        on_end: Callable[[Exception | None], None],
        on_beat: Callable[[float], None],
    ) -> None:
        self.lock, self.on_beat = lock, on_beat
        self.on_progress, self.on_result, self.on_end = on_progress, on_result, on_end
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self, work: Work) -> None:
        """Begin a search; cancel a running one, which then reports no more."""
        self._stop.set()
        self._stop = threading.Event()
        thread = threading.Thread(target=self._run, args=(work, self._stop), daemon=True)
        thread.start()
        self._threads = [*(old for old in self._threads if old.is_alive()), thread]

    def cancel(self) -> None:
        """End the search; it reports no more after half a second."""
        self._stop.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for all searches, cancelled ones included; return whether they have ended."""
        end = None if timeout is None else time.monotonic() + timeout
        threads = self._threads
        for thread in threads:
            thread.join(None if end is None else max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    def _run(self, work: Work, stop: threading.Event) -> None:
        remaining, due, begin, over = Remaining(), 0.0, time.monotonic(), threading.Event()

        def report(progress: Progress) -> None:
            nonlocal due
            left, now = remaining(progress), time.monotonic()
            if stop.is_set() or now >= due:
                due = now + PAUSE
                self._tell(stop, lambda: self.on_progress(progress, left))

        def beat() -> None:
            while not over.wait(_BEAT):
                now = time.monotonic()
                with self.lock:
                    if self._stop is stop and stop.is_set():
                        # The search is in a step that cannot stop; do not wait for it.
                        self._stop = threading.Event()
                        self.on_end(Cancelled())
                        return
                    if self._stop is stop and now >= due + _BEAT and not over.is_set():
                        self.on_beat(now - begin)

        threading.Thread(target=beat, daemon=True).start()
        end: Exception | None = None
        try:
            if not stop.is_set():
                for explanation in work(report):
                    self._tell(stop, partial(self.on_result, explanation))
        except Exception as error:
            end = error
        over.set()
        with self.lock:
            if self._stop is stop:  # else a newer run reports instead
                self.on_end(Cancelled() if stop.is_set() else end)

    def _tell(self, stop: threading.Event, tell: Callable[[], None]) -> None:
        with self.lock:
            if stop.is_set():
                raise Cancelled
            tell()
