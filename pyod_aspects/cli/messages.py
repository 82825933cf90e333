"""Messages to the user, and the streams that carry them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from typing import IO

PROG = "pyod-aspects"


class CommandError(Exception):
    """A mistake of the user, in one line."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; the message says what it interrupted."""


def elide(text: str, most: int) -> str:
    """Cut the end off long text.

    >>> elide("not measured", 8)
    'not mea…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def complain(message: str, code: int) -> int:
    """Write the message in one line on stderr, and return the exit code."""
    say(message, sys.stderr)
    return code


def say(message: str, stream: IO[str] | None) -> None:
    """Write a line of the command; None is a closed stream, as after 2>&-."""
    if stream is not None:
        try:
            stream.write(f"{PROG}: {escape(' '.join(message.split()))}\n")
            stream.flush()
        except (OSError, ValueError):
            give_up(stream)


def escape(text: str) -> str:
    """Escape control characters, which names of files and columns may hold."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def show(text: str) -> None:
    """Print, with escapes for characters that the terminal's encoding lacks."""
    with standard_output() as stream:
        encoding = getattr(stream, "encoding", None) or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


@contextmanager
def standard_output() -> Iterator[IO[str]]:
    """Use stdout; a closed stream or a full disk becomes one line."""
    if sys.stdout is None:  # as after >&-
        raise CommandError("the standard output is closed.")
    try:
        yield sys.stdout
    except BrokenPipeError:
        raise
    except OSError as error:
        give_up(sys.stdout)
        raise CommandError(
            f"the standard output cannot be written: {error.strerror or error}."
        ) from error


def give_up(stream: IO[str]) -> None:
    """Drop what a stream still holds: Python would complain about it at exit."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(null, stream.fileno())
        finally:
            os.close(null)


def suggestion(name: str, candidates: Iterable[str], most: int = 8) -> str:
    """End of a sentence: the closest name, or the first candidates."""
    names = {candidate.lower(): candidate for candidate in candidates}
    close = get_close_matches(name.lower(), names, n=1)
    if close:
        return f": did you mean {names[close[0]]!r}?"
    options = [repr(candidate) for candidate in names.values()]
    return f": there is {', '.join(options[:most])}" + (", ..." if options[most:] else ".")
