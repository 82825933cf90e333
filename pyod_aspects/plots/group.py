"""All rows of a group in the features that they share, among all others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from matplotlib.figure import Figure, SubFigure

from .._util.types import FloatArray
from ..exceptions import InvalidInputError
from ..explanation import Explanation, QueryExplanation
from ..explanation.writing.wording import elide, join_all, join_first, plural, printable, row_name
from ..tables import Column
from .aspect import draw_view, new_figure_of
from .style import write_title
from .view import View
from .words import outside_words

_MOST_NAMES = 8


class GroupLike(Protocol):
    """A `Group`, or a picture of a `Cover`."""

    @property
    def features(self) -> tuple[str, ...]:
        """The features that the rows share."""

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows by position."""


def plot_group(
    explanation: Explanation, group: GroupLike, figure: Any = None
) -> Figure | SubFigure:
    """Draw all rows of a group in the features that they share, among all other rows.

    One feature gives a histogram, two a scatter plot, three and four all pairs of features, more
    parallel axes, as in `plot_aspect`. Stars mark the rows of the group. The vertical axis shows
    the feature to blame.

    Parameters
    ----------
    explanation : Explanation
        A result of `AspectExplainer.explain`, with its table.
    group : Group or CoverPicture
        One of `explanation.groups()` or of `explanation.cover().pictures`.
    figure : matplotlib Figure or SubFigure, optional
        An empty one to draw on.

    Returns
    -------
    matplotlib Figure or SubFigure
        `figure`, or a new one, which notebooks show.

    Raises
    ------
    InvalidInputError
        If the group has no features, or the explanation lacks these features or its table.

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> X = load_demo().frame.select_dtypes("number")
    >>> explanation = AspectExplainer(ECOD().fit(X)).fit(X).explain(n_queries=10)
    >>> figure = plot_group(explanation, explanation.groups()[0])
    >>> figure.texts[0].get_text().partition(",")[0]
    '7 rows: carat is high'
    """
    queries, view = _view(explanation, group)
    if figure is None:
        figure = new_figure_of(len(view.scales))
    draw_view(figure, view)
    title = f"{plural(len(queries), 'row')}: {_reason(group)}"
    write_title(figure, elide(title, 90), _names(queries))
    return figure  # type: ignore[no-any-return]


def describe_group(explanation: Explanation, group: GroupLike) -> str:
    """Describe the picture of `plot_group`: the rows, the reason, and the values.

    Parameters
    ----------
    explanation : Explanation
    group : Group or CoverPicture
        As for `plot_group`.

    Returns
    -------
    str

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> X = load_demo().frame.select_dtypes("number")
    >>> explanation = AspectExplainer(ECOD().fit(X)).fit(X).explain(n_queries=10)
    >>> describe_group(explanation, explanation.groups()[0])[:33]
    '7 rows among 5,000: carat is high'
    """
    queries = [explanation.row(row) for row in group.rows]
    where = "compared with" if explanation.new_rows else "among"
    words = f"{plural(len(queries), 'row')} {where} {explanation.n_rows:,}: {_reason(group)}"
    words = f"{words}. {_names(queries).capitalize()}"
    if explanation.background is None:
        return f"{words}."
    _, view = _view(explanation, group)
    values = [
        f"{elide(scale.column.name, 60)} {_values_words(scale.column, view.points[:, i])}"
        for i, scale in enumerate(view.scales)
    ]
    lie = "lies" if len(queries) == 1 else "lie"
    return f"{words} {lie} at {join_all(values)}.{outside_words(view)}"


def _view(explanation: Explanation, group: GroupLike) -> tuple[list[QueryExplanation], View]:
    """Explained rows of a group, and the view that shows them."""
    names = explanation.feature_names
    unknown = [feature for feature in group.features if feature not in names]
    if unknown or not group.features or not group.rows:
        what = f"there is no feature {unknown[0]!r}" if unknown else "it has no features or rows"
        raise InvalidInputError(
            f"group: {what}; pass one of explanation.groups(), made from this explanation."
        )
    queries = [explanation.row(row) for row in group.rows]
    # The first feature is the one to blame. It belongs on the vertical axis.
    columns = [names.index(feature) for feature in reversed(group.features)]
    alone = bool(getattr(group, "typical", ()))
    return queries, View.of_rows(explanation, queries, columns, alone)


def _reason(group: GroupLike) -> str:
    """Reason that the rows share, in words."""
    features = " × ".join(elide(feature, 30) for feature in group.features)
    return printable(getattr(group, "sentence", "")) or features


def _names(queries: Sequence[QueryExplanation]) -> str:
    """Names of the first rows."""
    names = [row_name(query.row, query.label, 20) for query in queries]
    return f"{'row' if len(names) == 1 else 'rows'} {join_first(names, _MOST_NAMES)}"


def _values_words(column: Column, values: FloatArray) -> str:
    """Values of the rows of a group: labels, or a range."""
    present = np.unique(values[~np.isnan(values)])
    texts = [printable(column.text(float(value))) for value in present]
    if column.kind == "category":
        words = join_first([elide(text, 30) for text in texts], 5)
    else:
        words = " to ".join(dict.fromkeys([texts[0], texts[-1]])) if texts else ""
    missing = "missing" if len(present) == 0 or np.isnan(values).any() else ""
    return " or ".join(part for part in (words, missing) if part)
