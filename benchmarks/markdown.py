"""Markdown: tables, and the generated parts of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .results import write_whole


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Format a table.

    >>> print(table(["a", "b"], [["1", "x|y"]]))
    | a | b |
    |---|---|
    | 1 | x\|y |
    """
    lines = [_line(header), "|" + "---|" * len(header)]
    return "\n".join([*lines, *map(_line, rows)])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def bullets(lines: Iterable[str]) -> str:
    """Format a list."""
    return "\n".join(f"- {line}" for line in lines)


def parts(text: str) -> list[str]:
    """Names of the parts that have markers.

    >>> parts("a <!-- times: begin --> b <!-- times: end -->")
    ['times']
    """
    return re.findall("<!-- ([a-z-]+): begin -->", text)


def renew(page: Path, new: Mapping[str, str], otherwise: str) -> None:
    """Write parts of a page between their markers, and keep the rest.

    A new page begins as `otherwise`; a part without markers goes to the end.
    """
    text = page.read_text(encoding="utf-8") if page.is_file() else otherwise
    for name, part in new.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        if begin not in text or end not in text:
            text += f"\n{begin}\n{end}\n"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{part}\n{end}{rest.partition(end)[2]}"
    write_whole(page, text)


def circumstances(entries: Iterable[Mapping[str, Any]]) -> str:
    """Machine, versions and dates of all results, which may come from several runs."""
    entries = list(entries)
    lines = []
    for label, key in (
        ("Machine", "cpu"),
        ("Versions", "versions"),
        ("Measured on", "date"),
        ("Package", "package"),
        ("Commit", "commit"),
    ):
        values = sorted({str(entry[key]) for entry in entries} - {""})
        if values:
            lines.append(f"{label}: {'; '.join(values)}")
    if len({entry["source"] for entry in entries}) > 1:
        lines.append("The figures come from several states of the code: see `--fresh`.")
    if any(entry["quick"] for entry in entries):
        lines.append("**Some sizes are reduced (`--quick`), so that targets do not apply.**")
    return bullets(lines)
