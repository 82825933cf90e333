"""The pictures in words, for captions and for readers who cannot see them."""

from __future__ import annotations

import numpy as np

from .._util.numbers import score_text
from ..explanation import Aspect, Explanation, QueryExplanation
from ..explanation.background import threshold_of
from ..explanation.writing.wording import (
    density_words,
    detector_words,
    elide,
    join_all,
    plural,
    printable,
    row_words,
    score_words,
)
from .overview import LEAST_WEIGHT, blame_matrix
from .view import AspectLike, View, find_aspect


def figure_words(explanation: Explanation, aspect: Aspect) -> str:
    """Counts and score of an aspect."""
    here, average = density_words(explanation, aspect)
    words = f"{here} {average}"
    return words if aspect.score != aspect.score else f"{words}, {score_words(explanation, aspect)}"


def describe_aspect(explanation: Explanation, row: int | str, aspect: AspectLike = 0) -> str:
    """Say where a row lies in an aspect, and how lonely it is there.

    If some rows lie outside the window of `plot_aspect`, a second sentence says how many.

    Parameters
    ----------
    explanation : Explanation
    row : int or str
        An explained row, by position or label.
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
    >>> X = load_demo().frame.select_dtypes("number")
    >>> explanation = AspectExplainer(ECOD().fit(X)).fit(X).explain(n_queries=1)
    >>> describe_aspect(explanation, explanation[0].row)
    'Row 27515 lies at carat 3.01: 3 rows nearby, 1,779 expected, lift = 0.002.'
    """
    query = explanation.row(row)
    found = find_aspect(explanation, query, aspect)
    words = f"{place_words(explanation, query, found)}: {figure_words(explanation, found)}."
    if explanation.background is None:
        return words
    return words + outside_words(View.of(explanation, query, found))


def outside_words(view: View) -> str:
    """Sentence with the number of rows outside a picture; "" if there are none."""
    n = int(view.outside.sum())
    lie = "lies" if n == 1 else "lie"
    return f" {plural(n, 'row')} {lie} outside the picture." if n else ""


def place_words(explanation: Explanation, query: QueryExplanation, found: Aspect) -> str:
    """Row and place, without the figures."""
    # The count includes the row itself.
    alone = "alone " if explanation.measure == "count" and found.density <= 1 else ""
    row, names = row_words(query, "Row"), [elide(name, 60) for name in found.features]
    if explanation.background is None:
        return f"{row} stands {alone or 'out '}in {join_all(names)}"
    background = explanation.background
    table = background.explained
    values = table.values[background.place(query.row)]
    texts = [printable(table.columns[j].text(float(values[j]))) for j in found.subspace]
    pairs = [f"{name} {text}" for name, text in zip(names, texts, strict=True)]
    return f"{row} lies {alone}at {join_all(pairs)}"


def describe_scores(explanation: Explanation, row: int | str | None = None) -> str:
    """Describe the picture of `plot_scores` in words.

    Parameters
    ----------
    explanation : Explanation
    row : int or str, optional
        An explained row, by position or label.

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
    """Describe the picture of `plot_overview` in words.

    Parameters
    ----------
    explanation : Explanation

    Returns
    -------
    str
    """
    weights = blame_matrix(explanation)
    told = np.flatnonzero(weights.any(axis=1))
    words = "Rows, and the weight of each feature in what is odd about them"
    if told.size:
        share = weights[told].mean(axis=0)
        # The largest first; ties in the order of the table.
        first = [j for j in np.argsort(-share, kind="stable")[:3] if share[j] >= LEAST_WEIGHT]
        names = [elide(explanation.feature_names[j], 60) for j in first]
        most = [f"{n} ({100 * share[j]:.0f} %)" for n, j in zip(names, first, strict=True)]
        words += f"; on average most for {join_all(most)}" if most else ""
    silent = [query for i, query in enumerate(explanation) if i not in told]
    if any(query.p_value is not None for query in silent):
        words += f". Nothing is convincing for {len(silent):,} of {len(explanation):,}"
    return words + "."
