"""Interim: columns of a table in parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._util.types import FloatArray
from ..tables import Column, read_table
from .parts import Parts


def read_columns(frames: Parts) -> tuple[Column, ...]:
    import pandas as pd

    return read_table(pd.concat(frames.each(lambda frame: frame))).columns


def read_part(frame: Any, columns: tuple[Column, ...]) -> FloatArray:
    if len(frame) == 0:
        return np.empty((0, len(columns)))
    return read_table(frame, like=columns, named=True).values
