"""A table in the form that a detector takes: bare numbers, or as it was at the time of its fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._types import AnyArray, FloatArray
from ..exceptions import DetectorError
from ..tables import Table


def as_numbers(X: Any, name: str) -> FloatArray:
    """Return a new float64 array in C order, which every detector of PyOD takes."""
    raw = _as_array(X)
    try:
        if raw.dtype.kind in "mM":
            raise TypeError("times are no numbers")
        return np.array(raw, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise DetectorError(
            f"{name} takes numbers alone, and X holds something else ({error}): explain rows of "
            "the fitted X, or put what turns X into numbers in a Pipeline with the detector."
        ) from error


def as_fitted(estimator: Any, X: Any, name: str) -> Any:
    """Return X as the estimator of scikit-learn saw it in `fit`: with names, or without."""
    known = getattr(estimator, "feature_names_in_", None)
    if known is None:
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
    if isinstance(X, Table):
        return X.values
    if hasattr(X, "toarray"):
        X = X.toarray()
    return np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
