"""An explanation as a DataFrame, with one line for each aspect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from ..search.aspect import Aspect
    from .values import Explanation

_COLUMNS: dict[str, Any] = {
    "row": "int64",
    "label": object,
    "score": "float64",
    "percentile": "float64",
    "is_anomaly": "boolean",
    "aspect": "Int64",
    "features": object,
    "subspace": object,
    "aspect_score": "float64",
    "density": "float64",
    "mean": "float64",
    "std": "float64",
}


def to_frame(explanation: Explanation) -> pd.DataFrame:
    """Return the table of `Explanation.to_frame`."""
    import pandas as pd

    lines = [
        (query.row, query.label, query.score, query.percentile, query.is_anomaly, *rest)
        for query in explanation.queries
        for rest in _aspect_lines(query.aspects)
    ]
    frame: pd.DataFrame = pd.DataFrame(lines, columns=list(_COLUMNS), dtype=object)
    score, measure = explanation.score_name, explanation.measure
    score = f"aspect_{score}" if score in {*_COLUMNS, measure} else score
    return frame.astype(_COLUMNS).rename(columns={"aspect_score": score, "density": measure})


def _aspect_lines(aspects: tuple[Aspect, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield the part of a table line that belongs to an aspect; one empty part if there is none."""
    for place, aspect in enumerate(aspects, start=1):
        figures = (aspect.score, aspect.density, aspect.mean, aspect.std)
        yield (place, " & ".join(aspect.features), aspect.subspace, *figures)
    if not aspects:
        yield (None,) * 7
