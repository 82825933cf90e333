"""An explanation as one page to hand to others: pictures, words, settings and versions.

The page is a single file without scripts, which asks for nothing from elsewhere. Its pictures
are SVG in the colour of its text, so it reads on a light screen, on a dark one and on paper.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from html import escape
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ._util.numbers import density_text, score_text, set_minus
from .explanation import Explanation, QueryExplanation
from .explanation.sentences import evidence_words
from .explanation.wording import (
    detector_words,
    has_labels,
    heading,
    is_convincing,
    legend,
    no_aspect_words,
    plural,
    printable,
    row_name,
    row_words,
    score_words,
    sure_words,
    usual_density,
)
from .plots import (
    describe_aspect,
    describe_overview,
    describe_scores,
    plot_aspect,
    plot_overview,
    plot_scores,
    to_svg,
)
from .plots.words import place_words

PICTURED_ROWS = 20
PICTURED_ASPECTS = 5
"""Rows and aspects of a row that get a picture; what is beyond is said in words."""

_PACKAGES = ("pyod", "numpy", "scikit-learn", "numba", "pandas", "matplotlib")

# Nothing may be loaded or run, whatever stands in the data.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

_STYLE = """
:root { --ink: #1d2329; --soft: #59636e; --paper: #ffffff; --card: #f6f8fa; --line: #d5dbe1;
  --link: #1f5f8b; --query: #b84f00; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --soft: #a3adb8; --paper: #14181c; --card: #1d2329; --line: #3a434c;
    --link: #7db9e0; --query: #ff9a52; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.5rem 3rem; max-width: 74rem; color: var(--ink);
  background: var(--paper); line-height: 1.5;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; }
p { margin: .3rem 0; }
a { color: var(--link); }
.lead { font-size: 1.1rem; }
.soft, figcaption, caption { color: var(--soft); font-size: .92rem; }
.name { overflow-wrap: break-word; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0;
  border-bottom: 1px solid var(--line); }
td.figure, th.figure { text-align: right; white-space: nowrap; }
figure { margin: 0; }
svg { display: block; }
svg text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue",
  sans-serif !important; }
.glance { display: flex; flex-wrap: wrap; gap: 0 2.5rem; margin-bottom: 2rem; }
.glance section { flex: 1 1 30rem; min-width: 0; }
.glance section:first-child { flex-basis: 100%; }
.glance section:last-child { flex-basis: auto; }
.glance figcaption { width: 0; min-width: min(100%, 40rem); } /* the picture sets the width */
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  padding: .9rem 1.2rem 1.1rem; margin: 1.2rem 0; }
.card h2 { margin: 0; }
.card h2 a { color: inherit; text-decoration: none; }
.card ol { list-style: none; margin: .6rem 0 0; padding: 0; display: grid; gap: 1.2rem 1.6rem;
  grid-template-columns: repeat(auto-fill, minmax(min(27rem, 100%), 1fr)); }
.card table { margin-top: 1rem; width: 100%; max-width: 46rem; }
.score { color: var(--query); font-weight: 600; }
.card li { min-width: 0; }
@media print {
  @page { margin: 14mm; }
  :root { font-size: 8.5pt; }
  body { padding: 0; max-width: none; }
  .scroll { overflow: visible; }
  .glance { display: block; }
  .glance svg { max-height: 58mm; width: auto; }
  .card { background: none; break-inside: avoid; padding: .5rem .8rem; margin: .6rem 0; }
  .card ol { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem .8rem; }
  .card svg { max-height: 62mm; width: auto; }
  figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
}
"""


def report(explanation: Explanation, redundant: bool = False) -> str:
    """Write the page.

    Parameters
    ----------
    explanation : Explanation
    redundant : bool, default=False
        Whether to show redundant aspects too; else each row says how many it has.

    Returns
    -------
    str
        HTML. The same explanation gives the same page.

    Examples
    --------
    >>> from pyod_aspects import Aspect
    >>> aspect = Aspect((0, 1), ("alcohol", "proline"), score=-3.41, density=2, mean=31.2, std=8.5)
    >>> explanation = Explanation(
    ...     queries=(QueryExplanation(22, 0.71, True, (aspect,), percentile=99.2),),
    ...     detector="IForest",
    ...     miner="SGBeam",
    ...     settings={"max_dim": 5},
    ...     score_name="zscore",
    ...     measure="count",
    ...     n_rows=178,
    ...     feature_names=("alcohol", "proline"),
    ... )
    >>> page = report(explanation)
    >>> page[:15], "Row 22" in page, "<script" in page
    ('<!DOCTYPE html>', True, False)
    """
    found = [len(query.aspects) for query in explanation]
    if not redundant:
        explanation = explanation.distinct()
    left_out = [n - len(query.aspects) for n, query in zip(found, explanation, strict=True)]
    cards = "".join(
        _card(explanation, query, place, n)
        for place, (query, n) in enumerate(zip(explanation, left_out, strict=True))
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(heading(explanation))}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<header>{_head(explanation, any(left_out))}</header>\n"
        f"<main>\n{_at_a_glance(explanation)}{cards}</main>\n<footer>{_settings(explanation)}</footer>\n</body>\n</html>\n"
    )


def _head(explanation: Explanation, redundant: bool) -> str:
    words = [
        f"<h1>Why these rows stand out</h1><p class='lead'>{escape(heading(explanation))}.</p>"
    ]
    words += [f'<p class="soft">{escape(line)}</p>' for line in legend(explanation, redundant)]
    if explanation.queries and explanation.background is None:
        words.append(
            '<p class="soft">There are no pictures of the rows: this explanation was read from a '
            "file, and the table that it was made from did not come along.</p>"
        )
    elif len(explanation) > PICTURED_ROWS:
        words.append(
            f'<p class="soft">The first {PICTURED_ROWS} rows have pictures, the other '
            f"{len(explanation) - PICTURED_ROWS:,} words only.</p>"
        )
    return "".join(words)


def _at_a_glance(explanation: Explanation) -> str:
    """Scores, overview, and a line for each row."""
    if not explanation.queries:
        return "<p>No row was explained.</p>"
    pictures = []
    if explanation.background is not None:
        words = describe_scores(explanation, explanation[0].row)
        axes = plot_scores(explanation, explanation[0].row)
        pictures.append(("The detector’s scores", axes.figure, words))
    if any(query.aspects for query in explanation):
        words = describe_overview(explanation)
        pictures.append(("Features that matter", plot_overview(explanation).figure, words))
    sections = "".join(
        f"<section><h2>{title}</h2><figure>{_scroll_box(to_svg(figure, words))}"
        f"<figcaption>{escape(words)}</figcaption></figure></section>\n"
        for title, figure, words in pictures
    )
    lines, labels = [], has_labels(explanation)
    tested = all(query.p_value is not None for query in explanation)
    for query in explanation:
        best = _best_words(query) if query.aspects else "–"
        position = f'<td class="figure">{query.row}</td>' if labels else ""
        sure = f"<td>{'yes' if is_convincing(explanation, query) else 'no'}</td>" if tested else ""
        lines.append(
            f'<tr><th scope="row" class="name"><a href="#row-{query.row}">'
            f"{escape(row_name(query.row, query.label))}</a></th>{position}"
            f'<td class="figure">{set_minus(score_text(query.score))}</td>'
            f"<td>{_comparison(query).removeprefix('higher than ') or '–'}</td>"
            f"{sure}<td>{best}</td></tr>"
        )
    head = "".join(
        f'<th scope="col"{css}>{title}</th>'
        for title, css in (
            ("Row", ""),
            *([("Position", ' class="figure"')] if labels else []),
            ("Score", ' class="figure"'),
            ("Higher than", ""),
            *([("Sure", "")] if tested else []),
            ("Stands out most", ""),
        )
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    rows = f"<section><h2>The rows</h2>{_scroll_box(table)}</section>"
    return f'<div class="glance">{rows}\n{sections}</div>\n'


def _card(explanation: Explanation, query: QueryExplanation, place: int, left_out: int) -> str:
    """One row: its score, pictures of the best aspects, and the others in a table."""
    drawn = 0
    if explanation.background is not None and place < PICTURED_ROWS:
        drawn = min(PICTURED_ASPECTS, len(query.aspects))
    comparison = _comparison(query)
    words = f'<span class="score">score {set_minus(score_text(query.score))}</span>'
    body = f"<p>{words}{', ' + comparison if comparison else ''}</p>"
    if not query.aspects:
        body += f"<p>{escape(no_aspect_words(explanation, query))}</p>"
    elif query.p_value is not None:
        sure = escape(sure_words(explanation, query)).replace(" %", "&nbsp;%")
        body += f"<p>{sure[:1].upper()}{sure[1:]}.</p>"
    rest = _table(explanation, query, drawn) if query.aspects[drawn:] else ""
    if drawn:
        figures = [_picture(explanation, query, i) for i in range(drawn)]
        rest = f"<ol>{''.join(figures)}{rest and f'<li>{rest}</li>'}</ol>"
    body += rest
    if left_out:
        body += f'<p class="soft">Not shown: {plural(left_out, "redundant aspect")}.</p>'
    anchor = f"row-{query.row}"
    return (
        f'<section class="card" id="{anchor}"><h2 class="name"><a href="#{anchor}">'
        f"{escape(row_words(query, 'Row'))}</a></h2>{body}</section>\n"
    )


def _picture(explanation: Explanation, query: QueryExplanation, i: int) -> str:
    """One aspect; the figures stand in the picture, so the caption leaves them out."""
    words = describe_aspect(explanation, query.row, i)
    figure = plot_aspect(explanation, query.row, i)
    evidence = set_minus(evidence_words(query.aspects[i], query.features))
    caption = escape(evidence or place_words(explanation, query, query.aspects[i]))
    return (
        f"<li><figure>{to_svg(figure, words)}"
        f'<figcaption class="name">{caption}.</figcaption></figure></li>'
    )


def _table(explanation: Explanation, query: QueryExplanation, before: int) -> str:
    """Aspects of a row in words, those after the first ones."""
    density_title = "Rows nearby" if explanation.measure == "count" else "Density"
    aspects = query.aspects[before:]
    title = usual_density(aspects[0])[1].capitalize()
    titles = ["", "Features", density_title, title, "Score"]
    lines = []
    for place, aspect in enumerate(aspects, start=before + 1):
        usual, _ = usual_density(aspect)
        figures = [density_text(value, explanation.measure) for value in (aspect.density, usual)]
        figures.append(set_minus(escape(score_words(explanation, aspect))))
        cells = "".join(f'<td class="figure">{figure}</td>' for figure in figures)
        words = escape(set_minus(evidence_words(aspect, query.features)))
        names = _feature_names(aspect.features) + (words and f'<div class="name">{words}</div>')
        lines.append(f"<tr><td>{place}</td><td>{names}</td>{cells}</tr>")
    head = "".join(
        f'<th scope="col"{" class=figure" if i > 1 else ""}>{title}</th>'
        for i, title in enumerate(titles)
    )
    caption = "<caption>More aspects</caption>" if before else ""
    return _scroll_box(
        f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )


def _settings(explanation: Explanation) -> str:
    """What it takes to do it again."""
    parts = [
        ("The miner", {"miner": explanation.miner} | dict(explanation.settings)),
        ("The detector", {"detector": explanation.detector} | _detector_settings(explanation)),
        ("Versions", _versions(explanation)),
    ]
    columns = "".join(
        f'<tr><th scope="row">{escape(title)}</th><td class="name">{_pairs(items)}</td></tr>'
        for title, items in parts
        if items
    )
    return (
        f"<h2>Settings</h2><p>{plural(explanation.n_rows, 'row')}, "
        f"{plural(len(explanation.feature_names), 'feature')}.</p>"
        f"{_scroll_box(f'<table><tbody>{columns}</tbody></table>')}"
    )


def _pairs(items: Mapping[str, Any]) -> str:
    return ", ".join(
        escape(f"{printable(str(name))} {printable(_abbreviate(value))}")
        for name, value in items.items()
    )


def _abbreviate(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 200 else text[:199] + "…"


def _detector_settings(explanation: Explanation) -> dict[str, Any]:
    """Parameters of the detector, if it is still at hand and tells."""
    explainer = explanation.background and explanation.background.explainer
    ask = getattr(getattr(explainer, "detector", None), "get_params", None)
    try:
        return dict(ask(deep=False)) if callable(ask) else {}
    except Exception:  # a detector of somebody's own: its settings are not worth a failure
        return {}


def _versions(explanation: Explanation) -> dict[str, str]:
    """Versions of what made the explanation; of pyod_aspects alone if that was elsewhere."""
    versions = {"pyod_aspects": explanation.version or "unknown"}
    if explanation.background is not None:
        versions["Python"] = platform.python_version()
        for package in _PACKAGES:
            try:
                versions[package] = version(package)
            except PackageNotFoundError:
                continue
    return versions


# ---------------------------------------------------------------- small pieces


def _feature_names(features: Iterable[str]) -> str:
    return f'<span class="name">{" × ".join(escape(printable(name)) for name in features)}</span>'


def _best_words(query: QueryExplanation) -> str:
    aspect = query.aspects[0]
    words = escape(set_minus(evidence_words(aspect, query.features)))
    return f'<span class="name">{words}</span>' if words else _feature_names(aspect.features)


def _comparison(query: QueryExplanation) -> str:
    return escape(detector_words(query)).replace(" %", "&nbsp;%")


def _scroll_box(content: str) -> str:
    """Let what is wider than the screen scroll by itself, and by keyboard."""
    return f'<div class="scroll" tabindex="0">{content}</div>'
