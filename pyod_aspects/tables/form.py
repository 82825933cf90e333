"""The form of a user's table, so that a detector gets new rows in the same form.

A column of codes has lost the objects behind its labels, their dtype and the time zone. For each
column that is not plain numbers, the form keeps the first cell with each code. It builds new rows
from these cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._util.types import AnyArray, FloatArray, IntArray, Mask
from ..exceptions import InvalidInputError


@dataclass(frozen=True, eq=False)
class ColumnForm:
    """Turns codes of a column back into its cells.

    Attributes
    ----------
    dtype : numpy.dtype or None
        The dtype of plain numbers, which are their own codes.
    codes : ndarray
        The codes of other columns, sorted, each once.
    cells : ndarray, pandas array or polars Series
        A cell of each code, and at the end a missing one if the column has any.
    """

    dtype: Any = None
    codes: FloatArray | None = None
    cells: Any = None

    @classmethod
    def of(cls, raw: Any, values: FloatArray, offset: float) -> ColumnForm:
        """Keep one cell for each code, given the column in both forms."""
        if not offset and isinstance(raw, np.ndarray) and raw.dtype.kind in "iuf":
            return cls(dtype=raw.dtype)
        missing = np.isnan(values)
        present = np.flatnonzero(~missing)
        codes, places = np.unique(values[present], return_index=True)
        first = present[places]
        if missing.any():
            first = np.append(first, np.argmax(missing))
        return cls(codes=codes, cells=_take(raw, first))

    def restore(self, values: FloatArray) -> Any:
        """Return the cells with these codes."""
        if self.codes is None:
            return values.astype(self.dtype)
        places = np.searchsorted(self.codes, values)  # NaN sorts last, like missing cells
        known = np.append(self.codes, np.nan)[: len(self.cells)]
        if places.max(initial=0) >= len(known) or not _equal(known[places], values):
            raise InvalidInputError("a value is not in the column: pass values of its rows.")
        return _take(self.cells, places)


@dataclass(frozen=True, eq=False)
class TableForm:
    """The form of a user's table: an array, a DataFrame of pandas, or of polars.

    Attributes
    ----------
    kind : {"array", "pandas", "other"}
    columns : tuple of ColumnForm
    names : sequence or None
        The user's names of the columns, which need not be text.
    maker : type or numpy.dtype
        Class of a frame that is not of pandas, dtype of an array.
    """

    kind: str
    columns: tuple[ColumnForm, ...]
    names: Any
    maker: Any

    @classmethod
    def of(cls, X: Any, values: FloatArray, offsets: Sequence[float]) -> TableForm:
        """Keep the form of an array or DataFrame, given its codes and offsets."""
        if isinstance(X, np.ndarray):
            kind, names, maker, raws = "array", None, X.dtype, list(X.T)
        elif hasattr(type(X), "iloc"):
            kind, names, maker = "pandas", X.columns, None
            raws = [_raw_cells(X.iloc[:, i]) for i in range(len(names))]
        else:
            kind, names, maker = "other", list(X.columns), type(X)
            series = [X[name] for name in names]
            raws = [one if hasattr(one, "gather") else np.asarray(one) for one in series]
        columns = tuple(map(ColumnForm.of, raws, values.T, offsets))
        return cls(kind, columns, names, maker)

    def restore(
        self, values: FloatArray, lent: Mask | None = None, lender: TableForm | None = None
    ) -> Any:
        """Return rows in this form from their codes.

        Parameters
        ----------
        values : ndarray of shape (n_rows, n_features)
        lent : ndarray of bool of shape (n_rows, n_features), optional
            Which values come from another table.
        lender : TableForm, optional
            The form of that table.
        """
        cells = []
        for i, column in enumerate(self.columns):
            here = np.ascontiguousarray(values[:, i])
            if lent is None or lender is None or lender is self or not lent[:, i].any():
                cells.append(column.restore(here))
            else:
                cells.append(self._mix(column, lender.columns[i], here, lent[:, i]))
        return self._assemble(cells)

    def _mix(self, own: ColumnForm, other: ColumnForm, values: FloatArray, lent: Mask) -> Any:
        """Cells of a column that come from two tables."""
        parts = [other.restore(values[lent]), own.restore(values[~lent])]
        order = np.argsort(np.argsort(~lent, kind="stable"), kind="stable")
        return _take(_concatenate([part for part in parts if len(part)]), order)

    def _assemble(self, cells: Sequence[Any]) -> Any:
        if self.kind == "array":
            rows: AnyArray = np.empty((len(cells[0]), len(cells)), dtype=self.maker)
            for i, column in enumerate(cells):
                rows[:, i] = np.asarray(column)
            return rows
        if self.kind == "pandas":
            import pandas as pd

            # With the dtype: pandas would make a text column of objects that are text.
            series = {i: pd.Series(its, dtype=its.dtype) for i, its in enumerate(cells)}
            frame = pd.DataFrame(series)
            frame.columns = self.names
            return frame
        return self.maker(dict(zip(self.names, cells, strict=True)))


def _equal(one: FloatArray, other: FloatArray) -> bool:
    return bool(np.array_equal(one, other, equal_nan=True))


def _raw_cells(series: Any) -> Any:
    """Cells of a pandas Series: its numpy array if it has one, else its pandas array."""
    return series.to_numpy() if isinstance(series.dtype, np.dtype) else series.array


def _take(cells: Any, places: IntArray) -> Any:
    """Cells at these places, in a new array of the same kind."""
    if hasattr(cells, "gather"):  # polars
        return cells.gather(places)
    return cells.take(places)


def _concatenate(parts: list[Any]) -> Any:
    """Cells of two columns, one after the other, in a type that holds both."""
    if len(parts) == 1:
        return parts[0]
    first, second = parts
    if hasattr(first, "gather") and hasattr(second, "gather"):
        return first.append(second.cast(first.dtype))
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return np.concatenate([first, second])
    import pandas as pd

    one, two = pd.Series(first), pd.Series(second)
    if isinstance(one.dtype, pd.CategoricalDtype) and isinstance(two.dtype, pd.CategoricalDtype):
        new = [label for label in two.cat.categories if label not in one.cat.categories]
        one = one.cat.add_categories(new)
        two = two.cat.set_categories(one.cat.categories, ordered=one.cat.ordered)
    return pd.concat([one, two], ignore_index=True).array
