"""QueryExplanation: one row, how anomalous it is, and the features in which it stands out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..search.aspect import Aspect, Replacement
from .settings import FrozenMapping, set_fields
from .writing import text as _text


@dataclass(frozen=True, repr=False)
class QueryExplanation:
    """One row: how anomalous the detector finds it, and its aspects.

    Attributes
    ----------
    row : int
        Position in the explained table, from 0.
    score : float
        The detector's anomaly score, higher for more anomalous rows.
    is_anomaly : bool or None
        Whether the score is above the detector's threshold; None if it has no threshold.
    aspects : tuple of Aspect
        The sets of features in which the row stands out, best first. It may be empty.
    percentile : float or None
        Percent of the fitted rows with a lower score.
    label : str or None
        The row's name, from the index of the DataFrame; None without such labels.
    p_value : float or None
        Share of ordinary rows whose best aspect is at least as strong as the best one here; None
        without reference rows.
    features : mapping of str to float
        The features to blame: their weights in the convincing aspects, the largest first. Without
        p-values, in all aspects. Empty if nothing is convincing.
    repair : Replacement or None
        The detector's score with typical values for all features that are odd by themselves. None
        if fewer than two are, and before `Explanation.with_agreement`.
    known : str or None
        The row's known label, see `Explanation.with_known`; None without labels.

    Examples
    --------
    >>> aspect = Aspect((0, 12), ("alcohol", "proline"), score=-3.41, density=2, mean=31, std=8.5)
    >>> QueryExplanation(row=22, score=0.71, is_anomaly=True, aspects=(aspect,), percentile=99.2)
    QueryExplanation: row 22, score 0.71, higher than 99.2 % of rows, 1 aspect: {alcohol, proline}
    """

    row: int
    score: float
    is_anomaly: bool | None
    aspects: tuple[Aspect, ...]
    percentile: float | None = None
    label: str | None = None
    p_value: float | None = None
    features: Mapping[str, float] = field(default_factory=dict)
    repair: Replacement | None = None
    known: str | None = None

    @property
    def was_asked(self) -> bool:
        """Whether the explanation has the detector's answer about the row."""
        asked = (says for one in self.aspects for says in (one.agreement, one.repair))
        return self.repair is not None or any(says is not None for says in asked)

    def __post_init__(self) -> None:
        unknown = self.percentile is None or not math.isfinite(self.percentile)
        set_fields(
            self,
            row=int(self.row),
            score=float(self.score),
            is_anomaly=None if self.is_anomaly is None else bool(self.is_anomaly),
            aspects=tuple(self.aspects),
            percentile=None if unknown else float(self.percentile or 0.0),
            label=None if self.label is None else str(self.label),
            p_value=None if self.p_value is None else float(self.p_value),
            features=FrozenMapping(self.features),
            known=None if self.known is None else str(self.known),
        )

    def __repr__(self) -> str:
        return _text.query_line(self)
