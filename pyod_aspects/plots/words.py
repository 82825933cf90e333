"""The pictures in words, for captions and for those who do not see them."""

from __future__ import annotations

from collections import Counter

from .._util.numbers import score_text
from ..explanation import Aspect, Explanation
from ..explanation.wording import (
    density_words,
    detector_words,
    join_all,
    plural,
    printable,
    score_words,
)
from .style import elide
from .view import AspectLike, find_aspect, threshold_of


def figure_words(explanation: Explanation, aspect: Aspect) -> str:
    """Counts and score of an aspect."""
    here, average = density_words(explanation, aspect)
    words = f"{here} {average}"
    return words if aspect.score != aspect.score else f"{words}, {score_words(explanation, aspect)}"


def describe_aspect(explanation: Explanation, row: int, aspect: AspectLike = 0) -> str:
    """Say in one sentence where a row lies in an aspect, and how lonely it is there.

    Parameters
    ----------
    explanation : Explanation
    row : int
        A row that was explained.
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
    found = find_aspect(explanation, explanation.row(row), aspect)
    return f"{place_words(explanation, row, found)}: {figure_words(explanation, found)}."


def place_words(explanation: Explanation, row: int, found: Aspect) -> str:
    """Row and place, without the figures."""
    itself = 0 if explanation.new_rows else 1  # a row of the table is counted too
    alone = "alone " if explanation.measure == "count" and found.density <= itself else ""
    names = [elide(name, 60) for name in found.features]
    if explanation.background is None:
        return f"Row {row} stands {alone or 'out '}in {join_all(names)}"
    table = explanation.background.explained
    texts = [printable(table.columns[j].text(float(table.values[row, j]))) for j in found.subspace]
    values = [f"{name} {text}" for name, text in zip(names, texts, strict=True)]
    return f"Row {row} lies {alone}at {join_all(values)}"


def describe_scores(explanation: Explanation, row: int | None = None) -> str:
    """Say in words what `plot_scores` shows.

    Parameters
    ----------
    explanation : Explanation
    row : int, optional
        A row that was explained.

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
        words += f". Row {row} has {score_text(query.score)}" + (f", {more}" if more else "")
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
