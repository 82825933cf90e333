"""An explanation as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .._util.numbers import density_text, score_text
from .redundancy import distinct
from .sentences import evidence_words
from .wording import (
    WIDTH,
    density_words,
    detector_words,
    display_width,
    heading,
    left_out_words,
    legend,
    no_aspect_words,
    plural,
    printable,
    row_words,
    score_words,
    sure_words,
    wrap,
)

if TYPE_CHECKING:
    from .values import Explanation, QueryExplanation


def query_line(query: QueryExplanation) -> str:
    """Represent one row in one line."""
    parts = [f"QueryExplanation: {row_words(query)}", f"score {score_text(query.score)}"]
    if query.percentile is not None or query.is_anomaly is False:
        parts.append(detector_words(query))
    found = plural(len(query.aspects), "aspect")
    if query.aspects:
        found += ": " + " ".join(in_braces(query.aspects[0].features, WIDTH))
        found += ", ..." * (len(query.aspects) > 1)
    return ", ".join([*parts, found])


def pad(text: str, width: int) -> str:
    """Add spaces up to a width in terminal columns."""
    return text + " " * (width - display_width(text))


def in_braces(features: Iterable[str], width: int) -> list[str]:
    """Names in braces, broken between names into lines of at most `width` columns.

    >>> in_braces(["alcohol", "colour intensity", "hue"], 20)
    ['{alcohol,', ' colour intensity,', ' hue}']
    """
    names = [printable(name) for name in features]
    pieces = [name + "," for name in names[:-1]] + [names[-1] + "}"]
    lines = ["{" + pieces[0]]
    for piece in pieces[1:]:
        if display_width(lines[-1]) + 1 + display_width(piece) <= width:
            lines[-1] += " " + piece
        else:
            lines.append(" " + piece)
    return lines


def summary(
    explanation: Explanation, aspects: int, rows: int | None, redundant: bool = False
) -> str:
    """Rows with their best aspects, in aligned columns."""
    queries = explanation.queries[:rows]
    lines = ["Explanation: " + heading(explanation)]
    row_width = max((display_width(row_words(query)) for query in queries), default=0)
    score_width = max((len(score_text(query.score)) for query in queries), default=0)

    found = [
        query.aspects if redundant else distinct(query.aspects, explanation.score_name)
        for query in queries
    ]
    best = [group[:aspects] for group in found]
    tails = [
        left_out_words(len(group) - len(part), len(query.aspects) - len(group))
        for query, group, part in zip(queries, found, best, strict=True)
    ]
    digits = max(
        (len(density_text(a.density, explanation.measure)) for g in best for a in g), default=0
    )
    words = [[density_words(explanation, a, digits) for a in group] for group in best]
    scores = [[score_words(explanation, a) for a in group] for group in best]
    here_width = max((display_width(here) for group in words for here, _ in group), default=0)
    mean_width = max((display_width(mean) for group in words for _, mean in group), default=0)
    z_width = max((display_width(score) for group in scores for score in group), default=0)

    margin = " " * 6
    rest = max((len(f"(+{tail})") for tail in tails), default=0)
    most = WIDTH - len(margin) - here_width - mean_width - z_width - 7
    names = [a.features for group in best for a in group]
    widest = max((display_width(in_braces(features, 10**9)[0]) for features in names), default=0)
    longest = max((display_width(line) for f in names for line in in_braces(f, 0)), default=0)
    # A name is not broken: for a long one the tail goes to a line of its own.
    room = min(max(most - rest - 3, min(longest, most), 20), widest)

    for query, group, group_words, group_scores, tail in zip(
        queries, best, words, scores, tails, strict=True
    ):
        row = f"  {pad(row_words(query), row_width)}   "
        row += f"score {score_text(query.score):>{score_width}}"
        lines.append(", ".join(filter(None, [row, detector_words(query)])))
        if not query.aspects:
            lines.append(margin + no_aspect_words(explanation, query))
        elif query.p_value is not None:
            lines.append(margin + sure_words(explanation, query))
        for place, (aspect, (here, mean), score) in enumerate(
            zip(group, group_words, group_scores, strict=True), start=1
        ):
            first, *more = in_braces(aspect.features, room)
            figures = f"{pad(here, here_width)} {mean:>{mean_width}}   {score:>{z_width}}"
            lines.append(f"{margin}{pad(first, room)}   {figures}")
            fits = display_width(lines[-1]) + 3 + len(f"(+{tail})") <= WIDTH
            last = bool(tail) and place == len(group)
            lines[-1] += f"   (+{tail})" * (last and fits)
            lines += [margin + line for line in more]
            for i, line in enumerate(
                wrap(evidence_words(aspect, query.features), WIDTH - len(margin) - 4)
            ):
                lines.append(f"{margin}  {'  ' * (i > 0)}{line}")
            lines += [f"{margin}(+{tail})"] * (last and not fits)
    rows_left = len(explanation) - len(queries)
    if rows_left > 0:
        lines.append(f"  and {plural(rows_left, 'more row')}: print(explanation.summary())")
    any_redundant = any(
        len(group) < len(query.aspects) for query, group in zip(queries, found, strict=True)
    )
    notes = legend(explanation, any_redundant, pictures=False)
    return "\n".join(lines + ["  " + line for line in notes])
