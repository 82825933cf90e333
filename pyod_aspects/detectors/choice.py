"""Choose the adapter of a detector by the detector's attributes."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from ..exceptions import DetectorError
from .base import Adapter
from .engine import Consensus, detector_of, is_engine, is_investigation, results_of
from .pipelines import PipelineLike
from .pyod_like import PyodLike
from .sklearn_like import SklearnLike

_EXPECTED = "expected a fitted detector of PyOD or scikit-learn"


def adapt(detector: Any) -> Adapter:
    """Find the adapter of a fitted detector, or of a result of PyOD's ADEngine.

    Raises
    ------
    DetectorError
        If it is not fitted, or not a detector.
    """
    if isinstance(detector, Adapter):
        return detector
    if isinstance(detector, type):
        raise DetectorError(
            f"detector is the class {detector.__name__}, not a fitted detector: "
            f"pass {detector.__name__}().fit(X)."
        )
    if isinstance(detector, dict):
        return adapt(detector_of(detector))
    if is_investigation(detector):
        results = results_of(detector)
        parts = [adapt(result) for result in results]
        if len(parts) == 1:
            return parts[0]
        part_scores = [result["scores_train"] for result in results]
        return Consensus(parts, part_scores, detector.consensus["scores"])
    if is_engine(detector):
        raise DetectorError(
            "detector is the engine: pass what its detect(X) or investigate(X) returns."
        )
    if hasattr(detector, "steps") and hasattr(detector, "named_steps"):
        return PipelineLike(detector, adapt(detector.steps[-1][1]))
    # A fitted detector has scores. Some unfitted ones have None in their place.
    if getattr(detector, "decision_scores_", None) is not None:
        return PyodLike(detector)
    name = type(detector).__name__
    # LocalOutlierFactor shows its score_samples only with novelty=True. decision_function alone
    # is not enough: its sign is unknown.
    if hasattr(detector, "score_samples") or hasattr(detector, "novelty"):
        _refuse_unfitted(detector, name)
        return SklearnLike(detector)
    if isinstance(detector, (np.ndarray, list, tuple)) or hasattr(detector, "to_numpy"):
        raise DetectorError(
            f"detector is a {name}: {_EXPECTED}; AspectExplainer.from_scores takes plain scores."
        )
    if hasattr(detector, "best_estimator_"):
        raise DetectorError(
            f"{name} is a search for a detector, not a detector: pass its best_estimator_."
        )
    if hasattr(detector, "decision_function") and not is_classifier(detector):
        raise DetectorError(
            f"{name} has no decision_scores_: expected a fitted detector; call its fit(X) first."
        )
    if hasattr(detector, "fit"):
        raise DetectorError(
            f"{name} is no detector, it gives no anomaly scores: {_EXPECTED}, or plain scores "
            "with AspectExplainer.from_scores."
        )
    raise DetectorError(f"detector={reprlib.repr(detector)}: {_EXPECTED}.")


def _refuse_unfitted(detector: Any, name: str) -> None:
    try:
        check_is_fitted(detector)
    except NotFittedError:
        raise DetectorError(f"{name} is not fitted: call its fit(X) first.") from None
    except TypeError:  # not a scikit-learn estimator: a later error says what it lacks
        pass
