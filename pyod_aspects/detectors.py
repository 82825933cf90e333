"""What is needed of a fitted detector: its scores, its threshold, and scores of new rows.

Detectors are known by what they have, never by their class.
"""

from __future__ import annotations

from copy import deepcopy
from numbers import Real
from typing import Any

import numpy as np

from ._types import FloatArray
from .exceptions import DetectorError


def detector_name(detector: Any) -> str:
    """Class name, for messages and explanations."""
    return type(detector).__name__


def training_scores(detector: Any, n_rows: int, n_features: int) -> FloatArray:
    """Scores of the rows the detector was fitted on, higher for more anomalous ones.

    Taken as the detector left them: scoring its training rows again gives other numbers with
    some detectors.
    """
    name = detector_name(detector)
    if isinstance(detector, type):
        raise DetectorError(
            f"detector is the class {detector.__name__}, not a fitted detector: "
            f"pass {detector.__name__}().fit(X)."
        )
    raw = getattr(detector, "decision_scores_", None)
    if raw is None:
        if hasattr(detector, "decision_function") or hasattr(detector, "fit"):
            raise DetectorError(
                f"{name} has no decision_scores_: expected a fitted PyOD detector; "
                "call its fit(X) first."
            )
        raise DetectorError(f"detector={detector!r}: expected a fitted PyOD detector.")
    scores = _as_scores(raw, name)
    if len(scores) != n_rows:
        raise DetectorError(
            f"{name} was fitted on {len(scores)} rows, X has {n_rows}: pass the X it was fitted on."
        )
    for attribute in ("n_features_in_", "n_features_"):
        fitted = getattr(detector, attribute, None)
        if isinstance(fitted, (int, np.integer)) and fitted != n_features:
            raise DetectorError(
                f"{name} was fitted on {fitted} columns, X has {n_features}: "
                "pass the X it was fitted on."
            )
    return scores


def new_scores(detector: Any, values: FloatArray) -> FloatArray:
    """Scores of new rows, all at once, without touching the user's detector.

    Some detectors change themselves when they score, so that a copy does it.
    """
    name = detector_name(detector)
    if not hasattr(detector, "decision_function"):
        raise DetectorError(f"{name} has no decision_function: it cannot score new rows.")
    try:
        raw = deepcopy(detector).decision_function(np.array(values, dtype=np.float64, order="C"))
    except NotImplementedError as error:
        raise DetectorError(
            f"{name} cannot score new rows: explain rows of the fitted X."
        ) from error
    scores = _as_scores(raw, name)
    if len(scores) != len(values):
        raise DetectorError(f"{name} gave {len(scores)} scores for {len(values)} new rows.")
    return scores


def threshold(detector: Any) -> float | None:
    """Score above which the detector calls a row an anomaly; None where it has no such number."""
    value = getattr(detector, "threshold_", None)
    contamination = getattr(detector, "contamination", None)
    # A contamination that is not a number chose its threshold on a scale of its own.
    if isinstance(contamination, Real) and isinstance(value, Real) and np.isfinite(float(value)):
        return float(value)
    return None


def _as_scores(raw: Any, name: str) -> FloatArray:
    scores = np.asarray(raw, dtype=np.float64).ravel()
    bad = ~np.isfinite(scores)
    if bad.any():
        raise DetectorError(
            f"{name} has {int(bad.sum())} scores that are not finite (first: row "
            f"{int(bad.argmax())}): "
            "rows without a score cannot be ranked; check the detector."
        )
    return scores
