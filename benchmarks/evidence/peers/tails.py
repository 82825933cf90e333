"""ECOD and COPOD of PyOD: the tail probability of each value."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from pyod_aspects._util.types import FloatArray

from .base import Answer, Explain, Peer, above


class _Tails(Peer):
    """The scores of single columns, `O`, which add up to the score of the row."""

    package = "pyod"
    settings = "defaults; the scores of the columns are the attribute `O`"
    cut = (
        "the columns above the lower one of the two cutoff bands that `explain_outlier` draws, 0.9"
    )

    @abstractmethod
    def _detector(self) -> Any:
        """Return a new detector."""

    def _fit(self, X: FloatArray) -> Explain:
        scores = np.asarray(self._detector().fit(X).O)
        band = np.quantile(scores, 0.9, axis=0)  # 1 - contamination

        def explain(rows: Sequence[int]) -> list[Answer]:
            return [Answer(natural=above(w, band), weights=w) for w in scores[list(rows)]]

        return explain


class ECODPeer(_Tails):
    """Empirical distributions."""

    name = "ECOD"
    detector = "ECOD of PyOD, which explains itself"

    def _detector(self) -> Any:
        from pyod.models.ecod import ECOD

        return ECOD()


class COPODPeer(_Tails):
    """Empirical copulas."""

    name = "COPOD"
    detector = "COPOD of PyOD, which explains itself"

    def _detector(self) -> Any:
        from pyod.models.copod import COPOD

        return COPOD()
