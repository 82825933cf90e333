"""Pieces of HTML that all parts of the page use. They escape all text of the data."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isnan

from .._util.numbers import set_minus
from ..explanation.writing.wording import elide, printable
from .limits import LONGEST_NAME, LONGEST_TEXT, MOST_FEATURES


def told(words: str) -> str:
    r"""Sentence as HTML: escaped, cut to a limit, with minus signs and unbroken figures.

    >>> told("a < -3 in 5 % of rows") == "a &lt; −3 in 5\xa0% of rows"
    True
    """
    words = printable(words)
    if len(words) > LONGEST_TEXT:
        words = words[: LONGEST_TEXT - 1].rstrip() + "…"
    return keep_together(escape(set_minus(words)))


def keep_together(words: str) -> str:
    """Text without line breaks between a feature and its value, or before a percent sign."""
    return words.replace(" %", "\u00a0%").replace(" = ", "\u00a0=\u00a0")


def capital(words: str) -> str:
    """Begin with a capital letter.

    >>> capital("no ordinary row"), capital("")
    ('No ordinary row', '')
    """
    return words[:1].upper() + words[1:]


def chips(features: Sequence[str]) -> str:
    """Names of features, each in a box; spaces separate them for readers who see no boxes."""
    boxes = [
        f'<span class="chip">{escape(elide(name, LONGEST_NAME))}</span>'
        for name in features[:MOST_FEATURES]
    ]
    if len(features) > MOST_FEATURES:
        boxes.append(f'<span class="soft">and {len(features) - MOST_FEATURES:,} more</span>')
    return " ".join(boxes)


def bar(share: float, words: str, caption: str) -> str:
    """Bar for a share from 0 to 1, with its words below and as a tooltip."""
    percent = 0.0 if isnan(share) else 100.0 * min(max(share, 0.0), 1.0)
    tip = f"{escape(words)}: {percent:.0f} %"
    below = told(f"{percent:.0f} % {caption}")
    return (
        f'<span class="bar" title="{tip}"><i style="width:{percent:.0f}%"></i></span>'
        f'<span class="below">{below}</span>'
    )


def list_facts(facts: Sequence[tuple[str, str]]) -> str:
    """List of titles and texts, both HTML."""
    if not facts:
        return ""
    pairs = "".join(f"<div><dt>{title}</dt><dd>{words}</dd></div>" for title, words in facts)
    return f'<dl class="facts">{pairs}</dl>'
