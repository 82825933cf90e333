"""Tables of odd shapes and orders: an answer for all of them, and the same whatever the order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyod.models.knn import KNN
from strategies import any_tables

from pyod_aspects import AspectExplainer, GBeam, KDEBeam, Miner, OAMiner, SGBeam
from pyod_aspects.density import SGrid
from pyod_aspects.miners import MINERS

ALL = list(MINERS.values())


class Scored:
    """What is needed of a detector: its scores."""

    def __init__(self, scores):
        self.decision_scores_ = np.asarray(scores, dtype=float)


def figures(mined):
    return [[(a.subspace, a.score, a.density, a.mean, a.std) for a in row] for row in mined]


@pytest.mark.parametrize("miner", ALL)
class TestDegenerateShapes:
    def test_one_column(self, miner):
        X = np.append(np.random.default_rng(0).normal(size=60), 9.0)[:, None]
        [[aspect]] = miner().fit(X).mine(X[[-1]])
        assert aspect.subspace == (0,)

    def test_one_row_stands_out_nowhere(self, miner):
        [aspects] = miner().fit([[1.0, 2.0, 3.0]]).mine([[1.0, 2.0, 3.0]])
        assert all(a.score in (0.0, 1.0) for a in aspects)

    def test_two_rows_are_as_odd_as_each_other(self, miner):
        X = [[1.0, 2.0], [5.0, 9.0]]
        first, second = miner().fit(X).mine(X)
        assert [a.score for a in first] == [a.score for a in second]

    def test_all_rows_equal_means_nobody_stands_out(self, miner):
        X = np.full((20, 3), 4.0)
        [aspects] = miner().fit(X).mine(X[:1])
        assert all(a.score in (0.0, 1.0) for a in aspects)

    def test_more_columns_than_rows(self, miner):
        X = np.random.default_rng(0).normal(size=(5, 12))
        X[0, 7] = 50.0
        [aspects] = miner(max_dim=2).fit(X).mine(X[:1])
        assert any(7 in a.subspace for a in aspects)

    def test_more_queries_than_rows(self, miner):
        X = np.random.default_rng(0).normal(size=(8, 2))
        assert len(miner().fit(X).mine(np.tile(X, (30, 1)))) == 240

    def test_more_dimensions_than_columns(self, miner):
        X = np.random.default_rng(0).normal(size=(30, 3))
        everything = miner(max_dim=3).fit(X).mine(X[:3])
        assert figures(miner(max_dim=99).fit(X).mine(X[:3])) == figures(everything)

    def test_a_column_without_any_value(self, miner):
        X = np.random.default_rng(0).normal(size=(30, 3))
        X[0, 2] = 9.0
        X[:, 1] = np.nan
        [aspects] = miner().fit(X).mine(X[:1])
        assert (2,) in [a.subspace for a in aspects[:2]]


@pytest.mark.parametrize("miner", [SGBeam, KDEBeam])
def test_ten_thousand_columns(miner):
    X = np.random.default_rng(0).random((200, 10_000))
    X[0, 4321] = 12.0
    [aspects] = miner(max_dim=1).fit(X).mine(X[:1])
    assert aspects[0].subspace == (4321,)


@pytest.mark.slow
def test_pairs_and_triples_of_ten_thousand_columns():
    rng = np.random.default_rng(0)
    X = rng.random((200, 10_000))
    X[:, 77] = X[:, 4321] + 0.001 * rng.normal(size=200)
    X[0, [77, 4321]] = 0.1, 0.9
    [aspects] = SGBeam(max_dim=3, width=10, n_jobs=-1).fit(X).mine(X[:1])
    assert aspects[0].subspace == (77, 4321)


class TestDuplicateColumns:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    X[0] = 0.0, 5.0, 0.0
    doubled = np.column_stack([X, X[:, [1, 1, 0]]])

    @pytest.mark.parametrize("miner", ALL)
    def test_do_not_fill_the_first_places(self, miner):
        fitted = miner().fit(self.doubled)
        assert fitted.duplicate_columns_ == {3: 1, 4: 1, 5: 0}
        assert figures(fitted.mine(self.X[[0]][:, [0, 1, 2, 1, 1, 0]])) == figures(
            miner().fit(self.X).mine(self.X[[0]])
        )

    @pytest.mark.parametrize("miner", ALL)
    def test_are_looked_at_for_a_new_row_in_which_they_differ(self, miner):
        new = self.doubled[[7, 7]].copy()
        new[1, 4] = 30.0
        same, other = miner(top_k=3).fit(self.doubled).mine(new)
        assert not any({3, 4, 5} & set(a.subspace) for a in same)
        assert other[0].subspace == (4,)
        assert figures([same]) == figures(miner(top_k=3).fit(self.doubled).mine(new[:1]))

    def test_in_other_units_are_duplicates_for_a_grid(self):
        X = np.column_stack([self.X, 1024.0 * self.X[:, 0] + 4096.0])
        assert SGBeam().fit(X).duplicate_columns_ == {3: 0}
        assert GBeam().fit(X).duplicate_columns_ == {3: 0}

    def test_are_told_by_the_explainer_in_its_names(self):
        frame = pd.DataFrame(self.doubled, columns=list("abcdef"))
        explainer = AspectExplainer(Scored(np.arange(200))).fit(frame)
        assert explainer.duplicate_columns_ == {"d": "b", "e": "b", "f": "a"}
        assert explainer.explain().duplicate_columns == explainer.duplicate_columns_

    def test_are_not_called_left_out_if_an_aspect_names_them(self):
        new = self.doubled[[7]].copy()
        new[0, 4] = 30.0
        frame = pd.DataFrame(self.doubled, columns=list("abcdef"))
        explainer = AspectExplainer(KNN().fit(self.doubled), SGBeam(top_k=1)).fit(frame)
        explanation = explainer.explain(pd.DataFrame(new, columns=list("abcdef")))
        assert explanation[0].aspects[0].features == ("e",)
        assert explanation.duplicate_columns == {"d": "b", "f": "a"}

    def test_of_labels_are_duplicates_too(self):
        frame = pd.DataFrame({"a": list("xyzx"), "b": ["one", "two", "zwei", "one"]})
        assert SGBeam().fit(frame).duplicate_columns_ == {1: 0}

    def test_of_own_densities_are_left_alone(self):
        class Own(SGrid):
            def duplicate_columns(self):
                return {}

        assert Miner(Own()).fit(self.doubled).duplicate_columns_ == {}


@pytest.mark.parametrize("miner", [SGBeam(), SGBeam(bins="fd"), KDEBeam(max_dim=2), OAMiner()])
@settings(max_examples=25)
@given(data=any_tables(max_rows=14, max_columns=4), seed=st.integers(0, 2**32 - 1))
def test_the_order_of_rows_does_not_matter(miner, data, seed):
    table, _ = data
    query = replace(table, values=table.values[:1])
    rows = np.random.default_rng(seed).permutation(len(table.values))
    mixed = replace(table, values=table.values[rows])
    want, got = (miner.fit(t).mine(query)[0] for t in (table, mixed))
    assert [a.score for a in got] == pytest.approx([a.score for a in want], abs=1e-6)
    if isinstance(miner, SGBeam):
        assert got == want


@pytest.mark.parametrize("miner", [SGBeam(tau=np.inf), KDEBeam(max_dim=2), OAMiner()])
@settings(max_examples=25)
@given(data=any_tables(max_rows=14, max_columns=4), seed=st.integers(0, 2**32 - 1))
def test_the_order_of_columns_only_renames_them(miner, data, seed):
    table, _ = data
    columns = np.random.default_rng(seed).permutation(len(table.columns))
    mixed = replace(
        table,
        values=table.values[:, columns],
        columns=tuple(table.columns[i] for i in columns),
    )
    want, got = (miner.fit(t).mine(replace(t, values=t.values[:1]))[0] for t in (table, mixed))
    # Of equal scores the first columns are preferred, so the scores are compared.
    assert [a.score for a in got] == pytest.approx([a.score for a in want], abs=1e-6)


class TestExplaining:
    frame = pd.DataFrame(
        {
            "size": [1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 3.0, 2.0] * 10,
            "colour": ["red", "blue"] * 40,
            "when": pd.to_datetime(["2024-01-01", "2024-01-02"] * 40),
        }
    )
    frame.loc[0, "size"] = np.nan
    frame.loc[1, "colour"] = "green"
    frame.loc[2, "when"] = pd.Timestamp("2031-01-01")
    detector = Scored([3.0, 2.0, 1.0] + [0.0] * 77)

    @pytest.mark.parametrize("miner", MINERS)
    def test_a_rare_missing_value_a_rare_category_and_a_rare_time_are_found(self, miner):
        explanation = AspectExplainer(self.detector, miner, n_queries=3).fit(self.frame).explain()
        assert [q.aspects[0].features for q in explanation] == [("size",), ("colour",), ("when",)]
        background = explanation.background
        texts = [
            background.reference.columns[i].text(background.reference.values[i, i])
            for i in range(3)
        ]
        assert texts == ["missing", "green", "2031-01-01"]

    def test_new_rows_of_any_kind_go_to_the_detector_as_they_came(self):
        seen = []

        class Frames:
            decision_scores_ = self.detector.decision_scores_

            def decision_function(self, X):
                seen.append(X)
                return np.ones(len(X))

        explainer = AspectExplainer(Frames()).fit(self.frame)
        new = self.frame[5:7].assign(colour=["violet", "red"])
        explanation = explainer.explain(new)
        assert seen[0] is new
        assert explanation.row(0).aspects[0].features == ("colour",)
        assert explanation.row(0).aspects[0].density == 0
        explained = explanation.background.explained
        assert explained.columns[1].text(explained.values[0, 1]) == "violet"
