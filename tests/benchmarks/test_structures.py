"""The structures with known answers: generators, figures, page and command."""

from __future__ import annotations

import doctest
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from benchmark_modules import module

from pyod_aspects import GBeam

base = module("evidence.structures.base")
cells = module("evidence.cells")
correlated = module("evidence.structures.correlated")
measure = module("evidence.structures.measure")
miners = module("evidence.structures.miners")
structures = module("evidence.structures")
tables = module("evidence.structure_tables")
main = module("__main__").main

STRUCTURES = structures.STRUCTURES
NUMBERS = [n for n in STRUCTURES if n.startswith(("far-out", "pair", "plane", "xor"))]
NUMBERS += ["gap", "diagonal"]
HIDDEN = [n for n in NUMBERS if not n.startswith("far-out") and n != "gap"]
MIXED = ["rare-category", "missing-category", "missing-range"]


def trials(name, n=5):
    return [STRUCTURES[name].trial(name, i) for i in range(n)]


def planted(trial):
    """The one query of a table, and its one true subspace."""
    [(row, [subspace])] = trial.truth.items()
    return row, list(subspace)


def test_examples_in_docstrings_run():
    assert doctest.testmod(measure).failed == 0


@pytest.mark.parametrize("name", STRUCTURES)
def test_the_same_seed_gives_the_same_table_and_another_one_another(name):
    one, again, other = (STRUCTURES[name].trial(name, i) for i in (0, 0, 1))
    assert pd.DataFrame(one.X).equals(pd.DataFrame(again.X))
    assert pd.DataFrame(one.new).equals(pd.DataFrame(again.new))
    assert one.truth == again.truth
    assert not pd.DataFrame(one.X).equals(pd.DataFrame(other.X))
    assert len(one.X) in (STRUCTURES[name].n_rows, STRUCTURES[name].n_rows - 1)
    table = one.X if one.new is None else one.new
    assert max(one.truth) < len(table)
    assert all(bool(true) is not STRUCTURES[name].ordinary for true in one.truth.values())


@pytest.mark.parametrize("name", NUMBERS)
def test_the_query_is_ordinary_in_every_other_feature(name):
    for trial in trials(name):
        row, subspace = planted(trial)
        low, high = np.quantile(trial.X, [0.01, 0.99], axis=0)
        ordinary = (low <= trial.X[row]) & (trial.X[row] <= high)
        others = np.setdiff1d(np.arange(trial.X.shape[1]), subspace)
        assert ordinary[others].all()
        assert ordinary[subspace].all() == (name in HIDDEN or name == "gap")


@pytest.mark.parametrize("name", [n for n in NUMBERS if n.startswith("far-out")] + ["gap"])
def test_nothing_is_near_the_one_value(name):
    for trial in trials(name):
        row, [feature] = planted(trial)
        column = trial.X[:, feature]
        nearest = np.sort(np.abs(column - column[row]))[1]
        assert nearest > np.std(np.delete(column, row)) / 3


@pytest.mark.parametrize("name", [n for n in HIDDEN if n.startswith(("pair", "plane"))])
def test_a_broken_correlation_is_seen_in_the_whole_set_and_in_no_smaller_one(name):
    for trial in trials(name):
        row, subspace = planted(trial)
        X = np.log(trial.X) if "exp" in name else trial.X

        def share_farther_out(s, X=X, row=row):
            covariance = np.cov(X[:, s], rowvar=False).reshape(len(s), len(s))
            distances = correlated.squared_distance(X[:, s] - X[:, s].mean(axis=0), covariance)
            return (distances > distances[row]).mean()

        assert share_farther_out(subspace) == 0.0
        for size in range(1, len(subspace)):
            for smaller in combinations(subspace, size):
                assert share_farther_out(list(smaller)) > 0.05


@pytest.mark.parametrize("k", [3, 4])
def test_only_the_query_has_a_negative_product(k):
    for trial in trials(f"xor-{k}"):
        row, subspace = planted(trial)
        negative = trial.X[:, subspace].prod(axis=1) < 0
        assert np.flatnonzero(negative).tolist() == [row]
        for smaller in combinations(subspace, k - 1):
            assert 0.4 < (trial.X[:, smaller].prod(axis=1) < 0).mean() < 0.6


def test_off_the_diagonal_is_no_other_row():
    for trial in trials("diagonal"):
        row, subspace = planted(trial)
        apart = np.abs(np.diff(trial.X[:, subspace], axis=1)).ravel()
        assert apart[row] > 1.5
        assert (np.delete(apart, row) > 1.5).sum() == 0


def test_both_levels_are_common_and_occur_together_once():
    for trial in trials("rare-category"):
        row, subspace = planted(trial)
        both = trial.X.iloc[:, subspace]
        same = (both == both.iloc[row]).to_numpy()
        assert same.mean(axis=0).min() > 0.1
        assert np.flatnonzero(same.all(axis=1)).tolist() == [row]


@pytest.mark.parametrize("name", ["missing-category", "missing-range"])
def test_missing_is_common_and_never_where_the_other_feature_is_as_in_the_query(name):
    for trial in trials(name):
        row, subspace = planted(trial)
        pair = trial.X.iloc[:, subspace]
        [other] = [c for c in pair if pair[c].notna().all()]
        [number] = [c for c in pair if c != other]
        missing = pair[number].isna().to_numpy()
        assert 0.1 < missing.mean() < 0.3
        column = pair[other]
        where = column == column.iloc[row] if name == "missing-category" else column > 0.0
        assert where.mean() > 0.1
        assert np.flatnonzero(missing & where.to_numpy()).tolist() == [row]


@pytest.mark.parametrize("name", MIXED)
def test_the_rest_of_the_row_is_there(name):
    for trial in trials(name):
        row, subspace = planted(trial)
        rest = trial.X.iloc[row].drop(trial.X.columns[subspace])
        assert rest.notna().all()


def test_a_new_row_is_not_in_the_table():
    for trial in trials("new-pair-95"):
        assert trial.truth.keys() == {0}
        assert not (trial.new == trial.X).any(axis=1).any()


def test_the_quick_miners_find_an_easy_case():
    for name in ("SGBeam-zscore", "GBeam", "SiNNE"):
        result = measure.measure("far-out-normal", name, 3)
        assert result["right"] == result["n"] == 3
        assert [answer["f1"] for answer in result["answers"]] == [1.0] * 3


def test_answers_are_compared_with_the_truth_of_their_own_row():
    X = np.random.default_rng(0).normal(size=(200, 3))
    X[5, 0] = X[3, 2] = 30.0
    trial = base.Trial(X, {5: [(0,), (0, 1)], 3: [(1,)], 7: []})
    how = miners.Compared("GBeam", lambda: GBeam(max_dim=1))
    five, three, seven = measure.explained(trial, how)
    assert five == {"first": [0], "rank": 1, "f1": 1.0, "p": five["p"]}
    assert three["first"] == [2]
    assert three["f1"] == 0.0
    assert three["rank"] != 1
    assert set(seven) == {"first", "p"}


def test_slow_miners_are_left_out_where_they_take_long():
    names = {cell.name for cell in structures.cells()}
    assert {"hics-20000/GBeam", "hics-1000/KDEBeam", "none-mixed/KDEBeam"} <= names
    assert not names & {"hics-20000/KDEBeam", "hics-5000/OAMiner", "none-normal/OAMiner"}
    assert "hics-20000/SiNNE" in names
    assert not names & {"rare-category/SiNNE", "missing-range/SiNNE", "none-mixed/SiNNE"}
    assert {cell.name for cell in structures.cells(short=True)} < names


def answer(rank, p=None):
    return {"first": [0], "rank": rank, "f1": 1.0 if rank == 1 else 0.5, "p": p}


@pytest.fixture
def kept(tmp_path):
    """A store, and a function that puts answers into it."""
    store = cells.Cells(tmp_path / "cells.json")

    def put(structure, miner, answers):
        result = {"seconds": 1.0, "answers": answers}
        if "rank" in answers[0]:
            right = sum(a["rank"] == 1 for a in answers)
            result |= {"right": right, "n": len(answers)}
        store.put(cells.Cell(f"{structure}/{miner}", dict), result)

    return store, put


def test_tables_count_right_answers_and_p_values(kept):
    store, put = kept
    put(
        "xor-3", miners.DEFAULT, [answer(1, 0.01), answer(1, 0.2), answer(3, 0.04), answer(None, 1)]
    )
    title = "| xor of 3 features | 4 | "
    assert f"{title}2 (0.75) | –" in tables.rank_one(store)
    assert f"{title}3 | –" in tables.in_ten(store)
    assert f"{title}1 of 2; 1 of 2 | –" in tables.how_sure(store)
    put("xor-3", "OAMiner", [answer(1), answer(2)])
    assert tables.how_sure(store).endswith("1 of 2; 1 of 2 | – | – | – |")
    assert "OAMiner" not in tables.how_sure(store), "it has no p-values"
    assert "OAMiner" in tables.rank_one(store)
    assert tables.has_p_values(store)
    put("none-normal", miners.DEFAULT, [{"first": [0], "p": 0.03}, {"first": [], "p": 0.5}])
    assert "| no outlier, normal | 2 | 1 of 2 | –" in tables.nothing_to_find(store)
    assert "xor" not in tables.nothing_to_find(store)
    assert "no outlier" not in tables.rank_one(store)


def test_losses_follow_from_the_figures(kept):
    store, put = kept
    ours = miners.MINERS[miners.DEFAULT].title
    put("xor-3", miners.DEFAULT, [answer(1), answer(1), answer(1), answer(2)])
    put("xor-3", "GBeam", [answer(1), answer(1), answer(1), answer(None)])
    assert tables.losses(store) == []
    put("xor-3", "KDEBeam", [answer(1)] * 4)
    assert tables.losses(store) == [f"xor of 3 features, at rank one: {ours} 3 of 4, KDEBeam 4."]
    put("xor-4", miners.DEFAULT, [answer(1), answer(2, 0.01), answer(2, 0.5)])
    assert tables.losses(store)[1:] == [
        f"xor of 4 features, at rank one: {ours} 1 of 3.",
        f"xor of 4 features: 1 of 2 wrong first answers of {ours} have p ≤ 0.05.",
    ]
    put("gap", miners.DEFAULT, [answer(1, 0.01), answer(1, 0.2), answer(1, 0.3)])
    assert tables.losses(store)[3:] == [
        "one feature, between two clusters: only 1 of 3 right first answers of "
        f"{ours} have p ≤ 0.05."
    ]
    put("gap", miners.DEFAULT, [answer(1, 0.01), answer(1, 0.2)])
    few, many = ([{"first": [], "p": 0.01}] * n + [{"first": [], "p": 0.9}] * 90 for n in (5, 20))
    put("none-normal", miners.DEFAULT, few)
    put("none-mixed", miners.DEFAULT, many)
    assert tables.losses(store)[3:] == [
        f"no outlier, mixed: 20 of 110 rows have p ≤ 0.05 with {ours}."
    ]


@pytest.mark.parametrize(
    "name", ["pair-80/SGBeam-zscore", "missing-category/GBeam", "new-pair-80/SGBeam-zscore"]
)
def test_a_stored_cell_comes_out_again(name):
    stored = cells.Cells(module("tables").REPOSITORY / "benchmarks/evidence/structures.json")
    [cell] = [cell for cell in structures.cells() if cell.name == name]
    fresh = cell.work(*cell.args)
    assert fresh["answers"] == stored.result(name)["answers"]


@pytest.mark.slow
def test_a_short_run_writes_the_page_and_goes_on(tmp_path, capsys):
    some = ["structures", "--short", "--output", str(tmp_path), "--only", "far-out-*/SGBeam"]
    some += ["hics-*/SGBeam", "none-new-*/SGBeam", "gap/GBeam"]
    assert main(some) == 0
    text = (tmp_path / "evidence_structures.md").read_text("utf-8")
    assert "| one feature far out, normal | 2 | 2 (1.00) | –" in text
    assert "HiCS, 1,000 rows" in text
    assert "HiCS, 5,000 rows" not in text
    first = capsys.readouterr().out
    assert "gap/GBeam: 2 of 2, " in first
    assert main(some) == 0
    assert capsys.readouterr().out.count(": kept, ") == first.count(" in all)")
    before = _answers(tmp_path)
    assert main([*some, "--fresh"]) == 0
    assert _answers(tmp_path) == before


def _answers(folder):
    entries = cells.Cells(folder / "structures.json").entries
    return {name: entry["result"]["answers"] for name, entry in entries.items()}


def test_an_interrupted_run_keeps_what_is_finished(tmp_path, capsys, monkeypatch):
    def interrupt(structure, miner, n_tables):
        if structure != "gap":
            raise KeyboardInterrupt
        return measure.measure(structure, miner, n_tables)

    monkeypatch.setattr(structures, "measure", interrupt)
    some = ["structures", "--short", "--output", str(tmp_path), "--only", "gap/G*", "diagonal/G*"]
    assert main(some) == 130
    assert "run it again to go on" in capsys.readouterr().err
    assert set(cells.Cells(tmp_path / "structures.json").entries) == {"gap/GBeam"}
