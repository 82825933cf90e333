"""What stands beside the lists: the aspect as a picture with a caption, and the scores.

Everything is HTML text, made from an explanation and a choice, and nothing else.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from html import escape

from matplotlib.figure import Figure

from ..explanation import Explanation, QueryExplanation
from ..explanation.wording import naming_words, no_aspect_words, row_words, terms
from ..plots import describe_aspect, describe_scores, plot_aspect, plot_scores, to_svg

NO_TABLE = (
    "There are no pictures: this explanation was read from JSON or a pickle, and its table "
    "did not come along. AspectExplainer(...).fit(X).explain() makes one that has it."
)

# matplotlib's settings and caches are one for all threads.
_LOCK = threading.Lock()


def aspect_html(explanation: Explanation, row: int, aspect: int | None) -> str:
    """Picture of an aspect with its caption, or a sentence that says why there is none."""
    if aspect is None:
        query = explanation.row(row)
        return note(f"{row_words(query, 'Row')}: {no_aspect_words(explanation, query)}.")
    words = describe_aspect(explanation, row, aspect)
    meaning = escape(" ".join(terms(explanation) + naming_words(explanation)))
    caption = f'<p class="caption">{escape(words)}</p><p class="terms">{meaning}</p>'
    if explanation.background is None:
        return caption + note(NO_TABLE)
    size = len(explanation.row(row).aspects[aspect].subspace)
    figure = Figure(figsize=(5.4, 4.4 if size in {3, 4} else 4.0))
    with _LOCK:
        plot_aspect(explanation, row, aspect, figure=figure)
        return to_svg(figure, words) + caption


def scores_html(explanation: Explanation, row: int | None) -> str:
    """Distribution of the detector's scores; nothing if they are not there."""
    if explanation.background is None:
        return ""
    figure = Figure(figsize=(3.2, 1.7))
    with _LOCK:
        figure.subplots_adjust(left=0.16, right=0.97, top=0.84, bottom=0.27)
        plot_scores(explanation, row, ax=figure.subplots())
        return to_svg(figure, describe_scores(explanation, row))


def without_p_values(query: QueryExplanation) -> QueryExplanation:
    """All that pictures show of a row: p-values come later, and nothing is drawn anew then."""
    aspects = tuple(replace(aspect, p_value=None) for aspect in query.aspects)
    return replace(query, aspects=aspects, p_value=None)


def note(text: str) -> str:
    """Sentence in place of a picture."""
    return f'<p class="note">{escape(text)}</p>'
