"""The miners of this package, and SiNNE as one of them, for the same table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from pyod_aspects import GBeam, KDEBeam, SGBeam
from pyod_aspects._util.types import FloatArray
from pyod_aspects.miners import BaseMiner

from ..sinne import sinne
from .base import Answer, Explain, Peer


class _Mined(Peer):
    """Aspects, best first; the first one is the natural cut."""

    package = "pyod_aspects"
    detector = "the table itself, no detector"
    settings = "defaults: up to five columns, a beam of 100, ten sets for a row, one thread"
    cut = "the set at rank one"
    attribution = False
    warm_rows = None  # the work decides which kernels numba compiles
    make: ClassVar[Callable[[], BaseMiner]]

    def _fit(self, X: FloatArray) -> Explain:
        miner = type(self).make().fit(X)

        def explain(rows: Sequence[int]) -> list[Answer]:
            mined = (tuple(a.subspace for a in aspects) for aspects in miner.mine(X[list(rows)]))
            return [Answer(natural=s[0] if s else (), subspaces=s) for s in mined]

        return explain


class SGBeamPeer(_Mined):
    """The default miner."""

    name = "SGBeam"
    make = SGBeam


class ZScorePeer(_Mined):
    """The paper's miner."""

    name = "SGBeam-zscore"
    settings = f'`score="zscore"`; {_Mined.settings}'
    make = partial(SGBeam, score="zscore")


class GBeamPeer(_Mined):
    """Without smoothing."""

    name = "GBeam"
    make = GBeam


class KDEBeamPeer(_Mined):
    """Kernels in place of bins."""

    name = "KDEBeam"
    make = KDEBeam


class SiNNEPeer(_Mined):
    """SiNNE, our own implementation of its definition."""

    name = "SiNNE"
    settings = (
        "our own code of the definition, `t=100` draws of `psi=8` rows, columns scaled to 0 to 1; "
        "search as by default: up to five columns, a beam of 100, ten sets for a row, one thread"
    )
    make = sinne
