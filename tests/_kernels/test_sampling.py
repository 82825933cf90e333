"""Places of copies of rows, as numpy works them out."""

from __future__ import annotations

import numpy as np
import pytest

from pyod_aspects._kernels.sampling import count_early, find_early, list_early
from pyod_aspects._util.hashing import mix


def offsets(n):
    return mix(np.arange(n, dtype=np.uint64)) - mix(np.zeros(1, dtype=np.uint64))


@pytest.mark.parametrize("limit", [0, 2**58, 2**62, 2**64 - 1])
@pytest.mark.parametrize("n_known", [1, 4, 40])
def test_kernels_find_the_places_up_to_a_limit(limit, n_known):
    rng = np.random.default_rng(0)
    first = rng.integers(0, 2**64, 50, dtype=np.uint64)
    first[0] = 0
    n_copies = rng.integers(0, 30, 50)
    limit = np.uint64(limit)
    copies = [(x, i) for x in range(50) for i in range(n_copies[x])]
    places = np.concatenate([first[x] + offsets(n_copies[x]) for x in range(50)])
    early = places <= limit
    rows = np.array([x for x, _ in copies])[early]
    counts = np.empty(50, dtype=np.int64)
    count_early(first, n_copies, limit, counts)
    np.testing.assert_array_equal(counts, np.bincount(rows, minlength=50))
    got_rows = np.empty(rows.size, dtype=np.int64)
    got_places = np.empty(rows.size, dtype=np.uint64)
    list_early(first, n_copies, limit, got_rows, got_places)
    np.testing.assert_array_equal(got_rows, rows)
    np.testing.assert_array_equal(got_places, places[early])
    known = offsets(n_known)
    order = np.argsort(known)
    found = np.empty(50, dtype=np.int64)
    find_early(first, n_copies, limit, known[order], order, found)
    of_row = [
        [i for (x, i), soon in zip(copies, early, strict=True) if soon and x == row]
        for row in range(50)
    ]
    assert found.tolist() == [min(some, default=-1) for some in of_row]
