"""Generated HiCS tables: five outliers in each of four blocks, of two to five features."""

from __future__ import annotations

import numpy as np

from pyod_aspects.datasets import make_hics

from .base import Trial

BLOCKS = (2, 3, 4, 5)


def hics(n_rows: int, rng: np.random.Generator) -> Trial:
    """One table with about twenty outliers."""
    made = make_hics(n_rows, sum(BLOCKS), block_sizes=BLOCKS, random_state=rng)
    return Trial(made.X, made.truth)
