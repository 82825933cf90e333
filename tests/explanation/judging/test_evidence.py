"""Evidence says what a row has in each feature, and what rows like it have."""

from __future__ import annotations

import math

import naive
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_tables_with_points

from pyod_aspects import Aspect, AspectExplainer, Evidence, Explanation, Miner
from pyod_aspects.density import KDE, Density, Grid, SGrid
from pyod_aspects.explanation.judging import evidence as module
from pyod_aspects.explanation.judging.evidence import EvidenceFinder, Query, in_units, outside
from pyod_aspects.explanation.writing.sentences import evidence_words
from pyod_aspects.search import BeamSearch
from pyod_aspects.tables import Column, read_table


def same(facts, expected):
    """Ranges with NaN in them equal each other, too; distances have four digits."""
    *others, outside, rough = expected
    near = math.isclose(facts.outside, outside, rel_tol=1e-3, abs_tol=1e-300)
    return near and repr((*facts[:3], facts.rough)) == repr((*others, rough))


@settings(deadline=None, max_examples=60)
@given(
    any_tables_with_points(max_rows=90, max_columns=4),
    st.sampled_from([Grid(), SGrid(), SGrid(bins="fd")]),
    st.lists(st.integers(0, 5), min_size=4, max_size=4),
    st.integers(0, 10**6),
)
def test_evidence_is_the_definition(case, density, reaches, seed):
    table, categories, points = case
    density.fit(table)
    finder = EvidenceFinder(table, density)
    d = len(table.columns)
    rng = np.random.default_rng(seed)
    subspace = tuple(np.sort(rng.choice(d, rng.integers(1, d + 1), replace=False)).tolist())
    own = int(rng.integers(len(table.values)))
    queries = [(point, None) for point in points] + [(table.values[own], own)]
    known = (density.reach,) * len(subspace)
    for reach in (tuple(reaches[: len(subspace)]), ()):  # makes no difference
        aspect = Aspect(subspace, score=0.0, reach=reach)
        for point, row in queries:
            for a in subspace:
                expected = naive.evidence(
                    table.values, subspace, point, a, row, known, density.bins, categories
                )
                facts = Query(finder, point, row).facts(aspect, a)
                assert same(facts, expected)
                alone = subspace == (a,) and facts.direction == "between" and facts.typical
                gap = naive.gap(table.values, a, float(point[a]), row) if alone else None
                assert facts.gap == gap


@pytest.fixture(scope="module")
def large():
    """Rows on a line, dense in the middle; few of them fall into the sample of 100."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=3000)
    return read_table(np.column_stack([x, x + 0.1 * rng.normal(size=3000), rng.normal(size=3000)]))


def test_a_sample_stands_for_large_tables_unless_few_of_its_rows_are_near(large, monkeypatch):
    monkeypatch.setattr(module, "SAMPLE", 500)
    density = SGrid().fit(large)
    finder = EvidenceFinder(large, density)
    assert len(finder.rows.sample) == len(set(finder.rows.sample.tolist())) == 500
    some = large.values[finder.rows.sample]
    aspect = Aspect((0, 1), score=0.0, reach=(1, 1))
    fell_back = 0
    for row in [*range(40), *finder.rows.sample[:5].tolist()]:
        facts = Query(finder, large.values[row], row).facts(aspect, 1)
        assert facts.typical == naive.middle(some[:, 1].tolist())
        near = density.nearby_rows((0,), large.values[row], large.values)
        near[row] = False
        rows = np.intersect1d(np.flatnonzero(near), finder.rows.sample)
        if len(rows) < 30:
            rows, fell_back = np.flatnonzero(near), fell_back + 1
        if len(rows) >= 30:
            assert facts.expected == naive.middle(large.values[rows, 1].tolist())
        assert facts.rough == (len(rows) < 30)
    assert 0 < fell_back < 45


def near_values(finder, point, own, others, a, reach):
    """Values of the rows near in other features: of the sample if 30 are, else of all rows."""
    near = finder.density.nearby_rows(others, point, finder.rows.values, reach)
    if own is not None:
        near[own] = False
    in_sample = finder.rows.sample[near[finder.rows.sample]]
    return finder.rows.values[in_sample if len(in_sample) >= 30 else np.flatnonzero(near), a]


@settings(deadline=None, max_examples=40)
@given(
    any_tables_with_points(max_rows=90, max_columns=4),
    st.sampled_from([Grid(), SGrid(), SGrid(bins="fd")]),
    st.integers(0, 10**6),
)
def test_ranges_above_the_size_of_the_sample_are_those_of_the_rows_near(case, density, seed):
    table, _, points = case
    table = table.take(np.tile(np.arange(len(table.values)), 5))
    density.fit(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SAMPLE", max(1, len(table.values) // 3))
        finder = EvidenceFinder(table, density)
    d, own = len(table.columns), int(finder.rows.sample[0])
    rng = np.random.default_rng(seed)
    subspace = tuple(np.sort(rng.choice(d, rng.integers(1, d + 1), replace=False)).tolist())
    for point, row in [(points[0], None), (table.values[own], own)]:
        query, aspect = Query(finder, point, row), Aspect(subspace, score=0.0)
        for a in subspace if len(subspace) > 1 else ():
            others = tuple(b for b in subspace if b != a)
            everything = near_values(finder, point, row, others, a, 2**20 - 1)
            reach = density.reach
            rows = near_values(finder, point, row, others, a, reach)
            while len(rows) < min(30, len(everything)):
                reach = min(max(1, 2 * reach), 2**20 - 1)
                rows = near_values(finder, point, row, others, a, reach)
            facts = query.facts(aspect, a)
            assert repr(facts.expected) == repr(module.middle(rows, table.columns[a]))
            ordinary = query.ordinary_values(aspect, a)
            if facts.expected and table.columns[a].kind == "number" and len(facts.expected) == 2:
                low, high = facts.expected
                assert ordinary.tolist() == rows[(low <= rows) & (rows <= high)].tolist()


def test_the_sample_is_always_the_same(large, monkeypatch):
    monkeypatch.setattr(module, "SAMPLE", 100)
    density = SGrid().fit(large)
    first, again = (EvidenceFinder(large, density).rows.sample.tolist() for _ in range(2))
    assert first == again


def test_few_rows_nearby_among_all_rows_widen_the_reach(large, monkeypatch):
    monkeypatch.setattr(module, "SAMPLE", 100)
    finder = EvidenceFinder(large, SGrid().fit(large))
    aspect = Aspect((0, 1, 2), score=0.0, reach=(1, 1, 1))
    far = np.array([3.5, -3.0, 0.0])
    for a in (0, 1, 2):
        facts = Query(finder, far, None).facts(aspect, a)
        assert facts.rough
        assert len(facts.expected) == 2


def test_kernels_and_grids_agree_on_what_is_expected(large):
    point = np.array([0.5, -1.0, 0.0])
    aspect = Aspect((0, 1), score=0.0)
    small = read_table(large.values[:1000])
    for density in (KDE(), Grid(), SGrid()):
        facts = Query(EvidenceFinder(small, density.fit(small)), point, None).facts(aspect, 1)
        assert facts.direction == "low"
        np.testing.assert_allclose(facts.expected, (0.25, 0.75), atol=0.2)


class Own(Density):
    """As dense everywhere, and nothing is near to anything."""

    def _fit(self, values):
        self.values = values

    def density(self, subspace, points=None):
        return np.arange(float(len(self.values if points is None else points)))


def test_a_density_without_neighbourhood_has_typical_values_only():
    X = np.column_stack([np.arange(100.0), np.arange(100.0)])
    finder = EvidenceFinder(read_table(X), Own().fit(X))
    (aspect,) = finder.add_evidence(
        [Aspect((0, 1), score=0.0)], np.array([120.0, 50.0]), finder.columns, None
    )
    assert aspect.evidence == (
        Evidence("x0", 120.0, (5.0, 94.0), None, "high"),
        Evidence("x1", 50.0, (5.0, 94.0), None, "between"),
    )


@pytest.mark.parametrize(
    ("value", "one", "typical", "expected"),
    [
        (7.0, (2.0, 4.0), (0.0, 9.0), 1.5),
        (1.0, (2.0, 4.0), (0.0, 9.0), 0.5),
        (3.0, (2.0, 4.0), (0.0, 9.0), 0.0),
        (7.0, (), (0.0, 9.0), 0.0),
        (7.0, (math.nan,), (0.0, 9.0), 1.0),
        (math.nan, (2.0, 4.0), (0.0, 9.0), 1.0),
        # A range of one value has the width of the typical one, or its own distance from zero.
        (7.0, (4.0, 4.0), (0.0, 9.0), 0.3333),
        (7.0, (4.0, 4.0), (math.nan,), 0.75),
        (7.0, (0.0, 0.0), (0.0, 0.0), 7.0),
        (1e300, (0.0, 1e-300), (0.0, 1e-300), 1e9),
    ],
)
def test_how_far_outside_is_counted_in_widths(value, one, typical, expected):
    assert outside(value, Column("a"), one, typical) == expected


@pytest.mark.parametrize(
    ("value", "ranges", "shown", "rounded"),
    [
        (2499.0, [(203.4, 1312.9)], 2499.0, [(200.0, 1300.0)]),
        (2501.4, [(203.4, 1312.9)], 2501.0, [(200.0, 1300.0)]),
        (4.24, [(4.3, 7.7), (6.7123, 6.8934)], 4.24, [(4.3, 7.7), (6.71, 6.89)]),
        (43.0, [(59.2, 63.9)], 43.0, [(59.2, 63.9)]),
        (18823.0, [(544.0, 13107.0)], 18823.0, [(500.0, 13000.0)]),
        # Digits go on until the value lies as it does to the range itself.
        (6.8935, [(6.71, 6.8934)], 6.894, [(6.71, 6.89)]),
        (6.896, [(6.71, 6.8957)], 6.896, [(6.71, 6.8957)]),
        (100000.123, [(99999.0, 100000.1)], 100000.12, [(99999.0, 100000.1)]),
        (0.000012345, [(0.0, 0.5)], 0.00001234, [(0.0, 0.5)]),
        # The range is one value, or that of the row.
        (7.25, [(5.123, 5.123)], 7.25, [(5.1, 5.1)]),
        (5.123, [(5.123, 5.123)], 5.123, [(5.123, 5.123)]),
        (0.0, [(0.0, 0.0)], 0.0, [(0.0, 0.0)]),
        (-0.0001, [(-3.0, 3.0)], -0.0001, [(-3.0, 3.0)]),
        # Nothing to compare with, or missing.
        (1.23456, [()], 1.235, [()]),
        (1.23456, [(math.nan,)], 1.235, [(None,)]),
        (math.nan, [(1.2345, 2.3456)], None, [(1.2, 2.3)]),
        # The largest numbers that there are.
        (1.79e308, [(-1.79e308, 1.75e308)], 1.79e308, [(-1.79e308, 1.75e308)]),
        (5e-324, [(0.0, 1e-323)], 5e-324, [(0.0, 1e-323)]),
    ],
)
def test_numbers_have_the_digits_that_tell_them_apart(value, ranges, shown, rounded):
    found = in_units(Column("a"), value, ranges)
    assert found == (shown, rounded)
    for x in (found[0], *(end for one in found[1] for end in one)):
        assert x is None or math.copysign(1.0, x) == 1.0 or x != 0.0


DAY = 86_400.0


@pytest.mark.parametrize(
    ("value", "span", "shown", "rounded"),
    [
        (
            400 * DAY + 7000,
            (3 * DAY + 50, 90 * DAY + 50),
            "1971-02-05",
            ("1970-01-04", "1970-04-01"),
        ),
        (
            5 * DAY + 3661,
            (0.0, 5 * DAY + 60),
            "1970-01-06 01:01",
            ("1970-01-01", "1970-01-06 00:01"),
        ),
        (90.0, (10.0, 85.0), "1970-01-01 00:01:30", ("1970-01-01 00:00:10", "1970-01-01 00:01:25")),
        # The same day: minutes tell them apart.
        (
            90 * DAY + 7200,
            (0.0, 90 * DAY + 3600),
            "1970-04-01 02:00",
            ("1970-01-01", "1970-04-01 01:00"),
        ),
    ],
)
def test_times_are_as_exact_as_they_have_to_be(value, span, shown, rounded):
    assert in_units(Column("sold", "time"), value, [span]) == (shown, [rounded])
    # Times with nanoseconds are kept as differences from some second.
    less, column = 1_621_666_707.0, Column("sold", "time", offset=1_621_666_707.0)
    moved = tuple(end - less for end in span)
    assert in_units(column, value - less, [moved]) == (shown, [rounded])


def test_a_gap_has_the_digits_that_tell_its_ends_from_the_value():
    typical, gap = (1.0, 9.0), (4.99712, 5.9123)
    found = in_units(Column("a"), 5.0, [typical, gap], apart=True)
    assert found == (5.0, [(1.0, 9.0), (4.997, 5.912)])


def test_a_lonely_value_between_others_lies_in_a_gap():
    x = np.concatenate([np.linspace(0, 2, 300), [5.0], np.linspace(7.9, 10, 300)])
    scores = (x == 5.0).astype(float)
    made = AspectExplainer.from_scores(scores, n_queries=1).fit(x[:, None]).explain()
    (one,) = made[0].aspects[0].evidence
    assert one == Evidence("x0", 5.0, (0.2, 9.8), None, "between", gap=(2.0, 7.9))


def test_labels_that_hold_less_than_half_of_the_rows_stand_for_nothing():
    labels = [f"city {i}" for i in range(100)] + ["Ulm"] * 10
    table = read_table(pd.DataFrame({"city": labels}))
    finder = EvidenceFinder(table, SGrid().fit(table))
    assert finder.typical(0) == ()
    table = read_table(pd.DataFrame({"city": labels + ["Ulm"] * 90}))
    assert len(EvidenceFinder(table, SGrid().fit(table)).typical(0)) == 5


def test_a_category_called_missing_is_not_missing():
    frame = pd.DataFrame({"station": ["north"] * 50 + ["missing", None]})
    scores = np.r_[np.zeros(50), 2, 1]
    made = AspectExplainer.from_scores(scores, n_queries=2).fit(frame).explain()
    made = Explanation.from_json(made.to_json())
    assert [query.aspects[0].evidence[0].value for query in made] == ["missing", None]
    assert [evidence_words(query.aspects[0]) for query in made] == [
        'station = "missing" occurs in no other row (most rows north)',
        "station is missing, though other rows have it",
    ]


def test_an_explanation_has_evidence_in_the_units_of_the_table():
    rng = np.random.default_rng(0)
    n = 400
    size = np.round(rng.uniform(1, 9, n), 2)
    frame = pd.DataFrame(
        {
            "size": size,
            "weight": np.round(10 * size + rng.normal(size=n), 1),
            "colour": rng.choice(["red", "green"], n),
            "sold": pd.Timestamp("2024-03-01") + pd.to_timedelta(rng.integers(0, 300, n), "D"),
        }
    )
    frame.loc[7, ["size", "weight"]] = [2.0, 80.0]
    frame.loc[8, "colour"] = "mauve"
    frame.loc[9, "sold"] = pd.NaT
    scores = np.isin(np.arange(n), [7, 8, 9]).astype(float)
    made = AspectExplainer.from_scores(scores, n_queries=3).fit(frame).explain()
    found = {
        (query.row, aspect.features): aspect.evidence for query in made for aspect in query.aspects
    }
    size, weight = found[7, ("size", "weight")]
    assert (size.value, size.direction) == (2.0, "low")
    assert (weight.value, weight.direction) == (80.0, "high")
    density, values = made.background.density, made.background.reference.values
    near = density.nearby_rows([0], values[7], values)
    near[7] = False
    weights = np.sort(frame["weight"].to_numpy()[near])
    n = weights.size
    assert n >= 30
    # Rounded to what tells them apart.
    middle = weights[n // 20], weights[n - 1 - n // 20]
    assert weight.expected == pytest.approx(middle, abs=0.5)
    assert 10 < weight.expected[0] < 20 < weight.expected[1] < 40
    (colour,) = found[8, ("colour",)]
    assert colour == Evidence("colour", "mauve", colour.typical, None, "rare", outside=1.0)
    assert sorted(colour.typical) == ["green", "red"]
    (sold,) = found[9, ("sold",)]
    assert (sold.value, sold.direction) == (None, "rare")
    assert sold.typical[0].startswith("2024-03-")


def test_a_new_category_is_called_by_its_name():
    class Scorer:
        decision_scores_ = np.arange(40.0)

        def decision_function(self, X):
            return np.ones(len(X))

    frame = pd.DataFrame({"colour": ["red", "green"] * 20, "size": np.arange(40.0)})
    explainer = AspectExplainer(Scorer(), Miner(SGrid(), search=BeamSearch(tau=9.0))).fit(frame)
    made = explainer.explain(pd.DataFrame({"colour": ["mauve"], "size": [3.0]}))
    first = next(aspect for aspect in made[0].aspects if aspect.features == ("colour",))
    assert first.evidence[0].value == "mauve"


@pytest.mark.parametrize("miner", ["sgbeam", "gbeam", "kdebeam", "oaminer"])
def test_all_miners_give_evidence_one_row_after_the_other_too(miner):
    X = np.random.default_rng(0).normal(size=(120, 3))
    explainer = AspectExplainer.from_scores(np.abs(X).sum(axis=1), miner, n_queries=3).fit(X)
    made = explainer.explain()
    *_, last = explainer.iter_explain()
    assert last == made
    for query in made:
        for aspect in query.aspects:
            assert tuple(e.feature for e in aspect.evidence) == aspect.features
            assert all((e.expected is None) == (len(aspect.features) == 1) for e in aspect.evidence)
