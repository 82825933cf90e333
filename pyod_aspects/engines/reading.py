"""Survey a table in parts: columns, rows of each part, and overviews of the values.

`survey` reads every part once. It finds the kinds, labels and time zones of columns, and an
overview of numbers and times. Columns that float64 would round take a second pass, in which each
part returns a sample of their distinct values.
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
"""Name of these passes, for the log and for progress."""


@dataclass(frozen=True)
class Survey:
    """Columns, sizes and overviews of a table in parts.

    Attributes
    ----------
    columns : tuple of Column
        The columns that `read_table` gives for the whole table.
    sizes : tuple of int
        Number of rows in each part.
    overviews : mapping of int to Overview
        Overviews of columns by number, for `cut_columns`. Categories and columns with an offset
        have none.
    """

    columns: tuple[Column, ...]
    sizes: tuple[int, ...]
    overviews: Mapping[int, Overview] = field(repr=False)

    @property
    def n_rows(self) -> int:
        """Number of rows in the table."""
        return sum(self.sizes)


def survey(parts: Parts, what: str = "X", tick: Tick | None = None) -> Survey:
    """Survey a table in parts.

    Parameters
    ----------
    parts : Parts
        pandas DataFrames.
    what : str
        Name of the table in messages.
    tick : callable, optional
        Gets the number of parts read, summed over the passes.

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
            read_table(frame, what)  # raises an error that names the place
    return facts, overviews


def _add(one: _Seen, two: _Seen) -> _Seen:
    # A column may be all missing in one part (so numeric there) and text in another.
    both = one[1].keys() & two[1].keys()
    return one[0] + two[0], {a: one[1][a] + two[1][a] for a in sorted(both)}


def read_values(parts: Parts, columns: Sequence[Column], what: str = "X") -> Parts:
    """Return the parts as arrays of shape (n_rows, n_features); every pass reads them anew."""
    return parts.map(read_part, tuple(columns), what)
