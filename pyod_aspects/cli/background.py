"""Long work on a thread of its own, so that Ctrl-C works while a kernel counts."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

_PAUSE = 0.1  # seconds between two looks; Windows ignores Ctrl-C during an endless wait


def in_background(work: Callable[[], Result]) -> Result:
    """Do the work on another thread, wait for it, and raise its errors here.

    Ctrl-C leaves the thread alone: it ends with the process, or at its next report of progress.
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
        # The work may have redirected them, as it does during the fit of a detector.
        sys.stdout, sys.stderr = streams
        raise
    if errors:
        raise errors[0]
    return results[0]
