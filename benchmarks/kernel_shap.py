"""SHAP's explainers for the comparison: the same detector and the same rows."""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from typing import Any

import numpy as np

from pyod_aspects._util.types import FloatArray, IntArray

from .results import Skipped

BACKGROUND = 100
"""Rows of the background: SHAP warns of more, and its time grows with them."""

SETTINGS = (
    f"KernelExplainer(decision_function, shap.sample(X, {BACKGROUND})), nsamples and "
    "l1_reg as by default"
)


def check_installed() -> None:
    """Raise `Skipped` if shap is not installed."""
    if find_spec("shap") is None:
        raise Skipped("needs shap: pip install -e '.[bench]'")


def kernel_shap(detector: Any, X: FloatArray, rows: IntArray) -> FloatArray:
    """Contributions of all columns to the detector's score of the given rows."""
    import shap

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        background = shap.sample(X, BACKGROUND, random_state=0)
        explainer = shap.KernelExplainer(detector.decision_function, background)
        return np.asarray(explainer.shap_values(X[rows], silent=True))


def tree_shap(detector: Any, X: FloatArray, rows: IntArray) -> FloatArray:
    """Contributions of all columns to an isolation forest's score of the given rows."""
    import shap

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(shap.TreeExplainer(detector.detector_).shap_values(X[rows]))
