"""Groups of rows that are odd for the same reason: the definition, and groups that are known."""

from __future__ import annotations

import json
import math
import pickle
import time
from dataclasses import replace

import naive
import pytest
from explanation_cases import explanation, explanations, query
from hypothesis import given
from hypothesis import strategies as st

from pyod_aspects import Aspect, Evidence, Explanation
from pyod_aspects.explanation import Group, Groups
from pyod_aspects.explanation.judging.findings import find
from pyod_aspects.explanation.writing.grouping import group_range_words
from pyod_aspects.explanation.writing.sentences.row import headline

NAMES = ("x", "y", "z", "colour")


def one(feature, direction, value=1.0, typical=(4.0, 8.0), expected=None, outside=1.0):
    return Evidence(feature, value, typical, expected, direction, outside)


def aspect(*evidence, strength=4.0):
    subspace = tuple(NAMES.index(e.feature) for e in evidence)
    features = tuple(e.feature for e in evidence)
    return Aspect(subspace, features, score=-strength, evidence=evidence)


def table(*rows, **changes):
    queries = [query(10 + i, *aspects) for i, aspects in enumerate(rows)]
    return explanation(*queries, feature_names=NAMES, **changes)


def judged(row, aspect):
    """A row with a p-value; the weights are those in the convincing aspects."""
    features = {"x": 1.0} if aspect.p_value < 0.05 else {}
    return replace(query(row, aspect), p_value=aspect.p_value, features=features)


def pair(low="y", high="x", value=1.0, **figures):
    """Aspect of two features that do not go together; the first one is far off."""
    sides = [
        one(low, "low", value, expected=(5.0, 6.0), outside=5.0),
        one(high, "high", 7.0, expected=(1.0, 6.0), outside=0.2),
    ]
    return aspect(*sorted(sides, key=lambda e: NAMES.index(e.feature)), **figures)


def sentences(explanation):
    return [(len(group), group.sentence) for group in explanation.groups()]


# The definition.

VALUES = st.sampled_from([0.0, 1.0, 2.0, 9.0, None, "red"])
RANGES = st.sampled_from([(4.0, 8.0), (), (None,), ("blue", "green")])


@st.composite
def small_tables(draw):
    def evidence_of(subspace):
        return tuple(
            Evidence(
                NAMES[a],
                draw(VALUES),
                draw(RANGES),
                draw(st.none() | RANGES),
                draw(st.sampled_from(["high", "low", "between", "rare"])),
                draw(st.sampled_from([0.0, 0.0, 0.3, 1.0, 5.0])),
            )
            for a in subspace
        )

    rows = []
    for _ in range(draw(st.integers(0, 8))):
        subspaces = draw(
            st.lists(
                st.sampled_from([(0,), (1,), (3,), (0, 1), (1, 2), (0, 1, 2)]),
                max_size=4,
                unique=True,
            )
        )
        rows.append(
            [
                Aspect(
                    s,
                    tuple(NAMES[a] for a in s),
                    score=-draw(st.sampled_from([0.0, 3.0, 4.0, 5.5])),
                    evidence=draw(st.sampled_from([(), evidence_of(s)])),
                )
                for s in subspaces
            ]
        )
    found = table(*rows)
    weights = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([0.1, 0.4, 0.5]))
    return replace(found, queries=tuple(replace(row, features=draw(weights)) for row in found))


def plain(query):
    """Aspects told of a row as the definition takes them."""
    return [
        (
            a.subspace,
            max(0.0, -a.score),
            [(e.value, e.typical, e.expected, e.direction, e.outside) for e in a.evidence],
        )
        for a in query.aspects
    ]


@given(small_tables())
def test_groups_are_the_definition(explanation):
    told = explanation.distinct()
    expected = [
        (
            tuple(NAMES[a] for a in columns),
            tuple(10 + i for i in rows),
            tuple(told[i].aspects[place].subspace for i, place in zip(rows, places, strict=True)),
        )
        for (columns, _, _), rows, places in naive.groups(
            [plain(query) for query in told],
            [{NAMES.index(name): w for name, w in query.features.items()} for query in told],
        )
    ]
    found = [
        (
            group.features[: len(columns)],
            group.rows,
            tuple(
                explanation.row(row).aspects[place].subspace
                for row, place in zip(group.rows, group.places, strict=True)
            ),
        )
        for group, (columns, _, _) in zip(explanation.groups(), expected, strict=True)
    ]
    assert found == expected


@given(small_tables())
def test_a_group_blames_the_feature_of_each_headline(explanation):
    for group in explanation.groups():
        for row in group.rows:
            if findings := find(explanation.row(row), explanation.score_name):
                first = findings[0]
                assert group.features[0] in first.best.features
                if first.blamed.direction != "between":
                    assert group.features[0] == first.blamed.feature


@given(explanations())
def test_any_explanation_has_groups(explanation):
    groups = explanation.groups()
    explained = [query.row for query in explanation if query.aspects]
    rows = [row for group in groups for row in group.rows]
    assert len(rows) <= len(explained)
    assert set(rows) <= set(explained)
    assert sorted(map(len, groups), reverse=True) == list(map(len, groups))
    assert "\n" not in "".join(group.sentence for group in groups)
    assert len(groups.to_frame()) == len(rows)
    assert [len(group["rows"]) for group in json.loads(groups.to_json())] == list(map(len, groups))
    assert repr(groups).startswith("Groups: ")


@given(small_tables())
def test_groups_need_no_background_and_no_order_of_hashes(explanation):
    assert Explanation.from_json(explanation.to_json()).groups() == explanation.groups()


# Groups that are known.


def test_rows_that_share_their_feature_and_direction_stand_together():
    low, high = aspect(one("x", "low")), aspect(one("x", "high", 9.0))
    found = table([low], [high], [aspect(one("x", "low", 2.0))]).groups()
    assert [(group.sentence, group.rows) for group in found] == [
        ("x is low", (10, 12)),
        ("x is high", (11,)),
    ]


def test_one_feature_is_blamed_whatever_it_does_not_go_with():
    found = table(
        [pair(high="x")], [pair(high="z", value=2.0)], [pair(high="x"), pair(high="z")]
    ).groups()
    assert [group.sentence for group in found] == ["y too low for x or z"]
    assert found[0].features == ("y", "x", "z")
    assert found[0].directions == ("low", "high", "high")
    assert found[0].places == (0, 0, 0)


def test_a_shared_feature_that_is_not_to_blame_is_no_group():
    found = table([pair("y", "z")], [pair("x", "z")]).groups()
    assert [len(group) for group in found] == [1, 1]


def test_a_large_value_is_another_reason_than_one_too_large_for_others():
    large = aspect(one("y", "low", 1.0))
    assert sentences(table([large], [pair()], [large], [pair()])) == [
        (2, "y is low"),
        (2, "y too low for x"),
    ]


def test_the_headline_decides_the_group():
    even = aspect(
        one("x", "high", 9.0, expected=(1.0, 2.0), outside=3.0),
        one("y", "low", expected=(5.0, 6.0), outside=2.0),
    )
    assert sentences(table([even], [pair("y", "z", 2.0)], [pair("y", "z")])) == [
        (2, "y too low for z"),
        (1, "x too high for y"),
    ]
    both = [aspect(one("x", "low"), strength=9.0), aspect(one("z", "low"), strength=8.0)]
    other = [aspect(one("z", "low"))]
    assert [group.rows for group in table(both, other, other).groups()] == [(11, 12), (10,)]


def test_a_feature_hardly_odd_by_itself_is_told_as_too_low_for_others():
    weak = aspect(one("y", "low"), strength=2.0)
    found = table([pair(strength=5.0), weak], [pair(strength=5.0)])
    assert headline(found[0], "zscore").startswith("y = 1 is too low for x = 7")
    assert sentences(found) == [(2, "y too low for x")]


def test_rows_with_the_very_same_value_far_from_all_others_stand_apart():
    def row(value):
        return [aspect(one("z", "low", value))]

    zeros = table(row(0.0), row(0.0), row(2.0), row(0.0), row(2.2))
    assert sentences(zeros) == [(3, "z is 0"), (2, "z is low")]
    near = table(row(0.0), row(0.0), row(0.1), row(0.0), row(0.2))
    assert sentences(near) == [(5, "z is low")]
    text = table(*(row(value) for value in ["1900-01-01"] * 3 + ["1900-02-03"] * 2))
    assert sentences(text) == [(3, "z is 1900-01-01"), (2, "z is early")]


def test_features_that_are_odd_too_are_named():
    x, y, z = (aspect(one(name, "low")) for name in "xyz")
    x2 = aspect(one("x", "low", 2.0))
    assert sentences(table([x, y, z], [x, y, z])) == [(2, "x, y and z are low")]
    assert sentences(table([x, y], [x2], [x, y])) == [(3, "x is low, mostly y too")]
    assert table([x, y], [x2], [x, y]).groups()[0].short == "x is low"
    assert sentences(table([x, y], [x2], [x])) == [(3, "x is low, sometimes y too")]
    high = aspect(one("y", "high", 9.0))
    assert sentences(table([x, high], [x, high])) == [(2, "x is low with y high")]
    assert sentences(table([x, high], [x2], [x, high])) == [(3, "x is low, mostly with y high")]
    zeros = [aspect(one(name, "low", 0.0)) for name in "xyz"]
    assert sentences(table(zeros, zeros, zeros)) == [(3, "x, y and z are 0")]
    odd = [*zeros[:1], aspect(one("y", "low", 3.0))]
    assert sentences(table(odd, odd, odd)) == [(3, "x is 0 with y low")]


def test_features_that_are_odd_together_follow_as_in_the_table():
    x, z = (aspect(one(name, "low", 0.0), strength=3.0) for name in "xz")
    first = aspect(one("y", "low", 0.0), strength=5.0)
    [group] = table([first, z, x], [first, x, z], [first, z, x]).groups()
    assert group.sentence == "x, y and z are 0"
    assert (group.features, group.short) == (("y", "x", "z"), "y is 0")
    assert group_range_words(group) == "most rows have y 4 to 8"
    most = table([first, z, x], [first, z], [first, z, x], [first])
    assert sentences(most) == [(4, "y is 0, mostly z too")]
    assert sentences(most[:3]) == [(3, "y and z are 0")]
    [group] = table([first, z, x], [aspect(one("y", "low", 2.0), strength=5.0), x, z]).groups()
    assert group.sentence == "x, y and z are low"
    assert group_range_words(group) == "y 0 to 2, most rows 4 to 8"


CASES = [
    (aspect(one("colour", "rare", "red", ("blue", "green"))), "colour = red is rare"),
    (aspect(one("x", "rare", None)), "x is missing"),
    (aspect(one("x", "rare", 3.0, (None,))), "x is known, though missing in most rows"),
    (aspect(one("x", "between", 6.0, outside=0.0)), "x is rare, though neither high nor low"),
    (aspect(replace(one("x", "between", 6.0, outside=0.0), gap=(5.0, 7.0))), "x is in a gap"),
    (aspect(one("x", "high", "2024-05-01", ("2001-01-01", "2003-01-01"))), "x is late"),
    (
        aspect(one("x", "between", outside=0.0), one("y", "between", outside=0.0)),
        "x and y are rare together",
    ),
    (
        aspect(one("x", "high", outside=0.0), one("y", "between", outside=0.0)),
        "x is high, and rarer with y",
    ),
    (
        aspect(
            one("x", "between", expected=(1.0, 9.0), outside=0.0),
            one("colour", "rare", "red", expected=("blue",)),
        ),
        "colour = red is unusual for x",
    ),
    (
        aspect(
            one("x", "between", expected=(1.0, 9.0), outside=0.0),
            one("z", "rare", None, expected=(3.0, 4.0)),
        ),
        "z is missing, though rows with like x have it",
    ),
    (
        aspect(
            one("x", "between", expected=(1.0, 9.0), outside=0.0),
            one("z", "rare", 3.0, expected=(None,)),
        ),
        "z is known, though missing in rows with like x",
    ),
    (
        aspect(
            one("x", "rare", None, expected=(None,), outside=0.0),
            one("z", "low", 3.0, expected=(6.0, 7.0)),
        ),
        "z too low for missing x",
    ),
    (
        aspect(
            one("x", "high", 7.0, expected=(1.0, 6.0), outside=0.2),
            one("y", "low", 1.0, expected=(5.0, 6.0), outside=5.0),
            one("z", "high", 7.0, expected=(1.0, 6.0), outside=0.2),
        ),
        "y too low for x and z",
    ),
    (Aspect((0,), ("x",), score=-3.0), "x stands out"),
    (Aspect((0, 1), ("x", "y"), score=-3.0), "x and y stand out together"),
]


@pytest.mark.parametrize(("found", "words"), CASES, ids=[words for _, words in CASES])
def test_sentences_of_all_kinds(found, words):
    assert sentences(table([found], [found])) == [(2, words)]
    assert sentences(table([found], new_rows=True)) == [(1, words)]


def test_names_are_safe_and_cut():
    long = "a very long name of a column that nobody wants to read twice"
    for name in ("bell\a", long):
        bad = Aspect((0,), (name,), score=-3.0, evidence=(one(name, "low"),))
        [group] = explanation(query(1, bad), feature_names=(name,)).groups()
        assert group.features == (name,)
        assert group.sentence.isprintable()
        assert len(group.sentence) <= 35


def test_rows_without_a_convincing_aspect_are_in_no_group():
    sure, unsure = (replace(aspect(one("x", "low")), p_value=p) for p in (0.001, 0.4))
    rows = [judged(i, a) for i, a in enumerate([sure, unsure, sure, unsure])]
    found = explanation(*rows, feature_names=NAMES, n_reference=999).groups()
    assert [group.rows for group in found] == [(0, 2)]
    assert found.left_out == 2
    assert repr(found).startswith("Groups: 1 group of 2 rows, 2 rows with nothing convincing\n")
    assert pickle.loads(pickle.dumps(found)).left_out == 2
    assert repr(explanation(*rows[1::2], feature_names=NAMES, n_reference=999).groups()) == (
        "Groups: nothing is convincing"
    )


def test_convincing_first_makes_no_difference():
    sure, unsure = (replace(aspect(one("x", "low")), p_value=p) for p in (0.001, 0.4))
    rows = [judged(i, a) for i, a in enumerate([sure, unsure, sure])]
    whole = explanation(*rows, feature_names=NAMES, n_reference=999)
    assert whole.convincing().groups() == whole.groups()


def test_groups_are_a_tuple_that_reads_well():
    low = [aspect(one("x", "low", value)) for value in (1.0, 2.5)]
    found = table(*([a] for a in low), [pair()]).groups()
    assert isinstance(found, tuple)
    assert isinstance(found, Groups)
    fields = ("x",), ("low",), (10, 11), (0, 0), "x is low", (None, None), (1.0, 2.5), (4.0, 8.0)
    assert found[0] == Group(*fields, short="x is low")
    assert str(found).splitlines() == [
        "Groups: 1 group of 2 rows, 1 row alone",
        "  2 rows   x is low (1 to 2.5, most rows 4 to 8)",
        "           rows 10, 11",
        "   1 row   y too low for x",
        "           row 12",
    ]
    frame = found.to_frame()
    assert list(frame["group"]) == [1, 1, 2]
    assert list(frame["row"]) == [10, 11, 12]
    assert list(frame["aspect"]) == [1, 1, 1]
    assert list(frame["features"]) == ["x", "x", "y & x"]
    assert json.loads(found.to_json())[1]["sentence"] == "y too low for x"


def test_the_range_of_most_rows_stands_only_beside_values_odd_by_themselves():
    gap = aspect(replace(one("x", "between", 6.0, outside=0.0), gap=(5.0, 7.0)))
    together = aspect(one("x", "between", outside=0.0), one("y", "between", outside=0.0))
    for found in (gap, together, pair()):
        assert "most rows" not in repr(table([found], [found]).groups())
    assert "(1, most rows 4 to 8)" in repr(table([aspect(one("x", "low"))]).groups())


def test_labels_name_the_rows():
    rows = [query(i, aspect(one("x", "low")), label=f"TX{i}") for i in range(2)]
    [group] = explanation(*rows, feature_names=NAMES).groups()
    assert group.labels == ("TX0", "TX1")
    assert repr(group) == "Group: x is low, 2 rows: TX0, TX1"


def test_a_thousand_rows_take_less_than_a_second():
    names = tuple(f"c{i}" for i in range(30))

    def row(i):
        subspaces = [((i + k) % 30, (i * 7 + 2 * k + 1) % 30 + 30) for k in range(10)]
        pairs = [tuple(sorted({a, b % 30})) for a, b in subspaces]
        return query(
            i,
            *(
                Aspect(
                    s,
                    tuple(names[a] for a in s),
                    score=-5.0 + k / 10,
                    evidence=tuple(
                        Evidence(names[a], float(i), (4.0, 8.0), (4.0, 5.0), "low", 1.0) for a in s
                    ),
                )
                for k, s in enumerate(dict.fromkeys(pairs))
            ),
        )

    many = explanation(*map(row, range(1000)), feature_names=names)
    start = time.process_time()
    groups = many.groups()
    assert time.process_time() - start < 1.0
    assert sum(map(len, groups)) == 1000


def test_figures_from_anywhere_do_no_harm():
    odd = [replace(aspect(one("x", "low")), score=score) for score in (math.nan, math.inf, -1e308)]
    for name in ("lift", "zscore", "rank", "own"):
        for a in odd:
            assert len(table([a], [a], score_name=name).groups()) == 1
