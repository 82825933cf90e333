"""Known labels in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .wording import elide, plural

if TYPE_CHECKING:
    from ..query import QueryExplanation
    from ..values import Explanation

MOST_LABELS = 5
"""Most labels to count in words."""


def known_words(explanation: Explanation, query: QueryExplanation) -> str:
    """Label of a row, "fraud = yes"; "" without a label."""
    if explanation.known is None or query.known is None:
        return ""
    return _pair(explanation.known.name, query.known)


def known_lines(explanation: Explanation) -> list[str]:
    """Say how many explained rows have each label, and how many of all rows do.

    The rarest label comes first.

    >>> from pyod_aspects import Explanation, QueryExplanation
    >>> rows = [QueryExplanation(i, 1.0, True, ()) for i in range(3)]
    >>> some = Explanation(rows, "KNN", "SGBeam", {}, "lift", "count", 6, ("x",))
    >>> for line in known_lines(some.with_known(["yes", "yes", "no", "no", "no", "no"], "fraud")):
    ...     print(line)
    fraud = yes: 2 of these 3 rows, 2 of all 6 rows
    fraud = no: 1 of these 3 rows, 4 of all 6 rows
    """
    known = explanation.known
    if known is None or not explanation.queries:
        return []
    here = Counter(query.known for query in explanation if query.known is not None)
    labels = sorted(here, key=lambda label: (known.counts[label], label))
    these = f"these {plural(len(explanation), 'row')}" if len(explanation) > 1 else "1 row"
    lines = [
        f"{_pair(known.name, label)}: {here[label]:,} of {these}, "
        f"{known.counts[label]:,} of all {plural(known.n_rows, 'row')}"
        for label in labels[:MOST_LABELS]
    ]
    rest = labels[MOST_LABELS:]
    if rest:
        n = sum(here[label] for label in rest)
        lines.append(
            f"{elide(known.name)}: {plural(n, 'row')} with {plural(len(rest), 'more label')}"
        )
    return lines


def _pair(name: str, label: str) -> str:
    return f"{elide(name)} = {elide(label)}"
