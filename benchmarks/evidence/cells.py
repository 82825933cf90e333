"""Cells of the tables: the program computes each once and keeps it on disk."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from pyod_aspects.exceptions import TooLargeError

from .. import machine
from ..results import Skipped, write_whole
from ..timing import shown
from .limits import OverLimitError, within

Result = dict[str, Any]
"""Result of a cell: figures, or one of "over" (a limit), "refused" and "skipped" (a reason)."""


@dataclass(frozen=True)
class Cell:
    """A piece of work with a name such as "hics_010/SGBeam".

    The cells of a series come in order of size: after one that takes too long, the others do not
    start.
    """

    name: str
    work: Callable[..., Result]
    args: tuple[Any, ...] = ()
    series: str = ""
    inputs: str = ""
    """A digest of the files that the cell reads."""
    apart: bool = True
    """Whether it runs in a separate process, with a time limit."""


class Cells:
    """Results by name of the cell, in a file that is complete at every moment."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries = self._read()

    def __contains__(self, name: str) -> bool:
        return "seconds" in (self.result(name) or {})

    def result(self, name: str) -> Result | None:
        """Return the result of a cell, or None if there is none yet."""
        entry = self.entries.get(name)
        return None if entry is None else entry["result"]

    def is_finished(self, cell: Cell, limit: float) -> bool:
        """Whether a cell has a valid result.

        New data void a result, and so does a greater limit for a cell that took too long.
        """
        entry = self.entries.get(cell.name)
        if entry is None or entry["inputs"] != cell.inputs or "skipped" in entry["result"]:
            return False
        return bool(entry["result"].get("over", limit) >= limit)

    def put(self, cell: Cell, result: Result) -> None:
        """Store a result with its machine and date, beside the results of other runs."""
        entry = {**machine.about(quick=False), "inputs": cell.inputs, "result": result}
        self.entries = {**self.entries, **self._read(), cell.name: entry}
        self._write()

    def _read(self) -> dict[str, dict[str, Any]]:
        if not self.path.is_file():
            return {}
        try:
            entries = json.loads(self.path.read_text(encoding="utf-8"))
            if all("result" in entry and "inputs" in entry for entry in entries.values()):
                return dict(entries)
        except (ValueError, AttributeError, TypeError):
            pass
        raise Skipped(f"{self.path} is damaged: expected cells of earlier runs; move it away")

    def forget(self, names: Iterable[str]) -> None:
        """Delete the results of the given cells."""
        dropped = set(names)
        self.entries = {k: v for k, v in self.entries.items() if k not in dropped}
        self._write()

    def _write(self) -> None:
        lines = (
            f" {json.dumps(key)}: {json.dumps(entry, ensure_ascii=False)}"
            for key, entry in sorted(self.entries.items())
        )
        write_whole(self.path, "{\n" + ",\n".join(lines) + "\n}\n")


def compute(cells: Sequence[Cell], kept: Cells, limit: float) -> int:
    """Compute the missing cells, one line each; return how many failed."""
    stopped: dict[str, str] = {}
    n_failed = 0
    source = machine.source()
    for i, cell in enumerate(cells):
        head = f"[{i + 1:{len(str(len(cells)))}}/{len(cells)}] {cell.name}"
        if kept.is_finished(cell, limit):
            other = kept.entries[cell.name]["source"] != source
            code = ", measured with other code (see --fresh)" if other else ""
            print(f"{head}: kept, {in_words(kept.result(cell.name) or {})}{code}", flush=True)
        elif cell.series in stopped:
            earlier = stopped[cell.series]
            over = (kept.result(earlier) or {}).get("over", limit)
            kept.put(cell, {"over": over, "after": earlier})
            print(f"{head}: not begun, as {earlier} took too long", flush=True)
        else:
            begin = perf_counter()
            print(f"{head}: ", end="", flush=True)
            try:
                result = _computed(cell, limit)
            except Exception as error:
                n_failed += 1
                print(f"failed: {type(error).__name__}: {error}", flush=True)
                continue
            kept.put(cell, result)
            print(f"{in_words(result)} ({shown(perf_counter() - begin)} in all)", flush=True)
        if cell.series and "over" in (kept.result(cell.name) or {}):
            stopped.setdefault(cell.series, cell.name)
    return n_failed


def _computed(cell: Cell, limit: float) -> Result:
    """Return the result, or the reason for having none."""
    try:
        if not cell.apart:
            return cell.work(*cell.args)
        result: Result = within(limit, cell.work, *cell.args)
    except OverLimitError:
        return {"over": limit}
    except TooLargeError as error:
        return {"refused": str(error)}
    except Skipped as reason:
        return {"skipped": str(reason)}
    return result


def in_words(result: Result) -> str:
    """Format a result for the terminal."""
    if "over" in result:
        return f"> {shown(result['over'])}"
    if "refused" in result:
        return "too large"
    if "skipped" in result:
        return f"skipped: {result['skipped']}"
    right = f"{result['right']} of {result['n']}, " if "right" in result else ""
    return f"{right}{shown(result['seconds'])}"


def interrupted() -> int:
    """Say what Ctrl-C leaves behind; return the exit code."""
    print("\ninterrupted: finished cells are kept; run it again to go on", file=sys.stderr)
    return 130
