"""A first look at a table in parts: its columns, its rows, and what can be told of their values.

`survey` looks at every part once: at kinds, labels and time zones of columns, and at the values of
numbers and times. Columns that float64 would round take one pass more, in which each part tells up
to 1,024 distinct values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isinf
from typing import Any

from .._util.parallel import count_on
from .._util.types import Tick
from ..binning.facts import AskOverview, Overview
from ..tables import read_table
from ..tables.column import Column
from ..tables.parts import TableFacts, add_values, plain_values, read_part, some_values
from .parts import Parts

LOOKING = "looking over columns"
"""What these passes do."""


@dataclass(frozen=True)
class Survey:
    """What a first look at the parts of a table tells.

    Attributes
    ----------
    columns : tuple of Column
        Those of `read_table` for the whole table.
    sizes : tuple of int
        Number of rows of each part.
    overviews : mapping of int to Overview
        Of the values of columns, by number; for `cut_columns`. Categories and columns with an
        offset have none.
    """

    columns: tuple[Column, ...]
    sizes: tuple[int, ...]
    overviews: Mapping[int, Overview] = field(repr=False)

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""
        return sum(self.sizes)


def survey(parts: Parts, what: str = "X", tick: Tick | None = None) -> Survey:
    """Look over a table in parts.

    Parameters
    ----------
    parts : Parts
        pandas DataFrames.
    what : str
        What to call the table in messages.
    tick : callable, optional
        Gets the number of parts looked at, in all passes.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyod_aspects.engines.parts import ListParts
    >>> parts = ListParts([pd.DataFrame({"a": ["red"]}), pd.DataFrame({"a": ["blue", None]})])
    >>> seen = survey(parts)
    >>> seen.columns[0].labels, seen.sizes
    (('blue', 'red'), (1, 2))
    >>> [values.tolist() for values in read_values(parts, seen.columns).each(abs)]
    [[[1.0]], [[0.0], [nan]]]
    """
    facts, overviews = parts.total(_look, what, combine=_add, tick=tick, what=LOOKING)
    needed = facts.need_offsets()
    some = {}
    if needed:
        again = count_on(tick, len(parts))
        some = parts.total(some_values, needed, what, combine=add_values, tick=again, what=LOOKING)
    columns = facts.columns_given(some, what)
    final = {a: o for a, o in overviews.items() if columns[a].offset == 0.0}
    return Survey(columns, facts.sizes, final)


_Seen = tuple[TableFacts, dict[int, Overview]]


def _look(frame: Any, what: str) -> _Seen:
    facts, overviews = TableFacts.of(frame, what), {}
    for a, values in plain_values(frame, facts, what):
        overviews[a] = overview = AskOverview().answer(values, 0)
        if overview.size and (isinf(overview.first) or isinf(overview.last)):
            read_table(frame, what)  # refuses it, and says where
    return facts, overviews


def _add(one: _Seen, two: _Seen) -> _Seen:
    # A column of which a part has only gaps may hold text in another.
    both = one[1].keys() & two[1].keys()
    return one[0] + two[0], {a: one[1][a] + two[1][a] for a in sorted(both)}


def read_values(parts: Parts, columns: Sequence[Column], what: str = "X") -> Parts:
    """Return the parts as values: arrays of shape (n_rows, n_features), read when asked for."""
    return parts.map(read_part, tuple(columns), what)
