"""A table in parts: scores, samples, labels and single rows of a table outside this process.

Row numbers count from 0 over all parts, in the order of the parts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from .._util.types import FloatArray, IntArray
from ..exceptions import DetectorError, InvalidInputError
from ..tables import RowLabels, Rows, Table
from ..tables.parts import read_part
from ..tables.table import find_positions, sample_rows
from .parts import Parts
from .reading import Survey, read_values, survey

# `scores` scores about this many rows again. It takes smaller differences, as a share of the range
# of scores, for rounding.
_FEW, _ROUNDING = 16, 1e-6


class TableInParts:
    """Columns, and rows in parts.

    Attributes
    ----------
    frames : Parts
        The parts as they came: pandas DataFrames.
    values : Parts
        The parts as `Table.values`: arrays of shape (n_rows, n_features).
    columns : tuple of Column
    named : bool
        Always True: a DataFrame names its columns.
    n_rows : int
    begins, ends : ndarray of int
        For each part, the number of its first row, and the number of its last row plus 1.
    overviews : mapping of int to Overview
        Overviews of columns by number, for `cut_columns`.
    """

    def __init__(self, frames: Parts, seen: Survey) -> None:
        self.frames, self.columns, self.named = frames, seen.columns, True
        self.values = read_values(frames, seen.columns)
        self.overviews = seen.overviews
        self.ends = np.cumsum(seen.sizes)
        self.begins = self.ends - np.asarray(seen.sizes)
        self.n_rows = seen.n_rows
        self._starts: list[int | None] | None = None
        self._labels: dict[int, str] = {}
        self._samples: dict[int, Any] = {}

    @classmethod
    def of(cls, frames: Parts) -> TableInParts:
        """Survey the parts, usually in one pass."""
        seen = survey(frames)
        if seen.n_rows == 0:
            raise InvalidInputError(
                "X has 0 row(s) in all its partitions while a minimum of 1 is required."
            )
        return cls(frames, seen)

    @cached_property
    def labelled(self) -> bool:
        """Whether the index names rows; false if it is a plain range.

        The range may run over all parts, or start at 0 in each part, as with one file per part.
        """
        starts = (
            self.frames.each(_start, what="looking at the index")
            if self._starts is None
            else self._starts
        )
        pairs = zip(starts, self.begins.tolist(), self.ends.tolist(), strict=True)
        known = [(start, begin) for start, begin, end in pairs if begin < end]
        over_all = all(start == begin for start, begin in known)
        return not (over_all or all(start == 0 for start, _ in known))

    def scores(self, score: Callable[[Any, int], FloatArray]) -> tuple[FloatArray, bool]:
        """Scores of all rows, and whether they depend on the other rows of a part.

        `score(frame, n_rows)` returns the scores of a part. It scores a few rows of the largest
        part again, alone, to see whether they stay the same.
        """
        sizes = self.ends - self.begins
        i = int(np.argmax(sizes))
        few = np.arange(sizes[i])[:: -int(max(2, sizes[i] // _FEW))]
        again: list[IntArray | None] = [None] * len(self.frames)
        if sizes[i] not in (1, self.n_rows):  # neither one row a part nor all rows in one
            again[i] = few
        answers = self.frames.zip(again).each(_score, score, what="scoring rows")
        self._starts = [start for _, start, _ in answers]
        alone = answers[i][2]
        found = np.empty(self.n_rows)
        for k, (begin, end) in enumerate(zip(self.begins, self.ends, strict=True)):
            found[begin:end] = answers[k][0]
            answers[k] = None  # so memory holds each score once
        if alone is None:
            return found, False
        differences = np.abs(found[self.begins[i] + few] - alone)
        return found, not bool(differences.max() <= _ROUNDING * np.ptp(found))

    def has_index(self, index: Any) -> bool:
        """Whether a pandas index equals that of the rows, or both are plain ranges."""
        import pandas as pd

        if not self.labelled and pd.RangeIndex(self.n_rows).equals(index):
            return True
        pieces = [index[i:j] for i, j in zip(self.begins, self.ends, strict=True)]
        return all(self.frames.zip(pieces).each(_same_index, what="looking at the index"))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    def take(self, rows: IntArray) -> Table:
        """Fetch rows by number, with their labels and the form of the user's table."""
        return self._read(self._take(rows))

    def sample_rows(self, size: int) -> IntArray | None:
        """Row numbers of a fixed random sample; None if it would hold all rows."""
        return None if size >= self.n_rows else sample_rows(self.n_rows, size)

    def sample(self, size: int, more: IntArray | None = None) -> tuple[Table, IntArray]:
        """Fetch a fixed random sample of rows; all rows if there are no more than `size`.

        Parameters
        ----------
        size : int
        more : ndarray of int, optional
            Numbers of further rows to fetch.

        Returns
        -------
        table : Table
        rows : ndarray of int
            Row numbers of the table, sorted.
        """
        rows = self.sample_rows(size)
        if rows is None:
            rows = np.arange(self.n_rows)
        if size not in self._samples:
            self._samples[size] = self._take(rows)
        frame = self._samples[size]
        new = np.empty(0, dtype=np.int64) if more is None else np.setdiff1d(more, rows)
        if new.size:
            places = rows.searchsorted(new)
            frame = _insert(frame, places, self._take(new))
            rows = np.insert(rows, places, new)
        return self._read(frame), rows

    def _take(self, rows: IntArray) -> Any:
        """Fetch rows as a DataFrame, in the given order."""
        wanted, which = np.unique(np.asarray(rows, dtype=np.int64), return_inverse=True)
        part_of = np.searchsorted(self.ends, wanted, side="right")
        numbers = np.unique(part_of).tolist()
        places = [wanted[part_of == i] - self.begins[i] for i in numbers]
        frames = self.frames.some(numbers).zip(places).each(_take, what="fetching rows")
        frame = _concatenate(frames)
        order = which.ravel()
        return frame if np.array_equal(order, np.arange(len(frame))) else frame.iloc[order]

    def _read(self, frame: Any) -> Table:
        labels = RowLabels(frame.index) if self.labelled else None
        values = read_part(frame, self.columns)
        return Table(values, self.columns, self.named, labels).with_form(frame)

    def label(self, row: int) -> str | None:
        """Return the label of a row as text; None if the rows have no labels."""
        if not self.labelled:
            return None
        if row not in self._labels:
            self._labels[row] = str(self.take(np.array([row])).label(0))
        return self._labels[row]

    def positions(self, rows: Rows) -> list[Any]:
        """Return `rows` with each label replaced by its position."""
        return find_positions(rows, self.n_rows, self._find if self.labelled else None, self.label)

    def _find(self, texts: list[str]) -> dict[str, list[int]]:
        """Find the positions of all rows with these labels, in one pass."""
        found: dict[str, list[int]] = {text: [] for text in texts}
        for begin, places in zip(
            self.begins.tolist(),
            self.frames.each(_find_labels, texts, what="looking up labels"),
            strict=True,
        ):
            for text, rows in places.items():
                found[text] += [begin + row for row in rows]
        return found


def as_table_in_parts(X: Any) -> TableInParts | None:
    """Return a Dask DataFrame or `Parts` as a table in parts; None for any other X."""
    if isinstance(X, TableInParts):
        return X
    if isinstance(X, Parts):
        return TableInParts.of(X)
    if hasattr(type(X), "npartitions") and hasattr(type(X), "to_delayed"):
        if getattr(X, "ndim", 2) != 2 or not hasattr(type(X), "columns"):
            instead = (
                "X.to_frame()" if hasattr(X, "to_frame") else "dask.dataframe.from_dask_array(X)"
            )
            raise InvalidInputError(
                f"X is of Dask's type {type(X).__name__}: expected its DataFrame; pass {instead}."
            )
        from .dask import DaskParts

        return TableInParts.of(DaskParts(X))
    return None


def _start(frame: Any) -> int | None:
    """First number of a part's index if it is a plain range, else None."""
    import pandas as pd

    index = frame.index
    counts = isinstance(index, pd.RangeIndex) and index.name is None and index.step == 1
    return int(index.start) if counts else None


def _score(
    part: tuple[Any, IntArray | None], score: Callable[[Any, int], FloatArray]
) -> tuple[FloatArray, int | None, FloatArray | None]:
    """Scores of a part, where its index starts, and scores of some of its rows alone."""
    frame, again = part
    scores, alone = score(frame, len(frame)) if len(frame) else np.empty(0), None
    if again is not None:
        try:
            alone = score(frame.iloc[again], len(again))
        except DetectorError:  # the detector needs more rows
            alone = np.full(len(again), np.nan)
    return scores, _start(frame), alone


def _same_index(part: tuple[Any, Any]) -> bool:
    frame, index = part
    # Dask may store text as another type than pandas does.
    return bool(index.equals(frame.index)) or index.tolist() == frame.index.tolist()


def _take(part: tuple[Any, IntArray]) -> Any:
    frame, rows = part
    return frame.iloc[rows]


def _concatenate(frames: list[Any]) -> Any:
    """Concatenate frames, with the union of the labels of a category.

    If the labels differ, `pandas.concat` would return a column of objects, which a detector may
    refuse.
    """
    import pandas as pd

    names = frames[0].columns
    union = {}
    types = [frame.dtypes.tolist() for frame in frames]
    for i in range(len(names)):
        dtypes = {of_frame[i] for of_frame in types}
        if len(dtypes) > 1 and all(isinstance(dtype, pd.CategoricalDtype) for dtype in dtypes):
            columns = [frame.iloc[:, i] for frame in frames]
            union[i] = pd.api.types.union_categoricals(columns, ignore_order=True).dtype
    if union:  # by number: two columns may share a name
        numbered = [frame.set_axis(range(len(names)), axis=1) for frame in frames]
        frames = [frame.astype(union) for frame in numbered]
    whole = pd.concat(frames)
    whole.columns = names
    return whole


def _insert(frame: Any, places: IntArray, new: Any) -> Any:
    """Insert row i of `new` before row places[i] of `frame`; `places` ascend."""
    pieces, begin = [], 0
    for i, place in enumerate(places.tolist()):
        pieces += [frame.iloc[begin:place], new.iloc[i : i + 1]]
        begin = place
    return _concatenate([*pieces, frame.iloc[begin:]])


def _find_labels(frame: Any, texts: list[str]) -> dict[str, list[int]]:
    found = RowLabels(frame.index).positions(texts)
    return {text: rows for text, rows in found.items() if rows}
