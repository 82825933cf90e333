"""Which rows stand for all others where a sample has to do."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from .._util.hashing import mix
from ..counting.table import CodedTable


def shuffle_rows(table: CodedTable) -> npt.NDArray[np.int32]:
    """The distinct row of every row, in a random order that only the rows' contents decide.

    The order of the rows and of the columns does not matter: each row is hashed by what it holds,
    equal ones by their number too, and the rows are sorted by their hashes.
    """
    hashes = np.zeros(table.codes.shape[1], dtype=np.uint64)
    for column, rows in zip(table.codes, table.filled, strict=True):
        filled = rows.astype(np.float64)
        name = np.frombuffer(blake2b(filled.tobytes(), digest_size=8).digest(), np.uint64)
        hashes += mix(column.astype(np.uint64) + name)
    row = np.repeat(np.arange(hashes.size, dtype=np.int32), table.weights)
    first = np.repeat(np.cumsum(table.weights) - table.weights, table.weights)
    number = (np.arange(row.size) - first).astype(np.uint64)
    return np.asarray(row[np.argsort(mix(hashes[row] + mix(number)))])
