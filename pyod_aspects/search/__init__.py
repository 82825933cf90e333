"""Searches: they choose the subspaces to score. They see a `LevelScore`, never a density."""

from .aspect import Aspect, Evidence
from .base import Search
from .beam import BeamSearch
from .depth_first import DepthFirstSearch

__all__ = ["Aspect", "BeamSearch", "DepthFirstSearch", "Evidence", "Search"]
