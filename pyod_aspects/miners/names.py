"""Miners by name."""

from __future__ import annotations

from difflib import get_close_matches

from sklearn.base import clone

from ..exceptions import InvalidInputError
from .base import BaseMiner
from .grids import GBeam, SGBeam
from .kernels import KDEBeam, OAMiner

MINERS: dict[str, type[BaseMiner]] = {
    "sgbeam": SGBeam,
    "gbeam": GBeam,
    "kdebeam": KDEBeam,
    "oaminer": OAMiner,
}
"""Miners by the names that `AspectExplainer` and the command line take."""


def make_miner(miner: str | BaseMiner) -> BaseMiner:
    """Return a new, unfitted miner: by name with defaults, or with the given miner's settings."""
    if isinstance(miner, str):
        if miner.lower() in MINERS:
            return MINERS[miner.lower()]()
        close = get_close_matches(miner.lower(), MINERS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise InvalidInputError(
            f"miner={miner!r}: expected one of {', '.join(map(repr, MINERS))}{hint}"
        )
    if isinstance(miner, type) or not hasattr(miner, "mine"):
        raise InvalidInputError(
            f"miner={miner!r}: expected a name ({', '.join(map(repr, MINERS))}) "
            "or a miner such as SGBeam()."
        )
    made: BaseMiner = clone(miner)
    return made
