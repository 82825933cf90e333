"""What the package needs of a fitted detector: scores, a threshold, and scores of new rows.

`adapt` chooses an adapter by the attributes of a detector, never by its class. There are adapters
for detectors of PyOD and scikit-learn, pipelines that end in one, results of PyOD's ADEngine, and
plain scores.
`make_detector` fits a detector to a table with categories, times and gaps.
"""

from .base import Adapter
from .choice import adapt
from .plain import PlainScores
from .recipe import make_detector

__all__ = ["Adapter", "PlainScores", "adapt", "make_detector"]
