"""Why is this row an anomaly? Outlying aspects for PyOD detectors.

>>> from pyod_aspects import AspectExplainer
"""

from ._types import Progress
from ._version import __version__
from .density import KDE, Density, Grid, SGrid
from .exceptions import (
    AspectsError,
    DetectorError,
    InvalidInputError,
    MissingPackageError,
    NotFittedError,
    QueryError,
    TooLargeError,
)
from .explainer import AspectExplainer
from .explanation import Aspect, Explanation, QueryExplanation
from .miners import GBeam, KDEBeam, MinedAspect, Miner, OAMiner, SGBeam
from .scores import rank, zscore
from .search import BeamSearch, DepthFirstSearch, Found

__all__ = [
    "KDE",
    "Aspect",
    "AspectExplainer",
    "AspectsError",
    "BeamSearch",
    "Density",
    "DepthFirstSearch",
    "DetectorError",
    "Explanation",
    "Found",
    "GBeam",
    "Grid",
    "InvalidInputError",
    "KDEBeam",
    "MinedAspect",
    "Miner",
    "MissingPackageError",
    "NotFittedError",
    "OAMiner",
    "Progress",
    "QueryError",
    "QueryExplanation",
    "SGBeam",
    "SGrid",
    "TooLargeError",
    "__version__",
    "rank",
    "zscore",
]
