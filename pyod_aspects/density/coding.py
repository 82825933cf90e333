"""A table as codes: cut every column into bins, and number the occupied ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .._util.parallel import run
from .._util.types import CodeArray, FloatArray
from ..binning.bins import OccupiedBins
from ..binning.cuts import CodedColumn, Cut
from ..tables.column import Column

# Fewest values of a table whose columns are cut on threads.
_MANY = 300_000

# Columns to read together: neighbours in a row share a cache line.
_TOGETHER = 4


class CutColumns(NamedTuple):
    """The cut of each column, and its occupied bins."""

    cuts: list[Cut]
    occupied: list[OccupiedBins]

    @property
    def n_rows(self) -> int:
        """Number of rows: each is in one bin of every column."""
        return int(self.occupied[0].filled.sum())


def code_columns(
    values: FloatArray,
    columns: Sequence[Column],
    rule: str | int,
    reach: int,
    n_jobs: int | None,
) -> tuple[CutColumns, CodeArray]:
    """Cut all columns of values (n, d); return the codes (d, n), too, in 16 bits if all fit."""
    n, d = values.shape
    codes: CodeArray = np.empty((d, n), dtype=np.uint16)
    wide: dict[int, CodeArray] = {}  # columns whose codes do not fit
    found: dict[int, tuple[Cut, OccupiedBins]] = {}

    def cut_columns(begin: int) -> int:
        block = values[:, begin : begin + _TOGETHER].T
        if block.strides[1] != block.itemsize:  # the values of a column are not contiguous
            block = np.ascontiguousarray(block)
        for a, column in enumerate(block, begin):
            coded = CodedColumn.of(column, rule, reach, columns[a].kind == "category")
            if coded.codes.dtype == codes.dtype:
                codes[a] = coded.codes
            else:
                wide[a] = coded.codes
            found[a] = coded.cut, coded.occupied
        return len(block)

    pieces = ((a,) for a in range(0, d, _TOGETHER))
    run(cut_columns, pieces, n_jobs if values.size > _MANY else 1)
    if wide:
        codes = codes.astype(np.uint32)
        for a, column in wide.items():
            codes[a] = column
    return CutColumns([found[a][0] for a in range(d)], [found[a][1] for a in range(d)]), codes
