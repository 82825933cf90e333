"""Measurements of a miner on a structure: its answers, and their agreement with the truth."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np

from pyod_aspects import AspectExplainer
from pyod_aspects._util.types import FloatArray, Subspace
from pyod_aspects.detectors.base import Adapter

from ..cells import Result
from .base import Trial
from .miners import MINERS, Compared
from .registry import STRUCTURES

Row = dict[str, Any]


class NoDetector(Adapter):
    """Scores of 0 for all rows: the structure chooses the rows to explain."""

    name = "no detector"

    def training_scores(self, X: Any, n_rows: int, n_features: int) -> FloatArray:
        """Return zeros."""
        return np.zeros(n_rows)

    def new_scores(self, X: Any, n_rows: int) -> FloatArray:
        """Return zeros."""
        return np.zeros(n_rows)

    def threshold(self) -> None:
        """Return no threshold."""


def measure(structure_name: str, miner_name: str, n_tables: int) -> Result:
    """Return the answers for all tables of a structure.

    Each row has an entry: the first aspect, its F1, the place of the true set among the first ten,
    and the p-value of the row. The place is None if the set is not there. An ordinary row has no
    truth, only a p-value.
    """
    structure = STRUCTURES[structure_name]
    trials = [structure.trial(structure_name, i) for i in range(n_tables)]
    begin = perf_counter()
    rows = [row for trial in trials for row in explained(trial, MINERS[miner_name])]
    took = perf_counter() - begin
    result: Result = {"seconds": round(took, 2), "answers": rows}
    if not structure.ordinary:
        result |= {"right": sum(r["rank"] == 1 for r in rows), "n": len(rows)}
    return result


def explained(trial: Trial, how: Compared) -> list[Row]:
    """Return the answers for the rows of a table, in the order of `truth`."""
    explainer = AspectExplainer(NoDetector(), how.make(), n_reference=how.n_reference)
    explainer.fit(trial.X)
    explanation = explainer.explain(trial.new, rows=list(trial.truth))
    answers = {query.row: query for query in explanation}
    rows = []
    for row, true in trial.truth.items():
        found = [aspect.subspace for aspect in answers[row].aspects]
        result: Row = {"first": list(found[0]) if found else []}
        if true:
            ranks = [found.index(t) + 1 for t in true if t in found[:10]]
            result["rank"] = min(ranks, default=None)
            result["f1"] = max(round(f1(result["first"], t), 3) for t in true)
        result["p"] = answers[row].p_value
        rows.append(result)
    return rows


def f1(found: Sequence[int], true: Subspace) -> float:
    """Harmonic mean of precision and recall of the features.

    >>> f1([0, 1, 2], (0, 1)), f1([], (0, 1))
    (0.8, 0.0)
    """
    return 2 * len(set(found) & set(true)) / (len(found) + len(true))
