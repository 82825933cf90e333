"""The pictures of the widget: an aspect, a group, and the detector's scores, as HTML."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from .._util.numbers import score_text
from .._util.types import FloatArray
from ..explanation import Explanation, QueryExplanation
from ..explanation.background import threshold_of
from ..explanation.writing.wording import elide, row_name
from ..plots import (
    describe_aspect,
    describe_group,
    describe_scores,
    plot_aspect,
    plot_group,
    to_svg,
)
from ..plots.window import find_window

if TYPE_CHECKING:
    from ..explanation.judging.groups import Group

NO_TABLE = (
    "There are no pictures: this explanation was read from JSON or a pickle, and its table "
    "did not come along. AspectExplainer(...).fit(X).explain() makes one that has it."
)

# All threads share matplotlib's settings and caches.
_LOCK = threading.Lock()


def aspect_html(explanation: Explanation, row: int, aspect: int) -> str:
    """Picture of an aspect, or a sentence that says why it is missing."""
    words = describe_aspect(explanation, row, aspect)
    if explanation.background is None:
        return f'<p class="pa-sub">{escape(words)}</p>{note(NO_TABLE)}'
    size = len(explanation.row(row).aspects[aspect].subspace)
    figure = Figure(figsize=(4.9, 4.5 if size in {3, 4} else 3.6))
    with _LOCK:
        plot_aspect(explanation, row, aspect, figure=figure)
        return to_svg(figure, words, titled=False)


def group_html(explanation: Explanation, group: Group) -> str:
    """Picture of a group, or a sentence that says why it is missing."""
    words = describe_group(explanation, group)
    if explanation.background is None:
        return f'<p class="pa-sub">{escape(words)}</p>{note(NO_TABLE)}'
    figure = Figure(figsize=(4.9, 4.5 if len(group.features) in {3, 4} else 3.6))
    with _LOCK:
        plot_group(explanation, group, figure=figure)
        return to_svg(figure, words, titled=False)


# ---------------------------------------------------------------- the scores

_WIDTH, _TALL, _BASE = 280.0, 42.0, 60.0
_LETTER = 6.2  # most points of a letter
_MANY = 0.72  # share of the width for nearly all scores, if a few are far beyond


def _end_of_many(scores: FloatArray, high: float, limit: float | None) -> float:
    """Highest score of nearly all rows, at least the threshold; the highest of all if near."""
    low, last = find_window(scores)
    last = max(last, -np.inf if limit is None else limit)
    return float(last) if high - last > 0.3 * (last - low) > 0.0 else high


def scores_html(
    explanation: Explanation, row: int | None, listed: Sequence[QueryExplanation]
) -> str:
    """Distribution of the detector's scores, small, with marks for the listed and the chosen row.

    "" without scores.
    """
    background = explanation.background
    if background is None:
        return ""
    scores = background.scores[np.isfinite(background.scores)]
    explained = [query for query in explanation if np.isfinite(query.score)]
    values = np.append(scores, [query.score for query in explained])
    if values.size == 0:
        return ""
    low, high, limit = float(values.min()), float(values.max()), threshold_of(background)
    last = _end_of_many(scores, high, limit)
    knots = [low, high if high > low else low + 1.0]
    places = [4.0, _WIDTH - 4.0]
    if last < high:
        knots.insert(1, last)
        places.insert(1, _MANY * _WIDTH)

    def at(value: float) -> float:
        return float(np.interp(value, knots, places))

    edges = np.interp(np.linspace(places[0], places[-1], 49), places, knots)
    heights, _ = np.histogram(scores, edges)
    # A single row far out is a point high, to be visible beside thousands.
    tall = np.where(heights > 0, np.maximum(1.0, _TALL * heights / max(heights.max(), 1)), 0.0)
    bars = "".join(
        f'<rect x="{at(left):.1f}" y="{_BASE - h:.1f}" width="{at(right) - at(left) - 0.6:.1f}" '
        f'height="{h:.1f}"/>'
        for left, right, h in zip(edges[:-1], edges[1:], tall, strict=True)
        if h > 0
    )
    parts = [f'<g class="bars">{bars}</g>', _line(4.0, _BASE, _WIDTH - 4.0, _BASE)]
    if last < high:  # the axis continues in larger steps
        parts += [
            _line(at(last) + i - 2.0, _BASE + 4.0, at(last) + i + 2.0, _BASE - 4.0) for i in (0, 4)
        ]
    parts += [
        _mark(at(query.score), "others", 3.0)
        for query in listed
        if query.row != row and np.isfinite(query.score)
    ]
    if limit is not None and low <= limit <= high:
        words = f"threshold {score_text(limit)}"
        parts.append(_line(at(limit), 3.0, at(limit), _BASE, ' stroke-dasharray="3 2"'))
        parts.append(_text(at(limit), 11.0, words))
    for query in explained:
        if query.row == row:
            name = f"row {elide(row_name(query.row, query.label), 24)}"
            parts.append(_mark(at(query.score), "chosen", 5.0))
            parts.append(_text(at(query.score) - 4, _BASE + 22.0, name, ' class="row"'))
    words = escape(describe_scores(explanation, row))
    return (
        f'<svg role="img" aria-label="{words}" viewBox="0 0 {_WIDTH:g} {_BASE + 26:g}">'
        f"<title>{words}</title>{''.join(parts)}</svg>"
    )


def _line(x: float, y: float, to_x: float, to_y: float, more: str = "") -> str:
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line class="line" {ends}{more}/>'


def _mark(x: float, css: str, size: float) -> str:
    """Triangle below the bars."""
    y = _BASE + 2.0
    points = f"{x:.1f},{y:g} {x - size:.1f},{y + 1.8 * size:g} {x + size:.1f},{y + 1.8 * size:g}"
    return f'<polygon class="{css}" points="{points}"/>'


def _text(x: float, y: float, words: str, more: str = "") -> str:
    """Text beside a place, on the side with more space."""
    fits = x + 4 + _LETTER * len(words) <= _WIDTH
    end = "" if fits else ' text-anchor="end"'
    x = x + 4 if fits else x - 8
    return f'<text x="{x:.1f}" y="{y:g}"{end}{more}>{escape(words)}</text>'


# ---------------------------------------------------------------- others


def without_p_values(query: QueryExplanation) -> QueryExplanation:
    """The row before its p-values, which also decide on the features to blame."""
    aspects = tuple(replace(aspect, p_value=None) for aspect in query.aspects)
    return replace(query, aspects=aspects, p_value=None, features={})


def note(text: str) -> str:
    """Sentence in place of a picture."""
    return f'<p class="pa-note">{escape(text)}</p>'
