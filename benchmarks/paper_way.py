"""The paper's own way to count (Wells & Ting, Section 3): pseudo-bins as bitsets.

The pseudo-bin of a bin is the set of rows in it or in a bin next to it, one bit for each. The
rows near x in a subspace are the AND of k pseudo-bins, and their number is its popcount. That is
O(n * k / w) words for one row and O(n**2 * k / w) for mean and deviation over all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from pyod_aspects._kernels._jit import jit, popcount
from pyod_aspects._kernels.arguments import Totals
from pyod_aspects._kernels.exact import moments as exact_moments
from pyod_aspects._util.types import FloatArray, IntArray, Measure, Tick
from pyod_aspects.binning.bins import EqualWidthBins, check_rule
from pyod_aspects.density import Density
from pyod_aspects.search import Aspect

Words = npt.NDArray[np.uint64]


class PaperSGrid(Density):
    """The density of `pyod_aspects.SGrid`, counted as the paper counts.

    Parameters
    ----------
    bins : {"fd", "scott", "sturges"} or int, default="fd"

    Examples
    --------
    >>> PaperSGrid(bins=4).fit([[0.0], [0.1], [0.2], [1.0]]).density((0,))
    array([3., 3., 3., 1.])
    """

    measure: ClassVar[Measure] = "count"

    def __init__(self, bins: str | int = "fd") -> None:
        self.bins = bins

    def _fit(self, values: FloatArray) -> None:
        rule = check_rule(self.bins)
        n, d = values.shape
        self._bins = [EqualWidthBins.of(np.ascontiguousarray(c), rule) for c in values.T]
        self._occupied: list[IntArray] = []
        self._exact: list[Words] = []  # for each column: the rows of each occupied bin
        pseudo: list[Words] = []
        self._place = np.empty((d, n), dtype=np.int64)
        first = 0
        for a, bins in enumerate(self._bins):
            occupied, place = np.unique(bins.index(values[:, a]), return_inverse=True)
            exact = np.zeros((occupied.size, -(-n // 64)), dtype=np.uint64)
            set_bits(place, exact)
            self._occupied.append(occupied)
            self._exact.append(exact)
            pseudo.append(self._near(a, occupied))
            self._place[a] = first + place
            first += occupied.size
        self._pseudo: Words = np.concatenate(pseudo)

    def _near(self, attribute: int, index: IntArray) -> Words:
        """The pseudo-bin of each of the given bins of a column, occupied or not."""
        occupied, exact = self._occupied[attribute], self._exact[attribute]
        near = np.zeros((len(index), exact.shape[1]), dtype=np.uint64)
        for shift in (-1, 0, 1):
            place = np.minimum(np.searchsorted(occupied, index + shift), occupied.size - 1)
            found = occupied[place] == index + shift
            near[found] |= exact[place[found]]
        return near

    def _near_points(self, points: FloatArray) -> tuple[Words, IntArray]:
        """Pseudo-bins of all points and columns, and the place of each, (d, q)."""
        q, d = points.shape
        near = [self._near(a, self._bins[a].index(points[:, a])) for a in range(d)]
        return np.concatenate(near), np.arange(d * q).reshape(d, q)

    def density(self, subspace: Sequence[int], points: Any = None) -> FloatArray:
        """Number of rows near every fitted row, or near each of `points`, in a subspace."""
        s = np.array([self._check_subspace(subspace)])
        if points is None:
            bits, place = self._pseudo, self._place
        else:
            bits, place = self._near_points(self._check_points(points))
        counts = np.empty((1, place.shape[1]))
        count_near(bits, place, s, counts)
        return np.asarray(counts[0])

    def moments(
        self, subspaces: Any, points: Any, tick: Tick | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Number of rows near the points, and its mean and standard deviation over all rows."""
        array = self._check_subspaces(subspaces)
        bits, place = self._near_points(self._check_points(points))
        at_points = np.empty((len(array), place.shape[1]))
        count_near(bits, place, array, at_points)
        totals = Totals.of(len(array))
        for m in range(len(array)):
            sum_near(self._pseudo, self._place, array, m, totals.sums, totals.squares[:, 0])
            if tick is not None:
                tick(m + 1)
        mean, std = exact_moments(totals, self.n_rows_)
        return at_points, mean, std


def paper_figures(mined: Iterable[Sequence[Aspect]]) -> list[list[tuple[Any, ...]]]:
    """Return the figures that the paper has, too; others, such as lift, need our bins."""
    return [[(a.subspace, a.score, a.density, a.mean, a.std) for a in row] for row in mined]


@jit
def set_bits(place: Any, out: Any) -> None:
    """Set bit r of out[place[r]]."""
    for r in range(place.size):
        out[place[r], r >> 6] |= np.uint64(1) << np.uint64(r & 63)


@jit
def _both(bits: Any, place: Any, subspace: Any, r: Any, room: Any) -> Any:
    """Number of bits that the pseudo-bins of row r have in common."""
    # One loop for each size up to three, which the compiler vectorises. For larger sizes, the AND
    # of the first three stays in the first cache.
    k = subspace.size
    n_words = bits.shape[1]
    count = np.uint64(0)
    first = bits[place[subspace[0], r]]
    if k == 1:
        for w in range(n_words):
            count += popcount(first[w])
        return count
    second = bits[place[subspace[1], r]]
    if k == 2:
        for w in range(n_words):
            count += popcount(first[w] & second[w])
        return count
    third = bits[place[subspace[2], r]]
    if k == 3:
        for w in range(n_words):
            count += popcount(first[w] & second[w] & third[w])
        return count
    for w in range(n_words):
        room[w] = first[w] & second[w] & third[w]
    for j in range(3, k - 1):
        other = bits[place[subspace[j], r]]
        for w in range(n_words):
            room[w] &= other[w]
    last = bits[place[subspace[k - 1], r]]
    for w in range(n_words):
        count += popcount(room[w] & last[w])
    return count


@jit
def count_near(bits: Any, place: Any, subspaces: Any, out: Any) -> None:
    """Fill out[m, r] with the number of rows near row r in subspace m."""
    room = np.empty(bits.shape[1], dtype=np.uint64)
    for m in range(subspaces.shape[0]):
        for r in range(place.shape[1]):
            out[m, r] = _both(bits, place, subspaces[m], r, room)


@jit
def sum_near(bits: Any, place: Any, subspaces: Any, m: Any, sums: Any, squares: Any) -> None:
    """Fill the sum of the counts of all rows, and of their squares, for subspace m."""
    room = np.empty(bits.shape[1], dtype=np.uint64)
    s1, s2 = np.uint64(0), np.uint64(0)
    for r in range(place.shape[1]):
        count = _both(bits, place, subspaces[m], r, room)
        s1 += count
        s2 += count * count
    sums[m], squares[m] = s1, s2
