"""The few types that every room shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

Measure = Literal["count", "density"]
"""Unit of a density: a count of rows, or a kernel density."""

MEASURES: tuple[Measure, ...] = get_args(Measure)

Subspace = tuple[int, ...]
"""Attribute indices, 0-based, sorted, each once."""

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
"""Truth values."""

AnyArray = npt.NDArray[Any]

CodeArray = npt.NDArray[np.unsignedinteger[Any]]
"""Codes of occupied bins: of 16 bits where all fit, otherwise of 32."""


class Pass(NamedTuple):
    """A pass over the partitions of a table: its purpose, and how many partitions are done."""

    what: str
    done: int
    total: int


class Progress(NamedTuple):
    """Progress of a search, the argument of the `progress` callback.

    Attributes
    ----------
    level, max_dim : int
        Size of the subspaces under way (their number of attributes), and the largest size.
    done, total : int
        Finished subspaces of this level, and all of them; of all levels if `whole`. Both are
        estimates in a level that is too large to generate at once.
    scored : int
        Subspaces scored since the search began.
    rows_done, rows_now, n_rows : int
        Rows that are finished, rows under way, and all rows. They include the ordinary rows for
        p-values. 0 if the search does not know.
    whole : bool
        Whether the search visits all levels together: `total` then covers all of them.
    reference : bool
        Whether the rows under way are ordinary ones, for p-values.
    asking : bool
        Whether a detector scores new rows: `scored`, `done` and `total` are then rows.
    reading : Pass or None
        The pass over the partitions of a table that is under way.
    """

    level: int
    max_dim: int
    done: int
    total: int
    scored: int
    rows_done: int = 0
    rows_now: int = 0
    n_rows: int = 0
    whole: bool = False
    reference: bool = False
    asking: bool = False
    reading: Pass | None = None

    @property
    def share(self) -> float:
        """Finished share of the search by levels and rows: from 0 to 1, it never falls."""
        share = self.done / max(self.total, 1)
        if not self.whole:
            share = (self.level - 1 + share) / max(self.max_dim, 1)
        if self.n_rows:
            share = (self.rows_done + share * self.rows_now) / self.n_rows
        return share


ProgressCallback = Callable[[Progress], None]
"""A search calls it now and then; an exception it raises ends the search."""

Tick = Callable[[int], None]
"""Gets the number of finished things now and then; an exception it raises ends the work."""
