"""Report passes over the parts of a table to the log and to a progress callback.

Every pass reports, so a callback follows all work on parts and can end it by raising.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .._util.types import Pass, Progress, ProgressCallback, Tick

log = logging.getLogger(__name__)

_listener: ContextVar[ToldOfPasses | None] = ContextVar("listener", default=None)


class ToldOfPasses:
    """A progress callback that also gets the passes of its thread, within `listening`.

    Parameters
    ----------
    progress : callable or None

    Examples
    --------
    >>> from pyod_aspects.engines.parts import ListParts
    >>> told = ToldOfPasses(lambda p: print(p.reading))
    >>> with told.listening():
    ...     ListParts(["a", "b"]).each(str, what="reading letters")
    Pass(what='reading letters', done=0, total=2)
    Pass(what='reading letters', done=1, total=2)
    Pass(what='reading letters', done=2, total=2)
    ['a', 'b']
    """

    def __init__(self, progress: ProgressCallback | None) -> None:
        self._progress = progress
        self._last = Progress(1, 1, 0, 1, 0)

    @property
    def callback(self) -> ProgressCallback | None:
        """The callback for a search; None if there is no progress callback."""
        return None if self._progress is None else self._hear

    def _hear(self, progress: Progress) -> None:
        self._last = progress
        if self._progress is not None:
            self._progress(progress)

    def tell(self, one: Pass) -> None:
        """Report the state of a pass, with the last figures of the search."""
        if self._progress is not None:
            self._progress(self._last._replace(reading=one))

    @contextmanager
    def listening(self) -> Iterator[ProgressCallback | None]:
        """Report the passes of this thread; do not yield from a generator within."""
        token = _listener.set(self)
        try:
            yield self.callback
        finally:
            _listener.reset(token)


@contextmanager
def begin_pass(what: str, n_parts: int, tick: Tick | None) -> Iterator[Tick | None]:
    """Log a pass, and return a tick that also reports to the listener of this thread."""
    log.info("%s: a pass over %d partitions", what, n_parts)
    listener = _listener.get()
    if listener is None:
        yield tick
        return

    def tell(done: int) -> None:
        if tick is not None and done:
            tick(done)
        listener.tell(Pass(what, done, n_parts))

    tell(0)
    yield tell
