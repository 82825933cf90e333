"""Other packages that explain anomalies, through a common adapter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .. import data
from ..cells import Cell
from .measure import accuracy, flagged, growth
from .registry import PEERS

N_ROWS = (1_000, 2_000, 5_000, 10_000, 20_000)
"""Rows of the generated tables, with `COLUMNS[0]` columns."""

COLUMNS = (10, 20, 40, 80)
"""Columns of the generated tables, with `N_ROWS[0]` rows."""

GENERATED = ("generated_010", "generated_020", "generated_040")
"""The sets to explain without a data folder."""


def cells(folder: Path | None) -> list[Cell]:
    """All cells: the sets with known answers, then growth."""
    return [*_accuracy(folder), *_growth()]


def _accuracy(folder: Path | None) -> Iterator[Cell]:
    names = [n for n in data.hics_names(folder) if not n.startswith("generated_")]
    for name in names or GENERATED:
        inputs = data.fingerprint(name, folder)
        yield Cell(f"{name}/flagged", flagged, (name, folder), inputs=inputs)
        for peer in PEERS:
            yield Cell(f"{name}/{peer}", accuracy, (peer, name, folder), inputs=inputs)


def growth_table(series: str, size: int) -> str:
    """Name of the generated table with `size` rows or columns.

    >>> growth_table("rows", 2_000), growth_table("columns", 80)
    ('rows_02000', 'columns_080')
    """
    return f"rows_{size:05}" if series == "rows" else f"columns_{size:03}"


def _growth() -> Iterator[Cell]:
    """Both series contain the smallest table, each as its own cell."""
    for peer in PEERS:
        for n in N_ROWS:
            name = f"{growth_table('rows', n)}/{peer}"
            yield Cell(name, growth, (peer, n, COLUMNS[0]), series=f"rows/{peer}")
        for d in COLUMNS:
            name = f"{growth_table('columns', d)}/{peer}"
            yield Cell(name, growth, (peer, N_ROWS[0], d), series=f"columns/{peer}")
