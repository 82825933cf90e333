"""What is needed of a fitted detector: its scores, its threshold, and scores of new rows.

Detectors are known by what they have, never by their class. `adapt` finds the one adapter that
fits: for PyOD's detectors, scikit-learn's, a pipeline that ends in one, or plain scores.
"""

from .base import Adapter
from .choice import adapt
from .plain import PlainScores

__all__ = ["Adapter", "PlainScores", "adapt"]
