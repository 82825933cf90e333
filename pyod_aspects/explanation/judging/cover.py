"""Cover: the few sets of features whose pictures show why most rows are odd.

Only rows with aspects to show count: convincing and not redundant; without p-values, not redundant.
A picture of a set of features explains the rows that have this set among their aspects to show. A
picture of two features also explains the rows that are odd in one of them: it shows both axes.
Larger sets do not stand for their parts, as their pictures are harder to read.

A greedy choice picks the sets: each next one explains the largest number of rows left. Ties go to
fewer features, then to the first columns. The number of explained rows is submodular. So k pictures
explain at least 1 - 1/e = 63 % of the rows of the best k (Nemhauser, Wolsey and Fisher 1978,
doi:10.1007/BF01588971).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

from ..._util.types import Subspace
from ...exceptions import InvalidInputError
from ..writing import grouping as _grouping
from .reasons import told_aspects, told_limit

if TYPE_CHECKING:
    import pandas as pd

    from ..values import Explanation


@dataclass(frozen=True)
class CoverPicture:
    """One set of features, and the rows that its picture explains.

    Attributes
    ----------
    features : tuple of str
    rows : tuple of int
        All rows of the picture, by position, in the order of the explanation.
    places : tuple of int
        For each row the place, from 0, of its best aspect that the picture shows.
    share : float
        Share of the rows that this picture and those before it explain, see `Cover.n_rows`.
    labels : tuple of str or None
        Names of the rows; None where a row has no label.
    """

    features: tuple[str, ...]
    rows: tuple[int, ...]
    places: tuple[int, ...]
    share: float
    labels: tuple[str | None, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True, repr=False)
class Cover:
    """A few pictures that explain most rows.

    Attributes
    ----------
    pictures : tuple of CoverPicture
        In the order of the choice: the first explains most rows.
    n_rows : int
        Number of rows that pictures could explain: rows with a convincing aspect; without p-values,
        with any aspect.

    Examples
    --------
    >>> Cover((CoverPicture(("depth",), (3, 17), (0, 0), share=0.5),), n_rows=4)
    Cover: 1 picture explains 2 of 4 rows (50 %)
      {depth}   2 rows   50 %
    """

    pictures: tuple[CoverPicture, ...]
    n_rows: int

    @property
    def share(self) -> float:
        """Share of the rows that the pictures explain; 0 without rows."""
        return self.pictures[-1].share if self.pictures else 0.0

    def __repr__(self) -> str:
        return _grouping.cover_summary(self)

    def to_frame(self) -> pd.DataFrame:
        """Table with one line for each picture and row that it explains.

        Returns
        -------
        pandas.DataFrame
            With the columns ``picture`` (from 1), ``features``, ``share``, ``row`` (the position),
            ``label`` and ``aspect`` (1 is the best of the row).
        """
        return _grouping.cover_frame(self)

    def to_json(self) -> str:
        """Write the pictures as JSON.

        Returns
        -------
        str
            An object with ``share``, ``n_rows`` and a list of ``pictures``, whose keys are the
            fields of `CoverPicture`.
        """
        return _grouping.cover_json(self)


def find_cover(explanation: Explanation, n_pictures: int) -> Cover:
    """Return the pictures of `Explanation.cover`."""
    if isinstance(n_pictures, bool) or not isinstance(n_pictures, Integral) or n_pictures < 1:
        raise InvalidInputError(f"n_pictures={n_pictures!r}: expected a whole number, 1 or more.")
    limit = told_limit(explanation)
    told = [
        {aspect.subspace: place for place, aspect in aspects.items()}
        for query in explanation.queries
        for aspects in [told_aspects(query, explanation.score_name, limit)]
    ]
    n_rows = sum(map(bool, told))
    pictures: list[CoverPicture] = []
    explained: set[int] = set()
    for subspace, places in choose(told, n_pictures):
        explained.update(places)
        queries = [explanation.queries[i] for i in places]
        pictures.append(
            CoverPicture(
                features=tuple(explanation.feature_names[a] for a in subspace),
                rows=tuple(query.row for query in queries),
                places=tuple(places.values()),
                share=len(explained) / n_rows,
                labels=tuple(query.label for query in queries),
            )
        )
    return Cover(tuple(pictures), n_rows)


def choose(
    told: Sequence[Mapping[Subspace, int]], n_pictures: int
) -> list[tuple[Subspace, dict[int, int]]]:
    """Choose sets of features greedily, each with its rows and the places of their aspects.

    Parameters
    ----------
    told : sequence of mapping of subspace to int
        For each row its aspects with their places.
    n_pictures : int

    Examples
    --------
    >>> choose([{(0,): 0}, {(0, 1): 0}, {(2,): 0}], 1)
    [((0, 1), {0: 0, 1: 0})]
    """
    shown: dict[Subspace, dict[int, int]] = defaultdict(dict)
    for i, aspects in enumerate(told):
        for subspace, place in aspects.items():
            shown[subspace][i] = place
    for subspace, places in shown.items():
        if len(subspace) == 2:
            parts = [dict(places), *(shown.get((a,), {}) for a in subspace)]
            places.clear()
            for i in sorted({i for part in parts for i in part}):
                places[i] = min(part[i] for part in parts if i in part)
    chosen: list[tuple[Subspace, dict[int, int]]] = []
    left = {subspace: set(places) for subspace, places in shown.items()}
    while len(chosen) < n_pictures:
        best = min(left, key=lambda s: (-len(left[s]), len(s), s), default=None)
        if best is None or not left[best]:
            break
        chosen.append((best, shown[best]))
        explained = left.pop(best)
        for rows in left.values():
            rows.difference_update(explained)
    return chosen
