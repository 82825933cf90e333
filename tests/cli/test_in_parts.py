"""Parquet files that exceed half of the memory are explained part by part."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("dask")
pytest.importorskip("pyarrow")

from pyod_aspects.cli.reading import in_parts
from pyod_aspects.explanation import Explanation

OPTIONS = ("--max-dim", "2", "--detector", "IForest", "--n-reference", "39")
OPTIONS += ("--no-agreement",)  # rounded scores would show in it


@pytest.fixture
def files(tmp_path):
    """The pattern of three files, of which row 150 is far out in a."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 3)), columns=["a", "b", "c"])
    frame["colour"] = rng.choice(["red", "blue"], 300)
    frame["who"] = [f"n{i}" for i in range(300)]
    frame["unit"] = "mm"
    frame["bad"] = np.arange(300) == 150
    frame.loc[150, "a"] = 30.0
    frame.loc[3, "c"] = np.inf
    for i in range(3):
        part = frame[100 * i : 100 * (i + 1)]
        part.to_parquet(tmp_path / f"part-{i}.parquet", row_group_size=50)
    return str(tmp_path / "part-*.parquet")


@pytest.fixture
def little_memory(monkeypatch):
    monkeypatch.setattr(in_parts, "memory", lambda: 4000)


def answer(output):
    found = Explanation.from_json(output)
    return [(q.row, q.label, q.score, q.p_value, q.aspects) for q in found]


@pytest.mark.parametrize("more", [(), ("--id", "who"), ("--rows", "5,6"), ("--label", "bad")])
def test_the_answer_is_that_of_files_that_fit(run, files, monkeypatch, more):
    options = ("explain", files, *OPTIONS, *more, "--exclude", "unit", "--json", "-")
    _, want, said = run(*options)
    assert "parts" not in said
    monkeypatch.setattr(in_parts, "memory", lambda: 4000)
    code, got, said = run(*options)
    assert code == 0
    assert "300 rows take" in said
    assert "more than half of the memory (0 MB); they are read in 3 parts." in said
    assert "'who' (names rows)" in said or "--id" in more
    assert "IForest is fitted to all of 300 rows, and scores all." in said
    got, want = answer(got), answer(want)
    assert [g[:2] for g in got] == [w[:2] for w in want]
    assert [g[3:] for g in got] == [w[3:] for w in want]
    # Rows that a forest was fitted to and new ones are scored alike, but for rounding.
    np.testing.assert_allclose([g[2] for g in got], [w[2] for w in want])


def test_the_detector_is_fitted_to_a_fixed_sample(run, files, little_memory, monkeypatch):
    monkeypatch.setattr(in_parts, "SAMPLE", 200)
    options = ("explain", files, *OPTIONS)
    code, output, said = run(*options)
    assert code == 0
    assert "IForest is fitted to a random sample of 200 of 300 rows, and scores all." in said
    assert "row 150" in output
    assert run(*options)[1] == output


def test_labels_and_a_page_come_as_ever(run, files, little_memory, tmp_path):
    page = str(tmp_path / "page.html")
    code, output, _ = run("explain", files, *OPTIONS, "--label", "bad", "--html", page)
    assert code == 0
    assert "bad = True: 1 of these 10 rows, 1 of all" in output
    with open(page, encoding="utf-8") as file:
        assert "<svg" in file.read()


def test_new_rows_are_compared_with_files(run, files, little_memory, tmp_path):
    new = pd.DataFrame({"a": [0.0, 0.0], "b": [0.0, 40.0], "c": 0.0, "colour": "red", "unit": "mm"})
    new["bad"] = False
    new.to_csv(tmp_path / "new.csv", index=False)
    code, output, said = run(
        "explain", files, *OPTIONS, "--new", str(tmp_path / "new.csv"), "--json", "-"
    )
    assert code == 0, said
    first = json.loads(output)["queries"][0]
    assert first["row"] == 1
    assert first["aspects"][0]["features"] == ["b"]


def test_columns_that_are_constant_in_the_sample_stay(run, files, little_memory, monkeypatch):
    output = run("explain", files, *OPTIONS, "--json", "-")[1]
    assert "unit" in Explanation.from_json(output).feature_names


def test_save_and_wrong_columns_are_refused_in_one_line(run, files, little_memory, tmp_path):
    code, output, said = run("explain", files, *OPTIONS, "--save", str(tmp_path / "saved"))
    assert code == 2
    assert output == ""
    assert "--save keeps all rows" in said
    assert "has no column 'z'" in run("explain", files, *OPTIONS, "--columns", "z")[2]


def test_files_that_are_not_all_parquet_are_read_whole(run, tmp_path, little_memory):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=["a", "b"])
    frame.to_csv(tmp_path / "a.csv", index=False)
    code, _, said = run("explain", str(tmp_path / "a.csv"), *OPTIONS)
    assert code == 0
    assert "parts" not in said


def test_without_dask_the_command_says_what_it_takes(run, files, little_memory, monkeypatch):
    find = in_parts.find_spec
    monkeypatch.setattr(in_parts, "find_spec", lambda name: None if name == "dask" else find(name))
    code, _, said = run("explain", files, *OPTIONS)
    assert code == 2
    assert 'pip install "pyod_aspects[dask]"' in said


def test_a_part_that_is_too_large_is_refused(run, files, little_memory):
    code, _, said = run("explain", files, *OPTIONS, "--max-size", "0.000001")
    assert code == 2
    assert "--max-size" in said
