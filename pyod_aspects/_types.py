"""The few types that every room shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Subspace = tuple[int, ...]
"""Attribute indices, 0-based, sorted, each once."""

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
AnyArray = npt.NDArray[Any]


class Progress(NamedTuple):
    """How far a search has come; handed to the `progress` callback.

    `done` of `total` counts the subspaces of the current `level` (their number of
    attributes), `scored` all subspaces scored since the search began.
    """

    level: int
    max_dim: int
    done: int
    total: int
    scored: int


ProgressCallback = Callable[[Progress], None]
"""Called now and then during a search; an exception it raises ends the search."""
