"""Scores of subspaces, for queries: smaller is more outlying, in the paper's sign."""

from .base import BoundScore, Candidates, Evaluation, FunctionScore, LevelScore, Score
from .lift import lift
from .lift_counts import LiftScore
from .rank import BoundedRank, rank
from .screening import ScreenedZScore
from .zscore import ZScore, zscore

__all__ = [
    "BoundScore",
    "BoundedRank",
    "Candidates",
    "Evaluation",
    "FunctionScore",
    "LevelScore",
    "LiftScore",
    "Score",
    "ScreenedZScore",
    "ZScore",
    "lift",
    "rank",
    "zscore",
]
