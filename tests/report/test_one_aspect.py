"""Sentence, picture, figures and what the detector says are of one aspect."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from html_page import Page
from pyod.models.knn import KNN

from pyod_aspects import AspectExplainer, Explanation
from pyod_aspects._util.numbers import set_minus
from pyod_aspects.explanation.judging.findings import find
from pyod_aspects.explanation.writing.sentences import agreement_words, finding_words, headline
from pyod_aspects.explanation.writing.sentences.values import wish_words
from pyod_aspects.explanation.writing.wording import density_words
from pyod_aspects.plots import describe_aspect


@pytest.fixture(scope="module")
def made() -> Explanation:
    """A row that is narrow for its length and for its weight: the range of length tells more,
    the aspect of weight is the stronger one."""
    rng = np.random.default_rng(1)
    size = rng.uniform(1, 10, 800)
    frame = pd.DataFrame(
        {
            "weight": size + rng.normal(0, 0.25, 800),
            "length": size + rng.normal(0, 0.05, 800),
            "width": size + rng.normal(0, 0.05, 800),
        }
    )
    frame.iloc[0] = [8.0, 8.0, 3.0]
    return AspectExplainer(KNN().fit(frame)).fit(frame).explain(rows=[0])


def test_picture_and_figures_are_those_of_the_sentence(made):
    (finding,) = find(made[0], made.score_name)
    assert finding.best is not finding.aspects[0]
    page = Page(made.to_html())
    assert set_minus(headline(made[0], made.score_name)) in page.words
    here, usual = density_words(made, finding.best)
    wish = wish_words(finding.blamed, finding.blamed.expected)
    assert f"Rows like it have {wish} {here} {usual}" in page.words
    pictures = [svg["aria-label"] for svg in page.all("svg")]
    assert describe_aspect(made, 0, finding.best) in pictures
    assert describe_aspect(made, 0, finding.aspects[0]) not in pictures


def test_the_detector_is_asked_about_the_aspect_of_the_sentence(made):
    best = find(made[0], made.score_name)[0].best
    alone = replace(made, queries=(replace(made[0], aspects=(best,)),)).with_agreement()
    said, _, verdict = agreement_words(alone, alone[0]).rpartition(": ")
    for redundant in (False, True):
        source = made.to_html(redundant=redundant)
        assert f"{verdict[1:]} Score" in Page(source).words
        assert set_minus(said) in Page(source).words
        assert f'style="width:{100 * alone[0].aspects[0].repair.share:.0f}%"' in source


def test_a_guess_that_is_not_convincing_has_its_picture_and_figures(made):
    unsure = replace(made, queries=(replace(made[0], p_value=0.8, features={}),))
    strongest = find(unsure[0], made.score_name, convincing=False)[0]
    assert strongest.best is unsure[0].aspects[0]
    page = Page(unsure.to_html())
    assert set_minus(finding_words(strongest)) in page.words
    assert " ".join(density_words(unsure, strongest.best)) in page.words
    assert describe_aspect(unsure, 0, strongest.best) in [s["aria-label"] for s in page.all("svg")]
