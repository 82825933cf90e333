"""A pipeline that ends in a detector: the table stays in the user's units."""

from __future__ import annotations

from typing import Any

from .._util.types import FloatArray
from .base import Adapter
from .forms import as_fitted


class PipelineLike(Adapter):
    """Steps that prepare a table, then a detector; it bears the detector's name."""

    def __init__(self, pipeline: Any, last: Adapter) -> None:
        self.pipeline = pipeline
        self.last = last
        self.name = last.name

    def private(self) -> PipelineLike:
        """Pipeline that ends in a private copy; the other steps do not change in `transform`."""
        return PipelineLike(self.pipeline, self.last.private())

    def training_scores(self, X: Any, n_rows: int, n_features: int) -> FloatArray:
        """Scores of the last step, which sees the output of the other steps."""
        self.check_columns(getattr(self._first(), "n_features_in_", None), n_features)
        prepared = self._prepared(X)
        return self.last.training_scores(prepared, n_rows, prepared.shape[1])

    def new_scores(self, X: Any, n_rows: int) -> FloatArray:
        """Scores of new rows that went through all steps."""
        return self.last.new_scores(self._prepared(X), n_rows)

    def threshold(self) -> float | None:
        """Threshold of the last step."""
        return self.last.threshold()

    def _first(self) -> Any:
        """Return the first step other than "passthrough"."""
        return self._steps()[0]

    def _steps(self) -> list[Any]:
        """Return all steps other than "passthrough"."""
        named = self.pipeline.steps
        return [step for _, step in named if step is not None and not isinstance(step, str)]

    def _prepared(self, X: Any) -> Any:
        table = as_fitted(self._first(), X, self.name)
        with self.scoring():
            # One by one: scikit-learn calls a pipeline unfitted if its last step learns nothing,
            # as all but the last step here may do.
            for step in self._steps()[:-1]:
                table = step.transform(table)
        return table
