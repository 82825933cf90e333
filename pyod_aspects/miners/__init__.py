"""Miners: each is a density, a score and a search."""

from .base import BaseMiner
from .grids import GBeam, SGBeam
from .kernels import KDEBeam, OAMiner
from .names import MINERS, make_miner
from .own import Miner
from .reference import ReferenceRows

__all__ = [
    "MINERS",
    "BaseMiner",
    "GBeam",
    "KDEBeam",
    "Miner",
    "OAMiner",
    "ReferenceRows",
    "SGBeam",
    "make_miner",
]
