"""Densities: how many rows lie near a point, or how densely they lie there."""

from .base import Density
from .grid import Grid, SGrid
from .kde import KDE
from .pairwise import PairwiseKDE

__all__ = ["KDE", "Density", "Grid", "PairwiseKDE", "SGrid"]
