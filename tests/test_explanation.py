"""Explanations are values: frozen, readable as text, HTML, table and JSON."""

from __future__ import annotations

import copy
import json
import math
import pickle
import re
from dataclasses import FrozenInstanceError, replace
from html.parser import HTMLParser

import bad_inputs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyod_aspects import _json
from pyod_aspects._json import FORMAT_VERSION, MOST_ASPECTS
from pyod_aspects._text import WIDTH, columns
from pyod_aspects.exceptions import InvalidInputError, QueryError
from pyod_aspects.explanation import Aspect, Explanation, QueryExplanation

NAMES = ("alcohol", "colour intensity", "hue", "proline")


def aspect(*subspace, score=-3.41, count=2.0, mean=31.2, std=8.5, names=NAMES):
    return Aspect(subspace, tuple(names[i] for i in subspace), score, count, mean, std)


def query(row=22, *aspects, score=0.7123456, is_anomaly=True, percentile=99.2):
    return QueryExplanation(row, score, is_anomaly, aspects, percentile)


def explanation(*queries, **changes):
    fields = {
        "queries": queries,
        "detector": "IForest",
        "miner": "SGBeam",
        "settings": {"max_dim": 5, "bins": "fd", "tau": 0.0},
        "score_name": "zscore",
        "counts": True,
        "n_rows": 178,
        "feature_names": NAMES,
        "new_rows": False,
        "version": "0.1.0",
    }
    return Explanation(**(fields | changes))


@pytest.fixture
def wine():
    return explanation(
        query(22, aspect(0, 3), aspect(1, score=-2.5, count=1), aspect(2), aspect(3), aspect(1, 2)),
        query(7, aspect(0), score=0.51, percentile=98.1),
        query(140, score=0.5, percentile=95.0),
    )


# ---------------------------------------------------------------- values


def test_an_explanation_is_a_sequence_of_its_queries(wine):
    assert len(wine) == 3
    assert [q.row for q in wine] == [22, 7, 140]
    assert wine[-1].row == 140
    assert wine[0] in wine
    assert wine.index(wine[1]) == 1


def test_a_slice_is_an_explanation_of_these_rows(wine):
    best = wine[:2]
    assert isinstance(best, Explanation)
    assert [q.row for q in best] == [22, 7]
    assert best.settings == wine.settings


def test_a_row_is_found_by_its_number_in_the_table(wine):
    assert wine.row(140) is wine[2]


def test_a_row_that_was_not_explained_is_an_error_that_names_those_that_were(wine):
    with pytest.raises(QueryError, match="row 5 was not explained, only: 22, 7, 140") as error:
        wine.row(5)
    assert "explain(rows=[5])" in str(error.value)
    with pytest.raises(IndexError, match="only: none"):
        wine[:0].row(5)


def test_a_position_out_of_range_is_an_error_that_points_to_row(wine):
    with pytest.raises(QueryError, match=r"3 rows were explained.*explanation\.row"):
        wine[22]


@pytest.mark.parametrize("part", [lambda e: e, lambda e: e[0], lambda e: e[0].aspects[0]])
def test_nothing_in_it_can_be_changed(wine, part):
    value = part(wine)
    with pytest.raises(FrozenInstanceError):
        value.score_name = value.row = value.score = 1
    with pytest.raises(TypeError):
        wine.settings["max_dim"] = 6


def test_settings_are_a_copy_of_what_was_passed():
    settings = {"max_dim": 5}
    made = explanation(settings=settings)
    settings["max_dim"] = 6
    assert made.settings == {"max_dim": 5}


def test_settings_read_like_a_dict():
    made = explanation(settings={"max_dim": 5, "bins": "fd"})
    assert repr(made.settings) == "{'max_dim': 5, 'bins': 'fd'}"
    assert len(made.settings) == 2


def test_settings_that_json_cannot_hold_are_kept_as_text():
    made = explanation(settings={"tau": math.inf, "bins": [1, 2], "state": np.float32(1)})
    assert made.settings == {"tau": "inf", "bins": (1, 2), "state": "1.0"}


def test_numbers_of_numpy_become_plain_ones():
    made = Aspect(np.array([0, 3]), ["a", "b"], *np.array([1.0, 2.0, 3.0, 4.0]))
    assert repr(made) == (
        "Aspect(subspace=(0, 3), features=('a', 'b'), score=1.0, count=2.0, mean=3.0, std=4.0)"
    )
    asked = QueryExplanation(np.int64(3), np.float64(0.5), np.True_, [made], np.float64(99))
    assert json.dumps([asked.row, asked.score, asked.is_anomaly, asked.percentile]) == (
        "[3, 0.5, true, 99.0]"
    )


def test_equal_content_is_equal_and_hashes_alike(wine):
    again = replace(wine, settings=dict(wine.settings))
    assert again == wine
    assert hash(again) == hash(wine)
    assert replace(wine, n_rows=179) != wine
    assert wine[:2] != wine


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_it_survives_copying_and_pickling(wine, how):
    assert how(wine) == wine


# ---------------------------------------------------------------- text


def test_the_summary_reads_like_this(wine):
    assert wine.summary(aspects=2) == (
        "Explanation: 3 anomalies of IForest among 178 rows, explained by SGBeam\n"
        "  row 22    score 0.7123, higher than 99.2 % of rows\n"
        "      {alcohol, proline}   2 rows nearby, 31 on average   z = -3.41\n"
        "      {colour intensity}   1 row nearby,  31 on average   z = -2.50   "
        "(+2 more, 1 copy)\n"
        "  row 7     score   0.51, higher than 98.1 % of rows\n"
        "      {alcohol}            2 rows nearby, 31 on average   z = -3.41\n"
        "  row 140   score    0.5, higher than 95 % of rows\n"
        "      no aspect: in no set of features that was tried is it rarer than average "
        "(z below 0)\n"
        "  Nearby: in the same bin or the next one, in each of the features; "
        "the row itself counts.\n"
        "  z: number of standard deviations from the average over all rows.\n"
        "  Copies: sets that say hardly more than a smaller one within them."
    )


def test_repr_shows_the_best_aspect_and_str_the_best_three(wine):
    assert repr(wine) == wine.summary(aspects=1)
    assert str(wine) == wine.summary(aspects=3)


def test_many_rows_are_cut_in_repr_and_str_but_not_in_the_summary():
    many = explanation(*(query(row, aspect(0)) for row in range(50)))
    for text in (repr(many), str(many)):
        assert text.count("  row ") == 20
        assert "  and 30 more rows: print(explanation.summary())" in text
    assert many.summary().count("  row ") == 50


def test_long_lists_of_features_wrap_between_names_and_fit_the_terminal():
    names = tuple(f"a rather long name of column {i}" for i in range(5))
    text = explanation(query(1, aspect(*range(5), names=names)), feature_names=names).summary()
    assert max(map(len, text.splitlines())) <= WIDTH
    assert all(name in text for name in names)


def test_what_is_left_out_has_a_line_of_its_own_beside_a_name_that_takes_all_the_room():
    names = tuple(f"{'measured' * 5} {i}" for i in range(4))
    aspects = [aspect(i, names=names) for i in range(4)]
    text = explanation(query(1, *aspects), feature_names=names).summary(aspects=3)
    assert "\n      (+1 more)\n" in text
    assert max(map(len, text.splitlines())) <= WIDTH


def test_columns_line_up_under_wide_characters():
    names = ("年龄", "ab")
    text = explanation(query(1, aspect(0, names=names), aspect(1, names=names))).summary()
    first, second = (line for line in text.splitlines() if "{" in line)
    assert columns(first.partition("2 rows")[0]) == columns(second.partition("2 rows")[0])


def test_a_name_cannot_send_escape_codes_or_line_breaks_to_the_terminal():
    names = ("a\nb\x1b[31m",)
    text = explanation(query(1, aspect(0, names=names)), feature_names=names).summary()
    assert r"{a\nb\x1b[31m}" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("queries", "changes", "expected"),
    [
        ([query(1)], {}, "1 anomaly of IForest among 178 rows"),
        ([query(1, is_anomaly=None)], {}, "1 row scored by IForest among 178 rows"),
        ([query(1, is_anomaly=False)], {}, "1 row, not an anomaly of IForest, among"),
        ([query(1, is_anomaly=False)] * 2, {}, "2 rows, none of them an anomaly of IForest, among"),
        ([query(1), query(2, is_anomaly=False)], {}, "2 rows, 1 of them an anomaly of IForest,"),
        ([query(1)], {"new_rows": True}, "of IForest in a new table, compared with 178 rows"),
        ([query(1)], {"n_rows": 12345}, "among 12,345 rows, explained by SGBeam"),
        ([], {}, "0 rows scored by IForest among 178 rows"),
    ],
)
def test_the_heading_says_which_rows_these_are(queries, changes, expected):
    assert expected in repr(explanation(*queries, **changes)).splitlines()[0]


def test_a_row_below_the_threshold_is_marked():
    assert "higher than 99.2 % of rows, not an anomaly" in repr(
        explanation(query(1, is_anomaly=False))
    )


def test_without_percentile_there_is_just_the_score():
    assert "  row 1   score 0.7123\n" in repr(explanation(query(1, percentile=None)))


def test_densities_are_not_called_rows():
    text = repr(explanation(query(1, aspect(0, count=0.00213, mean=0.18)), counts=False))
    assert "{alcohol}   density 0.00213, 0.18 on average   z = -3.41" in text
    assert "Density: how closely" in text
    assert "nearby" not in text


def test_ranks_are_places_among_all_rows():
    text = repr(explanation(query(1, aspect(0, score=1)), score_name="rank", counts=False))
    assert "rank 1 of 178" in text
    assert "Rank: place among all rows" in text


def test_a_score_of_your_own_is_shown_by_its_name():
    assert "myscore = 0.125" in repr(
        explanation(query(1, aspect(0, score=0.125)), score_name="myscore")
    )


@pytest.mark.parametrize(
    ("miner", "expected"),
    [
        ("SGBeam", "in the same bin or the next one"),
        ("GBeam", "in the same bin, in each"),
        ("MyMiner", "close to the row"),
    ],
)
def test_the_legend_says_what_nearby_means_for_this_miner(miner, expected):
    assert expected in repr(explanation(query(1, aspect(0)), miner=miner))


def test_a_new_row_does_not_count_itself():
    assert "itself" not in repr(explanation(query(1, aspect(0)), new_rows=True))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"tau": -2.0}, "no aspect: in no set of features that was tried is z below -2"),
        ({}, "no aspect was found"),
    ],
)
def test_no_aspect_is_said_plainly(settings, expected):
    assert expected in repr(explanation(query(1), settings=settings))


def test_a_query_reads_as_one_line():
    assert repr(query(22, aspect(0, 3), aspect(1))) == (
        "QueryExplanation: row 22, score 0.7123, higher than 99.2 % of rows, "
        "2 aspects: {alcohol, proline}, ..."
    )
    assert repr(query(3, percentile=None)) == "QueryExplanation: row 3, score 0.7123, 0 aspects"


# ---------------------------------------------------------------- near-copies

numbers = st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(max_size=8)


@st.composite
def explanations(draw):
    names = tuple(draw(st.lists(texts, min_size=1, max_size=4)))
    subspaces = st.sets(st.integers(0, len(names) - 1), min_size=1).map(sorted).map(tuple)
    aspects = st.builds(
        lambda s, *figures: Aspect(s, tuple(names[i] for i in s), *figures),
        subspaces,
        *[numbers] * 4,
    )
    queries = st.builds(
        QueryExplanation,
        row=st.integers(0, 10**9),
        score=numbers,
        is_anomaly=st.none() | st.booleans(),
        aspects=st.lists(aspects, max_size=3).map(tuple),
        percentile=st.none() | numbers,
    )
    values = st.none() | st.booleans() | st.integers() | st.floats() | texts
    return Explanation(
        queries=tuple(draw(st.lists(queries, max_size=3))),
        detector=draw(texts),
        miner=draw(texts),
        settings=draw(st.dictionaries(texts, values | st.lists(values, max_size=2), max_size=3)),
        score_name=draw(st.sampled_from(["zscore", "rank", "own"])),
        counts=draw(st.booleans()),
        n_rows=draw(st.integers(0, 10**9)),
        feature_names=names,
        new_rows=draw(st.booleans()),
        version=draw(texts),
        copies=draw(st.dictionaries(texts, texts, max_size=3)),
    )


def left(*aspects, margin=0.05, **changes):
    """Subspaces that are no near-copies."""
    made = explanation(query(1, *aspects), **changes).distinct(margin)
    return [aspect.subspace for aspect in made[0].aspects]


def test_a_set_that_is_no_better_than_a_part_of_it_is_a_near_copy():
    one = aspect(0, score=-3.0)
    assert left(one, aspect(0, 1, score=-2.9), aspect(0, 1, 2, score=-2.8)) == [(0,)]
    assert left(one, aspect(0, 1, score=-3.0)) == [(0,)]
    assert left(one, aspect(1, 2, score=-1.0)) == [(0,), (1, 2)]


def test_near_copies_of_many_sets_are_found_by_their_parts_as_by_all():
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


def test_a_text_with_too_many_aspects_for_a_row_is_refused():
    many = explanation(query(1, *[aspect(0)] * (MOST_ASPECTS + 1)))
    with pytest.raises(
        InvalidInputError, match=r"queries\[0\]\.aspects has 10,001 entries, at most"
    ):
        Explanation.from_json(many.to_json())


def test_a_set_that_is_clearly_better_than_its_parts_stays_and_so_do_they():
    assert left(aspect(0, 1, score=-4.0), aspect(0, score=-3.0)) == [(0, 1), (0,)]
    first = aspect(3, score=-9.0)
    assert left(first, aspect(0, 1, score=-3.1), aspect(0, score=-3.0)) == [(3,), (0,)]
    assert left(first, aspect(0, 1, score=-3.2), aspect(0, score=-3.0)) == [(3,), (0, 1), (0,)]


def test_a_set_is_compared_with_what_stays_of_its_parts():
    """-3.15 is a near-copy of -3.0, and -3.3 one of -3.15 but not of -3.0, which is shown."""
    aspects = aspect(0, 1, 2, score=-3.3), aspect(0, 1, score=-3.14), aspect(0, score=-3.0)
    assert left(aspect(3, score=-9.0), *aspects) == [(3,), (0, 1, 2), (0,)]


def test_the_best_aspect_is_never_left_out():
    assert left(aspect(0, 1, score=-3.01), aspect(0, score=-3.0)) == [(0, 1), (0,)]


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


def test_near_copies_are_counted_in_the_text_and_shown_if_wanted(wine):
    assert wine.summary(aspects=9).count("nearby,") == 5
    assert "(+1 copy)" in wine.summary(aspects=9)
    everything = wine.summary(aspects=9, copies=True)
    assert everything.count("nearby,") == 6
    assert "copies" not in everything.lower()


def test_columns_that_tell_the_same_are_named_in_the_text_and_in_the_page(wine):
    made = replace(wine, copies={"ash": "hue", "proof": "alcohol"})
    line = "Left out: ash tells the same as hue, proof as alcohol."
    assert made.summary().splitlines()[-1] == "  " + line
    assert line in made._repr_html_()
    assert line in made.to_html()
    assert "Left out" not in wine.summary()


def test_of_many_columns_that_tell_the_same_as_many_are_named_as_fit():
    made = explanation(query(), copies={f"column {i:03}": "alcohol" for i in range(100)})
    last = made.summary().splitlines()[-1]
    assert "column 000 tells the same as alcohol, column 001 as alcohol" in last
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
        for aspect in before.aspects:
            if aspect not in after.aspects:
                within = [a for a in stays if set(a.subspace) < set(aspect.subspace)]
                assert any(aspect.score >= a.score - 0.05 * abs(a.score) for a in within)


# ---------------------------------------------------------------- HTML


class Page(HTMLParser):
    """Text, tags and attributes of a page; it notices a tag that is not closed."""

    def __init__(self, source):
        super().__init__()
        self.open, self.tags, self.text, self.attributes = [], [], "", []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_page_says_what_the_text_says(wine):
    page = Page(wine._repr_html_())
    for expected in (
        "3 anomalies of IForest among 178 rows, explained by SGBeam",
        "alcohol",
        "2 rows nearby, 31 on average",
        "z = −3.41",
        "higher than\xa099.2".replace("\xa0", " "),
        "no aspect: in no set of features",
        "Nearby: in the same bin or the next one",
        "A full bar is the average.",
    ):
        assert expected in page.text


def test_the_page_is_static_and_brings_its_own_style(wine):
    page = Page(wine._repr_html_())
    assert not {"script", "style", "link", "img", "iframe"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert "http" not in wine._repr_html_()


def test_the_page_fits_any_theme_as_text_has_no_colour_of_its_own(wine):
    for name, value in Page(wine._repr_html_()).attributes:
        if name == "style":
            declared = dict(part.split(":", 1) for part in value.split(";"))
            assert declared.get("color", "inherit") == "inherit"


def test_all_aspects_are_in_the_page_those_after_the_third_folded_away(wine):
    page = Page(wine._repr_html_())
    assert page.tags.count("li") == 6
    assert page.tags.count("details") == 2
    assert "1 more" in page.text
    assert "1 copy" in page.text
    assert "Copies: sets that" in page.text


def test_names_are_escaped_in_the_page():
    names = ("<script>alert(1)</script>", "a & b")
    made = explanation(query(1, aspect(0, 1, names=names)), feature_names=names, detector="<b>")
    page = Page(made._repr_html_())
    assert "script" not in page.tags
    assert "b" not in page.tags
    assert "<script>alert(1)</script>" in page.text
    assert "a & b" in page.text


def test_a_name_with_dollars_is_no_formula(wine):
    assert ("class", "tex2jax_ignore mathjax_ignore") in Page(wine._repr_html_()).attributes


def test_a_page_of_many_rows_is_cut_and_says_so():
    page = Page(explanation(*(query(row, aspect(0)) for row in range(50)))._repr_html_())
    assert page.tags.count("tr") == 1 + 20
    assert "and 30 more rows" in page.text


@pytest.mark.parametrize(
    "figures", [(0.0, 0.0), (5.0, 2.0), (math.nan, math.nan), (math.inf, math.inf)]
)
@pytest.mark.parametrize("counts", [True, False])
def test_odd_figures_are_shown_too(figures, counts):
    made = explanation(query(1, aspect(0, count=figures[0], mean=figures[1])), counts=counts)
    assert "alcohol" in repr(made)
    Page(made._repr_html_())


def test_an_empty_explanation_can_be_shown():
    assert "0 rows" in Page(explanation()._repr_html_()).text
    assert explanation().to_frame().empty


# ---------------------------------------------------------------- table


def test_the_table_has_one_line_for_each_aspect(wine):
    frame = wine.to_frame()
    assert list(frame.columns) == [
        "row",
        "score",
        "percentile",
        "is_anomaly",
        "aspect",
        "features",
        "subspace",
        "zscore",
        "count",
        "mean",
        "std",
    ]
    assert frame["row"].tolist() == [22, 22, 22, 22, 22, 7, 140]
    first = frame.iloc[0]
    assert first["aspect"] == 1
    assert first["features"] == "alcohol & proline"
    assert first["subspace"] == (0, 3)
    assert first["zscore"] == -3.41


def test_a_row_without_aspects_is_not_lost_from_the_table(wine):
    last = wine.to_frame().iloc[-1]
    assert last["row"] == 140
    assert last[["aspect", "features", "subspace", "zscore", "count", "mean", "std"]].isna().all()


def test_the_types_of_the_table_do_not_depend_on_its_content(wine):
    expected = wine.to_frame().dtypes
    unknown = query(1, is_anomaly=None, percentile=None)
    for made in (explanation(), explanation(unknown), explanation(query(2, aspect(0)))):
        assert made.to_frame().dtypes.equals(expected)


@pytest.mark.parametrize(("name", "column"), [("rank", "rank"), ("score", "aspect_score")])
def test_the_score_has_a_column_of_its_own(name, column):
    frame = explanation(query(1, aspect(0)), score_name=name).to_frame()
    assert frame[column].tolist() == [-3.41]
    assert frame["score"].tolist() == [0.7123456]


# ---------------------------------------------------------------- JSON


@given(explanations())
def test_json_gives_back_what_was_written_to_the_last_bit(made):
    text = made.to_json()
    assert Explanation.from_json(text) == made
    assert Explanation.from_json(text.encode()) == made
    assert Explanation.from_json(text).to_json() == text


@given(explanations())
def test_anything_can_be_shown(made):
    assert repr(made).isprintable() or "\n" in repr(made)
    assert str(made).startswith("Explanation: ")
    Page(made._repr_html_())


def test_numbers_that_are_not_finite_become_null_and_come_back_as_nan():
    made = explanation(query(1, aspect(0, std=math.inf), score=math.nan))
    text = made.to_json()
    assert "NaN" not in text
    assert "Infinity" not in text
    back = Explanation.from_json(text)
    assert math.isnan(back[0].score)
    assert math.isnan(back[0].aspects[0].std)


def test_fields_of_a_later_version_are_ignored(wine):
    content = json.loads(wine.to_json())
    content["mood"] = content["queries"][0]["mood"] = "good"
    assert Explanation.from_json(json.dumps(content)) == wine


@pytest.mark.parametrize(
    ("text", "message"), [pytest.param(*case[1:], id=case[0]) for case in bad_inputs.JSON]
)
def test_junk_is_refused_in_one_sentence(text, message):
    with pytest.raises(InvalidInputError, match=message) as error:
        Explanation.from_json(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250


def test_a_text_that_is_too_long_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(_json, "LONGEST", 1000)
    for text in ("[" + "1," * 1000 + "1]", b" " * 1001):
        with pytest.raises(InvalidInputError, match="characters: expected at most 1,000, as"):
            Explanation.from_json(text)


def test_what_was_written_before_copies_were_known_has_none(wine):
    content = json.loads(wine.to_json())
    del content["copies"]
    assert Explanation.from_json(json.dumps(content)) == wine


def test_lists_in_settings_come_back(wine):
    made = replace(wine, settings={"bins": ((1, (2, 3)), "fd")})
    assert Explanation.from_json(made.to_json()) == made


def test_a_newer_format_asks_for_an_upgrade(wine):
    content = json.loads(wine.to_json()) | {"format_version": FORMAT_VERSION + 1}
    with pytest.raises(InvalidInputError, match="upgrade pyod_aspects"):
        Explanation.from_json(json.dumps(content))


def nested(depth):
    return [nested(depth - 1)] if depth else 1


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["copies"], [], r"copies is a list, expected an object"),
        (["copies"], {"a": 1}, r"copies\['a'\] is a whole number, expected a text"),
        (["format_version"], "1", "format_version is a text, expected a whole number"),
        (["n_rows"], True, "n_rows is true or false, expected a whole number"),
        (["n_rows"], 1.5, "n_rows is a number, expected a whole number"),
        (["n_rows"], -1, "n_rows is negative"),
        (["n_rows"], 2**63, "n_rows is too large"),
        (["queries", 0, "row"], 10**400, r"queries\[0\]\.row is too large"),
        (["settings"], {"a": nested(20)}, r"settings\['a'\] is too deep"),
        (["settings"], {"a": [{}]}, r"settings\['a'\] is a list of an object, expected"),
        (["detector"], 3, "detector is a whole number, expected a text"),
        (["counts"], 1, "counts is a whole number, expected true or false"),
        (["settings"], [], "settings is a list, expected an object"),
        (["settings"], {"a": {}}, r"settings\['a'\] is an object, expected a plain value"),
        (["feature_names"], "abcd", "feature_names is a text, expected a list"),
        (["feature_names", 1], 5, r"feature_names\[1\] is a whole number, expected a text"),
        (["queries"], {}, "queries is an object, expected a list"),
        (["queries", 1], None, r"queries\[1\] is null, expected an object"),
        (["queries", 1, "row"], None, r"queries\[1\]\.row is null, expected a whole number"),
        (["queries", 0, "score"], "high", r"queries\[0\]\.score is a text, expected a number"),
        (["queries", 0, "score"], 10**400, r"queries\[0\]\.score is too large"),
        (["queries", 0, "is_anomaly"], 1, r"\.is_anomaly is a whole number, expected true or"),
        (["queries", 0, "aspects", 1, "std"], [], r"queries\[0\]\.aspects\[1\]\.std is a list"),
        (["queries", 0, "aspects", 0, "subspace"], [0, 9], "numbers from 0 to 3"),
        (["queries", 0, "aspects", 0, "subspace"], [-1], "numbers from 0 to 3"),
        (["queries", 0, "aspects", 0, "subspace"], [], "numbers from 0 to 3"),
        (["queries", 0, "aspects", 0, "subspace", 0], True, r"subspace\[0\] is true or false"),
        (["queries", 0, "aspects", 0, "features"], ["hue", "x"], "does not fit its subspace"),
    ],
)
def test_an_ill_typed_field_is_named(wine, path, value, message):
    content = json.loads(wine.to_json())
    *way, last = path
    place = content
    for step in way:
        place = place[step]
    place[last] = value
    with pytest.raises(InvalidInputError, match=message) as error:
        Explanation.from_json(json.dumps(content))
    assert "\n" not in str(error.value)


def every_field(content, path=()):
    if isinstance(content, dict):
        for key, value in content.items():
            yield (*path, key)
            yield from every_field(value, (*path, key))
    elif isinstance(content, list):
        for i, value in enumerate(content):
            yield from every_field(value, (*path, i))


def test_each_field_is_missed_when_it_is_missing(wine):
    content = json.loads(wine.to_json())
    for path in every_field(content):
        if path[0] in ("format", "settings", "copies") and path != ("settings",):
            continue
        broken = copy.deepcopy(content)
        place = broken
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]
        with pytest.raises(InvalidInputError, match=f"{path[-1]} is missing"):
            Explanation.from_json(json.dumps(broken))
