"""The miners of the comparison: ours with the default first, then a peer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pyod_aspects import GBeam, KDEBeam, OAMiner, SGBeam
from pyod_aspects.miners import BaseMiner

from ..sinne import sinne
from .base import Structure


@dataclass(frozen=True)
class Compared:
    """A miner, and the structures for which it is fast enough."""

    title: str
    make: Callable[..., BaseMiner]
    most_rows: float = float("inf")
    n_reference: int = 99
    """Reference rows for p-values; 0 for none: they take too long, or the method has none."""
    numbers_only: bool = False
    """Whether the miner takes neither categories nor missing values."""

    def takes(self, structure: Structure) -> bool:
        """Whether to try the miner: without p-values, ordinary rows teach nothing."""
        if structure.ordinary and self.n_reference == 0:
            return False
        if structure.mixed and self.numbers_only:
            return False
        return structure.n_rows <= self.most_rows


OURS: dict[str, Compared] = {
    "SGBeam": Compared("SGBeam (lift)", partial(SGBeam, n_jobs=2)),
    "SGBeam-zscore": Compared("SGBeam (Z-score)", partial(SGBeam, score="zscore", n_jobs=2)),
    "GBeam": Compared("GBeam", partial(GBeam, n_jobs=2)),
    # Time grows with the square of the rows.
    "KDEBeam": Compared("KDEBeam", partial(KDEBeam, n_jobs=2), most_rows=1_000),
    # A hundred reference rows take a second per table, seven times as long as with KDEBeam.
    "OAMiner": Compared("OAMiner", partial(OAMiner, n_jobs=2), most_rows=1_000, n_reference=0),
}
"""The miners of this package."""

MINERS: dict[str, Compared] = OURS | {
    "SiNNE": Compared("SiNNE", sinne, n_reference=0, numbers_only=True),
}

DEFAULT = next(iter(MINERS))
"""The miner whose losses the page names."""
