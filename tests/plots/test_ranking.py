"""The aspects of a row are drawn with the best on top."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from plot_parts import Scores, extent, stars, texts

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects._util.numbers import aspect_score_text, density_text, set_minus
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.explanation.writing.wording import score_words
from pyod_aspects.miners import MINERS
from pyod_aspects.plots import plot_aspect, plot_aspects, plot_overview


def bars(ax):
    """Ends of the bars, from left to right as they were drawn."""
    (lines,) = (c for c in ax.collections if isinstance(c, LineCollection))
    return np.array([segment[:, 0] for segment in lines.get_segments()])


def test_the_ranking_has_the_best_aspect_on_top(plain):
    query = plain[0]
    ax = plot_aspects(plain, query.row)
    names = [text.get_text().replace("\n", " ") for text in ax.get_yticklabels()]
    assert names == [" × ".join(aspect.features) for aspect in query.aspects]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    best = aspect_score_text(query.aspects[0].score, "lift")
    assert any(f"lift = {best}" in text for text in texts(ax.figure))


def test_bars_go_from_the_rows_nearby_to_those_expected(plain):
    query = plain[0]
    ax = plot_aspects(plain, query.row)
    assert ax.get_xscale() == "log"
    assert bars(ax) == pytest.approx(np.array([(a.density, a.expected) for a in query.aspects]))
    (star,) = stars(ax)
    assert star.get_xdata() == pytest.approx([a.density for a in query.aspects])
    assert {"rows nearby", "expected"} <= set(texts(ax.figure))
    for aspect, (low, high) in zip(query.aspects, bars(ax), strict=True):
        shown = {f"{low:,.0f}", density_text(aspect.expected, "count")}
        assert shown <= set(texts(ax.figure))
        assert ax.get_xlim()[0] < min(low, high)
        assert max(low, high) < ax.get_xlim()[1]


def test_bars_differ_where_aspects_do(plain):
    """Two aspects with the same lift differ by their counts."""
    query = plain[0]
    first = replace(query.aspects[0], density=1.0, expected=100.0)
    second = replace(query.aspects[1], density=30.0, expected=3000.0)
    aspects = (first, replace(second, score=first.score))
    ax = plot_aspects(replace(plain, queries=(replace(query, aspects=aspects),)), query.row)
    assert bars(ax).tolist() == [[1.0, 100.0], [30.0, 3000.0]]


@pytest.mark.parametrize("miner", [*MINERS, SGBeam(score="zscore")])
def test_all_miners_have_bars_and_their_score_beside_them(plain, miner):
    values = plain.background.reference.values[:150]
    explainer = AspectExplainer(Scores(np.arange(150.0)), miner, n_reference=0).fit(values)
    (query,) = made = explainer.explain(rows=[plain[0].row])
    ax = plot_aspects(made, query.row)
    ax.figure.draw_without_rendering()
    ends = bars(ax)
    assert len(ends) == len(query.aspects)
    assert (ends > 0).all()
    for aspect in query.aspects:
        assert set_minus(score_words(made, aspect)) in texts(ax.figure)


@pytest.mark.parametrize("width", [6.4, 5.0])
def test_no_words_cover_each_other_or_a_bar(plain, width):
    query = plain[0]
    aspects = [
        replace(a, density=d, expected=e)
        for a, d, e in zip(query.aspects, (1, 40, 7, 2), (35_676, 43, 9.5, 1.2), strict=False)
    ]
    made = replace(plain, queries=(replace(query, aspects=tuple(aspects)),))
    figure = Figure(figsize=(width, 3.0))
    figure.subplots_adjust(left=0.3, right=0.8)
    ax = plot_aspects(made, query.row, ax=figure.subplots())
    boxes = [extent(figure, text) for text in ax.texts]
    for i, one in enumerate(boxes):
        assert not any(one.overlaps(other) for other in boxes[:i])
    for place, ends in enumerate(bars(ax)):
        (x0, y), (x1, _) = ax.transData.transform([(min(ends), place), (max(ends), place)])
        inside = [box for box in boxes if box.y0 < y < box.y1 and box.x0 < x1 and x0 < box.x1]
        assert not inside


@pytest.mark.parametrize("largest", [1.2, 30.0, 1e5])
def test_ticks_are_plain_numbers(plain, largest):
    query = plain[0]
    aspects = (replace(query.aspects[0], density=1.0, expected=largest),)
    ax = plot_aspects(replace(plain, queries=(replace(query, aspects=aspects),)), query.row)
    ax.figure.draw_without_rendering()
    low, high = ax.get_xlim()
    seen = {
        tick.label1.get_text()
        for tick in ax.xaxis.get_major_ticks()
        if low <= tick.get_loc() <= high
    }
    assert 1 <= len(seen) <= 10
    assert "1" in seen
    assert all(re.fullmatch(r"[\d,.]+", text) for text in seen)


@pytest.mark.parametrize("density", [0.0, -1.0, np.nan, np.inf, 1e-308, 1e308])
def test_figures_that_no_miner_gives_are_drawn_too(plain, density):
    """They may come from JSON."""
    query = plain[0]
    for others in (query.aspects[1:], ()):
        aspects = (replace(query.aspects[0], density=density), *others)
        ax = plot_aspects(replace(plain, queries=(replace(query, aspects=aspects),)), query.row)
        ax.figure.draw_without_rendering()
        assert np.isfinite(ax.get_xlim()).all()


@pytest.mark.parametrize("score", [-1.0, 0.0, 1e-300, 1e300])
def test_lifts_that_no_miner_gives_are_drawn_too(plain, score):
    """They may come from JSON."""
    query = plain[0]
    aspects = (replace(query.aspects[0], score=score), *query.aspects[1:])
    ax = plot_aspects(replace(plain, queries=(replace(query, aspects=aspects),)), query.row)
    ax.figure.draw_without_rendering()
    assert np.isfinite(ax.get_xlim()).all()


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
