"""AcME-AD: the change of the score with other values in one column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pyod_aspects._util.types import FloatArray

from .base import Answer, Explain, Peer

WEIGHTS = {"ratio": 0.2, "distance": 0.2, "change": 0.3, "delta": 0.3}
"""AcME's defaults; it prints them unless they are passed."""


class AcME(Peer):
    """AcME-AD on the local outlier factor."""

    name = "AcME-AD"
    package = "statwolfACME"
    module = "ACME"
    detector = "LOF of PyOD, defaults"
    settings = (
        "`ACME(task='ad')`, defaults: 50 quantiles; the score moved and scaled so that LOF's "
        "threshold is at 0.5 and rows lie about between 0 and 1, as AcME-AD asks for"
    )
    cut = (
        "the columns of which a change alone would take the row below the threshold (`change`); "
        "none for a row that is below it"
    )

    def _fit(self, X: FloatArray) -> Explain:
        import pandas as pd
        from ACME.ACME import ACME
        from pyod.models.lof import LOF

        detector = LOF().fit(X)
        threshold = detector.threshold_
        reach = 2 * np.abs(detector.decision_scores_ - threshold).max()

        def score(model: Any, Z: FloatArray) -> FloatArray:
            return np.asarray(0.5 + (model.decision_function(Z) - threshold) / reach)

        names = [f"c{j:05}" for j in range(X.shape[1])]  # it sorts columns by name
        frame = pd.DataFrame(X, columns=names)
        fitted = ACME(detector, "score", features=names, task="ad", score_function=score)
        fitted.explain(frame)

        def explain(rows: Sequence[int]) -> list[Answer]:
            answers = []
            flagged = score(detector, X[list(rows)]) > 0.5
            for row, above in zip(rows, flagged, strict=True):
                said = fitted.explain_local(frame.loc[row])
                table = said.feature_importance(local=True, weights=WEIGHTS).loc[names]
                # Its importance is high for columns that make the row anomalous.
                weights = table["importance"].to_numpy(dtype=float)
                changing = np.flatnonzero((table["change"].to_numpy() == 1) & above)
                answers.append(Answer(natural=tuple(changing.tolist()), weights=weights))
            return answers

        return explain
