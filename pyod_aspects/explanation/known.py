"""Known labels of rows, shown beside the explanation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..exceptions import InvalidInputError
from .settings import FrozenMapping, set_fields

if TYPE_CHECKING:
    from .values import Explanation

MISSING = "missing"
"""Label of a row whose label is missing."""


@dataclass(frozen=True)
class Known:
    """A column of known labels.

    Attributes
    ----------
    name : str
        Name of the column.
    counts : mapping of str to int
        For each label of an explained row, the number of rows of the table with it.
    n_rows : int
        Number of rows of the table.
    """

    name: str
    counts: Mapping[str, int]
    n_rows: int

    def __post_init__(self) -> None:
        set_fields(
            self,
            name=str(self.name),
            counts=FrozenMapping({label: int(n) for label, n in self.counts.items()}),
            n_rows=int(self.n_rows),
        )


def with_known(explanation: Explanation, labels: Any, name: str | None = None) -> Explanation:
    """Return the explanation with known labels; see `Explanation.with_known`."""
    import pandas as pd

    column = labels if isinstance(labels, pd.Series) else pd.Series(list(labels), dtype=object)
    background = explanation.background
    expected = None if background is None else background.table.n_rows
    beyond = max((query.row for query in explanation), default=-1) >= len(column)
    if beyond or (expected is not None and len(column) != expected):
        rows = "one for each row" if expected is None else f"one for each of {expected:,} rows"
        raise InvalidInputError(f"with_known got {len(column):,} labels: expected {rows}.")
    texts = column.astype(object).where(column.notna(), MISSING).map(str)
    queries = tuple(replace(query, known=texts.iloc[query.row]) for query in explanation)
    counts = texts.value_counts()
    here = sorted({query.known for query in queries if query.known is not None})
    title = name or ("label" if column.name is None else str(column.name))
    known = Known(title, {label: counts[label] for label in here}, len(texts))
    return replace(explanation, queries=queries, known=known)
