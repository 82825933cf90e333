"""Long work on a thread of its own, so that Ctrl-C is heard while a kernel counts."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

_PAUSE = 0.1  # seconds between two looks; a wait without end would not hear Ctrl-C on Windows


def in_background(work: Callable[[], Result]) -> Result:
    """Do the work on another thread and wait for it; what it raises is raised here.

    After Ctrl-C the thread is left alone: it ends with the process, or when it next reports its
    progress.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    streams = sys.stdout, sys.stderr
    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
        while thread.is_alive():
            thread.join(_PAUSE)
    except KeyboardInterrupt:
        # The work may have turned them elsewhere, as it does while a detector is fitted.
        sys.stdout, sys.stderr = streams
        raise
    if errors:
        raise errors[0]
    return results[0]
