"""PyOD's own explanations: the columns in which a row is far from the mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyod_aspects._util.types import FloatArray

from .base import Answer, Explain, Peer, above


class ADEngine(Peer):
    """`ADEngine.explain_findings` of PyOD 3."""

    name = "ADEngine"
    package = "pyod"
    module = "pyod.utils.ad_engine"  # came with pyod 3
    detector = "the one that `ADEngine.detect` chooses; the explanation does not look at it"
    settings = "`ADEngine().detect(X)`, then `explain_findings` with the rows and X"
    cut = "the five columns that it lists, always five"

    def _fit(self, X: FloatArray) -> Explain:
        from pyod.utils.ad_engine import ADEngine

        engine = ADEngine()
        result = engine.detect(X)

        def explain(rows: Sequence[int]) -> list[Answer]:
            answers = []
            for said in engine.explain_findings(result, indices=[int(r) for r in rows], X=X):
                weights = np.full(X.shape[1], np.nan)
                for column in said["contributing_features"]:
                    weights[column["feature"]] = column["z_score"]  # without its sign
                answers.append(Answer(natural=above(weights, -np.inf), weights=weights))
            return answers

        return explain
