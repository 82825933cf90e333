"""Read tables of any accepted kind: values as float64, descriptions of columns, row labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._util.types import AnyArray, FloatArray, IntArray, Mask
from ..exceptions import InvalidInputError, QueryError
from .clock import zone_of
from .column import Column, like_column, read_column, read_pandas_column
from .form import TableForm
from .labels import RowLabels
from .offsets import beyond_float64

__all__ = ["Column", "Table", "read_table", "refuse_infinities"]


Rows = int | str | Iterable[int | str]
"""Rows of a table: positions from 0, or labels as text."""


@dataclass(frozen=True, eq=False)
class Table:
    """Values as numbers, and the meaning of each column.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_features)
        Values minus the `offset` of the column; NaN where a value is missing.
    columns : tuple of Column
    named : bool
        Whether the user named the columns; an array has the names x0, x1 and so on.
    row_labels : RowLabels or None
        The index of a pandas DataFrame, unless it merely counts the rows from 0.
    form : TableForm or None
        The form of the user's table, if `with_form` kept it.
    """

    values: FloatArray
    columns: tuple[Column, ...]
    named: bool
    row_labels: RowLabels | None = None
    form: TableForm | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        n_labels = len(self.values) if self.row_labels is None else len(self.row_labels)
        if n_labels != len(self.values):
            raise InvalidInputError(
                f"the table has {len(self.values)} rows and {n_labels} row labels: expected one "
                "label for each row; Table.take chooses rows with their labels."
            )

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.values)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def only_numbers(self) -> bool:
        """Whether every column holds numbers: neither times nor categories."""
        return all(column.kind == "number" for column in self.columns)

    def label(self, row: int) -> str | None:
        """Return the label of a row as text; None if the rows have no labels."""
        return None if self.row_labels is None else self.row_labels.text(row)

    def positions(self, rows: Rows) -> list[Any]:
        """Return the positions of rows, given as labels or positions."""
        labels = self.row_labels
        find = None if labels is None else labels.positions
        return find_positions(rows, self.n_rows, find, self.label)

    def take(self, rows: IntArray) -> Table:
        """Return the rows at these positions, with their labels."""
        labels = None if self.row_labels is None else self.row_labels.take(rows)
        return replace(self, values=self.values[rows], row_labels=labels)

    def in_units(self) -> FloatArray:
        """Values in the user's units: with the offsets added, and rounded to float64."""
        offsets = np.array([column.offset for column in self.columns])
        return self.values + offsets if offsets.any() else self.values

    def with_form(self, X: Any) -> Table:
        """Keep the form of X, the source of this table, for `restore`."""
        if isinstance(X, Table):
            return replace(self, form=X.form)
        raw = X if hasattr(X, "columns") else _as_array(X, "X")
        offsets = [column.offset for column in self.columns]
        return replace(self, form=TableForm.of(raw, self.values, offsets))

    def restore(
        self, values: FloatArray, lent: Mask | None = None, lender: Table | None = None
    ) -> Any:
        """Return rows in the form of the user's table, given their values here.

        Parameters
        ----------
        values : ndarray of shape (n_rows, n_features)
            Values of rows of this table; a row may combine values of several.
        lent : ndarray of bool of shape (n_rows, n_features), optional
            Which values come from another table.
        lender : Table, optional
            That table, read like this one.

        Returns
        -------
        array or DataFrame
            A table without a form gives a `Table`.

        Examples
        --------
        >>> import pandas as pd
        >>> X = pd.DataFrame({"size": [1, 2], "sold": pd.to_datetime(["2024-05-01", None])})
        >>> table = read_table(X).with_form(X)
        >>> table.restore(table.values).equals(X)
        True
        """
        if self.form is None:
            return Table(values, self.columns, self.named)
        return self.form.restore(values, lent, None if lender is None else lender.form)


def find_positions(
    rows: Rows,
    n_rows: int,
    find: Callable[[list[str]], dict[str, list[int]]] | None,
    label: Callable[[int], str | None],
) -> list[Any]:
    """Return the positions of rows, given as labels or positions. A label must name one row.

    `find` gives the positions of all rows with these labels; it is None for rows without labels.
    `label` gives the label of a row.
    """
    chosen = list(rows) if isinstance(rows, Iterable) and not isinstance(rows, str) else [rows]
    texts = [row for row in chosen if isinstance(row, str)]
    if not texts:
        return chosen
    if find is None:
        raise QueryError(
            f"rows has the label {texts[0]!r}, but the rows have no labels: pass positions, "
            f"0 to {n_rows - 1}, or a DataFrame with the labels as its index."
        )
    found = find(texts)
    for text, places in found.items():
        if not places:
            raise QueryError(f"rows: no row has the label {text!r}; that of row 0 is {label(0)!r}.")
        if len(places) > 1:
            some = ", ".join(map(str, places[:10])) + ", ..." * (len(places) > 10)
            raise QueryError(
                f"rows: {len(places)} rows have the label {text!r}: pass a position ({some})."
            )
    return [found[row][0] if isinstance(row, str) else row for row in chosen]


def sample_rows(n_rows: int, size: int) -> IntArray:
    """Numbers of a random sample of rows, sorted: always the same ones."""
    return np.sort(np.random.default_rng(0).choice(n_rows, size, replace=False))


def read_table(
    X: Any,
    what: str = "X",
    like: Sequence[Column] | None = None,
    named: bool = False,
    offsets: Sequence[float] | float | None = None,
) -> Table:
    """Read a table of any accepted kind, without a copy of the values where possible.

    Parameters
    ----------
    X : Table, array-like, pandas or polars DataFrame
    what : str
        Name of the table in messages.
    like : sequence of Column, optional
        Columns of another table: categories get its codes, numbers and times its offsets.
    named : bool
        Whether the user named the columns of that table; then names must agree.
    offsets : sequence of float or float, optional
        Offsets of the columns, or one for all. Default: those of `like`, else chosen for columns
        that need one.

    Examples
    --------
    >>> import pandas as pd
    >>> table = read_table(pd.DataFrame({"size": [1.5, None], "colour": ["red", "blue"]}))
    >>> table.values.tolist()
    [[1.5, 1.0], [nan, 0.0]]
    >>> table.columns[1].labels
    ('blue', 'red')
    """
    if like is not None and offsets is None:
        offsets = [column.offset for column in like]
    table = X if isinstance(X, Table) else _read(X, what, offsets)
    if like is None:
        return table
    if len(table.columns) != len(like):
        raise InvalidInputError(
            f"{what} have {len(table.columns)} columns, but the table that was fitted has "
            f"{len(like)}: pass the same columns."
        )
    if table.columns == tuple(like):
        return table
    if named and table.named:
        _refuse_other_names(table.names, [column.name for column in like], what)
    pairs = [
        like_column(table.values[:, i], column, known, what)
        for i, (column, known) in enumerate(zip(table.columns, like, strict=True))
    ]
    values = table.values
    same = all(c.offset == known.offset for c, known in zip(table.columns, like, strict=True))
    if not (table.only_numbers and same):
        values = np.column_stack([its for its, _ in pairs])
    return replace(table, values=values, columns=tuple(column for _, column in pairs))


def _refuse_other_names(names: Sequence[str], known: Sequence[str], what: str) -> None:
    for i, (name, other) in enumerate(zip(names, known, strict=True)):
        if name != other:
            raise InvalidInputError(
                f"column {i} of {what} is {name!r}, the table that was fitted has {other!r} there: "
                "pass the same columns in the same order."
            )


def _read(X: Any, what: str, offsets: Sequence[float] | float | None) -> Table:
    kind = type(X)  # the class, as a column of a DataFrame may have any name
    if hasattr(kind, "toarray"):
        raise InvalidInputError(
            f"{what} is a sparse matrix: pass {what}.toarray() if it fits in memory."
        )
    if hasattr(kind, "collect"):
        raise InvalidInputError(f"{what} is not loaded yet: pass {what}.collect().")
    if hasattr(kind, "column_names") and hasattr(kind, "to_pandas"):
        raise InvalidInputError(
            f"{what} is a {kind.__name__} of {kind.__module__.partition('.')[0]}: pass "
            f"{what}.to_pandas()."
        )
    named = hasattr(X, "columns")
    if named:
        names = frame_names(X)
        values, columns = _read_frame(X, names, what, _given(offsets, len(names)))
    else:
        raw = _as_array(X, what)
        values, columns = _read_array(raw, what, _given(offsets, raw.shape[1]))
    refuse_empty(values.shape, what)
    refuse_infinities(values, columns, named, what)
    labels = RowLabels.of(X.index) if hasattr(kind, "iloc") else None
    return Table(values, columns, named, labels)


def _given(offsets: Sequence[float] | float | None, n_columns: int) -> list[float | None]:
    """Offset of each column; None leaves the choice to the reader."""
    if isinstance(offsets, float):
        return [offsets] * n_columns
    # A later check refuses another number of columns.
    return [None] * n_columns if offsets is None or len(offsets) != n_columns else list(offsets)


def _read_frame(
    X: Any, names: list[str], what: str, offsets: list[float | None]
) -> tuple[FloatArray, tuple[Column, ...]]:
    """Columns of a DataFrame of pandas, or of any library whose columns turn to arrays."""
    pandas = hasattr(X, "iloc")
    if pandas and all(isinstance(t, np.dtype) and t.kind in "iuf" for t in X.dtypes.array):
        values = X.to_numpy(dtype=np.float64)  # all columns at once: a view if possible
        wide = [i for i, t in enumerate(X.dtypes.array) if t.kind in "iu" and t.itemsize == 8]
        large = bool(wide) and beyond_float64(values)  # one quick test of all, mostly enough
        if not any(offsets) and not (large and any(beyond_float64(values[:, i]) for i in wide)):
            return values, tuple(map(Column, names))
    read = []
    for i, name in enumerate(names):
        if pandas:
            read.append(read_pandas_column(X.iloc[:, i], name, what, offsets[i]))
        else:
            series = X[X.columns[i]]
            values, column = read_column(_to_array(series), name, what, offsets[i])
            zone = getattr(series.dtype, "time_zone", None)
            read.append((values, replace(column, zone=zone_of(zone)) if zone else column))
    values = np.column_stack([values for values, _ in read]) if read else np.empty((len(X), 0))
    return values, tuple(column for _, column in read)


def _to_array(series: Any) -> AnyArray:
    """Return a column of polars, or alike, as an array; large whole numbers with gaps as objects.

    `to_numpy` would make float64 of these.
    """
    raw = np.asarray(series.to_numpy())
    whole = getattr(series.dtype, "is_integer", None)
    if raw.dtype == np.float64 and whole is not None and whole() and beyond_float64(raw):
        return np.array(series.to_list(), dtype=object)
    return raw


def _read_array(
    raw: AnyArray, what: str, offsets: list[float | None]
) -> tuple[FloatArray, tuple[Column, ...]]:
    """Columns of an array of two dimensions."""
    names = [f"x{i}" for i in range(raw.shape[1])]
    if raw.dtype.kind in "iuf" and not any(offsets):
        values = raw.astype(np.float64, copy=False)
        if raw.dtype.kind == "f" or raw.dtype.itemsize < 8 or not beyond_float64(values):
            return values, tuple(map(Column, names))
    if raw.dtype.kind == "U" and any(_all_numerals(column) for column in raw.T):
        raise InvalidInputError(
            f"{what} is an array of text in which numbers are text, too: pass a DataFrame, or an "
            "array of dtype object."
        )
    columns = zip(raw.T, names, offsets, strict=True)
    read = [read_column(column, name, what, offset) for column, name, offset in columns]
    values = np.column_stack([its for its, _ in read]) if read else np.empty(raw.shape)
    return values, tuple(column for _, column in read)


def _as_array(X: Any, what: str) -> AnyArray:
    """A table without column names as an array of two dimensions."""
    if isinstance(X, np.ma.MaskedArray):
        values = np.ma.filled(X.astype(np.float64), np.nan)
        if X.dtype.kind in "iu" and beyond_float64(values):
            objects = X.data.astype(object)
            objects[np.ma.getmaskarray(X)] = None
            X = objects
        else:
            X = values
    try:
        raw = np.asarray(X)
        if raw.dtype.kind == "U" and not isinstance(X, np.ndarray):
            raw = np.asarray(X, dtype=object)  # numbers beside text stay numbers
        elif raw.dtype == np.float64 and isinstance(X, (list, tuple)) and beyond_float64(raw):
            raw = np.asarray(X, dtype=object)  # large whole numbers beside others stay whole
    except (TypeError, ValueError) as error:
        raise InvalidInputError(f"{what} could not be read as a table: {error}.") from error
    if raw.ndim != 2:
        hint = f" (for a single column pass {what}.reshape(-1, 1))" if raw.ndim == 1 else ""
        raise InvalidInputError(
            f"{what} has {raw.ndim} dimension{'s' * (raw.ndim != 1)}: expected a table, "
            f"rows by columns{hint}."
        )
    return raw


def _all_numerals(column: AnyArray) -> bool:
    try:
        column.astype(np.float64)
    except ValueError:
        return False
    return True


def frame_names(X: Any) -> list[str]:
    """Names of the columns of a DataFrame, each once."""
    return _distinct([column_name(name, i) for i, name in enumerate(X.columns)])


def column_name(name: object, i: int) -> str:
    """Name of the column at a position as text; a blank name becomes the position.

    >>> column_name("age", 0), column_name(" ", 1), column_name(2024, 2)
    ('age', 'column 1', '2024')
    """
    return text if (text := str(name)).strip() else f"column {i}"


def _distinct(names: list[str]) -> list[str]:
    """Names, with a number after a name that occurs again: "a", "a (2)", "a (3)"."""
    taken = set(names)
    if len(taken) == len(names):
        return names
    seen: set[str] = set()
    result = []
    for name in names:
        new, i = name, 2
        while new in seen or (i > 2 and new in taken):
            new, i = f"{name} ({i})", i + 1
        seen.add(new)
        result.append(new)
    return result


def refuse_empty(shape: tuple[int, ...], what: str) -> None:
    """Refuse a table without rows or without columns."""
    if 0 in shape:
        empty = "row(s)" if shape[0] == 0 else "feature(s)"
        raise InvalidInputError(
            f"{what} has 0 {empty} (shape={shape}) while a minimum of 1 is required."
        )


def refuse_infinities(
    values: FloatArray, columns: tuple[Column, ...], named: bool, what: str
) -> None:
    """Refuse a table with an infinite value, and say where the first one is."""
    # A finite sum means finite values: the usual case needs no array of truth values.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):
            return
    bad = np.argwhere(np.isinf(values))
    if bad.size:
        row, i = bad[0]
        name = repr(columns[i].name) if named else str(i)
        raise InvalidInputError(
            f"{what} has an infinite value in row {row}, column {name} ({len(bad)} such in all): "
            "replace or drop them first."
        )
