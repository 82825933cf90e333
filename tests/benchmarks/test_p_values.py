"""Whether p-values hold: the tables, the figures that are kept, page and command."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from benchmark_modules import FOLDER, module

cells = module("evidence.cells")
p_values = module("evidence.p_values")
tables = module("evidence.p_value_tables")
MINERS = module("evidence.structures.miners").OURS
main = module("__main__").main

STORED = cells.Cells(FOLDER / "evidence" / "p-values.json")
UNIFORM = [f"uniform-{kind}/{miner}" for kind in p_values.UNIFORM for miner in MINERS]
PLANTED = [cell.name for cell in p_values.cells() if cell.name.startswith("planted/")]


def test_examples_in_docstrings_run():
    assert doctest.testmod(p_values).failed == 0


def test_planted_rows_are_alone_in_their_true_set():
    kinds = set()
    for seed in range(20):
        trial = p_values.with_outliers(np.random.default_rng(seed))
        outliers = {row: subspaces for row, [*subspaces] in trial.truth.items() if subspaces}
        assert len(trial.truth) == 10
        assert 3 <= len(outliers) <= 5
        for row, [subspace] in outliers.items():
            kinds.add(subspace)
            s = list(subspace)
            # The diagonal has clusters a standard deviation of 0.25 wide, the others are wider.
            near = np.abs(trial.X[:, s] - trial.X[row, s]).max(axis=1) < 0.25
            assert near.sum() == 1, (seed, subspace)
    assert kinds == {(0,), (1,), (2, 3), (4, 5, 6), (7,), (8, 9)}


def test_the_same_table_is_drawn_again():
    one, again = (p_values.with_outliers(p_values._rng("planted", 3)) for _ in range(2))
    np.testing.assert_array_equal(one.X, again.X)
    assert one.truth == again.truth


@pytest.mark.parametrize("name", UNIFORM)
def test_no_p_values_are_smaller_than_uniform_ones(name):
    result = STORED.result(name)
    assert len(result["p"]) == 200
    assert min(result["p"]) > 0
    assert max(result["p"]) <= 1
    assert result["smaller"] > tables.LEVEL / len(UNIFORM)
    assert {k: result[k] for k in ("smaller", "differs")} == pytest.approx(
        p_values.kolmogorov_smirnov(result["p"]), abs=1e-3
    )


@pytest.mark.parametrize("name", PLANTED)
def test_at_most_a_tenth_of_what_is_convincing_is_wrong(name):
    result = STORED.result(name)
    assert len(result["tables"]) == 100
    assert result["wrong"] <= p_values.ALPHA
    wrong = [t["ordinary"] / max(1, t["ordinary"] + t["found"]) for t in result["tables"]]
    assert result["wrong"] == pytest.approx(np.mean(wrong), abs=1e-4)
    assert result["error"] == pytest.approx(np.std(wrong, ddof=1) / 10, abs=1e-4)


@pytest.mark.parametrize("name", ["uniform-normal/SGBeam", "uniform-mixed/OAMiner"])
def test_a_stored_cell_comes_out_again(name):
    kind, miner = name.removeprefix("uniform-").split("/")
    stored = STORED.result(name)["p"]
    fresh = p_values.uniform(kind, miner, 4)["p"]
    assert fresh == stored[: len(fresh)]


def test_what_is_kept_is_counted(monkeypatch):
    found = [
        {"planted": 4, "found": 3, "ordinary": 1, "exact": 2},
        {"planted": 4, "found": 0, "ordinary": 0, "exact": 0},
    ]
    monkeypatch.setattr(p_values, "_kept", lambda miner, number: found[number])
    result = p_values.planted("SGBeam", 2)
    assert {k: result[k] for k in ("wrong", "error", "found", "exact", "n_kept")} == {
        "wrong": 0.125,
        "error": 0.125,
        "found": 0.375,
        "exact": 0.25,
        "n_kept": 4,
    }


def test_planted_rows_are_found_and_ordinary_ones_are_not_kept():
    result = p_values.planted("SGBeam", 3)
    assert result["found"] > 0.6
    assert result["wrong"] <= 0.2


def test_tables_say_what_is_too_small_and_too_many(tmp_path):
    store = cells.Cells(tmp_path / "cells.json")
    good = {"seconds": 1.0, "smaller": 0.4, "differs": 0.2, "p": []}
    store.put(cells.Cell("uniform-normal/SGBeam", dict), good)
    store.put(cells.Cell("uniform-mixed/SGBeam", dict), good)
    text = tables.uniform(store)
    assert "| normal | 0.40; 0.20 | –" in text
    assert "No p-values are too small" in text
    store.put(cells.Cell("uniform-mixed/SGBeam", dict), good | {"smaller": 0.001})
    assert tables.uniform(store).endswith("SGBeam (lift), mixed.")
    kept = {"seconds": 1.0, "wrong": 0.06, "error": 0.01, "found": 0.5, "exact": 0.4, "n_kept": 7}
    store.put(cells.Cell("planted/SGBeam", dict), kept | {"tables": [{}] * 9})
    assert "| SGBeam (lift) | 9 | 7 | 6.0 ± 1.0 % | 50 % | 40 % |" in tables.planted(store)
    store.put(cells.Cell("planted/GBeam", dict), kept | {"wrong": 0.11, "tables": [{}] * 9})
    assert "11.0 ± 1.0 % (too many)" in tables.planted(store)


def test_a_short_run_writes_the_page(tmp_path):
    some = ["p-values", "--short", "--output", str(tmp_path), "--only", "*/SGBeam"]
    assert main(some) == 0
    text = (tmp_path / "evidence_p_values.md").read_text("utf-8")
    assert "| SGBeam (lift) | 5 | " in text
    assert "No p-values are too small" in text
    assert set(cells.Cells(tmp_path / "p-values.json").entries) == {
        *(f"uniform-{kind}/SGBeam" for kind in p_values.UNIFORM),
        "planted/SGBeam",
    }
