"""Scores of subspaces, for queries: smaller is more outlying, in the paper's sign."""

from .base import BoundScore, Candidates, FunctionScore, LevelScore, Score
from .rank import BoundedRank, rank
from .screening import ScreenedZScore
from .zscore import zscore

__all__ = [
    "BoundScore",
    "BoundedRank",
    "Candidates",
    "FunctionScore",
    "LevelScore",
    "Score",
    "ScreenedZScore",
    "rank",
    "zscore",
]
