"""Pictures in the sizes of the page, with letters as large as its text."""

from __future__ import annotations

from dataclasses import replace

from ..explanation import Aspect, Explanation, QueryExplanation
from ..explanation.judging.groups import Group
from ..plots import (
    describe_aspect,
    describe_group,
    describe_scores,
    plot_aspect,
    plot_group,
    plot_scores,
    to_svg,
)
from ..plots.style import margins, new_figure
from .pieces import told


def scores_picture(explanation: Explanation) -> str:
    """Draw the detector's scores; "" without them."""
    if explanation.background is None:
        return ""
    words = describe_scores(explanation)
    figure = new_figure(5.2, 2.1)
    margins(figure, 0.7, 0.15, 0.3, 0.5)
    plot_scores(explanation, ax=figure.subplots())
    svg = to_svg(figure, words)
    return f"<figure>{svg}<figcaption>{told(words)}</figcaption></figure>"


def aspect_picture(explanation: Explanation, query: QueryExplanation, aspect: Aspect) -> str:
    """Draw a row in an aspect, without a title: its card has one."""
    figure = new_figure(4.3, 3.2 if len(aspect.features) <= 2 else 4.7)
    plot_aspect(explanation, query.row, aspect, figure)
    return to_svg(figure, describe_aspect(explanation, query.row, aspect), titled=False)


def group_picture(explanation: Explanation, group: Group) -> str:
    """Draw all rows of a group, in two features at most; "" without their table."""
    if explanation.background is None:
        return ""
    group = replace(group, features=group.features[:2])
    figure = new_figure(3.9, 3.0)
    plot_group(explanation, group, figure)
    return to_svg(figure, describe_group(explanation, group), titled=False)
