"""One row in the features of one aspect, among all others.

One feature gives a histogram, two a scatter plot, three and four a plot of each pair, and more
parallel axes. A star marks the row, and dashes frame its neighbourhood.
"""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure, SubFigure

from ..explanation import Aspect, Explanation, QueryExplanation
from ..explanation.writing.wording import elide, row_words
from .histogram import draw_histogram
from .parallel import draw_parallel
from .scatter import draw_pairs, draw_scatter
from .style import new_figure, write_title
from .view import AspectLike, View, find_aspect
from .words import figure_words

_TITLE_ROOM = 66


def plot_aspect(
    explanation: Explanation,
    row: int | str,
    aspect: AspectLike = 0,
    figure: Any = None,
) -> Figure | SubFigure:
    """Draw a row in the features of one of its aspects, among all other rows.

    One feature gives a histogram, two a scatter plot, three and four all pairs of features,
    more parallel axes. A star marks the row, and dashes frame its neighbourhood. Of a large table
    the plot shows 5,000 rows, with those that lie alone.

    Parameters
    ----------
    explanation : Explanation
        A result of `AspectExplainer.explain`, with its table.
    row : int or str
        An explained row, by position or label.
    aspect : int, Aspect or sequence of features, default=0
        Position among the aspects of the row, 0 for the best; an aspect; or any features, by name
        or column number.
    figure : matplotlib Figure or SubFigure, optional
        An empty one to draw on.

    Returns
    -------
    matplotlib Figure or SubFigure
        `figure`, or a new one, which notebooks show.

    Raises
    ------
    InvalidInputError
        If there is no such aspect, or if the explanation lost its table in JSON or a pickle.

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> X = load_demo().frame.select_dtypes("number")
    >>> explanation = AspectExplainer(ECOD().fit(X)).fit(X).explain(n_queries=1)
    >>> figure = plot_aspect(explanation, explanation[0].row, ["x", "y"])
    >>> figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()
    ('x', 'y')
    """
    query = explanation.row(row)
    found = find_aspect(explanation, query, aspect)
    view = View.of(explanation, query, found)
    if figure is None:
        figure = new_figure_of(len(found.subspace))
    draw_view(figure, view)
    _title(figure, explanation, query, found)
    return figure  # type: ignore[no-any-return]


def new_figure_of(k: int) -> Figure:
    """New figure for a view of so many features."""
    return new_figure(6.4, 5.6 if k in (3, 4) else 4.2)


def draw_view(figure: Any, view: View) -> None:
    """Draw a view in the form for its number of features."""
    k = len(view.scales)
    draw = {1: draw_histogram, 2: draw_scatter, 3: draw_pairs, 4: draw_pairs}.get(k, draw_parallel)
    draw(figure, view)


def _title(figure: Any, explanation: Explanation, query: QueryExplanation, aspect: Aspect) -> None:
    """Write the row, the features and the figures of the aspect."""
    k = len(aspect.features)
    room = max(14, (_TITLE_ROOM - 3 * (k - 1)) // k)
    names = [elide(name, room) for name in aspect.features]
    while len(" × ".join(names)) > _TITLE_ROOM:
        names.pop()
    more = f" and {k - len(names)} more" if len(names) < k else ""
    title = f"{row_words(query, 'Row', 28)}: {' × '.join(names)}{more}"
    write_title(figure, title, figure_words(explanation, aspect))
