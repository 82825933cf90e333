"""Plain scores of any source: they say which rows are anomalous."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from .._util.types import FloatArray
from ..engines.table import TableInParts
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
        # A Series of pandas has labels: a score belongs to the row with the same label.
        self.index = scores.index if hasattr(type(scores), "iloc") else None
        try:
            raw = np.asanyarray(scores)
        except (TypeError, ValueError) as error:
            raise DetectorError(
                f"scores cannot be read as an array: expected one number for each row ({error})."
            ) from error
        if raw.ndim != 1 and raw.shape[1:] != (1,):
            raise DetectorError(
                f"scores have shape {raw.shape}: expected one number for each row, "
                "higher for more anomalous ones; pass one column of them."
            )
        self.scores = self.as_scores(raw)
        self.limit = None if threshold is None else _finite(threshold)

    def __repr__(self) -> str:
        limit = "" if self.limit is None else f", threshold={self.limit:g}"
        return f"PlainScores({len(self.scores)} rows{limit})"

    def training_scores(self, X: Any, n_rows: int, n_features: int) -> FloatArray:
        """Return the scores as given."""
        if len(self.scores) != n_rows:
            raise DetectorError(
                f"there are {len(self.scores)} scores, and X has {n_rows} rows: "
                "pass one score for each row."
            )
        if self.index is not None and hasattr(type(X), "iloc") and not self.index.equals(X.index):
            raise _other_index()
        return self.scores

    def scores_in_parts(self, table: TableInParts) -> FloatArray:
        """Return the scores as given, in the order of the rows."""
        scores = self.training_scores(table, table.n_rows, len(table.columns))
        if self.index is not None and not table.has_index(self.index):
            raise _other_index()
        return scores

    def new_scores(self, X: Any, n_rows: int) -> FloatArray:
        """Refuse: plain scores come without a detector."""
        raise DetectorError(
            "new rows cannot be scored, as there are plain scores and no detector: explain rows "
            "of the fitted X, or give AspectExplainer the detector."
        )

    def threshold(self) -> float | None:
        """Return the threshold as given."""
        return self.limit


def _other_index() -> DetectorError:
    return DetectorError(
        "scores and X have different indexes: pass scores.loc[X.index], or "
        "scores.to_numpy() if they are in the order of the rows."
    )


def _finite(threshold: Any) -> float:
    with suppress(TypeError, ValueError):
        if np.isfinite(float(threshold)):
            return float(threshold)
    raise DetectorError(f"threshold={threshold!r}: expected a number, or None.")
