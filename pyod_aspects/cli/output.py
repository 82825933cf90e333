"""Output to the terminal and to files, which the command writes whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from .messages import CommandError, escape
from .reading.opening import STDIN

if TYPE_CHECKING:
    from ..explanation import Explanation
    from .status import Status

FORMATS = ("text", "json", "html", "csv")
"""Formats to print."""


def check_targets(data: Sequence[str] = (), **targets: str | None) -> None:
    """Check that the files are writable, and that none replaces the data or another one."""
    from .._util.files import check_target

    given = {f"--{option}": path for option, path in targets.items() if path is not None}
    for option, path in given.items():
        check_target(path)
        if any(_is_data(path, source) for source in data):
            raise CommandError(f"{option} {path} would replace the data: name another file.")
    if len({os.path.realpath(path) for path in given.values()}) < len(given):
        raise CommandError(f"{' and '.join(given)} name the same file: name two.")


def _is_data(target: str, data: str) -> bool:
    with suppress(OSError, ValueError, AttributeError):  # a missing file is not the data
        found = os.stat(target)
        source = os.fstat(sys.stdin.fileno()) if data == STDIN else os.stat(data)
        return stat.S_ISREG(found.st_mode) and os.path.samestat(found, source)
    return False


def draw_page(
    explanation: Explanation,
    wanted: bool,
    status: Status,
    redundant: bool = False,
    agreement: bool | str = "auto",
) -> str:
    """Draw the page with pictures, if wanted."""
    if not wanted:
        return ""
    status.say("drawing the page")
    return explanation.to_html(redundant=redundant, agreement=agreement)


def page_words(path: str) -> str:
    """Say where the page is."""
    return f"A page with pictures is in {escape(path)}: open it in a browser."


def write(path: str | None, text: str) -> None:
    """Write a file, if it has a name."""
    if path is not None:
        from .._util.files import write_text

        write_text(path, text)


def to_csv(explanation: Explanation) -> str:
    """Write an aspect a line, and quote text that a spreadsheet would take for a formula.

    The lines may go to a terminal, so control characters become escapes.
    """
    frame = explanation.to_frame()
    for name in frame.columns:
        if frame[name].dtype == object:
            frame[name] = frame[name].map(_harmless)
    return str(frame.to_csv(index=False)).rstrip("\n")


def _harmless(value: object) -> object:
    from ..explanation.writing.wording import printable

    if isinstance(value, tuple):
        value = " ".join(map(str, value))
    if isinstance(value, str):
        start = "'" if value[:1] in {"=", "+", "-", "@", "\t", "\r"} else ""
        return start + printable(value)
    return value
