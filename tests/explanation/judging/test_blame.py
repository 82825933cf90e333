"""Features to blame: they recur in the aspects of a row, and lie outside of what is expected."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pyod_aspects import Aspect, AspectExplainer, Evidence, QueryExplanation
from pyod_aspects.explanation.judging.blame import feature_to_blame, weigh_features
from pyod_aspects.explanation.judging.findings import find
from pyod_aspects.explanation.writing.sentences import evidence_words


def pair(other: str, score: float) -> Aspect:
    """An aspect of y and another feature, of which y lies farther outside."""
    y = Evidence("y", 4.24, (4.3, 7.7), (6.7, 6.9), "low", outside=12.3)
    x = Evidence(other, 6.79, (4.3, 7.7), (6.0, 6.6), "high", outside=0.3)
    names = (other, "y")
    return Aspect((0, 1), names, score=score, lift=score, density=1, expected=9, evidence=(x, y))


def test_the_feature_that_recurs_has_the_largest_weight():
    weights = weigh_features([pair("x", 0.01), pair("price", 0.1)], "lift")
    assert list(weights) == ["y", "x", "price"]
    assert sum(weights.values()) == pytest.approx(1)
    assert weights["x"] == pytest.approx(2 * weights["price"])  # logarithms of 0.01 and 0.1


def test_a_lift_of_zero_is_weighed_too():
    """No miner gives it, but it may come from JSON."""
    weights = weigh_features([pair("x", 0.0)], "lift")
    assert list(weights) == ["y", "x"]
    assert sum(weights.values()) == pytest.approx(1)


def test_of_the_features_outside_their_range_the_heaviest_is_to_blame():
    aspect = pair("x", 0.01)
    assert feature_to_blame(aspect).feature == "y"  # the farthest outside
    assert feature_to_blame(aspect, {"x": 0.6, "y": 0.4}).feature == "x"
    inside = replace(aspect.evidence[0], outside=0.0)
    aspect = replace(aspect, evidence=(inside, aspect.evidence[1]))
    assert feature_to_blame(aspect, {"x": 0.6, "y": 0.4}).feature == "y"


def test_the_sentence_begins_with_the_feature_to_blame():
    for weights in ({}, {"x": 0.6, "y": 0.4}):
        aspect = pair("x", 0.01)
        blamed = feature_to_blame(aspect, weights).feature
        assert evidence_words(aspect, weights).startswith(f"{blamed} = ")


def test_without_evidence_nothing_is_to_blame():
    assert feature_to_blame(replace(pair("x", 0.01), evidence=())) is None


@pytest.mark.parametrize("units", [(1.0, 1.0, 1.0), (1e6, 1e-3, -2.0), (1e-4, 1e5, 7.0)])
def test_the_farthest_of_equally_rare_features_comes_first_in_any_units(units):
    X = np.random.default_rng(0).normal(size=(500, 3))
    X[0, 0], X[0, 1] = 9.0, 4400.0
    scaled = X * units + np.array([100.0, -3.0, 0.5])
    scores = np.append(1.0, np.zeros(499))
    explainer = AspectExplainer.from_scores(scores, n_queries=1).fit(scaled)
    [query] = explainer.explain()
    assert [one.blamed.feature for one in find(query, "lift")][:2] == ["x1", "x0"]


def test_a_feature_alone_states_a_finding_only_if_it_is_as_convincing():
    """price = 19.9 is hardly rare, but far too high for the weight: the pair says what is odd."""
    alone = Evidence("price", 19.9, (5.0, 19.0), None, "high", outside=0.1)
    in_pair = Evidence("price", 19.9, (5.0, 19.0), (5.9, 9.5), "high", outside=2.9)
    weight = Evidence("weight", 3.31, (0.5, 17.0), (0.5, 17.0), "between")
    pair = Aspect((0, 1), ("price", "weight"), score=0.018, lift=0.018, evidence=(in_pair, weight))
    single = Aspect((0,), ("price",), score=0.048, lift=0.048, evidence=(alone,))

    def stated(p_of_single):
        aspects = (replace(pair, p_value=0.005), replace(single, p_value=p_of_single))
        row = QueryExplanation(
            0, 2.1, True, aspects, p_value=0.005, features={"price": 1.0, "weight": 0.1}
        )
        (finding,) = find(row, "lift")
        return finding.best.features

    assert stated(0.04) == ("price", "weight")
    assert stated(0.005) == ("price",)
