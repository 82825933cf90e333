"""shapiq: contributions of pairs of columns to a score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyod_aspects._util.types import FloatArray

from .base import SEED, Answer, Explain, Peer, highest


class Shapiq(Peer):
    """TreeExplainer of shapiq, with interactions of two columns, on an isolation forest."""

    name = "shapiq"
    package = "shapiq"
    module = "shapiq"
    detector = "IForest of PyOD, `random_state=0`"
    settings = (
        "`TreeExplainer(detector.detector_)`, defaults: order 2, k-SII. A set of a given size "
        "begins with the strongest pair and grows by the column whose pairs with it are strongest"
    )
    cut = "the strongest pair"

    def _fit(self, X: FloatArray) -> Explain:
        import shapiq
        from pyod.models.iforest import IForest

        detector = IForest(random_state=SEED).fit(X)
        explainer = shapiq.TreeExplainer(detector.detector_, max_order=2)

        def explain(rows: Sequence[int]) -> list[Answer]:
            answers = []
            for row in rows:
                pairs = np.zeros((X.shape[1], X.shape[1]))
                for columns, value in explainer.explain(X[row]).dict_values.items():
                    if len(columns) == 2:
                        # As with SHAP: path lengths, short for an anomaly.
                        pairs[columns] = pairs[columns[::-1]] = -value
                weights = grown(pairs)
                answers.append(Answer(natural=highest(weights, 2), weights=weights))
            return answers

        return explain


def grown(pairs: FloatArray) -> FloatArray:
    """Weights that fall in the order in which columns join, the strongest pair first.

    Sets by single contributions find fewer of the true ones.

    >>> grown(np.array([[0, 1, 5], [1, 0, 3], [5, 3, 0.0]])).tolist()
    [2.0, 0.0, 1.0]
    """
    d = len(pairs)
    strength = np.where(np.eye(d, dtype=bool), -np.inf, pairs)
    order = [int(j) for j in np.unravel_index(np.argmax(strength), strength.shape)]
    while len(order) < d:
        gain = pairs[:, order].sum(axis=1)
        gain[order] = -np.inf
        order.append(int(np.argmax(gain)))
    weights = np.empty(d)
    weights[order] = np.arange(d)[::-1]
    return weights
