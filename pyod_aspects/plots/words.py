"""The pictures in words, for captions and for those who do not see them."""

from __future__ import annotations

from collections import Counter

from .._util.numbers import score_text
from ..explanation import Aspect, Explanation, QueryExplanation
from ..explanation.wording import (
    density_words,
    detector_words,
    elide,
    join_all,
    plural,
    printable,
    row_words,
    score_words,
)
from .view import AspectLike, find_aspect, threshold_of


def figure_words(explanation: Explanation, aspect: Aspect) -> str:
    """Counts and score of an aspect."""
    here, average = density_words(explanation, aspect)
    words = f"{here} {average}"
    return words if aspect.score != aspect.score else f"{words}, {score_words(explanation, aspect)}"


def describe_aspect(explanation: Explanation, row: int | str, aspect: AspectLike = 0) -> str:
    """Say in one sentence where a row lies in an aspect, and how lonely it is there.

    Parameters
    ----------
    explanation : Explanation
    row : int or str
        A row that was explained, by position or label.
    aspect : int, Aspect or sequence of features, default=0
        As for `plot_aspect`.

    Returns
    -------
    str

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> X = load_demo().frame
    >>> explanation = AspectExplainer(ECOD().fit(X)).fit(X).explain(n_queries=1)
    >>> describe_aspect(explanation, 0)
    'Row 0 lies alone at worst symmetry 0.4601: 1 row nearby, 118 on average, z = -2.63.'
    """
    query = explanation.row(row)
    found = find_aspect(explanation, query, aspect)
    return f"{place_words(explanation, query, found)}: {figure_words(explanation, found)}."


def place_words(explanation: Explanation, query: QueryExplanation, found: Aspect) -> str:
    """Row and place, without the figures."""
    itself = 0 if explanation.new_rows else 1  # a row of the table is counted too
    alone = "alone " if explanation.measure == "count" and found.density <= itself else ""
    row, names = row_words(query, "Row"), [elide(name, 60) for name in found.features]
    if explanation.background is None:
        return f"{row} stands {alone or 'out '}in {join_all(names)}"
    table = explanation.background.explained
    values = table.values[query.row]
    texts = [printable(table.columns[j].text(float(values[j]))) for j in found.subspace]
    pairs = [f"{name} {text}" for name, text in zip(names, texts, strict=True)]
    return f"{row} lies {alone}at {join_all(pairs)}"


def describe_scores(explanation: Explanation, row: int | str | None = None) -> str:
    """Say in words what `plot_scores` shows.

    Parameters
    ----------
    explanation : Explanation
    row : int or str, optional
        A row that was explained, by position or label.

    Returns
    -------
    str
    """
    detector = printable(explanation.detector)
    words = f"Scores that {detector} gives {plural(explanation.n_rows, 'row')}"
    background = explanation.background
    limit = None if background is None else threshold_of(background)
    if limit is not None:
        words += f"; anomalies are above {score_text(limit)}"
    if row is not None:
        query = explanation.row(row)
        more = detector_words(query)
        words += f". {row_words(query, 'Row')} has {score_text(query.score)}"
        words += f", {more}" if more else ""
    return words + "."


def describe_overview(explanation: Explanation) -> str:
    """Say in words what `plot_overview` shows.

    Parameters
    ----------
    explanation : Explanation

    Returns
    -------
    str
    """
    counts = Counter(
        name
        for query in explanation
        for name in {name for aspect in query.aspects for name in aspect.features}
    )
    # The most frequent first; ties in the order of the table.
    order = {name: i for i, name in enumerate(explanation.feature_names)}
    often = sorted(counts, key=lambda name: (-counts[name], order.get(name, 0)))[:3]
    words = "Rows, and the features in which each of them stands out"
    if often:
        most = [f"{elide(name, 60)} ({counts[name]:,} of {len(explanation):,})" for name in often]
        words += f"; most often {join_all(most)}"
    return words + "."
