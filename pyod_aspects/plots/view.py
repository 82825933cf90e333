"""The contents of a picture of an aspect: the rows, the query, and its neighbourhood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from .._util.types import AnyArray, FloatArray
from ..exceptions import InvalidInputError
from ..explanation import Aspect, Background, Explanation, QueryExplanation
from ..explanation.judging.evidence import EvidenceFinder
from ..explanation.writing.wording import row_words
from ..miners import BaseMiner
from .bars import Bars
from .expected import MANY, MOST_RANGES, Expected, find_beside, find_expected, find_typical
from .scale import Scale
from .window import Range, find_window

AspectLike = int | Aspect | Sequence[str | int]


def background_of(explanation: Explanation, what: str) -> Background:
    """Return the background of the explanation, or say that it is gone."""
    if explanation.background is None:
        raise InvalidInputError(
            f"{what} needs the table and the scores, which an explanation loses on its way "
            "through JSON or a pickle: make it anew with AspectExplainer.explain."
        )
    return explanation.background


def find_aspect(
    explanation: Explanation, query: QueryExplanation, aspect: AspectLike = 0
) -> Aspect:
    """Return the aspect at a position, or of the given features, computed if necessary."""
    if isinstance(aspect, Aspect):
        return aspect
    if isinstance(aspect, (int, np.integer)):
        n = len(query.aspects)
        if not -n <= aspect < n:
            having = f"it has {n}, counted from 0" if n else "it has none"
            raise InvalidInputError(
                f"aspect={aspect}: {row_words(query)} has no such aspect, {having}."
            )
        return query.aspects[aspect]
    names = explanation.feature_names
    features = [aspect] if isinstance(aspect, str) else list(aspect)
    chosen = set()
    for feature in features:
        if isinstance(feature, str) and feature in names:
            chosen.add(names.index(feature))
        elif isinstance(feature, (int, np.integer)) and 0 <= feature < len(names):
            chosen.add(int(feature))
        else:
            raise InvalidInputError(
                f"aspect={aspect!r}: there is no feature {feature!r}; pass names of columns, "
                f"or numbers from 0 to {len(names) - 1}."
            )
    if not chosen:
        raise InvalidInputError("aspect=(): expected one feature or more.")
    subspace = tuple(sorted(chosen))
    found = [candidate for candidate in query.aspects if candidate.subspace == subspace]
    return found[0] if found else _measure_aspect(explanation, query, subspace)


def _measure_aspect(
    explanation: Explanation, query: QueryExplanation, subspace: tuple[int, ...]
) -> Aspect:
    """Aspect that the search did not report."""
    background = background_of(explanation, "an aspect that was not found")
    point = background.explained.take(np.array([background.place(query.row)]))
    miner: BaseMiner = background.explainer.miner_
    [[aspect]] = miner.evaluate(point, [subspace], new_rows=explanation.new_rows)
    return replace(aspect, features=tuple(explanation.feature_names[i] for i in subspace))


class Known:
    """Facts that all pictures of one table share: windows and bars of its columns, cached."""

    def __init__(self, background: Background) -> None:
        self.table, self.density = background.reference, background.density
        self.finder = EvidenceFinder(background.fitted, background.density)
        self._windows: dict[int, Range] = {}
        self._bars: dict[int, Bars] = {}
        self._missing: dict[int, bool] = {}

    @classmethod
    def of(cls, background: Background) -> Known:
        """Look up the facts of a table."""
        if background not in _KNOWN:
            _KNOWN[background] = cls(background)
        return _KNOWN[background]

    def window(self, j: int) -> Range:
        """Window that holds the rows of a column."""
        if j not in self._windows:
            self._windows[j] = find_window(self.table.values[:, j])
        return self._windows[j]

    def missing(self, j: int) -> bool:
        """Whether values of a column are missing."""
        if j not in self._missing:
            self._missing[j] = bool(np.isnan(self.table.values[:, j]).any())
        return self._missing[j]

    def bars(self, j: int) -> Bars:
        """Bars of a column, the same in all its histograms."""
        if j not in self._bars:
            self._bars[j] = Bars.of(self.table.values, j, self.window(j), self.density)
        return self._bars[j]


_KNOWN: WeakKeyDictionary[Background, Known] = WeakKeyDictionary()


@dataclass(frozen=True)
class View:
    """Some rows in a few features, among all others.

    Attributes
    ----------
    names : tuple of str
        The marked rows in words: the query, or the rows of a group.
    values : ndarray of shape (n_rows, k)
        The reference rows, in the features of the view.
    points : ndarray of shape (n_marked, k)
        The marked rows.
    low, high : ndarrays of shape (k,)
        Ends of the neighbourhood; NaN where the density defines none.
    scales : tuple of Scale
    near : ndarray of bool, shape (n_rows,)
        The rows that are near in all features, without the query's own row.
    own : tuple of int
        Row numbers of the marked rows, unless they are new.
    bars : tuple of Bars
        Bars of a single feature.
    expected : tuple of Expected
        The ranges of rows like the query.
    each : tuple of Expected or None
        For each row of a group in two features, the range of rows like it in the second one. None
        if the row lies in it, or if few rows are like it.
    """

    names: tuple[str, ...]
    values: FloatArray
    points: FloatArray
    low: FloatArray
    high: FloatArray
    scales: tuple[Scale, ...]
    near: AnyArray
    own: tuple[int, ...]
    bars: tuple[Bars, ...]
    expected: tuple[Expected, ...] = ()
    each: tuple[Expected | None, ...] = ()

    @classmethod
    def of(cls, explanation: Explanation, query: QueryExplanation, aspect: Aspect) -> View:
        """Make the view of a query in the features of an aspect."""
        background = background_of(explanation, "plot_aspect")
        known, columns = Known.of(background), list(aspect.subspace)
        place = background.place(query.row)
        full = background.explained.values[[place]]
        density, unknown = background.density, np.full(full.shape, np.nan)
        reach = None
        if aspect.reach:
            reach = np.full(full.shape[1], density.reach)
            reach[columns] = aspect.reach
        edges = density.neighbourhood(full, reach) or (unknown, unknown)
        low, high = (side[0, columns] for side in edges)
        expected = find_expected(explanation, query, aspect, known.finder)
        # Parallel axes name their ends: values of rows, not edges of a neighbourhood.
        beyond = 0.3 if len(columns) < MANY else 0.0
        scales = []
        for i, j in enumerate(columns):
            wanted = [
                (one.values[0], one.values[-1])
                for one in expected
                if one.feature == i and np.isfinite(one.values).all()
            ]
            column, near_ends = background.reference.columns[j], (float(low[i]), float(high[i]))
            marked, missing = full[0, [j]], known.missing(j)
            scales.append(
                Scale.of(column, known.window(j), marked, missing, near_ends, wanted, beyond)
            )
        near = density.nearby_rows(columns, full[0], background.reference.values, reach)
        own = () if explanation.new_rows else (place,)
        near[list(own)] = False
        return cls(
            (row_words(query),),
            background.reference.values[:, columns],
            full[:, columns],
            low,
            high,
            tuple(scales),
            near,
            own,
            tuple(known.bars(j) for j in columns[:1] if len(columns) == 1),
            expected,
        )

    @classmethod
    def of_rows(
        cls,
        explanation: Explanation,
        queries: Sequence[QueryExplanation],
        columns: Sequence[int],
        alone: bool = False,
    ) -> View:
        """Make the view of several explained rows in the same features.

        It shows the ranges of rows like them, unless a feature is odd by itself (`alone`): then
        the other feature may be as wrong, and says little.
        """
        background = background_of(explanation, "plot_group")
        known, columns = Known.of(background), list(columns)
        rows = [background.place(query.row) for query in queries]
        points = background.explained.values[np.ix_(rows, columns)]
        own = () if explanation.new_rows else tuple(rows)
        each: tuple[Expected | None, ...] = ()
        if len(columns) == 2 and not alone:
            each = tuple(
                find_beside(
                    known.finder,
                    background.explained.values[place],
                    None if explanation.new_rows else query.row,
                    columns,
                )
                for query, place in list(zip(queries, rows, strict=True))[:MOST_RANGES]
            )
        wanted = [(one.values[0], one.values[-1]) for one in each if one is not None]
        scales = tuple(
            Scale.of(
                background.reference.columns[j],
                known.window(j),
                points[:, i],
                known.missing(j),
                wanted=wanted if i == 1 else (),
            )
            for i, j in enumerate(columns)
        )
        unknown = np.full(len(columns), np.nan)
        expected: tuple[Expected, ...] = ()
        if len(columns) == 1:
            expected = find_typical(known.finder, columns[0], float(points[0, 0]))
        return cls(
            tuple(row_words(query) for query in queries),
            background.reference.values[:, columns],
            points,
            unknown,
            unknown,
            scales,
            np.zeros(len(background.reference.values), dtype=bool),
            own,
            tuple(known.bars(j) for j in columns[:1] if len(columns) == 1),
            expected,
            each,
        )

    @cached_property
    def inside(self) -> AnyArray:
        """Mask of the rows that lie in the window of every feature."""
        shown = [scale.inside(self.values[:, i]) for i, scale in enumerate(self.scales)]
        return np.asarray(np.logical_and.reduce(shown))

    @cached_property
    def outside(self) -> AnyArray:
        """Mask of the rows outside of any window, without the marked ones."""
        mask = ~self.inside
        mask[list(self.own)] = False
        return mask

    @cached_property
    def others(self) -> AnyArray:
        """Mask of the rows in the windows that are neither near nor marked."""
        mask = self.inside & ~self.near
        mask[list(self.own)] = False
        return mask

    @cached_property
    def places(self) -> FloatArray:
        """Positions of the rows on each axis, with categories and missing values scattered."""
        scales = enumerate(self.scales)
        return np.column_stack([one.place(self.values[:, i], spread=i) for i, one in scales])

    def span(self, i: int) -> Range | None:
        """Ends of the neighbourhood on the axis of a feature, or None."""
        return self.scales[i].span(float(self.low[i]), float(self.high[i]))
