"""PyOD's detectors: they keep the scores of the rows of their fit."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from numbers import Real
from typing import Any

import numpy as np

from .._util.types import FloatArray
from ..exceptions import DetectorError
from .base import Adapter
from .forms import as_numbers

_COUNTS = ("n_features_in_", "n_features_", "feature_size")
"""Attributes in which a detector, or a part of it, keeps the number of columns."""

_PARTS = ("detector_", "neigh_", "clustering_estimator_", "kde_", "kpca")
"""Attributes with estimators of scikit-learn that a detector fits to the whole table."""

_ARRAYS = ("X_train", "X_train_", "projections_", "subset", "hist_", "_centroids", "_fitted_data")
"""Attributes with arrays whose last axis is the columns."""


class PyodLike(Adapter):
    """Anything with `decision_scores_`."""

    def __init__(self, detector: Any) -> None:
        self.detector = detector
        self.name = type(detector).__name__
        self.own = False  # whether the detector is a copy that may change

    def private(self) -> PyodLike:
        """Return the adapter of a copy: some detectors change themselves while scoring."""
        private = PyodLike(deepcopy(self.detector))
        private.own, private.only_finite = True, False
        return private

    def training_scores(self, X: Any, n_rows: int, n_features: int) -> FloatArray:
        """Scores that the detector kept: some detectors score the same rows differently later."""
        scores = self.as_scores(self.detector.decision_scores_)
        self.check_rows(len(scores), n_rows)
        for fitted in self._columns_fitted():
            self.check_columns(fitted, n_features)
        return scores

    def new_scores(self, X: Any, n_rows: int) -> FloatArray:
        """Score with a copy: some detectors change themselves while scoring."""
        if not hasattr(self.detector, "decision_function"):
            raise DetectorError(f"{self.name} has no decision_function: it cannot score new rows.")
        numbers = as_numbers(X)
        detector = self.detector if self.own else deepcopy(self.detector)
        try:
            with self.scoring():
                raw = detector.decision_function(X if numbers is None else numbers)
        except DetectorError as error:
            if numbers is not None:
                raise
            raise DetectorError(
                f"{self.name} cannot score new rows that are not all numbers: explain rows of the "
                "fitted X, or put the steps that turn X into numbers in a Pipeline with it."
            ) from error
        return self.as_scores(raw, n_rows)

    def threshold(self) -> float | None:
        """`threshold_`, unless a contamination that is no number set it on a scale of its own."""
        value = getattr(self.detector, "threshold_", None)
        contamination = getattr(self.detector, "contamination", None)
        number = isinstance(contamination, Real) and isinstance(value, Real)
        return float(value) if number and np.isfinite(float(value)) else None  # type: ignore[arg-type]

    def _columns_fitted(self) -> Iterator[Any]:
        """Numbers of columns at the time of fit, from all attributes that hold them.

        A few detectors, such as LOCI and SOS, keep none: they only compare rows with each other.
        """
        parts = [getattr(self.detector, name, None) for name in _PARTS]
        # A detector of PyOD within another one sees windows of a time series, not the table.
        whole = [part for part in parts if not hasattr(part, "decision_scores_")]
        for part in (self.detector, *whole):
            yield from (getattr(part, name, None) for name in _COUNTS)
        for name in _ARRAYS:
            kept = getattr(self.detector, name, None)
            if getattr(kept, "ndim", 0) > 1:
                yield kept.shape[-1]  # type: ignore[union-attr]
            elif name == "hist_" and isinstance(kept, list):  # one histogram a column
                yield len(kept)
