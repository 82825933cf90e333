"""What a picture of an aspect is made of: the rows, the query, and what is near to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._util.types import AnyArray, FloatArray
from ..exceptions import InvalidInputError
from ..explanation import Aspect, Background, Explanation, QueryExplanation
from ..explanation.wording import row_words
from ..scoring import rank, zscore
from .scale import Scale

AspectLike = int | Aspect | Sequence[str | int]


def background_of(explanation: Explanation, what: str) -> Background:
    """Return what the explanation was made from, or say that it is gone."""
    if explanation.background is None:
        raise InvalidInputError(
            f"{what} needs the table and the scores, which an explanation loses on its way "
            "through JSON or a pickle: make it anew with AspectExplainer.explain."
        )
    return explanation.background


def threshold_of(background: Background) -> float | None:
    """Return the detector's threshold; 6.7e-18 among scores from -1 to 1 is 0 but for rounding."""
    limit = background.threshold
    if limit is None or abs(limit) > 1e-9 * float(np.abs(background.scores).max()):
        return limit
    return 0.0


def find_aspect(
    explanation: Explanation, query: QueryExplanation, aspect: AspectLike = 0
) -> Aspect:
    """Return the aspect at a position, or that of the given features, worked out if need be."""
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
    point = background.explained.values[[query.row]]
    density, mean, std = background.density.moments([subspace], point)
    score = float("nan")
    score_of = {"zscore": zscore, "rank": rank}.get(explanation.score_name)
    if score_of is not None:
        score = float(score_of(background.density, [subspace], point)[0, 0])
    names = tuple(explanation.feature_names[i] for i in subspace)
    return Aspect(subspace, names, score=score, density=density[0, 0], mean=mean[0], std=std[0])


@dataclass(frozen=True)
class View:
    """A row in the features of an aspect, among all others.

    Attributes
    ----------
    name : str
        The query in words.
    values : ndarray of shape (n_rows, k)
        The reference rows, in the features of the aspect.
    point : ndarray of shape (k,)
        The query.
    low, high : ndarrays of shape (k,)
        Where near ends; not a number where the density does not say.
    scales : tuple of Scale
    near : ndarray of bool, shape (n_rows,)
        The rows that are near in all features; the query's own row is left out.
    own : int or None
        The query among the rows, unless it is new.
    bin_width : ndarray of shape (k,)
        Width of the bins around the query; not a number where the density does not say.
    """

    name: str
    values: FloatArray
    point: FloatArray
    low: FloatArray
    high: FloatArray
    scales: tuple[Scale, ...]
    near: AnyArray
    own: int | None
    bin_width: FloatArray

    @classmethod
    def of(cls, explanation: Explanation, query: QueryExplanation, aspect: Aspect) -> View:
        """Gather it from the explanation's background."""
        background = background_of(explanation, "plot_aspect")
        columns = list(aspect.subspace)
        full = background.explained.values[[query.row]]
        density, unknown = background.density, np.full(full.shape, np.nan)
        reach = None
        if aspect.reach:
            reach = np.full(full.shape[1], density.reach)
            reach[columns] = aspect.reach
        edges = density.neighbourhood(full, reach) or (unknown, unknown)
        low, high = (side[0, columns] for side in edges)
        widths = density.bin_width(full)
        bin_width = (unknown if widths is None else widths)[0, columns]
        values, point = background.reference.values[:, columns], full[0, columns]
        scales = tuple(
            Scale.of(background.reference.columns[j], values[:, i], point[i], (low[i], high[i]))
            for i, j in enumerate(columns)
        )
        near = density.nearby_rows(columns, full[0], background.reference.values, reach)
        own = None if explanation.new_rows else query.row
        if own is not None:
            near[own] = False
        return cls(row_words(query), values, point, low, high, scales, near, own, bin_width)

    @property
    def others(self) -> AnyArray:
        """Mask of the rows that are not near, and not the query."""
        mask = ~self.near
        if self.own is not None:
            mask[self.own] = False
        return mask

    def span(self, i: int) -> tuple[float, float] | None:
        """Where the neighbourhood is drawn in a feature, or None."""
        return self.scales[i].span(float(self.low[i]), float(self.high[i]))
