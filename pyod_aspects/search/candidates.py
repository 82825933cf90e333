"""The subspaces of a level, as sorted arrays without duplicates."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .._util.subspaces import MAX_CODE, distinct_codes, subspace_codes
from .._util.types import IntArray
from ..scoring.base import Candidates

PAIRS_AT_ONCE = 262_144
"""Approximate number of pairs of a query and a candidate to generate at once."""

_AT_ONCE = 65_536  # subspaces of two attributes to generate at once


def level_of_all(n_features: int, level: int) -> tuple[int, Iterator[IntArray]]:
    """Return the number of all subspaces of one or two attributes, and these in parts.

    >>> total, parts = level_of_all(3, 2)
    >>> total, next(parts).tolist()
    (3, [[0, 1], [0, 2], [1, 2]])
    """
    if level == 1:
        return n_features, iter([np.arange(n_features)[:, None]])
    return n_features * (n_features - 1) // 2, _pairs(n_features)


def _pairs(n_features: int) -> Iterator[IntArray]:
    first = 0
    while first < n_features - 1:
        # As many first attributes as fill a part, at least one.
        last, size = first, 0
        while last < n_features - 1 and (size == 0 or size + n_features - 1 - last <= _AT_ONCE):
            size += n_features - 1 - last
            last += 1
        a = np.repeat(np.arange(first, last), n_features - 1 - np.arange(first, last))
        starts = np.concatenate([[0], np.cumsum(n_features - 1 - np.arange(first, last))[:-1]])
        b = np.arange(size) - np.repeat(starts, n_features - 1 - np.arange(first, last)) + a + 1
        yield np.column_stack([a, b])
        first = last


def extensions_of(
    beams: list[IntArray], n_features: int, pairs_at_once: int = PAIRS_AT_ONCE
) -> tuple[int, Iterator[Candidates]]:
    """Return every extension of the beams by one attribute, each once, in parts of similar size.

    Returns the number of parts, and the parts that are not empty.

    >>> n_parts, parts = extensions_of([np.array([[0, 1]]), np.array([[1, 2]])], 4)
    >>> subspaces, query, place = next(parts)
    >>> n_parts, subspaces.tolist()
    (1, [[0, 1, 2], [0, 1, 3], [1, 2, 3]])
    >>> query.tolist(), place.tolist()
    ([0, 1, 0, 1], [0, 0, 1, 2])
    """
    every = np.concatenate(beams)
    owner = np.repeat(np.arange(len(beams)), [len(beam) for beam in beams])
    # Queries share many parents: extend each parent once.
    _, first, parent_of = np.unique(
        subspace_codes(every, n_features), return_index=True, return_inverse=True
    )
    n_parts = -(-len(every) * n_features // pairs_at_once)
    parents = every[first]
    parts = (_extensions(parents, parent_of, owner, n_features, i, n_parts) for i in range(n_parts))
    return n_parts, (part for part in parts if len(part.subspaces))


def _extensions(
    parents: IntArray,
    parent_of: IntArray,
    owner: IntArray,
    n_features: int,
    part: int,
    n_parts: int,
) -> Candidates:
    """Return one part of the extensions: the sum of their attributes has this remainder.

    So every candidate is in one part only, and every parent has about as many children in each.
    """
    begin = (part - parents.sum(axis=1)) % n_parts
    attribute = begin[:, None] + np.arange(0, n_features, n_parts)
    free = attribute < n_features
    for column in parents.T:
        free &= attribute != column[:, None]
    row, _ = np.nonzero(free)
    extended = np.sort(np.column_stack([parents[row], attribute[free]]), axis=1)
    # One number for each pair of a candidate and a query: a query reaches the same candidate from
    # several parents, and duplicate numbers are easy to find.
    n_queries = int(owner.max()) + 1
    numbers, decode = _encode(extended, n_features, n_queries)
    codes = np.full(free.shape, -1, dtype=np.int64)
    codes[free] = numbers
    pairs = codes[parent_of]
    pairs = distinct_codes((pairs * n_queries + owner[:, None])[pairs >= 0])
    code, query = np.divmod(pairs, n_queries)
    new = np.diff(code, prepend=-1) != 0
    return Candidates(decode(code[new]), query, np.cumsum(new) - 1)


def _encode(
    subspaces: IntArray, n_features: int, n_queries: int
) -> tuple[IntArray, Callable[[IntArray], IntArray]]:
    """Codes of subspaces, in lexicographic order, and the function from codes to subspaces."""
    k = subspaces.shape[1]
    if n_features**k * n_queries > MAX_CODE:
        _, first, codes = np.unique(
            subspace_codes(subspaces, n_features), return_index=True, return_inverse=True
        )
        return codes, lambda chosen: subspaces[first[chosen]]

    def decode(chosen: IntArray) -> IntArray:
        out = np.empty((len(chosen), k), dtype=np.int64)
        for j in range(k - 1, -1, -1):
            chosen, out[:, j] = np.divmod(chosen, n_features)
        return out

    return subspace_codes(subspaces, n_features), decode
