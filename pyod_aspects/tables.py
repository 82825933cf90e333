"""What is accepted as a table: its values as float64 and the names of its columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._types import AnyArray, FloatArray
from .exceptions import InvalidInputError


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
