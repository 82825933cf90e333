"""The subspaces of a level, as sorted arrays without repetitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .._types import IntArray
from ..subspaces import MAX_CODE, subspace_codes

_PART = 65_536  # pairs generated at once
_MARKS = 32  # bytes of marks for each number, at the most


def level_of_all(n_features: int, level: int) -> tuple[int, Iterator[IntArray]]:
    """Return the number of all subspaces of one or two attributes, and them, in parts.

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
        while last < n_features - 1 and (size == 0 or size + n_features - 1 - last <= _PART):
            size += n_features - 1 - last
            last += 1
        a = np.repeat(np.arange(first, last), n_features - 1 - np.arange(first, last))
        starts = np.concatenate([[0], np.cumsum(n_features - 1 - np.arange(first, last))[:-1]])
        b = np.arange(size) - np.repeat(starts, n_features - 1 - np.arange(first, last)) + a + 1
        yield np.column_stack([a, b])
        first = last


def children_of(beams: list[IntArray], n_features: int) -> tuple[IntArray, IntArray, IntArray]:
    """Every extension of the beams by one attribute, each once, in lexicographic order.

    Returns the candidates (m, k + 1), and as pairs which query asked for which: `owner`, the
    query, and `member`, the candidate, sorted by candidate.

    >>> candidates, owner, member = children_of([np.array([[0, 1]]), np.array([[1, 2]])], 4)
    >>> candidates.tolist()
    [[0, 1, 2], [0, 1, 3], [1, 2, 3]]
    >>> owner.tolist(), member.tolist()
    ([0, 1, 0, 1], [0, 0, 1, 2])
    """
    every = np.concatenate(beams)
    owner = np.repeat(np.arange(len(beams)), [len(beam) for beam in beams])
    # Queries have many parents in common: each is extended once.
    _, first, which = np.unique(
        subspace_codes(every, n_features), return_index=True, return_inverse=True
    )
    parents = every[first]
    free = np.ones((len(parents), n_features), dtype=bool)
    free[np.arange(len(parents))[:, None], parents] = False
    row, attribute = np.nonzero(free)
    extended = np.sort(np.column_stack([parents[row], attribute]), axis=1)
    # Pairs of a candidate and a query as one number each: a query reaches the same candidate from
    # several parents, and with numbers that is quickly seen.
    codes, place = _numbered(extended, n_features, len(beams))
    pairs = codes.reshape(len(parents), -1)[which] * len(beams) + owner[:, None]
    code, owner = np.divmod(_distinct(pairs.ravel()), len(beams))
    new = np.concatenate([[True], code[1:] != code[:-1]])
    return place(code[new]), owner, np.cumsum(new) - 1


def _distinct(numbers: IntArray) -> IntArray:
    """Sorted, each once."""
    most = int(numbers.max()) + 1
    if most <= _MARKS * numbers.size:  # ticking them off is quicker than sorting
        seen = np.zeros(most, dtype=bool)
        seen[numbers] = True
        return np.flatnonzero(seen)
    numbers = np.sort(numbers)
    return np.asarray(numbers[np.concatenate([[True], numbers[1:] != numbers[:-1]])])


def _numbered(
    subspaces: IntArray, n_features: int, n_queries: int
) -> tuple[IntArray, Callable[[IntArray], IntArray]]:
    """Codes of subspaces, in lexicographic order, and what turns codes back into subspaces."""
    k = subspaces.shape[1]
    if n_features**k * n_queries > MAX_CODE:
        _, first, codes = np.unique(
            subspace_codes(subspaces, n_features), return_index=True, return_inverse=True
        )
        return codes, lambda wanted: subspaces[first[wanted]]

    def decoded(wanted: IntArray) -> IntArray:
        out = np.empty((len(wanted), k), dtype=np.int64)
        for j in range(k - 1, -1, -1):
            wanted, out[:, j] = np.divmod(wanted, n_features)
        return out

    return subspace_codes(subspaces, n_features), decoded
