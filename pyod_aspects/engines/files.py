"""Parquet files as the parts of a table: only a few row groups are in memory at a time.

`ParquetFiles` takes rows, columns and sizes from the metadata. Neighbouring row groups of a file
make up a part of about `PART_BYTES`. A part never splits a row group, which Parquet compresses as
a whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from .._util.memory import memory
from .._util.types import IntArray
from ..exceptions import PartsError
from ..tables.table import sample_rows
from .dask import DaskParts
from .graphs import import_dask, node
from .parts import Parts

PART_BYTES = 2**25
"""Approximate size of a part, at 8 bytes a value."""

_AT_WORK = 8
"""Peak memory of a part as a multiple of its size, while it is scored or counted."""


class Part(NamedTuple):
    """Row groups of a file to read together."""

    path: str
    groups: tuple[int, ...]
    n_rows: int
    n_bytes: int  # in memory, a lower bound


class ParquetFiles:
    """Parquet files as one table, known by their metadata.

    Parameters
    ----------
    paths : sequence of str
        Every file has the columns of the first, in any order.

    Attributes
    ----------
    parts : list of Part
    names : list of str
        Columns, without those that hold a pandas index.
    n_rows : int
    n_bytes : int
        Size of all columns in memory, a lower bound.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = list(paths)
        self.parts: list[Part] = []
        self.names: list[str] = []
        self.n_rows = self.n_bytes = 0
        for path in self.paths:
            self._look_at(path)
        if not self.parts:
            raise PartsError(f"{self.paths[0]} has no rows: expected 1 or more.")

    def _look_at(self, path: str) -> None:
        import pyarrow.parquet as pq

        with pq.ParquetFile(path) as file:
            names = _column_names(file.schema_arrow)
            if not self.names:
                self.names = names
            for name in {*names} ^ {*self.names}:
                what = "lacks" if name in self.names else "has another column,"
                raise PartsError(
                    f"{path} {what} {name!r}: expected the columns of {self.paths[0]}."
                )
            begun: list[int] = []
            n_rows = n_bytes = 0
            for i in range(file.metadata.num_row_groups):
                group = file.metadata.row_group(i)
                if group.num_rows == 0:
                    continue
                size = max(group.total_byte_size, 8 * group.num_rows * len(names))
                if begun and n_bytes + size > PART_BYTES:
                    self._add(path, begun, n_rows, n_bytes)
                    begun, n_rows, n_bytes = [], 0, 0
                begun.append(i)
                n_rows, n_bytes = n_rows + group.num_rows, n_bytes + size
            if begun:
                self._add(path, begun, n_rows, n_bytes)

    def _add(self, path: str, groups: list[int], n_rows: int, n_bytes: int) -> None:
        self.parts.append(Part(path, tuple(groups), n_rows, n_bytes))
        self.n_rows, self.n_bytes = self.n_rows + n_rows, self.n_bytes + n_bytes

    def read(self, names: Sequence[str] | None = None, index: str | None = None) -> Parts:
        """Return the parts as DataFrames; every pass reads them anew.

        Parameters
        ----------
        names : sequence of str, optional
            Columns to read; by default all.
        index : str, optional
            Column that names the rows.
        """
        chosen = self.names if names is None else list(names)
        named = DaskParts([node(tuple(part)) for part in self.parts])
        return named.map(read_part, chosen, index)

    def sample(self, size: int) -> Any:
        """Return a fixed random sample of rows as a DataFrame; all rows if there are no more.

        Its index holds the row numbers.
        """
        import pandas as pd

        rows = sample_rows(self.n_rows, min(size, self.n_rows))
        ends = np.cumsum([part.n_rows for part in self.parts])
        places = np.split(rows, np.searchsorted(rows, ends[:-1]))
        begins = ends - [part.n_rows for part in self.parts]
        wanted = [i for i, some in enumerate(places) if some.size]
        taken = self.read().some(wanted).zip([places[i] - begins[i] for i in wanted]).each(_take)
        return pd.concat(taken).set_axis(rows, axis=0)

    @contextmanager
    def on_threads(self) -> Iterator[None]:
        """Compute on one thread per core, or fewer, so parts take at most half of the memory."""
        largest = max(part.n_bytes for part in self.parts)
        fitting = memory() // 2 // (_AT_WORK * largest)
        n_threads = max(1, min(os.cpu_count() or 1, fitting))
        with import_dask().config.set(scheduler="threads", num_workers=n_threads):
            yield


def read_part(
    part: tuple[str, tuple[int, ...], int, int], names: list[str], index: str | None
) -> Any:
    """Read the row groups of a part as a DataFrame; infinite values become missing ones."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path, groups, *_ = part
    wanted = [*names, *([index] if index is not None and index not in names else [])]
    with pq.ParquetFile(path) as file:
        table = file.read_row_groups(list(groups), columns=wanted, use_threads=False)
    for i, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type):
            table = table.set_column(i, field.name, table.column(i).cast(pa.float64()))
    frame = table.to_pandas(ignore_metadata=True, date_as_object=False, split_blocks=True)
    for name in frame.columns[[dtype.kind == "f" for dtype in frame.dtypes]]:
        infinite = np.isinf(frame[name].to_numpy())
        if infinite.any():
            frame[name] = frame[name].mask(infinite)
    if index is not None:
        frame.index = frame[index].astype(str)
    return frame[names]


def _take(part: tuple[Any, IntArray]) -> Any:
    frame, rows = part
    return frame.iloc[rows]


def _column_names(schema: Any) -> list[str]:
    """Names of the columns, without those that hold a pandas index."""
    metadata = schema.pandas_metadata or {}
    index = {name for name in metadata.get("index_columns", ()) if isinstance(name, str)}
    return [name for name in schema.names if name not in index]
