"""Tables for trying out the explainer: with true subspaces, or with real errors."""

from .demo import Demo, load_demo
from .hics import HiCS, load_hics, make_hics

__all__ = ["Demo", "HiCS", "load_demo", "load_hics", "make_hics"]
