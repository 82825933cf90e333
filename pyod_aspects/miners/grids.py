"""SGBeam and GBeam: beam search on counts of rows nearby (Wells & Ting)."""

from __future__ import annotations

from typing import ClassVar

from .._util.types import FloatArray, Mask
from ..density import Density, Grid, SGrid
from ..exceptions import InvalidInputError
from ..scoring import LevelScore, Score, ScreenedZScore, ZScore, lift, zscore
from ..scoring.screening import check_screen
from ..search import BeamSearch, Search
from .base import BaseMiner, default_tau

SCORES: dict[str, Score] = {"lift": lift, "zscore": zscore}
"""Scores of `SGBeam` by name."""


def has_named_score(miner: BaseMiner) -> bool:
    """Whether a miner takes the name of its score, as `SGBeam` does."""
    return isinstance(miner.get_params(deep=False).get("score"), str)


class SGBeam(BaseMiner):
    """Beam search on the smoothed grid density: the engine of Wells & Ting.

    Parameters
    ----------
    max_dim : int, default=5
        Most features of an aspect.
    width : int, default=100
        Subspaces of each size that the search extends to the next.
    top_k : int, default=10
        Most aspects to return for a row.
    bins : {"auto", "fd", "scott", "sturges"} or int, default="auto"
        Rule for the bins of each column, or their number. "auto" is "fd", the paper's rule, with
        two exceptions. Values that hold many rows have bins of their own. In heavy tails, bins
        grow with the distance from the median.
    score : {"lift", "zscore"}, default="lift"
        "lift" compares the number of rows nearby with the number expected if one feature were
        unrelated to the others, at several reaches. "zscore", the paper's score, compares it
        with the numbers of all rows in the same subspace.
    tau : float, optional
        Only subspaces with a score below it are aspects, so a row may have fewer than `top_k` of
        them, or none. The default is 1 for lifts and 0 for Z-scores.
    screen : "auto" or bool, default="auto"
        For Z-scores, whether a sample of rows first selects the subspaces that may be best. Only
        these get exact figures, and the miner reports only exact figures. False computes all
        subspaces. True samples first wherever that may save work, from three features on. "auto"
        decides for each level by its cost.
    n_jobs : int, optional
        Threads, as in joblib: None means 1, -1 all processors. The result is the same for every
        number.

    Examples
    --------
    >>> from pyod_aspects.datasets import make_hics
    >>> hics = make_hics(random_state=0)
    >>> row = min(hics.truth)
    >>> [[aspect]] = SGBeam(top_k=1).fit(hics.X).mine(hics.X[[row]])
    >>> aspect.subspace in hics.truth[row]
    True
    """

    density_class: ClassVar[type[Grid]] = SGrid
    density_: Grid

    def __init__(
        self,
        max_dim: int = 5,
        width: int = 100,
        top_k: int = 10,
        bins: str | int = "auto",
        score: str = "lift",
        tau: float | None = None,
        screen: str | bool = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.max_dim = max_dim
        self.width = width
        self.top_k = top_k
        self.bins = bins
        self.score = score
        self.tau = tau
        self.screen = screen
        self.n_jobs = n_jobs

    def _parts(self) -> tuple[Density, Score, Search]:
        check_screen(self.screen)
        if self.score not in SCORES:
            raise InvalidInputError(
                f"score={self.score!r}: expected one of {', '.join(map(repr, SCORES))}."
            )
        score = SCORES[self.score]
        tau = default_tau(score) if self.tau is None else self.tau
        search = BeamSearch(self.max_dim, self.width, self.top_k, tau)
        return self.density_class(self.bins, self.n_jobs), score, search

    def _bind_score(self, points: FloatArray, new: Mask) -> LevelScore:
        return _bind_screened(super()._bind_score(points, new), self.screen)


class GBeam(BaseMiner):
    """Beam search on the Z-score of the plain grid: only rows in the same bins count.

    Parameters
    ----------
    max_dim, width, top_k, bins, screen, n_jobs
        As for `SGBeam`.
    tau : float, default=0.0
        Only subspaces with a Z-score below it are aspects.
    """

    density_class: ClassVar[type[Grid]] = Grid
    density_: Grid

    def __init__(
        self,
        max_dim: int = 5,
        width: int = 100,
        top_k: int = 10,
        bins: str | int = "auto",
        tau: float = 0.0,
        screen: str | bool = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.max_dim = max_dim
        self.width = width
        self.top_k = top_k
        self.bins = bins
        self.tau = tau
        self.screen = screen
        self.n_jobs = n_jobs

    def _parts(self) -> tuple[Density, Score, Search]:
        check_screen(self.screen)
        search = BeamSearch(self.max_dim, self.width, self.top_k, self.tau)
        return self.density_class(self.bins, self.n_jobs), zscore, search

    def _bind_score(self, points: FloatArray, new: Mask) -> LevelScore:
        return _bind_screened(super()._bind_score(points, new), self.screen)


def _bind_screened(score: LevelScore, screen: str | bool) -> LevelScore:
    """Return a Z-score on a grid with screening; other scores unchanged."""
    if screen is False or not isinstance(score, ZScore) or not isinstance(score.density, Grid):
        return score
    if score.density.estimated:  # there are no exact figures
        return score
    return ScreenedZScore(score.density, score.points, screen, score.new)
