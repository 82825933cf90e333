"""The progress line, and notes and log lines beside it."""

from __future__ import annotations

import logging
import sys
import threading
import time
from typing import TYPE_CHECKING

from .._util.progress import PAUSE, Line, Remaining, bar_words
from .messages import Interrupted, escape, say

log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from types import TracebackType

    from .._util.types import Progress


class Status:
    """One line on the terminal that shows the current step, for work of more than a second.

    It overwrites itself and disappears at the end. Without a terminal there is none. A thread
    redraws the line while the work is busy.
    """

    delay = 1.0
    pause = PAUSE
    tick = 1.0

    def __init__(self, wanted: bool = True, verbose: bool = False) -> None:
        stream = sys.stderr
        self.handler = LineHandler(self, logging.INFO if verbose else logging.WARNING)
        self.shows_notes = wanted or verbose
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
        if self.shows_notes:
            self.handler.install()
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
        self.handler.remove()
        if isinstance(error, KeyboardInterrupt):
            raise Interrupted(self._where()) from error

    def _where(self) -> str:
        """Say what Ctrl-C interrupted, and how far it had come."""
        words = "interrupted" + f" while {self.stage}" * bool(self.stage)
        reached = self.reached
        if reached is not None and reached.asking:
            words += f" after {reached.scored:,} rows"
        elif reached is not None:
            words += (
                f" at sets of {reached.level} (up to {reached.max_dim}) features, "
                f"{reached.scored:,} sets tried"
            )
        return f"{words}; nothing was written"

    def say(self, text: str) -> None:
        """Show the step that begins now."""
        self.stage, self.text, self.reached = text, f"{escape(text)} ...", None
        if self.wanted and (self.line.text or time.monotonic() >= self.next):
            self.line.draw(self.text)

    def note(self, text: str) -> None:
        """Leave a permanent line: a warning in the log, which shows it."""
        log.warning("%s", text)

    def leave(self, text: str) -> None:
        """Write a permanent line on stderr, above the progress line."""
        with self.line.lock:
            self.line.draw("")
            say(text, self.line.stream)  # sys.stderr may be redirected during a fit

    def progress(self, progress: Progress) -> None:
        """Show the progress of a search; after the end of the command, stop the search."""
        if self.done.is_set():
            raise Interrupted
        self.stage = "asking the detector" if progress.asking else "searching"
        self.reached = progress
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


class LineHandler(logging.Handler):
    """Shows log records of the package as lines of the command: a warning is a note."""

    def __init__(self, status: Status, level: int) -> None:
        super().__init__(level)
        self.status = status
        self.logger = logging.getLogger(__name__.partition(".")[0])
        self.level_before: int | None = None

    def install(self) -> None:
        """Handle the package's log records from now on."""
        if not self.logger.isEnabledFor(self.level):
            self.level_before = self.logger.level
            self.logger.setLevel(self.level)
        self.logger.addHandler(self)

    def remove(self) -> None:
        """Leave the logger as it was."""
        self.logger.removeHandler(self)
        if self.level_before is not None:
            self.logger.setLevel(self.level_before)
            self.level_before = None

    def emit(self, record: logging.LogRecord) -> None:
        """Show a record."""
        start = "note: " if record.levelno >= logging.WARNING else ""
        self.status.leave(start + record.getMessage())
