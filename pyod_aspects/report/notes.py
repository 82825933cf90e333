"""The end of the page: definitions of words, and the settings to reproduce it."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from html import escape
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from typing import Any

from ..explanation import Explanation
from ..explanation.writing.wording import legend, no_p_value_words, plural, printable
from .limits import LONGEST_VALUE, MOST_SETTINGS
from .pieces import told

_PACKAGES = ("pyod", "numpy", "scikit-learn", "numba", "pandas", "matplotlib")


def notes(explanation: Explanation, redundant: bool) -> str:
    """Write definitions, settings and versions."""
    said = no_p_value_words(explanation)  # already at the top
    lines = [line for line in legend(explanation, redundant) if line not in said]
    terms = "".join(f"<p>{told(line)}</p>" for line in lines)
    parts = [
        ("The miner", {"miner": explanation.miner} | dict(explanation.settings)),
        ("The detector", {"detector": explanation.detector} | _detector_settings(explanation)),
        ("Versions", _versions(explanation)),
    ]
    settings = "".join(
        f'<h3>{escape(title)}</h3><p class="name">{_pairs(items)}</p>' for title, items in parts
    )
    table = (
        f"{plural(explanation.n_rows, 'row')}, {plural(len(explanation.feature_names), 'feature')}."
    )
    words = f"<h2>What the words mean</h2>{terms}" if terms else ""
    return (
        f'<footer class="panel notes">{words}<h2>How it was made</h2>'
        f"<h3>The table</h3><p>{table}</p>{settings}</footer>\n"
    )


def _pairs(items: Mapping[str, Any]) -> str:
    pairs = [
        escape(f"{_abbreviate(name)} {_abbreviate(value)}")
        for name, value in islice(items.items(), MOST_SETTINGS)
    ]
    rest = len(items) - MOST_SETTINGS
    return ", ".join(pairs) + (f" and {rest:,} more" if rest > 0 else "")


def _abbreviate(value: Any) -> str:
    text = printable(" ".join(str(value).split()))
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def _detector_settings(explanation: Explanation) -> dict[str, Any]:
    """Parameters of the detector, if it is at hand and has `get_params`."""
    explainer = explanation.background and explanation.background.explainer
    ask = getattr(getattr(explainer, "detector", None), "get_params", None)
    try:
        return dict(ask(deep=False)) if callable(ask) else {}
    except Exception:  # a detector of the user's own: its settings are not worth a failure
        return {}


def _versions(explanation: Explanation) -> dict[str, str]:
    """Versions of the packages; only of pyod_aspects for an explanation from a file."""
    versions = {"pyod_aspects": explanation.version or "unknown"}
    if explanation.background is not None:
        versions["Python"] = platform.python_version()
        for package in _PACKAGES:
            try:
                versions[package] = version(package)
            except PackageNotFoundError:
                continue
    return versions
