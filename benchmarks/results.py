"""Results of a measurement: figures with their targets, stored in a JSON file."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


class Skipped(Exception):  # noqa: N818
    """A benchmark cannot run here; the message says why."""


class Disagreement(Exception):  # noqa: N818
    """Two ways that must give the same result do not."""


@dataclass(frozen=True)
class Figure:
    """One line of the table: a measured value, and whether it meets its target.

    `margin`: how many times better than the target the value is; 1 just meets it.
    """

    what: str
    measured: str
    target: str
    met: bool | None = None
    margin: float | None = None
    note: str = ""


def at_least(what: str, value: float, bound: float, unit: str, note: str = "") -> Figure:
    """Return a figure that should not be below a bound."""
    target = f"at least {_number(bound)}{_spaced(unit)}"
    measured = f"{_number(value)}{_spaced(unit)}"
    return Figure(what, measured, target, value >= bound, value / bound, note)


def at_most(what: str, value: float, bound: float, unit: str, note: str = "") -> Figure:
    """Return a figure that should not be above a bound."""
    target = f"at most {_number(bound)}{_spaced(unit)}"
    measured = f"{_number(value)}{_spaced(unit)}"
    margin = bound / value if value > 0 else None
    return Figure(what, measured, target, value <= bound, margin, note)


def finished(what: str, measured: str, note: str = "") -> Figure:
    """Return a figure without a target."""
    return Figure(what, measured, "finishes", met=True, note=note)


@dataclass(frozen=True)
class Outcome:
    """Result of a benchmark: figures, and the points of curves for the plot."""

    figures: list[Figure]
    curves: dict[str, list[tuple[float, float]]] = field(default_factory=dict)


class Store:
    """Outcomes by name of the benchmark, in a file that is complete at every moment."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: dict[str, dict[str, Any]] = {}
        if path.is_file():
            self.entries = json.loads(path.read_text(encoding="utf-8"))

    def outcome(self, name: str) -> Outcome:
        """Return the stored outcome of a benchmark."""
        entry = self.entries[name]
        curves = {k: [(x, y) for x, y in points] for k, points in entry["curves"].items()}
        return Outcome([Figure(**figure) for figure in entry["figures"]], curves)

    def put(self, name: str, outcome: Outcome, about: dict[str, Any]) -> None:
        """Store an outcome with its machine and date."""
        self.entries[name] = {**about, **asdict(outcome)}
        self._write()

    def forget(self) -> None:
        """Delete all outcomes."""
        self.entries = {}
        self.path.unlink(missing_ok=True)

    def _write(self) -> None:
        text = json.dumps(self.entries, indent=1, ensure_ascii=False) + "\n"
        write_whole(self.path, text)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is either the old or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)


def _number(value: float) -> str:
    """Three digits, or all before the point.

    >>> _number(1.15), _number(1234.5), _number(30.0), _number(0.01234)
    ('1.15', '1,234', '30', '0.0123')
    """
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _spaced(unit: str) -> str:
    return f" {unit}" if unit else ""
