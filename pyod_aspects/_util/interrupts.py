"""Ctrl-C is a KeyboardInterrupt, also while numba loads or compiles a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def plain_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt in the place of the SystemError that numba's C code makes of it."""
    try:
        yield
    except SystemError as error:
        if any(isinstance(e, KeyboardInterrupt) for e in (error.__cause__, error.__context__)):
            raise KeyboardInterrupt from error
        raise
