"""Tables of every kind, each with the case in words and what becomes of it.

`outcome` explains the odd row of one; the tests go through the list, and docs/compatibility.md
prints it. A further kind is one more line.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects.exceptions import InvalidInputError

ROW = 7
"""The row that stands out, in the first column of every table."""

_ODD = np.random.default_rng(0).normal(size=(40, 2))
_ODD[ROW, 0] = 9.0
_WHOLE = np.round(_ODD * 10).astype(int)


def _frame(column: Any) -> pd.DataFrame:
    return pd.DataFrame({"odd": column, "other": _ODD[:, 1]})


def _text() -> list[Any]:
    return ["rare" if i == ROW else "red" if i % 2 else "blue" for i in range(len(_ODD))]


def _days() -> pd.DatetimeIndex:
    return pd.Timestamp("2024-01-01") + pd.to_timedelta(_WHOLE[:, 0], unit="D")


def _polars() -> Any:
    import polars

    return polars.DataFrame({"odd": _text(), "other": _ODD[:, 1]})


def _read_only() -> Any:
    X = _ODD.copy()
    X.flags.writeable = False
    return X


def _sparse() -> Any:
    from scipy.sparse import csr_matrix

    return csr_matrix(_ODD)


def _with_missing() -> Any:
    X = _ODD.copy()
    X[:, 0] = np.where(np.arange(len(X)) == ROW, np.nan, np.round(X[:, 0]))
    return X


def _infinite() -> Any:
    X = _ODD.copy()
    X[3, 1] = np.inf
    return X


TABLES: dict[str, Callable[[], Any]] = {
    "array of float64": lambda: _ODD,
    "array of float32": lambda: _ODD.astype(np.float32),
    "array of float16": lambda: _ODD.astype(np.float16),
    "array of int64": lambda: _WHOLE,
    "array of int8": lambda: _WHOLE.astype(np.int8),
    "array of uint16": lambda: (_WHOLE + 100).astype(np.uint16),
    "array in Fortran order": lambda: np.asfortranarray(_ODD),
    "array with other bytes first": lambda: _ODD.astype(">f8"),
    "read-only array": _read_only,
    "every second row of an array": lambda: np.repeat(_ODD, 2, axis=0)[::2],
    "list of lists": _ODD.tolist,
    "array of objects": lambda: _ODD.astype(object),
    "masked array": lambda: np.ma.array(_ODD),
    "pandas DataFrame": lambda: _frame(_ODD[:, 0]),
    "pandas, nullable numbers": lambda: _frame(pd.array(_WHOLE[:, 0], dtype="Int64")),
    "pandas, names that are numbers": lambda: pd.DataFrame(_ODD),
    "pandas, text": lambda: _frame(_text()),
    "pandas, categories": lambda: _frame(pd.Categorical(_text())),
    "pandas, true and false": lambda: _frame(np.arange(len(_ODD)) == ROW),
    "pandas, dates": lambda: _frame(_days()),
    "pandas, dates with a time zone": lambda: _frame(_days().tz_localize("Europe/Vienna")),
    "pandas, durations": lambda: _frame(pd.to_timedelta(_WHOLE[:, 0], unit="h")),
    "polars DataFrame": _polars,
    "missing values": _with_missing,
    "one column": lambda: _ODD[:, :1],
    "a constant column": lambda: np.c_[_ODD, np.ones(len(_ODD))],
    "a column twice": lambda: np.c_[_ODD, _ODD[:, 0]],
    "infinite values": _infinite,
    "complex numbers": lambda: _ODD.astype(complex),
    "one dimension": lambda: _ODD[:, 0],
    "three dimensions": lambda: _ODD[None],
    "no rows": lambda: _ODD[:0],
    "no columns": lambda: _ODD[:, :0],
    "sparse matrix": _sparse,
    "array of text": lambda: np.c_[_ODD, _text()].astype(str),
    "pandas, numbers beside text": lambda: _frame([1, "two"] * 20),
    "pandas, lists in cells": lambda: _frame([[1]] * 40),
}

REFUSED = {
    *("infinite values", "complex numbers", "one dimension", "three dimensions", "no rows"),
    *("no columns", "sparse matrix", "array of text", "pandas, numbers beside text"),
    "pandas, lists in cells",
}


@cache
def outcome(name: str) -> tuple[bool, str]:
    """Whether the table is explained, and in words what the odd row stands out in."""
    X = TABLES[name]()
    scores = np.arange(X.shape[0] if hasattr(X, "shape") else len(X)) == ROW
    try:
        explainer = AspectExplainer.from_scores(scores, SGBeam(max_dim=2), 1).fit(X)
    except InvalidInputError as error:
        return False, str(error)
    [query] = explainer.explain()
    best = query.aspects[0]
    column = explainer.table_.columns[best.subspace[0]]
    value = column.text(explainer.table_.values[query.row, best.subspace[0]])
    return True, f"{column.kind} `{column.name}`: row {query.row} stands out with {value}"
