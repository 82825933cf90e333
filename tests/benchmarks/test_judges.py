"""Detectors as judges: what they are asked, the figures that are kept, and the page."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from benchmark_modules import FOLDER, module

cells = module("evidence.cells")
data = module("evidence.data")
judges = module("evidence.judges")
tables = module("evidence.judge_tables")
Skipped = module("results").Skipped

STORED = cells.Cells(FOLDER / "evidence" / "judges.json")


def planted():
    """A table of which some rows are far out in two columns that go together else."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    X[:, 1] = X[:, 0] + rng.normal(0, 0.1, 300)
    X[:10, 0], X[:10, 1] = 3.0, -3.0
    return X


@pytest.mark.parametrize("detector", judges.DETECTORS)
def test_the_planted_features_remove_more_than_random_ones(detector):
    found = judges.shares(planted(), detector, seed=0)
    assert set(found) == set(judges.ANSWERS)
    assert all(len(shares) == judges.N_QUERIES for shares in found.values())
    means = {answer: np.mean(shares) for answer, shares in found.items()}
    assert means["lift"] > means["random"]
    assert means["single"] >= means["random"] - 0.2
    # The best single feature is the best of all that were asked about.
    assert min(found["single"]) > -0.5


def test_a_row_without_an_aspect_removes_nothing():
    X = planted()
    explainer_sets = [{"lift": (0, 1), "zscore": (), "random": (4,)}]
    detector = judges.make_pipeline(judges.StandardScaler(), judges.make_detector("KNN")).fit(X)
    explainer = judges.AspectExplainer(detector, judges.SGBeam(max_dim=2), 1, 0).fit(X)
    found = judges._ask(explainer.explain(), explainer_sets, 20)
    assert found["zscore"] == [0.0]
    assert found["lift"][0] > 0.5 > found["random"][0]


def test_every_table_is_judged_by_every_detector_but_wide_ones():
    names = [cell.name for cell in judges.cells(None)]
    assert len(names) == len(set(names)) == 13 * 4 - 3
    assert "wine/ECOD" in names
    assert "mnist/ECOD" not in names


def test_tables_are_read_from_either_kind_of_file(tmp_path):
    with gzip.open(tmp_path / "diamonds.csv.gz", "wt") as file:
        file.write("carat,cut,price\n0.5,good,300\n1.5,fair,4000\n")
    assert data.real("diamonds", tmp_path).tolist() == [[0.5, 300.0], [1.5, 4000.0]]
    assert len(data.fingerprint("diamonds", tmp_path)) == 10
    with pytest.raises(Skipped, match=r"no wine\.npz"):
        data.real("wine", tmp_path)


@pytest.mark.parametrize("name", [cell.name for cell in judges.cells(None)])
def test_stored_means_are_those_of_the_rows(name):
    result = STORED.result(name)
    assert "lift" in result, result
    for answer in judges.ANSWERS:
        assert len(result["shares"][answer]) == judges.N_QUERIES
        assert result[answer] == pytest.approx(np.mean(result["shares"][answer]), abs=1e-3)


def test_on_the_whole_lift_removes_most():
    """The finding of the page, from its figures."""
    every = [STORED.result(cell.name) for cell in judges.cells(None)]
    lift, zscore, drawn, single = (np.mean([r[a] for r in every]) for a in judges.ANSWERS)
    assert single > lift > zscore > drawn


@pytest.mark.parametrize("name", ["wine/KNN", "glass/IForest"])
def test_a_stored_cell_comes_out_again(name, shared_data):
    table, detector = name.split("/")
    fresh = judges.judge(table, detector, shared_data)
    assert {a: fresh[a] for a in judges.ANSWERS} == pytest.approx(
        {a: STORED.result(name)[a] for a in judges.ANSWERS}, abs=0.02
    )


def test_tables_and_losses_are_told(tmp_path):
    store = cells.Cells(tmp_path / "cells.json")
    good = {"seconds": 1.0, "lift": 0.4, "zscore": 0.2, "random": 0.1, "single": 0.5, "shares": {}}
    store.put(cells.Cell("wine/KNN", dict), good)
    store.put(cells.Cell("wine/LOF", dict), good | {"lift": 0.1})
    store.put(cells.Cell("glass/KNN", dict), {"over": 1800.0})
    assert "| KNN | 1 | 0.40 | 0.20 | 0.10 | 0.50 |" in tables.by_detector(store)
    assert "| all | 2 | 0.25 | 0.20 | 0.10 | 0.50 |" in tables.by_detector(store)
    assert "| wine | KNN, LOF | 0.25 |" in tables.by_table(store)
    assert tables.losses(store) == ["wine, LOF: the Z-score 0.20, lift 0.10."]
