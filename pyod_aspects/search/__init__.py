"""Searches: which subspaces are looked at. They see a `LevelScore`, never a density."""

from .base import Found, Search
from .beam import BeamSearch
from .depth_first import DepthFirstSearch

__all__ = ["BeamSearch", "DepthFirstSearch", "Found", "Search"]
