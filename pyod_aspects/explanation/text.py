"""How an explanation reads: plain text for a terminal, static HTML for a notebook.

Both say in words what the figures are, so that nobody needs the paper to read them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from .redundancy import distinct

if TYPE_CHECKING:
    from .._util.types import Measure
    from .values import Aspect, Explanation, QueryExplanation

WIDTH = 100
"""Columns of a terminal that are made use of."""

MOST_ROWS = 20
"""Rows shown when nobody said how many."""

# Where the rows that a grid miner counts lie.
_NEARBY = {
    "SGBeam": "in the same bin or the next one, in each of the features",
    "GBeam": "in the same bin, in each of the features",
}


# ---------------------------------------------------------------- words and numbers


def plural(n: int, word: str, many: str | None = None) -> str:
    """Number and noun.

    >>> plural(1, "row"), plural(2000, "row"), plural(0, "anomaly", "anomalies")
    ('1 row', '2,000 rows', '0 anomalies')
    """
    return f"{n:,} {word if n == 1 else many or word + 's'}"


def percent(value: float) -> str:
    """Percentage with one decimal, or as many as keep it from reading 100 when it is less.

    >>> percent(99.735), percent(99.9998), percent(100.0), percent(5.0)
    ('99.7 %', '99.9998 %', '100 %', '5 %')
    """
    for decimals in range(1, 8):
        text = f"{value:.{decimals}f}"
        if float(text) < 100.0:
            break
    return f"{text.rstrip('0').rstrip('.')} %"


def printable(name: str) -> str:
    r"""Name without line breaks or escape sequences, which could garble a terminal.

    >>> print(printable("height\n(cm)"))
    height\n(cm)
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in name)


def shortened(items: Sequence[str], most: int = 10) -> str:
    """List in words, cut if it is long.

    >>> shortened(["3", "5", "8"], most=2)
    '3, 5 and 1 more'
    """
    rest = len(items) - most
    return ", ".join(items[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def amount(value: float, measure: Measure) -> str:
    """Density in few digits; a count of rows has decimals only where they matter."""
    if measure == "density":
        return f"{value:.3g}"
    return f"{value:,.0f}" if value >= 10 or value.is_integer() else f"{value:.1f}"


def number(value: float) -> str:
    """Anomaly score in four digits; their scales run from 1e-15 to 3e5.

    >>> number(0.212345), number(-0.0), number(123456.0)
    ('0.2123', '0', '1.235e+05')
    """
    return f"{value + 0.0:.4g}"


def score_words(explanation: Explanation, aspect: Aspect) -> str:
    """Score of an aspect with its name."""
    if explanation.score_name == "zscore":
        return f"z = {aspect.score:.2f}"
    if explanation.score_name == "rank":
        return f"rank {aspect.score:,.0f} of {explanation.n_rows:,}"
    return f"{printable(explanation.score_name)} = {aspect.score:.4g}"


def density_words(explanation: Explanation, aspect: Aspect, width: int = 0) -> tuple[str, str]:
    """Density at the row, its digits padded to `width`, and on average."""
    here = f"{amount(aspect.density, explanation.measure):>{width}}"
    average = f"{amount(aspect.mean, explanation.measure)} on average"
    if explanation.measure == "density":
        return f"density {here},", average
    return f"{here} {'row' if aspect.density == 1 else 'rows'} nearby,", average


def detector_words(query: QueryExplanation) -> str:
    """Comparison of a row with the others, in the detector's eyes."""
    words = [] if query.percentile is None else [f"higher than {percent(query.percentile)} of rows"]
    if query.is_anomaly is False:
        words.append("not an anomaly")
    return ", ".join(words)


def heading(explanation: Explanation) -> str:
    """Answer who explained what, in one line."""
    n, detector = len(explanation), printable(explanation.detector)
    anomalies = sum(query.is_anomaly is True for query in explanation)
    if all(query.is_anomaly is None for query in explanation):
        what = f"{plural(n, 'row')} scored by {detector}"
    elif anomalies == n:
        what = f"{plural(n, 'anomaly', 'anomalies')} of {detector}"
    else:
        some = {0: "none of them an anomaly", 1: "1 of them an anomaly"}
        which = some.get(anomalies, f"{anomalies:,} of them anomalies")
        what = f"{plural(n, 'row')}, {'not an anomaly' if n == 1 else which} of {detector},"
    rows = plural(explanation.n_rows, "row")
    if explanation.new_rows:
        where = f"in a new table, compared with {rows}"
    else:
        where = f"among {rows}"
    return f"{what} {where}, explained by {printable(explanation.miner)}"


def no_aspect_words(explanation: Explanation) -> str:
    """Say plainly that nothing was found."""
    tau = explanation.settings.get("tau")
    if explanation.score_name != "zscore" or not isinstance(tau, (int, float)):
        return "no aspect was found"
    if tau == 0:
        return (
            "no aspect: in no set of features that was tried is it rarer than average (z below 0)"
        )
    return f"no aspect: in no set of features that was tried is z below {tau:g}"


def left_out_words(more: int, redundant: int) -> str:
    """Say what was found and is not shown.

    >>> left_out_words(5, 2), left_out_words(0, 1), left_out_words(1200, 0)
    ('5 more, 2 redundant', '1 redundant', '1,200 more')
    """
    words = [f"{more:,} more"] if more else []
    return ", ".join(words + ([f"{redundant:,} redundant"] if redundant else []))


def duplicate_words(duplicate_columns: Mapping[str, str]) -> str:
    """Say which columns were left out, as many of them as there is room for.

    >>> duplicate_words({"kg": "weight", "cm": "height"})
    'Duplicate columns, left out: kg (of weight), cm (of height).'
    """
    pairs = [
        f"{printable(name)} (of {printable(first)})" for name, first in duplicate_columns.items()
    ]
    for most in (5, 4, 3, 2, 1):
        words = f"Duplicate columns, left out: {shortened(pairs, most)}."
        if columns(words) <= WIDTH - 2:
            break
    return words


def terms(explanation: Explanation, pictures: bool = True) -> list[str]:
    """Explain the words used, and the band if there are pictures that have one."""
    if explanation.measure == "count":
        where = _NEARBY.get(explanation.miner, "close to the row in each of the features")
        itself = "" if explanation.new_rows else "; the row itself counts"
        lines = [f"Nearby: {where}{itself}."]
    else:
        lines = ["Density: how closely the rows lie around this one, in these features."]
    if explanation.score_name == "zscore":
        lines.append("z: number of standard deviations from the average over all rows.")
    elif explanation.score_name == "rank":
        lines.append("Rank: place among all rows by density; 1 is the loneliest.")
    if pictures and hasattr(getattr(explanation.background, "density", None), "bandwidths_"):
        lines.append("The band in a picture reaches one bandwidth of the kernel to each side.")
    return lines


def legend(explanation: Explanation, redundant: bool = False, pictures: bool = True) -> list[str]:
    """Explain the words used, once, and say which columns were left out."""
    duplicates = explanation.duplicate_columns
    columns_left_out = [duplicate_words(duplicates)] if duplicates else []
    if not any(query.aspects for query in explanation):
        return columns_left_out
    lines = terms(explanation, pictures)
    if redundant:
        lines.append("Redundant: adds little to a smaller set that it contains.")
    return lines + columns_left_out


# ---------------------------------------------------------------- text


def query_line(query: QueryExplanation) -> str:
    """Represent one row in one line."""
    parts = [f"QueryExplanation: row {query.row}", f"score {number(query.score)}"]
    if query.percentile is not None or query.is_anomaly is False:
        parts.append(detector_words(query))
    found = plural(len(query.aspects), "aspect")
    if query.aspects:
        found += ": " + " ".join(braced(query.aspects[0].features, WIDTH))
        found += ", ..." * (len(query.aspects) > 1)
    return ", ".join([*parts, found])


def columns(text: str) -> int:
    """Terminal columns that a text takes: a Chinese character takes two.

    >>> columns("age"), columns("年龄")
    (3, 4)
    """
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def padded(text: str, width: int) -> str:
    """Text with spaces behind it, by terminal columns."""
    return text + " " * (width - columns(text))


def braced(features: Iterable[str], width: int) -> list[str]:
    """Names in braces, broken between names into lines of at most `width` columns.

    >>> braced(["alcohol", "colour intensity", "hue"], 20)
    ['{alcohol,', ' colour intensity,', ' hue}']
    """
    names = [printable(name) for name in features]
    pieces = [name + "," for name in names[:-1]] + [names[-1] + "}"]
    lines = ["{" + pieces[0]]
    for piece in pieces[1:]:
        if columns(lines[-1]) + 1 + columns(piece) <= width:
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
    row_width = max((len(str(query.row)) for query in queries), default=0)
    score_width = max((len(number(query.score)) for query in queries), default=0)

    found = [
        query.aspects if redundant else distinct(query.aspects, explanation.score_name)
        for query in queries
    ]
    best = [group[:aspects] for group in found]
    tails = [
        left_out_words(len(group) - len(shown), len(query.aspects) - len(group))
        for query, group, shown in zip(queries, found, best, strict=True)
    ]
    digits = max((len(amount(a.density, explanation.measure)) for g in best for a in g), default=0)
    words = [[density_words(explanation, a, digits) for a in group] for group in best]
    scores = [[score_words(explanation, a) for a in group] for group in best]
    here_width = max((columns(here) for group in words for here, _ in group), default=0)
    mean_width = max((columns(mean) for group in words for _, mean in group), default=0)
    z_width = max((columns(score) for group in scores for score in group), default=0)

    margin = " " * 6
    rest = max((len(f"(+{tail})") for tail in tails), default=0)
    most = WIDTH - len(margin) - here_width - mean_width - z_width - 7
    names = [a.features for group in best for a in group]
    widest = max((columns(braced(features, 10**9)[0]) for features in names), default=0)
    longest = max((columns(line) for f in names for line in braced(f, 0)), default=0)
    # A name is not broken: for a long one the tail goes to a line of its own.
    room = min(max(most - rest - 3, min(longest, most), 20), widest)

    for query, group, group_words, group_scores, tail in zip(
        queries, best, words, scores, tails, strict=True
    ):
        row = f"  row {query.row:<{row_width}}   score {number(query.score):>{score_width}}"
        lines.append(", ".join(filter(None, [row, detector_words(query)])))
        if not query.aspects:
            lines.append(margin + no_aspect_words(explanation))
        for place, (aspect, (here, mean), score) in enumerate(
            zip(group, group_words, group_scores, strict=True), start=1
        ):
            first, *more = braced(aspect.features, room)
            figures = f"{padded(here, here_width)} {mean:>{mean_width}}   {score:>{z_width}}"
            lines.append(f"{margin}{padded(first, room)}   {figures}")
            if tail and place == len(group):
                fits = columns(lines[-1]) + 3 + len(f"(+{tail})") <= WIDTH
                lines[-1] += f"   (+{tail})" * fits
                more += [f"(+{tail})"] * (not fits)
            lines += [margin + line for line in more]
    rows_left = len(explanation) - len(queries)
    if rows_left > 0:
        lines.append(f"  and {plural(rows_left, 'more row')}: print(explanation.summary())")
    any_redundant = any(
        len(group) < len(query.aspects) for query, group in zip(queries, found, strict=True)
    )
    notes = legend(explanation, any_redundant, pictures=False)
    return "\n".join(lines + ["  " + line for line in notes])


# ---------------------------------------------------------------- HTML

# Colours that hold on a white page and on a black one; text is always currentColor.
_FAINT = "rgba(127,127,127,.15)"
_LINE = "rgba(127,127,127,.4)"
_QUERY = "#D55E00"
_CELL = f"padding:.45em .9em .45em 0;border:0;border-top:1px solid {_LINE}"


def html(explanation: Explanation, aspects: int = 3, rows: int = MOST_ROWS) -> str:
    """Static page fragment: inline styles, no script, every name escaped."""
    head = "".join(
        f'<th scope="col" style="text-align:left;padding:.3em .9em .3em 0;border:0">{title}</th>'
        for title in ("Row", "Score", "Stands out in")
    )
    body = "".join(_html_row(explanation, query, aspects) for query in explanation.queries[:rows])
    left = len(explanation) - rows
    more = f"<p>and {plural(left, 'more row')}: see explanation.to_frame()</p>" if left > 0 else ""
    redundant = any(
        len(distinct(query.aspects, explanation.score_name)) < len(query.aspects)
        for query in explanation.queries[:rows]
    )
    notes = " ".join(escape(line) for line in legend(explanation, redundant, pictures=False))
    if any(query.aspects for query in explanation):
        notes += " A full bar is the average."
    table = (
        '<table style="table-layout:auto;border-collapse:collapse;border:0;margin:0;width:100%;'
        'font-size:1em;color:inherit">'
        f'<thead><tr style="background:transparent">{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )
    # The class keeps MathJax from reading a name with $ in it as a formula.
    return (
        '<div class="tex2jax_ignore mathjax_ignore" '
        'style="max-width:76em;line-height:1.4;color:inherit">'
        f'<p style="margin:.3em 0"><strong>{escape(heading(explanation))}</strong></p>'
        f"{table if explanation else ''}{more}"
        f'<p style="margin:.5em 0;font-size:.9em;opacity:.8">{notes}</p></div>'
    )


def _html_row(explanation: Explanation, query: QueryExplanation, aspects: int) -> str:
    top = "vertical-align:top;text-align:left"
    compared = escape(detector_words(query)).replace(" %", "&nbsp;%")
    return (
        '<tr style="background:transparent">'
        f'<th scope="row" style="{_CELL};{top}">{query.row}</th>'
        f'<td style="{_CELL};{top};min-width:9em">{_minus(number(query.score))}'
        f'<div style="font-size:.85em;opacity:.8">{compared}</div></td>'
        f'<td style="{_CELL};{top};padding-right:0;width:100%">'
        f"{_html_aspects(explanation, query.aspects, aspects)}</td></tr>"
    )


def _html_aspects(explanation: Explanation, aspects: tuple[Aspect, ...], most: int) -> str:
    if not aspects:
        return escape(no_aspect_words(explanation))

    def listed(part: tuple[Aspect, ...], start: int) -> str:
        items = "".join(_html_aspect(explanation, aspect) for aspect in part)
        return f'<ol start="{start}" style="list-style:none;margin:0;padding:0">{items}</ol>'

    def folded(part: tuple[Aspect, ...], words: str, start: int) -> str:
        if not part:
            return ""
        return (
            '<details style="margin:0">'
            '<summary style="cursor:pointer;margin:0 0 .3em;font-size:.85em;opacity:.8">'
            f"{words}</summary>{listed(part, start)}</details>"
        )

    found = distinct(aspects, explanation.score_name)
    redundant = tuple(aspect for aspect in aspects if aspect not in found)
    return (
        listed(found[:most], 1)
        + folded(found[most:], left_out_words(len(found[most:]), 0), most + 1)
        + folded(redundant, left_out_words(0, len(redundant)), len(found) + 1)
    )


def _html_aspect(explanation: Explanation, aspect: Aspect) -> str:
    chips = " ".join(
        '<code style="display:inline-block;max-width:100%;box-sizing:border-box;font:inherit;'
        f"color:inherit;background:{_FAINT};border:1px solid {_LINE};border-radius:.3em;"
        f'padding:0 .35em;margin:0 0 .15em;overflow-wrap:anywhere">{escape(printable(name))}</code>'
        for name in aspect.features
    )
    here, average = density_words(explanation, aspect)
    filled = min(1.0, max(0.0, aspect.density / aspect.mean)) if aspect.mean > 0.0 else 1.0
    # The words beside it say the same, so a reader who does not see the bar misses nothing.
    bar = (
        '<span aria-hidden="true" style="flex:0 0 5em;height:.6em;'
        f'background:{_FAINT};border:1px solid {_LINE};border-radius:.15em">'
        '<span style="display:block;height:100%;'
        f'width:{100 * filled:.0f}%;min-width:2px;background:{_QUERY}"></span></span>'
    )
    score = _minus(escape(score_words(explanation, aspect)))
    room = 30 if explanation.measure == "count" else 36
    return (
        '<li style="display:flex;flex-wrap:wrap;gap:0 1.2em;align-items:baseline;margin:0 0 .3em">'
        f'<span style="flex:1 1 14em;min-width:0">{chips}</span> '
        f'<span style="flex:0 0 {room}em;max-width:100%;'
        "display:flex;gap:.8em;align-items:baseline;"
        f'font-variant-numeric:tabular-nums">{bar}'
        f'<span style="flex:1 1 auto">{escape(here)} {escape(average)}</span> '
        f'<span style="flex:0 0 auto;white-space:nowrap">{score}</span></span></li>'
    )


def _minus(text: str) -> str:
    """Text with the minus sign that is as wide as a digit."""
    return text.replace("-", "\u2212")
