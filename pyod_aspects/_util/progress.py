"""Progress of a search for people: in words, with the remaining time, and as a bar.

A search calls a function with a `Progress` now and then. The command line, the widget and
``explain(progress=True)`` all show it in the words of this room.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from ..exceptions import InvalidInputError
from .types import Progress, ProgressCallback

PAUSE = 0.1
"""Seconds between two drawings: people cannot read faster."""


# ---------------------------------------------------------------- words


def level_words(progress: Progress) -> str:
    """Say which sets the search scores.

    >>> level_words(Progress(2, 5, 50, 100, 1234))
    'sets of 2 (up to 5) features'
    >>> level_words(Progress(1, 5, 3, 30, 9000, rows_done=2, rows_now=1, n_rows=10))
    'row 3 of 10, sets of 1 (up to 5) feature'
    >>> level_words(Progress(1, 5, 3, 30, 9000, 10, 25, 210, reference=True))
    'for p-values, rows 11 to 35 of 210, sets of 1 (up to 5) feature'
    >>> level_words(Progress(1, 1, 50, 1000, 50, whole=True, asking=True))
    'asking the detector'
    >>> from pyod_aspects._util.types import Pass
    >>> level_words(Progress(1, 5, 0, 1, 0, reading=Pass("counting rows", 3, 40)))
    'counting rows, 3 of 40 partitions'
    """
    if progress.asking:
        return "asking the detector"
    if progress.reading is not None:
        what, done, total = progress.reading
        return f"{what}, {done:,} of {total:,} partitions"
    first, last = progress.rows_done + 1, progress.rows_done + progress.rows_now
    prefix = ""
    if progress.rows_now < progress.n_rows:
        rows = f"row {first:,}" if first == last else f"rows {first:,} to {last:,}"
        prefix = f"{rows} of {progress.n_rows:,}, "
    if progress.reference:
        prefix = f"for p-values, {prefix}"
    noun = "feature" if progress.level == 1 else "features"
    return f"{prefix}sets of {progress.level} (up to {progress.max_dim}) {noun}"


def count_words(progress: Progress, left: float | None = None) -> str:
    """Say how much is done, and how long the rest takes.

    >>> count_words(Progress(2, 5, 50, 100, 1234), left=75.0)
    '1,234 tried, about 75 s left'
    >>> count_words(Progress(1, 1, 50, 1000, 50, whole=True, asking=True))
    '50 rows scored'
    """
    tried = f"{progress.scored:,} {'rows scored' if progress.asking else 'tried'}"
    return tried if left is None else f"{tried}, about {time_words(left)} left"


def time_words(seconds: float) -> str:
    """Time to wait, rounded as people say it.

    >>> time_words(0.2), time_words(17.3), time_words(400.0), time_words(9000.0)
    ('1 s', '17 s', '7 min', '2.5 h')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


class ProgressOfParts:
    """Reports consecutive searches as one search and adds up their scored subspaces.

    Parameters
    ----------
    progress : callable or None
        Gets a `Progress` of the whole.
    n_rows : int
        Rows of all searches together.

    Examples
    --------
    >>> whole = ProgressOfParts(lambda p: print(p.scored, p.rows_done, p.n_rows), n_rows=5)
    >>> whole.after(0)(Progress(1, 1, 7, 7, scored=7, rows_now=2, n_rows=2))
    7 0 5
    >>> whole.after(2)(Progress(1, 1, 7, 7, scored=7, rows_now=3, n_rows=3))
    14 2 5
    """

    def __init__(self, progress: ProgressCallback | None, n_rows: int) -> None:
        self.progress, self.n_rows, self.scored = progress, n_rows, 0

    def after(self, rows_done: int) -> ProgressCallback | None:
        """Return a callback for the next search, which begins after `rows_done` rows."""
        progress, before = self.progress, self.scored
        if progress is None:
            return None

        def report(p: Progress) -> None:
            self.scored = before + p.scored
            rows = rows_done + p.rows_done
            progress(p._replace(scored=self.scored, rows_done=rows, n_rows=self.n_rows))

        return report


class Repeat:
    """Repeats the last progress during other work, so that a callback can stop that work.

    Examples
    --------
    >>> again = Repeat(lambda p: print(p.scored))
    >>> again(Progress(1, 1, 7, 7, scored=7))
    7
    >>> again.tick(1)
    7
    """

    def __init__(self, progress: ProgressCallback) -> None:
        self.progress = progress
        self.last: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        """Pass it on."""
        self.last = progress
        self.progress(progress)

    def tick(self, done: int) -> None:
        """Report the last progress again, for any `done`."""
        if self.last is not None:
            self.progress(self.last)


class Remaining:
    """Seconds until a search ends, from its pace so far.

    Once rows are finished, the estimate gives the others the same time each. Before that it gives
    each later level the time of the present one. The first two levels yield no estimate: they say
    nothing about the others. Call it with every `Progress`.

    Examples
    --------
    >>> times = iter([0.0, 10.0, 12.0])
    >>> remaining = Remaining(clock=lambda: next(times))
    >>> remaining(Progress(3, 4, 0, 100, 0))  # no estimate yet
    >>> remaining(Progress(3, 4, 50, 100, 50))  # half of level 3 and all of level 4 are left
    30.0
    """

    patience = 1.0  # seconds before the first estimate
    fewest = 20  # subspaces before the first estimate, if the search mixes levels

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begin: float | None = None
        self._rows_done, self._level = -1, 0
        self._rows_since = self._level_since = 0.0

    def __call__(self, progress: Progress) -> float | None:
        """Return the estimate, or None."""
        p, now = progress, self._clock()
        if self._begin is None:
            self._begin = now
        if p.rows_done != self._rows_done:
            self._rows_done, self._rows_since, self._level = p.rows_done, now, 0
        if p.level != self._level:
            self._level, self._level_since = p.level, now
        if now - self._begin < self.patience:
            return None
        spent = now - self._rows_since
        if p.rows_done:
            pace = (self._rows_since - self._begin) / p.rows_done
            return max(0.0, pace * (p.n_rows - p.rows_done) - spent)
        share = p.done / max(p.total, 1)
        if share == 0.0 or not (p.whole or p.level > 2 or p.level == p.max_dim):
            return None
        if p.whole and p.done < min(self.fewest, p.total / 4):
            return None  # the first subspaces wait for the compiler
        if p.whole:
            left = spent * (1.0 / share - 1.0)
        else:
            level = (now - self._level_since) / share
            left = level * (1.0 - share + p.max_dim - p.level)
        if p.rows_now:
            left += (spent + left) * (p.n_rows / p.rows_now - 1.0)
        return left


# ---------------------------------------------------------------- on a terminal


class Line:
    """One line of a terminal that overwrites itself and disappears at the end."""

    def __init__(self, stream: IO[str] | None) -> None:
        self.stream = stream
        self.text = ""
        self.lock = threading.RLock()

    def draw(self, text: str) -> None:
        """Replace the text; an empty text clears the line."""
        text = text[: shutil.get_terminal_size().columns - 1]
        with self.lock, suppress(OSError, ValueError):
            if self.stream is not None and text != self.text:
                # Spaces over the old line: not every terminal knows the escape code.
                line = "\r" + text.ljust(len(self.text)) + ("" if text else "\r")
                self.text = text
                self.stream.write(line)
                self.stream.flush()


class _PlainBar:
    """A bar of text on stderr."""

    def __init__(self) -> None:
        self.line = Line(sys.stderr)

    def show(self, progress: Progress, left: float | None) -> None:
        self.line.draw(bar_words(progress, left))

    def close(self) -> None:
        self.line.draw("")


class _TqdmBar:
    """A bar by tqdm, which supports terminals and notebooks."""

    def __init__(self, tqdm: Any) -> None:
        self.bar = tqdm(total=1.0, leave=False, bar_format="{percentage:3.0f}%|{bar}| {postfix}")

    def show(self, progress: Progress, left: float | None) -> None:
        self.bar.n = min(1.0, progress.share)
        words = f"{level_words(progress)}: {count_words(progress, left)}"
        self.bar.set_postfix_str(words, refresh=True)

    def close(self) -> None:
        self.bar.close()


def bar_words(progress: Progress, left: float | None = None) -> str:
    """Put everything into one line of text.

    >>> bar_words(Progress(2, 4, 50, 50, 1234))
    'sets of 2 (up to 4) features  [##########..........]  50%  1,234 tried'
    """
    bar = "#" * round(20 * progress.share)
    share = f"[{bar:.<20}] {progress.share:4.0%}"
    return f"{level_words(progress)}  {share}  {count_words(progress, left)}"


@contextmanager
def show_progress(progress: bool | ProgressCallback | None) -> Iterator[ProgressCallback | None]:
    """Turn a user's `progress` into a callback or None, as searches take it.

    True gives a bar: by tqdm if it is installed, else as a line on stderr. The bar disappears
    at the end, also after an error.
    """
    if progress is None or progress is False or callable(progress):
        yield progress or None
        return
    if progress is not True:
        raise InvalidInputError(
            f"progress={progress!r}: expected True, False or a function that takes a Progress."
        )
    bar: _TqdmBar | _PlainBar
    try:
        from tqdm.auto import tqdm
    except ImportError:
        bar = _PlainBar()
    else:
        bar = _TqdmBar(tqdm)
    remaining = Remaining()
    due = 0.0

    def show(p: Progress) -> None:
        nonlocal due
        left, now = remaining(p), time.monotonic()
        if now >= due:
            due = now + PAUSE
            bar.show(p, left)

    try:
        yield show
    finally:
        bar.close()
