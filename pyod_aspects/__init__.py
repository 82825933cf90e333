"""Why is this row an anomaly? Outlying aspects for PyOD detectors.

>>> from pyod_aspects import AspectExplainer
"""

from ._util.types import Progress
from ._util.version import __version__
from .exceptions import AspectsError
from .explainer import AspectExplainer
from .explanation import Aspect, Evidence, Explanation, QueryExplanation
from .miners import GBeam, KDEBeam, Miner, OAMiner, SGBeam

__all__ = [
    "Aspect",
    "AspectExplainer",
    "AspectsError",
    "Evidence",
    "Explanation",
    "GBeam",
    "KDEBeam",
    "Miner",
    "OAMiner",
    "Progress",
    "QueryExplanation",
    "SGBeam",
    "__version__",
]
