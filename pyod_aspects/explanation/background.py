"""The sources of an explanation: the table, the scores, the density."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .._util.types import FloatArray, IntArray
    from ..density import Density
    from ..engines.table import TableInParts
    from ..tables import Table


@dataclass(frozen=True, eq=False, repr=False)
class Background:
    """Sources of an explanation, which its pictures need.

    Attributes
    ----------
    reference : Table
        The rows that the explainer compares with.
    explained : Table
        The table of the explained rows: the same one, or a new one.
    scores : ndarray of shape (n_rows,)
        The detector's scores of the reference rows.
    threshold : float or None
        Score above which the detector calls a row an anomaly.
    density : Density
        The miner's density, fitted on the reference.
    explainer : AspectExplainer
        The explainer of the explanation, as it was then.
    explained_scores : ndarray of shape (n_explained_rows,)
        The detector's scores of the explained table.
    whole : TableInParts or None
        The table, if it is in parts. `reference` is then a sample of its rows, with all explained
        ones.
    rows : ndarray of int or None
        The numbers of the sampled rows, sorted.
    """

    reference: Table
    explained: Table
    scores: FloatArray
    threshold: float | None
    density: Density
    explainer: Any
    explained_scores: FloatArray
    whole: TableInParts | None = None
    rows: IntArray | None = None

    @property
    def fitted(self) -> Table | TableInParts:
        """All rows that the explainer compares with."""
        return self.reference if self.whole is None else self.whole

    @property
    def table(self) -> Table | TableInParts:
        """The whole table of the explained rows."""
        in_parts = self.whole is not None and self.explained is self.reference
        return self.fitted if in_parts else self.explained

    def place(self, row: int) -> int:
        """Return the position in `explained` of the explained row with this number."""
        if self.rows is None or self.explained is not self.reference:
            return row
        return int(np.searchsorted(self.rows, row))


def threshold_of(background: Background) -> float | None:
    """Return the detector's threshold, with 0 for a rounding error such as 6.7e-18."""
    limit = background.threshold
    if limit is None or abs(limit) > 1e-9 * float(np.abs(background.scores).max()):
        return limit
    return 0.0
