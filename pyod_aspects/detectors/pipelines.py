"""A pipeline that ends in a detector: the table stays in the units that the user knows."""

from __future__ import annotations

from typing import Any

from .._util.types import FloatArray
from .base import Adapter
from .forms import as_fitted


class PipelineLike(Adapter):
    """Steps that prepare a table, then a detector; it is named after the detector."""

    def __init__(self, pipeline: Any, last: Adapter) -> None:
        self.pipeline = pipeline
        self.last = last
        self.name = last.name

    def private(self) -> PipelineLike:
        """Pipeline that ends in a private copy; other steps do not change when they transform."""
        return PipelineLike(self.pipeline, self.last.private())

    def training_scores(self, X: Any, n_rows: int, n_features: int) -> FloatArray:
        """Scores of the last step, which sees the table as the other steps leave it."""
        self.check_columns(getattr(self._first(), "n_features_in_", None), n_features)
        prepared = self._prepared(X)
        return self.last.training_scores(prepared, n_rows, prepared.shape[1])

    def new_scores(self, X: Any, n_rows: int) -> FloatArray:
        """Scores of new rows that went through all steps."""
        return self.last.new_scores(self._prepared(X), n_rows)

    def threshold(self) -> float | None:
        """That of the last step."""
        return self.last.threshold()

    def _first(self) -> Any:
        """Return the first step that does anything; the last one always does."""
        return self._steps()[0]

    def _steps(self) -> list[Any]:
        """Return the steps that do anything."""
        named = self.pipeline.steps
        return [step for _, step in named if step is not None and not isinstance(step, str)]

    def _prepared(self, X: Any) -> Any:
        table = as_fitted(self._first(), X, self.name)
        with self.scoring():
            # One by one: scikit-learn takes a pipeline for unfitted that ends in a step which
            # learns nothing, as all but the last step may do.
            for step in self._steps()[:-1]:
                table = step.transform(table)
        return table
