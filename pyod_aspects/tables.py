"""What is accepted as a table: its values as float64, the names and kinds of its columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._types import AnyArray, FloatArray
from .exceptions import InvalidInputError


@dataclass(frozen=True)
class Column:
    """What is known of a column beside its values.

    Attributes
    ----------
    name : str
    kind : {"number", "category", "time"}
        The values of a category are the positions of its `labels`, those of a time are seconds
        since 1970 (UTC).
    labels : tuple of str
        The categories.

    Examples
    --------
    >>> Column("ash").text(2.4312)
    '2.431'
    """

    name: str
    kind: str = "number"
    labels: tuple[str, ...] = ()

    def text(self, value: float) -> str:
        """Return a value of this column in words, short enough to be read."""
        if np.isnan(value):
            return "missing"
        if self.kind == "category":
            known = 0 <= value < len(self.labels)
            return self.labels[int(value)] if known else "another category"
        return f"{value:.4g}"


@dataclass(frozen=True, eq=False)
class Table:
    """Rows and columns: numbers, and what each column means.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_features)
    columns : tuple of Column
    named : bool
        Whether the names came with the table; those of an array are x0, x1 and so on.
    """

    values: FloatArray
    columns: tuple[Column, ...]
    named: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)


def read_table(X: Any, what: str = "X") -> Table:
    """Read a table of any accepted kind; its values are not copied where they can be used."""
    if isinstance(X, Table):
        return X
    values, names = as_table(X, what), column_names(X)
    given = names is not None
    if names is None:
        names = tuple(f"x{i}" for i in range(values.shape[1]))
    return Table(values, tuple(map(Column, names)), given)


def column_names(X: Any) -> tuple[str, ...] | None:
    """Names of a DataFrame's columns (pandas, polars); None for a plain array."""
    columns = getattr(X, "columns", None)
    if columns is None:
        return None
    return tuple(str(name) for name in columns)


def _refuse_first_bad(values: FloatArray, names: tuple[str, ...] | None, what: str) -> None:
    bad = np.argwhere(~np.isfinite(values))
    if bad.size:
        row, column = bad[0]
        value = values[row, column]
        name = repr(names[column]) if names is not None else str(column)
        kind = "a missing value" if np.isnan(value) else "an infinite value"
        raise InvalidInputError(
            f"{what} has {kind} in row {row}, column {name} ({len(bad)} such in all): "
            "fill or drop them first."
        )


def as_table(X: Any, what: str = "X") -> FloatArray:
    """Values of a table as a finite float64 array of two dimensions, not copied if it is one.

    Examples
    --------
    >>> as_table([[1, 2], [3, 4]]).dtype
    dtype('float64')
    """
    if hasattr(X, "toarray"):
        raise InvalidInputError(
            f"{what} is a sparse matrix: pass {what}.toarray() if it fits in memory."
        )
    names = column_names(X)
    try:
        raw: AnyArray = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
        if raw.dtype.kind == "c":
            raise InvalidInputError(
                f"{what} holds complex numbers: pass their real and imaginary parts as columns."
            )
        values = raw.astype(np.float64, copy=False)
    except InvalidInputError:
        raise
    except (TypeError, ValueError) as error:
        raise InvalidInputError(
            f"{what} could not be read as a table of numbers: {error}."
        ) from error
    if values.ndim != 2:
        hint = f" (for a single column pass {what}.reshape(-1, 1))" if values.ndim == 1 else ""
        raise InvalidInputError(
            f"{what} has {values.ndim} dimension{'s' * (values.ndim != 1)}: expected a table, "
            f"rows by columns{hint}."
        )
    if 0 in values.shape:
        raise InvalidInputError(
            f"{what} has shape {values.shape}: expected at least one row and one column."
        )
    _refuse_first_bad(values, names, what)
    return values
