"""An explanation as findings: dicts with the keys of PyOD's `ADEngine.explain_findings`.

Code that reads the engine's findings can read these; `aspects` comes in addition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..._util.numbers import score_text
from ...search.aspect import Evidence
from .json import aspect_fields
from .sentences import evidence_words, further_words, headline, strongest_words
from .wording import (
    detector_words,
    is_convincing,
    no_aspect_words,
    printable,
    row_words,
    sure_words,
)

if TYPE_CHECKING:
    from ..query import QueryExplanation
    from ..values import Explanation


def to_findings(explanation: Explanation) -> list[dict[str, Any]]:
    """Return the findings of `Explanation.to_findings`."""
    return [_finding(explanation, query) for query in explanation.queries]


def _finding(explanation: Explanation, query: QueryExplanation) -> dict[str, Any]:
    labels = {True: "anomaly", False: "normal", None: None}
    return {
        "index": query.row,
        "score": query.score,
        "percentile": _percentile(explanation, query),
        "label": labels[query.is_anomaly],
        "narrative": _narrative(explanation, query),
        "contributing_features": [
            _feature(explanation, query, name, weight) for name, weight in query.features.items()
        ],
        "aspects": [
            aspect_fields(aspect) | {"sentence": evidence_words(aspect, query.features)}
            for aspect in query.aspects
        ],
    }


def _percentile(explanation: Explanation, query: QueryExplanation) -> float | None:
    """Percent of rows with a score up to the row's, as in PyOD; else with a lower one."""
    if explanation.background is None:
        return query.percentile
    return float(np.mean(explanation.background.scores <= query.score) * 100)


def _narrative(explanation: Explanation, query: QueryExplanation) -> str:
    """State the score, what is odd, what else is, and how sure that is, in whole sentences."""
    by = printable(explanation.detector)
    told = f"{row_words(query, 'Row')} is scored {score_text(query.score)} by {by}"
    told = ", ".join(filter(None, [told, detector_words(query)]))
    if is_convincing(explanation, query) is False and query.aspects:
        strongest = strongest_words(query, explanation.score_name)
        return f"{told}. {_capital(sure_words(explanation, query))}. The strongest: {strongest}."
    odd = headline(query, explanation.score_name)
    if not query.aspects:
        sure = no_aspect_words(explanation, query)
    else:
        sure = "" if query.p_value is None else sure_words(explanation, query)
    told += f". What is odd: {odd}." if odd else "."
    also = "; ".join(further_words(query, explanation.score_name)) if odd else ""
    told += f" Also: {also}." if also else ""
    return told + (f" {_capital(sure)}." if sure else "")


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _feature(
    explanation: Explanation, query: QueryExplanation, name: str, weight: float
) -> dict[str, Any]:
    """One feature to blame: the keys of PyOD's `feature_contributions`, and its weight."""
    column = explanation.feature_names.index(name)
    known = [one for aspect in query.aspects for one in aspect.evidence if one.feature == name]
    evidence = max(known, key=lambda one: one.outside, default=None)
    mean, z_score = _mean_and_z(explanation, column, evidence)
    return {
        "feature": column,
        "name": name,
        "value": None if evidence is None else evidence.value,
        "mean": mean,
        "z_score": z_score,
        "direction": None if evidence is None else evidence.direction,
        "weight": weight,
    }


def _mean_and_z(
    explanation: Explanation, column: int, evidence: Evidence | None
) -> tuple[float | None, float | None]:
    """Mean of a column of numbers, and distance of the value in standard deviations."""
    if explanation.background is None or evidence is None:
        return None, None
    table = explanation.background.reference
    if table.columns[column].kind != "number" or not isinstance(evidence.value, (int, float)):
        return None, None
    values = table.values[:, column]
    values = values[~np.isnan(values)]
    offset, deviation = table.columns[column].offset, float(np.std(values))
    mean = float(np.mean(values)) + offset
    return mean, abs(float(evidence.value) - mean) / (deviation or 1.0)
