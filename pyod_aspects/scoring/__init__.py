"""Scores of subspaces, for queries: smaller is more outlying, in the paper's sign."""

from .scores import BoundScore, Score, rank, zscore

__all__ = ["BoundScore", "Score", "rank", "zscore"]
