"""An explanation as a DataFrame, with one line for each aspect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...search.aspect import FIGURES
from .sentences import evidence_words

if TYPE_CHECKING:
    import pandas as pd

    from ..query import QueryExplanation
    from ..values import Explanation

_COLUMNS: dict[str, Any] = {
    "row": "int64",
    "label": object,
    "score": "float64",
    "percentile": "float64",
    "is_anomaly": "boolean",
    "known": object,
    "aspect": "Int64",
    "features": object,
    "subspace": object,
    "aspect_score": "float64",
    "density": "float64",
    "mean": "float64",
    "std": "float64",
    "expected": "float64",
    "lift": "float64",
    "error": "float64",
    "p_value": "float64",
    "agreement": "float64",
    "repair": "float64",
    "evidence": object,
}

_OF_ROWS = ("row", "label", "score", "percentile", "is_anomaly", "known")


def to_frame(explanation: Explanation) -> pd.DataFrame:
    """Return the table of `Explanation.to_frame`."""
    import pandas as pd

    lines = [
        (*(getattr(query, name) for name in _OF_ROWS), *rest)
        for query in explanation.queries
        for rest in _aspect_lines(query)
    ]
    frame: pd.DataFrame = pd.DataFrame(lines, columns=list(_COLUMNS), dtype=object)
    frame = frame.astype(_COLUMNS)
    if frame["error"].isna().all():  # only very large tables have estimated Z-scores
        frame = frame.drop(columns="error")
    score, measure = explanation.score_name, explanation.measure
    if score == "lift":  # the score itself
        frame = frame.drop(columns="lift")
    elif score in {*_COLUMNS, measure}:
        score = f"aspect_{score}"
    return frame.rename(columns={"aspect_score": score, "density": measure})


def _aspect_lines(query: QueryExplanation) -> Iterator[tuple[Any, ...]]:
    """Yield the columns of each aspect; one tuple of None without aspects."""
    for place, aspect in enumerate(query.aspects, start=1):
        figures = (getattr(aspect, name) for name in FIGURES)
        names, words = " & ".join(aspect.features), evidence_words(aspect, query.features) or None
        shares = (one and one.share for one in (aspect.agreement, aspect.repair))
        rest = (aspect.p_value, *shares, words)
        yield (place, names, aspect.subspace, *figures, aspect.error, *rest)
    if not query.aspects:
        yield (None,) * (8 + len(FIGURES))
