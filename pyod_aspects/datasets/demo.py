"""Diamonds with real errors: the demo table.

The errors need no expert. Each is a row whose columns contradict each other, and the rules in
`_contradictions` find them by arithmetic. A round stone is as long as it is wide, its depth is
its height in percent of its width, and its weight follows from its size.
"""

from __future__ import annotations

import csv
import gzip
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._util.types import AnyArray, IntArray

if TYPE_CHECKING:
    import pandas as pd

_FILE = Path(__file__).with_name("diamonds.csv.gz")

_TYPES: dict[str, type] = {
    "carat": float,
    "cut": str,
    "color": str,
    "clarity": str,
    "depth": float,
    "table": float,
    "price": int,
    "x": float,
    "y": float,
    "z": float,
}

_CARAT_PER_CUBIC_MM = 0.0061
"""Weight of a round brilliant by length, width and height: the jewellers' estimate."""


@dataclass(frozen=True, eq=False, repr=False)
class Demo:
    """A real table with numbers and text, and with errors that anyone can check.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        The table: numbers and text, so the array holds objects. `frame` has a type for each
        column.
    y : ndarray of shape (n_rows,)
        1 for a row whose columns contradict each other, 0 otherwise. Only to check the answers.
    feature_names : tuple of str
        The names of the columns.
    rows : ndarray of shape (n_rows,)
        The place of each row in the whole table of 53,940 diamonds, from 0.
    errors : dict of int to str
        The contradiction in each row with `y` = 1, by its place in the whole table.

    See Also
    --------
    load_demo : Load it.
    """

    X: AnyArray
    y: IntArray
    feature_names: tuple[str, ...]
    rows: IntArray
    errors: dict[int, str]

    @property
    def frame(self) -> pd.DataFrame:
        """The table as a pandas DataFrame, a new copy each time; `rows` are its index."""
        import pandas as pd

        columns = dict(zip(self.feature_names, self.X.T.tolist(), strict=True))
        frame: pd.DataFrame = pd.DataFrame(columns, index=self.rows.copy())
        return frame

    def __repr__(self) -> str:
        n_rows, n_features = self.X.shape
        return f"Demo: {n_rows} rows, {n_features} named columns, {int(self.y.sum())} known errors"


def load_demo() -> Demo:
    """Load 5,000 diamonds, of which 66 have columns that contradict each other.

    Returns
    -------
    Demo
        `X` of 5,000 rows and 10 columns, `y` (1 = error), `feature_names`, `rows`, `errors`,
        and `frame`.

    Notes
    -----
    The columns are carat (weight), price (in dollars), and the grades cut, color and clarity. Depth
    and table are in percent of the width, and x, y and z are length, width and height in mm.
    All diamonds are round.

    A row is an error if one of these holds:

    - x, y or z is 0;
    - x and y differ by more than 10 %;
    - depth differs by more than 3 from 100 z / ((x + y) / 2), its definition;
    - carat differs by more than 40 % from 0.0061 x y z, the usual estimate for a round stone;
    - table is above 90 %.

    So row 2274 has y = 4.24 beside x = 6.79. Row 24067 has y = 58.9 because its depth is 58.9, and
    row 14635 has z = 1.07 because it weighs 1.07 carat. The demo has all 66 errors of the whole
    table and 4,934 of its 53,874 other rows, drawn at random. So errors are ten times as frequent
    as in the whole table. Rows keep their order and their numbers.

    The table is part of ggplot2 (MIT licence). The file README.md beside this module holds the
    licence and the lines that drew the sample.

    Examples
    --------
    >>> from pyod_aspects.datasets import load_demo
    >>> demo = load_demo()
    >>> demo
    Demo: 5000 rows, 10 named columns, 66 known errors
    >>> demo.feature_names[:4]
    ('carat', 'cut', 'color', 'clarity')
    >>> demo.errors[41019]
    'carat is 0.25, but x, y and z give 0.54'
    """
    with gzip.open(_FILE, "rt", encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(StringIO(file.read()))
    names = tuple(header[1:])
    types = [_TYPES[name] for name in names]
    X = np.empty((len(lines), len(names)), dtype=object)
    for i, line in enumerate(lines):
        X[i] = [convert(text) for convert, text in zip(types, line[1:], strict=True)]
    rows = np.array([int(line[0]) for line in lines], dtype=np.int64)
    found = [_contradictions(**dict(zip(names, values, strict=True))) for values in X]
    return Demo(
        X=X,
        y=np.array([bool(reasons) for reasons in found], dtype=np.int64),
        feature_names=names,
        rows=rows,
        errors={
            row: "; ".join(reasons)
            for row, reasons in zip(rows.tolist(), found, strict=True)
            if reasons
        },
    )


def _contradictions(
    carat: float, depth: float, table: float, x: float, y: float, z: float, **_: Any
) -> list[str]:
    """List the contradictions of one diamond."""
    zeros = [name for name, size in (("x", x), ("y", y), ("z", z)) if size == 0]
    if zeros:
        *others, last = zeros
        return [f"{', '.join(others)} and {last} are 0" if others else f"{last} is 0"]
    found = []
    if not 0.9 <= x / y <= 1.1:
        found.append(f"x is {x:g}, y is {y:g}")
    measured = 100 * z / ((x + y) / 2)
    if abs(measured - depth) > 3:
        found.append(f"depth is {depth:g}, but x, y and z give {measured:.1f}")
    weight = _CARAT_PER_CUBIC_MM * x * y * z
    if not 0.6 <= carat / weight <= 1.4:
        found.append(f"carat is {carat:g}, but x, y and z give {weight:.2f}")
    if table > 90:
        found.append(f"table is {table:g}")
    return found
