"""The evidence: cells are kept and limited, and the stored ones come out again."""

from __future__ import annotations

import json
import os
import re
import shutil
import time

import pytest
from benchmark_modules import FOLDER, module

cells = module("evidence.cells")
data = module("evidence.data")
limits = module("evidence.limits")
conclusions = module("evidence.conclusions")
markdown = module("markdown")
page = module("evidence.page")
paper = module("evidence.paper")
paper_tables = module("evidence.paper_tables")
main = module("__main__").main
Skipped = module("results").Skipped

STORED = cells.Cells(FOLDER / "evidence" / "paper.json")
PEERS = cells.Cells(FOLDER / "evidence" / "peers.json")
STRUCTURES = cells.Cells(FOLDER / "evidence" / "structures.json")
P_VALUES = cells.Cells(FOLDER / "evidence" / "p-values.json")
JUDGES = cells.Cells(FOLDER / "evidence" / "judges.json")
DOCS = FOLDER.parent / "docs"


@pytest.fixture
def _importable(tmp_path, monkeypatch):
    """Lets the processes of cells import the folder."""
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "benchmarks").symlink_to(FOLDER)
    monkeypatch.syspath_prepend(tmp_path / "path")


def done(seconds):
    """Work that is done at once, and another process knows."""
    return dict, ([("seconds", seconds)],)


@pytest.mark.usefixtures("_importable")
def test_a_function_runs_within_its_limit_or_is_ended():
    assert limits.within(60.0, sum, [1, 2]) == 3
    begin = time.perf_counter()
    with pytest.raises(limits.OverLimitError):
        limits.within(1.0, time.sleep, 60)
    assert time.perf_counter() - begin < 30
    with pytest.raises(ValueError, match="invalid literal"):
        limits.within(60.0, int, "x")
    with pytest.raises(limits.ChildError, match="code 3"):
        limits.within(60.0, os._exit, 3)


@pytest.mark.usefixtures("_importable")
def test_finished_cells_are_kept_and_greater_limits_tried(tmp_path, capsys):
    path = tmp_path / "cells.json"
    some = [
        cells.Cell("a/1", *done(1.5), series="a"),
        cells.Cell("a/2", time.sleep, (60,), series="a"),
        cells.Cell("a/3", *done(9.0), series="a"),
        cells.Cell("b/1", int, ("x",)),
    ]
    assert cells.compute(some, cells.Cells(path), limit=3.0) == 1
    kept = cells.Cells(path)
    assert kept.result("a/1") == {"seconds": 1.5}
    assert kept.result("a/2") == {"over": 3.0}
    assert kept.result("a/3") == {"over": 3.0, "after": "a/2"}
    assert kept.result("b/1") is None
    assert "a/1" in kept
    assert "a/2" not in kept
    out = capsys.readouterr().out
    assert "[3/4] a/3: not begun, as a/2 took too long" in out
    assert "failed: ValueError: invalid literal" in out

    other = [cells.Cell("a/1", *done(7.0)), cells.Cell("a/2", *done(2.0))]
    assert cells.compute(other, kept, limit=2.0) == 0
    assert kept.result("a/2") == {"over": 3.0}
    assert cells.compute(other, kept, limit=4.0) == 0
    assert cells.Cells(path).result("a/1") == {"seconds": 1.5}
    assert cells.Cells(path).result("a/2") == {"seconds": 2.0}
    assert not list(tmp_path.glob("*.new"))

    changed = [cells.Cell("a/1", *done(8.0), inputs="other data")]
    assert cells.compute(changed, kept, limit=4.0) == 0
    assert kept.result("a/1") == {"seconds": 8.0}


def test_two_runs_keep_the_cells_of_both(tmp_path):
    one, two = (cells.Cells(tmp_path / "cells.json") for _ in range(2))
    one.put(cells.Cell("a", dict), {"seconds": 1.0})
    two.put(cells.Cell("b", dict), {"seconds": 2.0})
    assert set(cells.Cells(tmp_path / "cells.json").entries) == {"a", "b"}


@pytest.mark.parametrize("text", ['{"a": ', "[]", '{"a": 1}', '{"a": {}}'])
def test_a_damaged_store_is_said_in_one_sentence(tmp_path, capsys, text):
    (tmp_path / "peers.json").write_text(text, "utf-8")
    assert main(["paper", "--report", "--output", str(tmp_path)]) == 2
    assert "peers.json is damaged: expected" in capsys.readouterr().err


def test_sets_of_any_name_are_compared_with_the_paper_only_if_they_are_its_own(tmp_path):
    kept = cells.Cells(tmp_path / "cells.json")
    result = {"seconds": 1.0, "shape": [200, 30], "found": {"1": [[0]], "2": [[1]]}}
    counts = {"matches": 2.0, "exact": 1.0, "exact_first": 1}
    kept.put(cells.Cell("hics_030/SGBeam", dict), result | counts)
    kept.put(cells.Cell("hics_mine/SGBeam", dict), result | counts)
    assert "| 30-D | 2 | ours | – | – | 1 | – |" in paper_tables.runtimes(kept)
    assert "| hics_mine | 2 | ours |" in paper_tables.runtimes(kept)
    assert "paper" not in paper_tables.runtimes(kept) + paper_tables.summary(kept)
    assert paper_tables.losses(kept) == []


def test_generated_sets_have_as_many_outliers_as_the_papers():
    assert data.hics_names(None) == [f"generated_0{d}0" for d in range(1, 6)]
    for d, n in data.N_QUERIES.items():
        made = data.hics(f"generated_{d:03}", None)
        assert made.X.shape == (1_000, d)
        assert len(made.truth) == n


def test_data_is_found_from_the_folder_or_the_one_within(shared_data):
    names = ["hics_010", "hics_020", "hics_040", "generated_030", "generated_050"]
    assert data.hics_names(shared_data) == data.hics_names(shared_data / "hics") == names
    assert data.real("glass", shared_data / "hics").shape == (214, 9)
    with pytest.raises(Skipped, match=r"no nonsense\.npz"):
        data.real("nonsense", shared_data)


SMALL = ["hics_010/SGBeam", "hics_010/GBeam", "hics_010/KDEBeam", "nba_guards/SGBeam"]
SMALL += ["nba_guards/KDEBeam", "shuttle_005/SGBeam", "shuttle_005/KDEBeam"]
GENERATED = ["generated_030/SGBeam", "wide_0054/SGBeam"]


def again(name, folder, monkeypatch, stored=STORED, every=paper.cells):
    """Compute a stored cell anew, in this process, and give both without what differs."""
    kept = stored.result(name)
    # Forests differ between versions of scikit-learn: the stored queries are taken.
    monkeypatch.setattr(data, "top_anomalies", lambda X, n: kept["queries"])
    [cell] = [cell for cell in every(folder) if cell.name == name]
    fresh = json.loads(json.dumps(cell.work(*cell.args)))
    return [{k: v for k, v in r.items() if k in SAME} for r in (fresh, kept)]


SAME = {"found", "scored", "queries", "shape", "matches", "exact", "exact_first"}
SAME |= {"rows_given_size", "rows_natural", "f1_given_size", "f1_natural", "answered", "flagged"}


@pytest.mark.parametrize("name", SMALL)
def test_a_small_cell_of_each_table_comes_out_as_stored(shared_data, monkeypatch, name):
    fresh, stored = again(name, shared_data, monkeypatch)
    assert fresh == stored


@pytest.mark.parametrize(
    "name", ["hics_010/SGBeam", "hics_010/SGBeam-zscore", "hics_010/COPOD", "hics_020/ECOD"]
)
def test_a_small_cell_of_the_peers_comes_out_as_stored(shared_data, monkeypatch, name):
    fresh, stored = again(name, shared_data, monkeypatch, PEERS, module("evidence.peers").cells)
    assert fresh.keys() == stored.keys()
    for key, value in stored.items():
        assert fresh[key] == (pytest.approx(value) if isinstance(value, float) else value)


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATED)
def test_generated_cells_come_out_as_stored(monkeypatch, name):
    fresh, stored = again(name, None, monkeypatch)
    assert fresh == stored


@pytest.mark.parametrize("d", [10, 20, 40])
def test_sgbeams_exact_matches_are_at_least_the_papers(d):
    printed = dict(
        zip(module("evidence.printed").MINERS, module("evidence.printed").MATCHES[d], strict=True)
    )
    assert STORED.result(f"hics_{d:03}/SGBeam")["exact"] >= printed["SGBeam"][1]
    assert STORED.result(f"hics_{d:03}/GBeam")["exact"] == printed["GBeam"][1]


def test_peers_that_do_as_well_are_named(tmp_path):
    kept = cells.Cells(tmp_path / "cells.json")
    peer_tables = module("evidence.peer_tables")
    ours = {"seconds": 1.0, "rows_given_size": 5, "rows_natural": 4}
    kept.put(cells.Cell("hics_010/SGBeam", dict), ours)
    kept.put(cells.Cell("hics_010/ECOD", dict), ours | {"rows_given_size": 4, "rows_natural": 3})
    kept.put(cells.Cell("hics_010/outliertree", dict), ours | {"rows_natural": 9})
    assert peer_tables.verdict(kept).endswith("with either cut.")
    kept.put(cells.Cell("hics_010/LIME", dict), ours | {"rows_natural": 3})
    assert peer_tables.verdict(kept).endswith(", except: LIME on 10-D, size given.")


def test_the_page_is_the_one_of_the_stored_cells(tmp_path):
    for name in page.PAGES:
        shutil.copy(DOCS / name, tmp_path)
    page.write(STORED, PEERS, STRUCTURES, P_VALUES, JUDGES, tmp_path)
    for name in page.PAGES:
        written, committed = ((f / name).read_text("utf-8") for f in (tmp_path, DOCS))
        assert written == committed


def test_every_table_has_its_place_on_one_page():
    texts = [(DOCS / name).read_text("utf-8") for name in page.PAGES]
    places = [part for text in texts for part in markdown.parts(text)]
    assert len(places) == len(set(places))
    assert {"conclusions", "accuracy", "rank-one", "planted", "judges-tables"} < set(places)


def test_conclusions_say_what_the_cells_say(tmp_path):
    told = conclusions.table(STORED, PEERS, STRUCTURES, P_VALUES, JUDGES)
    right = [PEERS.result(f"hics_{d:03}/SGBeam")["rows_natural"] for d in (10, 20, 40)]
    assert "`SGBeam`: {} of 19, {} of 25, {} of 53 rows".format(*right) in told
    assert (
        f"are ordinary. It keeps {100 * P_VALUES.result('planted/SGBeam')['found']:.0f} %" in told
    )
    assert told.count("](evidence_") == 5
    empty = cells.Cells(tmp_path / "cells.json")
    assert conclusions.table(*[empty] * 5).count("\n") == 1, "a header without answers"


def test_pictures_are_written(tmp_path):
    page.write(STORED, PEERS, STRUCTURES, P_VALUES, JUDGES, tmp_path)
    for name in ("scale_up", "peer_growth"):
        assert "<svg" in (tmp_path / "_static" / f"{name}.svg").read_text("utf-8")


def test_the_command_lists_and_refuses(tmp_path, capsys):
    assert main(["paper", "--list"]) == 0
    assert "generated_010/SGBeam\n" in capsys.readouterr().out
    assert main(["paper", "--data", str(tmp_path / "nothing")]) == 2
    assert "no such folder" in capsys.readouterr().err
    assert main(["paper", "--data", str(tmp_path)]) == 2
    assert "no files hics_*.npz" in capsys.readouterr().err
    assert main(["paper", "--only", "nonsense"]) == 2
    assert "no such cell" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["paper", "--limit", "-1"])
    assert "expected seconds, more than 0" in capsys.readouterr().err


@pytest.mark.usefixtures("_importable")
def test_a_run_writes_cells_and_page_elsewhere(tmp_path, capsys):
    some = ["paper", "--output", str(tmp_path), "--only", "generated_010/*GBeam"]
    assert main(some) == 0
    text = (tmp_path / "evidence_paper.md").read_text("utf-8")
    assert re.search(r"\| 10-D, generated \| 19 \| ours \| – \| – \| [\d.]+ \| [\d.]+ \|", text)
    assert text.startswith("# The paper's tables")
    assert set(cells.Cells(tmp_path / "paper.json").entries) == {
        "generated_010/GBeam",
        "generated_010/SGBeam",
    }
    capsys.readouterr()
    assert main(some) == 0
    assert capsys.readouterr().out.count(": kept, ") == 2
