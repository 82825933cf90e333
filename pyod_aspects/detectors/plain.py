"""Plain scores: whatever gave them, they say which rows are anomalous."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._types import FloatArray
from ..exceptions import DetectorError
from .base import Adapter


class PlainScores(Adapter):
    """Scores in the place of a detector, as `AspectExplainer.from_scores` takes them.

    Examples
    --------
    >>> PlainScores([0.1, 0.9, 0.3], threshold=0.5)
    PlainScores(3 rows, threshold=0.5)
    """

    def __init__(
        self, scores: Any, threshold: float | None = None, name: str = "your model"
    ) -> None:
        self.name = name
        raw = np.asarray(scores)
        if raw.ndim != 1 and raw.shape[1:] != (1,):
            raise DetectorError(
                f"scores have shape {raw.shape}: expected one number for each row, "
                "higher for more anomalous ones."
            )
        self.scores = self.as_scores(raw)
        if threshold is not None and not np.isfinite(float(threshold)):
            raise DetectorError(f"threshold={threshold!r}: expected a number, or None.")
        self.limit = None if threshold is None else float(threshold)

    def __repr__(self) -> str:
        limit = "" if self.limit is None else f", threshold={self.limit:g}"
        return f"PlainScores({len(self.scores)} rows{limit})"

    def training_scores(self, X: Any, n_rows: int, n_features: int) -> FloatArray:
        """Scores as they were given."""
        if len(self.scores) != n_rows:
            raise DetectorError(
                f"there are {len(self.scores)} scores, and X has {n_rows} rows: "
                "pass one score for each row."
            )
        return self.scores

    def new_scores(self, X: Any, n_rows: int) -> FloatArray:
        """Refuse: there is nothing to score new rows with."""
        raise DetectorError(
            "new rows cannot be scored, as there are plain scores and no detector: explain rows "
            "of the fitted X, or give AspectExplainer the detector."
        )

    def threshold(self) -> float | None:
        """As it was given."""
        return self.limit
