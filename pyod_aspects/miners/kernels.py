"""KDEBeam and OAMiner: on kernel densities, the competitors in the paper."""

from __future__ import annotations

from .._util.types import FloatArray, Mask
from ..density import KDE, Density, PairwiseKDE
from ..scoring import BoundedRank, LevelScore, Score, rank, zscore
from ..search import BeamSearch, DepthFirstSearch, Search
from .base import BaseMiner


class KDEBeam(BaseMiner):
    """Beam search on the Z-score of the kernel density: "Beam" in the paper (Vinh et al.).

    It compares every row with every row in every subspace: its time grows with the square of the
    number of rows.

    Parameters
    ----------
    max_dim, width, top_k, tau
        As for `SGBeam`.
    bandwidth : "hardle" or float, default="hardle"
        Härdle's rule of thumb for each column, or one bandwidth for all.
    n_jobs : int, optional
        Threads, as for `SGBeam`.
    """

    def __init__(
        self,
        max_dim: int = 5,
        width: int = 100,
        top_k: int = 10,
        bandwidth: str | float = "hardle",
        tau: float = 0.0,
        n_jobs: int | None = None,
    ) -> None:
        self.max_dim = max_dim
        self.width = width
        self.top_k = top_k
        self.bandwidth = bandwidth
        self.tau = tau
        self.n_jobs = n_jobs

    def _parts(self) -> tuple[Density, Score, Search]:
        search = BeamSearch(self.max_dim, self.width, self.top_k, self.tau)
        return KDE(self.bandwidth, self.n_jobs), zscore, search


class OAMiner(BaseMiner):
    """Depth-first search for the minimal subspaces in which a row ranks lowest (Duan et al.).

    It scores all subspaces, with a store of all pairs of rows: for small tables only.

    Parameters
    ----------
    max_dim : int, default=5
        Most features of an aspect.
    top_k : int, default=10
        Most aspects to return for a row. A subspace is an aspect only if the row ranks lower in
        it than in all its subsets.
    alpha : float, default=1.0
        Radius of the neighbourhoods that bound ranks, in standard deviations. It changes the
        work, never the result.
    bandwidth : "hardle" or float, default="hardle"
        Härdle's rule of thumb for each column, or one bandwidth for all.
    memory_limit : int, optional
        Most bytes for the store; by default half of the machine's memory.
    n_jobs : int, optional
        Threads, as for `SGBeam`; they pay from a few thousand rows on.
    """

    density_: PairwiseKDE

    def __init__(
        self,
        max_dim: int = 5,
        top_k: int = 10,
        alpha: float = 1.0,
        bandwidth: str | float = "hardle",
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.max_dim = max_dim
        self.top_k = top_k
        self.alpha = alpha
        self.bandwidth = bandwidth
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs

    def _parts(self) -> tuple[Density, Score, Search]:
        density = PairwiseKDE(self.bandwidth, self.alpha, self.memory_limit, self.n_jobs)
        return density, rank, DepthFirstSearch(self.max_dim, self.top_k, best_possible=1.0)

    def _bind_score(self, points: FloatArray, new: Mask) -> LevelScore:
        return BoundedRank(self.density_, points, new)
