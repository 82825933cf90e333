"""Catch the prints of a detector and log them: the streams belong to the caller."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

log = logging.getLogger(__name__)

MOST_LINES = 50
"""Most lines to log, the first ones."""


@contextmanager
def printing_logged(name: str) -> Iterator[None]:
    """Run a detector's code, and log at INFO what it prints on either stream.

    Parameters
    ----------
    name : str
        Name of the detector in the log.

    Examples
    --------
    >>> with printing_logged("SUOD"):
    ...     print("done 1 of 1")
    """
    printed = io.StringIO()
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            yield
    finally:
        if log.isEnabledFor(logging.INFO):
            lines = [line for line in printed.getvalue().splitlines() if line.strip()]
            for line in lines[:MOST_LINES]:
                log.info("%s printed: %s", name, line.strip())
            if lines[MOST_LINES:]:
                log.info("%s printed %d more lines", name, len(lines) - MOST_LINES)
