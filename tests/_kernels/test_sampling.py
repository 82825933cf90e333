"""Places of copies of rows, as numpy works them out."""

from __future__ import annotations

import numpy as np

from pyod_aspects._kernels.sampling import count_early, list_early, mark_early
from pyod_aspects._util.hashing import mix


def test_kernels_find_the_places_up_to_a_limit():
    rng = np.random.default_rng(0)
    hashes = rng.integers(0, 2**64, 50, dtype=np.uint64)
    n_copies = rng.integers(0, 9, 50)
    limit = np.uint64(2**62)
    copies = [(x, i) for x in range(50) for i in range(n_copies[x])]
    places = np.array([mix(hashes[[x]] + mix(np.array([i], np.uint64)))[0] for x, i in copies])
    early = places <= limit
    rows = np.array([x for x, _ in copies])[early]
    counts, marks = np.empty(50, dtype=np.int64), np.empty(50, dtype=bool)
    count_early(hashes, n_copies, limit, counts)
    mark_early(hashes, n_copies, limit, marks)
    np.testing.assert_array_equal(counts, np.bincount(rows, minlength=50))
    np.testing.assert_array_equal(marks, counts > 0)
    got_rows = np.empty(rows.size, dtype=np.int64)
    got_places = np.empty(rows.size, dtype=np.uint64)
    list_early(hashes, n_copies, limit, got_rows, got_places)
    np.testing.assert_array_equal(got_rows, rows)
    np.testing.assert_array_equal(got_places, places[early])
