"""The aspects of a row are drawn with the best on top."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from plot_parts import Scores, texts

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects._util.numbers import aspect_score_text
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.explanation.wording import score_words
from pyod_aspects.plots import plot_aspect, plot_aspects, plot_overview


def test_the_ranking_has_the_best_aspect_on_top(plain):
    query = plain[0]
    ax = plot_aspects(plain, query.row)
    names = [text.get_text().replace("\n", " ") for text in ax.get_yticklabels()]
    assert names == [" × ".join(aspect.features) for aspect in query.aspects]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    ends = [bar.get_x() + bar.get_width() for bar in ax.patches]
    assert ends == pytest.approx([1 / a.score for a in query.aspects])
    assert {bar.get_x() for bar in ax.patches} == {1.0}
    assert ax.get_xscale() == "log"
    assert ax.get_xlim()[0] == 1.0
    assert ax.get_xlim()[1] > max(ends)
    best = aspect_score_text(query.aspects[0].score, "lift")
    assert any(f"lift = {best}" in text for text in texts(ax.figure))


def test_bars_of_z_scores_run_from_zero_down(plain):
    values = plain.background.reference.values
    explainer = AspectExplainer(Scores(np.arange(600.0)), SGBeam(score="zscore"))
    (query,) = made = explainer.fit(values).explain(rows=[plain[0].row])
    ax = plot_aspects(made, query.row)
    assert [bar.get_width() for bar in ax.patches] == [a.score for a in query.aspects]
    assert ax.get_xlim()[0] == 0.0 > min(a.score for a in query.aspects) > ax.get_xlim()[1]
    assert any(f"z = −{-query.aspects[0].score:.2f}" in text for text in texts(ax.figure))


@pytest.mark.parametrize("largest", [1.2, 30.0, 1e6])
def test_ticks_of_lifts_are_plain_numbers(plain, largest):
    query = plain[0]
    aspects = (replace(query.aspects[0], score=1 / largest),)
    ax = plot_aspects(replace(plain, queries=(replace(query, aspects=aspects),)), query.row)
    ax.figure.draw_without_rendering()
    low, high = ax.get_xlim()
    seen = {
        tick.label1.get_text()
        for tick in ax.xaxis.get_major_ticks()
        if low <= tick.get_loc() <= high
    }
    assert 2 <= len(seen) <= 10
    assert "1" in seen
    assert all(re.fullmatch(r"[\d,]+", text) for text in seen)


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


def test_figures_on_a_bar_are_told_apart_by_commas(plain):
    """SVG shows several spaces as one."""
    best = plain[0].aspects[0]
    first = plot_aspects(plain, plain[0].row).texts[0].get_text()
    assert first.endswith(f" expected, {score_words(plain, best)}")
