"""Redundant aspects are counted and left out, with something as good in their place."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from explanation_cases import aspect, explanation, explanations, query
from hypothesis import given

from pyod_aspects.exceptions import InvalidInputError


def left(*aspects, margin=0.05, **changes):
    """Subspaces that are not redundant."""
    made = explanation(query(1, *aspects), **changes).distinct(margin=margin)
    return [aspect.subspace for aspect in made[0].aspects]


def test_a_set_that_is_no_better_than_a_part_of_it_is_redundant():
    one = aspect(0, score=-3.0)
    assert left(one, aspect(0, 1, score=-2.9), aspect(0, 1, 2, score=-2.8)) == [(0,)]
    assert left(one, aspect(0, 1, score=-3.0)) == [(0,)]
    assert left(one, aspect(1, 2, score=-1.0)) == [(0,), (1, 2)]


def test_redundant_ones_of_many_sets_are_found_by_their_parts_as_by_all():
    rng = np.random.default_rng(0)
    sets = {tuple(sorted(set(rng.integers(0, 9, size=4).tolist()))) for _ in range(300)}
    names = tuple("abcdefghi")
    many = [aspect(*s, score=float(rng.normal(-3.0, 0.2)), names=names) for s in sorted(sets)]
    kept = []
    for one in sorted(many, key=lambda a: len(a.subspace)):
        within = [k.score for k in kept if set(k.subspace) < set(one.subspace)]
        if one is many[0] or not any(one.score >= score * 1.05 for score in within):
            kept.append(one)
    assert len(many) > 100 > len(kept)
    assert set(left(*many, feature_names=names)) == {a.subspace for a in kept}


def test_where_rows_are_counted_the_lift_tells_whether_all_features_are_needed():
    """One row nearby is something else than 2,757, however close their Z-scores are."""
    one = aspect(0, score=-2.4, density=2757, lift=0.4)
    needed = aspect(0, 1, score=-2.3, density=1, lift=0.01)
    needless = aspect(0, 2, score=-3.0, density=1200, lift=0.95)
    best = aspect(3, score=-9.0, lift=0.2)
    assert left(best, needless, one, needed) == [(3,), (0,), (0, 1)]
    made = explanation(query(1, best, needless, one, needed))
    assert len(made.distinct(most_lift=1.0)[0].aspects) == 4
    assert [a.subspace for a in made.distinct(most_lift=0.001)[0].aspects] == [(3,), (0,)]


def test_a_set_that_is_clearly_better_than_its_parts_stays_and_so_do_they():
    assert left(aspect(0, 1, score=-4.0), aspect(0, score=-3.0)) == [(0, 1), (0,)]
    first = aspect(3, score=-9.0)
    assert left(first, aspect(0, 1, score=-3.1), aspect(0, score=-3.0)) == [(3,), (0,)]
    assert left(first, aspect(0, 1, score=-3.2), aspect(0, score=-3.0)) == [(3,), (0, 1), (0,)]


def test_a_set_is_compared_with_what_stays_of_its_parts():
    """-3.14 is redundant beside -3.0, and -3.3 would be beside -3.14 but is not beside -3.0."""
    aspects = aspect(0, 1, 2, score=-3.3), aspect(0, 1, score=-3.14), aspect(0, score=-3.0)
    assert left(aspect(3, score=-9.0), *aspects) == [(3,), (0, 1, 2), (0,)]


def test_the_best_aspect_is_never_left_out():
    assert left(aspect(0, 1, score=-3.01), aspect(0, score=-3.0)) == [(0, 1), (0,)]


@pytest.mark.parametrize(("score", "redundant"), [(-104.5, True), (-105.5, False)])
def test_the_margin_is_five_percent_of_the_smaller_set(score, redundant):
    best, smaller, larger = aspect(3, score=-900), aspect(0, score=-100), aspect(0, 1, score=score)
    made = explanation(query(1, best, larger, smaller))
    assert (larger not in made.distinct()[0].aspects) == redundant
    assert ("{alcohol, colour intensity}" not in made.summary(aspects=9)) == redundant
    assert ("1 redundant" in made._repr_html_()) == redundant
    assert ("1 redundant" in made.to_html()) == redundant


def test_the_margin_can_be_chosen():
    aspects = aspect(3, score=-9.0), aspect(0, 1, score=-3.1), aspect(0, score=-3.0)
    assert left(*aspects, margin=0.0) == [(3,), (0, 1), (0,)]
    assert left(*aspects, margin=1.0) == [(3,), (0,)]
    for margin in (-0.1, math.nan, math.inf):
        with pytest.raises(InvalidInputError, match="expected a number, 0 or more"):
            left(*aspects, margin=margin)


@pytest.mark.parametrize("score_name", ["rank", "own"])
def test_other_scores_have_no_margin_as_nobody_knows_their_scale(score_name):
    aspects = (
        aspect(3, score=1),
        aspect(0, 1, score=99),
        aspect(0, score=100),
        aspect(0, 2, score=100),
    )
    assert left(*aspects, score_name=score_name) == [(3,), (0, 1), (0,)]


def test_positive_z_and_unknown_scores_are_compared_too():
    aspects = aspect(3, score=-9.0), aspect(0, score=1.0), aspect(0, 1, score=0.97)
    assert left(*aspects) == [(3,), (0,)]
    assert left(aspect(3), aspect(0), aspect(0, 1, score=math.nan)) == [(3,), (0,), (0, 1)]


def test_redundant_aspects_are_shown_in_the_text_if_wanted(wine):
    assert wine.summary(aspects=9).count("nearby,") == 5
    everything = wine.summary(aspects=9, redundant=True)
    assert everything.count("nearby,") == 6


def test_duplicate_columns_are_named_in_the_text_and_in_the_page(wine):
    made = replace(wine, duplicate_columns={"ash": "hue", "proof": "alcohol"})
    line = "Left out, same bins: ash (as hue), proof (as alcohol)."
    assert made.summary().splitlines()[-1] == "  " + line
    assert line in made._repr_html_()
    assert line in made.to_html()
    assert "Left out" not in wine.summary()
    kernels = replace(made, measure="density").summary()
    assert "  Left out, same values: ash (as hue)" in kernels


def test_of_many_duplicate_columns_as_many_are_named_as_fit():
    made = explanation(query(), duplicate_columns={f"column {i:03}": "alcohol" for i in range(100)})
    last = made.summary().splitlines()[-1]
    assert "column 000 (as alcohol), column 001 (as alcohol)" in last
    assert re.search(r"and 9\d more\.$", last)
    assert len(last) <= 100


def test_the_raw_result_has_everything(wine):
    assert len(wine[0].aspects) == 5
    assert len(wine.to_frame()) == 7
    assert len(json.loads(wine.to_json())["queries"][0]["aspects"]) == 5
    assert len(wine.distinct()[0].aspects) == 4
    assert wine.distinct().distinct() == wine.distinct()


@given(explanations())
def test_what_is_left_out_has_something_as_good_within_it(made):
    for before, after in zip(made, made.distinct(), strict=True):
        assert after.aspects[:1] == before.aspects[:1]
        stays = [a for a in before.aspects if a in after.aspects]
        assert tuple(stays) == after.aspects
        for one in before.aspects:
            if one not in after.aspects:
                if not math.isnan(one.lift):
                    assert one.lift > 0.5
                    continue
                within = [a for a in stays if set(a.subspace) < set(one.subspace)]
                assert any(one.score >= a.score - 0.05 * abs(a.score) for a in within)
