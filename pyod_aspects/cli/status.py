"""The progress line."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from .messages import Interrupted, complain

if TYPE_CHECKING:
    from types import TracebackType

    from .._types import Progress


class Status:
    """One line on the terminal about what is going on, for work of more than a second.

    It is drawn over itself, gone at the end, and never there if nobody looks. A thread draws
    what was said last while the work leaves no time to say anything.
    """

    delay = 1.0
    pause = 0.1
    tick = 1.0

    def __init__(self, wanted: bool = True) -> None:
        self.stream: IO[str] | None = sys.stderr
        self.notes = wanted and self.stream is not None
        self.wanted = wanted and self.stream is not None and self.stream.isatty()
        self.next = time.monotonic() + self.delay
        self.text = ""
        self.stage = ""
        self.reached: Progress | None = None
        self.shown = ""
        self.lock = threading.RLock()
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
        self._draw("")
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
        if self.wanted and (self.shown or time.monotonic() >= self.next):
            self._draw(self.text)

    def note(self, text: str) -> None:
        """Leave a line that stays."""
        if self.notes:
            with self.lock:
                self._draw("")
                complain(f"note: {text}", 0)

    def progress(self, progress: Progress) -> None:
        """Show how far a search is; one that nobody waits for any more ends here."""
        if self.done.is_set():
            raise Interrupted
        self.stage, self.reached = "searching", progress
        now = time.monotonic()
        if self.wanted and now >= self.next:
            self.next = now + self.pause
            share = progress.done / max(progress.total, 1)
            bar = "#" * round(20 * share)
            self.text = (
                f"sets of {progress.level} (up to {progress.max_dim}) features  "
                f"[{bar:.<20}] {share:4.0%}  {progress.scored:,} tried"
            )
            self._draw(self.text)

    def _watch(self) -> None:
        pause = self.delay
        while not self.done.wait(pause):
            self._draw(self.text)
            pause = self.tick

    def _draw(self, text: str) -> None:
        text = text[: shutil.get_terminal_size().columns - 1]
        with self.lock, suppress(OSError, ValueError):
            if self.stream is not None and text != self.shown:
                # Spaces over the old line: not every terminal knows an escape code for it.
                line = "\r" + text.ljust(len(self.shown)) + ("" if text else "\r")
                self.shown = text
                self.stream.write(line)
                self.stream.flush()
