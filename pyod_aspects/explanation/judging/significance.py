"""How sure: which aspects are stronger than those of ordinary rows."""

from __future__ import annotations

from collections.abc import Sequence

ALPHA = 0.05
"""Accepted share of wrong aspects among the convincing ones."""


def benjamini_hochberg(p_values: Sequence[float], alpha: float = ALPHA) -> float:
    """Return the largest convincing p-value; 0 if there is none.

    On average at most a share of `alpha` of the p-values up to it is wrong (Benjamini and
    Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x).

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.9], alpha=0.05)
    0.01
    >>> benjamini_hochberg([0.01, 0.02, 0.03, 0.9], alpha=0.05)
    0.03
    """
    limit = 0.0
    for place, p in enumerate(sorted(p_values), start=1):
        if p <= alpha * place / len(p_values):
            limit = p
    return limit
