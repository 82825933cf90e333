"""What an explanation was made from: the table, the scores, the density."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._util.types import FloatArray
    from ..density import Density
    from ..tables import Table


@dataclass(frozen=True, eq=False, repr=False)
class Background:
    """What an explanation was made from; pictures are drawn on it.

    Attributes
    ----------
    reference : Table
        The rows that the explained ones are compared with.
    explained : Table
        The table whose rows are explained, the same one unless they were new.
    scores : ndarray of shape (n_rows,)
        The detector's scores of the reference rows.
    threshold : float or None
        Score above which the detector calls a row an anomaly.
    density : Density
        The miner's, fitted on the reference.
    explainer : AspectExplainer
        The one that made the explanation, as it was then.
    explained_scores : ndarray of shape (n_explained_rows,)
        The detector's scores of the explained table.
    """

    reference: Table
    explained: Table
    scores: FloatArray
    threshold: float | None
    density: Density
    explainer: Any
    explained_scores: FloatArray
