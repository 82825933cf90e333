"""scikit-learn's detectors: high scores are normal, and few keep the scores of their own rows."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from .._util.types import FloatArray
from ..exceptions import DetectorError
from .base import Adapter
from .forms import as_fitted


class SklearnLike(Adapter):
    """Anything with `score_samples`; the adapter turns the sign."""

    def __init__(self, detector: Any) -> None:
        self.detector = detector
        self.name = type(detector).__name__

    def training_scores(self, X: Any, n_rows: int, n_features: int) -> FloatArray:
        """Scores that the detector kept, or else of X.

        Only LocalOutlierFactor keeps them. It would count each row among its own neighbours if it
        scored them again.
        """
        self.check_columns(getattr(self.detector, "n_features_in_", None), n_features)
        fitted = self._rows_fitted()
        if fitted is not None:
            self.check_rows(fitted, n_rows)
        kept = getattr(self.detector, "negative_outlier_factor_", None)
        if kept is not None:
            return -self.as_scores(kept, n_rows)
        return self._scores(X, n_rows)

    def new_scores(self, X: Any, n_rows: int) -> FloatArray:
        """Scores of new rows; scikit-learn's detectors do not change while scoring."""
        return self._scores(X, n_rows)

    def threshold(self) -> float | None:
        """`offset_` with the sign turned; densities have none."""
        offset = np.asarray(getattr(self.detector, "offset_", np.nan), dtype=object).ravel()
        if len(offset) != 1 or not isinstance(offset[0], Real) or not np.isfinite(float(offset[0])):
            return None
        return -float(offset[0])

    def _scores(self, X: Any, n_rows: int) -> FloatArray:
        if not hasattr(self.detector, "score_samples"):
            raise DetectorError(
                f"{self.name}(novelty=False) cannot score new rows: fit it with novelty=True, or "
                "explain rows of the fitted X."
            )
        table = as_fitted(self.detector, X, self.name)
        with self.scoring():
            raw = self.detector.score_samples(table)
        return -self.as_scores(raw, n_rows)

    def _rows_fitted(self) -> int | None:
        """Number of rows at the time of fit, where the detector remembers it.

        IsolationForest does not: it scores fitted and new rows alike.
        """
        for attribute in ("negative_outlier_factor_", "dist_"):
            kept = getattr(self.detector, attribute, None)
            if kept is not None:
                return len(kept)
        shape = getattr(self.detector, "shape_fit_", None)
        return None if shape is None else int(shape[0])
