"""What is needed of a fitted detector: its scores, its threshold, and scores of new rows.

Detectors are known by what they have, never by their class. `adapt` finds the one adapter that
fits: for PyOD's detectors, scikit-learn's, a pipeline that ends in one, what PyOD's ADEngine
returns, or plain scores.
`make_detector` fits a detector to a table with categories, times and gaps.
"""

from .base import Adapter
from .choice import adapt
from .plain import PlainScores
from .recipe import make_detector

__all__ = ["Adapter", "PlainScores", "adapt", "make_detector"]
