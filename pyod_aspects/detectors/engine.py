"""Results of PyOD's ADEngine: a dict with one detector, or an investigation with several.

`detect`, `run_detection` and each of an investigation's `results` are dicts. An investigation also
has a consensus: the mean over its detectors of a row's rank, divided by the number of rows.
The package knows results by their attributes, as it does detectors.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._util.types import FloatArray
from ..exceptions import DetectorError
from .base import Adapter

_EXPECTED = "expected what ADEngine.detect(X) or ADEngine.investigate(X) returns"


def is_investigation(candidate: Any) -> bool:
    """Whether it is a result of `ADEngine.investigate`."""
    return hasattr(candidate, "results") and hasattr(candidate, "consensus")


def is_engine(candidate: Any) -> bool:
    """Whether it is the engine itself."""
    return hasattr(candidate, "detect") and hasattr(candidate, "investigate")


def detector_of(result: dict[Any, Any]) -> Any:
    """Detector of one result; refuse a dict without one."""
    if result.get("detector") is not None:
        return result["detector"]
    name = result.get("detector_name", "the detector")
    if result.get("status") == "error":
        raise DetectorError(
            f"{name} failed in ADEngine ({_one_line(result.get('error'))}): pass a result that "
            "has a detector."
        )
    if "detector_name" in result:
        raise DetectorError(
            f"detector is a plan of ADEngine for {name}, not a result: pass "
            "engine.run_detection(X, plan)."
        )
    keys = reprlib.repr([str(key) for key in result])
    raise DetectorError(f"detector is a dict without 'detector', its keys are {keys}: {_EXPECTED}.")


def results_of(investigation: Any) -> list[dict[str, Any]]:
    """Results of an investigation that have a detector; refuse one without any."""
    results = investigation.results or []
    found = [result for result in results if result.get("detector") is not None]
    if found and investigation.consensus is not None:
        return found
    if not results:
        phase = getattr(investigation, "phase", "unknown")
        raise DetectorError(
            f"the investigation has no results, its phase is {phase!r}: call engine.run(state) "
            "first."
        )
    first = results[0]
    raise DetectorError(
        f"all {len(results)} detectors of the investigation failed (first: "
        f"{first.get('detector_name')}, {_one_line(first.get('error'))}): {_EXPECTED} for a table "
        "of numbers."
    )


class Consensus(Adapter):
    """Several detectors of an investigation, which vote by rank.

    Training rows have the scores of the engine. A new row gets the mean rank of its scores among
    the scores of the training rows, over the detectors. There is no threshold: the engine labels
    rows by majority, not by a score.
    """

    def __init__(self, parts: Sequence[Adapter], part_scores: Sequence[Any], scores: Any) -> None:
        self.parts = list(parts)
        *others, last = [part.name for part in parts]
        self.name = f"consensus of {', '.join(others)} and {last}"
        self.scores = self.as_scores(scores)
        pairs = zip(parts, part_scores, strict=True)
        self.known = [np.sort(part.as_scores(own)) for part, own in pairs]

    def private(self) -> Consensus:
        """Consensus of private copies."""
        parts = [part.private() for part in self.parts]
        private = Consensus(parts, self.known, self.scores)
        private.only_finite = False
        return private

    def training_scores(self, X: Any, n_rows: int, n_features: int) -> FloatArray:
        """Scores of the consensus as the engine left them."""
        self.check_rows(len(self.scores), n_rows)
        for part in self.parts:
            part.training_scores(X, n_rows, n_features)  # checks the number of columns
        return self.scores

    def new_scores(self, X: Any, n_rows: int) -> FloatArray:
        """Mean over the detectors of the rank of a new row among the training rows."""
        ranks = np.zeros(n_rows)
        for part, known in zip(self.parts, self.known, strict=True):
            scores = part.new_scores(X, n_rows)
            below = np.searchsorted(known, scores, side="left")
            up_to = np.searchsorted(known, scores, side="right")
            # Rows with the same score share the mean of their ranks, as in scipy's rankdata.
            rank = (below + up_to + 1) / 2.0
            ranks += np.where(np.isnan(scores), np.nan, rank / len(known))
        return ranks / len(self.parts)

    def threshold(self) -> None:
        """None: the engine counts votes."""


def _one_line(error: Any) -> str:
    return " ".join(str(error).split()).rstrip(".")
