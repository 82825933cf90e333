"""Densities: the number of rows near a point, or a kernel density there."""

from .base import Density
from .grid import Grid, SGrid
from .kde import KDE
from .pairwise import PairwiseKDE

__all__ = ["KDE", "Density", "Grid", "PairwiseKDE", "SGrid"]
