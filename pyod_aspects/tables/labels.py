"""Labels of rows: the index of a DataFrame, turned into text only on demand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from .._util.types import IntArray

MISSING = "(missing)"
"""Text of a label that is NaN, None or NaT."""


@dataclass(frozen=True, eq=False)
class RowLabels:
    """Labels of the rows of a table; several rows may share one.

    Attributes
    ----------
    index : pandas.Index
        The index as it came, so that a million labels cost nothing until somebody reads them.

    Examples
    --------
    >>> import pandas as pd
    >>> labels = RowLabels(pd.MultiIndex.from_product([["DE", "FR"], [2023, 2024]]))
    >>> labels.text(1)
    'DE, 2024'
    >>> labels.positions(["FR, 2023", "IT, 2023"])
    {'FR, 2023': [2], 'IT, 2023': []}
    """

    index: Any

    @classmethod
    def of(cls, index: Any) -> RowLabels | None:
        """Take the index of a DataFrame; None if it merely counts the rows from 0."""
        import pandas as pd

        counts = isinstance(index, pd.RangeIndex) and index.name is None
        return None if counts and index.start == 0 and index.step == 1 else cls(index)

    def __len__(self) -> int:
        return len(self.index)

    def text(self, row: int) -> str:
        """Return the label of one row as text."""
        return label_text(self.index[row])

    def take(self, rows: IntArray) -> RowLabels:
        """Return the labels of the rows at these positions."""
        return RowLabels(self.index[rows])

    def positions(self, texts: Collection[str]) -> dict[str, list[int]]:
        """Return the positions of all rows with these labels, in one pass over the labels."""
        found: dict[str, list[int]] = {text: [] for text in texts}
        for row, label in enumerate(self.index):
            text = label_text(label)
            if text in found:
                found[text].append(row)
        return found


def label_text(label: Any) -> str:
    """Text of a label; a time reads as in columns, but keeps all its digits.

    >>> label_text("TX20451"), label_text(17), label_text(("DE", dt.date(2024, 5, 1)))
    ('TX20451', '17', 'DE, 2024-05-01')
    >>> label_text(dt.datetime(2024, 5, 1, 12, 30)), label_text(float("nan"))
    ('2024-05-01 12:30', '(missing)')
    """
    if isinstance(label, str):
        return str(label)  # plain str, even from a subclass
    if isinstance(label, tuple):
        return ", ".join(map(label_text, label))
    import pandas as pd

    if pd.api.types.is_scalar(label) and pd.isna(label):
        return MISSING
    if isinstance(label, dt.datetime):  # pandas' Timestamp too
        return _time_text(label)
    return str(label)


def _time_text(time: dt.datetime) -> str:
    """A day, and a time of day unless it is midnight; in UTC if it has a time zone."""
    zone = ""
    if time.tzinfo is not None:
        time, zone = time.astimezone(dt.timezone.utc).replace(tzinfo=None), " UTC"
    day, _, clock = time.isoformat().partition("T")
    if clock == "00:00:00":
        return day + zone
    return f"{day} {clock.removesuffix(':00')}{zone}"
