"""Comparison: which rows several detectors flag, for which reasons, and where they agree.

A detector flags the rows that it explains, without those below its threshold. It also flags rows
above its threshold that only another detector explains. An explanation from a file has lost these
scores. The reasons are those of `Explanation.groups`, for the rows of all detectors together: one
sentence stands for the rows of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..exceptions import InvalidInputError
from .judging.groups import part, to_group
from .judging.reasons import RowReasons, all_reasons
from .values import Explanation
from .writing import comparing as _comparing

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class ComparedReason:
    """A reason, and the rows that each detector flags for it.

    Attributes
    ----------
    sentence, short : str
        The reason in words, see `Group`.
    features, directions : tuple of str
        As in `Group`: the feature to blame comes first.
    rows : tuple of tuple of int
        For each detector the rows that it flags for this reason, its highest score first.
    """

    sentence: str
    short: str
    features: tuple[str, ...]
    directions: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ComparedRow:
    """A row, and the judgement of each detector.

    Attributes
    ----------
    row : int
        Position in the table.
    label : str or None
    places : tuple of int or None
        For each detector the place of the row in its explanation, from 0. None if it does not
        explain the row, or does not flag it.
    reasons : tuple of int or None
        For each detector the number of the reason in `Comparison.reasons`. None if it does not
        explain the row, or finds nothing convincing.
    only_flagged : tuple of bool
        For each detector whether it flags the row without explaining it: the score is above the
        threshold, but its explanation lacks the row.
    """

    row: int
    label: str | None
    places: tuple[int | None, ...]
    reasons: tuple[int | None, ...]
    only_flagged: tuple[bool, ...] = ()

    @property
    def flagged(self) -> tuple[bool, ...]:
        """For each detector whether it flags the row."""
        only = self.only_flagged or (False,) * len(self.places)
        return tuple(p is not None or o for p, o in zip(self.places, only, strict=True))

    @property
    def n_detectors(self) -> int:
        """How many detectors flag the row."""
        return sum(self.flagged)

    @property
    def same_reason(self) -> bool | None:
        """Whether all detectors that explain the row give one reason; None with fewer than two.

        It is also None if one of them finds nothing convincing.
        """
        pairs = zip(self.places, self.reasons, strict=True)
        found = [reason for place, reason in pairs if place is not None]
        if len(found) < 2 or None in found:
            return None
        return len(set(found)) == 1


@dataclass(frozen=True, repr=False)
class Comparison:
    """Which rows several detectors flag, for which reasons, and where they agree.

    Attributes
    ----------
    names : tuple of str
        The names of the detectors.
    n_rows : int
        Number of rows of the table.
    new_rows : bool
        Whether row numbers refer to a new table.
    rows : tuple of ComparedRow
        All rows that a detector explains and flags. Rows that most detectors flag come first, then
        rows that most explain, then by mean place.
    reasons : tuple of ComparedReason
        All reasons, the one with most rows first.

    See Also
    --------
    compare : Makes one.
    """

    names: tuple[str, ...]
    n_rows: int
    new_rows: bool
    rows: tuple[ComparedRow, ...]
    reasons: tuple[ComparedReason, ...]

    @property
    def common(self) -> tuple[tuple[int, ...], ...]:
        """Number of rows that each pair of detectors shares; the diagonal has a detector's rows."""
        flags = [row.flagged for row in self.rows]
        k = range(len(self.names))
        return tuple(tuple(sum(row[i] and row[j] for row in flags) for j in k) for i in k)

    def __repr__(self) -> str:
        return _comparing.summary(self)

    def to_frame(self) -> pd.DataFrame:
        """Table with one line for each row.

        Returns
        -------
        pandas.DataFrame
            With the columns ``row`` (the position), ``label``, ``n_detectors``, ``same_reason``
            and, for each detector, ``place_NAME`` (1 is its highest score) and ``reason_NAME``.
        """
        return _comparing.to_frame(self)

    def reasons_frame(self) -> pd.DataFrame:
        """Table with one line for each reason and one column for each detector.

        Returns
        -------
        pandas.DataFrame
            Numbers of rows, with the sentences as the index.
        """
        return _comparing.reasons_frame(self)


def compare(explanations: Mapping[str, Explanation]) -> Comparison:
    """Compare the findings of several detectors in the same table.

    Parameters
    ----------
    explanations : mapping of str to Explanation
        At least two, each under the name of its detector. All must explain the same table, and
        should explain the same number of rows.

    Returns
    -------
    Comparison

    Raises
    ------
    InvalidInputError
        If there are fewer than two, or their tables differ.

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod.models.knn import KNN
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> X = load_demo().frame.select_dtypes("number")
    >>> detectors = {"ECOD": ECOD().fit(X), "KNN": KNN().fit(X)}
    >>> answers = {name: AspectExplainer(d).fit(X).explain() for name, d in detectors.items()}
    >>> compare(answers)  # doctest: +ELLIPSIS
    Comparison: ECOD and KNN on 5,000 rows
      ECOD   explains 10 rows, 2 of them flagged by no other
      KNN    explains 10 rows, 1 of them flagged by no other
      15 rows are flagged by both: 27739, 27515, ... and 7 more
                                                    ECOD   KNN
      carat is high, mostly x, y and z too             7     1
      price is high                                    -     6
      z is low with carat high, x high and y high      1     1
      x, y and z are low with table high               1     -
      nothing convincing                               1     2
    """
    _check(explanations)
    names = tuple(explanations)
    first = explanations[names[0]]
    told = {name: _flagged(explanation) for name, explanation in explanations.items()}
    # A row with the same reasons for several detectors is one row of a group.
    items: list[RowReasons] = []
    item_of: dict[tuple[str, int], int] = {}
    for name, rows in told.items():
        for row, (_, one) in rows.items():
            same = (item_of[other, row] for other in names if (other, row) in item_of)
            item_of[name, row] = next(
                (i for i in same if items[i].weights == one.weights), len(items)
            )
            if item_of[name, row] == len(items):
                items.append(one)
    groups = part(items)
    reason_of = {i: number for number, (_, members) in enumerate(groups) for i in members}

    def to_reason(number: int) -> ComparedReason:
        reason, members = groups[number]
        # A row that two detectors explain with different figures counts once in the sentence.
        once: dict[int, RowReasons] = {}
        for i in members:
            once.setdefault(items[i].query.row, items[i])
        group = to_group(reason, list(once.values()), first.feature_names)
        rows = tuple(
            tuple(row for row in told[name] if reason_of.get(item_of[name, row]) == number)
            for name in names
        )
        return ComparedReason(group.sentence, group.short, group.features, group.directions, rows)

    def to_row(row: int) -> ComparedRow:
        found = [told[name].get(row) for name in names]
        return ComparedRow(
            row=row,
            label=next(one.query.label for _, one in filter(None, found)),
            places=tuple(None if one is None else one[0] for one in found),
            reasons=tuple(
                reason_of.get(item_of[name, row]) if row in told[name] else None for name in names
            ),
            only_flagged=tuple(
                row not in told[name] and _is_above(explanations[name], row) for name in names
            ),
        )

    compared = {row: to_row(row) for rows in told.values() for row in rows}
    return Comparison(
        names=names,
        n_rows=first.n_rows,
        new_rows=first.new_rows,
        rows=tuple(sorted(compared.values(), key=_order)),
        reasons=tuple(map(to_reason, range(len(groups)))),
    )


def _flagged(explanation: Explanation) -> dict[int, tuple[int, RowReasons]]:
    """Rows that a detector flags, each with its place and its reasons."""
    found: dict[int, tuple[int, RowReasons]] = {}
    for place, one in enumerate(all_reasons(explanation)):
        if one.query.is_anomaly is not False:
            found.setdefault(one.query.row, (place, one))
    return found


def _is_above(explanation: Explanation, row: int) -> bool:
    """Whether the score of a row is above the threshold; False if unknown."""
    known = explanation.background
    if known is None or known.threshold is None:
        return False
    return bool(known.explained_scores[row] > known.threshold)


def _order(row: ComparedRow) -> tuple[int, int, float, int]:
    """Sort key: rows that most detectors flag, then rows that most explain, then mean place."""
    places = [place for place in row.places if place is not None]
    return -row.n_detectors, -len(places), sum(places) / len(places), row.row


def _check(explanations: Any) -> None:
    """Refuse anything but a mapping of explanations of the same table."""
    if not isinstance(explanations, Mapping):
        raise InvalidInputError(
            f"compare got a {type(explanations).__name__}: expected a mapping of names to "
            'explanations, such as {"IForest": e1, "KNN": e2}.'
        )
    for name, explanation in explanations.items():
        if not isinstance(name, str):
            raise InvalidInputError(
                f"compare got the name {name!r}: expected the name of a detector as text."
            )
        if not isinstance(explanation, Explanation):
            raise InvalidInputError(
                f"compare got a {type(explanation).__name__} for {name!r}: expected an "
                "Explanation, as AspectExplainer.explain returns it."
            )
    if len(explanations) < 2:
        raise InvalidInputError(
            f"compare got a mapping of length {len(explanations)}: expected two explanations or "
            "more."
        )
    (name, first), *others = explanations.items()
    for other, explanation in others:
        if what := _difference(first, explanation):
            raise InvalidInputError(
                f"{name!r} and {other!r} speak of different tables: {what}. Explain rows of the "
                "same table with each detector."
            )


def _difference(a: Explanation, b: Explanation) -> str:
    """Say how the tables of two explanations differ; "" if they seem to be the same."""
    if a.n_rows != b.n_rows:
        return f"{a.n_rows:,} and {b.n_rows:,} rows"
    if a.new_rows != b.new_rows:
        return "one explains new rows, the other rows of the fitted table"
    if len(a.feature_names) != len(b.feature_names):
        return f"{len(a.feature_names):,} and {len(b.feature_names):,} features"
    for one, other in zip(a.feature_names, b.feature_names, strict=True):
        if one != other:
            return f"the feature {one!r} in the place of {other!r}"
    # Backwards: of a row that occurs twice, the first one counts.
    labels, others = ({query.row: query.label for query in reversed(e)} for e in (a, b))
    for row in sorted(labels.keys() & others.keys()):
        if labels[row] != others[row]:
            return f"row {row} is called {labels[row]!r} and {others[row]!r}"
    if a.background is not None and b.background is not None:
        if a.background.whole is not None or b.background.whole is not None:
            return ""  # these are samples, not all rows
        x, y = a.background.explained.values, b.background.explained.values
        if x is not y and not np.array_equal(x, y, equal_nan=True):
            return "their values differ"
    return ""
