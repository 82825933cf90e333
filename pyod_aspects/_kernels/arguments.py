"""Arguments of the counting kernels: small named tuples of arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._util.types import CodeArray, IntArray

Int32Array = npt.NDArray[np.int32]
WordArray = npt.NDArray[np.uint64]


class Rows(NamedTuple):
    """Distinct rows of a table, followed by the rows of its views, one view after the other."""

    codes: CodeArray  # (d, n)
    weights: Int32Array  # (n,): how many rows of the table each one stands for
    sizes: IntArray  # (d,): number of codes of each column
    reach: int  # of a neighbourhood, in codes to each side
    begins: IntArray  # (v + 1,): first row of each view; view 0 is the table
    last_view: IntArray  # (d,): the last view that has each column
    merged: Int32Array  # row of the next view that each row became; for all views but the last


class Families(NamedTuple):
    """Subspaces that share a parent: family g is parents[g] plus each of its children."""

    parents: IntArray  # (g, k - 1): attributes
    starts: IntArray  # (g + 1,): first child of each family
    children: IntArray  # (m,): one attribute each
    order: IntArray  # (m,): place of each subspace in its level

    def part(self, begin: int, end: int) -> Families:
        """Return families `begin` to `end` - 1 alone."""
        first, last = int(self.starts[begin]), int(self.starts[end])
        starts = self.starts[begin : end + 1] - first
        return Families(
            self.parents[begin:end], starts, self.children[first:last], self.order[first:last]
        )


class Totals(NamedTuple):
    """Results, for each of m subspaces: sums over its occupied cells."""

    sums: WordArray  # (m,): of H * N
    squares: WordArray  # (m, 2): of H * N**2, low and high word
    counts: npt.NDArray[np.uint32]  # (m, s): N at s sampled rows, or empty

    @classmethod
    def of(cls, m: int, n_sampled: int = 0) -> Totals:
        """Return totals of 0."""
        counts = np.zeros((m if n_sampled else 0, n_sampled), dtype=np.uint32)
        return cls(np.zeros(m, np.uint64), np.zeros((m, 2), np.uint64), counts)

    def put(self, places: IntArray, part: Totals) -> None:
        """Set the totals of the subspaces at `places`."""
        self.sums[places], self.squares[places] = part.sums, part.squares
        if self.counts.size:
            self.counts[places] = part.counts


class Sorted(NamedTuple):
    """All rows of a table, sorted by a key."""

    rows: Int32Array  # (n,): the distinct row of each, in order
    start: Int32Array  # (n_keys + 1,): first row of each key
    line: int  # number of keys with the same first code


class Judged(NamedTuple):
    """Rows whose neighbours a kernel counts, sorted by the same key."""

    rows: Int32Array  # (s,): distinct rows
    place: Int32Array  # (s,): places in `rows`, in order
    start: Int32Array  # (n_keys + 1,): first entry of each key in `place`


class Pseudobins(NamedTuple):
    """Buffers for bits, and the attributes whose bits they hold."""

    attributes: IntArray  # (a,)
    offsets: IntArray  # (a,): the first code of each attribute among all codes
    bits: WordArray  # blocks of rows, code by code
    near: WordArray  # rows near one row, block by block
