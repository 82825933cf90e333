"""Results of a search as an explanation: with evidence, p-values, names and background."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator

from .._util.version import __version__
from ..detectors import adapt
from ..engines.table import TableInParts
from ..explanation import Aspect, Background, Explanation, QueryExplanation
from ..explanation.judging.blame import blame_features
from ..explanation.judging.evidence import EvidenceFinder
from ..miners import BaseMiner
from ..miners.reference import with_p_values
from ..tables import Table
from .questions import Question, count_below

if TYPE_CHECKING:
    from ..explainer import AspectExplainer


def add_evidence(
    finder: EvidenceFinder, question: Question, results: list[list[Aspect]], begin: int
) -> list[list[Aspect]]:
    """Add evidence to the aspects of the queries from position `begin` on."""
    some = slice(begin, begin + len(results))
    points, columns = question.points.values[some], question.table.columns
    own = [None if question.new_rows else row for row in question.queries[some].tolist()]
    finder.look_ahead(points, own, results)
    queries = zip(results, points, own, strict=True)
    return [finder.add_evidence(found, point, columns, row) for found, point, row in queries]


def make_explanation(
    explainer: AspectExplainer,
    question: Question,
    results: list[list[Aspect]],
    n_reference: int = 0,
) -> Explanation:
    """Make the explanation of the first rows of the question."""
    detector = adapt(explainer.detector)
    scores, reference = question.scores, question.at_hand(explainer.table_)
    queries = question.queries[: len(results)]
    names = explainer.table_.names
    limit = detector.threshold()
    below = count_below(explainer.scores_, scores[queries])
    explained = []
    queried = enumerate(zip(queries.tolist(), below.tolist(), results, strict=True))
    for i, (row, lower, found) in queried:
        aspects, p_value = tuple(found), None
        if n_reference:
            fitted_row = None if question.new_rows else row
            aspects, p_value = with_p_values(found, explainer.reference_, n_reference, fitted_row)
        explained.append(
            QueryExplanation(
                row=row,
                score=float(scores[row]),
                is_anomaly=None if limit is None else bool(scores[row] > limit),
                aspects=tuple(
                    replace(a, features=tuple(names[i] for i in a.subspace)) for a in aspects
                ),
                percentile=100.0 * lower / len(explainer.scores_),
                label=question.points.label(i),
                p_value=p_value,
            )
        )
    explanation = Explanation(
        queries=tuple(explained),
        detector=detector.name,
        miner=type(explainer.miner_).__name__,
        settings=_settings(explainer.miner_),
        score_name=explainer.miner_.score_name,
        measure=explainer.miner_.density_.measure,
        n_rows=len(explainer.scores_),
        feature_names=names,
        new_rows=question.new_rows,
        version=__version__,
        nearby=explainer.miner_.nearby,
        duplicate_columns=_unnamed_duplicates(explainer, results),
        n_reference=n_reference,
        background=Background(
            reference=reference.table,
            explained=question.table if isinstance(question.table, Table) else reference.table,
            scores=explainer.scores_,
            threshold=limit,
            density=explainer.miner_.density_,
            explainer=copy(explainer),  # the user may fit it anew
            explained_scores=scores,
            whole=explainer.table_ if isinstance(explainer.table_, TableInParts) else None,
            rows=reference.rows,
        ),
    )
    return blame_features(explanation)


def _unnamed_duplicates(explainer: AspectExplainer, results: list[list[Aspect]]) -> dict[str, str]:
    """Duplicate columns that no aspect names: an aspect does if a new row differs in one."""
    attributes = {i for aspects in results for aspect in aspects for i in aspect.subspace}
    named = {explainer.table_.names[i] for i in attributes}
    duplicates = explainer.duplicate_columns_.items()
    return {name: first for name, first in duplicates if name not in named}


def _settings(miner: BaseMiner) -> dict[str, Any]:
    """Parameters of a miner as plain values that JSON can hold and a reader can compare.

    They leave out the number of threads, which does not change the result.
    """
    settings = miner.get_params(deep=False).items()
    return {name: _to_plain(value) for name, value in settings if name != "n_jobs"}


def _to_plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    if isinstance(value, BaseEstimator):
        return " ".join(str(value).split())
    return str(getattr(value, "__name__", type(value).__name__))
