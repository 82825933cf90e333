"""The columns of a table in parts, and its parts as values.

`read_columns` looks at every part once: at kinds, labels and time zones, at the range of whole
numbers of 64 bits and of times. Floats need no look at their values. Columns of numbers or times
that float64 would round take one pass more, in which each part tells up to 1,024 distinct values.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._util.parallel import count_on
from .._util.types import Tick
from ..tables.column import Column
from ..tables.parts import TableFacts, add_values, read_part, some_values
from .parts import Parts


def read_columns(
    parts: Parts, what: str = "X", tick: Tick | None = None
) -> tuple[tuple[Column, ...], int]:
    """Return the columns of a table in parts, those of `read_table`, and its number of rows.

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
    >>> columns, n_rows = read_columns(parts)
    >>> columns[0].labels, n_rows
    (('blue', 'red'), 3)
    >>> [values.tolist() for values in read_values(parts, columns).each(abs)]
    [[[1.0]], [[0.0], [nan]]]
    """
    facts = parts.total(TableFacts.of, what, tick=tick)
    needed = facts.need_offsets()
    some = {}
    if needed:
        again = count_on(tick, len(parts))
        some = parts.total(some_values, needed, what, combine=add_values, tick=again)
    return facts.columns_given(some, what), facts.n_rows


def read_values(parts: Parts, columns: Sequence[Column], what: str = "X") -> Parts:
    """Return the parts as values: arrays of shape (n_rows, n_features), read when asked for."""
    return parts.map(read_part, tuple(columns), what)
