"""Ctrl-C is a KeyboardInterrupt, also while numba loads or compiles a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def plain_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt instead of the SystemError into which numba's C code turns it."""
    try:
        yield
    except SystemError as error:
        if any(isinstance(e, KeyboardInterrupt) for e in (error.__cause__, error.__context__)):
            raise KeyboardInterrupt from error
        raise
