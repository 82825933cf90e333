"""Aspect: a subspace in which a query stands out, from the search to the explanation."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .._util.types import Subspace


@dataclass(frozen=True)
class Aspect:
    """A set of features in which a row stands out, with the figures behind its score.

    A search gives it a subspace and a score, and the figures if its `LevelScore` knows them. A
    miner adds missing figures, and an explainer the names of the features.

    Attributes
    ----------
    subspace : tuple of int
        The features by column number, sorted.
    features : tuple of str
        The same features by name; empty until an explainer names them.
    score : float
        The miner's score, smaller for more outlying: a Z-score, or a rank for OAMiner.
    density : float
        The density at the row. For grid miners a number of rows: those nearby, the row
        itself included. Not a number until it is known, as `mean` and `std`.
    mean, std : float
        Mean and standard deviation of that density over all rows.

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

    def __post_init__(self) -> None:
        # Plain numbers, whatever came: numpy's are not JSON and print their type.
        object.__setattr__(self, "subspace", tuple(map(int, self.subspace)))
        object.__setattr__(self, "features", tuple(self.features))
        for name in ("score", "density", "mean", "std"):
            object.__setattr__(self, name, float(getattr(self, name)))
