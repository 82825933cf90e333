"""A table in the form that a detector takes: bare numbers, or the form of its fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._util.types import AnyArray, FloatArray
from ..exceptions import DetectorError
from ..tables import Table, read_table


def as_numbers(X: Any) -> FloatArray | None:
    """Return a new float64 array in C order, which every detector of PyOD takes.

    None if the table holds anything but numbers and truth values.
    """
    table = read_table(X.toarray() if hasattr(type(X), "toarray") else X, offsets=0.0)
    if any(c.kind != "number" and c.labels != ("False", "True") for c in table.columns):
        return None
    return np.array(table.in_units(), order="C")


def as_fitted(estimator: Any, X: Any, name: str) -> Any:
    """Return X as the estimator saw it in `fit`: with names, or without.

    An estimator may remember neither names nor a number of columns, such as a transformer of your
    own. It gets a frame as it is, because it may ask for columns by name.
    """
    known = getattr(estimator, "feature_names_in_", None)
    if known is None:
        if _is_frame(X) and not hasattr(estimator, "n_features_in_"):
            return X
        return _as_array(X)
    if not _is_frame(X):
        import pandas as pd

        return pd.DataFrame(_as_array(X), columns=list(known))
    for position, (here, there) in enumerate(zip(X.columns, known, strict=False)):
        if here != there:
            raise DetectorError(
                f"column {position} of X is {str(here)!r}, {name} was fitted with {str(there)!r} "
                "there: pass the same columns in the same order."
            )
    return X


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "to_numpy")


def _as_array(X: Any) -> AnyArray:
    """Return an array, of numbers if the table holds nothing else."""
    numbers = as_numbers(X)
    if numbers is not None:
        return numbers
    if isinstance(X, Table):
        return X.in_units()
    return np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
