"""Aspect: a subspace in which a query stands out, from the search to the explanation."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields

from .._util.types import Subspace

FIGURES = ("score", "density", "mean", "std", "expected", "lift")
"""The figures of an aspect, in the order of the files."""

DIRECTIONS = ("high", "low", "between", "rare")
"""Positions of a value relative to the values of other rows."""

Value = float | str | None
"""A value in the user's units: a number, the text of a category or a time, None if missing."""


@dataclass(frozen=True)
class Evidence:
    """One feature of an aspect: the row's value, and the values of other rows.

    Attributes
    ----------
    feature : str
    value : float, str or None
        In the user's units: a number, text for a category or a time, None if missing.
    typical : tuple
        Ends of the range of the middle 90 % of all rows, without missing values. For a category:
        the most frequent labels, at most five, that hold 90 % of the rows or at least half of
        them. (None,) if 90 % are missing; empty if there is no such range.
    expected : tuple or None
        The same for the rows near the row in the other features of the aspect. None for an
        aspect of one feature, and for densities without a neighbourhood.
    direction : {"high", "low", "between", "rare"}
        "high": above the expected range, "low": below. If the value is inside that range, or has
        none, the typical range decides. "between": inside both. "rare": a category that few rows
        have, or missing.
    outside : float
        Distance of the value from the expected range, in widths of that range: 0 inside, 1 for an
        unexpected category or missing value. For a single feature, the typical range counts.
    rough : bool
        Whether the expected range includes rows farther away, because few rows are near.
    gap : tuple or None
        For a single number or time in a gap between other rows: the nearest values below and
        above. A gap is at least a tenth of the typical range.

    Examples
    --------
    >>> Evidence("y", 4.24, (4.75, 7.5), (6.7, 6.9), "low", outside=12.3).direction
    'low'
    """

    feature: str
    value: Value
    typical: tuple[Value, ...]
    expected: tuple[Value, ...] | None
    direction: str
    outside: float = 0.0
    rough: bool = False
    gap: tuple[Value, Value] | None = None

    def __post_init__(self) -> None:
        # Plain values: numpy's do not fit into JSON and print their type.
        object.__setattr__(self, "value", _to_plain(self.value))
        object.__setattr__(self, "typical", tuple(map(_to_plain, self.typical)))
        if self.expected is not None:
            object.__setattr__(self, "expected", tuple(map(_to_plain, self.expected)))
        if self.gap is not None:
            object.__setattr__(self, "gap", tuple(map(_to_plain, self.gap)))
        object.__setattr__(self, "outside", float(self.outside))
        object.__setattr__(self, "rough", bool(self.rough))


@dataclass(frozen=True)
class Replacement:
    """The detector's score if features of a row had the values of other rows.

    Attributes
    ----------
    features : tuple of str
        The replaced features.
    score : float
        The detector's new score: the mean over several rows that lend their values.
    share : float
        Share of the excess of the row's score over the median score that disappears. 1: the row
        becomes ordinary, 0: nothing changes, below 0: it becomes more anomalous.
    percentile : float
        Percent of the compared rows with a score below this one.

    Examples
    --------
    >>> Replacement(("y",), score=0.21, share=0.97, percentile=71.0).share
    0.97
    """

    features: tuple[str, ...]
    score: float
    share: float
    percentile: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", tuple(self.features))
        for name in ("score", "share", "percentile"):
            object.__setattr__(self, name, float(getattr(self, name)))


@dataclass(frozen=True, eq=False, repr=False)
class Aspect:
    """A set of features in which a row stands out, with the figures behind its score.

    A search gives it a subspace and a score, and the figures if its `LevelScore` knows them. A
    miner adds missing figures. An explainer adds the names of the features, the evidence and the
    p-value.

    Attributes
    ----------
    subspace : tuple of int
        The features by column number, sorted.
    features : tuple of str
        The same features by name; empty until an explainer names them.
    score : float
        The miner's score, smaller for more outlying: a lift, a Z-score, or a rank for OAMiner.
    density : float
        The density at the row. For grid miners the number of rows nearby, the row itself
        included. NaN while unknown, as all other figures.
    mean, std : float
        Mean and standard deviation of that density over all rows; unknown for lifts.
    error : float
        Standard error of the score, if mean and deviation are estimates from a sample of rows;
        NaN if they are exact.
    expected : float
        For grid miners, the count of the row if one of the features were unrelated to the others,
        the row itself included; for a single feature, the mean count.
    lift : float
        For grid miners, the count as a share of the expected one, both without the row itself
        and with the constant that `scoring.lift` adds.
    reach : tuple of int
        For grid miners, the number of bins to each side that are nearby, feature by feature.
    evidence : tuple of Evidence
        Value, typical range and direction of each feature; empty until an explainer adds them.
    p_value : float or None
        Share of ordinary rows that have an aspect as strong; None without p-values.
    agreement : Replacement or None
        The detector's answer if all features of the aspect have the values of random rows; None
        until `Explanation.with_agreement` asks it.
    repair : Replacement or None
        The same if the feature to blame has values from its expected range; from the typical one
        in an aspect of one feature.

    Examples
    --------
    >>> aspect = Aspect((0, 12), ("alcohol", "proline"), score=-3.41, density=2, mean=31, std=8.5)
    >>> aspect.features
    ('alcohol', 'proline')
    """

    subspace: Subspace
    features: tuple[str, ...] = ()
    score: float = field(kw_only=True)
    density: float = field(default=math.nan, kw_only=True)
    mean: float = field(default=math.nan, kw_only=True)
    std: float = field(default=math.nan, kw_only=True)
    expected: float = field(default=math.nan, kw_only=True)
    lift: float = field(default=math.nan, kw_only=True)
    error: float = field(default=math.nan, kw_only=True)
    reach: tuple[int, ...] = field(default=(), kw_only=True)
    evidence: tuple[Evidence, ...] = field(default=(), kw_only=True)
    p_value: float | None = field(default=None, kw_only=True)
    agreement: Replacement | None = field(default=None, kw_only=True)
    repair: Replacement | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        # Plain numbers: numpy's do not fit into JSON and print their type.
        object.__setattr__(self, "subspace", tuple(map(int, self.subspace)))
        object.__setattr__(self, "features", tuple(self.features))
        object.__setattr__(self, "reach", tuple(map(int, self.reach)))
        object.__setattr__(self, "evidence", tuple(self.evidence))
        if self.p_value is not None:
            object.__setattr__(self, "p_value", float(self.p_value))
        for name in (*FIGURES, "error"):
            object.__setattr__(self, name, float(getattr(self, name)))

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Aspect) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        known = ((one.name, value) for one, value in zip(fields(self), self._key(), strict=True))
        words = (f"{name}={value!r}" for name, value in known if value not in (None, ()))
        return f"Aspect({', '.join(words)})"

    def _key(self) -> tuple[object, ...]:
        """All fields; unknown figures as None, because NaN does not equal NaN."""
        values = (getattr(self, one.name) for one in fields(self))
        return tuple(None if _is_unknown(value) else value for value in values)


def _to_plain(value: Value) -> Value:
    if value is None:
        return None
    return str(value) if isinstance(value, str) else float(value)


def _is_unknown(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)
