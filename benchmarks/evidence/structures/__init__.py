"""Structures with known answers: small tables, each with one kind of outlier."""

from __future__ import annotations

from collections.abc import Iterator

from ..cells import Cell
from .measure import measure
from .miners import MINERS
from .registry import STRUCTURES

SHORT = 2
"""Tables of a structure in a short run."""

LARGEST_SHORT = 1_000
"""Most rows of a table in a short run."""


def cells(short: bool = False) -> list[Cell]:
    """All cells, those of a structure together."""
    return list(_cells(short))


def _cells(short: bool) -> Iterator[Cell]:
    for name, structure in STRUCTURES.items():
        if short and structure.n_rows > LARGEST_SHORT:
            continue
        n_tables = min(SHORT, structure.n_tables) if short else structure.n_tables
        for miner, how in MINERS.items():
            if how.takes(structure):
                args = (name, miner, n_tables)
                yield Cell(f"{name}/{miner}", measure, args, inputs=f"{n_tables}", apart=False)
