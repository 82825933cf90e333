"""How far a search is, shown to people: in words, with the time that is left, and as a bar.

Searches report by one small contract, a function that gets a `Progress` now and then. The command
line, the widget and ``explain(progress=True)`` all say it with the words of this room.
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
"""Seconds between two drawings of the same thing: more often nobody can read."""


# ---------------------------------------------------------------- words


def level_words(progress: Progress) -> str:
    """What is being looked at.

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
    """How much was done, and how long the rest takes.

    >>> count_words(Progress(2, 5, 50, 100, 1234), left=75.0)
    '1,234 tried, about 75 s left'
    >>> count_words(Progress(1, 1, 50, 1000, 50, whole=True, asking=True))
    '50 rows scored'
    """
    tried = f"{progress.scored:,} {'rows scored' if progress.asking else 'tried'}"
    return tried if left is None else f"{tried}, about {time_words(left)} left"


def time_words(seconds: float) -> str:
    """Time to wait, rounded as one would say it.

    >>> time_words(0.2), time_words(17.3), time_words(400.0), time_words(9000.0)
    ('1 s', '17 s', '7 min', '2.5 h')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


class ProgressOfParts:
    """Reports searches that follow one another as one search: what was scored adds up.

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
        """Return a callback for the next search, which begins when so many rows are done."""
        progress, before = self.progress, self.scored
        if progress is None:
            return None

        def report(p: Progress) -> None:
            self.scored = before + p.scored
            rows = rows_done + p.rows_done
            progress(p._replace(scored=self.scored, rows_done=rows, n_rows=self.n_rows))

        return report


class Repeat:
    """Tells the last progress again while other work is done, so that a callback may end it.

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
        """Hand it on."""
        self.last = progress
        self.progress(progress)

    def tick(self, done: int) -> None:
        """Tell the last progress again, whatever is done."""
        if self.last is not None:
            self.progress(self.last)


class Remaining:
    """Seconds until a search ends, from its pace so far.

    Once rows are finished, the others are taken to need as long as they did. Before that the
    levels to come are taken to need as long as the present one; the first two, which tell
    nothing about the others, give no estimate. It wants to see every `Progress`.

    Examples
    --------
    >>> times = iter([0.0, 10.0, 12.0])
    >>> remaining = Remaining(clock=lambda: next(times))
    >>> remaining(Progress(3, 4, 0, 100, 0))  # nothing is known yet
    >>> remaining(Progress(3, 4, 50, 100, 50))  # half of level 3 and all of level 4 are left
    30.0
    """

    patience = 1.0  # no estimate from less
    fewest = 20  # of all subspaces, where levels are not searched one after the other

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begin: float | None = None
        self._rows_done, self._level = -1, 0
        self._rows_since = self._level_since = 0.0

    def __call__(self, progress: Progress) -> float | None:
        """Return the estimate, None while there is none."""
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
            return None  # the first ones wait for code to be compiled
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
    """One line of a terminal that is drawn over itself, and leaves nothing behind."""

    def __init__(self, stream: IO[str] | None) -> None:
        self.stream = stream
        self.text = ""
        self.lock = threading.RLock()

    def draw(self, text: str) -> None:
        """Replace what is shown; nothing is shown for an empty text."""
        text = text[: shutil.get_terminal_size().columns - 1]
        with self.lock, suppress(OSError, ValueError):
            if self.stream is not None and text != self.text:
                # Spaces over the old line: not every terminal knows an escape code for it.
                line = "\r" + text.ljust(len(self.text)) + ("" if text else "\r")
                self.text = text
                self.stream.write(line)
                self.stream.flush()


class _PlainBar:
    """A bar of text on the error stream."""

    def __init__(self) -> None:
        self.line = Line(sys.stderr)

    def show(self, progress: Progress, left: float | None) -> None:
        self.line.draw(bar_words(progress, left))

    def close(self) -> None:
        self.line.draw("")


class _TqdmBar:
    """A bar of tqdm, which knows terminals and notebooks."""

    def __init__(self, tqdm: Any) -> None:
        self.bar = tqdm(total=1.0, leave=False, bar_format="{percentage:3.0f}%|{bar}| {postfix}")

    def show(self, progress: Progress, left: float | None) -> None:
        self.bar.n = min(1.0, progress.share)
        words = f"{level_words(progress)}: {count_words(progress, left)}"
        self.bar.set_postfix_str(words, refresh=True)

    def close(self) -> None:
        self.bar.close()


def bar_words(progress: Progress, left: float | None = None) -> str:
    """Everything in one line of text.

    >>> bar_words(Progress(2, 4, 50, 50, 1234))
    'sets of 2 (up to 4) features  [##########..........]  50%  1,234 tried'
    """
    bar = "#" * round(20 * progress.share)
    share = f"[{bar:.<20}] {progress.share:4.0%}"
    return f"{level_words(progress)}  {share}  {count_words(progress, left)}"


@contextmanager
def show_progress(progress: bool | ProgressCallback | None) -> Iterator[ProgressCallback | None]:
    """Turn what a user asked for into what a search takes: a callback or None.

    For True that is a bar, by tqdm if it is installed and a line on the error stream if not;
    it is gone at the end, however the search ends.
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
