"""Why is this row an anomaly? Outlying aspects for PyOD detectors.

>>> from pyod_aspects import AspectExplainer

The package imports a name at its first use, so that ``import pyod_aspects`` and
``pyod-aspects --help`` answer at once.
"""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

# The program that uses the package decides where log records go.
logging.getLogger(__name__).addHandler(logging.NullHandler())

_HOMES = {
    "_util.types": ("Progress",),
    "_util.version": ("__version__",),
    "exceptions": ("AspectsError",),
    "explainer": ("AspectExplainer",),
    "explanation": ("Aspect", "Evidence", "Explanation", "QueryExplanation"),
    "miners": ("GBeam", "KDEBeam", "Miner", "OAMiner", "SGBeam"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value  # Python finds it without __getattr__ from now on
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
