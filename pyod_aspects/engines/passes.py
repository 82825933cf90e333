"""Passes over the parts of a table: logged when they begin, and told to a progress callback.

Every pass tells, so that a callback hears of work wherever it is done, and can end it.
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
    """A progress callback that hears of passes, too, while it listens.

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
        """What a search reports to; None if nobody wants to know."""
        return None if self._progress is None else self._hear

    def _hear(self, progress: Progress) -> None:
        self._last = progress
        if self._progress is not None:
            self._progress(progress)

    def tell(self, one: Pass) -> None:
        """Tell how far a pass is; of the search, what was last heard."""
        if self._progress is not None:
            self._progress(self._last._replace(reading=one))

    @contextmanager
    def listening(self) -> Iterator[ProgressCallback | None]:
        """Listen to the passes of this thread; no generator may yield meanwhile."""
        token = _listener.set(self)
        try:
            yield self.callback
        finally:
            _listener.reset(token)


@contextmanager
def begin_pass(what: str, n_parts: int, tick: Tick | None) -> Iterator[Tick | None]:
    """Say that a pass begins, and return a tick that tells who wants to know."""
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
