"""The first answer is the one that an expert would give."""

from __future__ import annotations

import numpy as np
import pytest

from pyod_aspects import AspectExplainer, GBeam, KDEBeam, Miner, OAMiner, SGBeam
from pyod_aspects.density import SGrid
from pyod_aspects.explanation.writing.sentences import headline
from pyod_aspects.scoring import rank

SMALL = {
    "lift": SGBeam(max_dim=4, width=20),
    "zscore": SGBeam(max_dim=4, width=20, score="zscore"),
    "screened": SGBeam(max_dim=4, width=20, score="zscore", screen=True),
    "gbeam": GBeam(max_dim=4, width=20),
    "kdebeam": KDEBeam(max_dim=3, width=10),
    "oaminer": OAMiner(max_dim=3),
    "own parts": Miner(SGrid(), rank),
}


@pytest.fixture(scope="module")
def normal():
    return np.random.default_rng(0).normal(size=(400, 6))


# ---------------------------------------------------------------- new rows


@pytest.mark.parametrize("name", SMALL)
def test_a_new_row_that_is_far_out_in_one_feature_is_explained_by_it(normal, name):
    new = np.random.default_rng(1).normal(size=(1, 6)) * 0.3
    new[0, 2] = 8.0
    [aspects] = SMALL[name].fit(normal).mine(new)
    assert aspects[0].subspace == (2,)


@pytest.mark.parametrize("name", ["lift", "zscore", "screened", "gbeam"])
def test_a_new_row_is_judged_as_a_row_of_the_table_is(normal, name):
    """Left out of the table and asked for as a new row, rows get about what they got as rows."""
    miner = SMALL[name]
    as_rows = miner.fit(normal).mine(normal[:40])
    as_new = miner.fit(normal[40:]).mine(normal[:40], new_rows=True)
    best = [np.mean([a[0].score for a in found if a]) for found in (as_rows, as_new)]
    assert best[1] == pytest.approx(best[0], rel=0.1)


def test_ordinary_new_rows_have_no_meaningless_set_of_five_features():
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(10_000, 10)), rng.normal(size=(50, 10))
    for score in ("lift", "zscore"):
        miner = SGBeam(score=score, width=20).fit(X)
        found = miner.mine(new)
        assert sum(len(aspects[0].subspace) == 5 for aspects in found) <= 2
        new[0, 0] = 8.0
        assert miner.mine(new[:1])[0][0].subspace == (0,)


def test_a_count_of_a_new_row_includes_it(normal):
    new = np.full((1, 6), 9.0)
    for name in ("lift", "zscore", "screened", "gbeam"):
        [aspects] = SMALL[name].fit(normal).mine(new)
        assert aspects[0].density == 1.0
    assert SGrid().fit(normal).near([[0]], new)[0, 0] == 0.0  # the density itself counts rows


# ---------------------------------------------------------------- constant columns


@pytest.mark.parametrize("name", SMALL)
def test_a_constant_column_explains_nothing(name):
    X = np.random.default_rng(0).normal(size=(300, 5))
    X[:, 3] = 1.0
    for aspects in SMALL[name].fit(X).mine(X[:10]):
        assert not any(3 in aspect.subspace for aspect in aspects)


@pytest.mark.parametrize("name", ["lift", "zscore", "screened", "gbeam", "kdebeam", "oaminer"])
def test_a_constant_column_explains_a_new_row_that_differs_in_it(name):
    X = np.random.default_rng(0).normal(size=(300, 5))
    X[:, [1, 3]] = 1.0
    new = X[:1].copy()
    new[0, 3] = 2.0
    [aspects] = SMALL[name].fit(X).mine(new)
    assert aspects[0].subspace == (3,)
    assert not any(1 in aspect.subspace for aspect in aspects)


def test_a_table_of_constant_columns_has_no_aspects():
    assert SGBeam().fit(np.ones((50, 3))).mine(np.ones((2, 3))) == [[], []]


# ---------------------------------------------------------------- real tables


def explained(shared_data, rows):
    import pandas as pd

    frame = pd.read_csv(shared_data / "real" / "diamonds.csv.gz")
    scores = np.zeros(len(frame))
    scores[rows] = 1.0
    explainer = AspectExplainer.from_scores(scores, n_queries=len(rows), n_reference=60)
    return frame, explainer.fit(frame).explain()


def test_known_errors_in_diamonds_are_named(shared_data):
    """The wrong measurement is in the first aspect, which has at most two features."""
    wrong = {2274: "y", 24067: "y", 49189: "y", 2207: "z", 2314: "z", 4791: "z", 11182: "x"}
    frame, explanation = explained(shared_data, list(wrong))
    for query in explanation.convincing():
        first = query.aspects[0]
        assert wrong[query.row] in first.features
        assert len(first.features) <= 2
        assert wrong[query.row] in list(query.features)[:1]
        evidence = {one.feature: one for one in first.evidence}[wrong[query.row]]
        assert evidence.value == pytest.approx(frame.loc[query.row, wrong[query.row]])
        low_or_high = "high" if query.row in (24067, 49189) else "low"
        assert evidence.direction == low_or_high


def test_a_typing_error_is_told_by_the_feature_that_recurs(shared_data):
    _, explanation = explained(shared_data, [2274])
    text = str(explanation)
    assert "No ordinary row of 60 has an aspect as strong" in text
    words = headline(explanation[0], explanation.score_name)
    assert words.startswith("y = 4.24 is too low for x = 6.79")
    assert "carat = 1.22" in words
    assert ": rows with similar x have y 6.6" in words


def test_an_area_that_no_tumour_comes_near_is_named_before_a_slightly_low_symmetry():
    from sklearn.datasets import load_breast_cancer

    table = load_breast_cancer(as_frame=True).data
    [aspects] = SGBeam().fit(table).mine(table.iloc[[212]])
    features = [table.columns[i] for aspect in aspects for i in aspect.subspace]
    assert "error" in features[0] or "area" in features[0]
    assert "mean area" in features
    assert "worst symmetry" not in features
