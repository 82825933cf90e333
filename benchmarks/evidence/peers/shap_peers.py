"""SHAP: contributions of single columns to a score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyod_aspects._util.types import FloatArray

from ... import kernel_shap
from .base import SEED, Answer, Explain, Peer, shown_towards

CUT = (
    "the columns that its waterfall plot shows by default (ten, or nine and the rest) and whose "
    "contribution is towards anomalous"
)


class _Shap(Peer):
    """Base of the two explainers."""

    package = "shap"
    module = "shap"
    cut = CUT


class TreeSHAP(_Shap):
    """TreeExplainer on an isolation forest."""

    name = "TreeSHAP"
    detector = "IForest of PyOD, `random_state=0`"
    settings = "`TreeExplainer(detector.detector_)`, defaults: path-dependent, no background"

    def _fit(self, X: FloatArray) -> Explain:
        import shap
        from pyod.models.iforest import IForest

        explainer = shap.TreeExplainer(IForest(random_state=SEED).fit(X).detector_)

        def explain(rows: Sequence[int]) -> list[Answer]:
            # It explains the mean path length, which is short for an anomaly: turn the sign.
            return contributions(-np.asarray(explainer.shap_values(X[list(rows)])))

        return explain


class KernelSHAP(_Shap):
    """KernelExplainer on the local outlier factor."""

    name = "KernelSHAP"
    detector = "LOF of PyOD, defaults"
    settings = kernel_shap.SETTINGS

    def _fit(self, X: FloatArray) -> Explain:
        from pyod.models.lof import LOF

        detector = LOF().fit(X)

        def explain(rows: Sequence[int]) -> list[Answer]:
            # PyOD's scores are high for anomalies, and so are the contributions.
            return contributions(kernel_shap.kernel_shap(detector, X, np.asarray(rows)))

        return explain


def contributions(values: FloatArray) -> list[Answer]:
    """Answers from contributions towards anomalous, a row for each."""
    d = values.shape[1]
    shown = d if d <= 10 else 9
    return [Answer(natural=shown_towards(row, shown), weights=row) for row in values]
