"""The progress line."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING

from .._util.progress import PAUSE, Line, Remaining, bar_words
from .messages import Interrupted, complain

if TYPE_CHECKING:
    from types import TracebackType

    from .._util.types import Progress


class Status:
    """One line on the terminal about what is going on, for work of more than a second.

    It is drawn over itself, gone at the end, and never there if nobody looks. A thread draws
    what was said last while the work leaves no time to say anything.
    """

    delay = 1.0
    pause = PAUSE
    tick = 1.0

    def __init__(self, wanted: bool = True) -> None:
        stream = sys.stderr
        self.notes = wanted and stream is not None
        self.wanted = wanted and stream is not None and stream.isatty()
        self.line = Line(stream)
        self.remaining = Remaining()
        self.next = time.monotonic() + self.delay
        self.text = ""
        self.stage = ""
        self.reached: Progress | None = None
        self.done = threading.Event()
        self.thread: threading.Thread | None = None

    def __enter__(self) -> Status:
        if self.wanted:
            self.thread = threading.Thread(target=self._watch, daemon=True)
            self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.done.set()
        if self.thread is not None:
            self.thread.join()
        self.line.draw("")
        if isinstance(error, KeyboardInterrupt):
            raise Interrupted(self._where()) from error

    def _where(self) -> str:
        """Say what was interrupted, and how far it had come."""
        words = "interrupted" + f" while {self.stage}" * bool(self.stage)
        if self.reached is not None:
            reached = self.reached
            words += (
                f" at sets of {reached.level} (up to {reached.max_dim}) features, "
                f"{reached.scored:,} sets tried"
            )
        return f"{words}; nothing was written"

    def say(self, text: str) -> None:
        """Say what begins now."""
        self.stage, self.text = text, f"{text} ..."
        if self.wanted and (self.line.text or time.monotonic() >= self.next):
            self.line.draw(self.text)

    def note(self, text: str) -> None:
        """Leave a line that stays."""
        if self.notes:
            with self.line.lock:
                self.line.draw("")
                complain(f"note: {text}", 0)

    def progress(self, progress: Progress) -> None:
        """Show how far a search is; one that nobody waits for any more ends here."""
        if self.done.is_set():
            raise Interrupted
        self.stage, self.reached = "searching", progress
        now, left = time.monotonic(), self.remaining(progress)
        if self.wanted and now >= self.next:
            self.next = now + self.pause
            self.text = bar_words(progress, left)
            self.line.draw(self.text)

    def _watch(self) -> None:
        pause = self.delay
        while not self.done.wait(pause):
            self.line.draw(self.text)
            pause = self.tick
