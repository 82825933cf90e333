"""Groups: rows that are odd for the same reason, so that a hundred rows read as a few sentences.

The reasons of a row are the features to blame with the way in which they are odd, "depth is low"
(see `reasons`). The first one, which the row's headline states, decides the group:

1. Rows with the same first reason are a group.
2. But at least half of them, and at least three, may have the very same value, such as 0. If it
   stands apart, these are a group of their own, and the rule applies to the others again. A number
   stands apart if it lies outside of the typical range, and every other value is farther from it
   than a quarter of its distance to that range. A text always does.

Groups come largest first, then by their first row.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ...search.aspect import Value
from ..writing import grouping as _grouping
from ..writing.sentences.values import way_words
from .reasons import WAYS, Reason, RowReasons, all_reasons

if TYPE_CHECKING:
    import pandas as pd

    from ...search.aspect import Evidence
    from ..values import Explanation

FEWEST_EQUAL = 3
"""Fewest rows with the very same value for a group of their own."""

MOST_NAMES = 3
"""Most other features that a sentence names."""

COMPANION = 0.5
"""Least weight of another feature in the sentence, as a share of the first reason's."""

APART = 0.25
"""Least distance of other values from such a value, as a share of its distance to the range."""


@dataclass(frozen=True, repr=False)
class Group:
    """Rows that are odd for the same reason.

    Attributes
    ----------
    features : tuple of str
        The feature to blame comes first; or all features that are rare together. Then come the
        features that it does not go with, or that are as odd in most of these rows.
    directions : tuple of str
        Direction of each in most rows: "high", "low", "between" or "rare"; "" if unknown.
    rows : tuple of int
        The rows by position, in the order of the explanation.
    places : tuple of int
        For each row the place, from 0, of the aspect with this reason.
    sentence : str
        The reason in words: "y too low for x or z", "carat is high, mostly x too".
    labels : tuple of str or None
        Names of the rows; None where a row has no label.
    values : tuple of float or str
        Value of the first feature in each row, in the user's units; empty if unknown.
    typical : tuple
        Range of the middle 90 % of all rows in that feature; see `Evidence`. Empty unless the rows
        are high or low in that feature by itself.
    short : str
        The sentence without the other odd features: "carat is high".

    Examples
    --------
    >>> group = Group(("depth",), ("low",), (10377, 6341), (0, 0), "depth is low")
    >>> len(group)
    2
    >>> group
    Group: depth is low, 2 rows: 10377, 6341
    """

    features: tuple[str, ...]
    directions: tuple[str, ...]
    rows: tuple[int, ...]
    places: tuple[int, ...]
    sentence: str
    labels: tuple[str | None, ...] = ()
    values: tuple[Value, ...] = ()
    typical: tuple[Value, ...] = ()
    short: str = ""

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return _grouping.group_line(self)


class Groups(tuple[Group, ...]):
    """All groups of an explanation, the largest first, groups of one row last.

    A tuple of `Group` that prints as text, and converts to a frame and to JSON.

    Attributes
    ----------
    left_out : int
        Number of explained rows in no group, as nothing about them is convincing.

    Examples
    --------
    >>> Groups([Group(("depth",), ("low",), (10377, 6341), (0, 0), "depth is low")], left_out=1)
    Groups: 1 group of 2 rows, 1 row with nothing convincing
      2 rows   depth is low
               rows 10377, 6341
    """

    left_out: int

    def __new__(cls, groups: Iterable[Group] = (), left_out: int = 0) -> Groups:
        """Make a tuple that also holds the number of rows in no group."""
        self = super().__new__(cls, groups)
        self.left_out = left_out
        return self

    def __repr__(self) -> str:
        return _grouping.summary(self)

    def to_frame(self) -> pd.DataFrame:
        """Table with one line for each row.

        Returns
        -------
        pandas.DataFrame
            Columns of the group: ``group`` (1 is the largest), ``sentence``, ``features``,
            ``directions`` and ``rows`` (their number). Columns of the row: ``row`` (the position),
            ``label``, ``aspect`` (1 is the best) and ``value`` of the first feature.
        """
        return _grouping.to_frame(self)

    def to_json(self) -> str:
        """Write the groups as JSON.

        Returns
        -------
        str
            A list with an object for each group; its keys are the fields of `Group`.
        """
        return _grouping.to_json_text(self)


def find_groups(explanation: Explanation) -> Groups:
    """Return the groups of `Explanation.groups`."""
    rows = all_reasons(explanation)
    names = explanation.feature_names
    found = [to_group(reason, [rows[i] for i in members], names) for reason, members in part(rows)]
    return Groups(found, left_out=sum(not row.told for row in rows))


def part(rows: Sequence[RowReasons]) -> list[tuple[Reason, list[int]]]:
    """Divide the rows by their first reasons; each group with the numbers of its rows."""
    sharing: dict[Reason, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        if row.weights:
            sharing[row.first].append(i)
    groups: list[tuple[Reason, list[int]]] = []
    for reason, members in sharing.items():
        left = members
        while left:
            together = _with_equal_value(reason, left, rows) or left
            groups.append((reason, together))
            grouped = set(together)
            left = [i for i in left if i not in grouped]
    return sorted(groups, key=lambda group: (-len(group[1]), group[1][0]))


def _with_equal_value(
    reason: Reason, members: Sequence[int], rows: Sequence[RowReasons]
) -> list[int]:
    """Rows with a value that many of them share and that stands apart; else empty."""
    evidence = [one for i in members if (one := rows[i].evidence_of(reason)) is not None]
    if len(reason.columns) > 1 or len(evidence) < len(members):
        return []
    values = [one.value for one in evidence]
    [(value, n)] = Counter(values).most_common(1)
    if n < FEWEST_EQUAL or 2 * n < len(members) or n == len(members):
        return []
    if isinstance(value, float):
        away = _distance(value, evidence[values.index(value)].typical)
        others = [abs(v - value) for v in values if isinstance(v, float) and v != value]
        if away <= 0.0 or min(others, default=math.inf) <= APART * away:
            return []
    return [i for i, v in zip(members, values, strict=True) if v == value]


def _distance(value: float, typical: Sequence[Value]) -> float:
    """Distance of a number outside of a range; 0 if unknown."""
    ends = [end for end in typical if isinstance(end, float)]
    return max(min(ends) - value, value - max(ends), 0.0) if len(ends) == 2 else 0.0


# ---------------------------------------------------------------- a group in words


def to_group(reason: Reason, rows: Sequence[RowReasons], names: Sequence[str]) -> Group:
    """Group of the rows that share a reason."""
    evidence = [one for row in rows if (one := row.evidence_of(reason)) is not None]
    if len(evidence) < len(rows):
        evidence = []
    values = tuple(one.value for one in evidence)
    equal = len(rows) >= FEWEST_EQUAL or reason.way == "rare"
    partners = [] if reason.alone else _partners(reason, rows)
    companions = _companions(reason, rows)
    others = [one.column for one in partners[:MOST_NAMES]]
    others += [one.column for one in companions]
    columns = (*reason.columns, *others)
    facts = _grouping.Facts(
        names=[names[a] for a in reason.columns],
        way=_word(reason, evidence),
        value=values[0] if equal and len(set(values)) == 1 else None,
        partners=[(names[one.column], one.missing) for one in partners],
        every=all(one.n == len(rows) for one in partners),
        expected=all(one.outside > 0.0 and one.expected for one in evidence),
        companions=[(names[one.column], one.way, one.equal) for one in companions],
        share=max((one.n for one in companions), default=len(rows)) / len(rows),
        order=names,
    )
    return Group(
        features=tuple(names[a] for a in columns),
        directions=tuple(_direction(reason, a, rows) for a in columns),
        rows=tuple(row.query.row for row in rows),
        places=tuple(row.places[reason][0] for row in rows),
        sentence=_grouping.sentence(facts),
        labels=tuple(row.query.label for row in rows),
        values=values,
        typical=evidence[0].typical if evidence and _by_itself(reason) else (),
        short=_grouping.sentence(facts._replace(companions=(), share=1.0)),
    )


def _by_itself(reason: Reason) -> bool:
    """Whether the typical range of the first feature shows why the rows are odd."""
    return reason.alone and len(reason.columns) == 1 and reason.way in ("high", "low", "rare")


def _word(reason: Reason, evidence: Sequence[Evidence]) -> str:
    """Way of a reason as a word: a time is late or early; a gap must be one in all rows."""
    if reason.way in ("high", "low") and evidence:
        return way_words(evidence[0])
    gap = reason.way == "between" and evidence and all(one.gap is not None for one in evidence)
    return "gap" if gap else reason.way


class _Partner(NamedTuple):
    """A feature that the one to blame does not go with."""

    column: int
    n: int
    missing: bool


def _partners(reason: Reason, rows: Sequence[RowReasons]) -> list[_Partner]:
    """Features that the blamed one does not go with, each with its number of rows, most first.

    Ties go to the feature whose aspects have the better places, then to the first column.
    """
    best: dict[int, list[int]] = defaultdict(list)
    missing: dict[int, bool] = {}
    for row in rows:
        found: dict[int, int] = {}
        for place in row.places[reason]:
            for a in row.told[place].subspace:
                found[a] = min(place, found.get(a, place))
        for a, place in found.items():
            best[a].append(place)
            one = row.evidence(place, a)
            missing[a] = missing.get(a, True) and one is not None and one.value is None
    order = sorted((-len(places), sum(places), a) for a, places in best.items())
    return [_Partner(a, -n, missing[a]) for n, _, a in order if a not in reason.columns]


class _Companion(NamedTuple):
    """Another feature that is odd by itself in some rows of a group."""

    column: int
    way: str
    n: int
    equal: bool


def _companions(reason: Reason, rows: Sequence[RowReasons]) -> list[_Companion]:
    """Other features that are odd by themselves: in all rows, or else in more than half of them.

    Or else in a third of them, if their values are odd in the same way. A feature counts in a row
    if it has half the weight of the first one. A value in a gap does not count. They come in the
    order of the table.
    """
    if not reason.alone or len(reason.columns) > 1:
        return []
    counts: Counter[Reason] = Counter()
    equal: dict[Reason, bool] = {}
    words: dict[Reason, str] = {}
    for row in rows:
        own = row.evidence_of(reason)
        for other, weight in row.weights.items():
            odd = other.alone and len(other.columns) == 1 and other.columns != reason.columns
            evidence = row.evidence_of(other)
            if not odd or other.way == "between" or weight < COMPANION or evidence is None:
                continue
            counts[other] += 1
            same = own is not None and evidence.value == own.value
            equal[other] = equal.get(other, True) and same
            words[other] = _word(other, [evidence])
    n_rows = len(rows)
    for least in (n_rows, n_rows // 2 + 1, math.ceil(n_rows / 3)):
        often = [(other, n) for other, n in counts.items() if n >= least]
        if 2 * least <= n_rows:
            often = [(other, n) for other, n in often if other.way == reason.way]
        if often:
            often.sort(key=lambda item: (-item[1], item[0].columns, WAYS.index(item[0].way)))
            return sorted(
                _Companion(other.columns[0], words[other], n, equal[other])
                for other, n in often[:MOST_NAMES]
            )
    return []


def _direction(reason: Reason, column: int, rows: Sequence[RowReasons]) -> str:
    """Direction of a feature in most rows of a group; the first one of a tie."""
    counts: Counter[str] = Counter()
    for row in rows:
        for place in (*row.places[reason], *row.told):
            if (evidence := row.evidence(place, column)) is not None:
                counts[evidence.direction] += 1
                break
    return counts.most_common(1)[0][0] if counts else ""
