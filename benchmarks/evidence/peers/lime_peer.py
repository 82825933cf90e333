"""LIME: a linear model of the score around a row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyod_aspects._util.types import FloatArray

from .base import SEED, Answer, Explain, Peer, above


class LIME(Peer):
    """LimeTabularExplainer on the local outlier factor."""

    name = "LIME"
    package = "lime"
    module = "lime"
    detector = "LOF of PyOD, defaults"
    settings = (
        "`LimeTabularExplainer(X, mode='regression', random_state=0)`, `explain_instance` with "
        "defaults: 5,000 samples, quartiles, ten columns"
    )
    cut = "the columns among the ten that it lists by default whose weight is towards anomalous"

    def _fit(self, X: FloatArray) -> Explain:
        from lime.lime_tabular import LimeTabularExplainer
        from pyod.models.lof import LOF

        detector = LOF().fit(X)

        def explain(rows: Sequence[int]) -> list[Answer]:
            # It draws samples from its own state; a new explainer resets it.
            explainer = LimeTabularExplainer(X, mode="regression", random_state=SEED)
            answers = []
            for row in rows:
                said = explainer.explain_instance(X[row], detector.decision_function)
                weights = np.full(X.shape[1], np.nan)
                for column, weight in said.as_map()[1]:  # 1: weights that raise the score
                    weights[column] = weight
                answers.append(Answer(natural=above(weights, 0.0), weights=weights))
            return answers

        return explain
