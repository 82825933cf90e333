"""Turn columns of any kind into numbers for a detector."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from .._util.types import AnyArray, FloatArray

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Self

_NAME_OF_ROWS = re.compile(
    r"(.*[\W_])?(id|ids|index|nr|no|number|key|uuid|guid|row)|Unnamed: \d+(\.\d+)*", re.IGNORECASE
)


def kind_of(column: pd.Series) -> str:
    """Return the kind of a column: "number", "truth", "time", "duration" or "category".

    >>> import pandas as pd
    >>> kind_of(pd.Series([1.5, None])), kind_of(pd.Series(["red", "blue"]))
    ('number', 'category')
    """
    from pandas.api import types

    if types.is_bool_dtype(column.dtype):
        return "truth"
    if types.is_numeric_dtype(column.dtype):
        return "number"
    if types.is_datetime64_any_dtype(column.dtype):
        return "time"
    if types.is_timedelta64_dtype(column.dtype):
        return "duration"
    return "category"


NAMES_ROWS = "names rows"
"""Reason to drop a column with a different value in every row."""


def silent_columns(frame: pd.DataFrame) -> dict[str, str]:
    """Columns that cannot tell one row from another, each with the reason.

    A silent column is constant, or it names rows. Text names rows if it differs in every row.
    Whole numbers that differ in every row also need a name such as "id".

    >>> import pandas as pd
    >>> silent_columns(pd.DataFrame({"id": [7, 8], "unit": ["mm", "mm"], "x": [1.5, 2.5]}))
    {'id': 'names rows', 'unit': 'constant'}
    """
    silent: dict[str, str] = {}
    if len(frame) < 2:
        return silent
    for i, name in enumerate(frame.columns):
        column = frame.iloc[:, i]
        distinct = column.nunique(dropna=False)
        if distinct == 1:
            silent[name] = "constant"
        elif distinct == len(frame) and _names_rows(str(name), column):
            silent[name] = NAMES_ROWS
    return silent


def _names_rows(name: str, column: pd.Series) -> bool:
    """Whether a column names rows, given that all its values differ."""
    from pandas.api import types

    if types.is_integer_dtype(column.dtype):
        return _NAME_OF_ROWS.fullmatch(name) is not None
    return kind_of(column) == "category"


class Labels(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Categories of any dtype as text, and gaps as None, for an encoder.

    Examples
    --------
    >>> import pandas as pd
    >>> Labels().fit_transform(pd.DataFrame({"colour": ["red", None]})).tolist()
    [['red'], [None]]
    """

    def fit(self, X: Any, y: object = None) -> Self:
        """Remember the names of the columns.

        Parameters
        ----------
        X : DataFrame
        y : ignored
        """
        self.feature_names_in_ = np.array([str(name) for name in X.columns], dtype=object)
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X: Any) -> AnyArray:
        """Return the columns as text.

        Parameters
        ----------
        X : DataFrame
        """
        texts = np.empty(X.shape, dtype=object)
        for i in range(X.shape[1]):
            column = X.iloc[:, i]
            texts[:, i] = column.astype(object).map(str).to_numpy(dtype=object)
            texts[column.isna().to_numpy(), i] = None
        return texts

    def get_feature_names_out(self, input_features: Any = None) -> AnyArray:
        """Return the names of the columns.

        Parameters
        ----------
        input_features : ignored
        """
        return self.feature_names_in_


def _hour(times: pd.Series) -> Any:
    return times.dt.hour + times.dt.minute / 60.0


def _weekday(times: pd.Series) -> Any:
    return times.dt.day_of_week


_PARTS = {"hour": _hour, "weekday": _weekday}


class TimeParts(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Times as days since the first one, and their hour and weekday where these vary.

    Durations become days only. A gap stays a gap.

    Attributes
    ----------
    origin_ : list
        The first time of each column, None for a duration.
    parts_ : list of tuples
        Column number and name of each part.

    Examples
    --------
    >>> import pandas as pd
    >>> sold = pd.to_datetime(["2024-03-01 06:00", "2024-03-02 18:30"])
    >>> parts = TimeParts().fit(pd.DataFrame({"sold": sold}))
    >>> parts.get_feature_names_out().tolist()
    ['sold', 'sold hour', 'sold weekday']
    >>> parts.transform(pd.DataFrame({"sold": sold})).tolist()
    [[0.0, 6.0, 4.0], [1.5208333333333333, 18.5, 5.0]]
    """

    def fit(self, X: Any, y: object = None) -> Self:
        """Find the first time of each column, and the parts that vary.

        Parameters
        ----------
        X : DataFrame
            Columns of times and durations.
        y : ignored
        """
        self.feature_names_in_ = np.array([str(name) for name in X.columns], dtype=object)
        self.n_features_in_ = X.shape[1]
        self.origin_, self.parts_ = [], []
        for i in range(X.shape[1]):
            column = X.iloc[:, i]
            timed = kind_of(column) == "time"
            self.origin_.append(column.min() if timed else None)
            self.parts_.append((i, "days"))
            if timed:
                varying = [name for name, part in _PARTS.items() if part(column).nunique() > 1]
                self.parts_ += [(i, name) for name in varying]
        return self

    def transform(self, X: Any) -> FloatArray:
        """Return the parts, one column each.

        Parameters
        ----------
        X : DataFrame
        """
        import pandas as pd

        day = pd.Timedelta(days=1)
        found = []
        for i, name in self.parts_:
            column, origin = X.iloc[:, i], self.origin_[i]
            if name != "days":
                values = _PARTS[name](column)
            else:
                values = (column if origin is None else column - origin) / day
            found.append(np.asarray(values, dtype=np.float64))
        return np.column_stack(found)

    def get_feature_names_out(self, input_features: Any = None) -> AnyArray:
        """Return the names of the parts: "sold", "sold hour".

        Parameters
        ----------
        input_features : ignored
        """
        names = self.feature_names_in_
        return np.array(
            [names[i] if part == "days" else f"{names[i]} {part}" for i, part in self.parts_],
            dtype=object,
        )
