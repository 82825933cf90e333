"""The aspects of a row are drawn with the best on top."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plot_parts import texts

from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.plots import plot_aspect, plot_aspects, plot_overview


def test_the_ranking_has_the_best_aspect_on_top(plain):
    query = plain[0]
    ax = plot_aspects(plain, query.row)
    names = [text.get_text().replace("\n", " ") for text in ax.get_yticklabels()]
    assert names == [" × ".join(aspect.features) for aspect in query.aspects]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    assert [bar.get_width() for bar in ax.patches] == [a.score for a in query.aspects]
    assert any(f"z = −{-query.aspects[0].score:.2f}" in text for text in texts(ax.figure))


def test_scores_that_are_not_numbers_are_drawn_as_nothing(plain):
    """JSON has no word for them, so they may come back from it."""
    query = plain[0]
    aspects = (replace(query.aspects[0], score=np.nan), *query.aspects[1:])
    ax = plot_aspects(replace(plain, queries=(replace(query, aspects=aspects),)), query.row)
    assert np.isfinite(ax.get_xlim()).all()


def test_a_row_without_aspects_is_said_in_the_picture(mixed):
    empty = replace(mixed, queries=(replace(mixed[0], aspects=()),))
    assert "no aspect was found" in texts(plot_aspects(empty, 0).figure)
    assert "no aspect was found" in texts(plot_overview(empty).figure)
    assert "no aspect was found" in texts(plot_overview(empty[:0]).figure)
    with pytest.raises(InvalidInputError, match="row 0 has no such aspect, it has none"):
        plot_aspect(empty, 0)
